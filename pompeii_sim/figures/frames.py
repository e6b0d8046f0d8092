"""What figures read from a frame: labels, order, values with their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from pompeii_sim.stats.estimate import Estimate

LONGEST = 44
"""Longest label of a figure, in characters."""


def labels(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the distinct values of a column as labels, in the order of their first appearance."""
    return list(dict.fromkeys(label(v) for v in frame[column]))


def label(value: Any) -> str:
    """Return a value as a label: short, on one line, without control characters."""
    if isinstance(value, float):
        text = f"{value:g}"
    elif isinstance(value, pl.Series):
        text = ", ".join(label(v) for v in value)
    else:
        text = "".join(c if c.isprintable() else " " for c in str(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def records(frame: pl.DataFrame, **where: str) -> list[dict[str, Any]]:
    """Return the rows whose labels in some columns are these."""
    return [r for r in frame.iter_rows(named=True) if all(label(r[c]) == text for c, text in where.items())]


def number(record: Mapping[str, Any], name: str) -> float:
    """Return a row's number, NaN where it is missing (matplotlib leaves it out)."""
    value = record.get(name)
    return math.nan if value is None else float(value)


def arms(rows: Sequence[Mapping[str, Any]]) -> list[list[float]]:
    """Return the lengths of the intervals' arms below and above the values, as ``errorbar`` takes them."""
    lower, upper = [], []
    for row in rows:
        value = number(row, "value")
        low, high = number(row, "low"), number(row, "high")
        lower.append(0.0 if math.isnan(low) else max(0.0, value - low))
        upper.append(0.0 if math.isnan(high) else max(0.0, high - value))
    return [lower, upper]


def estimate(row: Mapping[str, Any]) -> Estimate:
    """Return the Estimate that a row of a tidy frame holds."""
    return Estimate(
        value=row["value"],
        low=row["low"],
        high=row["high"],
        n=int(row["n"]),
        level=float(row["level"]),
        method=str(row["method"]),
        expected=row.get("expected"),
        valid=row.get("valid") or "fixed",
        note=row.get("note"),
    )


def top(frame: pl.DataFrame, column: str = "value") -> float:
    """Return the largest number of a column, 0 where there is none."""
    largest: Any = frame[column].max()
    return 0.0 if largest is None else float(largest)


def games_told(rows: Iterable[Mapping[str, Any]]) -> str:
    """Say how many games lie behind each value: ``n = 400`` or ``n = 200 to 400``."""
    counts = [int(r["n"]) for r in rows if r.get("n") is not None]
    if not counts:
        return ""
    low, high = min(counts), max(counts)
    return f"n = {low:,}" if low == high else f"n = {low:,} to {high:,}"
