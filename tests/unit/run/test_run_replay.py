"""A replay tells who sits where and which choices chance made, and only games that a run has played are its games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.engine.stepping import GameInPlay
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.run.replay import Replay
from pompeii_sim.scenario import load_scenario

LUCK_SEAT = 3  # as the toy game draws: from (seed, deal, 3, seat, number of the seat's turn)


def table(*skills: float, **more: Any) -> Any:
    seats = [{"player": "eager", "skill": skill} for skill in skills]
    return load_scenario({**document(games=30, seed=7, **more), "seats": seats})


def errs(game: Replay, seat: int, turn: int, skill: float) -> bool:
    return bool(unit(again(key(game.seed, game.deal, LUCK_SEAT, seat, turn), 1)) >= skill)


def test_choices_by_chance_are_those_the_kernel_drew() -> None:
    scenario = table(0.5, 1.0, 0.0, 0.8)
    found = 0
    for number in range(20):
        game = pompeii_sim.play(scenario, number)
        turns = dict.fromkeys(range(4), 0)
        for move in game.moves:
            assert move.by_chance == errs(game, move.seat, turns[move.seat], game.skills[move.seat])
            turns[move.seat] += 1
            found += move.by_chance
        told = [e for e in game.events if e["event"] == "chance"]
        assert [(e["seat"], e["action"]) for e in told] == [(m.seat, m.action) for m in game.moves if m.by_chance]
    assert found > 50


def test_watching_changes_nothing_of_the_game() -> None:
    scenario = table(0.5, 1.0, 0.0)
    game = pompeii_sim.play(scenario, 11)
    plain = GameInPlay(game.prepared, scenario.seed, 11, scenario.cells[0].data).play()
    assert [e for e in game.events if e["event"] not in ("seats", "chance")] == plain.events
    assert [(m.seat, m.options, m.action, m.forced) for m in game.moves] == [
        (m.seat, m.options, m.action, m.forced) for m in plain.moves
    ]
    assert game.row() == plain.row()


def test_who_sits_where_is_told_first() -> None:
    seats = [{"player": "careful", "forbid": ["wait"]}, {"player": "eager", "skill": 0.75}]
    scenario = load_scenario({**document(games=30), "seats": seats})
    game = pompeii_sim.play(scenario, 1, to_end=False)
    assert game.events[0] == {
        "event": "seats",
        "seats": [
            {"seat": 0, "listed": 1, "player": "eager", "skill": 0.75, "weights": {}, "forbid": []},
            {"seat": 1, "listed": 0, "player": "careful", "skill": 1.0, "weights": {}, "forbid": ["wait"]},
        ],
    }
    assert game.story().splitlines()[:2] == [
        "Seat 0: eager, skill 0.75 (seats.1 of the scenario)",
        "Seat 1: careful, skill 1, forbid wait (seats.0 of the scenario)",
    ]


def test_a_choice_by_chance_stands_before_what_it_led_to() -> None:
    game = pompeii_sim.play(table(0.0, 0.0), 4)
    lines = game.story().splitlines()
    moves = iter(move for move in game.moves if not move.forced)
    for at, line in enumerate(lines):
        if " errs " in line:
            move = next(moves)
            assert line == f"  Seat {move.seat} errs (skill 0): {move.action} is a random choice of 2"
            assert lines[at + 1].endswith(f"{move.action}, seat {move.seat}")
    assert next(moves, None) is None


def test_a_number_beyond_all_games_is_refused() -> None:
    for number in (-1, 2**63):
        with pytest.raises(InputError, match="it must be a whole number from 0"):
            pompeii_sim.play(table(1.0, 1.0), number)


def test_a_run_tells_its_own_games_only(tmp_path: Path) -> None:
    scenario = table(1.0, 1.0, sweep={"rules.disaster": [0.0, 0.5]})
    execute(scenario, out=tmp_path / "kept", jobs=1)
    folder = tmp_path / "kept"
    assert pompeii_sim.play(folder, 29, 1).over
    with pytest.raises(InputError) as raised:
        pompeii_sim.play(folder, 30, 1)
    assert str(raised.value).startswith(
        f"{folder}: game 30 was not played in cell 1 of this run; it played games 0 to 29; "
    )
    assert pompeii_sim.play(folder, 30, 1, ["rules.cap=9"]).over  # not the run's any more
    assert pompeii_sim.play(folder / "scenario.toml", 30, 1).over
    (part,) = folder.glob("games/cell=1/*")
    part.write_bytes(part.read_bytes()[:300])
    with pytest.raises(InputError, match=r"its games cannot be read: .*broken are played again by"):
        pompeii_sim.play(folder, 2, 1)
    part.unlink()
    with pytest.raises(InputError, match="cell 1 of this run has played no game yet"):
        pompeii_sim.play(str(folder), 0, 1)


def test_what_a_notebook_shows_is_short(tmp_path: Path) -> None:
    scenario = table(1.0, 1.0)
    assert repr(scenario) == "<Scenario 'scenario': toy, 1 cell of 30 games, seed 7>"
    result = execute(scenario, out=tmp_path / "kept", jobs=1)
    assert repr(result) == f"<RunResult: 1 cell, 30 games played, finished, in {tmp_path / 'kept'}>"
    assert repr(execute(scenario, jobs=1)).endswith("finished, in memory>")
    game = pompeii_sim.play(scenario, 3, to_end=False)
    assert repr(game) == "<Replay of game 3: 0 decisions, in play; print(game.story()) tells it>"
    assert "over; print" in repr(game.play())
    own = load_scenario(
        {**document(), "seats": [{"player": "first"}, {}]}, players={"first": lambda view: view.legal[0]}
    )
    alone = pompeii_sim.play(own, 2, to_end=False, timeout=9.0)
    assert repr(alone).startswith("<Replay of game 2: 0 decisions")
    made = pompeii_sim.compare(
        result, execute(table(1.0, 0.5), jobs=1), metrics=["victory_rate"], gates=["victory_rate > 0"]
    )
    assert repr(made).splitlines() == [*made.verdicts, *(gate.text for gate in made.gates)]
