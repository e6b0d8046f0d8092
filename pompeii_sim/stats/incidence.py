"""Cumulative incidence when ends compete: the Aalen-Johansen estimate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.stats.checks import check_level, normal_quantile
from pompeii_sim.stats.curve import Curve
from pompeii_sim.stats.effective import effective_bounds
from pompeii_sim.stats.life_table import LifeTable


def cumulative_incidence(table: LifeTable, cause: int, *, level: float = 0.95) -> Curve:
    """Estimate the share of units that have ended by `cause` by each round.

    The other causes compete: a unit that ended otherwise can no longer end by this one and is not censored.

    Parameters
    ----------
    table
        Ends by cause and stopped units by round.
    cause
        Code of the end.
    level
        Confidence level of each round's interval.

    Returns
    -------
    Curve
        Method ``aalen-johansen``, interval by Wilson on the effective number of units; `n` the units not
        stopped before the round.

    Raises
    ------
    ValueError
        When `cause` is not in the table or `level` is not in (0, 1).

    Notes
    -----
    Aalen and Johansen (1978), An empirical transition matrix for non-homogeneous Markov chains. Scandinavian Journal of
    Statistics 5. The variance is the delta method on the multinomial counts of each round (ties are the rule here),
    which equals share (1 - share) / n without censoring.
    """
    z = normal_quantile(check_level(level))
    share, variance = incidence_and_variance(table, cause)
    followed = table.followed
    low, high = effective_bounds(share, variance, followed, z)
    return Curve(
        rounds=table.rounds,
        value=share,
        low=low,
        high=high,
        std_error=np.sqrt(variance),
        n=followed,
        level=level,
        method="aalen-johansen",
        beyond=bool(table.at_risk.size and table.censored[-1] == 0),
    )


def incidence_and_variance(table: LifeTable, cause: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the cumulative incidence of `cause` and its variance by round, each of shape ``(T + 1,)``."""
    before, own, any_, after = incidence_parts(table, cause)
    share = np.cumsum(before * own)
    weight = before * before / np.maximum(table.at_risk, 1)
    variance = np.zeros_like(share)
    for t in range(share.size):
        # What a unit still going after round s can yet expect by t.
        ahead = np.divide(share[t] - share[: t + 1], after[: t + 1], out=np.zeros(t + 1), where=after[: t + 1] > 0)
        a, b = own[: t + 1], any_[: t + 1]
        spread = a * (1.0 - ahead) ** 2 + (b - a) * ahead**2 - (a - b * ahead) ** 2
        variance[t] = weight[: t + 1] @ spread
    return share, np.maximum(variance, 0.0)


def incidence_parts(
    table: LifeTable, cause: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return by round: share going before it, risk of `cause` in it, risk of any end in it, share going after it."""
    at_risk = np.maximum(table.at_risk, 1).astype(np.float64)
    after = table.survival()
    before = np.concatenate([[1.0], after[:-1]]) if after.size else after
    return before, table.row(cause) / at_risk, table.all_ends / at_risk, after
