"""A number for every round: the result of survival methods, handed out as Estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.stats.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """Values with intervals for rounds 0, 1, ..., T; arrays hold NaN where there is nothing to say.

    Parameters
    ----------
    rounds
        0..T, int64, shape ``(T + 1,)``.
    value, low, high, std_error
        Float64 arrays of that shape.
    n
        Units behind each value, int64, that shape.
    level, method, valid
        As in Estimate.
    missing
        Why a value is missing where it is NaN.
    beyond
        Whether the last value also holds for later rounds (a survival curve that has reached 0).
    """

    rounds: NDArray[np.int64]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    std_error: NDArray[np.float64]
    n: NDArray[np.int64]
    level: float
    method: str
    valid: Literal["fixed", "anytime"] = "fixed"
    missing: str = "nobody was followed that far"
    beyond: bool = False

    def at(self, round_: int) -> Estimate:
        """Return the Estimate of a round; value None with a note when nobody was followed that far.

        Parameters
        ----------
        round_
            A round, 0 or later.

        Raises
        ------
        ValueError
            When the round is negative.
        """
        if round_ < 0:
            raise ValueError(f"round_ must not be negative, got {round_!r}")
        last = self.rounds.size - 1
        if last < 0 or (round_ > last and not self.beyond):
            return self._nothing(0)
        return self._estimate(min(int(round_), last))

    def estimates(self) -> list[Estimate]:
        """Return one Estimate a round, in order."""
        return [self._estimate(i) for i in range(self.rounds.size)]

    def _estimate(self, index: int) -> Estimate:
        value = float(self.value[index])
        if not np.isfinite(value):
            return self._nothing(int(self.n[index]))
        low, high = float(self.low[index]), float(self.high[index])
        bounded = bool(np.isfinite(low) and np.isfinite(high))
        return Estimate(
            value=value,
            low=low if bounded else None,
            high=high if bounded else None,
            n=int(self.n[index]),
            level=self.level,
            method=self.method,
            valid=self.valid,
            note=None if bounded else "no interval at this round",
        )

    def _nothing(self, n: int) -> Estimate:
        return Estimate(
            value=None,
            low=None,
            high=None,
            n=n,
            level=self.level,
            method=self.method,
            valid=self.valid,
            note=self.missing,
        )
