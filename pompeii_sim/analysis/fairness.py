"""Is every seat worth the same, and how much of the outcome is the deal?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.measure import Sums, estimates, measure
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import Metric

ALL = "all"
GROUPS = 50
"""Groups of deals that are left out in turn for the intervals of variance shares."""


def fairness(
    study: Study,
    *,
    start: str | None = None,
    bands: int = 3,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return each seat's win share, over all decided games and by how long they lasted.

    Parameters
    ----------
    study
        The run. Unless every kind of player sits in every seat equally often (``rotate``, ``duplicate``), a seat's
        share is also that of who sits there.
    start
        Column with the seat that plays first: then seats are counted from it. None takes seats as they are.
    bands
        Bands of length with about equally many decided games; 1 for all games only.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``seat`` (0-based, or places after the first player) and ``length`` (``all``, or rounds as ``3-8``); the
        Estimate of the win share with ``expected`` 1 ÷ seats; ``rounds_from`` and ``rounds_to``.
    """

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            limits = _bands(study, index, bands)
            metrics = [_share(ALL, None)] + [_share(str(n), ("band", "==", float(n))) for n in range(len(limits))]
            measures = study.measures(index, metrics)
            sums = Sums()
            for rows in study.batches(index, _needed(study, index, start)):
                sums = sums + measure(_prepared(rows, limits, start, len(study.kinds[index])), measures)
            made = estimates(sums, measures, level=level)
            for number, metric in enumerate(metrics):
                found = made[metric.name]
                assert isinstance(found, dict)
                low, high = (None, None) if number == 0 else limits[number - 1]
                length = ALL if number == 0 else f"{low}-{high}"
                for seat, estimate in found.items():
                    more = {"rounds_from": low, "rounds_to": high}
                    yield Line(index, {"seat": seat, "length": length}, estimate, more)

    more = {"rounds_from": pl.Int64, "rounds_to": pl.Int64}
    return tidy(study, lines(), {"seat": pl.String, "length": pl.String}, more)


def _share(name: str, where: tuple[str, str, float] | None) -> Metric:
    return Metric(name=name, title=name, kind="share", by="seat", where=where, definition="wins of a seat")


def _bands(study: Study, cell: int, bands: int) -> list[tuple[int, int]]:
    """Return bands of rounds that hold about equally many decided games, from the shortest to the longest game."""
    decided = [e.code for e in study.schema.ends if e.kind == "decided"]
    table = study.count(cell, rounds=pl.col("rounds"), end=pl.col("ended_by"))
    table = table.filter(pl.col("end").is_in(decided)).group_by("rounds").agg(pl.col("games").sum()).sort("rounds")
    if table.height == 0 or bands < 2:
        return []
    rounds, upto = table["rounds"].to_numpy(), np.cumsum(table["games"].to_numpy())
    ends = [int(rounds[np.searchsorted(upto, upto[-1] * (n + 1) / bands)]) for n in range(bands)]
    ends = list(dict.fromkeys(ends))
    starts = [int(rounds[0]), *(end + 1 for end in ends[:-1])]
    return list(zip(starts, ends, strict=True))


def _needed(study: Study, cell: int, start: str | None) -> list[str]:
    names = [
        n for name in ("seat_spec", "deal", "winners", "ended_by", "error", "rounds") for n in study.in_use(cell, name)
    ]
    return names if start is None else [*names, study.column(start)[0]]


def _prepared(rows: pl.DataFrame, limits: Sequence[tuple[int, int]], start: str | None, seats: int) -> pl.DataFrame:
    """Return rows with the band of their length, and winners counted from the first player."""
    band = pl.lit(-1)
    for number, (low, high) in enumerate(limits):
        band = pl.when(pl.col("rounds").is_between(low, high)).then(number).otherwise(band)
    rows = rows.with_columns(band=band)
    if start is None:
        return rows
    winners, first = rows["winners"].to_numpy().astype(np.int64), rows[start].to_numpy().astype(np.int64)
    turned = ((winners >> first) | (winners << (seats - first))) & ((1 << seats) - 1)
    return rows.with_columns(winners=pl.Series(turned))


