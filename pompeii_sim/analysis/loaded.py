"""A run folder opened for a notebook: everything a run has, and numbers for the asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from pompeii_sim.analysis.outcomes import estimate
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.store.reader import Run, open_run


@dataclass(frozen=True)
class LoadedRun(Run):
    """A run folder, opened for reading, that can be asked for numbers.

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


def load_run(folder: str | Path) -> LoadedRun:
    """Open a run folder for reading; see `pompeii_sim.load`."""
    return LoadedRun(open_run(folder).path)
