"""Things that happen in a game: the round of the first, and the rounds between one and the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.length import QUANTILES
from pompeii_sim.analysis.outcomes import measured
from pompeii_sim.analysis.ratio import ratio_estimate
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tension import NO_SERIES
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.measure.tally import Tally, dot
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.hazard import hazard as hazard_curve
from pompeii_sim.stats.life_table import life_table_from_counts
from pompeii_sim.stats.quantile import quantile_from_counts
from pompeii_sim.store.schema import Metric

KEYS = {"event": pl.String, "metric": pl.String}


def first_round(
    study: Study,
    event: str,
    *,
    since: str | None = None,
    name: str | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how many games see something happen, and in which round it first does.

    `hazard` and `incidence` with the same `event` tell how its risk grows while games go on.

    Parameters
    ----------
    study
        The run.
    event
        Column with the round in which it happened first, 0 for never.
    since
        Column with the rounds from the start of a clock to the end of the game; then rounds are counted on that
        clock (0 or less: before it started). None counts rounds of the game.
    name
        What the event is called; the column's name by default.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``event`` and ``metric``: ``any`` (share of games), and over the games in which it happened ``p10``,
        ``median`` and ``p90`` of the round; their quantiles have no interval when the deal is the unit.
    """
    called = name or event
    column = study.column(event)[0]
    whether = Metric(name="any", title="any", kind="rate", column=column, op=">", value=0, definition="it happened")

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            made, _ = measured(study, index, [whether], level=level)
            yield Line(index, {"event": called, "metric": "any"}, made["any"][""])
            value = pl.col(column).cast(pl.Int64)
            if since is not None:
                value = value - (pl.col("rounds").cast(pl.Int64) - pl.col(study.column(since)[0]).cast(pl.Int64))
            table = study.count(index, value=value, happened=pl.col(column) > 0).filter(pl.col("happened"))
            for metric, q in QUANTILES.items():
                found = quantile_from_counts(table["value"].to_numpy(), table["games"].to_numpy(), q, level=level)
                if study.by_deal and found.value is not None:
                    found = replace(found, low=None, high=None, note="no interval with the deal as the unit")
                yield Line(index, {"event": called, "metric": metric}, found)

    return tidy(study, lines(), KEYS)


def gaps(
    study: Study,
    happened: pl.Expr,
    *,
    name: str,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the rounds between something and its next time, from the series.

    Parameters
    ----------
    study
        The run; it must have kept the series of some games.
    happened
        Whether it happened in a round, made of columns of the series taken together over the seats, for example
        ``pl.col("lost").sum() > 0``.
    name
        What the event is called.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``event``, ``metric`` and ``gap``: ``mean`` (of the gaps seen to their end; `n` games, or deals; gap null)
        and ``hazard`` for every gap: of the events after which the game went on for so many rounds, the share that
        was followed by the next one in just that many. There `n` counts events; those of one game are taken as
        separate, which a note says.
    """

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            tally, ended, open_ = _gaps(study, index, happened)
            mean = ratio_estimate(tally, study.by_deal, level)
            if tally.x == 0:
                mean = replace(mean, note="it never happened twice in a game with a series")
            yield Line(index, {"event": name, "metric": "mean", "gap": None}, mean)
            if len(ended) < 2:
                if tally.units == 0 and study.series(index).head(1).collect().height == 0:
                    nothing = Estimate(value=None, low=None, high=None, n=0, level=level, method="hazard-wilson")
                    yield Line(index, {"event": name, "metric": "hazard", "gap": 1}, replace(nothing, note=NO_SERIES))
                continue
            curve = hazard_curve(life_table_from_counts(ended, open_), level=level).estimates()
            for gap, made in enumerate(curve):
                if gap:
                    told = replace(made, note=made.note or "events of one game taken as separate")
                    yield Line(index, {"event": name, "metric": "hazard", "gap": gap}, told)

    return tidy(study, lines(), {**KEYS, "gap": pl.Int64})


def _gaps(study: Study, cell: int, happened: pl.Expr) -> tuple[Tally, NDArray[np.int64], NDArray[np.int64]]:
    """Return the sums of gaps over games, how many gaps ended at each length, and how many were open at the end."""
    total = Tally()
    ended, open_ = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for series, games in study.series_batches(cell):
        rounds = series.group_by("game", "time").agg(happened.alias("happened")).sort("game", "time")
        last = rounds.group_by("game").agg(end=pl.col("time").max())
        times = rounds.filter(pl.col("happened")).join(last, on="game")
        follows = pl.col("game") == pl.col("game").shift(-1)
        times = times.with_columns(gap=pl.when(follows).then(pl.col("time").shift(-1) - pl.col("time")).otherwise(None))
        seen = times.filter(pl.col("gap").is_not_null())
        waiting = times.filter(pl.col("gap").is_null()).select(left=pl.col("end") - pl.col("time"))
        ended = _added(ended, seen["gap"].to_numpy())
        open_ = _added(open_, waiting["left"].to_numpy())
        mine = games.select("game", "deal").join(
            seen.group_by("game").agg(y=pl.col("gap").sum(), x=pl.len()), on="game", how="left"
        )
        table = mine.sort("game").fill_null(0)
        y, x = table["y"].to_numpy().astype(np.int64), table["x"].to_numpy().astype(np.int64)
        if study.by_deal and len(y):
            deal = table["deal"].to_numpy()
            starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
            y, x = np.add.reduceat(y, starts), np.add.reduceat(x, starts)
        total = total + Tally(
            units=int(np.count_nonzero(x)), y=int(y.sum()), x=int(x.sum()), yy=dot(y, y), xy=dot(x, y), xx=dot(x, x)
        )
    size = max(len(ended), len(open_))
    return total, np.pad(ended, (0, size - len(ended))), np.pad(open_, (0, size - len(open_)))


def _added(counts: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    more = np.bincount(values.astype(np.int64), minlength=len(counts)).astype(np.int64)
    more[: len(counts)] += counts
    return more
