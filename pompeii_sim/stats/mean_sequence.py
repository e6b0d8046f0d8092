"""Confidence sequence for the mean of a bounded number: an empirical-Bernstein interval valid at every look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.bernstein import bernstein_radius
from pompeii_sim.stats.checkpoints import check_checkpoints
from pompeii_sim.stats.checks import check_count, check_level, check_number, check_sample
from pompeii_sim.stats.estimate import Estimate

METHOD = "empirical-bernstein"
TUNING = 5.0
"""Tightest for some thousands to some hundred thousand units whose spread is a tenth of the range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedSums:
    """What a growing run has to remember for `anytime_mean`: three numbers.

    Parameters
    ----------
    low, high
        Smallest and largest possible value of a unit.
    n
        Units so far.
    total
        Their sum.
    variation
        Sum of squared differences between each unit and its prediction from the units before it.
    """

    low: float
    high: float
    n: int = 0
    total: float = 0.0
    variation: float = 0.0

    def __post_init__(self) -> None:
        check_number("low", self.low)
        check_number("high", self.high)
        if not self.low < self.high:
            raise ValueError(f"low must be less than high, got {self.low!r} and {self.high!r}")

    def add(self, values: ArrayLike) -> BoundedSums:
        """Return the sums after more units, each predicted from all units before it.

        Parameters
        ----------
        values
            The next units in the order of the run, shape ``(m,)``.

        Raises
        ------
        ValueError
            When a value is NaN or outside the bounds.
        """
        sample = self._check(values)
        if sample.size == 0:
            return self
        before = np.cumsum(sample)
        total = self.total + float(before[-1])
        before -= sample
        before += self.total + (self.low + self.high) / 2.0
        before /= np.arange(self.n + 1, self.n + 1 + sample.size)
        before -= sample
        return BoundedSums(
            low=self.low,
            high=self.high,
            n=self.n + sample.size,
            total=total,
            variation=self.variation + float(before @ before),
        )

    def add_block(self, n: int, total: float, squares: float) -> BoundedSums:
        """Return the sums after a block of units known by its sums; all are predicted from the blocks before it.

        For runs that keep only sums a block. Blocks must be fixed beforehand; the first one costs a little width.

        Parameters
        ----------
        n, total, squares
            Units in the block, their sum and the sum of their squares.

        Raises
        ------
        ValueError
            When the sums cannot come from units within the bounds.
        """
        count = check_count("n", n)
        check_number("total", total)
        check_number("squares", squares)
        if count == 0:
            return self
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        if not self.low - slack <= total / count <= self.high + slack:
            raise ValueError(f"total must lie within the bounds, got a mean of {total / count!r}")
        prediction = (self.total + (self.low + self.high) / 2.0) / (self.n + 1)
        spread = float(squares) - 2.0 * prediction * float(total) + count * prediction * prediction
        if spread < -slack * count * max(1.0, abs(self.low), abs(self.high)):
            raise ValueError(f"squares is too small for total: {squares!r}")
        return BoundedSums(
            low=self.low,
            high=self.high,
            n=self.n + count,
            total=self.total + float(total),
            variation=self.variation + max(spread, 0.0),
        )

    def _check(self, values: ArrayLike) -> NDArray[np.float64]:
        sample = check_sample("values", values)
        if sample.size and (sample.min() < self.low or sample.max() > self.high):
            raise ValueError(f"values must lie within {self.low!r}..{self.high!r}")
        return sample


def anytime_mean(sums: BoundedSums, *, level: float = 0.95, expected: float | None = None) -> Estimate:
    """Estimate the mean of a bounded number with an interval that holds at all looks at once.

    Adapts to the spread actually seen, needs no more than the bounds, and covers the average of the units' means when
    those differ by arrangement (look at multiples of the arrangements).

    Parameters
    ----------
    sums
        What the run has seen so far.
    level
        Confidence level over all looks together.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``empirical-bernstein``, valid ``anytime``; value None with a note when there are no units.

    Raises
    ------
    ValueError
        When `level` is not in (0, 1).

    Notes
    -----
    Howard, Ramdas, McAuliffe and Sekhon (2021), Annals of Statistics 49, theorem 4. The idea of predictable plug-ins is
    shared with Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting. JRSS B 86.
    """
    return _estimates([sums], level, expected)[0]


def mean_sequence(
    values: ArrayLike,
    checkpoints: ArrayLike,
    *,
    bounds: tuple[float, float],
    level: float = 0.95,
    expected: float | None = None,
) -> list[Estimate]:
    """Estimate a bounded mean at each checkpoint of a run, from its values in order.

    Parameters
    ----------
    values
        One number a unit, in the order of the run, shape ``(n,)``.
    checkpoints
        Numbers of units after which to look, increasing, at most n.
    bounds
        Smallest and largest possible value.
    level, expected
        As in `anytime_mean`.

    Returns
    -------
    list of Estimate
        One a checkpoint.

    Raises
    ------
    ValueError
        When a value is NaN or outside the bounds, or checkpoints do not increase within 0..n.
    """
    sample = check_sample("values", values)
    looks = check_checkpoints(checkpoints, sample.size)
    sums = BoundedSums(low=bounds[0], high=bounds[1])
    seen, start = [], 0
    for end in looks.tolist():
        sums = sums.add(sample[start:end])
        seen.append(sums)
        start = end
    return _estimates(seen, level, expected)


def _estimates(seen: list[BoundedSums], level: float, expected: float | None) -> list[Estimate]:
    check_level(level)
    widths = np.array([sums.high - sums.low for sums in seen])
    variation = np.array([sums.variation for sums in seen]) / widths**2
    units = np.array([max(sums.n, 1) for sums in seen], dtype=np.int64)
    radii = widths * bernstein_radius(variation, units, level, TUNING)
    common: dict[str, Any] = {"level": level, "method": METHOD, "expected": expected, "valid": "anytime"}
    out = []
    for sums, width, radius in zip(seen, widths.tolist(), radii.tolist(), strict=True):
        if sums.n == 0:
            out.append(Estimate(value=None, low=None, high=None, n=0, note="no units", **common))
            continue
        value = sums.total / sums.n
        note = "too few units: the interval is all that is possible" if radius >= width else None
        low, high = max(sums.low, value - radius), min(sums.high, value + radius)
        out.append(Estimate(value=value, low=low, high=high, n=sums.n, note=note, **common))
    return out
