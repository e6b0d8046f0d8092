"""What is finished so far: sums by cell, and the files or frames of the parts themselves."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass, field

import polars as pl

from pompeii_sim.measure import Sums
from pompeii_sim.run.play import KEEP_FAILURES, DonePart, Failure
from pompeii_sim.run.survey import Survey
from pompeii_sim.store.folder import GAMES, SERIES, RunFolder


@dataclass
class Ledger:
    """Takes in finished parts, from any thread.

    Parameters
    ----------
    folder
        Where parts are written; None keeps them in memory.
    found
        What was there before.
    """

    folder: RunFolder | None = None
    found: Survey = field(default_factory=Survey)
    kept: set[tuple[int, int]] = field(default_factory=set)
    totals: dict[int, Sums] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    _bytes: dict[tuple[int, int], tuple[bytes, bytes | None]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.kept.update(self.found.kept)
        self.totals.update(self.found.totals)
        self.failures.extend(self.found.failures)

    def has(self, cell: int, first: int) -> bool:
        """Return whether a full part is there."""
        return (cell, first) in self.kept

    def take(self, part: DonePart) -> None:
        """Write a finished part (series first, so that a part counts only when both are there) and note its sums."""
        key = (part.plan.cell, part.plan.first)
        if self.folder is not None:
            if part.series is not None:
                self.folder.write_part(SERIES, *key, part.series)
            self.folder.write_part(GAMES, *key, part.games)
        with self._lock:
            if self.folder is None:
                self._bytes[key] = (part.games, part.series)
            self.kept.add(key)
            self._add(key[0], part.sums)
            self.failures.extend(part.failures[: max(0, KEEP_FAILURES - len(self.failures))])

    def take_short(self, part: DonePart) -> None:
        """Keep the finished games of a part that was interrupted, unless a longer piece is there already."""
        key = (part.plan.cell, part.plan.first)
        older = self.found.short.get(key)
        if older is None or older.games < part.plan.games:
            self.found.short.pop(key, None)
            self.take(part)

    def keep_short(self) -> None:
        """Count the short parts of earlier sessions that were not replaced."""
        for key, sums in self.found.short.items():
            if key not in self.kept:
                self._add(key[0], sums)
        self.found.short.clear()

    def _add(self, cell: int, sums: Sums) -> None:
        self.totals[cell] = self.totals.get(cell, Sums()) + sums

    def cell_sums(self, cell: int) -> Sums:
        """Return a cell's sums over all finished parts."""
        with self._lock:
            return self.totals.get(cell, Sums())

    def frames(self, series: bool) -> list[pl.DataFrame]:
        """Return the frames kept in memory, in order, with their cell in front."""
        out = []
        for (cell, _), pair in sorted(self._bytes.items()):
            data = pair[1] if series else pair[0]
            if data is not None:
                frame = pl.read_parquet(io.BytesIO(data))
                out.append(frame.select(pl.lit(cell, dtype=pl.Int32).alias("cell"), pl.all()))
        return out
