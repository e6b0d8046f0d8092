"""Wilson's score interval for a proportion."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.stats.checks import check_level, check_successes, normal_quantile
from pompeii_sim.stats.estimate import Estimate


def wilson_bounds(
    successes: NDArray[np.float64], n: NDArray[np.float64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return Wilson's lower and upper ends for whole arrays (no checks; ``n`` above 0, fractions allowed).

    Parameters
    ----------
    successes, n
        Successes and totals, same shape.
    z
        Normal quantile of the level.

    Returns
    -------
    low, high
        Arrays of that shape, inside 0..1; exactly 0 (1) where nothing (everything) succeeded.
    """
    share = successes / n
    shrink = 1.0 + z * z / n
    centre = (share + z * z / (2.0 * n)) / shrink
    half = z / shrink * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    low = np.where(successes <= 0, 0.0, np.clip(centre - half, 0.0, 1.0))
    high = np.where(successes >= n, 1.0, np.clip(centre + half, 0.0, 1.0))
    return low, high


def wilson(successes: int, n: int, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate a proportion with Wilson's score interval (no continuity correction).

    Its coverage is close to `level` on average over proportions, a little below it for some.

    Parameters
    ----------
    successes, n
        Number of successes among `n` independent units.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``wilson``; value None with a note when `n` is 0.

    Raises
    ------
    ValueError
        When a count is negative or not whole, `successes` exceeds `n`, or `level` is not in (0, 1).

    Notes
    -----
    Wilson (1927), Probable inference, the law of succession, and statistical inference. JASA 22.
    """
    count, total = check_successes("successes", successes, "n", n)
    z = normal_quantile(check_level(level))
    if total == 0:
        return Estimate(
            value=None, low=None, high=None, n=0, level=level, method="wilson", expected=expected, note="no units"
        )
    share = count / total
    shrink = 1.0 + z * z / total
    centre = (share + z * z / (2.0 * total)) / shrink
    half = z / shrink * math.sqrt(share * (1.0 - share) / total + z * z / (4.0 * total * total))
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == total else min(1.0, centre + half)
    return Estimate(value=share, low=low, high=high, n=total, level=level, method="wilson", expected=expected)
