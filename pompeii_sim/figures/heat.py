"""Coloured tables: a metric over two swept settings, and fingerprints of many metrics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pompeii_sim.figures import frames, style
from pompeii_sim.stats.rounding import digits_of, fixed
from pompeii_sim.store.linked import short, with_value


@style.styled
def heat_map(
    frame: pl.DataFrame, *, row: str, column: str, panel: str = "", percent: bool = True, axis: str = ""
) -> Figure:
    """Draw one metric over two settings: value and half-width in each cell, darker is less.

    Parameters
    ----------
    frame
        Columns `row`, `column`, `panel` if given, ``value``, ``low``, ``high``, ``n``; one row a combination.
    row, column
        The two settings.
    panel
        A third one: a map for each of its values, all on one scale.
    percent
        Whether values are shares.
    axis
        What the values are.
    """
    lines, heads = frames.labels(frame, row), frames.labels(frame, column)
    parts = frames.labels(frame, panel) if panel else [""]
    values = [frames.number(r, "value") for r in frame.iter_rows(named=True)]
    known = [v for v in values if not math.isnan(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    figure, axes = style.panels(len(parts), height=1.15 + 0.5 * len(lines), columns=2)
    for ax, part in zip(axes, parts, strict=True):
        cells = frames.records(frame, **({panel: part} if panel else {}))
        grid = np.full((len(lines), len(heads)), np.nan)
        texts = [[""] * len(heads) for _ in lines]
        for r in cells:
            y, x = lines.index(frames.label(r[row])), heads.index(frames.label(r[column]))
            grid[y, x] = frames.number(r, "value")
            texts[y][x] = _told(r, percent)
        paint(ax, grid, texts, low, high)
        ax.set_xticks(range(len(heads)), heads)
        ax.set_yticks(range(len(lines)), lines)
        ax.set_xlabel(short(column))
        ax.set_ylabel(short(row))
        ax.set_title(with_value(panel, part) if panel else "")
    told = frames.games_told(frame.iter_rows(named=True))
    figure.suptitle(f"{axis} ({told} a cell)", x=0.0, ha="left", fontsize=9.5, fontweight="bold")
    return figure


@style.styled
def fingerprint(frame: pl.DataFrame, *, row: str, column: str, percent: str = "") -> Figure:
    """Draw many metrics over many settings, every line on its own scale, so that patterns of columns can be seen.

    Parameters
    ----------
    frame
        Columns `row` (the metric or persona), `column` (the setting), ``value``, ``low``, ``high``, ``n``.
    row, column
        Lines and columns of the table.
    percent
        A boolean column: whether the row's values are shares.
    """
    lines, heads = frames.labels(frame, row), frames.labels(frame, column)
    scaled = np.full((len(lines), len(heads)), np.nan)
    texts = [[""] * len(heads) for _ in lines]
    for r in frame.iter_rows(named=True):
        y, x = lines.index(frames.label(r[row])), heads.index(frames.label(r[column]))
        scaled[y, x] = frames.number(r, "value")
        texts[y][x] = _told(r, bool(r[percent]) if percent else False, interval=False)
    for line in scaled:
        known = line[~np.isnan(line)]
        if known.size:
            spread = float(known.max() - known.min())
            line[:] = (line - known.min()) / spread if spread > 0 else np.where(np.isnan(line), np.nan, 0.5)
    figure, (ax,) = style.panels(1, height=1.3 + 0.32 * len(lines))
    paint(ax, scaled, texts, 0.0, 1.0)
    crowded = len(heads) > 8 or max(map(len, heads)) > 90 // max(len(heads), 1)
    ax.set_xticks(range(len(heads)), heads, rotation=45 if crowded else 0, ha="right" if crowded else "center")
    ax.set_yticks(range(len(lines)), lines)
    return figure


def _told(row: dict[str, Any], percent: bool, interval: bool = True) -> str:
    value, low, high = (frames.number(row, name) for name in ("value", "low", "high"))
    scale = 100.0 if percent else 1.0
    if math.isnan(value):
        return "–"
    half = (high - low) / 2 * scale
    if math.isnan(half) or half <= 0:
        return fixed(value * scale, 1)
    digits = min(digits_of(half), 3)
    text = fixed(value * scale, digits)
    return f"{text}\n±{fixed(half, digits)}" if interval else text


def paint(ax: Axes, grid: NDArray[np.float64], texts: list[list[str]], low: float, high: float) -> None:
    """Colour the cells and write their texts in black or white, whichever is read more easily."""
    shades = colormaps[style.SHADES]
    spread = high - low if high > low else 1.0
    many = grid.shape[1] > 10
    for y, x in np.ndindex(*grid.shape):
        if math.isnan(grid[y, x]):
            ax.text(x, y, texts[y][x], ha="center", va="center", fontsize=7.5)
            continue
        red, green, blue, _ = shades((grid[y, x] - low) / spread)
        ax.add_patch(_tile(x, y, (red, green, blue)))
        light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
        ax.text(
            x,
            y,
            texts[y][x],
            ha="center",
            va="center",
            fontsize=6.5 if many else 8,
            color=style.ON_LIGHT if light else style.ON_DARK,
        )
    ax.set_xlim(-0.5, grid.shape[1] - 0.5)
    ax.set_ylim(grid.shape[0] - 0.5, -0.5)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _tile(x: int, y: int, fill: tuple[float, float, float]) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=fill, linewidth=0)
