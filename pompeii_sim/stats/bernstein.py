"""Empirical-Bernstein boundary: how far a sum may stray at any time, given its observed variation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.stats.roots import bisect


def bernstein_radius(
    variation: NDArray[np.float64], n: NDArray[np.int64], level: float, tuning: float
) -> NDArray[np.float64]:
    """Return the two-sided radius of a mean of terms that fall at most 1 below (rise at most 1 above) their prediction.

    Parameters
    ----------
    variation
        Sum of squared differences between the terms and their predictions, shape ``(k,)``.
    n
        Number of terms, above 0, that shape.
    level
        Confidence level over all looks together.
    tuning
        Positive; the boundary is tightest when `variation` is some tens of times it.

    Returns
    -------
    ndarray
        Radius of the mean, float64, that shape; infinite where the boundary cannot be reached.

    Notes
    -----
    Howard, Ramdas, McAuliffe and Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence sequences. Annals
    of Statistics 49, 1055-1080: theorem 4 with the gamma-exponential mixture of proposition 9. The inequality under
    it, exp(lambda x - psi(lambda) x^2) <= 1 + lambda x for x >= -1, is due to Fan, Grama and Liu (2015), Exponential
    inequalities for martingales. Electronic Journal of Probability 20.
    """
    limit = np.log(2.0 / (1.0 - level))
    shape = variation + tuning
    constant = (
        tuning * np.log(tuning) - special.gammaln(tuning) - np.log(special.gammainc(tuning, tuning))
    ) + special.gammaln(shape)

    def kept(total: NDArray[np.float64]) -> NDArray[np.bool_]:
        point = total + shape
        log_mixture = constant + np.log(special.gammainc(shape, point)) - shape * np.log(point) + total + variation
        return np.asarray(log_mixture < limit)

    # A sum of n terms cannot stray further than 2n.
    far = 2.0 * n.astype(np.float64)
    reached = kept(far)
    radius = bisect(kept, np.zeros_like(far), far) / n
    return np.where(reached, np.inf, radius)
