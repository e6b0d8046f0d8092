"""Fans: how far seats are, round by round, over many games, with single games drawn over it."""

from __future__ import annotations

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style


@style.styled
def fan(
    bands: pl.DataFrame,
    singles: pl.DataFrame | None = None,
    *,
    x: str = "time",
    name: str = "game",
    panel: str = "",
    axis: str = "progress",
    clock: str = "round",
) -> Figure:
    """Draw the middle, the middle half and the middle nine tenths of a number over rounds.

    Parameters
    ----------
    bands
        Columns `x`, `panel` if given, ``q05``, ``q25``, ``q50``, ``q75``, ``q95`` and ``n`` (games that reached the
        round).
    singles
        Columns `x`, `panel` if given, `name` and ``value``: a line for each name, labelled at its end with it.
    x, name, panel
        Columns.
    axis, clock
        What the values are and what the clock counts.
    """
    parts = frames.labels(bands, panel) if panel else [""]
    figure, axes = style.panels(len(parts), height=2.7 if panel else 3.4, columns=2, sharex=True, sharey=True)
    for ax, part in zip(axes, parts, strict=True):
        where = {panel: part} if panel else {}
        rows = sorted(frames.records(bands, **where), key=lambda r: r[x])
        times = [r[x] for r in rows]
        for low, high, alpha, told in (("q05", "q95", 0.18, "nine in ten"), ("q25", "q75", 0.32, "half")):
            ends = [[frames.number(r, end) for r in rows] for end in (low, high)]
            ax.fill_between(times, ends[0], ends[1], color=style.colour(0), alpha=alpha, linewidth=0, label=told)
        ax.plot(times, [frames.number(r, "q50") for r in rows], color=style.colour(0), label="median")
        if singles is not None:
            for number, single in enumerate(frames.labels(singles, name), start=1):
                points = sorted(frames.records(singles, **where, **{name: single}), key=lambda r: r[x])
                if not points:
                    continue
                xs, ys = [p[x] for p in points], [frames.number(p, "value") for p in points]
                shade = style.colour(number)
                ax.plot(xs, ys, color=shade, linewidth=1.1, linestyle=style.dashes(number))
                ax.plot(xs[-1:], ys[-1:], marker=style.marker(number), color=shade, linestyle="none", label=single)
        ax.set_title(part)
        style.grid(ax, "y")
    figure.supxlabel(clock, fontsize=9)
    figure.supylabel(axis, fontsize=9)
    style.legend(figure, axes[0], columns=3)
    return figure
