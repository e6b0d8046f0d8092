"""One number of one cell."""

from __future__ import annotations

from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.wanted import Wanted
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import Tally
from pompeii_sim.stats.estimate import Estimate


def number_in(study: Study, cell: int, one: Wanted, level: float = 0.95) -> Estimate:
    """Return a number of a cell over all its games.

    Raises
    ------
    InputError
        When the cell has nobody of the number's label.
    """
    (sums,) = study.sums(cell, one.measures(study, cell))
    tally = sums.tallies.get(one.metric.name, {}).get(one.label, Tally())  # a cell that has not been played has none
    return number_of(study, cell, one, tally, level)


def number_of(study: Study, cell: int, one: Wanted, tally: Tally, level: float = 0.95) -> Estimate:
    """Return a number of a cell from its sums."""
    measures = one.measures(study, cell)
    return estimate(
        tally,
        kind=one.metric.kind,
        by_deal=measures.by_deal,
        restricted=measures.restricted(one.metric),
        expected=None if one.all_games else measures.expected(one.metric, one.label),
        bounds=one.metric.bounds,
        level=level,
    )
