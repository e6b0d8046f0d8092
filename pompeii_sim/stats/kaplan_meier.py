"""Survival by round with censoring: the Kaplan-Meier curve."""

from __future__ import annotations

from typing import Literal

import numpy as np

from pompeii_sim.stats.checks import check_level, normal_quantile
from pompeii_sim.stats.curve import Curve
from pompeii_sim.stats.effective import effective_bounds
from pompeii_sim.stats.life_table import LifeTable


def kaplan_meier(table: LifeTable, *, interval: Literal["wilson", "log-log"] = "wilson", level: float = 0.95) -> Curve:
    """Estimate the share of units that have not ended by each round.

    All causes in the table count as an end; for one cause among several use `cumulative_incidence`.

    Parameters
    ----------
    table
        Ends and stopped units by round.
    interval
        ``wilson``: on the effective number of units, usable where nothing or everything has ended;
        ``log-log``: the customary transformation, missing there.
    level
        Confidence level of each round's interval (not of the curve as a whole).

    Returns
    -------
    Curve
        Method ``kaplan-meier``; standard errors are Greenwood's; `n` the units at risk.

    Raises
    ------
    ValueError
        When `interval` is unknown or `level` is not in (0, 1).

    Notes
    -----
    Kaplan and Meier (1958), JASA 53; Greenwood (1926), The natural duration of cancer.
    """
    z = normal_quantile(check_level(level))
    if interval not in ("wilson", "log-log"):
        raise ValueError(f"interval must be 'wilson' or 'log-log', got {interval!r}")
    share = table.survival()
    ends, at_risk = table.all_ends.astype(np.float64), table.at_risk.astype(np.float64)
    left = at_risk - ends
    terms = np.divide(ends, at_risk * left, out=np.zeros_like(ends), where=left > 0)
    relative = np.cumsum(terms)
    variance = share * share * relative
    if interval == "wilson":
        low, high = effective_bounds(share, variance, table.followed, z)
    else:
        low, high = np.full_like(share, np.nan), np.full_like(share, np.nan)
        inner = (share > 0) & (share < 1)
        logs = np.log(share[inner])
        width = z * np.sqrt(relative[inner]) / -logs
        low[inner], high[inner] = np.exp(logs * np.exp(width)), np.exp(logs * np.exp(-width))
    return Curve(
        rounds=table.rounds,
        value=share,
        low=low,
        high=high,
        std_error=np.sqrt(variance),
        n=table.at_risk,
        level=level,
        method="kaplan-meier",
        beyond=bool(share.size and share[-1] == 0.0),
    )
