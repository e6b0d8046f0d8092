"""What a seat cannot see changes nothing it does; games come out the same whatever way they are played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from downfall_table import document

import pompeii_sim
from pompeii_sim.engine.prepare import prepare
from pompeii_sim.games.downfall.game import GAME
from pompeii_sim.games.downfall.players.registry import players
from pompeii_sim.run.execute import execute
from pompeii_sim.scenario import load_scenario


def shuffled(state: np.ndarray[Any, Any], seat: int, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Return a copy in which everything hidden from a seat is permuted: stack, tiles to come, other hands."""
    other = state.copy()
    hid = other["hid"]
    first, end = int(hid["stack_next"][0]), int(hid["stack_end"][0])
    hid["stack"][0, first:end] = rng.permutation(hid["stack"][0, first:end])
    drawn, last = int(other["pub"]["tiles_drawn"][0]), int(hid["tiles_end"][0])
    hid["tiles"][0, drawn:last] = rng.permutation(hid["tiles"][0, drawn:last])
    for one in range(int(other["pub"]["n_seats"][0])):
        if one != seat:
            other["own"]["hand"][0, one] = rng.permutation(other["own"]["hand"][0, one])
    other["tally"] = np.zeros(1, GAME.dtypes.state["tally"])[0]
    return other


@pytest.mark.parametrize("name", sorted(players()))
def test_hidden_things_do_not_matter(name: str) -> None:
    rng = np.random.default_rng(1)
    scenario = load_scenario(document([name] * 4))
    prepared = prepare(GAME, scenario.cells[0], "fixed")
    kernel = GAME.kernel()
    acts = np.zeros(1024, np.int64)
    compared = 0
    for deal in range(5):
        state = np.zeros(1, GAME.dtypes.state)
        kernel.setup_at(state, prepared.tables, prepared.arrangements, 0, 1, deal)
        while (n := int(kernel.advance_at(state, prepared.tables, acts))) > 0:
            seat = int(state["pub"]["dec_seat"][0])
            other = shuffled(state, seat, rng)
            wanted = kernel.turn_at(other, prepared.tables, prepared.players, prepared.weights, acts.copy(), n)
            done = kernel.turn_at(state, prepared.tables, prepared.players, prepared.weights, acts, n)
            assert wanted == done
            compared += n > 1
    assert compared > 500


def test_jobs_and_chunks_do_not_matter(tmp_path: Path) -> None:
    scenario = load_scenario(document(("greedy", "severus", "random"), games=300))
    one = execute(scenario, jobs=1, records="full")
    two = execute(scenario, jobs=2, records="full")
    assert one.games().collect().equals(two.games().collect())


def test_a_stored_game_is_the_replayed_one() -> None:
    scenario = load_scenario(document(("greedy", "severus", "random"), games=30, seating="duplicate"))
    rows = execute(scenario, jobs=1).games().collect()
    for number in (0, 13, 29):
        game = pompeii_sim.play(scenario, number)
        row, stored = game.row()[0], rows.row(number, named=True)
        assert [int(s) for s in row["saved"]] == [stored[f"saved_{i}"] for i in range(4)]
        assert len(game.moves) == stored["decisions"] + stored["forced"]
        assert sum(e["event"] == "run" or e["event"] == "saved" for e in game.events) == sum(
            stored[f"runs_{i}"] for i in range(4)
        )


def test_conservation() -> None:
    """Everybody brought to the city is saved or lost, whatever the table."""
    for names, rules in (
        (("greedy",) * 4, {}),
        (("random",) * 2, {"start_phase": 3, "run_free": 0}),
        (("severus", "random", "aurelia"), {"people": "unlimited", "relatives_limit": "square", "dual_vent": True}),
        (("random",) * 3, {"vents_buried": True, "lava_on_vents": True, "way_out_over_vents": True,
                           "lava_on_buried": True, "last_tile": "finish-turn", "alone": "run-start",
                           "omen_target": "any", "omen_mandatory": False, "run_may_return": True}),
    ):  # fmt: skip
        rows = execute(load_scenario(document(names, games=400, rules=rules)), jobs=1, records="full").games().collect()
        assert (rows["error"] == 0).all()
        total = pl.sum_horizontal
        balance = rows.select(
            placed=total(f"placed_{i}" for i in range(4)),
            saved=total(f"saved_{i}" for i in range(4)),
            lost=total(f"lost_{cause}_{i}" for i in range(4) for cause in ("omen", "lava", "enclosed", "left")),
            gates=total(f"gate_saved_{i}" for i in range(8)),
            homes=total(f"home_saved_{i}" for i in range(32)),
            turns=total(f"turn_saved_{i}" for i in range(65)),
            squares=total(f"square_lost_{i}" for i in range(96)),
            turn_lost=total(f"turn_lost_{i}" for i in range(65)),
        )  # fmt: skip
        assert (balance["placed"] == balance["saved"] + balance["lost"]).all()
        for name in ("gates", "homes", "turns"):
            assert (balance[name] == balance["saved"]).all()
        for name in ("squares", "turn_lost"):
            assert (balance[name] == balance["lost"]).all()


def test_series_tells_every_turn() -> None:
    scenario = load_scenario(document(("planner", "severus", "random"), games=60))
    result = execute(scenario, jobs=1, series_every=6)
    rows, series = result.games().collect(), result.series().collect()
    assert sorted(series["game"].unique()) == list(range(0, 60, 6))
    assert series["progress"].is_between(0.0, 1.0).all()
    for game in range(0, 60, 6):
        row = rows.row(game, named=True)
        for seat in range(3):
            own = series.filter((pl.col("game") == game) & (pl.col("seat") == seat))
            assert own["time"].to_list() == list(range(1, row["rounds"] + 1))
            assert own["saved"].to_list() == sorted(own["saved"].to_list())
            assert own["saved"][-1] == row[f"saved_{seat}"]
            assert own["casualties"][-1] == row[f"casualties_{seat}"]
            assert own["phase"].to_list() == sorted(own["phase"].to_list())


PLAIN = """
import json, sys
from pompeii_sim import play
game = play(json.loads(sys.argv[1]), 1)
print(json.dumps([[m.action for m in game.moves], [int(s) for s in game.row()[0]["saved"]]]))
"""


def test_plain_python_plays_the_same() -> None:
    """The same source without the compiler plays the same game."""
    wanted = document(("greedy", "severus", "random"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, json.dumps(wanted)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    game = pompeii_sim.play(wanted, 1)
    plain = json.loads(done.stdout)
    assert plain == [[m.action for m in game.moves], [int(s) for s in game.row()[0]["saved"]]]
