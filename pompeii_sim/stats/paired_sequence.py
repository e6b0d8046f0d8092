"""Confidence sequence for a paired comparison: differences of -1, 0 and 1, looked at while they come in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.bernstein import bernstein_radius
from pompeii_sim.stats.checkpoints import check_checkpoints
from pompeii_sim.stats.checks import check_count, check_level, check_sample
from pompeii_sim.stats.estimate import Estimate

METHOD = "paired-bernstein"
TUNING = 2.0
"""Tightest when some tens to some thousands of pairs differ."""


def anytime_paired(
    n11: int, n10: int, n01: int, n00: int, *, level: float = 0.95, expected: float | None = None
) -> Estimate:
    """Estimate the share of successes in the first setting minus that in the second, with an interval for all looks.

    The twin of `tango` for running comparisons: sharp when few pairs differ, and dependent on the counts alone.

    Parameters
    ----------
    n11, n10, n01, n00
        Units that succeeded in both settings, in the first only, in the second only, in neither.
    level
        Confidence level over all looks together.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        ``(n10 - n01) / n``, method ``paired-bernstein``, valid ``anytime``; value None with a note when
        there are no pairs.

    Raises
    ------
    ValueError
        When a count is negative or not whole, or `level` is not in (0, 1).

    Notes
    -----
    Theorem 4 of Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics 49, with the prediction 0 for every
    pair: the variation is then the number of differing pairs, and no term falls more than 1 below its prediction.
    """
    first, second = check_count("n10", n10), check_count("n01", n01)
    n = first + second + check_count("n11", n11) + check_count("n00", n00)
    return _estimates(np.array([first - second]), np.array([first + second]), np.array([n]), level, expected)[0]


def paired_sequence(
    differences: ArrayLike, checkpoints: ArrayLike, *, level: float = 0.95, expected: float | None = None
) -> list[Estimate]:
    """Estimate a paired difference at each checkpoint of a run, from its differences in order.

    Parameters
    ----------
    differences
        -1, 0 or 1 a pair, in the order of the run, shape ``(n,)``.
    checkpoints
        Numbers of pairs after which to look, increasing, at most n.
    level, expected
        As in `anytime_paired`.

    Returns
    -------
    list of Estimate
        One a checkpoint, as `anytime_paired` gives it.

    Raises
    ------
    ValueError
        When a difference is not -1, 0 or 1, or checkpoints do not increase within 0..n.
    """
    sample = check_sample("differences", differences)
    if sample.size and not np.isin(sample, (-1.0, 0.0, 1.0)).all():
        raise ValueError("differences must be -1, 0 or 1")
    looks = check_checkpoints(checkpoints, sample.size)
    whole = sample.astype(np.int64)
    sums = np.concatenate([[0], np.cumsum(whole)])
    differing = np.concatenate([[0], np.cumsum(np.abs(whole))])
    return _estimates(sums[looks], differing[looks], looks, level, expected)


def _estimates(
    sums: NDArray[np.int64],
    differing: NDArray[np.int64],
    n: NDArray[np.int64],
    level: float,
    expected: float | None,
) -> list[Estimate]:
    check_level(level)
    units = np.maximum(n, 1)
    radius = bernstein_radius(differing.astype(np.float64), units, level, TUNING)
    value = sums / units
    low, high = np.maximum(value - radius, -1.0), np.minimum(value + radius, 1.0)
    common: dict[str, Any] = {"level": level, "method": METHOD, "expected": expected, "valid": "anytime"}
    out = []
    for i, total in enumerate(n.tolist()):
        if total == 0:
            out.append(Estimate(value=None, low=None, high=None, n=0, note="no pairs", **common))
            continue
        note = None if differing[i] else "no pair differs"
        out.append(
            Estimate(value=float(value[i]), low=float(low[i]), high=float(high[i]), n=total, note=note, **common)
        )
    return out
