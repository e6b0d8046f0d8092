"""Robustness: which conclusions hold in which settings."""

from __future__ import annotations

from textwrap import fill

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style

VERDICTS = {"holds": ("o", 0), "flips": ("X", 1), "undecided": ("D", 6)}
"""Marker and colour of each verdict."""


@style.styled
def robustness(
    frame: pl.DataFrame, *, conclusion: str = "conclusion", setting: str = "setting", verdict: str = "verdict"
) -> Figure:
    """Draw a matrix, a line a setting and a column a conclusion: holds, flips or undecided, by marker and colour.

    Parameters
    ----------
    frame
        Columns `conclusion`, `setting` and `verdict` (``holds``, ``flips``, ``undecided``).
    """
    lines, heads = frames.labels(frame, setting), frames.labels(frame, conclusion)
    figure, (ax,) = style.panels(1, height=1.3 + 0.21 * len(lines))
    for name, (marker, number) in VERDICTS.items():
        rows = frames.records(frame, **{verdict: name})
        ax.scatter(
            [heads.index(frames.label(r[conclusion])) for r in rows],
            [lines.index(frames.label(r[setting])) for r in rows],
            marker=marker,
            s=42,
            edgecolors=style.colour(number),
            facecolors="none" if name == "undecided" else style.colour(number),
            label=f"{name} ({len(rows)})",
        )
    width = max(10, 84 // max(1, len(heads)))
    ax.set_xticks(range(len(heads)), [fill(head, width) for head in heads])
    ax.set_yticks(range(len(lines)), lines)
    ax.set_xlim(-0.6, len(heads) - 0.4)
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.grid(visible=True)
    style.legend(figure, ax)
    return figure
