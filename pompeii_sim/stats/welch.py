"""Welch's interval for the difference of two means from separate samples."""

from __future__ import annotations

import math

from scipy import special

from pompeii_sim.stats.checks import check_count, check_level, check_number
from pompeii_sim.stats.estimate import Estimate


def welch(
    mean: float,
    variance: float,
    n: int,
    base_mean: float,
    base_variance: float,
    base_n: int,
    *,
    level: float = 0.95,
    expected: float | None = None,
) -> Estimate:
    """Estimate ``mean - base_mean`` from two samples that share nothing and may spread differently.

    Parameters
    ----------
    mean, variance, n
        Mean, variance (divided by n - 1) and units of the sample looked at.
    base_mean, base_variance, base_n
        The same of the sample compared with.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``welch``, `n` the units of both samples; value None with a note when a sample is empty, no
        interval when a sample has one unit or neither spreads.

    Raises
    ------
    ValueError
        When a number is not finite, a variance negative, a count not whole, or `level` is not in (0, 1).

    Notes
    -----
    Welch (1947), The generalization of Student's problem when several different population variances are involved.
    Biometrika 34, 28-35; degrees of freedom by Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
    """
    count, base_count = check_count("n", n), check_count("base_n", base_n)
    check_level(level)
    for name, number in (("variance", variance), ("base_variance", base_variance)):
        if check_number(name, number) < 0:
            raise ValueError(f"{name} must not be negative, got {number!r}")
    value: float | None = check_number("mean", mean) - check_number("base_mean", base_mean)
    low: float | None = None
    high: float | None = None
    note: str | None = None
    if count == 0 or base_count == 0:
        value, note = None, "no units in one of the samples"
    elif count == 1 or base_count == 1:
        note = "one unit in one of the samples: its spread is unknown, so there is no interval"
    elif variance == 0 and base_variance == 0:
        note = "constant: no spread seen in either sample, so there is no interval"
    else:
        one, two = variance / count, base_variance / base_count
        freedom = (one + two) ** 2 / (one**2 / (count - 1) + two**2 / (base_count - 1))
        half = -float(special.stdtrit(freedom, (1.0 - level) / 2.0)) * math.sqrt(one + two)
        assert value is not None
        low, high = value - half, value + half
    return Estimate(
        value=value,
        low=low,
        high=high,
        n=count + base_count,
        level=level,
        method="welch",
        expected=expected,
        note=note,
    )
