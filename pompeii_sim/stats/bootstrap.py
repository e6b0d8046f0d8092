"""Bootstrap interval for a mean, for small and skewed samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pompeii_sim.stats.checks import check_count, check_level, check_sample
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import t_mean

ROWS = 100_000
"""From this number of rows on Student's interval is used: the two agree there and it is free."""
BLOCK = 1_000_000
"""Draws held in memory at a time."""


def bootstrap_mean(
    values: ArrayLike,
    *,
    seed: int,
    kind: Literal["bca", "percentile"] = "bca",
    resamples: int = 1999,
    level: float = 0.95,
    expected: float | None = None,
) -> Estimate:
    """Estimate a mean with a bootstrap interval; from 100,000 rows on with Student's, which the note says.

    Parameters
    ----------
    values
        Sample of shape ``(n,)``, one number a unit.
    seed
        Seed of the resampling; the same seed gives the same interval.
    kind
        ``bca`` (corrected for bias and skewness) or ``percentile``.
    resamples
        Number of resampled means, at least 100.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``bootstrap-bca`` or ``bootstrap-percentile``, or ``t`` for large samples; value None when empty, no
        interval for one unit, width 0 with a note for a constant sample.

    Raises
    ------
    ValueError
        When `values` holds NaN or infinities, `kind` is unknown, `resamples` is below 100, or `level` is not in (0, 1).

    Notes
    -----
    Efron (1987), Better bootstrap confidence intervals. JASA 82, 171-185.
    """
    sample = check_sample("values", values)
    check_level(level)
    if kind not in ("bca", "percentile"):
        raise ValueError(f"kind must be 'bca' or 'percentile', got {kind!r}")
    if check_count("resamples", resamples) < 100:
        raise ValueError(f"resamples must be at least 100, got {resamples!r}")
    plain = t_mean(sample, level=level, expected=expected)
    if sample.size >= ROWS:
        return replace(plain, note=plain.note or f"{ROWS:,} rows or more: Student's interval instead of the bootstrap")
    method = f"bootstrap-{kind}"
    if plain.value is None or plain.note is not None:
        return replace(plain, method=method)
    means = np.sort(_resampled_means(sample, resamples, np.random.default_rng(seed)))
    tails = np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    if kind == "bca":
        tails = _corrected_tails(tails, sample, plain.value, means)
    low, high = np.quantile(means, tails)
    return replace(plain, low=float(low), high=float(high), method=method)


def _resampled_means(sample: NDArray[np.float64], resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    n = sample.size
    support, counts = np.unique(sample, return_counts=True)
    if support.size * 15 < n:  # few distinct values: how often each is drawn is multinomial
        return np.asarray(rng.multinomial(n, counts / n, size=resamples) @ support / n)
    block = max(1, BLOCK // n)
    means = [
        sample[rng.integers(0, n, (min(block, resamples - first), n))].mean(axis=1)
        for first in range(0, resamples, block)
    ]
    return np.concatenate(means)


def _corrected_tails(
    tails: NDArray[np.float64], sample: NDArray[np.float64], mean: float, means: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Shift the tail shares for bias (z0) and skewness (acceleration)."""
    below = (np.searchsorted(means, mean, "left") + np.searchsorted(means, mean, "right")) / 2.0 / means.size
    z0 = special.ndtri(np.clip(below, 0.5 / means.size, 1.0 - 0.5 / means.size))
    deviations = sample - mean
    acceleration = (deviations**3).sum() / (6.0 * (deviations**2).sum() ** 1.5)
    moved = z0 + special.ndtri(tails)
    return np.asarray(special.ndtr(z0 + moved / (1.0 - acceleration * moved)))
