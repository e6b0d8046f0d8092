"""The searching player: its imagined games agree with what the seat sees, and it wins more than a planner."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from players_table import DATA, play, share_of_first

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import kernel
from pompeii_sim.games.pompeii.codes import D_PLACE, N_CARDS, N_SPECIALISTS
from pompeii_sim.games.pompeii.rules import Rules, Seat
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.tables import build_tables

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plays too many games for plain Python")

FEW = {"playouts": 24.0, "promising": 4.0}


def test_the_same_seed_searches_to_the_same_games() -> None:
    table = [Seat(player="rollouts", weights=FEW), *[Seat(player="planner")] * 2]
    first, _ = play(table, 4)
    second, _ = play(table, 4)
    assert (first["error"] == 0).all()
    assert first.tobytes() == second.tobytes()


def test_searching_wins_more_than_planning() -> None:
    searcher = Seat(player="rollouts", weights={"playouts": 60.0, "promising": 6.0})
    rows, _ = play([searcher, *[Seat(player="planner")] * 3], 40)
    assert (rows["error"] == 0).all()
    assert share_of_first(rows) >= 0.3


@pytest.mark.parametrize("apocalypse", ["shuffled", "bottom", "bottom-half", "top"])
def test_an_imagined_game_holds_every_card_once(apocalypse: str) -> None:
    """Hands and decks have the sizes everybody sees, own cards stay, the volcano deck holds what was not turned."""
    from pompeii_sim.games.pompeii.players.rollouts import imagine

    @numba.njit
    def imagined(SA: Any, TA: Any, XA: Any, luck: int) -> None:
        P = SA[0].pub
        imagine(P, SA[0].own[P.dec_seat], XA[0], TA[0], luck)

    seats = [Seat(player="planner", stance="never")] * 4
    tables = build_tables(Rules(difficulty="B", apocalypse=apocalypse), DATA, seats)  # type: ignore[arg-type]
    functions, weights = (kernel.OPS[5],) * 4, np.tile(kernel.STANCE_ROW, (4, 1))
    arrangements = np.array([[0, 1, 2, 3]])
    acts = np.zeros(kernel.MOST_ACTIONS, np.int64)
    seen, others = 0, set()
    for deal in range(3):
        state = np.zeros(1, STATE)
        kernel.setup_at(state, tables, arrangements, 0, 5, deal)
        while (n := kernel.advance_at(state, tables, acts)) > 0:
            public = state["pub"][0]
            if public["dec_kind"] == D_PLACE and n > 1:
                me = int(public["dec_seat"])
                copy = np.zeros(1, STATE)
                imagined(state, tables, copy, 1000 + seen)
                assert copy["pub"].tobytes() == state["pub"].tobytes()
                assert (copy["own"][0][me]["hand"] == state["own"][0][me]["hand"]).all()
                hands, deck = copy["own"][0]["hand"], copy["hid"][0]["deck"]
                for which in range(2):
                    cards = slice(which * N_SPECIALISTS, (which + 1) * N_SPECIALISTS)
                    assert (hands[:, cards].sum(1) == public["hand_size"][:, which]).all()
                    assert (deck[cards] == 1).sum() == public["deck_left"][which]
                assert ((hands.sum(0) + (deck == 1)) <= 1).all()
                order = copy["hid"][0]["volcano"][10 - int(public["volcano_left"]) : 10]
                assert sorted(order)[-1] == 99
                assert len(set(order)) == public["volcano_left"]
                assert not any(public["volcano_seen"][card] for card in order if card != 99)
                if apocalypse in ("bottom", "top"):
                    assert list(order).index(99) == (len(order) - 1 if apocalypse == "bottom" else 0)
                others.add(bytes(hands[(me + 1) % 4]))
                seen += 1
            kernel.turn_at(state, tables, functions, weights, acts, n)
    assert seen > 300
    assert len(others) > 100, "the others' hands are always imagined alike"
    assert hands.shape == (4, N_CARDS)