@dataclass(slots=True)
class _Blocks:
    """Sums over groups of deals, for one outcome: what an analysis of variance needs."""

    arrangements: int
    deals: NDArray[np.float64] = field(init=False)
    squares: NDArray[np.float64] = field(init=False)
    means: NDArray[np.float64] = field(init=False)
    totals: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.deals, self.squares, self.means = np.zeros(GROUPS), np.zeros(GROUPS), np.zeros(GROUPS)
        self.totals = np.zeros((GROUPS, self.arrangements))

    def add(self, deal: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Take in whole deals: their numbers, and one value an arrangement, shape ``(deals, arrangements)``."""
        group = deal % GROUPS
        self.deals += np.bincount(group, minlength=GROUPS)
        self.squares += np.bincount(group, weights=(values**2).sum(axis=1), minlength=GROUPS)
        self.means += np.bincount(group, weights=values.mean(axis=1) ** 2, minlength=GROUPS)
        np.add.at(self.totals, group, values)

    def parts(self, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the variance that is the deal, the arrangement, and the rest, from the groups that are kept."""
        n, a = float(self.deals[kept].sum()), self.arrangements
        if n < 2 or a < 2:
            return np.full(3, np.nan)
        total = self.totals[kept].sum(axis=0)
        grand = float(total.sum()) / (n * a)
        between_deals = a * (float(self.means[kept].sum()) - n * grand**2)
        between_seatings = n * float(((total / n - grand) ** 2).sum())
        rest = float(self.squares[kept].sum()) - n * a * grand**2 - between_deals - between_seatings
        error = max(0.0, rest) / ((n - 1) * (a - 1))
        deal = max(0.0, (between_deals / (n - 1) - error) / a)
        seating = max(0.0, (between_seatings / (a - 1) - error) / n * (a - 1) / a)
        return np.array([deal, seating, error])


PARTS = ("deal", "arrangement", "rest")


def variance_shares(
    study: Study,
    outcomes: Sequence[str] = ("rounds",),
    *,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how much of the variance of an outcome is the deal and how much is who sits where.

    Needs duplicate play: every deal in every arrangement. An analysis of variance of deals against arrangements; each
    interval leaves out one of fifty groups of deals in turn (the jackknife).

    Parameters
    ----------
    study
        The run.
    outcomes
        Columns, besides ``win`` and ``decided``, which are always there.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``outcome`` (``win``: whether a seat wins, all seats together; ``decided``; the columns) and ``part``:
        ``deal`` (the same in all arrangements: luck), ``arrangement`` (the same in all deals: who sits where), ``rest``
        (what becomes of a deal in one arrangement). The three add up to 1. `n` whole deals.
    """
    names = ["win", "decided", *(name for name in outcomes if name not in ("win", "decided"))]

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            found = _variance(study, index, names) if study.by_deal else {}
            for name in names:
                for part, estimate in zip(PARTS, _part_shares(found.get(name), study.by_deal, level), strict=True):
                    yield Line(index, {"outcome": name, "part": part}, estimate)

    return tidy(study, lines(), {"outcome": pl.String, "part": pl.String})


def _variance(study: Study, cell: int, names: Sequence[str]) -> dict[str, list[_Blocks]]:
    seats = len(study.kinds[cell])
    decided = [e.code for e in study.schema.ends if e.kind == "decided"]
    columns = [name for name in names if name not in ("win", "decided")]
    needed = [
        n
        for name in ("deal", "arrangement", "error", "ended_by", "winners", *columns)
        for n in study.in_use(cell, name)
    ]
    size = int(study.games(cell).select(pl.col("arrangement").max()).collect().item() or 0) + 1
    found = {name: [_Blocks(size) for _ in range(seats if name == "win" else 1)] for name in names}
    for rows in study.batches(cell, needed):
        rows = rows.with_columns(**{f"total {name}": study.total(cell, name) for name in columns})
        whole = (pl.len() == size) & (pl.col("error") == 0).all()
        rows = rows.filter(whole.over("deal")).sort("deal", "arrangement")
        if rows.height == 0:
            continue
        deal = rows["deal"].to_numpy()[::size]
        won = rows["winners"].to_numpy().astype(np.int64)
        for name in names:
            for seat, blocks in enumerate(found[name]):
                if name == "win":
                    values = ((won >> seat) & 1).astype(np.float64)
                elif name == "decided":
                    values = np.isin(rows["ended_by"].to_numpy(), decided).astype(np.float64)
                else:
                    values = rows[f"total {name}"].to_numpy().astype(np.float64)
                blocks.add(deal, values.reshape(-1, size))
    return found


def _part_shares(found: list[_Blocks] | None, by_deal: bool, level: float) -> list[Estimate]:
    deals = 0 if not found else int(found[0].deals.sum())
    common: dict[str, Any] = {"n": deals, "level": level, "method": "analysis of variance, jackknife"}
    nothing = Estimate(value=None, low=None, high=None, **common)
    if not by_deal:
        return [replace(nothing, note="needs every deal in every arrangement: seating = 'duplicate'")] * 3
    everything = np.ones(GROUPS, np.bool_)
    if not found or deals < 2 or found[0].arrangements < 2:
        return [replace(nothing, note="fewer than two deals or arrangements")] * 3

    def shares(kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        parts = np.sum([blocks.parts(kept) for blocks in found], axis=0)
        total = float(parts.sum())
        return np.full(3, np.nan) if not total > 0 else np.asarray(parts / total)

    value = shares(everything)
    if np.isnan(value).any():
        return [replace(nothing, note="the outcome never varies")] * 3
    groups = np.flatnonzero(found[0].deals > 0)
    left_out = np.array([shares(everything & (np.arange(GROUPS) != group)) for group in groups])
    k = len(groups)
    if k < 10 or np.isnan(left_out).any():
        return [replace(nothing, value=float(v), note="too few deals for an interval") for v in value]
    error = np.sqrt((k - 1) / k * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    half = -float(special.stdtrit(k - 1, (1.0 - level) / 2.0)) * error
    return [
        replace(nothing, value=float(v), low=float(max(0.0, v - h)), high=float(min(1.0, v + h)))
        for v, h in zip(value, half, strict=True)
    ]
