"""A player of a user's own may ask the planner and then do something else: the plan must not pass for what was done."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import kernel
from pompeii_sim.games.pompeii.codes import ARG, COLLECT, D_PLACE
from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.game import GAME
from pompeii_sim.games.pompeii.players.scripted import is_kept, play_by_plan
from pompeii_sim.games.pompeii.players.weights import STANCE_ROW
from pompeii_sim.games.pompeii.rules import Rules, Seat
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.tables import build_tables

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plays with compiled players")


@numba.njit
def _kept(SA: Any) -> bool:
    S = SA[0]
    return bool(is_kept(S.pub, S.own[S.pub.dec_seat].plan))


def contrary(pub, own, tables, weights, luck, acts, n):  # type: ignore[no-untyped-def]
    """Collect at another field than the planner would."""
    action = play_by_plan(pub, own, tables, weights, luck, acts, n)
    if action // ARG == COLLECT:
        for i in range(n):
            if acts[i] // ARG == COLLECT and acts[i] != action:
                return acts[i]
    return action


def test_a_plan_is_not_kept_when_the_worker_collected_elsewhere() -> None:
    functions = (GAME.compile_player(contrary, "contrary"),) * 4
    tables = build_tables(Rules(difficulty="B"), load_data(), [Seat(player="planner") for _ in range(4)])
    weights = np.zeros((4, 64))
    weights[:, : len(STANCE_ROW)] = STANCE_ROW
    state, acts = np.zeros(1, STATE), np.zeros(kernel.MOST_ACTIONS, np.int64)
    kernel.setup_at(state, tables, np.arange(4, dtype=np.int64).reshape(1, 4), 0, 7, 1)
    elsewhere: set[int] = set()  # seats whose last worker collected where the plan did not want it
    checked = 0
    while (n := kernel.advance_at(state, tables, acts)) > 0 and checked < 40:
        seat, place = int(state["pub"]["dec_seat"][0]), int(state["pub"]["dec_kind"][0]) == D_PLACE
        if place and seat in elsewhere and int(state["pub"]["ready"][0, seat]) < int(state["pub"]["workers"][0, seat]):
            checked += 1
            assert not _kept(state)
        action = kernel.turn_at(state, tables, functions, weights, acts, n)
        if place:
            (elsewhere.add if action // ARG == COLLECT else elsewhere.discard)(seat)
    assert checked == 40
