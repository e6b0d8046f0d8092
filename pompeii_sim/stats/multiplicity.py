"""Many tests at once: Holm for a few planned contrasts, Benjamini and Hochberg for long tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.checks import check_sample


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FalseDiscovery:
    """Which rows of a table stand out, and how many would by chance.

    Parameters
    ----------
    adjusted
        Adjusted p-values, shape ``(m,)``: the smallest rate at which the row is flagged.
    flagged
        Rows with an adjusted p-value of at most `rate`.
    rate
        The false discovery rate asked for.
    expected_by_chance
        ``m * rate``: flags expected if every row were pure chance and p-values were compared with `rate` as they are.
    expected_false
        ``rate * flags``: most of the actual flags that are expected to be false.
    """

    adjusted: NDArray[np.float64]
    flagged: NDArray[np.bool_]
    rate: float
    expected_by_chance: float
    expected_false: float


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values: the chance of even one false claim stays at the level.

    Parameters
    ----------
    p_values
        Shape ``(m,)``, each in 0..1.

    Returns
    -------
    ndarray
        Adjusted p-values in the order given, float64.

    Raises
    ------
    ValueError
        When a p-value is NaN or outside 0..1.

    Notes
    -----
    Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6.
    """
    p = _check(p_values)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    out = np.empty_like(p)
    out[order] = np.minimum(steps, 1.0)
    return out


def benjamini_hochberg(p_values: ArrayLike, *, rate: float = 0.05) -> FalseDiscovery:
    """Return adjusted p-values and flags that keep the expected share of false flags at `rate`.

    Parameters
    ----------
    p_values
        Shape ``(m,)``, each in 0..1.
    rate
        False discovery rate in (0, 1).

    Returns
    -------
    FalseDiscovery
        Adjusted p-values, flags and the number of flags chance alone would give.

    Raises
    ------
    ValueError
        When a p-value is NaN or outside 0..1, or `rate` is not in (0, 1).

    Notes
    -----
    Benjamini and Hochberg (1995), Controlling the false discovery rate. JRSS B 57, 289-300.
    """
    p = _check(p_values)
    if not 0.0 < rate < 1.0:
        raise ValueError(f"rate must lie strictly between 0 and 1, got {rate!r}")
    m = p.size
    order = np.argsort(p, kind="stable")
    steps = p[order] * m / np.arange(1, m + 1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    flagged = adjusted <= rate
    return FalseDiscovery(
        adjusted=adjusted,
        flagged=flagged,
        rate=rate,
        expected_by_chance=m * rate,
        expected_false=rate * int(flagged.sum()),
    )


def _check(p_values: ArrayLike) -> NDArray[np.float64]:
    p = check_sample("p_values", p_values)
    if p.size and (p.min() < 0.0 or p.max() > 1.0):
        raise ValueError("p_values must lie in 0..1")
    return p
