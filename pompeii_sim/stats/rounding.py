"""Estimates for people: how many digits an interval leaves worth telling."""

from __future__ import annotations

import math

from pompeii_sim.stats.estimate import Estimate

MOST_ROUNDED = 0.2
"""A difference that rounding would change by more than this share of itself is told with one digit more."""


def person(estimate: Estimate, *, percent: bool = False) -> str:
    """Return an Estimate for people: value and interval, rounded to the first digit of its error (two after a 1).

    Parameters
    ----------
    estimate
        What is told.
    percent
        Whether it is a share, told in percent.
    """
    if estimate.value is None:
        return "none"
    scale, unit = (100.0, "%") if percent else (1.0, "")
    numbers = [v for v in (estimate.value, estimate.low, estimate.high) if v is not None]
    if not percent and len(numbers) == 3 and all(v == int(v) for v in numbers):  # a quantile of whole numbers
        value, low, high = (f"{v:.0f}" for v in numbers)
        return f"{value} [{low}, {high}]"
    if estimate.low is None or estimate.high is None:
        return f"{fixed(estimate.value * scale, 3)}{unit}"
    half = (estimate.high - estimate.low) / 2 * scale
    digits = 3 if half <= 0 else digits_of(half)
    value, low, high = (fixed(v * scale, digits) for v in (estimate.value, estimate.low, estimate.high))
    return f"{value}{unit} [{low}, {high}]"


def person_difference(difference: Estimate, *, rate: bool, signed: bool = True) -> str:
    """Return a difference for people: in points for a rate, else in the metric's own unit.

    Parameters
    ----------
    difference
        What is told.
    rate
        Whether it is one of shares.
    signed
        With its sign; else only how large it is, for a sentence that says ``lower by``.
    """
    if difference.value is None:
        return "none"
    unit, factor = (" points", 100.0) if rate else ("", 1.0)
    turned = -factor if not signed and difference.value < 0 else factor
    value = difference.value * turned
    if difference.low is None or difference.high is None:
        text = fixed(value, 3)
        return f"{'+' if signed and float(text) > 0 else ''}{text}{unit}"
    low, high = sorted((difference.low * turned, difference.high * turned))
    digits = digits_of((high - low) / 2) if high > low else 3
    while digits < 9 and any(end != 0 and float(fixed(end, digits)) == 0 for end in (low, high)):
        digits += 1  # an interval that leaves zero out is not told as one that begins there
    if digits < 9 and abs(float(fixed(value, digits)) - value) > MOST_ROUNDED * abs(value):
        digits += 1
    text = fixed(value, digits)
    unit = " point" if rate and text in ("1", "-1") else unit
    sign = "+" if signed and float(text) > 0 else ""
    return f"{sign}{text}{unit} [{fixed(low, digits)}, {fixed(high, digits)}]"


def digits_of(half: float) -> int:
    """Return how many decimals an interval of this half-width leaves worth telling."""
    power = math.floor(math.log10(half))
    if half / 10**power < 2:
        power -= 1
    return min(max(0, -power), 9)


def fixed(value: float, digits: int) -> str:
    """Return a number with so many decimals, and zero without a sign."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
