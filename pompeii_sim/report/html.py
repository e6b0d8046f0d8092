"""A report as one self-contained page: nothing is loaded from elsewhere, everything from files is escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.document import AS_WRITTEN, Chapter, Report
from pompeii_sim.report.drawing import to_svg
from pompeii_sim.report.tables import csv_link, shown

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(drawing=_drawing, shown=shown, csv_link=csv_link, file_name=file_name, anchor=anchor)
    return made


def to_html(report: Report) -> str:
    """Return a report as a page.

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    str
        HTML with style, script and drawings in it. Its content security policy lets nothing in from elsewhere and no
        script run but its own.
    """
    script = (TEMPLATES / "report.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            as_written=AS_WRITTEN,
            style=Markup((TEMPLATES / "report.css").read_text("utf-8")),  # ours, not from a run
            script=Markup(script),
            script_hash=f"sha256-{digest}",
        )
    )


def anchor(chapter: Chapter, section: Section) -> str:
    """Return a section's anchor within the page."""
    return f"{chapter.name}-{section.name}"


def file_name(chapter: Chapter, section: Section, part: Table | Picture) -> str:
    """Return the name of a picture or table among files, without its ending."""
    return re.sub(r"[^a-z0-9-]+", "-", f"{chapter.name}-{section.name}-{part.name}".lower()).strip("-")


def _drawing(chapter: Chapter, section: Section, picture: Picture) -> Markup:
    """Return a picture's drawing, whose texts are escaped where it is made."""
    return Markup(to_svg(picture.figure, file_name(chapter, section, picture), picture.alternative))
