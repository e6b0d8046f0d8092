"""No victory beats the proven least number of worker actions.

The bounds are optima of an integer programme that relaxes the game: start with the ten goods and one red tile; an
action is one collected good, one conversion of up to 10, one trade out of at most 10, one tile or one army; order of
play counts in two steps only. It knows no cards and no owner bonus, so the games here have none either. Everything it
leaves out (spaces, eruptions, order) makes a victory take longer, never shorter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pompeii_cells import cell, play

from pompeii_sim.games.pompeii import codes as c

NOTHING_BUILT = 18
FOUR_TILES = 30
CASTRUM_AND_THREE = 35
CASTRUM_AND_THREE_PAID_21 = 40
CASTRUM_AND_THREE_PAID_31_AND_RECRUITED = 46
ALONE = 47
SOLO = 43
SOLO_PAID_13 = 47

PLAIN: dict[str, Any] = {
    "difficulty": "A",
    "volcano_cards": "all",
    "apocalypse": "bottom",
    "owner_bonus": 0,
    "specialists_dealt": 0,
    "city_dealt": 0,
    "foro_city": 0,
    "foro_specialists": 0,
    "over_offering_cards": 0,
}
CARDS = ["train", "swap", "activate", "use"]
EVERYTHING = ["collect", "produce", "build", "trade", "recruit", "army", *CARDS]


def _won(rows: NDArray[Any]) -> NDArray[Any]:
    assert not rows["error"].any()
    for name in ("trained", "activated", "over_cards", "bonus_goods"):
        assert not rows[name].any(), name
    return rows[rows["ended_by"] == c.END_VICTORY]


def _bound_at_a_table(row: Any) -> tuple[int, int]:
    """Return the winner's worker actions, and the least the case it is in allows."""
    seat = int(row["winners"]).bit_length() - 1
    tiles = int((row["owner"] == seat).sum()) - 1  # the first one is free
    castrum = int(row["castrum_owner"]) == seat
    paid, recruited = int(row["paid"][seat]), int(row["workers"][seat]) - 3
    least = FOUR_TILES if tiles >= 4 else NOTHING_BUILT
    if castrum and tiles >= 4:
        least = CASTRUM_AND_THREE
        if paid >= 21:
            least = CASTRUM_AND_THREE_PAID_21
        if paid >= 31 and recruited == 3:
            least = CASTRUM_AND_THREE_PAID_31_AND_RECRUITED
    return int(row["worker_actions"][seat]), least


def _at_a_table(player: str, stance: str, count: int, **rules: Any) -> list[tuple[int, int]]:
    seat = {"player": player, "stance": stance, "forbid": CARDS}
    return [_bound_at_a_table(row) for row in _won(play(cell([seat] * 4, PLAIN | rules), count))]


@pytest.mark.parametrize("player", ["greedy", "planner"])
def test_one_of_four(player: str) -> None:
    strictest = 0
    for stance in ("cooperative", "never"):
        made = _at_a_table(player, stance, 400)
        assert len(made) > 10
        assert all(actions >= least for actions, least in made)
        strictest = max(strictest, *(least for _, least in made))
    assert strictest >= CASTRUM_AND_THREE  # the stricter cases do occur


def test_the_bound_is_one_of_these_rules_only() -> None:
    """Where each start good counts ten times and any good buys any other, victories come sooner than the bound."""
    made = _at_a_table("planner", "never", 20, goods_start=10, trade_up=1, trade_same=1)
    assert any(actions < least for actions, least in made)


def test_alone_at_a_table_of_two() -> None:
    """The other seat does nothing; games in which its free tile was used are left out."""
    seats = [
        {"player": "planner", "stance": "never", "forbid": [*CARDS, "recruit"]},
        {"player": "greedy", "stance": "never", "forbid": EVERYTHING},
    ]
    rows = _won(play(cell(seats, PLAIN, "fixed"), 80))
    assert len(rows) > 10
    assert (rows["winners"] == 1).all()
    used = np.array(
        [any(row["place_use"][c.BUILDING_0 + int(n)] for n in np.flatnonzero(row["owner"] == 1)) for row in rows]
    )
    alone = rows["worker_actions"][~used, 0]
    assert len(alone) > 5
    assert alone.min() >= ALONE


@pytest.mark.parametrize("stance", ["cooperative", "never"])
def test_solo(stance: str) -> None:
    rules = {"difficulty": "A", "solo_open_specialists": 0, "solo_city_dealt": 0, "over_offering_cards": 0,
             "solo_lower_deck": 17, "solo_upper_deck": 0, "solo_final_rounds": 10}  # fmt: skip
    seat = {"player": "planner", "stance": stance, "forbid": CARDS}
    rows = _won(play(cell([seat], rules), 150))
    assert len(rows) > 10
    assert not rows["open_used"].any()
    least = np.where(rows["paid"][:, 0] >= 13, SOLO_PAID_13, SOLO)
    assert (rows["worker_actions"][:, 0] >= least).all()
