"""How games end, and any metric or column by cell: the plainest questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from pompeii_sim.analysis.ratio import ratio
from pompeii_sim.analysis.shares import win_share
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import ESTIMATE, Line, tidy
from pompeii_sim.errors import InputError
from pompeii_sim.measure import Sums, estimates
from pompeii_sim.measure.declare import MetricLike
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import Metric

OPS = ("==", "!=", ">=", "<=", ">", "<")


def outcomes(study: Study, *, cell: int | Sequence[int] | None = None, level: float = 0.95) -> pl.DataFrame:
    """Return the share of games of each end, by cell.

    Parameters
    ----------
    study
        The run.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``end`` (name) and ``kind`` (``decided``, ``lost``, ``censored``); the Estimate over all games that did not
        fail; ``games`` and ``failed`` of the cell. The shares of a cell add up to 1.
    """
    metrics = [
        Metric(name=e.name, title=e.name, kind="rate", column="ended_by", value=e.code, definition=e.meaning)
        for e in study.schema.ends
    ]
    kinds = {e.name: e.kind for e in study.schema.ends}

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            made, sums = measured(study, index, metrics, level=level)
            for metric in metrics:
                keys = {"end": metric.name, "kind": kinds[metric.name]}
                yield Line(index, keys, made[metric.name][""], {"games": sums.games, "failed": sums.failed})

    return tidy(study, lines(), {"end": pl.String, "kind": pl.String}, {"games": pl.Int64, "failed": pl.Int64})


def measured(
    study: Study, cell: int, metrics: Sequence[MetricLike], *, by: str = "player", level: float = 0.95
) -> tuple[dict[str, dict[str, Estimate]], Sums]:
    """Return a cell's Estimates by metric name and label (empty where a metric is not split), and the sums behind."""
    measures = study.measures(cell, metrics, by=by)
    (sums,) = study.sums(cell, measures)
    made = estimates(sums, measures, level=level)
    return {name: {"": e} if isinstance(e, Estimate) else e for name, e in made.items()}, sums


def estimate(
    study: Study,
    metric: str | Sequence[str],
    *,
    cell: int | Sequence[int] | None = None,
    by: str | None = None,
    where: str | tuple[str, str, float] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return any metrics by cell.

    Parameters
    ----------
    study
        The run.
    metric
        Names of metrics of the run; the name of a column stands for its mean (of an array, its sum).
    cell
        One cell, several, or all.
    by
        Of a win share, or of the mean of a column with one value a seat: ``player``, ``seat``, or a field of the seats;
        such a mean is then one for each seat of the label. Otherwise a whole-numbered column of the games: one row
        for each of its values.
    where
        Only these games, such as ``"rounds >= 10"``.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``metric`` and ``by`` (label or value, empty where nothing is split), and the Estimate.

    Raises
    ------
    InputError
        When there is no such metric, column or field.
    """
    names = [metric] if isinstance(metric, str) else list(metric)
    condition = _condition(study, where)
    frames = []
    for name in names:
        found = study.metric(name)
        if found.where is not None and condition is not None:
            raise InputError(f"{name} is restricted to {' '.join(map(str, found.where))} already", where="where")
        found = found if condition is None else replace(found, where=condition)
        if by is not None and _of_seats(study, found, by):
            frames.append(_by_seat(study, found, cell, by, level))
        elif found.kind == "share":
            frames.append(_split_share(study, found, cell, by or found.by, level))
        else:
            frames.append(_by_value(study, found, cell, by, level))
    return pl.concat(frames)


KEYS: dict[str, Any] = {"metric": pl.String, "by": pl.String}


def _split_share(study: Study, metric: Metric, cell: int | Sequence[int] | None, by: str, level: float) -> pl.DataFrame:
    table = win_share(study, by=by, cell=cell, where=metric.where, level=level).filter(pl.col("metric") == "win_share")
    table = table.with_columns(metric=pl.lit(metric.name)).rename({by: "by"})
    return table.select("cell", *study.swept, *KEYS, *(c for c in table.columns if c in ESTIMATE))


def _of_seats(study: Study, metric: Metric, by: str) -> bool:
    """Return whether a mean of a column with one value a seat is asked for by kind of seat."""
    per_seat = any(c.per_seat for c in study.schema.columns if c.name == metric.column)
    return metric.kind == "mean" and metric.where is None and per_seat and not study.has(by)


def _by_seat(study: Study, metric: Metric, cell: int | Sequence[int] | None, by: str, level: float) -> pl.DataFrame:
    table = ratio(study, metric.column, by=by, cell=cell, level=level).with_columns(metric=pl.lit(metric.name))
    return table.select("cell", *study.swept, *KEYS, *ESTIMATE)


def _by_value(
    study: Study, metric: Metric, cell: int | Sequence[int] | None, by: str | None, level: float
) -> pl.DataFrame:
    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            if by is None:
                made, _ = measured(study, index, [metric], level=level)
                yield Line(index, {"metric": metric.name, "by": ""}, made[metric.name][""])
                continue
            if metric.where is not None:
                raise InputError(f"{metric.name} is restricted already, so it cannot be split", where="by", hint=by)
            values = study.count(index, value=study.total(index, by))["value"].to_list()
            labels = next((c.labels for c in study.schema.columns if c.name == by), {})
            split = [replace(metric, name=str(v), where=(by, "==", float(v))) for v in values]
            if split:
                made, _ = measured(study, index, split, level=level)
            for value, one in zip(values, split, strict=True):
                label = labels.get(int(value), str(value))
                yield Line(index, {"metric": metric.name, "by": label}, made[one.name][""])

    return tidy(study, lines(), KEYS)


def _condition(study: Study, where: str | tuple[str, str, float] | None) -> tuple[str, str, float] | None:
    if where is None:
        return None
    if isinstance(where, str):
        for op in OPS:
            left, found, right = where.partition(op)
            if found:
                where = (left.strip(), op, _number(right.strip(), where))
                break
        else:
            raise InputError(f"{where!r} compares nothing", where="where", hint="for example 'rounds >= 10'")
    study.column(where[0])
    if where[1] not in OPS:
        raise InputError(f"no comparison {where[1]!r}", where="where", hint=f"one of {', '.join(OPS)}")
    return where


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} in {whole!r} is no number", where="where") from None
