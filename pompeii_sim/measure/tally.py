"""Additive sums of one metric over independent units; whole numbers only, so that order never matters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FLOAT_SCALE = 1 << 20
"""Floating values are rounded to this fraction before they are summed (one millionth)."""

SHARE_SCALE = 840
"""A win shared by up to eight seats is a whole number of 1/840."""

_SAFE = 1 << 61


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over units (games, or deals) of y, what was counted, and x, how many games it was counted over.

    Parameters
    ----------
    units
        Units with x above 0.
    y, x, yy, xy, xx
        Sums of y, x, y², xy and x²; y in units of ``1 / scale``.
    scale
        What y is multiplied by to be whole.
    censored
        Counted games that were stopped before an end.
    negative
        Units with y below 0: a mean of values of which none is, is taken as one that cannot be.
    """

    units: int = 0
    y: int = 0
    x: int = 0
    yy: int = 0
    xy: int = 0
    xx: int = 0
    scale: int = 1
    censored: int = 0
    negative: int = 0

    def __add__(self, other: Tally) -> Tally:
        if self.scale != other.scale:
            raise ValueError(f"tallies of different scales: {self.scale} and {other.scale}")
        return Tally(
            self.units + other.units,
            self.y + other.y,
            self.x + other.x,
            self.yy + other.yy,
            self.xy + other.xy,
            self.xx + other.xx,
            self.scale,
            self.censored + other.censored,
            self.negative + other.negative,
        )

    def __sub__(self, other: Tally) -> Tally:
        """Take back what was added before."""
        return self + Tally(
            -other.units,
            -other.y,
            -other.x,
            -other.yy,
            -other.xy,
            -other.xx,
            other.scale,
            -other.censored,
            -other.negative,
        )


def add_up(
    y: NDArray[np.int64], counted: NDArray[np.bool_], deal: NDArray[np.int64] | None, scale: int, censored: int
) -> Tally:
    """Sum one metric over a batch of games.

    Parameters
    ----------
    y
        Value of each game times `scale`, shape ``(n,)``.
    counted
        Which games the metric is about, shape ``(n,)``.
    deal
        Deal of each game, ascending, when the deal is the unit; None when the game is. No deal may be split
        between two batches that are added.
    scale, censored
        See `Tally`.
    """
    if deal is None:
        kept = y[counted]
        n = len(kept)
        total = _sum(kept)
        return Tally(n, total, n, dot(kept, kept), total, n, scale, censored, _below_zero(kept))
    if len(y) == 0:
        return Tally(scale=scale)
    starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
    ys = np.add.reduceat(np.where(counted, y, 0), starts)
    xs = np.add.reduceat(counted.astype(np.int64), starts)
    return Tally(
        int(np.count_nonzero(xs)),
        _sum(ys),
        _sum(xs),
        dot(ys, ys),
        dot(ys, xs),
        dot(xs, xs),
        scale,
        censored,
        _below_zero(ys),
    )


def _below_zero(values: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(values < 0))


def _largest(values: NDArray[np.int64]) -> int:
    return max(int(values.max()), -int(values.min()), 1) if len(values) else 1


def _sum(values: NDArray[np.int64]) -> int:
    return int(values.sum()) if _largest(values) * max(1, len(values)) < _SAFE else sum(values.tolist())


def dot(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Return the exact scalar product, in plain integers where 64 bits might not do."""
    if _largest(a) * _largest(b) * max(1, len(a)) < _SAFE:
        return int(a @ b)
    return sum(p * q for p, q in zip(a.tolist(), b.tolist(), strict=True))
