"""Confidence sequence for a rate: an interval that may be looked at as often as one likes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pompeii_sim.stats.checkpoints import check_checkpoints
from pompeii_sim.stats.checks import check_flags, check_level, check_successes
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.roots import bisect

METHOD = "beta-mixture"
CONCENTRATION = 50.0
"""Sum of the parameters of the mixing beta distribution, which is centred at the rate tested. Fifty is tight from some
hundreds of units to millions; anything smaller costs width there, anything larger costs it early."""


def anytime_rate(successes: int, n: int, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate a rate with an interval that holds at all looks at once.

    The promise: with probability at least `level` the interval covers the true rate at every n of a growing run, so
    stopping at any moment for any reason keeps it true. It depends on the counts alone, not on earlier looks. When the
    rate differs by arrangement, look at multiples of the arrangements; the average rate is then covered.

    Parameters
    ----------
    successes, n
        Successes among the first `n` units of the run.
    level
        Confidence level over all looks together.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``beta-mixture``, valid ``anytime``; value None with a note when `n` is 0.

    Raises
    ------
    ValueError
        When a count is negative or not whole, `successes` exceeds `n`, or `level` is not in (0, 1).

    Notes
    -----
    Robbins (1970), Statistical methods related to the law of the iterated logarithm. Annals of Mathematical Statistics
    41. Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics 49: the two-sided beta-binomial mixture, with
    the exact likelihood.
    """
    count, total = check_successes("successes", successes, "n", n)
    return _estimates(np.array([count]), np.array([total]), level, expected)[0]


def rate_sequence(
    outcomes: ArrayLike, checkpoints: ArrayLike, *, level: float = 0.95, expected: float | None = None
) -> list[Estimate]:
    """Estimate a rate at each checkpoint of a run, from its outcomes in order.

    Parameters
    ----------
    outcomes
        True or false (1 or 0) a unit, in the order of the run, shape ``(n,)``.
    checkpoints
        Numbers of units after which to look, increasing, at most n.
    level, expected
        As in `anytime_rate`.

    Returns
    -------
    list of Estimate
        One a checkpoint, as `anytime_rate` gives it.

    Raises
    ------
    ValueError
        When outcomes are anything but true and false, or checkpoints do not increase within 0..n.
    """
    size = np.asarray(outcomes).size
    flags = check_flags("outcomes", outcomes, size)
    looks = check_checkpoints(checkpoints, size)
    edges = [0, *looks.tolist()]
    parts = [np.count_nonzero(flags[start:end]) for start, end in itertools.pairwise(edges)]
    return _estimates(np.cumsum(parts, dtype=np.int64), looks, level, expected)


def _estimates(
    successes: NDArray[np.int64], n: NDArray[np.int64], level: float, expected: float | None
) -> list[Estimate]:
    low, high = rate_bounds(successes, n, level)
    out = []
    common: dict[str, Any] = {"level": level, "method": METHOD, "expected": expected, "valid": "anytime"}
    for count, total, lower, upper in zip(successes.tolist(), n.tolist(), low.tolist(), high.tolist(), strict=True):
        if total == 0:
            out.append(Estimate(value=None, low=None, high=None, n=0, note="no units", **common))
        else:
            out.append(Estimate(value=count / total, low=lower, high=upper, n=total, **common))
    return out


def rate_bounds(
    successes: NDArray[np.int64], n: NDArray[np.int64], level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both ends for whole arrays of counts: the rates p whose mixture martingale is below 1/(1-level)."""
    limit = -np.log(1.0 - check_level(level))
    s, f = successes.astype(np.float64), (n - successes).astype(np.float64)
    whole = special.gammaln(CONCENTRATION + s + f) - special.gammaln(CONCENTRATION)

    def kept(p: NDArray[np.float64]) -> NDArray[np.bool_]:
        # At 0 and 1 a difference of infinities is NaN, which counts as not kept, rightly: such a rate is ruled out.
        with np.errstate(invalid="ignore"):
            log_martingale = _rise(s, CONCENTRATION * p) + _rise(f, CONCENTRATION * (1.0 - p)) - whole
            log_martingale -= special.xlogy(s, p) + special.xlog1py(f, -p)
            return np.asarray(log_martingale < limit)

    value = np.divide(s, s + f, out=np.full_like(s, 0.5), where=n > 0)
    return bisect(kept, value, np.zeros_like(value)), bisect(kept, value, np.ones_like(value))


def _rise(count: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log of start (start + 1) ... (start + count - 1)."""
    return np.asarray(special.gammaln(start + count) - special.gammaln(start))
