"""Log-rank test: do separate samples end at the same pace?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.stats.life_table import LifeTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogRank:
    """Outcome of a log-rank test.

    Parameters
    ----------
    statistic
        Chi-square statistic, or None when nothing can be compared (see `note`).
    df
        Degrees of freedom.
    p_value
        Chance of a statistic at least this large when all groups end at the same pace, or None.
    observed, expected
        Ends of each group, and how many were to be expected at the common pace, float64, shape ``(k,)``.
    note
        Why there is no statistic.
    """

    statistic: float | None
    df: int
    p_value: float | None
    observed: NDArray[np.float64]
    expected: NDArray[np.float64]
    note: str | None = None


def log_rank(tables: Sequence[LifeTable]) -> LogRank:
    """Compare how soon units of separate samples end; not for samples paired by deal.

    Parameters
    ----------
    tables
        One life table a sample, at least two; ends of any cause count.

    Returns
    -------
    LogRank
        Statistic with k - 1 degrees of freedom and its p-value.

    Raises
    ------
    ValueError
        When fewer than two tables are given.

    Notes
    -----
    Mantel (1966), Evaluation of survival data and two new rank order statistics. Cancer Chemotherapy Reports 50; with
    the hypergeometric variance, which takes ties into account.
    """
    if len(tables) < 2:
        raise ValueError(f"tables must hold at least two samples, got {len(tables)}")
    length = max(table.at_risk.size for table in tables)
    ends, at_risk = np.zeros((len(tables), length)), np.zeros((len(tables), length))
    for i, table in enumerate(tables):
        ends[i, : table.at_risk.size] = table.all_ends
        at_risk[i, : table.at_risk.size] = table.at_risk
    all_ends, all_risk = ends.sum(axis=0), at_risk.sum(axis=0)
    share = np.divide(at_risk, all_risk, out=np.zeros_like(at_risk), where=all_risk > 0)
    observed, expected = ends.sum(axis=1), (share * all_ends).sum(axis=1)
    spread = np.divide(
        all_ends * (all_risk - all_ends), all_risk - 1.0, out=np.zeros_like(all_ends), where=all_risk > 1
    )
    covariance = np.diag((share * spread).sum(axis=1)) - (share * spread) @ share.T
    free = np.diag(covariance) > 0
    df = max(int(free.sum()) - 1, 0)
    if df == 0:
        note = "no round in which units of two samples were at risk and some but not all ended"
        return LogRank(statistic=None, df=0, p_value=None, observed=observed, expected=expected, note=note)
    gap = (observed - expected)[free]
    matrix = covariance[np.ix_(free, free)]
    # The rows sum to zero, so one group is left out; the statistic does not depend on which.
    rank = int(np.linalg.matrix_rank(matrix[:-1, :-1], hermitian=True))
    if rank < df:
        statistic, df = float(gap @ np.linalg.pinv(matrix, hermitian=True) @ gap), rank
    else:
        statistic = float(gap[:-1] @ np.linalg.solve(matrix[:-1, :-1], gap[:-1]))
    return LogRank(
        statistic=statistic,
        df=df,
        p_value=float(special.chdtrc(df, statistic)),
        observed=observed,
        expected=expected,
    )
