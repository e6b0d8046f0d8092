"""Ladders: a metric along an ordered setting."""

from __future__ import annotations

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style
from pompeii_sim.store.linked import short, with_value


@style.styled
def ladder(
    frame: pl.DataFrame, *, step: str, line: str = "", panel: str = "", percent: bool = True, axis: str = ""
) -> Figure:
    """Draw a metric at every step of an ordered setting, joined by lines; even slopes are even steps.

    Parameters
    ----------
    frame
        Columns `step`, `line` and `panel` if given, ``value``, ``low``, ``high``, ``n``.
    step
        The ordered setting, in the order of its first appearance.
    line
        What else is set: one line each.
    panel
        One panel each.
    percent, axis
        Whether values are shares, and what they are.
    """
    steps = frames.labels(frame, step)
    lines = frames.labels(frame, line) if line else [""]
    parts = frames.labels(frame, panel) if panel else [""]
    figure, axes = style.panels(len(parts), height=2.7 if panel else 3.4, columns=2, sharex=True, sharey=True)
    for ax, part in zip(axes, parts, strict=True):
        for number, name in enumerate(lines):
            where = ({line: name} if line else {}) | ({panel: part} if panel else {})
            rows = sorted(frames.records(frame, **where), key=lambda r: steps.index(frames.label(r[step])))
            offset = (number - (len(lines) - 1) / 2) * min(0.06, 0.4 / len(lines))
            ax.errorbar(
                [steps.index(frames.label(r[step])) + offset for r in rows],
                [frames.number(r, "value") for r in rows],
                yerr=frames.arms(rows),
                color=style.colour(number),
                marker=style.marker(number),
                linestyle=style.dashes(number),
                elinewidth=1.1,
                capsize=2,
                label=name,
            )
        ax.set_xticks(range(len(steps)), steps)
        ax.set_xlim(-0.4, len(steps) - 0.6)
        ax.set_title(with_value(panel, part) if panel else "")
        if percent:
            style.percent_axis(ax.yaxis)
        style.grid(ax, "y")
    figure.supxlabel(f"{short(step)} ({frames.games_told(frame.iter_rows(named=True))} a point)", fontsize=9)
    figure.supylabel(axis, fontsize=9)
    style.legend(figure, axes[0], title=short(line) if line else "")
    return figure
