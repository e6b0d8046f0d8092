"""Dots with intervals in rows: win shares against chance, and forests of effects."""

from __future__ import annotations

import math

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style

CHANCE = "equal chances"
MOST_ROWS = 60
"""More rows than this are no figure any more but a table."""


@style.styled
def win_shares(frame: pl.DataFrame, *, row: str, label: str, percent: bool = True, axis: str = "win share") -> Figure:
    """Draw shares with intervals, each beside what equal chances would give.

    Parameters
    ----------
    frame
        Columns `row` and `label`, ``value``, ``low``, ``high``, ``n``, and ``expected`` where there is one.
    row
        One line of the figure each.
    label
        One colour and marker each.
    percent
        Whether values are shares.
    axis
        What the values are.
    """
    lines, kinds = frames.labels(frame, row), frames.labels(frame, label)
    step = 0.7 / max(len(kinds), 1)
    figure, (ax,) = style.panels(1, height=1.1 + len(lines) * max(0.26, 0.16 * len(kinds)))
    for number, kind in enumerate(kinds):
        rows = frames.records(frame, **{label: kind})
        offset = (number - (len(kinds) - 1) / 2) * step
        heights = [lines.index(frames.label(r[row])) + offset for r in rows]
        ax.errorbar(
            [frames.number(r, "value") for r in rows],
            heights,
            xerr=frames.arms(rows),
            fmt=style.marker(number),
            color=style.colour(number),
            capsize=2,
            label=kind,
        )
        chance = [frames.number(r, "expected") for r in rows]
        ax.scatter(chance, heights, marker="|", s=90, color=style.INK, linewidths=1.2, zorder=1)
    if "expected" in frame.columns and frame["expected"].is_not_null().any():
        ax.scatter([], [], marker="|", s=90, color=style.INK, linewidths=1.2, label=CHANCE)
    ax.set_yticks(range(len(lines)), lines)
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.set_xlabel(f"{axis} ({frames.games_told(frame.iter_rows(named=True))})")
    if percent:
        style.percent_axis(ax.xaxis)
    style.grid(ax, "x")
    style.legend(figure, ax, last=CHANCE)
    return figure


@style.styled
def forest(
    frame: pl.DataFrame,
    *,
    label: str,
    reference: float = 0.0,
    percent: bool = True,
    axis: str = "difference",
    flagged: str = "",
    most: int = MOST_ROWS,
) -> Figure:
    """Draw effects with intervals, the largest at the top, filled where they are told from the reference.

    Parameters
    ----------
    frame
        Columns `label`, ``value``, ``low``, ``high``, ``n``.
    label
        Name of each effect.
    reference
        Where there is no effect.
    percent, axis
        As for `win_shares`.
    flagged
        Column that says whether an effect is called real; without one, whether its interval leaves the reference out.
    most
        At most so many rows: those farthest from the reference.
    """
    rows = [r for r in frame.iter_rows(named=True) if r["value"] is not None]
    rows = sorted(rows, key=lambda r: -abs(r["value"] - reference))[:most]
    rows.sort(key=lambda r: -r["value"])
    figure, (ax,) = style.panels(1, height=1.0 + 0.2 * max(len(rows), 3))
    ax.axvline(reference, color=style.MUTED, linewidth=0.9)
    for told in (True, False):
        chosen = [(y, r) for y, r in enumerate(rows) if _told(r, reference, flagged) is told]
        ax.errorbar(
            [r["value"] for _, r in chosen],
            [y for y, _ in chosen],
            xerr=frames.arms([r for _, r in chosen]),
            fmt="o" if told else "D",
            color=style.colour(0) if told else style.MUTED,
            markerfacecolor=style.colour(0) if told else "none",
            elinewidth=1.1,
            label="told from no effect" if told else "not told from no effect",
        )
    ax.set_yticks(range(len(rows)), [frames.label(r[label]) for r in rows])
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    ax.set_xlabel(f"{axis} ({frames.games_told(rows)})")
    if percent:
        style.percent_axis(ax.xaxis)
    style.grid(ax, "x")
    style.legend(figure, ax)
    return figure


def _told(row: dict[str, object], reference: float, flagged: str) -> bool:
    if flagged:
        return bool(row[flagged])
    low, high = frames.number(row, "low"), frames.number(row, "high")
    return not (math.isnan(low) or math.isnan(high) or low <= reference <= high)
