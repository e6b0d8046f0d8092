"""Players that raise, cheat, return a float, never answer or die: each spoils its own game only, and is told."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim import games
from pompeii_sim.engine.prepare import prepare
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.run.forecast import forecast
from pompeii_sim.run.play import failures_in, play_chunk
from pompeii_sim.run.traced import TracedGame
from pompeii_sim.scenario import load_scenario
from pompeii_sim.store import open_run
from pompeii_sim.store.schema import DIED, RAISED, TIMED_OUT

GAMES = 60
ILLEGAL = 1


class Faulty:
    """Plays at random, and does something bad when its luck says so."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def choose(self, view: Any) -> Any:
        if view.luck % 97 != 5:
            return view.legal[view.luck % 2]
        if self.fault == "raises":
            return 1 // 0
        if self.fault == "exits":
            raise SystemExit(3)
        if self.fault == "illegal":
            return 17
        if self.fault == "unknown":
            return "fly"
        if self.fault == "float":
            return 0.5
        if self.fault == "nothing":
            return None
        if self.fault == "loops":
            while True:
                pass
        if self.fault == "leaves":
            os._exit(0)
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)
        return 0


def table(fault: str, **more: Any) -> Any:
    seats = [{"player": "faulty"}, {"player": "eager"}, {"player": "careful"}]
    return load_scenario({**document(games=GAMES, **more), "seats": seats}, players={"faulty": Faulty(fault)})


@pytest.fixture(scope="module")
def bad_games() -> list[int]:
    """The games in which the player will do something bad: those in which it raises."""
    from toy_install import install

    install()
    result = execute(table("raises"), jobs=1)
    bad = [f.game for f in result.failures]
    assert 2 <= len(bad) <= GAMES // 4
    return bad


@pytest.mark.parametrize(
    ("fault", "code", "text"),
    [
        ("exits", RAISED, "faulty: SystemExit: 3"),
        ("illegal", ILLEGAL, ""),
        ("unknown", RAISED, "no action 'fly'"),
        ("float", RAISED, r"returned 0\.5; it must be one of view\.legal"),
        ("nothing", RAISED, "returned None"),
    ],
)
def test_fault_that_needs_no_process(fault: str, code: int, text: str, bad_games: list[int]) -> None:
    scenario = table(fault)
    prepared = prepare(games.get("toy"), scenario.cells[0], scenario.seating, scenario.players)
    failures = failures_in(0, play_chunk(prepared, scenario.seed, 0, GAMES, 0))
    assert [f.game for f in failures] == bad_games
    assert {f.error for f in failures} == {code}
    assert all(re.search(text, f.text) for f in failures), failures


@pytest.mark.parametrize(
    ("fault", "code", "text"),
    [("loops", TIMED_OUT, ""), ("leaves", DIED, ""), ("crashes", DIED, r"SIGSEGV\(-11\)")],
)
def test_fault_spoils_its_own_games_only(fault: str, code: int, text: str, bad_games: list[int]) -> None:
    result = execute(table(fault), jobs=1, timeout=1.0 if fault == "loops" else 30.0, chunk=20)
    assert [f.game for f in result.failures] == bad_games
    assert {f.error for f in result.failures} == {code}
    assert all(re.search(text, f.text) for f in result.failures), result.failures
    assert (result.played, result.failed, result.exit_code) == (GAMES, len(bad_games), 1)
    assert result.cells[0].failed == len(bad_games)
    assert result.cells[0].metrics["victory_rate"].n == GAMES - len(bad_games)  # type: ignore[union-attr]
    rows = result.games().collect()
    assert rows["game"].to_list() == list(range(GAMES))
    assert rows.filter(pl.col("error") != 0)["game"].to_list() == bad_games


def test_other_games_are_as_if_nothing_had_happened_for_any_number_of_jobs(bad_games: list[int]) -> None:
    frames = [execute(table(fault), jobs=2, chunk=20).games().collect() for fault in ("leaves", "raises")]
    fine = [frame.filter(pl.col("error") == 0) for frame in frames]
    assert fine[0].equals(fine[1])


COMPILED = """
def endless(pub, own, tables, weights, luck, acts, n):
    x = luck
    while luck % 97 == 5:
        x = x * 6364136223846793005 + 1442695040888963407
        if x == 7:
            break
    return acts[luck % n]


def raising(pub, own, tables, weights, luck, acts, n):
    if luck % 97 == 5:
        raise ValueError("no idea")
    return acts[luck % n]


def cheating(pub, own, tables, weights, luck, acts, n):
    return 17 if luck % 97 == 5 else acts[luck % n]
"""


@pytest.mark.parametrize(("name", "code"), [("endless", TIMED_OUT), ("raising", RAISED)])
def test_compiled_players_too(name: str, code: int, tmp_path: Path, bad_games: list[int]) -> None:
    result = execute(compiled(name, tmp_path), jobs=1, timeout=1.0)
    assert [f.game for f in result.failures] == bad_games
    assert {f.error for f in result.failures} == {code}


