"""Settings compare on common luck: decks of any level and size share the order of their cards, nothing else moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pompeii_cells import cell

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii.codes import APOCALYPSE
from pompeii_sim.games.pompeii.state import STATE

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="reads records as arrays")

DEALS = 200


def set_up(deal: int, seats: int = 3, **rules: Any) -> NDArray[Any]:
    """Return the state of a deal after the set-up."""
    prepared = cell(["random"] * seats, rules, "fixed")
    state = np.zeros(1, STATE)
    prepared.kernel.setup_at(state, prepared.tables, prepared.arrangements, 0, 1, deal)
    return state


def volcano(deal: int, cards: int | str, **rules: Any) -> tuple[list[int], int]:
    """Return the volcano deck without the Apocalypse, and the Apocalypse's place from 0."""
    state = set_up(deal, volcano_cards=cards, **rules)
    deck = [int(card) for card in state["hid"]["volcano"][0, : (17 if cards == "all" else int(cards)) + 1]]
    place = deck.index(APOCALYPSE)
    return deck[:place] + deck[place + 1 :], place


@pytest.mark.parametrize("cards", [1, 5, 9, 16])
def test_a_short_deck_is_the_top_of_the_long_one(cards: int) -> None:
    places = set()
    for deal in range(DEALS):
        short, near = volcano(deal, cards)
        long, far = volcano(deal, "all")
        assert short == long[:cards]
        assert sorted(long) == list(range(17))
        # one u: floor(u (k + 1)) of both
        assert max(near / (cards + 1), far / 18) < min((near + 1) / (cards + 1), (far + 1) / 18)
        places.add(near)
    assert places == set(range(cards + 1))


def test_levels_share_the_order() -> None:
    for deal in range(DEALS):
        assert volcano(deal, 9, difficulty="A") == volcano(deal, 9, difficulty="B") == volcano(deal, 9, difficulty="C")


def test_the_place_of_the_apocalypse_moves_no_card() -> None:
    for deal in range(DEALS):
        order, _ = volcano(deal, 9)
        for apocalypse, wanted in (("bottom", 9), ("top", 0), (4, 3)):
            cards, place = volcano(deal, 9, apocalypse=apocalypse)
            assert (cards, place) == (order, wanted)


def test_orders_differ_between_deals_and_are_fair() -> None:
    """Every card is on top about as often: 17 equal chances, 1,700 deals."""
    top = np.bincount([volcano(deal, 9)[0][0] for deal in range(1700)], minlength=17)
    from scipy.stats import chisquare

    assert chisquare(top).pvalue > 0.001


def test_settings_of_the_volcano_leave_hands_and_the_start_alone() -> None:
    for deal in range(50):
        one, two = set_up(deal), set_up(deal, difficulty="C", volcano_cards="all", apocalypse="bottom")
        assert (one["own"]["hand"] == two["own"]["hand"]).all()
        assert one["pub"]["start_seat"] == two["pub"]["start_seat"]


def test_a_larger_hand_begins_with_the_smaller_one() -> None:
    """With one seat drawing in turn with others, at most cards that others took first differ."""
    same = 0
    for deal in range(DEALS):
        few, many = set_up(deal, 2, specialists_dealt=3), set_up(deal, 2, specialists_dealt=6)
        assert ((few["own"]["hand"] == 0) | (many["own"]["hand"] != 0)).all()
        same += int(few["own"]["hand"].sum()) == 6
    assert same == DEALS
