"""What every section of a report is made from: one run, laid out, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from pompeii_sim import analysis
from pompeii_sim.analysis.study import Study
from pompeii_sim.figures import frames
from pompeii_sim.figures.layout import Layout
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import End


@dataclass(frozen=True)
class View:
    """A run as a report sees it.

    Parameters
    ----------
    study
        The run.
    effect
        Smallest difference of a share that matters.
    level
        Confidence level of all intervals.
    """

    study: Study
    effect: float
    level: float = 0.95

    @cached_property
    def layout(self) -> Layout:
        """What cells are called, and what makes lines and panels."""
        return Layout(self.study)

    @cached_property
    def outcomes(self) -> pl.DataFrame:
        """Share of games of each end, by cell."""
        return analysis.outcomes(self.study, level=self.level)

    @property
    def unit(self) -> str:
        """One unit of time: ``round``."""
        return self.study.schema.time_unit.removesuffix("s")

    def ends(self, kind: str) -> list[End]:
        """Return the ends of a kind: ``decided``, ``lost`` or ``censored``."""
        return [e for e in self.study.schema.ends if e.kind == kind]

    def cells(self, frame: pl.DataFrame) -> list[tuple[str, Estimate]]:
        """Return each cell's name in a sentence, and its Estimate."""
        return [(self.layout.told(r["cell"]), frames.estimate(r)) for r in frame.iter_rows(named=True)]
