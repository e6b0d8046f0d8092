"""Clopper and Pearson's exact interval for a proportion."""

from __future__ import annotations

from scipy import special

from pompeii_sim.stats.checks import check_level, check_successes
from pompeii_sim.stats.estimate import Estimate


def clopper_pearson(successes: int, n: int, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate a proportion with the exact interval: its coverage is never below `level`.

    Wider than Wilson's; for rare things (errors, caps) and promises that must hold.

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
        Method ``clopper-pearson``; value None with a note when `n` is 0.

    Raises
    ------
    ValueError
        When a count is negative or not whole, `successes` exceeds `n`, or `level` is not in (0, 1).

    Notes
    -----
    Clopper and Pearson (1934), The use of confidence or fiducial limits. Biometrika 26.
    """
    count, total = check_successes("successes", successes, "n", n)
    tail = (1.0 - check_level(level)) / 2.0
    method = "clopper-pearson"
    if total == 0:
        return Estimate(
            value=None, low=None, high=None, n=0, level=level, method=method, expected=expected, note="no units"
        )
    low = 0.0 if count == 0 else float(special.betaincinv(count, total - count + 1, tail))
    high = 1.0 if count == total else float(special.betainccinv(count + 1, total - count, tail))
    return Estimate(value=count / total, low=low, high=high, n=total, level=level, method=method, expected=expected)
