"""The one style of all figures: colours that colour-blind readers can tell apart, markers and hatches beside them.

The colours are those of Okabe and Ito (2008), Color Universal Design. `INK`, `MUTED`, `GRID` and the series'
colours are unique texts, so that a page can put its own light or dark colours in their place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

P = ParamSpec("P")

INK, MUTED, GRID = "#1c1b1a", "#6b6862", "#dedbd5"
ON_DARK, ON_LIGHT = "#ffffff", "#000000"
"""Text upon a coloured cell, which keeps its colour on any page."""

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7e")
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oo")
DASHES: tuple[Any, ...] = (
    "solid",
    (0, (5, 2)),
    (0, (1, 1.4)),
    (0, (6, 2, 1, 2)),
    (0, (3, 1)),
    (0, (8, 3)),
    (0, (1, 3)),
)
SHADES = "cividis"
"""Colour map of heat maps: even in lightness, the same for colour-blind readers, and readable in grey."""

WIDTH = 7.2
"""Width of every figure, in inches."""

STYLE: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "figure.dpi": 100,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.0,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "hatch.linewidth": 0.6,
    "hatch.color": GRID,
    "svg.fonttype": "none",
    "svg.hashsalt": "figure",
}


def styled(function: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw a figure in this style and leave matplotlib's own settings as they were."""

    @wraps(function)
    def draw(*args: P.args, **options: P.kwargs) -> Figure:
        with matplotlib.rc_context(STYLE):
            return function(*args, **options)

    return draw


def panels(count: int, *, height: float, columns: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure with a grid of so many axes; the ones left over are taken away.

    Parameters
    ----------
    count
        How many axes, at least 1.
    height
        Of one row of axes, in inches.
    columns
        Axes side by side, at most.
    **options
        For matplotlib's ``subplots``.
    """
    columns = max(1, min(columns, count))
    rows = -(-count // columns)
    figure = Figure(figsize=(WIDTH, height * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **options)
    axes = [ax for line in grid for ax in line]
    for ax in axes[count:]:
        ax.remove()
    return figure, axes[:count]


def colour(number: int) -> str:
    """Return the colour of the series of that number."""
    return SERIES[number % len(SERIES)]


def marker(number: int) -> str:
    """Return its marker; seven by seven the markers move on, so that 49 series stay apart."""
    return MARKERS[(number + number // len(SERIES)) % len(MARKERS)]


def dashes(number: int) -> Any:
    """Return its line style."""
    return DASHES[number % len(DASHES)]


def hatch(number: int) -> str:
    """Return its hatch."""
    return HATCHES[number % len(HATCHES)]


def percent_axis(axis: Any) -> None:
    """Label an axis of shares in percent."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}%"))


def grid(ax: Axes, which: str) -> None:
    """Draw the grid of one axis, ``x`` or ``y``."""
    ax.grid(visible=True, axis=which)  # type: ignore[arg-type]


def legend(figure: Figure, ax: Axes, *, columns: int = 6, title: str = "", last: str = "") -> None:
    """Put one legend above the figure, made from one of its axes; nothing for a single series.

    Parameters
    ----------
    figure, ax
        Where it goes, and whose series it names.
    columns
        Most entries on a line.
    title
        Above the entries.
    last
        The entry that stands last.
    """
    entries = sorted(zip(*ax.get_legend_handles_labels(), strict=True), key=lambda e: e[1] == last)
    handles, labels = [e[0] for e in entries], [e[1] for e in entries]
    if len(labels) > 1:
        shown = min(columns, len(labels))
        longest = max(map(len, labels))
        while shown > 1 and shown * (longest + 6) > 105:
            shown -= 1
        figure.legend(handles, labels, loc="outside upper left", ncols=shown, title=title or None, alignment="left")