def test_fail_fast_stops_and_tells(bad_games: list[int]) -> None:
    result = execute(table("leaves"), jobs=1, fail_fast=True)
    assert result.state == "interrupted"
    assert result.reason == f"game {bad_games[0]} of cell 0 failed (--fail-fast)"
    assert result.failures[0].game == bad_games[0]
    assert result.exit_code == 1
    assert result.played < GAMES


def test_failures_are_kept_with_their_meaning_and_found_again(tmp_path: Path, bad_games: list[int]) -> None:
    out = tmp_path / "run"
    execute(table("crashes"), out=out, jobs=1, chunk=20)
    run = open_run(out)
    assert [f["game"] for f in run.manifest.failures] == bad_games
    assert run.schema.error_text(DIED) == "a player ended its process"
    again = execute(table("crashes"), out=out, resume=True, jobs=1)
    assert (again.played, [f.game for f in again.failures]) == (0, bad_games)
    assert {f.text for f in again.failures} == {"SIGSEGV(-11)"}
    import psutil

    left = [" ".join(p.cmdline()) for p in psutil.Process().children(recursive=True)]
    assert [line for line in left if "popen_loky" in line] == []


def test_replay_shows_where_it_fails(bad_games: list[int]) -> None:
    with pytest.raises(InputError, match=rf"game {bad_games[0]}, decision \d+: the player of seat \d failed: .*Zero"):
        pompeii_sim.play(table("raises"), bad_games[0])
    assert pompeii_sim.play(table("raises"), min(set(range(GAMES)) - set(bad_games))).over


def compiled(name: str, folder: Path) -> Any:
    """Return a table with a compiled player of a user's own."""
    (folder / "mine.py").write_text(COMPILED)
    seats = [{"player": f"mine.py:{name}"}, {"player": "eager"}, {"player": "careful"}]
    return load_scenario({**document(games=GAMES), "seats": seats}, base=folder)


@pytest.mark.parametrize(
    ("kind", "fault", "text"),
    [
        ("plain", "loops", r"\(faulty\) did not answer within the game's 1 s"),
        ("compiled", "endless", r"\(mine\.py:endless\) did not answer within the game's 1 s"),
        ("plain", "leaves", r"\(faulty\) ended its process"),
        ("plain", "raises", r"failed: .*ZeroDivisionError"),
    ],
)
def test_replay_survives_and_tells_up_to_there(
    kind: str, fault: str, text: str, bad_games: list[int], tmp_path: Path
) -> None:
    """What happened before is what an ordinary replay of the player that raises in these places shows."""
    wanted = pompeii_sim.play(table("raises"), bad_games[1], to_end=False)
    with pytest.raises(InputError) as raised:
        wanted.play()
    scenario = table(fault) if kind == "plain" else compiled(fault, tmp_path)
    began = time.monotonic()
    game = pompeii_sim.play(scenario, bad_games[1], to_end=False, timeout=1.0 if fault != "leaves" else 30.0)
    assert isinstance(game, TracedGame)
    with pytest.raises(InputError, match=rf"the player of seat \d {text}") as told:
        game.play()
    assert time.monotonic() - began < 60
    assert (told.value.where, told.value.hint) == (raised.value.where, raised.value.hint)
    assert game.moves == wanted.moves
    assert len(game.moves) == int(told.value.where.rpartition(" ")[2])
    assert game.events[1:] == wanted.events[1:]  # the first says who the players are
    assert not game.over
    with pytest.raises(InputError, match="not over yet"):
        game.row()


def test_replay_in_a_process_is_the_replay_in_this_one(bad_games: list[int]) -> None:
    scenario = table("loops")
    number = min(set(range(GAMES)) - set(bad_games))
    wanted = pompeii_sim.play(scenario, number)
    game = pompeii_sim.play(scenario, number, to_end=False, timeout=30.0)
    assert game.moves == []
    assert game.step() == wanted.moves[0]
    assert (game.play().moves, game.events, game.story()) == (wanted.moves, wanted.events, wanted.story())
    assert [game.row()[name].tolist() for name in game.row().dtype.names] == [
        wanted.row()[name].tolist() for name in wanted.row().dtype.names
    ]
    assert game.over
    built_in = load_scenario(document(games=2))
    assert not isinstance(pompeii_sim.play(built_in, timeout=1.0), TracedGame)


@pytest.mark.parametrize("kind", ["plain", "compiled"])
def test_forecast_gives_up_where_a_player_never_answers(kind: str, bad_games: list[int], tmp_path: Path) -> None:
    scenario = table("loops") if kind == "plain" else compiled("endless", tmp_path)
    with pytest.raises(InputError, match=rf"game {bad_games[0]}, decision \d+: .* did not answer"):
        forecast(scenario, jobs=1, timeout=1.0, own_games=bad_games[0] + 1)
    fine = forecast(table("raises"), jobs=1, own_games=bad_games[0] + 1)
    assert fine.sample == bad_games[0] + 1
    assert fine.games_per_second > 0


def test_timeout_must_be_a_time() -> None:
    with pytest.raises(InputError, match="timeout"):
        execute(table("raises"), timeout=0)
