"""Wilson's interval on the number of units a censored share is worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.stats.wilson import wilson_bounds


def effective_bounds(
    share: NDArray[np.float64], variance: NDArray[np.float64], followed: NDArray[np.int64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of Wilson's interval for shares estimated with censoring.

    A share with variance v is worth ``share (1 - share) / v`` units; where it is 0 or 1 (no variance to see), the units
    not stopped before are used. Without censoring this is Wilson's interval on all units.

    Parameters
    ----------
    share, variance
        Estimated shares and their variances, same shape; NaN passes through.
    followed
        Units not stopped before, that shape.
    z
        Normal quantile of the level.

    Returns
    -------
    low, high
        Arrays of that shape, inside 0..1, NaN where the share is NaN.

    Notes
    -----
    Dorey and Korn (1987), Effective sample sizes for confidence intervals for survival probabilities. Statistics in
    Medicine 6, 679-687.
    """
    inner = (variance > 0) & (share > 0) & (share < 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        units = np.where(inner, share * (1.0 - share) / variance, followed.astype(np.float64))
    units = np.maximum(units, 1e-12)
    low, high = wilson_bounds(share * units, units, z)
    nothing = np.isnan(share)
    # A share that is 1 up to rounding keeps the upper end 1 (and 0 the lower end 0).
    low = np.where(share <= 0, 0.0, np.minimum(low, share))
    high = np.where(share >= 1, 1.0, np.maximum(high, share))
    return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)
