"""Figures as files: SVG to stand within a page and take its colours, PNG beside a text."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib
from matplotlib.figure import Figure

from pompeii_sim.figures import style

VARIABLES = {style.INK: "--ink", style.MUTED: "--muted", style.GRID: "--grid"} | {
    shade: f"--series-{number}" for number, shade in enumerate(style.SERIES)
}
"""The page's names for the colours of the style."""

FONT = "'DejaVu Sans', Verdana, sans-serif"
RESOLUTION = 144
"""Dots an inch of a PNG."""


def to_svg(figure: Figure, name: str, alternative: str) -> str:
    """Return a figure as an ``svg`` element for a page.

    Parameters
    ----------
    figure
        The figure.
    name
        Unique within the page: it goes before every id in the drawing.
    alternative
        What the figure shows, for somebody who cannot see it.

    Returns
    -------
    str
        Texts stay texts; colours of the style are the page's variables; nothing is loaded from elsewhere.
    """
    buffer = io.StringIO()
    with matplotlib.rc_context(style.STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    drawn = buffer.getvalue()
    start = drawn.index("<svg")
    open_end = drawn.index(">", start) + 1
    view = re.search(r'viewBox="[^"]*"', drawn[start:open_end])
    if view is None:
        raise ValueError("the drawing has no viewBox")
    body = drawn[open_end : drawn.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="([^"]*)"', rf'id="{name}-\1"', body)
    body = re.sub(r'href="#([^"]*)"', rf'href="#{name}-\1"', body)
    body = re.sub(r"url\(#([^)]*)\)", rf"url(#{name}-\1)", body)
    body = body.replace("xlink:href", "href").replace("'DejaVu Sans'", FONT)
    for shade, variable in VARIABLES.items():
        body = body.replace(shade, f"var({variable})")
    title = f'<title id="{name}-title">{escape(alternative)}</title>'
    return f'<svg {view[0]} role="img" aria-labelledby="{name}-title">{title}{body}</svg>'


def to_png(figure: Figure, path: Path) -> None:
    """Write a figure as PNG on white; equal figures give equal bytes."""
    with matplotlib.rc_context(style.STYLE):
        figure.savefig(path, format="png", dpi=RESOLUTION, facecolor="white", metadata={"Software": None})
