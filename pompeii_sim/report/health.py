"""Section: games that went wrong or were stopped, and games worth a look."""

from __future__ import annotations

import polars as pl

from pompeii_sim.figures.section import Section
from pompeii_sim.report.view import View
from pompeii_sim.report.words import spread


def health(view: View) -> Section:
    """Return the section on failed and stopped games."""
    frame = view.outcomes
    failed = frame.group_by("cell").agg(pl.col("failed").first())
    number = int(failed["failed"].sum())
    sentences = [f"{number:,} games failed; they are in no number of this report." if number else "No game failed."]
    for end in view.ends("censored"):
        cells = view.cells(frame.filter(frame["end"] == end.name))
        sentences.append(spread(f"Stopped by {end.name.replace('_', ' ')}", cells, percent=True))
    return Section(
        name="health",
        title="Health of the run",
        question="Did every game come to an end by the rules?",
        sentences=tuple(sentences),
    )
