"""Mean of min(time, cap) when some units are stopped before they end."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from pompeii_sim.stats.checks import check_count, check_level
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.life_table import LifeTable
from pompeii_sim.stats.mean import CONSTANT, SINGLE
from pompeii_sim.stats.wilson import wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class RestrictedMean:
    """A restricted mean and how much of it was not seen to the end.

    Parameters
    ----------
    mean
        Mean of min(time, cap).
    censored
        Share of all units that were not seen to end by the cap.
    cap
        The cap, in rounds.
    """

    mean: Estimate
    censored: Estimate
    cap: int


def restricted_mean(
    table: LifeTable, cap: int, *, level: float = 0.95, expected: float | None = None
) -> RestrictedMean:
    """Estimate the mean of min(time, cap): the area under the survival curve up to the cap.

    With nobody stopped before the cap this is the plain mean of min(time, cap) with Student's interval.

    Parameters
    ----------
    table
        Ends (of any cause) and stopped units by round.
    cap
        Rounds after which time no longer counts, at least 1.
    level
        Confidence level of both intervals.
    expected
        What chance alone would give for the mean, carried along.

    Returns
    -------
    RestrictedMean
        Mean (method ``restricted-mean``) and censored share (method ``wilson``). The mean is None with a note when
        nobody was followed to the cap although some had not ended.

    Raises
    ------
    ValueError
        When `cap` is not a whole number of at least 1 or `level` is not in (0, 1).

    Notes
    -----
    Irwin (1949), The standard error of an estimate of expectation of life. Journal of Hygiene 47; Royston and Parmar
    (2013), Restricted mean survival time. BMC Medical Research Methodology 13.
    """
    check_level(level)
    limit = check_count("cap", cap)
    if limit < 1:
        raise ValueError(f"cap must be at least 1, got {cap!r}")
    n = table.n
    seen = int(table.all_ends[: limit + 1].sum())
    censored = wilson(n - seen, n, level=level)

    def result(
        value: float | None, low: float | None = None, high: float | None = None, note: str | None = None
    ) -> RestrictedMean:
        mean = Estimate(
            value=value, low=low, high=high, n=n, level=level, method="restricted-mean", expected=expected, note=note
        )
        return RestrictedMean(mean=mean, censored=censored, cap=limit)

    if n == 0:
        return result(None, note="no units")
    survival = table.survival()
    rows = survival.size
    if rows < limit and survival[-1] > 0:
        return result(None, note=f"nobody was followed to the cap of {limit} rounds, and some had not ended")
    used = min(rows, limit)  # survival after rounds 0..cap-1 each lasts one round
    areas = survival[:used]
    value = float(areas.sum())
    if n == 1:
        return result(value, note=SINGLE)
    ends, at_risk = table.all_ends[:used].astype(np.float64), table.at_risk[:used].astype(np.float64)
    ahead = np.cumsum(areas[::-1])[::-1]  # area from each round to the cap
    left = at_risk - ends
    terms = np.divide(ends, at_risk * left, out=np.zeros_like(ends), where=left > 0)
    variance = float((ahead * ahead * terms).sum()) * n / (n - 1)
    if variance <= 0.0:
        return result(value, value, value, CONSTANT)
    half = -float(special.stdtrit(n - 1, (1.0 - level) / 2.0)) * math.sqrt(variance)
    return result(value, max(0.0, value - half), min(float(limit), value + half))
