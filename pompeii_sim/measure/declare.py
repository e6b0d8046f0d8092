"""What is measured in one cell: the metrics, how games end, who sits at the table, what the unit is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Op = Literal["==", "!=", ">=", ">", "<=", "<"]


class MetricLike(Protocol):
    """A metric's declaration, a game's own or as a run stored it; see the Game contract for the fields."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def kind(self) -> Literal["rate", "mean", "share"]: ...
    @property
    def definition(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def op(self) -> Op: ...
    @property
    def value(self) -> float: ...
    @property
    def by(self) -> Literal["player", "seat", ""]: ...
    @property
    def where(self) -> tuple[str, str, float] | None: ...
    @property
    def bounds(self) -> tuple[float, float] | None: ...
    @property
    def unit(self) -> str: ...
    @property
    def headline(self) -> bool: ...
    @property
    def seats(self) -> tuple[int, int] | None: ...


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Everything needed to measure one cell.

    Parameters
    ----------
    metrics
        The declarations.
    ends
        Kind of each end by its code: ``decided``, ``lost`` or ``censored``.
    kinds
        Label of each listed seat.
    per_seat
        Names of the per-seat columns (summed over the seats in use).
    time_unit
        What rounds count; a mean in that unit carries the share of games that were cut short.
    by_deal
        True when every deal is played in every arrangement, so that the deal is the unit.
    """

    metrics: tuple[MetricLike, ...]
    ends: Mapping[int, str]
    kinds: tuple[str, ...]
    per_seat: frozenset[str]
    time_unit: str
    by_deal: bool

    def labels(self, metric: MetricLike) -> tuple[str, ...]:
        """Return the labels a metric is split by: player kinds, seats, or none (one empty label)."""
        if metric.kind != "share":
            return ("",)
        if metric.by == "seat":
            return tuple(str(seat) for seat in range(len(self.kinds)))
        return tuple(dict.fromkeys(self.kinds))

    def expected(self, metric: MetricLike, label: str) -> float | None:
        """Return what equal chances would give a label of a win share, else None."""
        if metric.kind != "share":
            return None
        count = 1 if metric.by == "seat" else self.kinds.count(label)
        return count / len(self.kinds)

    def restricted(self, metric: MetricLike) -> bool:
        """Return whether a metric is a length that a round cap can cut short."""
        return metric.kind == "mean" and metric.unit in (self.time_unit, f"{self.time_unit}s")


def applies(metric: MetricLike, seats: int) -> bool:
    """Return whether a metric is measured with a number of seats."""
    return metric.seats is None or metric.seats[0] <= seats <= metric.seats[1]


def measures_of(schema: Any, kinds: Iterable[str], *, by_deal: bool, metrics: Iterable[MetricLike] = ()) -> Measures:
    """Put together a cell's `Measures` from a stored schema.

    Parameters
    ----------
    schema
        The run's schema (`metrics`, `ends`, `columns`, `time_unit`).
    kinds
        Label of each listed seat of the cell.
    by_deal
        Whether the deal is the unit.
    metrics
        Other metrics than the stored ones.

    Returns
    -------
    Measures
        Of the stored metrics, those that are measured with so many seats.
    """
    kinds = tuple(kinds)
    return Measures(
        metrics=tuple(metrics) or tuple(m for m in schema.metrics if applies(m, len(kinds))),
        ends={e.code: e.kind for e in schema.ends},
        kinds=kinds,
        per_seat=frozenset(c.name for c in schema.columns if c.per_seat),
        time_unit=schema.time_unit,
        by_deal=by_deal,
    )
