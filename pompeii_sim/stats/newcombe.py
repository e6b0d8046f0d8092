"""Newcombe's interval for the difference of two proportions from separate samples."""

from __future__ import annotations

import math

from pompeii_sim.stats.checks import check_level, check_successes
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.wilson import wilson


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
    one = wilson(count, total, level=level)
    base = wilson(base_count, base_total, level=level)
    assert one.value is not None and one.low is not None and one.high is not None
    assert base.value is not None and base.low is not None and base.high is not None
    difference = one.value - base.value
    return Estimate(
        value=difference,
        low=max(-1.0, difference - math.hypot(one.value - one.low, base.high - base.value)),
        high=min(1.0, difference + math.hypot(one.high - one.value, base.value - base.low)),
        n=total + base_total,
        level=level,
        method="newcombe",
        expected=expected,
    )
