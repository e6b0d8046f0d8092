"""The course of games round by round: bands over many games, and single games to draw over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import polars as pl

from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import settings_columns
from pompeii_sim.errors import InputError, nearest

QUANTILES = {"q05": 0.05, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q95": 0.95}

Of = Literal["all", "leader", "last"]


def bands(
    study: Study, value: str = "progress", *, of: Of = "all", cell: int | Sequence[int] | None = None
) -> pl.DataFrame:
    """Return quantiles of a number over the games still going on, round by round.

    Parameters
    ----------
    study
        The run; it must have kept the series of some games.
    value
        Column of the series.
    of
        ``all`` seats, the ``leader`` of each game (its largest value), or the ``last`` (its smallest).
    cell
        One cell, several, or all.

    Returns
    -------
    pl.DataFrame
        ``cell``, the swept settings, ``time``; ``q05``, ``q25``, ``q50``, ``q75``, ``q95``, and ``n`` games that got
        there. Games that ended leave; the bands are of those that go on.
    """
    frames = []
    for index in study.chosen(cell):
        rows = _of(study, index, value, of).group_by("time")
        quantiles = [pl.col("value").quantile(q, "nearest").alias(name) for name, q in QUANTILES.items()]
        made = rows.agg(*quantiles, pl.col("game").n_unique().cast(pl.Int64).alias("n")).sort("time").collect()
        frames.append(_labelled(study, index, made))
    return pl.concat(frames)


def single_courses(
    study: Study, games: Sequence[int], value: str = "progress", *, cell: int, of: Of = "leader"
) -> pl.DataFrame:
    """Return the course of single games.

    Parameters
    ----------
    study
        The run.
    games
        Their numbers; `kept_games` names some that have a series.
    value, of
        As for `bands`; ``all`` gives one row for each seat.
    cell
        Their cell.

    Returns
    -------
    pl.DataFrame
        ``cell``, the swept settings, ``game``, ``time``, ``seat`` (null unless `of` is ``all``), ``value``.
    """
    rows = _of(study, cell, value, of).filter(pl.col("game").is_in(list(games)))
    return _labelled(study, cell, rows.sort("game", "time", "seat").collect())


def kept_games(study: Study, cell: int, *, shares: Sequence[float] = (0.0, 0.5, 1.0)) -> list[int]:
    """Return games with a series, spread over the lengths: by default a shortest, a middle and a longest one."""
    kept = study.series(cell).select("game").unique()
    fine = study.fine(cell).select("game", "rounds").join(kept, on="game", how="semi").sort("rounds", "game").collect()
    if fine.height == 0:
        return []
    return list(dict.fromkeys(int(fine["game"][round(share * (fine.height - 1))]) for share in shares))


def _of(study: Study, cell: int, value: str, of: Of) -> pl.LazyFrame:
    names = [name for column in study.schema.series for name in column.stored]
    if value not in names:
        raise InputError(f"the series has no column {value!r}", where="value", hint=nearest(value, names))
    series = study.series(cell).select("game", "time", pl.col("seat").cast(pl.Int64), pl.col(value).alias("value"))
    series = series.join(study.fine(cell).select("game"), on="game", how="semi")
    if of == "all":
        return series
    chosen = pl.col("value").max() if of == "leader" else pl.col("value").min()
    return (
        series.group_by("game", "time")
        .agg(chosen)
        .select("game", "time", pl.lit(None, pl.Int64).alias("seat"), "value")
    )


def _labelled(study: Study, cell: int, frame: pl.DataFrame) -> pl.DataFrame:
    cells = [cell] * frame.height
    return pl.DataFrame([pl.Series("cell", cells, pl.Int64), *settings_columns(study, cells), *frame.get_columns()])
