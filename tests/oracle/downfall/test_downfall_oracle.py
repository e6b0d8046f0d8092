"""Numbers with a known exact answer: settling turns, omens, the stack, symmetric seats."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from downfall_table import document

from pompeii_sim.run.execute import execute
from pompeii_sim.scenario import load_scenario

GAMES = 12_000
TOP, MIX, OMENS = 8, 32, 7


def turns_by_paper(zone: int) -> tuple[Fraction, int, int]:
    """Return mean, least and most settling turns.

    A turn draws one numbered card; the turn that meets the second AD 79 counts too. With i cards beneath it, 32 - i
    cards of the mix are drawn, 25/32 of them numbered on average: 8 + (32 - i) 25/32 + 1 turns.
    """
    mean = sum((TOP + (MIX - i) * Fraction(MIX - OMENS, MIX) + 1 for i in range(zone + 1)), Fraction(0)) / (zone + 1)
    least = TOP + MIX - zone - OMENS + 1
    return mean, least, TOP + MIX - OMENS + 1


@pytest.mark.parametrize(("seats", "zone", "stated"), [(2, 15, 28.14), (3, 15, 28.14), (4, 10, 30.09)])
def test_settling_turns(seats: int, zone: int, stated: float) -> None:
    mean, least, most = turns_by_paper(zone)
    assert round(float(mean), 2) == stated
    rows = execute(load_scenario(document(["random"] * seats, games=GAMES)), jobs=1).games().collect()
    turns = rows["settling_turns"]
    assert turns.min() >= least == (24 if seats == 4 else 19)
    assert turns.max() <= most == 34
    spread = float(turns.std())  # type: ignore[arg-type]
    assert abs(float(turns.mean()) - float(mean)) < 4.5 * spread / sqrt(GAMES)  # type: ignore[arg-type]
    omens = OMENS * (1 - Fraction(zone, 2 * MIX))
    assert abs(float(rows["omens"].mean()) - float(omens)) < 4.5 * float(rows["omens"].std()) / sqrt(GAMES)  # type: ignore[arg-type]
    assert rows["omens"].max() <= OMENS
    assert rows["first_ad79"].unique().to_list() == [9]
    assert (rows["second_ad79"] == turns).all()
    assert rows["lava_turns"].max() <= 45
    assert rows["running_turns"].max() <= 39
    assert (rows["lava_turns"] - rows["running_turns"]).unique().to_list() == [6]


def test_seats_are_alike_when_the_start_is_random() -> None:
    scenario = load_scenario(document(["random"] * 3, games=GAMES, rules={"start": "random"}))
    result = execute(scenario, jobs=1)
    for estimate in result.cells[0].metrics["win_share_by_seat"].values():
        assert abs(estimate.value - 1 / 3) < 4.5 * sqrt(2 / 9 / GAMES)
    starts = result.games().collect()["start_seat"].value_counts()
    assert abs(starts["count"] - GAMES / 3).max() < 4.5 * sqrt(GAMES * 2 / 9)


def test_nobody_is_saved_without_runs() -> None:
    """Without runs nobody is ever saved."""
    rows = execute(load_scenario(document(["greedy"] * 2, games=200, rules={"runs": 0})), jobs=1).games().collect()
    assert (rows["saved_0"] + rows["saved_1"]).max() == 0
    assert (rows["running_turns"] <= 39).all()
