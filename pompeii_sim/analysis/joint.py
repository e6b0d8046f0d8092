"""Sums over the deals that cells share: what a comparison pair by pair needs, in one reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.aligned import Place, aligned, check_shared
from pompeii_sim.analysis.wanted import Wanted
from pompeii_sim.measure import Measures, PairTally, paired_difference
from pompeii_sim.measure.batch import game_values
from pompeii_sim.measure.columns import Columns
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import Tally, add_up, dot
from pompeii_sim.stats.estimate import Estimate

RESULT = ("ended_by", "winners", "rounds", "decisions", "forced", "score")
"""Columns that tell whether a game went another way."""


@dataclass(slots=True, kw_only=True)
class Joint:
    """One number in k cells over their common deals.

    Parameters
    ----------
    wanted, measures
        What was summed, and how in each cell.
    pairs
        Sums over pairs of cells by their places ``(base, other)``, base before other: the unit is the deal, of which
        each cell has one game, or all its games in duplicate play.
    """

    wanted: Wanted
    measures: list[Measures]
    pairs: dict[tuple[int, int], PairTally] = field(default_factory=dict)

    @property
    def by_deal(self) -> bool:
        """Whether a unit holds several games."""
        return self.measures[0].by_deal

    def add(self, rows: Sequence[pl.DataFrame]) -> None:
        """Take in a batch: each cell's games of the same deals."""
        sides = [self._side(frame, measures) for frame, measures in zip(rows, self.measures, strict=True)]
        for at, base in enumerate(sides):
            for then, other in enumerate(sides[at + 1 :], start=at + 1):
                pair = PairTally(
                    base=base.tally,
                    other=other.tally,
                    units=int(np.count_nonzero(base.x + other.x)),
                    yy=dot(base.y, other.y),
                    yx=dot(base.y, other.x),
                    xy=dot(base.x, other.y),
                    xx=dot(base.x, other.x),
                )
                before = self.pairs.get((at, then))
                self.pairs[at, then] = pair if before is None else before + pair

    def _side(self, frame: pl.DataFrame, measures: Measures) -> _Side:
        counted, scale, values = game_values(Columns(frame), self.wanted.metric, measures)
        y = np.where(counted, values[self.wanted.label], 0)
        x = counted.astype(np.int64)
        deal = frame["deal"].to_numpy() if measures.by_deal else None
        tally = add_up(y, counted, deal, scale, 0)
        if deal is not None:
            starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
            y, x = np.add.reduceat(y, starts), np.add.reduceat(x, starts)
        return _Side(y, x, tally)

    def pair(self, base: int, other: int) -> PairTally:
        """Return the sums of two cells, in either order."""
        if base < other:
            return self.pairs.get((base, other), PairTally())
        found = self.pairs.get((other, base), PairTally())
        return replace(found, base=found.other, other=found.base, yx=found.xy, xy=found.yx)

    def difference(self, base: int, other: int, level: float) -> Estimate:
        """Return the number in the other cell minus that in the base."""
        pair, metric = self.pair(base, other), self.wanted.metric
        sides = (pair.base, pair.other)
        if self.wanted.all_games and not self.by_deal and all(t.yy == t.y * t.scale for t in sides):
            pair, metric = _whole(pair), replace(metric, kind="rate")  # every game is won or not: a rate like any other
        return paired_difference(pair, metric, by_deal=self.by_deal, level=level)

    def tally(self, at: int) -> Tally:
        """Return one cell's own sums over the common deals."""
        return self.pair(0, at).other if at else self.pair(0, 1).base

    def estimate(self, at: int, level: float) -> Estimate:
        """Return one cell's own Estimate over the common deals."""
        metric, measures = self.wanted.metric, self.measures[at]
        return estimate(
            self.tally(at),
            kind=metric.kind,
            by_deal=self.by_deal,
            expected=None if self.wanted.all_games else measures.expected(metric, self.wanted.label),
            bounds=metric.bounds,
            level=level,
        )

    def ratios(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return each cell's value, shape ``(k,)``, and their covariance, ``(k, k)``; NaN where nothing was counted.

        The covariance is that of ratios of sums over deals (linearised; Cochran 1977, section 6.3): where every deal
        counts one game in every cell it is the sample covariance of the values, divided by their number.
        """
        k = len(self.measures)
        value, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
        for i in range(k):
            one = self.tally(i)
            if one.x == 0:
                continue
            ratio = Fraction(one.y, one.x)
            value[i] = float(ratio / one.scale)
            for j in range(k):
                two = self.tally(j)
                if two.x == 0:
                    continue
                pair, other = self.pair(i, j), Fraction(two.y, two.x)
                n = pair.units
                if i == j:
                    n, spread = one.units, one.yy - 2 * ratio * one.xy + ratio * ratio * one.xx
                else:
                    spread = pair.yy - other * pair.yx - ratio * pair.xy + ratio * other * pair.xx
                if n > 1:
                    covariance[i, j] = float(spread * Fraction(n, (n - 1) * one.x * two.x)) / one.scale**2
        return value, covariance


@dataclass(frozen=True, slots=True)
class _Side:
    """A cell's y and x of each deal of a batch, and their sums."""

    y: NDArray[np.int64]
    x: NDArray[np.int64]
    tally: Tally


def _whole(pair: PairTally) -> PairTally:
    """Return the sums of values that are 0 or 1 as such."""
    scale = pair.base.scale

    def side(tally: Tally) -> Tally:
        return replace(tally, y=tally.y // scale, yy=tally.y // scale, xy=tally.xy // scale, scale=1)

    yy, yx, xy = pair.yy // scale**2, pair.yx // scale, pair.xy // scale
    return replace(pair, base=side(pair.base), other=side(pair.other), yy=yy, yx=yx, xy=xy)


@dataclass(slots=True, kw_only=True)
class Common:
    """What cells have in common.

    Parameters
    ----------
    numbers
        One `Joint` for each number wanted.
    deals, dropped
        Deals that all cells have; of these, how many were left out because a game failed in one of them.
    games
        Games of the first cell that were counted.
    diverged
        Games of the first two cells that went another way, None where seats are not arranged alike.
    """

    numbers: list[Joint]
    deals: int = 0
    dropped: int = 0
    games: int = 0
    diverged: Tally | None = None


def common(places: Sequence[Place], wanted: Sequence[Wanted]) -> Common:
    """Sum numbers over the deals that cells share.

    Parameters
    ----------
    places
        The cells, at least two.
    wanted
        The numbers.

    Returns
    -------
    Common
        Sums; memory does not grow with the number of games.

    Raises
    ------
    InputError
        When the cells' deals are not the same.
    """
    check_shared(places)
    numbers = [Joint(wanted=w, measures=[w.measures(p.study, p.cell) for p in places]) for w in wanted]
    columns = []
    for at, place in enumerate(places):
        names = [n for name in ("arrangement", *RESULT) for n in place.study.in_use(place.cell, name)]
        names += [n for joint in numbers for n in place.study.needed(place.cell, joint.measures[at])]
        columns.append(list(dict.fromkeys(names)))
    out = Common(numbers=numbers, diverged=Tally())
    result = [n for name in RESULT for n in places[0].study.in_use(places[0].cell, name) if n in columns[1]]
    for batch in aligned(places, columns):
        rows = _without_failed(batch, out)
        if rows[0].height == 0:
            continue
        out.games += rows[0].height
        _compare(rows[0], rows[1], result, out, by_deal=places[0].study.by_deal)
        for joint in numbers:
            joint.add(rows)
    return out


def _without_failed(batch: list[pl.DataFrame], out: Common) -> list[pl.DataFrame]:
    """Drop deals in which a game failed in any cell."""
    out.deals += batch[0]["deal"].n_unique()
    if not any(frame["error"].to_numpy().any() for frame in batch):
        return batch
    failed = pl.concat([frame.filter(pl.col("error") != 0)["deal"] for frame in batch]).unique()
    out.dropped += len(failed)
    return [frame.filter(~pl.col("deal").is_in(failed.implode())) for frame in batch]


def _compare(first: pl.DataFrame, base: pl.DataFrame, result: Sequence[str], out: Common, *, by_deal: bool) -> None:
    """Count games that went another way, where the same seats sit alike in both cells."""
    alike = first.height == base.height and all(
        first[name].equals(base[name]) for name in ("deal", "arrangement", *_seats(first, base))
    )
    if out.diverged is None or not alike:
        out.diverged = None
        return
    other = np.zeros(first.height, np.bool_)
    for name in result:
        other |= first[name].to_numpy() != base[name].to_numpy()
    deal = first["deal"].to_numpy() if by_deal else None
    out.diverged = out.diverged + add_up(other.astype(np.int64), np.ones(first.height, np.bool_), deal, 1, 0)


def _seats(first: pl.DataFrame, base: pl.DataFrame) -> list[str]:
    return [name for name in first.columns if name.startswith("seat_spec") and name in base.columns]
