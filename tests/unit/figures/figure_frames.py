"""Small frames of the shape that analysis gives, with made-up numbers."""

from __future__ import annotations

from typing import Any

import polars as pl


def number(value: float | None, half: float = 0.05, n: int = 400, **more: Any) -> dict[str, Any]:
    """Return the Estimate's columns of a row."""
    low = None if value is None else max(0.0, value - half)
    high = None if value is None else value + half
    return {
        "value": value,
        "low": low,
        "high": high,
        "n": n,
        "level": 0.95,
        "method": "wilson",
        "valid": "fixed",
        **more,
    }


def shares() -> pl.DataFrame:
    """Win shares of two kinds in three settings; one is not known."""
    return pl.DataFrame(
        [
            {"setting": s, "player": p, **number(v, expected=0.5)}
            for s, p, v in [
                ("A", "<b>one</b> $x$", 0.4), ("A", "two", 0.6), ("B", "<b>one</b> $x$", 0.55), ("B", "two", 0.45),
                ("C", "<b>one</b> $x$", None), ("C", "two", 0.5),
            ]
        ]
    )  # fmt: skip


def over_rounds() -> pl.DataFrame:
    """Curves of two settings in two panels."""
    return pl.DataFrame(
        [
            {"level": line, "where": panel, "round": r, **{**number(0.05 * r), "level": line}}
            for line in ("A", "B")
            for panel in ("near", "far")
            for r in range(1, 8)
        ]
    )
