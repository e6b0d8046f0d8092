"""Life tables of games: a clock, what can happen, and the games that were stopped before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.study import Study
from pompeii_sim.stats.life_table import LifeTable, life_table

ANY = "any"
"""What any end of a game is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What is timed.

    Parameters
    ----------
    since
        Column with the rounds from the start of the clock to the end of the game; None for the whole game.
    event
        Column with the round (of the game) in which something happened first, 0 for never; None to time ends only. Ends
        of games then compete with it: a game that ended can no longer see it happen.
    name
        What the event is called in answers; the column's name by default.
    """

    since: str | None = None
    event: str | None = None
    name: str | None = None

    @property
    def event_name(self) -> str:
        """What the event is called."""
        return self.name or self.event or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lives:
    """A cell's life table.

    Parameters
    ----------
    table
        Ends by cause and round of the clock.
    causes
        Code of each thing that can happen, by name, in order.
    outside
        Games in which the clock never started: they ended before.
    before
        Games in which the event had happened before the clock started.
    units
        Games counted, or deals when the deal is the unit.
    by_round
        When the deal is the unit: sums over deals for each cause, see `DealSums`; else empty.
    """

    table: LifeTable
    causes: dict[str, int]
    outside: int
    before: int
    units: int
    by_round: dict[str, DealSums]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSums:
    """Sums over deals by round, float64, shape ``(T + 1,)`` each.

    Parameters
    ----------
    yy, xy, xx
        Of ends squared, ends times games at risk, games at risk squared, for the hazard.
    cc, cm, mm
        The same with ends up to the round and all games of the deal, for the cumulative incidence.
    deals
        Deals with a game at risk.
    """

    yy: NDArray[np.float64]
    xy: NDArray[np.float64]
    xx: NDArray[np.float64]
    cc: NDArray[np.float64]
    cm: NDArray[np.float64]
    mm: NDArray[np.float64]
    deals: NDArray[np.int64]


def lives(study: Study, cell: int, clock: Clock) -> Lives:
    """Return a cell's life table; one lazy scan, in memory that does not grow with the number of games.

    Ends of the kinds ``decided`` and ``lost`` are causes, those of the kind ``censored`` stop a game unseen. Failed
    games are left out.
    """
    ends = [e for e in study.schema.ends if e.kind != "censored"]
    causes = {e.name: number for number, e in enumerate(ends, start=1)}
    if clock.event is not None:
        causes[clock.event_name] = len(ends) + 1
    table = study.count(cell, **_expressions(study, clock))
    outside = int(table.filter(pl.col("left") < 1)["games"].sum())
    table = table.filter(pl.col("left") >= 1)
    before = int(table.filter(pl.col("time") < 1)["games"].sum())
    table = table.filter(pl.col("time") >= 1)
    made = life_table(
        table["time"].to_numpy(), table["cause"].to_numpy(), weights=table["games"].to_numpy(),
        causes=tuple(causes.values()),
    )  # fmt: skip
    if not study.by_deal:
        return Lives(table=made, causes=causes, outside=outside, before=before, units=made.n, by_round={})
    units, sums = _by_deal(study, cell, clock, made, causes)
    return Lives(table=made, causes=causes, outside=outside, before=before, units=units, by_round=sums)


def _expressions(study: Study, clock: Clock) -> dict[str, pl.Expr]:
    """Return ``time`` and ``cause`` (0: stopped unseen) of a game, and ``left``: rounds the clock ran."""
    rounds = pl.col("rounds").cast(pl.Int64)
    left = rounds if clock.since is None else pl.col(study.column(clock.since)[0]).cast(pl.Int64)
    ends = [e for e in study.schema.ends if e.kind != "censored"]
    cause = pl.lit(0, pl.Int64)
    for number, end in enumerate(ends, start=1):
        cause = pl.when(pl.col("ended_by") == end.code).then(number).otherwise(cause)
    time = left
    if clock.event is not None:
        event = pl.col(study.column(clock.event)[0]).cast(pl.Int64)
        time = pl.when(event > 0).then(event - (rounds - left)).otherwise(left)
        cause = pl.when(event > 0).then(len(ends) + 1).otherwise(cause)
    return {"time": time, "cause": cause, "left": left}


def _by_deal(
    study: Study, cell: int, clock: Clock, table: LifeTable, causes: dict[str, int]
) -> tuple[int, dict[str, DealSums]]:
    """Add up squares and products over deals; batches hold whole deals."""
    size = table.at_risk.size
    names = [ANY, *causes]
    codes = list(causes.values())
    totals: dict[str, list[NDArray[Any]]] = {name: [np.zeros(size) for _ in range(6)] for name in names}
    deals = np.zeros(size, np.int64)
    units = 0
    expressions = _expressions(study, clock)
    needed = ["deal", "error", "rounds", "ended_by"]
    needed += [study.column(name)[0] for name in (clock.since, clock.event) if name is not None]
    for rows in study.batches(cell, needed):
        rows = rows.filter(pl.col("error") == 0).select("deal", **expressions)
        rows = rows.filter((pl.col("left") >= 1) & (pl.col("time") >= 1))
        if rows.height == 0:
            continue
        _, deal = np.unique(rows["deal"].to_numpy(), return_inverse=True)
        time, cause = rows["time"].to_numpy(), rows["cause"].to_numpy()
        count = int(deal.max()) + 1
        units += count
        last = np.bincount(deal * size + time, minlength=count * size).reshape(count, size)
        risk = np.cumsum(last[:, ::-1], axis=1)[:, ::-1].astype(np.float64)
        games = risk[:, :1]
        deals += np.count_nonzero(risk, axis=0)
        for name in names:
            ended = np.isin(cause, codes) if name == ANY else cause == causes[name]
            y = np.bincount((deal * size + time)[ended], minlength=count * size).reshape(count, size).astype(np.float64)
            c = np.cumsum(y, axis=1)
            parts = (y * y, y * risk, risk * risk, c * c, c * games, games * games + 0 * c)
            for total, part in zip(totals[name], parts, strict=True):
                total += part.sum(axis=0)
    sums = {
        name: DealSums(yy=t[0], xy=t[1], xx=t[2], cc=t[3], cm=t[4], mm=t[5], deals=deals) for name, t in totals.items()
    }
    return units, sums
