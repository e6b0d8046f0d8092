"""A run folder opened for a notebook: everything a run has, numbers and figures for the asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from pompeii_sim.analysis.outcomes import estimate
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.store.reader import Run, open_run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class LoadedRun(Run):
    """A run folder, opened for reading, that can be asked for numbers and figures.

    Frames are polars; any of them gives a pandas one with ``.to_pandas()``.
    """

    @cached_property
    def study(self) -> Study:
        """What the functions of `pompeii_sim.analysis` take first."""
        return study(self)

    def estimate(
        self,
        metric: str | Sequence[str],
        cell: int | Sequence[int] | None = None,
        by: str | None = None,
        where: str | tuple[str, str, float] | None = None,
        *,
        level: float = 0.95,
    ) -> pl.DataFrame:
        """Return any metrics by cell, as a tidy frame of Estimates.

        Parameters
        ----------
        metric
            Names of metrics of the run; the name of a column stands for its mean (of an array, its sum).
        cell
            One cell, several, or all.
        by
            Of a win share, or of the mean of a column with one value a seat: ``player``, ``seat``, or a field of the
            seats. Otherwise a whole-numbered column of the games: one row for each of its values.
        where
            Only these games, such as ``"rounds >= 10"``.
        level
            Confidence level.

        Returns
        -------
        pl.DataFrame
            ``cell``, the swept settings, ``metric``, ``by``, and the Estimate: ``value``, ``low``, ``high``, ``n`` ...

        Raises
        ------
        InputError
            When there is no such metric, column or field.
        """
        return estimate(self.study, metric, cell=cell, by=by, where=where, level=level)

    def plot(
        self,
        metric: str,
        cell: int | Sequence[int] | None = None,
        by: str | None = None,
        where: str | tuple[str, str, float] | None = None,
        *,
        level: float = 0.95,
    ) -> Figure:
        """Draw a metric over the cells, with intervals.

        Parameters
        ----------
        metric
            Name of one metric or column.
        cell, by, where, level
            As for `estimate`; what `by` splits is told apart by colour and marker.

        Returns
        -------
        Figure
            A line for each cell, named by its settings (for each value of `by` where there is one cell only); a bar
            marks equal chances where the metric has them.

        Raises
        ------
        InputError
            When there is no such metric, column or field.
        """
        from pompeii_sim.figures.dots import win_shares
        from pompeii_sim.figures.layout import Layout

        found = self.study.metric(metric)
        frame = Layout(self.study).dress(self.estimate(metric, cell, by, where, level=level))
        frame = frame.with_columns(by=pl.when(pl.col("by") == "").then(pl.lit(found.title)).otherwise(pl.col("by")))
        one = frame["cell"].n_unique() == 1 and frame["by"].n_unique() > 1
        row, label = ("by", "setting") if one else ("setting", "by")
        return win_shares(frame, row=row, label=label, percent=found.kind != "mean", axis=found.title)


def load_run(folder: str | Path) -> LoadedRun:
    """Open a run folder for reading; see `pompeii_sim.load`."""
    return LoadedRun(open_run(folder).path)
