"""What a run returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from pompeii_sim.run.ledger import Ledger
from pompeii_sim.run.play import Failure
from pompeii_sim.run.summary import CellResult, closing_table
from pompeii_sim.store.reader import Run, open_run
from pompeii_sim.store.schema import Schema


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """A run that ended, in a folder or in memory.

    Parameters
    ----------
    folder
        The run folder, or None for a run in memory.
    schema
        What columns, ends and metrics mean.
    cells
        Each cell's Estimates.
    summary
        The document of ``summary.json``.
    state, reason
        ``finished`` or ``interrupted``, and why it stopped.
    played
        Games played in this session (kept parts of earlier sessions are not counted).
    seconds, games_per_second
        Of this session, without compiling.
    failed, failures
        How many games failed over all, and the first of them.
    damaged
        Parts that were found broken and played again.
    plan, kinds
        Everything results depend on except the number of games, as in the manifest, and the label of each listed
        seat by cell.
    """

    folder: Path | None
    schema: Schema
    cells: list[CellResult]
    summary: dict[str, Any]
    state: Literal["finished", "interrupted"]
    reason: str
    played: int
    seconds: float
    games_per_second: float
    failed: int
    failures: list[Failure]
    damaged: list[str]
    plan: dict[str, Any] = field(default_factory=dict, repr=False)
    kinds: list[tuple[str, ...]] = field(default_factory=list, repr=False)
    _ledger: Ledger = field(default_factory=Ledger, repr=False)

    def __repr__(self) -> str:
        cells = "1 cell" if len(self.cells) == 1 else f"{len(self.cells)} cells"
        place = "in memory" if self.folder is None else f"in {self.folder}"
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"<RunResult: {cells}, {self.played:,} games played{failed}, {self.state}, {place}>"

    @property
    def exit_code(self) -> int:
        """0, or 1 when some games failed."""
        return 1 if self.failed else 0

    @property
    def run(self) -> Run:
        """The folder opened for reading; only for a run that has one."""
        if self.folder is None:
            raise ValueError("this run was kept in memory; give out= to keep a folder")
        return open_run(self.folder)

    def games(self) -> pl.LazyFrame:
        """Return all game rows with their ``cell`` in front."""
        if self.folder is not None:
            return self.run.games()
        return _joined(self._ledger.frames(series=False))

    def series(self) -> pl.LazyFrame:
        """Return the series rows with their ``cell`` in front."""
        if self.folder is not None:
            return self.run.series()
        return _joined(self._ledger.frames(series=True))

    def table(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the closing table, see `closing_table`."""
        return closing_table(self.cells, self.schema)


def _joined(frames: list[pl.DataFrame]) -> pl.LazyFrame:
    return pl.concat(frames).lazy() if frames else pl.LazyFrame()
