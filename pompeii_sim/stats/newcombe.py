"""Newcombe's interval for the difference of two proportions from separate samples."""

from __future__ import annotations

import math

import numpy as np

from pompeii_sim.stats.checks import check_level, check_successes, normal_quantile
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.wilson import wilson_bounds


def newcombe(
    successes: int,
    n: int,
    base_successes: int,
    base_n: int,
    *,
    level: float = 0.95,
    expected: float | None = None,
) -> Estimate:
    """Estimate ``successes/n - base_successes/base_n`` from two samples that share nothing.

    Combines the two Wilson intervals (Newcombe's method 10, no continuity correction). Not for paired games:
    see `tango`.

    Parameters
    ----------
    successes, n
        Successes and units of the sample looked at.
    base_successes, base_n
        Successes and units of the sample compared with.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``newcombe``, `n` the units of both samples; value None with a note when a sample is empty.

    Raises
    ------
    ValueError
        When a count is negative or not whole, successes exceed their total, or `level` is not in (0, 1).

    Notes
    -----
    Newcombe (1998), Interval estimation for the difference between independent proportions. Statistics in
    Medicine 17, 873-890.
    """
    count, total = check_successes("successes", successes, "n", n)
    base_count, base_total = check_successes("base_successes", base_successes, "base_n", base_n)
    check_level(level)
    if total == 0 or base_total == 0:
        note = "no units in the sample compared with" if total else "no units in the sample looked at"
        return Estimate(
            value=None,
            low=None,
            high=None,
            n=total + base_total,
            level=level,
            method="newcombe",
            expected=expected,
            note=note,
        )
    low, high = wilson_bounds(
        np.array([count, base_count], dtype=np.float64),
        np.array([total, base_total], dtype=np.float64),
        normal_quantile(level),
    )
    share, base_share = count / total, base_count / base_total
    difference = share - base_share
    return Estimate(
        value=difference,
        low=max(-1.0, difference - math.hypot(share - low[0], high[1] - base_share)),
        high=min(1.0, difference + math.hypot(high[0] - share, base_share - low[1])),
        n=total + base_total,
        level=level,
        method="newcombe",
        expected=expected,
    )
