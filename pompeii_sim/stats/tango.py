"""Tango's score interval for the difference of two proportions seen on the same units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.stats.checks import check_count, check_level, normal_quantile
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.roots import bisect


def tango(n11: int, n10: int, n01: int, n00: int, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate the share of successes in the first setting minus that in the second, on paired units.

    Keeps its coverage when only few units differ between the settings, where the usual intervals collapse.

    Parameters
    ----------
    n11, n10, n01, n00
        Units that succeeded in both settings, in the first only, in the second only, in neither.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        ``(n10 - n01) / n``, method ``tango``, `n` the pairs; value None with a note when there are none;
        a note when no pair differs.

    Raises
    ------
    ValueError
        When a count is negative or not whole, or `level` is not in (0, 1).

    Notes
    -----
    Tango (1998), Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.
    """
    both, first = check_count("n11", n11), check_count("n10", n10)
    second, neither = check_count("n01", n01), check_count("n00", n00)
    check_level(level)
    n = both + first + second + neither
    if n == 0:
        return Estimate(
            value=None, low=None, high=None, n=0, level=level, method="tango", expected=expected, note="no pairs"
        )
    low, high = tango_bounds(np.array([first]), np.array([second]), n, normal_quantile(level))
    return Estimate(
        value=(first - second) / n,
        low=float(low[0]),
        high=float(high[0]),
        n=n,
        level=level,
        method="tango",
        expected=expected,
        note=None if first or second else "no pair differs",
    )


def tango_bounds(
    first: NDArray[np.int64], second: NDArray[np.int64], n: int, z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Tango's lower and upper ends for whole arrays of counts (no checks).

    Parameters
    ----------
    first, second
        Pairs that succeeded in the first (second) setting only, shape ``(k,)``.
    n
        Number of pairs, above 0.
    z
        Normal quantile of the level.

    Returns
    -------
    low, high
        Arrays of shape ``(k,)`` inside -1..1.
    """
    k = len(first)
    # Both ends at once: the first k entries look down, the others up.
    b, c = np.tile(np.asarray(first, dtype=np.float64), 2), np.tile(np.asarray(second, dtype=np.float64), 2)

    def accepted(delta: NDArray[np.float64]) -> NDArray[np.bool_]:
        # Share of "second only" that is most likely when the difference is delta: 2n q^2 + B q - c delta(1-delta) = 0
        linear = -b - c + (2.0 * n - b + c) * delta
        constant = -c * delta * (1.0 - delta)
        root = np.sqrt(np.maximum(linear * linear - 8.0 * n * constant, 0.0))
        q = (root - linear) / (4.0 * n)
        variance = np.maximum(n * (2.0 * q + delta * (1.0 - delta)), 0.0)
        distance = b - c - n * delta
        return np.asarray(distance * distance <= z * z * variance)

    value = (b - c) / n
    ends = bisect(accepted, value, np.repeat([-1.0, 1.0], k))
    return ends[:k], ends[k:]
