"""A plan is kept while it holds, and nobody pays for what it cannot hold."""

from __future__ import annotations

import re
from typing import Any

import numba
import numpy as np
import pytest

import pompeii_sim
from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii import kernel
from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.players.scripted import is_kept, play_by_plan
from pompeii_sim.games.pompeii.players.weights import STANCE_ROW
from pompeii_sim.games.pompeii.rules import Rules, Seat
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.tables import build_tables

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plays too many games for plain Python")

WASTE = re.compile(r"  Seat \d (produces|uses) .*\[pays ")


@numba.njit
def _kept(SA: Any) -> bool:
    S = SA[0]
    return bool(is_kept(S.pub, S.own[S.pub.dec_seat].plan))


def _position() -> tuple[Any, Any, int]:
    """Return a game in which a seat with a worker left collected with the one before, and waits for its next."""
    table = [Seat(player="planner") for _ in range(4)]
    tables = build_tables(Rules(difficulty="B"), load_data(), table)
    functions = (play_by_plan,) * 4
    weights = np.zeros((4, 64))
    weights[:, : len(STANCE_ROW)] = STANCE_ROW
    seats = np.arange(4, dtype=np.int64).reshape(1, 4)
    state, acts = np.zeros(1, STATE), np.zeros(kernel.MOST_ACTIONS, np.int64)
    kernel.setup_at(state, tables, seats, 0, 7, 1)
    while True:
        n = kernel.advance_at(state, tables, acts)
        assert n > 0, "no such position"
        pub = state["pub"][0]
        seat = int(pub["dec_seat"])
        if pub["dec_kind"] == c.D_PLACE and pub["rnd"] > 3 and n > 1 and _kept(state):
            return state, tables, seat
        kernel.turn_at(state, tables, functions, weights, acts, n)


def test_a_plan_is_kept_until_its_seat_loses_something_or_the_table_changes() -> None:
    state, _, seat = _position()
    for change in ("goods", "workers", "rnd", "tile_changes", "card_changes", "ready", "injured"):
        other = state.copy()
        pub = other["pub"]
        if change == "goods":
            good = int(np.flatnonzero(pub["goods"][0, seat])[0])
            pub["goods"][0, seat, good] -= 1
        elif change == "injured":
            pub["injured"][0, seat, 0] += 1
        elif change in ("rnd", "tile_changes"):
            pub[change][0] += 1
        else:
            pub[change][0, seat] += 1
        assert not _kept(other), change
    more = state.copy()
    more["pub"]["goods"][0, seat, 0] += 1  # a bonus changes nothing
    assert _kept(more)


def test_a_plan_is_not_kept_when_its_seat_did_something_else() -> None:
    """A slip, or a player of a user's that asks for a plan and does as it likes."""
    state, tables, seat = _position()
    acts = np.zeros(kernel.MOST_ACTIONS, np.int64)
    n = kernel.advance_at(state, tables, acts)
    weights = np.array(STANCE_ROW)
    state["pub"]["ready"][0, seat] = 2  # another worker follows in any case
    action = int(play_by_plan(state[0]["pub"], state[0]["own"][seat], tables[0], weights, 5, acts, n))
    assert action // c.ARG == c.COLLECT, "this position shows nothing"
    state["pub"]["ready"][0, seat] -= 1
    state["pub"]["n_actions"][0] += 1
    assert not _kept(state), "nothing was collected"
    state["pub"]["goods"][0, seat, tables["field_good"][0, action % c.ARG]] += 1
    assert _kept(state)


@pytest.mark.parametrize("player", ["planner", "greedy"])
def test_nobody_pays_for_what_it_cannot_hold(player: str) -> None:
    """At a table where one never pays, stacks are full for long: conversions still bring goods."""
    table = [{"player": player, "stance": "cooperative"}] * 3 + [{"player": player, "stance": "never"}]
    scenario = pompeii_sim.validate({"game": "pompeii", "seed": 1, "seats": table})
    made = 0
    for game in range(8):
        for line in pompeii_sim.play(scenario, game).story().splitlines():
            if WASTE.match(line) and "Terme Stabiane" not in line:
                made += 1
                assert "gets" in line, (game, line)
    assert made > 100
