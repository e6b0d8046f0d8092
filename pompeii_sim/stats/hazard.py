"""The risk of a round: ends among those who reached it."""

from __future__ import annotations

import numpy as np

from pompeii_sim.stats.checks import check_level, normal_quantile
from pompeii_sim.stats.curve import Curve
from pompeii_sim.stats.life_table import LifeTable
from pompeii_sim.stats.wilson import wilson_bounds


def hazard(table: LifeTable, *, cause: int | None = None, level: float = 0.95) -> Curve:
    """Estimate, for each round, the share of units reaching it that end in it.

    Parameters
    ----------
    table
        Ends and stopped units by round.
    cause
        Only ends of this cause, or None for any.
    level
        Confidence level of each round's interval.

    Returns
    -------
    Curve
        Method ``hazard-wilson``; NaN where nobody reached the round.

    Raises
    ------
    ValueError
        When `cause` is not in the table or `level` is not in (0, 1).
    """
    z = normal_quantile(check_level(level))
    ends = (table.all_ends if cause is None else table.row(cause)).astype(np.float64)
    reached = table.at_risk > 0
    at_risk = np.where(reached, table.at_risk, 1).astype(np.float64)
    share = ends / at_risk
    low, high = wilson_bounds(ends, at_risk, z)
    return Curve(
        rounds=table.rounds,
        value=np.where(reached, share, np.nan),
        low=np.where(reached, low, np.nan),
        high=np.where(reached, high, np.nan),
        std_error=np.where(reached, np.sqrt(share * (1.0 - share) / at_risk), np.nan),
        n=table.at_risk,
        level=level,
        method="hazard-wilson",
        missing="nobody reached the round",
    )
