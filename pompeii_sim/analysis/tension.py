"""How open games stay: lead changes, comebacks, rounds after the outcome was settled, decisions with a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.ratio import ALL, ratio, ratio_estimate
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import ESTIMATE, Line, tidy
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import FLOAT_SCALE, Tally, add_up, dot
from pompeii_sim.stats.estimate import Estimate

NO_SERIES = "no series was kept: run with --series-every"

KEYS = {"metric": pl.String}

NUMBERS: dict[str, Literal["rate", "mean"]] = {
    "lead_changes": "mean",
    "last_round_behind": "mean",
    "never_behind": "rate",
    "largest_deficit": "mean",
    "settled_rounds": "mean",
}
"""Numbers of a game's course, and whether they are shares."""


def tension(
    study: Study, *, progress: str = "progress", cell: int | Sequence[int] | None = None, level: float = 0.95
) -> pl.DataFrame:
    """Return how open games stay, from the order in progress at the end of each round.

    Parameters
    ----------
    study
        The run; it must have kept the series of some games.
    progress
        Column of the series that tells how far a seat is.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Key ``metric``: ``lead_changes`` (times the sole leader differs from the sole leader before; over all games with
        a series); over decided games ``last_round_behind`` (last round in which the winner was not ahead or level, 0
        for never), ``never_behind`` (share), ``largest_deficit`` (of the winner, in progress), ``settled_rounds``
        (rounds from which on the winner led alone to the end), ``settled_share`` (those rounds ÷ all rounds);
        ``real_choice`` (decisions with two or more options ÷ all decisions, over all games). Of a shared win the best
        of the winners counts.
    """
    names = [name for column in study.schema.series for name in column.stored]
    if progress not in names:
        raise InputError(f"the series has no column {progress!r}", where="progress", hint=nearest(progress, names))
    decided = [e.code for e in study.schema.ends if e.kind == "decided"]

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            for name, made in _courses(study, index, progress, decided, level).items():
                yield Line(index, {"metric": name}, made)
            yield Line(index, {"metric": "real_choice"}, _real_choice(study, index, level))

    return tidy(study, lines(), KEYS)


def _real_choice(study: Study, cell: int, level: float) -> Estimate:
    found = ratio(study, "decisions", ("decisions", "forced"), share=True, cell=cell, level=level)
    row = found.filter(pl.col("by") == ALL).row(0, named=True)
    return Estimate(**{name: row[name] for name in ESTIMATE})


def _courses(study: Study, cell: int, progress: str, decided: Sequence[int], level: float) -> dict[str, Estimate]:
    totals: dict[str, Tally] = {}
    settled = Tally()
    for series, games in study.series_batches(cell):
        numbers = _numbers(series, games, progress, decided)
        deal = games["deal"].to_numpy() if study.by_deal else None
        over = numbers["decided"].astype(np.bool_)
        for name in NUMBERS:
            counted = np.ones(len(over), np.bool_) if name == "lead_changes" else over
            scale = FLOAT_SCALE if name == "largest_deficit" else 1
            y = np.rint(numbers[name] * scale).astype(np.int64)
            tally = add_up(y, counted, deal, scale, 0)
            totals[name] = totals[name] + tally if name in totals else tally
        y, x = (np.where(over, numbers[name], 0).astype(np.int64) for name in ("settled_rounds", "rounds"))
        if deal is not None:
            starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
            y, x = np.add.reduceat(y, starts), np.add.reduceat(x, starts)
        settled = settled + Tally(
            units=int(np.count_nonzero(x)), y=int(y.sum()), x=int(x.sum()), yy=dot(y, y), xy=dot(x, y), xx=dot(x, x)
        )
    out: dict[str, Estimate] = {}
    for name, kind in NUMBERS.items():
        bounds = (0.0, 1.0) if name == "largest_deficit" else None
        out[name] = estimate(totals.get(name, Tally()), kind=kind, by_deal=study.by_deal, bounds=bounds, level=level)
    out["settled_share"] = ratio_estimate(settled, study.by_deal, level, share=True)
    if not totals:
        return {name: replace(made, note=NO_SERIES) for name, made in out.items()}
    return out


def _numbers(
    series: pl.DataFrame, games: pl.DataFrame, progress: str, decided: Sequence[int]
) -> dict[str, NDArray[np.float64]]:
    """Return each game's numbers, one entry a game in the order of `games`."""
    ahead = pl.col(progress) == pl.col(progress).max().over("game", "time")
    won = (pl.col("winners").cast(pl.Int64).floordiv(2 ** pl.col("seat").cast(pl.Int64)) % 2) == 1
    told = series.join(games.select("game", "winners"), on="game", how="inner").with_columns(ahead=ahead, won=won)
    rounds = (
        told.group_by("game", "time")
        .agg(
            lead=pl.col(progress).max().cast(pl.Float64),
            leaders=pl.col("ahead").sum(),
            leader=pl.col("seat").filter(pl.col("ahead")).min().cast(pl.Int64),
            best=pl.col(progress).filter(pl.col("won")).max().cast(pl.Float64),
            leads=(pl.col("ahead") & pl.col("won")).any(),
        )
        .sort("game", "time")
    )
    alone = rounds.filter(pl.col("leaders") == 1)
    changes = alone.group_by("game", maintain_order=True).agg(
        lead_changes=(pl.col("leader") != pl.col("leader").shift(1)).sum()
    )
    deficit = pl.col("lead") - pl.col("best")
    settles = (pl.col("leaders") == 1) & pl.col("leads")
    course = rounds.group_by("game").agg(
        last_round_behind=pl.col("time").filter(deficit > 0).max(),
        largest_deficit=deficit.max(),
        last_open=pl.col("time").filter(~settles).max(),
        rounds=pl.col("time").max(),
    )
    table = (
        games.select("game", decided=pl.col("ended_by").is_in(list(decided)) & (pl.col("winners") != 0))
        .join(changes, on="game", how="left")
        .join(course, on="game", how="left")
        .sort("game")
        .fill_null(0)
        .with_columns(
            never_behind=pl.col("last_round_behind") == 0, settled_rounds=pl.col("rounds") - pl.col("last_open")
        )
    )
    wanted: list[Any] = [*NUMBERS, "rounds", "decided"]
    return {name: table[name].cast(pl.Float64).to_numpy() for name in wanted}
