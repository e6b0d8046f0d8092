"""Quantiles with intervals made of order statistics: no assumption about the shape."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pompeii_sim.stats.checks import check_level, check_sample, check_whole
from pompeii_sim.stats.estimate import Estimate

METHOD = "order-statistics"
MOST_SPAN = 1_000_000


def quantile(values: ArrayLike, q: float, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate a quantile; both ends of the interval are values of the sample.

    The value is the smallest observed number that at least the share `q` of the sample does not exceed, so the
    median of whole rounds is a whole round. Coverage is at least `level`, for discrete numbers too.

    Parameters
    ----------
    values
        Sample of shape ``(n,)``.
    q
        Share in (0, 1), such as 0.5 for the median.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``order-statistics``; an end is None with a note when the sample is too small to bound it.

    Raises
    ------
    ValueError
        When `values` holds NaN or infinities, or `q` or `level` is not in (0, 1).

    Notes
    -----
    Hahn and Meeker (1991), Statistical Intervals, section 5.2; Scheffe and Tukey (1945), Non-parametric estimation.
    """
    array = np.asarray(values)
    if array.ndim == 1 and array.size and array.dtype.kind in "iu":
        least, span = int(array.min()), int(array.max()) - int(array.min())
        if span <= MOST_SPAN:  # counting whole numbers is faster than ordering them
            counts = np.bincount(array.astype(np.int64, copy=False) - least)
            support = np.arange(least, least + span + 1)
            return quantile_from_counts(support, counts, q, level=level, expected=expected)
    sample = check_sample("values", array)
    place, lower, upper = _ranks(sample.size, q, level)
    if sample.size == 0:
        return _estimate(None, None, None, 0, level, expected)
    wanted = sorted({r - 1 for r in (place, lower, upper) if r is not None})
    ordered = np.partition(sample, wanted)
    value, low, high = (None if r is None else float(ordered[r - 1]) for r in (place, lower, upper))
    return _estimate(value, low, high, sample.size, level, expected)


def quantile_from_counts(
    support: ArrayLike, counts: ArrayLike, q: float, *, level: float = 0.95, expected: float | None = None
) -> Estimate:
    """Estimate a quantile from how often each value was seen; otherwise as `quantile`.

    Parameters
    ----------
    support
        Distinct values in increasing order, shape ``(k,)``.
    counts
        How often each was seen, shape ``(k,)``, whole numbers.
    q, level, expected
        As in `quantile`.

    Returns
    -------
    Estimate
        As `quantile` gives it.

    Raises
    ------
    ValueError
        When `support` does not increase, shapes differ, a count is negative, or `q` or `level` is not in (0, 1).
    """
    points, times = check_sample("support", support), check_whole("counts", counts)
    if points.shape != times.shape:
        raise ValueError(f"counts must have the shape of support, got {times.shape} and {points.shape}")
    if (np.diff(points) <= 0).any():
        raise ValueError("support must increase")
    total: NDArray[np.int64] = np.cumsum(times)
    n = int(total[-1]) if total.size else 0
    place, lower, upper = _ranks(n, q, level)
    if n == 0:
        return _estimate(None, None, None, 0, level, expected)
    value, low, high = (None if r is None else float(points[np.searchsorted(total, r)]) for r in (place, lower, upper))
    return _estimate(value, low, high, n, level, expected)


def _ranks(n: int, q: float, level: float) -> tuple[int, int | None, int | None]:
    """Return the 1-based ranks of the value and of the two ends (None where the sample is too small)."""
    check_level(level)
    if not 0.0 < q < 1.0:
        raise ValueError(f"q must lie strictly between 0 and 1, got {q!r}")
    if n == 0:
        return 0, None, None
    tail = (1.0 - level) / 2.0
    # A tiny allowance keeps 0.1 * 30 = 3.0000000000000004 at rank 3.
    place = min(n, max(1, math.ceil(n * q * (1.0 - 1e-12))))
    # K = how many of n fall at or below the quantile is binomial(n, q) for a continuous variable.
    # lower: largest rank with P(K < rank) <= tail; upper: smallest rank with P(K >= rank) <= tail.
    lower = _largest(n, lambda rank: float(special.bdtr(rank - 1, n, q)) <= tail)
    upper = n + 1 - _largest(n, lambda rank: float(special.bdtr(rank - 1, n, 1.0 - q)) <= tail)
    return place, lower or None, upper if upper <= n else None


def _largest(n: int, holds: Callable[[int], bool]) -> int:
    """Return the largest rank in 1..n for which `holds` is true (it is true up to some rank), else 0."""
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _estimate(
    value: float | None, low: float | None, high: float | None, n: int, level: float, expected: float | None
) -> Estimate:
    note: str | None = None
    if n == 0:
        note = "no units"
    elif low is None or high is None:
        missing = "either end" if low is None and high is None else "the lower end" if low is None else "the upper end"
        note = f"{n} units are too few to bound {missing} at this level"
    return Estimate(value=value, low=low, high=high, n=n, level=level, method=METHOD, expected=expected, note=note)
