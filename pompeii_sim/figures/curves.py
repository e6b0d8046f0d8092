"""Curves over rounds: the risk in each round, and how many games have ended by then."""

from __future__ import annotations

from typing import Literal

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style
from pompeii_sim.store.linked import short, with_value


@style.styled
def hazard(
    frame: pl.DataFrame,
    *,
    line: str,
    x: str = "round",
    panel: str = "",
    axis: str = "risk in this round",
    clock: str = "round",
) -> Figure:
    """Draw the risk of a round for games that reached it, a line each with its interval as a band.

    Parameters
    ----------
    frame
        Columns `x`, `line`, `panel` if given, ``value``, ``low``, ``high``.
    line
        One colour and dash each.
    x
        The clock's column.
    panel
        One panel each.
    axis, clock
        What the values are, and what the clock counts.
    """
    return _curves(frame, line=line, x=x, panel=panel, axis=axis, clock=clock, steps="mid")


@style.styled
def incidence(
    frame: pl.DataFrame,
    *,
    line: str,
    x: str = "round",
    panel: str = "",
    axis: str = "share of games that have ended so",
    clock: str = "round",
) -> Figure:
    """Draw the share of games that have ended in one way by each round; ends compete: their shares add up to 1 at most.

    Parameters
    ----------
    frame, line, x, panel, axis, clock
        As for `hazard`.
    """
    return _curves(frame, line=line, x=x, panel=panel, axis=axis, clock=clock, steps="post")


def _curves(
    frame: pl.DataFrame, *, line: str, x: str, panel: str, axis: str, clock: str, steps: Literal["mid", "post"]
) -> Figure:
    parts = frames.labels(frame, panel) if panel else [""]
    lines = frames.labels(frame, line)
    figure, axes = style.panels(len(parts), height=2.6 if panel else 3.4, columns=2, sharex=True, sharey=True)
    for ax, part in zip(axes, parts, strict=True):
        for number, name in enumerate(lines):
            where = {line: name} | ({panel: part} if panel else {})
            rows = sorted(frames.records(frame, **where), key=lambda r: r[x])
            if not rows:
                continue
            times = [r[x] for r in rows]
            low, high = ([frames.number(r, end) for r in rows] for end in ("low", "high"))
            ax.fill_between(times, low, high, step=steps, color=style.colour(number), alpha=0.22, linewidth=0)
            ax.plot(
                times,
                [frames.number(r, "value") for r in rows],
                drawstyle=f"steps-{steps}",
                color=style.colour(number),
                linestyle=style.dashes(number),
                label=name,
            )
        ax.set_title(with_value(panel, part) if panel else "")
        style.percent_axis(ax.yaxis)
        style.grid(ax, "y")
    axes[0].set_ylim(bottom=0)  # shared; after the last curve, so that all of them fit
    figure.supxlabel(clock, fontsize=9)
    figure.supylabel(axis, fontsize=9)
    style.legend(figure, axes[0], title="" if line in ("", "end") else short(line))
    return figure
