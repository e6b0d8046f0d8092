"""How a count is distributed: lengths of games, numbers of events."""

from __future__ import annotations

import polars as pl
from matplotlib.figure import Figure

from pompeii_sim.figures import frames, style


@style.styled
def distributions(frame: pl.DataFrame, *, x: str, row: str, axis: str, most: int = 120) -> Figure:
    """Draw one distribution above the other, each on its own base line and as high as its peak, with its median.

    Parameters
    ----------
    frame
        Columns `x` (whole numbers), `row`, ``value`` (share of games), ``n``.
    x
        What is counted.
    row
        One base line each.
    axis
        What the horizontal axis is.
    most
        Values above the one that leaves so few games out that they cannot be seen are put together at the end; at
        most so many values are drawn.
    """
    lines = frames.labels(frame, row)
    last = _last(frame, x, row, most)
    figure, (ax,) = style.panels(1, height=1.0 + 0.42 * len(lines))
    for number, name in enumerate(lines):
        rows = sorted(frames.records(frame, **{row: name}), key=lambda r: r[x])
        shares: dict[int, float] = {}
        for r in rows:
            at = min(int(r[x]), last)
            shares[at] = shares.get(at, 0.0) + (r["value"] or 0.0)
        base = float(len(lines) - 1 - number)
        times = list(range(min(shares, default=0), max(shares, default=0) + 1))
        height = max(shares.values(), default=0.0) or 1.0
        tops = [base + 0.9 * shares.get(t, 0.0) / height for t in times]
        shade = style.colour(number)
        ax.fill_between(times, base, tops, step="mid", color=shade, alpha=0.35, linewidth=0)
        ax.plot(times, tops, drawstyle="steps-mid", color=shade, linewidth=1.2)
        ax.axhline(base, color=style.GRID, linewidth=0.7)
        middle = _median(shares)
        if middle is not None:
            ax.plot([middle], [base], marker=style.marker(0), color=style.INK, linestyle="none", clip_on=False)
    ax.plot([], [], marker=style.marker(0), color=style.INK, linestyle="none", label="median")
    ax.plot([], [], color=style.MUTED, linewidth=1.2, label="share of games, each line as high as its peak")
    ax.set_yticks(range(len(lines)), lines[::-1])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(-0.15, len(lines) + 0.05)
    rest = f", {last} and more together" if frames.top(frame, x) > last else ""
    ax.set_xlabel(f"{axis}{rest} ({frames.games_told(frame.iter_rows(named=True))} a line)")
    style.grid(ax, "x")
    style.legend(figure, ax)
    return figure


def _median(shares: dict[int, float]) -> int | None:
    half, total = 0.0, sum(shares.values())
    for at in sorted(shares):
        half += shares[at]
        if half >= total / 2 and total > 0:
            return at
    return None


def _last(frame: pl.DataFrame, x: str, row: str, most: int) -> int:
    """Return the value beyond which every line has less than one game in five hundred."""
    last = 0
    for name in frames.labels(frame, row):
        left = sum(r["value"] or 0.0 for r in frames.records(frame, **{row: name}))
        for r in sorted(frames.records(frame, **{row: name}), key=lambda r: r[x]):
            if left < 0.002:
                break
            last = max(last, int(r[x]))
            left -= r["value"] or 0.0
    return min(last, most)
