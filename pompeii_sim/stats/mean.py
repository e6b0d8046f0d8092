"""Student's interval for a mean, from a sample or from its sums."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pompeii_sim.stats.checks import check_count, check_level, check_number, check_sample
from pompeii_sim.stats.estimate import Estimate

CONSTANT = (
    "constant sample: no spread seen, so the interval has no width and says nothing about the risk of another value"
)
SINGLE = "one unit: its spread is unknown, so there is no interval"


def t_mean(values: ArrayLike, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate a mean with Student's interval from the sample itself.

    Parameters
    ----------
    values
        Sample of shape ``(n,)``, one number a unit.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``t``; value None when the sample is empty, no interval when it has one unit,
        an interval of width 0 with a note when it is constant.

    Raises
    ------
    ValueError
        When `values` holds NaN or infinities or has not one dimension, or `level` is not in (0, 1).

    Notes
    -----
    Student (1908), The probable error of a mean. Biometrika 6.
    """
    array = np.asarray(values)
    if array.ndim == 1 and array.size and array.dtype.kind in "iu":
        largest = max(abs(int(array.min())), abs(int(array.max())))
        if largest * largest * array.size < 2**62:  # exact in int64
            whole = array.astype(np.int64, copy=False)
            return t_mean_from_sums(
                whole.size, int(whole.sum()), int(np.dot(whole, whole)), level=level, expected=expected
            )
    sample = check_sample("values", array)
    n = sample.size
    if n == 0:
        return _interval(0, 0.0, 0.0, level, expected)
    first = float(sample[0])
    deviations = sample - first
    shift = float(deviations.mean())
    deviations -= shift
    return _interval(n, first + shift, float(deviations @ deviations), level, expected)


def t_mean_from_sums(
    n: int, total: float, squares: float, *, level: float = 0.95, expected: float | None = None
) -> Estimate:
    """Estimate a mean with Student's interval from the number of units, their sum and sum of squares.

    Whole numbers are worked exactly. With floating sums the spread loses digits when it is tiny beside the
    mean; subtract a constant from every unit before summing in that case.

    Parameters
    ----------
    n, total, squares
        Number of units, their sum, and the sum of their squares.
    level
        Confidence level.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``t``, as `t_mean` gives it.

    Raises
    ------
    ValueError
        When an argument is negative where it must not be, not finite, or when no sample can have these sums.
    """
    count = check_count("n", n)
    check_number("total", total)
    if check_number("squares", squares) < 0:
        raise ValueError(f"squares must not be negative, got {squares!r}")
    if count == 0:
        if total != 0 or squares != 0:
            raise ValueError(f"total and squares must be 0 when n is 0, got {total!r} and {squares!r}")
        return _interval(0, 0.0, 0.0, level, expected)
    mean, spread = spread_from_sums(count, total, squares)
    return _interval(count, mean, spread, level, expected)


def spread_from_sums(n: int, total: float, squares: float) -> tuple[float, float]:
    """Return the mean and the sum of squared deviations of `n` units (above 0) from their sum and sum of squares.

    Raises
    ------
    ValueError
        When no sample can have these sums.
    """
    exact_total, exact_squares = _exact(total), _exact(squares)
    spread = exact_squares - exact_total * exact_total / n
    # Sums added up in float64 may miss the truth by rounding; below that the spread is taken as none.
    rounding = Fraction(0) if _whole(total) and _whole(squares) else exact_squares * Fraction(1, 10**12)
    if spread < -rounding:
        raise ValueError(f"squares is too small for total: no {n} units can sum to {total!r} with squares {squares!r}")
    if spread <= rounding:
        spread = Fraction(0)
    return float(exact_total / n), float(spread)


def _exact(number: float) -> Fraction:
    return Fraction(int(number)) if isinstance(number, int | np.integer) else Fraction(float(number))


def _whole(number: float) -> bool:
    # Above 2**53 not every whole number has a float of its own, so such a sum may be rounded.
    return isinstance(number, int | np.integer) or (float(number).is_integer() and abs(number) < 2**53)


def _interval(n: int, mean: float, spread: float, level: float, expected: float | None) -> Estimate:
    """Make the Estimate from the mean and the sum of squared deviations."""
    check_level(level)
    value: float | None = mean
    low: float | None = None
    high: float | None = None
    note: str | None = None
    if n == 0:
        value, note = None, "no units"
    elif n == 1:
        note = SINGLE
    elif spread == 0.0:
        low = high = mean
        note = CONSTANT
    else:
        half = -float(special.stdtrit(n - 1, (1.0 - level) / 2.0)) * math.sqrt(spread / (n - 1) / n)
        low, high = mean - half, mean + half
    return Estimate(value=value, low=low, high=high, n=n, level=level, method="t", expected=expected, note=note)
