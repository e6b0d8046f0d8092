"""A game's board as a map: a number on every square."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pompeii_sim.figures import frames, style
from pompeii_sim.figures.heat import paint
from pompeii_sim.stats.rounding import digits_of, fixed


@style.styled
def board_map(
    frame: pl.DataFrame,
    *,
    row: str = "row",
    column: str = "column",
    name: str = "",
    panel: str = "",
    percent: bool = False,
    axis: str = "",
) -> Figure:
    """Draw a board square by square: the brighter, the more; a square without a number stays empty.

    Parameters
    ----------
    frame
        Columns `row`, `column` (whole numbers from 0), `name` and `panel` if given, ``value``, ``low``, ``high``,
        ``n``; one row a square. Squares that are not listed are not part of the board.
    row, column
        Place of a square; row 0 is drawn at the top.
    name
        What stands on the square, written small above the number.
    panel
        One board each.
    percent, axis
        Whether values are shares, and what they are.
    """
    parts = frames.labels(frame, panel) if panel else [""]
    rows, columns = int(frames.top(frame, row)) + 1, int(frames.top(frame, column)) + 1
    high = frames.top(frame)
    figure, axes = style.panels(len(parts), height=0.55 + 0.46 * rows)
    for ax, part in zip(axes, parts, strict=True):
        grid = np.full((rows, columns), np.nan)
        texts = [[""] * columns for _ in range(rows)]
        for r in frames.records(frame, **({panel: part} if panel else {})):
            y, x = int(r[row]), int(r[column])
            grid[y, x] = frames.number(r, "value")
            label = frames.label(r[name]) if name and r[name] else ""
            number = _told(r, percent)
            texts[y][x] = f"{label}\n{number}" if label and number else label or number
            ax.add_patch(
                Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor="none", edgecolor=style.GRID, linewidth=0.8)
            )
        paint(ax, grid, texts, 0.0, high if high > 0 else 1.0)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_title(part)
    told = frames.games_told(frame.iter_rows(named=True))
    figure.suptitle(f"{axis} ({told})" if told else axis, x=0.0, ha="left", fontsize=9.5, fontweight="bold")
    return figure


def _told(row: dict[str, object], percent: bool) -> str:
    """Return a square's number, with the digits its interval leaves worth telling."""
    value, low, high = (frames.number(row, key) for key in ("value", "low", "high"))
    if np.isnan(value):
        return ""
    scale = 100.0 if percent else 1.0
    half = (high - low) / 2 * scale
    digits = 1 if np.isnan(half) or half <= 0 else min(digits_of(half), 2)
    return fixed(value * scale, digits) + ("%" if percent else "")
