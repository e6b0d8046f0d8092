"""From a batch of game rows to additive sums, and from sums to Estimates."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.measure.columns import Columns
from pompeii_sim.measure.declare import Measures, MetricLike
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import FLOAT_SCALE, SHARE_SCALE, Tally, add_up
from pompeii_sim.stats.estimate import Estimate

_OPS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Sums:
    """All metrics' sums over some games of one cell; adding two is exact in any order.

    Parameters
    ----------
    games
        Games played, failed ones included.
    failed
        Games that ended in an error; they are in no metric.
    tallies
        By metric name and label (one empty label for a metric that is not split).
    """

    games: int = 0
    failed: int = 0
    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)

    def __add__(self, other: Sums) -> Sums:
        if not self.tallies:
            return Sums(self.games + other.games, self.failed + other.failed, other.tallies)
        if not other.tallies:
            return Sums(self.games + other.games, self.failed + other.failed, self.tallies)
        tallies = {
            name: {label: tally + other.tallies[name][label] for label, tally in labels.items()}
            for name, labels in self.tallies.items()
        }
        return Sums(self.games + other.games, self.failed + other.failed, tallies)

    def __sub__(self, other: Sums) -> Sums:
        """Take back what was added before."""
        tallies = {
            name: {label: tally - other.tallies[name][label] for label, tally in labels.items()}
            for name, labels in self.tallies.items()
        }
        return Sums(self.games - other.games, self.failed - other.failed, tallies)


def measure(rows: pl.DataFrame | NDArray[Any], measures: Measures) -> Sums:
    """Sum every metric over a batch of games.

    Parameters
    ----------
    rows
        Game rows as stored (flat columns) or as the kernel writes them, in the order of the games. When the deal
        is the unit, whole deals.
    measures
        What to measure.

    Returns
    -------
    Sums
        Exact, so that batches of any size add up to the same.

    Raises
    ------
    KeyError
        When a metric reads a column that is not there.
    ValueError
        When a metric meets a value that is not finite.
    """
    columns = Columns(rows)
    fine = columns.flat("error") == 0
    ended = columns.flat("ended_by")
    censored = fine & np.isin(ended, [code for code, kind in measures.ends.items() if kind == "censored"])
    deal = columns.flat("deal") if measures.by_deal else None
    tallies: dict[str, dict[str, Tally]] = {}
    for metric in measures.metrics:
        counted, scale, values = game_values(columns, metric, measures)
        cut = int(np.count_nonzero(censored & counted))
        tallies[metric.name] = {label: add_up(y, counted, deal, scale, cut) for label, y in values.items()}
    return Sums(columns.n, columns.n - int(np.count_nonzero(fine)), tallies)


def game_values(
    columns: Columns, metric: MetricLike, measures: Measures
) -> tuple[NDArray[np.bool_], int, dict[str, NDArray[np.int64]]]:
    """Return one metric's value in each game.

    Parameters
    ----------
    columns
        A batch of n games.
    metric, measures
        What to measure.

    Returns
    -------
    counted
        Which games the metric is about, shape ``(n,)``; failed games never are.
    scale
        What the values are multiplied by to be whole.
    values
        By label (one empty label for a metric that is not split): int64 of shape ``(n,)``, of no meaning where a game
        is not counted.
    """
    counted = columns.flat("error") == 0
    if metric.kind == "share":
        decided = [code for code, kind in measures.ends.items() if kind == "decided"]
        counted = counted & np.isin(columns.flat("ended_by"), decided)
    if metric.where is not None:
        name, op, bound = metric.where
        counted = counted & _OPS[op](_value(columns, name, measures), bound)
    if metric.kind == "share":
        return counted, SHARE_SCALE, _credit(columns, metric, measures)
    y, scale = _numbers(columns, metric, measures, counted)
    return counted, scale, {"": y}


def measure_blocks(rows: pl.DataFrame, measures: Measures, step: int) -> list[Sums]:
    """Sum every metric over successive blocks of games.

    Parameters
    ----------
    rows, measures
        As for `measure`.
    step
        Games in a block (whole deals when the deal is the unit); the last block may be shorter.
    """
    return [measure(rows.slice(at, step), measures) for at in range(0, rows.height, step)]


def _value(columns: Columns, name: str, measures: Measures) -> NDArray[Any]:
    return columns.value(name, len(measures.kinds) if name in measures.per_seat else None)


def _numbers(
    columns: Columns, metric: MetricLike, measures: Measures, counted: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], int]:
    """Return a rate's or a mean's value in each game as whole numbers, and their scale."""
    values = _value(columns, metric.column, measures)
    if metric.kind == "rate":
        return np.asarray(_OPS[metric.op](values, metric.value), np.int64), 1
    if values.dtype.kind != "f":
        return values.astype(np.int64), 1
    if not np.isfinite(values[counted]).all():
        raise ValueError(f"metric {metric.name!r}: column {metric.column!r} holds a value that is not finite")
    kept = np.where(counted, values, 0.0).astype(np.float64)
    return np.rint(kept * FLOAT_SCALE).astype(np.int64), FLOAT_SCALE


def _credit(columns: Columns, metric: MetricLike, measures: Measures) -> dict[str, NDArray[np.int64]]:
    """Return each label's part in the win of each game, in 1/840; winners who share a game share the credit."""
    mask = columns.flat("winners").astype(np.int64)
    seats = len(measures.kinds)
    won = [(mask >> seat) & 1 for seat in range(seats)]
    number = np.zeros(columns.n, np.int64)
    for one in won:
        number += one
    each = SHARE_SCALE // np.maximum(number, 1)
    labels = measures.labels(metric)
    out = {label: np.zeros(columns.n, np.int64) for label in labels}
    kind_number = np.array([labels.index(k) for k in measures.kinds]) if metric.by != "seat" else None
    for seat, one in enumerate(won):
        if kind_number is None:
            out[str(seat)] += one * each
            continue
        sitting = kind_number[columns.flat(f"seat_spec_{seat}")]
        for number_, label in enumerate(labels):
            out[label] += np.where(sitting == number_, one * each, 0)
    return out


def estimates(sums: Sums, measures: Measures, *, level: float = 0.95) -> dict[str, Estimate | dict[str, Estimate]]:
    """Turn sums into one Estimate a metric, or one a label for a metric that is split.

    Parameters
    ----------
    sums
        From `measure`.
    measures
        The same that were measured.
    level
        Confidence level of each interval.
    """
    out: dict[str, Estimate | dict[str, Estimate]] = {}
    for metric in measures.metrics:
        labels = measures.labels(metric)
        found = sums.tallies.get(metric.name, {})
        made = {
            label: estimate(
                found.get(label, Tally()),
                kind=metric.kind,
                by_deal=measures.by_deal,
                restricted=measures.restricted(metric),
                expected=measures.expected(metric, label),
                bounds=metric.bounds,
                level=level,
            )
            for label in labels
        }
        out[metric.name] = made if metric.kind == "share" else made[""]
    return out
