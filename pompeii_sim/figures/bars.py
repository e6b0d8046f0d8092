"""Bars with intervals: shares by group, and how much things are used."""

from __future__ import annotations

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style


@style.styled
def grouped_bars(frame: pl.DataFrame, *, group: str, label: str, percent: bool = True, axis: str = "") -> Figure:
    """Draw bars side by side in groups, with intervals; hatches tell the labels apart without colour.

    Parameters
    ----------
    frame
        Columns `group`, `label`, ``value``, ``low``, ``high``, ``n``.
    group, label
        Groups along the axis, and the bars within each.
    percent, axis
        Whether values are shares, and what they are.
    """
    groups, kinds = frames.labels(frame, group), frames.labels(frame, label)
    width = 0.8 / max(len(kinds), 1)
    figure, (ax,) = style.panels(1, height=3.2)
    for number, kind in enumerate(kinds):
        rows = frames.records(frame, **{label: kind})
        places = [groups.index(frames.label(r[group])) + (number - (len(kinds) - 1) / 2) * width for r in rows]
        ax.bar(
            places,
            [frames.number(r, "value") for r in rows],
            width * 0.92,
            yerr=frames.arms(rows),
            color=style.colour(number),
            hatch=style.hatch(number),
            error_kw={"elinewidth": 1.1, "capsize": 2, "ecolor": style.INK},
            label=kind,
        )
    crowded = sum(map(len, groups)) > 80
    ax.set_xticks(range(len(groups)), groups, rotation=30 if crowded else 0, ha="right" if crowded else "center")
    ax.set_ylabel(axis)
    ax.set_xlabel(frames.games_told(frame.iter_rows(named=True)))
    if percent:
        style.percent_axis(ax.yaxis)
    style.grid(ax, "y")
    style.legend(figure, ax)
    return figure


@style.styled
def use(
    frame: pl.DataFrame, *, label: str, group: str = "", percent: bool = False, axis: str = "", most: int = 40
) -> Figure:
    """Draw how much each thing is used, the most used at the top; a marker for each group.

    Parameters
    ----------
    frame
        Columns `label`, `group` if given, ``value``, ``low``, ``high``, ``n``.
    label
        The things, a line each.
    group
        What is compared on each line.
    percent, axis
        As for `grouped_bars`.
    most
        At most so many things.
    """
    groups = frames.labels(frame, group) if group else [""]
    largest: dict[str, float] = {}
    for r in frame.iter_rows(named=True):
        name = frames.label(r[label])
        largest[name] = max(largest.get(name, 0.0), r["value"] or 0.0)
    things = sorted(largest, key=lambda name: -largest[name])[:most]
    figure, (ax,) = style.panels(1, height=1.0 + 0.21 * max(len(things), 3))
    for number, part in enumerate(groups):
        rows = [
            r for r in frames.records(frame, **({group: part} if group else {})) if frames.label(r[label]) in things
        ]
        heights = [float(things.index(frames.label(r[label]))) for r in rows]
        values = [frames.number(r, "value") for r in rows]
        if len(groups) == 1:
            ax.barh(heights, values, 0.62, color=style.colour(0), alpha=0.85)
            ax.errorbar(values, heights, xerr=frames.arms(rows), fmt="none", ecolor=style.INK, elinewidth=1.0)
            continue
        offset = (number - (len(groups) - 1) / 2) * 0.6 / len(groups)
        ax.errorbar(
            values,
            [h + offset for h in heights],
            xerr=frames.arms(rows),
            fmt=style.marker(number),
            color=style.colour(number),
            elinewidth=1.0,
            markersize=4,
            label=part,
        )
    ax.set_yticks(range(len(things)), things)
    ax.set_ylim(max(len(things), 1) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{axis} ({frames.games_told(frame.iter_rows(named=True))})")
    if percent:
        style.percent_axis(ax.xaxis)
    style.grid(ax, "x")
    style.legend(figure, ax)
    return figure
