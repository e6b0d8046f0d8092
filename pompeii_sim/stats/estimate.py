"""The one object every number travels in: value, interval, n, level and method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval and how both were obtained.

    Parameters
    ----------
    value
        The point estimate, or None when there is nothing to estimate (see `note`).
    low, high
        Ends of the interval at `level`, or None when it cannot be given (see `note`).
    n
        Number of independent units behind the value (games, or deals for paired play).
    level
        Confidence level of the interval, in (0, 1).
    method
        Name of the method, such as ``wilson``.
    expected
        What chance alone would give (win shares), else None.
    valid
        ``fixed``: for a number of games chosen beforehand; ``anytime``: at every look.
    note
        Why a value or an interval is missing, or that the sample is constant.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    level: float
    method: str
    expected: float | None = None
    valid: Literal["fixed", "anytime"] = "fixed"
    note: str | None = None

    def __post_init__(self) -> None:
        for name in ("value", "low", "high", "expected"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"Estimate.{name} must be finite or None, got {number!r}")

    def to_json(self) -> dict[str, Any]:
        """Return the Estimate as a plain mapping; ``expected`` and ``note`` only where present."""
        out: dict[str, Any] = {
            "value": self.value, "low": self.low, "high": self.high, "n": self.n,
            "level": self.level, "method": self.method, "valid": self.valid,
        }  # fmt: skip
        if self.expected is not None:
            out["expected"] = self.expected
        if self.note is not None:
            out["note"] = self.note
        return out

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Estimate:
        """Rebuild an Estimate from `to_json`'s mapping."""
        return cls(**data)
