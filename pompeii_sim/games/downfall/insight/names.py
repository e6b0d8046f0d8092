"""Names for the numbers of a run's columns, from the data the run was played with, and which cells are looked at."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import polars as pl

from pompeii_sim.analysis import Study
from pompeii_sim.figures import frames
from pompeii_sim.figures.layout import Layout
from pompeii_sim.games.downfall.data_files import DownfallData, load_data
from pompeii_sim.stats.estimate import Estimate

FULL = "This run has core records. To see buildings, squares and turns, play it with --records full."
MOST_CELLS = 6


def data_of(study: Study) -> DownfallData:
    """Return the data of a run: its edited copy if it has one, else the data shipped."""
    folder = None if study.path is None else study.path / "data"
    return _load(folder if folder is not None and folder.is_dir() else None)


@lru_cache(maxsize=4)
def _load(folder: Path | None) -> DownfallData:
    return load_data(folder)


def shown(layout: Layout) -> list[int]:
    """Return the few cells that figures of this game show."""
    return layout.drawn[:MOST_CELLS]


def told_cells(layout: Layout, frame: pl.DataFrame) -> list[tuple[str, Estimate]]:
    """Return each row's cell, named as in a sentence, and its Estimate."""
    return [(layout.told(r["cell"]), frames.estimate(r)) for r in frame.iter_rows(named=True)]


def left_out(layout: Layout) -> str:
    """Say which cells figures leave out, empty when none."""
    count, total = len(shown(layout)), len(layout.study.cells)
    return "" if count == total else f"Drawn: {count} of {total} settings."
