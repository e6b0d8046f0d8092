"""Answers known in closed form for the game for one: which cards block, how long it lasts, what lies open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pompeii_cells import cell, play
from scipy.stats import chisquare, hypergeom

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.state import STATE

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="thousands of games need the compiler")

DATA = load_data(None)
ENOUGH = 0.001
"""Least p-value: seeds are fixed, so a test that passes once passes always."""


def rows_of(games: int, stance: str = "never", player: str = "random", **rules: Any) -> NDArray[Any]:
    """Return games that nobody can win, and in which no city card changes an offering."""
    seat = {"player": player, "stance": stance, "forbid": ["build:20", "activate"]}
    rows = play(cell([seat], rules, "fixed"), games)
    assert not rows["error"].any()
    assert (rows["ended_by"] == c.END_APOCALYPSE).all()
    return rows


def shown(level: str, cards: int = 17) -> NDArray[np.int64]:
    """Return on how many of the first cards of a level each good stands."""
    count = np.zeros(c.MAX_GOODS, np.int64)
    for card in DATA.volcano_level(level)[:cards]:
        for good in card.goods:
            count[DATA.good_index(good)] += 1
    return count


@pytest.mark.parametrize("level", "ABC")
def test_every_card_of_the_level_blocks_once(level: str) -> None:
    """Seventeen cards, one for each of the rounds 2 to 18: a good is blocked as often as cards show it."""
    rows = rows_of(200, difficulty=level)
    assert (rows["rounds"] == 18).all()
    assert (rows["blocked_rounds"] == shown(level)).all()
    values = np.array([g.value for g in DATA.goods])
    assert (rows["blocked_value"] == (shown(level)[: len(values)] * values).sum()).all()


@pytest.mark.parametrize(("lower", "upper", "final"), [(9, 8, 1), (1, 0, 1), (3, 5, 2), (8, 9, 4)])
def test_rounds_offerings_and_eruptions_are_exact(lower: int, upper: int, final: int) -> None:
    rules = {"solo_lower_deck": lower, "solo_upper_deck": upper, "solo_final_rounds": final}
    rows = rows_of(100, **rules)
    assert (rows["rounds"] == lower + upper + final).all()
    assert (rows["calm_rounds"] == lower).all()
    assert (rows["awakening_rounds"] == upper + final).all()
    assert (rows["offerings"] == upper).all()
    assert (rows["offerings_paid"] == 0).all()
    assert (rows["eruptions"] == upper + 1).all(), "every offering fails, and the Apocalypse"
    assert (rows["first_eruption"] == (lower + 1 if upper else lower + upper + final)).all()
    assert (rows["volcano_seen"].sum(axis=1) == lower + upper).all()


def test_who_always_pays_loses_nothing() -> None:
    """Ten goods of each field at the start are more than eight offerings ask; still every card blocks."""
    rows = rows_of(100, "cooperative", goods_start=10, workers_most=3)
    assert (rows["offerings_paid"] == 8).all()
    assert (rows["eruptions"] == 1).all()
    assert (rows["lost_value"] == 0).all()
    assert (rows["blocked_rounds"] == shown("A")).all()
    assert (rows["due"] == 3 * 3 + 3 * 4 + 2 * 5).all(), "three markers of 3, three of 4, two of 5"


def states(deals: int, **rules: Any) -> list[NDArray[Any]]:
    """Return the states after the set-up."""
    prepared = cell(["random"], rules, "fixed")
    out = []
    for deal in range(deals):
        state = np.zeros(1, STATE)
        prepared.kernel.setup_at(state, prepared.tables, prepared.arrangements, 0, 1, deal)
        out.append(state)
    return out


def test_what_blocks_in_the_second_round_is_uniform_on_the_level() -> None:
    first = np.bincount([int(s["hid"]["volcano"][0, 0]) for s in states(1700)], minlength=17)
    assert chisquare(first).pvalue > ENOUGH
    assert chisquare(first + 80 * (np.arange(17) == 3)).pvalue < ENOUGH, "a card too often would be seen"


def test_a_good_is_blocked_in_the_calm_by_the_hypergeometric_law() -> None:
    """Nine of the seventeen cards: how many of the three that show sheep (level A)."""
    good = DATA.good_index("sheep")
    with_it = {i for i, card in enumerate(DATA.volcano_level("A")) if "sheep" in card.goods}
    assert len(with_it) == shown("A")[good]
    found = [sum(int(n) in with_it for n in s["hid"]["volcano"][0, :9]) for s in states(2000)]
    law = hypergeom(17, len(with_it), 9).pmf(np.arange(len(with_it) + 1)) * len(found)
    assert chisquare(np.bincount(found, minlength=len(with_it) + 1), law).pvalue > ENOUGH


def test_five_of_fifty_two_specialists_lie_open() -> None:
    opened = np.array([s["pub"]["active"][0, 0, : c.N_SPECIALISTS] for s in states(2000)])
    assert (opened.sum(axis=1) == 5).all()
    seen = opened.sum(axis=0)
    # every card in 5 of 52 deals; drawn without replacement, the statistic is smaller by the factor 47 / 51
    statistic = ((seen - 2000 * 5 / 52) ** 2 / (2000 * 5 / 52)).sum() * 51 / 47
    from scipy.stats import chi2

    assert ENOUGH < chi2(51).sf(statistic) < 1 - ENOUGH


def test_the_deck_of_specialists_runs_out_once() -> None:
    """Used by nobody, 52 cards last ten rounds; the pile of 50 then lasts to the end, 12 of it undrawn."""
    seat = {"player": "random", "stance": "never", "forbid": ["use", "build:20", "activate"]}
    prepared = cell([seat], {}, "fixed")
    kernel = prepared.kernel
    acts = np.zeros(1024, np.int64)
    for deal in range(20):
        state = np.zeros(1, STATE)
        kernel.setup_at(state, prepared.tables, prepared.arrangements, 0, 1, deal)
        left = {}
        while (n := kernel.advance_at(state, prepared.tables, acts)) > 0:
            left[int(state["pub"]["rnd"][0])] = int(state["pub"]["deck_left"][0, 0])
            kernel.turn_at(state, prepared.tables, prepared.players, prepared.weights, acts, n)
        assert [left[rnd] for rnd in range(1, 11)] == list(range(47, 1, -5)), "47, 42, ... 2"
        assert left[11] == 50 - 3
        assert left[18] == 47 - 7 * 5
        assert int(state["hid"]["reshuffles"][0, 0]) == 1
        assert not state["pub"]["spent"].any()
