"""Answers known in closed form: how often Vesuvius erupts when nobody ever pays, and what identical players win.

With the stance ``never`` everywhere and the Castrum forbidden to all, every offering fails and the game ends with the
Apocalypse: the number of eruptions is its place in the volcano deck.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pompeii_cells import cell, play
from scipy.stats import chisquare

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.luck import below, key
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.decks import LUCK_APOCALYPSE
from pompeii_sim.stats.clopper_pearson import clopper_pearson

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="thousands of games need the compiler")

REFUSER = {"player": "greedy", "stance": "never", "forbid": ["build:20"]}
ENOUGH = 0.001
"""Least p-value: seeds are fixed, so a test that passes once passes always."""


def eruptions(games: int, **rules: Any) -> NDArray[np.int64]:
    """Return the eruptions of each game, the Apocalypse counted, where nobody pays and nobody can win."""
    rows = play(cell([REFUSER] * 2, rules, "fixed"), games)
    assert not rows["error"].any()
    assert (rows["ended_by"] == c.END_ROUND_CAP).sum() == 0, "the round cap leaves room for every eruption"
    assert (rows["ended_by"] == c.END_APOCALYPSE).all()
    assert (rows["castrum_owner"] == -1).all()
    return np.asarray(rows["eruptions"], dtype=np.int64)


def p_uniform(found: NDArray[np.int64], first: int, last: int) -> float:
    """Return the p-value of a chi-square test that counts are uniform on ``first`` .. ``last``; 0 outside of them."""
    if found.min() < first or found.max() > last:
        return 0.0
    return float(chisquare(np.bincount(found, minlength=last + 1)[first:]).pvalue)


def drawn(games: int, choices: int) -> NDArray[np.int64]:
    """Return floor(u * choices) of each deal, with the Apocalypse's own u."""
    return np.array([below(key(1, deal, LUCK_APOCALYPSE, 0, 0), choices) for deal in range(games)], dtype=np.int64)


SHUFFLED = [(9, 9, 3000), ("all", 17, 3000)]


@pytest.mark.parametrize(("cards", "number", "games"), SHUFFLED)
def test_shuffled_is_uniform(cards: int | str, number: int, games: int) -> None:
    found = eruptions(games, volcano_cards=cards, apocalypse="shuffled")
    assert p_uniform(found, 1, number + 1) > ENOUGH
    assert (found == 1 + drawn(games, number + 1)).all(), "the place is floor(u (k + 1)), deal by deal"


@pytest.mark.parametrize(("cards", "number", "games"), SHUFFLED)
def test_a_wrong_placement_would_be_rejected(cards: int | str, number: int, games: int) -> None:
    """The same test on placements that are nearly right: never last, never first, the last place half as often."""
    assert p_uniform(1 + drawn(games, number), 1, number + 1) < 1e-9
    assert p_uniform(2 + drawn(games, number), 1, number + 1) < 1e-9
    half = 1 + np.rint(drawn(games, 10**6) / 10**6 * number).astype(np.int64)
    assert p_uniform(half, 1, number + 1) < 1e-9
    assert p_uniform(1 + drawn(games, number + 1), 1, number + 1) > ENOUGH


@pytest.mark.parametrize(("cards", "number"), [(9, 9), ("all", 17), (1, 1)])
def test_bottom_and_top_are_exact(cards: int | str, number: int) -> None:
    assert (eruptions(150, volcano_cards=cards, apocalypse="bottom") == number + 1).all()
    assert (eruptions(150, volcano_cards=cards, apocalypse="top") == 1).all()


@pytest.mark.parametrize("place", [1, 4, 10, 18])
def test_a_numbered_place_is_exact(place: int) -> None:
    assert (eruptions(100, volcano_cards="all", apocalypse=place) == place).all()
    if place <= 10:
        assert (eruptions(100, volcano_cards=9, apocalypse=place) == place).all()


@pytest.mark.parametrize(("cards", "deck"), [(9, 10), (8, 9), ("all", 18)])
def test_bottom_half_is_uniform_on_its_half(cards: int | str, deck: int) -> None:
    """The lower half of the deck; the middle card of an odd deck belongs to the upper half."""
    found = eruptions(1000, volcano_cards=cards, apocalypse="bottom-half")
    first = deck - deck // 2 + 1
    assert p_uniform(found, first, deck) > ENOUGH
    assert p_uniform(found, first - 1, deck) < 1e-6, "one place more would be seen"


def shares(winners: NDArray[Any], kinds: int, level: float) -> list[tuple[float, float]]:
    """Return exact intervals of the share of each kind among decided games, all together at the level."""
    out = []
    for kind in range(kinds):
        found = clopper_pearson(int((winners == kind).sum()), len(winners), level=1 - (1 - level) / kinds)
        assert found.low is not None
        assert found.high is not None
        out.append((found.low, found.high))
    return out


def winners(rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return seat and listed seat of the winner of each decided game."""
    won = rows[rows["ended_by"] == c.END_VICTORY]
    seat = np.log2(won["winners"]).astype(np.int64)
    return seat, np.asarray(won["seat_spec"][np.arange(len(won)), seat], dtype=np.int64)


@pytest.mark.parametrize(("seats", "seating", "games"), [(4, "fixed", 1600), (3, "fixed", 1600), (2, "rotate", 2000)])
def test_identical_players_win_equal_shares(seats: int, seating: str, games: int) -> None:
    """By seat, and by listed seat where the table rotates (the listed seats are told apart by a weight at default)."""
    from pompeii_sim.games.pompeii.players.weights import GREEDY

    alike: list[Any] = [{"player": "greedy"}] * (seats - 1) + [
        {"player": "greedy", "weights": {"spare": GREEDY["spare"]}}
    ]
    prepared = cell(alike, {"difficulty": "B"}, seating)
    assert len(prepared.arrangements) == (seats if seating == "rotate" else 1)
    by_seat, by_spec = winners(play(prepared, games))
    assert len(by_seat) > games / 2
    for who in (by_seat, by_spec):
        for low, high in shares(who, seats, 0.999):
            assert low <= 1 / seats <= high


def test_unequal_players_would_be_seen() -> None:
    """Control: greedy against random, the same number of games."""
    _, by_spec = winners(play(cell(["greedy", "random"], {"difficulty": "A"}), 400))
    low, _ = shares(by_spec, 2, 0.999)[0]
    assert low > 0.5
