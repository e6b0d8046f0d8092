"""Cells of an answer with their names, for sentences."""

from __future__ import annotations

import polars as pl

from pompeii_sim.figures import frames
from pompeii_sim.figures.layout import Layout
from pompeii_sim.stats.estimate import Estimate


def cells_of(layout: Layout, frame: pl.DataFrame) -> list[tuple[str, Estimate]]:
    """Return each row's cell, named as in a sentence, and its Estimate."""
    return [(layout.told(r["cell"]), frames.estimate(r)) for r in frame.iter_rows(named=True)]
