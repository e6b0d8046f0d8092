"""What is finished so far: sums by cell, and the files or frames of the parts themselves."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from pompeii_sim.measure import Sums, measure
from pompeii_sim.run.plan import PartPlan
from pompeii_sim.run.play import KEEP_FAILURES, CellKit, DonePart, Failure, pack_part
from pompeii_sim.run.survey import Survey
from pompeii_sim.store.folder import GAMES, SERIES, RunFolder
from pompeii_sim.store.parts import read_part


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
    blocks: dict[tuple[int, int], tuple[Sums, ...]] = field(default_factory=dict)
    _bytes: dict[tuple[int, int], tuple[bytes, bytes | None]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.kept.update(self.found.kept)
        self.totals.update(self.found.totals)
        self.failures.extend(self.found.failures)
        self.blocks.update(self.found.blocks)

    def has(self, cell: int, first: int) -> bool:
        """Return whether a full part is there."""
        return (cell, first) in self.kept

    def take(self, part: DonePart) -> None:
        """Write a finished part (series first, so that a part counts only when both are there) and note its sums."""
        key = (part.plan.cell, part.plan.first)
        if self.folder is not None:
            if part.series is not None:
                self.folder.write_part(SERIES, *key, part.series)
            else:
                self.folder.part_path(SERIES, *key).unlink(missing_ok=True)  # of a longer piece of this part
            self.folder.write_part(GAMES, *key, part.games)
        with self._lock:
            if self.folder is None:
                self._bytes[key] = (part.games, part.series)
            self.kept.add(key)
            self._add(key[0], part.sums)
            if part.blocks:
                self.blocks[key] = part.blocks
            self.failures.extend(part.failures[: max(0, KEEP_FAILURES - len(self.failures))])

    def take_short(self, part: DonePart) -> None:
        """Keep the finished games of a part that was interrupted, unless a longer piece is there already."""
        key = (part.plan.cell, part.plan.first)
        older = self.found.short.get(key)
        if older is None or older.games < part.plan.games:
            self.found.short.pop(key, None)
            self.take(part)

    def accept_short(self, key: tuple[int, int]) -> None:
        """Count a short part as it is: a stopping rule stopped there before."""
        self.kept.add(key)
        self._add(key[0], self.found.short.pop(key))

    def cut(self, plan: PartPlan, games: int, kit: CellKit) -> None:
        """Keep only the first games of a finished part: a stopping rule stopped inside it."""
        key = (plan.cell, plan.first)
        rows, lines = self._frames_of(key, kit)
        whole = measure(rows, kit.measures)
        end = plan.first + games
        short = replace(plan, games=games)
        part = pack_part(short, rows.head(games), lines.filter(pl.col("game") < end), kit)
        with self._lock:
            self.totals[plan.cell] = self.totals[plan.cell] - whole
            self.failures = [f for f in self.failures if f.cell != plan.cell or not plan.first <= f.game]
        self.take(part)

    def _frames_of(self, key: tuple[int, int], kit: CellKit) -> tuple[pl.DataFrame, pl.DataFrame]:
        if self.folder is None:
            games, series = self._bytes[key]
            rows = pl.read_parquet(io.BytesIO(games))
            return rows, pl.read_parquet(io.BytesIO(series)) if series is not None else _no_lines(kit)
        path = self.folder.part_path(SERIES, *key)
        lines = read_part(path)[0] if path.exists() else _no_lines(kit)
        return read_part(self.folder.part_path(GAMES, *key))[0], lines

    def keep_short(self) -> None:
        """Count the short parts of earlier sessions that were not replaced."""
        for key, sums in self.found.short.items():
            if key not in self.kept:
                self.kept.add(key)
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


def _no_lines(kit: CellKit) -> pl.DataFrame:
    return pl.DataFrame({n: np.zeros(0, c.dtype) for c in kit.schema.series for n in c.stored})
