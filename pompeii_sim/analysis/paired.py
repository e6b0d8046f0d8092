"""The difference between two cells that share their deals, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.joint import Common, Joint, common
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.analysis.wanted import Wanted, wanted
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.reader import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A paired difference.

    Parameters
    ----------
    metric
        Name of the number.
    difference
        First minus base, over common deals.
    first, base
        Each cell's own Estimate over these deals.
    diverged
        Share of games that went another way (end, winners, rounds, decisions or scores differ); value None with a note
        where seats are not arranged alike.
    gain
        How many times as many independent games an unpaired comparison would need for the same interval; None
        where the difference has no spread.
    deals, dropped, games
        Deals compared, deals left out because a game failed in one of the cells, and games compared of the first cell.
    """

    metric: str
    difference: Estimate
    first: Estimate
    base: Estimate
    diverged: Estimate
    gain: float | None
    deals: int
    dropped: int
    games: int


def paired_difference(
    study_a: Study | Run,
    cell_a: int,
    study_b: Study | Run,
    cell_b: int,
    metric: str | Wanted,
    level: float = 0.95,
) -> Paired:
    """Compare a number of two cells on their common deals.

    Parameters
    ----------
    study_a, cell_a
        The cell looked at.
    study_b, cell_b
        The base.
    metric
        See `wanted`.
    level
        Confidence level.

    Returns
    -------
    Paired
        The difference by Tango's interval for rates with one game a deal, otherwise by Student's on the deals'
        differences (for metrics over some games only: of the linearised ratio).

    Raises
    ------
    InputError
        When deals are not shared or there is no such metric.
    """
    return paired_differences(study_a, cell_a, study_b, cell_b, [metric], level)[0]


def paired_differences(
    study_a: Study | Run,
    cell_a: int,
    study_b: Study | Run,
    cell_b: int,
    metrics: Sequence[str | Wanted],
    level: float = 0.95,
) -> list[Paired]:
    """Compare several numbers of two cells in one reading; see `paired_difference`."""
    a, b = study(study_a), study(study_b)
    numbers = [wanted(a, m) if isinstance(m, str) else m for m in metrics]
    found = common([Place(b, b.check_cell(cell_b)), Place(a, a.check_cell(cell_a))], numbers)
    return [_paired(joint, found, a.by_deal, level) for joint in found.numbers]


def _paired(joint: Joint, found: Common, by_deal: bool, level: float) -> Paired:
    _, covariance = joint.ratios()
    spread = float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    alone = float(covariance[0, 0] + covariance[1, 1])
    return Paired(
        metric=joint.wanted.name,
        difference=joint.difference(0, 1, level),
        first=joint.estimate(1, level),
        base=joint.estimate(0, level),
        diverged=_diverged(found, by_deal, level),
        gain=alone / spread if spread > 0 and math.isfinite(alone) else None,
        deals=found.deals - found.dropped,
        dropped=found.dropped,
        games=found.games,
    )


def _diverged(found: Common, by_deal: bool, level: float) -> Estimate:
    if found.diverged is None:
        note = "seats are not arranged alike, so single games have no counterpart"
        return Estimate(value=None, low=None, high=None, n=0, level=level, method="wilson", note=note)
    return estimate(found.diverged, kind="rate", by_deal=by_deal, level=level)
