"""Checks of arguments: every method refuses nonsense by a ValueError that names the argument."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special


def check_count(name: str, value: Any) -> int:
    """Return `value` as a non-negative integer.

    Parameters
    ----------
    name
        What the argument is called, for the message.
    value
        An integer, a NumPy integer, or a float without a fraction.

    Raises
    ------
    ValueError
        When it is negative, has a fraction, or is not finite.
    """
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a count, got {value!r}") from error
    if not math.isfinite(number) or number != math.floor(number):
        raise ValueError(f"{name} must be a whole number, got {value!r}")
    if number < 0:
        raise ValueError(f"{name} must not be negative, got {value!r}")
    return int(value)


def check_successes(name: str, successes: Any, n_name: str, n: Any) -> tuple[int, int]:
    """Return a count of successes and its total as integers; refuse more successes than the total."""
    count, total = check_count(name, successes), check_count(n_name, n)
    if count > total:
        raise ValueError(f"{name} must not be more than {n_name}, got {count} of {total}")
    return count, total


def check_level(level: float) -> float:
    """Return a confidence level after checking that it lies strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie strictly between 0 and 1, got {level!r}")
    return float(level)


def check_number(name: str, value: Any) -> float:
    """Return `value` as a finite float; refuse NaN and infinities."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return number


def check_sample(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return `values` as a one-dimensional float64 array without NaN or infinities."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {sample.shape}")
    # A sum is finite unless an element is not, or it overflows; only then look at each element.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = sample.size > 0 and not np.isfinite(sample.sum())
    if suspicious and not np.isfinite(sample).all():
        raise ValueError(f"{name} must not contain NaN or infinities")
    return sample


def check_whole(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return `values` as a one-dimensional array of non-negative whole numbers (int64)."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {array.shape}")
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind == "f":
        if not np.isfinite(array).all() or (array != np.floor(array)).any():
            raise ValueError(f"{name} must contain whole numbers only")
    elif array.dtype.kind not in "iub":
        raise ValueError(f"{name} must contain whole numbers, got dtype {array.dtype}")
    if array.min() < 0:
        raise ValueError(f"{name} must not contain negative numbers")
    return array.astype(np.int64, copy=False)


def check_flags(name: str, values: ArrayLike, size: int) -> NDArray[np.bool_]:
    """Return `values` as booleans (0 and 1 are taken too), one for each of `size` units."""
    array = np.asarray(values)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {array.shape}")
    if array.dtype.kind != "b" and not np.isin(array, (0, 1)).all():
        raise ValueError(f"{name} must contain true and false (or 1 and 0) only")
    return array.astype(np.bool_, copy=False)


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal lies within ±z with probability `level`."""
    return float(-special.ndtri((1.0 - check_level(level)) / 2.0))
