"""Tables for people: estimates rounded in one cell with their interval; the download has everything."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from pompeii_sim.figures import frames
from pompeii_sim.figures.section import Table
from pompeii_sim.stats.rounding import person, person_difference
from pompeii_sim.store.linked import short

ESTIMATE = ("value", "low", "high", "n", "level", "method", "valid", "expected", "note")
MOST_ROWS = 300
"""Rows shown on a page; a download has all."""

MOST_HEAD = 30
"""A value's meaning in more characters than this is no heading; it stands with those of the other columns."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What people see, and what the column is sorted by (a number where it is one)."""

    text: str
    order: str
    numeric: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as people see it.

    Parameters
    ----------
    heads
        Headings with what they mean (empty where it is plain).
    rows
        The cells.
    notes
        What is the same in all rows and is therefore said below: level and method of the intervals.
    left_out
        Rows beyond `MOST_ROWS`.
    """

    heads: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    left_out: int


def shown(table: Table) -> Shown:
    """Return a table as people see it."""
    frame = table.frame
    hidden = {table.percent} if isinstance(table.percent, str) else set()
    has = [c in frame.columns for c in ("value", "low", "high")]
    estimated = all(has)
    columns = [c for c in frame.columns if c not in hidden and not (estimated and c in ESTIMATE)]
    heads = [(head(c), meaning(c, table.columns)) for c in columns]
    notes: list[str] = []
    extra: list[str] = []
    if estimated:
        place = columns.index("cell") if "cell" in columns else -1
        before = [c for c in frame.columns[: frame.columns.index("value")] if c in columns]
        at = len(before)
        level = frame["level"].drop_nulls().unique().to_list() if "level" in frame.columns else []
        told = f"{100 * level[0]:g}% interval" if len(level) == 1 else "interval"
        title = table.columns.get("value", "value")
        short_one = len(title) <= MOST_HEAD
        heads.insert(at, (f"{title if short_one else 'value'} [{told}]", "" if short_one else title))
        columns.insert(at, "value")
        extra = [c for c in ("n", "expected", "note") if c in frame.columns and frame[c].is_not_null().any()]
        for offset, c in enumerate(extra, start=1):
            heads.insert(at + offset, (head(c), meaning(c, table.columns)))
            columns.insert(at + offset, c)
        methods = (
            "; ".join(sorted(frame["method"].drop_nulls().unique().to_list())) if "method" in frame.columns else ""
        )
        if methods:
            notes.append(f"Intervals: {methods.replace('_', ' ')}.")
        assert place <= at
    rows = tuple(
        tuple(_cell(c, row, table, estimated) for c in columns) for row in frame.head(MOST_ROWS).iter_rows(named=True)
    )
    return Shown(tuple(heads), rows, tuple(notes), max(0, frame.height - MOST_ROWS))


KNOWN = {
    "n": "independent units behind the value: games, or deals in paired play",
    "expected": "what equal chances would give",
    "cell": "number of the combination of settings",
}


def meaning(column: str, given: Mapping[str, str]) -> str:
    """Return what a column means, as given or generally known."""
    return given.get(column, KNOWN.get(column, column if "." in column else ""))


def head(column: str) -> str:
    """Return a column's heading."""
    return short(column) if "." in column else column.replace("_", " ")


def _cell(column: str, row: Mapping[str, Any], table: Table, estimated: bool) -> Cell:
    value = row[column]
    in_percent = bool(row[table.percent]) if isinstance(table.percent, str) else table.percent
    if column == "value" and estimated:
        made = frames.estimate(row)
        text = person_difference(made, rate=in_percent) if table.difference else person(made, percent=in_percent)
        return Cell(text, "" if value is None else repr(float(value)), True)
    if column == "expected" and value is not None:
        return Cell(f"{100 * value:.3g}%" if in_percent else f"{value:.4g}", repr(float(value)), True)
    if value is None:
        return Cell("", "", False)
    if isinstance(value, bool):
        return Cell("yes" if value else "no", str(value), False)
    if isinstance(value, int):
        return Cell(f"{value:,}", str(value), True)
    if isinstance(value, float):
        return Cell(f"{value:,.0f}" if value.is_integer() or abs(value) >= 1000 else f"{value:.4g}", repr(value), True)
    if isinstance(value, list | pl.Series):
        return Cell(", ".join(map(str, value)), ", ".join(map(str, value)), False)
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return Cell(text, text, False)


def csv_text(table: Table) -> str:
    """Return the whole table as CSV in full precision."""
    frame = table.frame
    if isinstance(table.percent, str) and table.percent in frame.columns:
        frame = frame.drop(table.percent)
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    frame = frame.with_columns(
        pl.col(name).map_elements(lambda v: ", ".join(map(str, v)), return_dtype=pl.String) for name in lists
    )
    return frame.write_csv()


def csv_link(table: Table) -> str:
    """Return the table as a ``data:`` address for a download link."""
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(csv_text(table).encode()).decode()
