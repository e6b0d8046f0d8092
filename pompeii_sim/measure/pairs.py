"""Two settings on the same games: additive sums of each metric over pairs, and how many games took another course."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.measure.batch import game_values
from pompeii_sim.measure.columns import Columns
from pompeii_sim.measure.declare import Measures
from pompeii_sim.measure.tally import Tally, add_up, dot

_WHICH_GAME = frozenset({"cell", "game", "deal", "arrangement"})


@dataclass(frozen=True, slots=True)
class PairTally:
    """Sums over pairs of units (games, or deals): each setting's own, and the products between them.

    Parameters
    ----------
    base, other
        The sums of the setting compared with, and of the other one, over the same units.
    units
        Units that count in at least one of the two.
    yy, yx, xy, xx
        Sums of y·y, y·x, x·y and x·x, the base's factor first; see `Tally` for y and x.
    """

    base: Tally = field(default_factory=Tally)
    other: Tally = field(default_factory=Tally)
    units: int = 0
    yy: int = 0
    yx: int = 0
    xy: int = 0
    xx: int = 0

    def __add__(self, more: PairTally) -> PairTally:
        return PairTally(
            self.base + more.base,
            self.other + more.other,
            self.units + more.units,
            self.yy + more.yy,
            self.yx + more.yx,
            self.xy + more.xy,
            self.xx + more.xx,
        )


@dataclass(frozen=True, slots=True)
class PairSums:
    """All metrics' sums over some pairs of games; adding two is exact in any order.

    Parameters
    ----------
    games
        Pairs of games, those with a failed game included.
    failed
        Pairs in which at least one game failed; they are in nothing else.
    diverged
        Pairs whose games differ in any stored number.
    tallies
        By metric name and label, for the labels that both settings have.
    """

    games: int = 0
    failed: int = 0
    diverged: int = 0
    tallies: dict[str, dict[str, PairTally]] = field(default_factory=dict)

    def __add__(self, more: PairSums) -> PairSums:
        tallies = dict(self.tallies or more.tallies)
        if self.tallies and more.tallies:
            tallies = {
                name: {label: tally + more.tallies[name][label] for label, tally in labels.items()}
                for name, labels in self.tallies.items()
            }
        return PairSums(self.games + more.games, self.failed + more.failed, self.diverged + more.diverged, tallies)


def measure_pairs(
    base: pl.DataFrame | NDArray[Any],
    other: pl.DataFrame | NDArray[Any],
    base_measures: Measures,
    other_measures: Measures,
) -> PairSums:
    """Sum every metric over a batch of games played in two settings.

    Parameters
    ----------
    base, other
        Rows of the same games in the same order (flat columns, or as the kernel writes them); whole deals when the
        deal is the unit.
    base_measures, other_measures
        What to measure in each: the same metrics, with the same unit.

    Returns
    -------
    PairSums
        Exact, so that batches of any size add up to the same.

    Raises
    ------
    ValueError
        When the rows are not of the same games in the same arrangements, or the metrics differ in kind.
    """
    a, b = Columns(base), Columns(other)
    for name in ("game", "deal", "arrangement"):
        if a.n != b.n or not np.array_equal(a.flat(name), b.flat(name)):
            raise ValueError(f"the two batches are not of the same games: column {name!r} differs")
    if base_measures.by_deal != other_measures.by_deal:
        raise ValueError("one setting has the deal as its unit, the other the game")
    fine = (a.flat("error") == 0) & (b.flat("error") == 0)
    deal = a.flat("deal") if base_measures.by_deal else None
    tallies: dict[str, dict[str, PairTally]] = {}
    known = {metric.name: metric for metric in other_measures.metrics}
    for metric in base_measures.metrics:
        if metric.name not in known:
            continue
        a_counted, scale, a_values = game_values(a, metric, base_measures)
        b_counted, b_scale, b_values = game_values(b, known[metric.name], other_measures)
        if scale != b_scale:
            raise ValueError(f"metric {metric.name!r} is not of the same kind in both settings")
        tallies[metric.name] = {
            label: _add_up((y, a_counted & fine), (b_values[label], b_counted & fine), deal, scale)
            for label, y in a_values.items()
            if label in b_values
        }
    return PairSums(a.n, a.n - int(np.count_nonzero(fine)), int(np.count_nonzero(_diverged(a, b) & fine)), tallies)


def _diverged(a: Columns, b: Columns) -> NDArray[np.bool_]:
    """Return in which games any number that both store differs."""
    out = np.zeros(a.n, np.bool_)
    there = set(b.names) - _WHICH_GAME
    for name in a.names:
        if name in there:
            one, two = a.flat(name), b.flat(name)
            out |= (one != two) & ~((one != one) & (two != two))  # NaN is the same as NaN
    return out


_Side = tuple[NDArray[np.int64], NDArray[np.bool_]]


def _add_up(base: _Side, other: _Side, deal: NDArray[np.int64] | None, scale: int) -> PairTally:
    """Sum one metric over pairs; see `add_up` for the arguments of each side."""
    (ya, xa), (yb, xb) = _units(*base, deal), _units(*other, deal)
    return PairTally(
        base=add_up(*base, deal, scale, 0),
        other=add_up(*other, deal, scale, 0),
        units=int(np.count_nonzero(xa + xb)),
        yy=dot(ya, yb),
        yx=dot(ya, xb),
        xy=dot(xa, yb),
        xx=dot(xa, xb),
    )


def _units(
    y: NDArray[np.int64], counted: NDArray[np.bool_], deal: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return y and x of each unit."""
    kept, number = np.where(counted, y, 0), counted.astype(np.int64)
    if deal is None or len(y) == 0:
        return kept, number
    starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
    return np.add.reduceat(kept, starts), np.add.reduceat(number, starts)
