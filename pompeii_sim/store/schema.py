"""What a run's columns, ends and metrics mean, in a form that needs no game to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

VERSION = 1
"""Version of the layout of a run folder; a reader refuses a newer one."""

GENERIC: dict[str, tuple[str, bool]] = {
    "game": ("number of the game within its cell, from 0", False),
    "deal": ("number of the deal: everything chance decides", False),
    "arrangement": ("which arrangement of the seat list was played", False),
    "seat_spec": ("index of the listed seat that sits in this seat, -1 for nobody", True),
    "ended_by": ("how the game ended, see ends", False),
    "winners": ("bit mask of the seats that won", False),
    "rank": ("place of the seat at the end, 1 is best", True),
    "score": ("points of the seat at the end", True),
    "rounds": ("rounds played", False),
    "decisions": ("decisions with two or more legal options", False),
    "forced": ("decisions with one legal option", False),
    "error": ("0, or what went wrong in a failed game", False),
}
"""Columns every game has: meaning, and whether there is one for each seat."""

RAISED, TIMED_OUT, DIED = -1, -2, -3
FAILURES = {
    RAISED: "a player raised an error",
    TIMED_OUT: "a player took longer than allowed",
    DIED: "a player ended its process",
}
"""Error codes every game has, beside its own above 0: the game was not played to its end, and nothing else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One declared column and the names it is stored under.

    Parameters
    ----------
    name, meaning, per_seat, records, labels
        As the game declared them.
    stored
        Names in the Parquet files: the name itself, or ``name_0``, ``name_1``, ...
    dtype
        NumPy name of the element type, such as ``int32``.
    """

    name: str
    meaning: str
    per_seat: bool
    records: Literal["core", "full"]
    labels: Mapping[int, str]
    stored: tuple[str, ...]
    dtype: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One way in which a game ends (``decided``, ``lost`` or ``censored``)."""

    code: int
    name: str
    meaning: str
    kind: Literal["decided", "lost", "censored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric's declaration as stored; the same fields as the game's own."""

    name: str
    title: str
    kind: Literal["rate", "mean", "share"]
    definition: str
    column: str = ""
    op: Literal["==", "!=", ">=", ">", "<=", "<"] = "=="
    value: float = 0.0
    by: Literal["player", "seat", ""] = ""
    where: tuple[str, str, float] | None = None
    bounds: tuple[float, float] | None = None
    unit: str = ""
    headline: bool = False
    seats: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Everything an analysis needs to read a run.

    Parameters
    ----------
    game, title, version
        The game's name, title and version.
    max_seats
        Most seats of the game: the number of ``name_<seat>`` columns.
    time_unit
        What `rounds` counts.
    columns, series
        Columns of the game rows and of the series rows.
    ends, metrics
        How games end and what is measured.
    """

    game: str
    title: str
    version: int
    max_seats: int
    time_unit: str
    columns: tuple[Column, ...]
    series: tuple[Column, ...]
    ends: tuple[End, ...]
    metrics: tuple[Metric, ...]
    insight: str = ""
    schema: int = field(default=VERSION)

    def error_text(self, code: int) -> str:
        """Return what an error code of a failed game means."""
        labels = next((column.labels for column in self.columns if column.name == "error"), {})
        return labels.get(code, f"error {code}")

    def to_json(self) -> dict[str, Any]:
        """Return the schema as a plain mapping for ``schema.json``."""
        out = asdict(self)
        for column in out["columns"] + out["series"]:
            column["labels"] = {str(code): label for code, label in column["labels"].items()}
            column["stored"] = list(column["stored"])
        for metric in out["metrics"]:
            for key in ("where", "bounds", "seats"):
                metric[key] = None if metric[key] is None else list(metric[key])
        return {"schema": out.pop("schema"), **out}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Schema:
        """Rebuild the schema from `to_json`'s mapping."""

        def columns(items: Iterable[Mapping[str, Any]]) -> tuple[Column, ...]:
            return tuple(
                Column(
                    **{**c, "labels": {int(k): v for k, v in c["labels"].items()}, "stored": tuple(c["stored"])},
                )
                for c in items
            )

        def pair(value: Any) -> Any:
            return None if value is None else tuple(value)

        metrics = tuple(
            Metric(**{**m, **{key: pair(m.get(key)) for key in ("where", "bounds", "seats")}}) for m in data["metrics"]
        )
        plain = {k: data[k] for k in ("game", "title", "version", "max_seats", "time_unit", "insight", "schema")}
        return cls(
            **plain,
            columns=columns(data["columns"]),
            series=columns(data["series"]),
            ends=tuple(End(**e) for e in data["ends"]),
            metrics=metrics,
        )


def _names(dtype: np.dtype[Any], name: str) -> tuple[tuple[str, ...], str]:
    assert dtype.fields is not None
    part = dtype.fields[name][0]
    if part.subdtype is None:
        return (name,), part.name
    base, shape = part.subdtype
    if base.names is not None or len(shape) != 1:
        raise TypeError(f"column {name!r}: only plain numbers and one-dimensional arrays can be stored, got {part}")
    return tuple(f"{name}_{i}" for i in range(shape[0])), base.name


def _copy(kind: Any, declaration: Any) -> Any:
    return kind(**{f.name: getattr(declaration, f.name) for f in fields(kind)})


def _row_column(name: str, stored: tuple[str, ...], dtype: str, declared: Any, ends: Sequence[Any]) -> Column:
    meaning, per_seat = GENERIC.get(name, ("", False))
    labels: dict[int, str] = {}
    if declared is not None:
        meaning, per_seat, labels = declared.meaning, declared.per_seat, dict(declared.labels)
    if name == "ended_by" and not labels:
        labels = {e.code: e.name for e in ends}
    if name == "error":
        labels = {**FAILURES, **labels}
    core = name in GENERIC or (declared is not None and declared.records == "core")
    return Column(
        name=name,
        meaning=meaning,
        per_seat=per_seat,
        records="core" if core else "full",
        labels=labels,
        stored=stored,
        dtype=dtype,
    )


def build_schema(
    *,
    game: str,
    title: str,
    version: int,
    max_seats: int,
    time_unit: str,
    row: np.dtype[Any],
    series: np.dtype[Any],
    columns: Sequence[Any],
    ends: Sequence[Any],
    metrics: Sequence[Any],
    insight: str = "",
    records: Literal["core", "full"] = "core",
) -> Schema:
    """Put together a run's schema from a game's declarations.

    Parameters
    ----------
    row, series
        Record types of the kernel's game rows and series rows.
    columns, ends, metrics
        The game's declarations (see the Game contract); columns every game has (`GENERIC`) need none. A field
        without a declaration is stored with ``full`` records only.
    records
        ``core``: leave out columns declared ``full``, unless a metric reads them.

    Returns
    -------
    Schema
        What ``schema.json`` holds.

    Raises
    ------
    TypeError
        When a declaration names no field of the record type, or a field cannot be stored.
    """
    declared = {c.name: c for c in columns}
    missing = sorted(set(declared) - set(row.names or ()) - set(series.names or ()))
    if missing:
        raise TypeError(f"columns declared but not in the record types: {', '.join(missing)}")
    measured = {name for m in metrics for name in (m.column, m.where[0] if m.where else "") if name}
    rows: list[Column] = []
    for name in row.names or ():
        stored, dtype = _names(row, name)
        column = _row_column(name, stored, dtype, declared.get(name), ends)
        if column.records == "core" or records == "full" or measured & {name, *stored}:
            rows.append(column)
    times = {"game": GENERIC["game"][0], "time": f"{time_unit}, from 1", "seat": "0-based seat"}
    lines: list[Column] = []
    for name in series.names or ():
        stored, dtype = _names(series, name)
        meaning = declared[name].meaning if name in declared else times.get(name, "")
        lines.append(
            Column(name=name, meaning=meaning, per_seat=False, records="core", labels={}, stored=stored, dtype=dtype)
        )
    return Schema(
        game=game,
        title=title,
        version=version,
        max_seats=max_seats,
        time_unit=time_unit,
        columns=tuple(rows),
        series=tuple(lines),
        ends=tuple(_copy(End, e) for e in ends),
        metrics=tuple(_copy(Metric, m) for m in metrics),
        insight=insight,
    )


def to_frame(rows: NDArray[Any], columns: Sequence[Column]) -> pl.DataFrame:
    """Return record rows as a frame with one flat column for each stored name.

    Parameters
    ----------
    rows
        Structured array of shape ``(n,)``.
    columns
        `Schema.columns` or `Schema.series`.
    """
    out: dict[str, NDArray[Any]] = {}
    for column in columns:
        values = rows[column.name]
        if values.ndim == 1:
            out[column.stored[0]] = np.ascontiguousarray(values)
        else:
            for index, name in enumerate(column.stored):
                out[name] = np.ascontiguousarray(values[:, index])
    return pl.DataFrame(out)
