"""Players written as ordinary Python: every form takes a seat, sees what it may see, and plays the same everywhere."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.scenario import load_scenario
from pompeii_sim.scenario.fingerprint import fingerprint

SOURCE = '''
class Shy:
    """Waits, but for its first move of a game."""

    def __init__(self):
        self.moved = False

    def choose(self, view):
        first, self.moved = not self.moved, True
        return "toss" if first else "wait"


def dreamer(view):
    return view.random.choice(view.legal)
'''


class Shy:
    """Waits, but for its first move of a game."""

    def __init__(self) -> None:
        self.moved = False

    def choose(self, view: Any) -> str:
        first, self.moved = not self.moved, True
        return "toss" if first else "wait"


class Peeking:
    """Checks what it sees."""

    def choose(self, view: Any) -> int:
        assert view.actions == ("toss", "wait")
        assert view.legal == (0, 1)
        assert view.public.dec_seat == view.seat
        assert set(view.public.dtype.names) == {"n_seats", "rnd", "dec_seat", "heads", "ended_by", "winners", "error"}
        assert view.own.dtype.names == ("tosses",)
        assert view.own.tosses <= view.public.rnd
        assert view.weights[:2] == (0.25, 2.0)
        assert view.tables.target == 3
        assert view.luck >= 0
        for record, name in ((view.public, "rnd"), (view.own, "tosses"), (view.tables, "target")):
            with pytest.raises(ValueError, match="read-only"):
                setattr(record, name, 7)
        with pytest.raises(ValueError, match="read-only"):
            view.public.heads[0] = 7
        return 1 if view.random.random() < view.weights[0] else 0


def rows(result: Any) -> pl.DataFrame:
    return result.games().collect()


def scenario(players: dict[str, Any], *seats: Any, **more: Any) -> Any:
    listed = [{"player": seat} if isinstance(seat, str) else seat for seat in seats]
    return load_scenario({**document(**more), "seats": listed}, players=players)


def test_class_gets_a_new_object_for_every_game_and_seat() -> None:
    result = execute(scenario({"shy": Shy}, "shy", "eager", "shy", games=60), jobs=1, series_every=7)
    assert result.failed == 0
    table = rows(result)
    for seat in range(3):
        tosses = table.filter(pl.col(f"seat_spec_{seat}") != 1, pl.col("rounds") > 1)[f"tosses_{seat}"]
        assert tosses.unique().to_list() == [1]
    assert result.series().collect().height > 0


def test_what_a_player_sees() -> None:
    seats = ({"player": "peeking", "weights": {"often": 0.25, "other": 2.0}}, "eager")
    result = execute(scenario({"peeking": Peeking()}, *seats, games=40), jobs=1)
    assert result.failures == []
    assert rows(result)["tosses_0"].sum() > 0


def test_every_form_gives_the_games_of_a_compiled_player() -> None:
    """The compiled ``eager`` tosses always; a player that does the same leaves the same rows."""
    number = 0

    def nested(view: Any) -> np.int64:
        return np.int64(number)

    class Callable:
        def __call__(self, view: Any) -> int:
            return view.legal[0]

    wanted = rows(
        execute(load_scenario({**document(games=40, seating="fixed"), "seats": [{"player": "eager"}] * 3}), jobs=1)
    )
    three = {"a": nested, "b": lambda view: "toss", "c": Callable()}
    given = rows(execute(scenario(three, "a", "b", "c", games=40, seating="fixed"), jobs=1))
    assert given.equals(wanted)


def test_same_games_for_any_number_of_jobs_and_chunks_from_a_file_and_given(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    seats = [{"player": "mine.py:dreamer"}, {"player": "mine.py:Shy", "skill": 0.5}, {"player": "careful"}]
    from_file = load_scenario({**document(games=90), "seats": seats}, base=tmp_path)
    first = rows(execute(from_file, jobs=1, chunk=90))
    assert first["tosses_0"].n_unique() > 2
    assert rows(execute(from_file, jobs=2, chunk=7)).equals(first)
    namespace: dict[str, Any] = {"__name__": "__main__"}  # as in a notebook
    exec(SOURCE, namespace)  # noqa: S102
    given = {"dreamer": namespace["dreamer"], "Shy": namespace["Shy"]}
    again = scenario(given, "dreamer", {"player": "Shy", "skill": 0.5}, "careful", games=90)
    assert rows(execute(again, jobs=2)).equals(first)
    one = pompeii_sim.play(again, 17)
    assert one.row()["tosses"][0][:3].tolist() == list(first.row(17, named=True)[f"tosses_{s}"] for s in range(3))


def test_plain_player_is_part_of_the_plan(tmp_path: Path) -> None:
    def maker(limit: int) -> Any:
        return lambda view: 0 if view.public.rnd < limit else 1

    out = tmp_path / "run"
    execute(scenario({"mine": maker(3)}, "mine", "eager", games=20), out=out, jobs=1)
    assert execute(scenario({"mine": maker(3)}, "mine", "eager", games=30), out=out, resume=True, jobs=1).played == 30
    with pytest.raises(InputError, match=r"players\.mine: '[0-9a-f]{16}' -> '[0-9a-f]{16}'"):
        execute(scenario({"mine": maker(4)}, "mine", "eager", games=40), out=out, resume=True, jobs=1)


class Holding:
    def __init__(self, what: Any) -> None:
        self.what = what

    def choose(self, view: Any) -> int:
        return 0


def test_player_nobody_can_recognise_is_never_resumed(tmp_path: Path) -> None:
    import random

    given = {"mine": Holding(random.Random(1))}
    assert fingerprint(given["mine"]) is None
    out = tmp_path / "run"
    execute(scenario(given, "mine", "eager", games=10), out=out, jobs=1)
    with pytest.raises(InputError, match=r"players\.mine: cannot be told from"):
        execute(scenario(given, "mine", "eager", games=20), out=out, resume=True, jobs=1)


def test_fingerprint_sees_code_and_data() -> None:
    def made(step: int, table: Any = (1, 2)) -> Any:
        def choose(view: Any) -> Any:
            return helper(view.legal[step], table)

        return choose

    assert fingerprint(made(1)) == fingerprint(made(1))
    assert fingerprint(made(1)) != fingerprint(made(2))
    assert fingerprint(made(1)) != fingerprint(made(1, (1, 3)))
    assert fingerprint(Holding(np.arange(3))) == fingerprint(Holding(np.arange(3)))
    assert fingerprint(Holding(np.arange(3))) != fingerprint(Holding(np.arange(4)))
    assert fingerprint(Holding({"a": [1]})) != fingerprint(Holding({"a": [2]}))
    assert fingerprint(Shy) != fingerprint(Holding)
    assert fingerprint(lambda view: np.argmax(view.legal)) is not None


def helper(action: int, table: Any) -> int:
    return action if table else 0


def test_wrong_players_are_refused() -> None:
    with pytest.raises(InputError, match=r"players\.mine.*choose"):
        scenario({"mine": 3}, "mine", "eager")
    with pytest.raises(InputError, match="built-in"):
        scenario({"eager": Shy}, "eager", "eager")
    with pytest.raises(InputError, match="no name"):
        scenario({"a b": Shy}, "eager", "eager")
    with pytest.raises(InputError, match="has no method choose"):
        scenario({"mine": dict}, "mine", "eager")
    with pytest.raises(InputError, match="unknown player 'mine'"):
        scenario({}, "mine", "eager")
    with pytest.raises(InputError, match=r"players.*cannot be sent"):
        execute(scenario({"mine": Holding(threading.Lock())}, "mine", "eager", games=5))
