"""Play games: a chunk on the kernel, chunks into parts, a finished part into bytes and sums."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.engine.records import allocate, to_array
from pompeii_sim.measure import Measures, Sums, measure, measure_blocks
from pompeii_sim.run.plan import PartPlan
from pompeii_sim.run.stopping import TIME_OVER, CellWatch
from pompeii_sim.store.parts import PartTag, encode
from pompeii_sim.store.schema import RAISED, Schema, to_frame

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared

KEEP_FAILURES = 100
"""How many failed games a run lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed game: the cell, the game, the error code, and what there is to say beside the code's meaning."""

    cell: int
    game: int
    error: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What some games left: rows, series rows, and what there is to say of those that were not played to their end."""

    rows: NDArray[Any]
    series: NDArray[Any]
    failed: Mapping[int, str] = field(default_factory=dict)


def sampled(first: int, count: int, every: int) -> int:
    """Return how many of the games first..first+count-1 keep a series (multiples of `every`; 0 for none)."""
    return 0 if every == 0 else (first + count - 1) // every - (first - 1) // every


def play_range(prepared: Prepared, seed: int, first: int, count: int, series_every: int) -> Chunk:
    """Play games on the kernel in this thread; with a plain-Python player at the table, one at a time.

    Parameters
    ----------
    prepared
        The cell, ready for the kernel.
    seed, first, count
        Which games.
    series_every
        Every how many games the series is kept; 0 for never.

    Returns
    -------
    Chunk
        Rows of shape ``(count,)`` and as many series rows as the games wrote.
    """
    if not prepared.askers:
        return _on_kernel(prepared, seed, first, count, series_every)
    return joined([_asking(prepared, seed, game, series_every) for game in range(first, first + count)], prepared)


def _asking(prepared: Prepared, seed: int, game: int, series_every: int) -> Chunk:
    prepared.begin()
    played = _on_kernel(prepared, seed, game, 1, series_every)
    return failed_game(prepared, game, RAISED, prepared.failure) if prepared.failure else played


def _on_kernel(prepared: Prepared, seed: int, first: int, count: int, series_every: int) -> Chunk:
    types = prepared.game.dtypes
    space = sampled(first, count, series_every) * prepared.series_capacity_per_game
    rows, series = allocate(types.row, count), allocate(types.series, max(1, space))
    written = prepared.kernel.play_range(
        allocate(types.state),
        prepared.tables,
        prepared.players,
        prepared.weights,
        prepared.arrangements,
        prepared.seating,
        seed,
        first,
        count,
        rows,
        series,
        series_every,
    )
    return Chunk(rows=to_array(rows, types.row), series=to_array(series, types.series)[: int(written)])


def play_chunk(prepared: Prepared, seed: int, first: int, count: int, series_every: int) -> Chunk:
    """Play a chunk; when a player raises, play its games one by one and mark those that do.

    Returns
    -------
    Chunk
        Complete: a game that raised has a row with `RAISED` as its error code.
    """
    try:
        return play_range(prepared, seed, first, count, series_every)
    except Exception as error:  # noqa: BLE001 - whatever a user's player raises is recorded with its game
        if count == 1:
            return failed_game(prepared, first, RAISED, f"{type(error).__name__}: {error}".splitlines()[0][:200])
    singles = [play_chunk(prepared, seed, game, 1, series_every) for game in range(first, first + count)]
    return joined(singles, prepared)


def joined(chunks: Sequence[Chunk], prepared: Prepared) -> Chunk:
    """Return successive chunks, at least none, as one."""
    types = prepared.game.dtypes
    return Chunk(
        rows=np.concatenate([np.zeros(0, types.row), *(one.rows for one in chunks)]),
        series=np.concatenate([np.zeros(0, types.series), *(one.series for one in chunks)]),
        failed={game: text for one in chunks for game, text in one.failed.items()},
    )


def failed_game(prepared: Prepared, game: int, code: int, text: str) -> Chunk:
    """Return what is kept of a game that was not played to its end.

    Parameters
    ----------
    prepared
        The cell.
    game
        Its number.
    code, text
        Why it failed: one of `store.schema.FAILURES`, and what there is to say beside.
    """
    rows = np.zeros(1, prepared.game.dtypes.row)
    count = len(prepared.arrangements)
    by_deal, fixed = prepared.seating == 1, prepared.seating == 2
    rows["game"] = game
    rows["deal"] = game // count if by_deal else game
    rows["arrangement"] = 0 if fixed else game % count
    rows["seat_spec"] = prepared.arrangements[0 if fixed else game % count]
    rows["error"] = code
    return Chunk(rows=rows, series=np.zeros(0, prepared.game.dtypes.series), failed={game: text})


@dataclass(frozen=True, slots=True, kw_only=True)
class DonePart:
    """A part that was played: its files' bytes, its sums and its failed games.

    Parameters
    ----------
    plan
        Which games.
    games, series
        The Parquet files; `series` is None where no game of the part keeps one.
    sums
        What the summary needs.
    blocks
        What a stopping rule needs: sums of the metrics it looks at, checkpoint by checkpoint.
    failures
        The first failed games.
    """

    plan: PartPlan
    games: bytes
    series: bytes | None
    sums: Sums
    blocks: tuple[Sums, ...]
    failures: tuple[Failure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellKit:
    """How a cell's parts are stored and measured.

    Parameters
    ----------
    plan
        Hash of the plan, stored inside every part.
    schema, measures
        What is stored and what is measured.
    series_every
        Every how many games the series is kept; 0 for never.
    watch, step
        What a stopping rule looks at and after how many games; None without a rule.
    """

    plan: str
    schema: Schema
    measures: Measures
    series_every: int
    watch: Measures | None = None
    step: int = 1

    def blocks(self, rows: pl.DataFrame) -> tuple[Sums, ...]:
        """Return the sums a stopping rule needs of a part's rows, checkpoint by checkpoint."""
        return () if self.watch is None else tuple(measure_blocks(rows, self.watch, self.step))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What is stored of a chunk: a fraction of the width of its records, which need not wait for the end of a part."""

    rows: pl.DataFrame
    lines: pl.DataFrame
    failed: Mapping[int, str] = field(default_factory=dict)


def piece_of(chunk: Chunk, schema: Schema) -> Piece:
    """Return what is stored of a chunk."""
    return Piece(
        rows=to_frame(chunk.rows, schema.columns), lines=to_frame(chunk.series, schema.series), failed=chunk.failed
    )


def finish_part(
    part: PartPlan, pieces: Sequence[Piece], kit: CellKit, blocks: tuple[Sums, ...] | None = None
) -> DonePart:
    """Turn a part's pieces into its files' bytes and its sums.

    Parameters
    ----------
    part
        Which games.
    pieces
        In the order of their games, without a gap; games after the part's end are left out.
    kit
        How the cell is stored and measured.
    blocks
        What a stopping rule needs, when it was summed before.
    """
    end = part.first + part.games
    texts = {game: text for p in pieces for game, text in p.failed.items() if game < end}
    rows = pl.concat([p.rows for p in pieces], rechunk=True)
    lines = pl.concat([p.lines for p in pieces], rechunk=True)
    if rows.height > part.games:
        rows, lines = rows.head(part.games), lines.filter(pl.col("game") < end)
    return pack_part(part, rows, lines, kit, texts, blocks)


def pack_part(
    part: PartPlan,
    rows: pl.DataFrame,
    lines: pl.DataFrame,
    kit: CellKit,
    texts: dict[int, str] | None = None,
    blocks: tuple[Sums, ...] | None = None,
) -> DonePart:
    """Turn a part's frames into its files' bytes and its sums; see `finish_part`."""
    tag = PartTag(plan=kit.plan, cell=part.cell, first=part.first, games=part.games)
    return DonePart(
        plan=part,
        games=encode(rows, tag),
        series=encode(lines, tag) if sampled(part.first, part.games, kit.series_every) else None,
        sums=measure(rows, kit.measures),
        blocks=kit.blocks(rows) if blocks is None else blocks,
        failures=failures_of(part.cell, rows, texts),
    )


def failures_in(cell: int, chunk: Chunk) -> tuple[Failure, ...]:
    """Return the failed games of a chunk."""
    bad = chunk.rows[chunk.rows["error"] != 0]
    return tuple(
        Failure(cell=cell, game=game, error=error, text=chunk.failed.get(game, ""))
        for game, error in zip(bad["game"].tolist(), bad["error"].tolist(), strict=True)
    )


def failures_of(cell: int, frame: pl.DataFrame, texts: dict[int, str] | None = None) -> tuple[Failure, ...]:
    """Return the first failed games of a part's rows."""
    bad = frame.filter(pl.col("error") != 0).head(KEEP_FAILURES)
    return tuple(
        Failure(cell=cell, game=game, error=error, text=(texts or {}).get(game, ""))
        for game, error in zip(bad["game"], bad["error"], strict=True)
    )


@dataclass(slots=True)
class OpenPart:
    """A part in play: its chunks are given out in order, and their pieces come from several threads in any order.

    A stopping rule looks at each checkpoint as soon as all games before it are there, so that the part ends where the
    rule stops and little is played beyond.

    Parameters
    ----------
    plan
        Which games.
    kit
        How the cell is stored and measured.
    watch
        The cell under a rule, as it is before this part, to be taken over after it; None without a rule.
    late
        Whether the time of a rule is over: then it stops at the next checkpoint, too.
    least
        Games of the part that are kept from before, so that time does not stop it earlier.
    """

    plan: PartPlan
    kit: CellKit
    watch: CellWatch | None = None
    late: Callable[[], bool] = lambda: False
    least: int = 0
    _given: int = 0
    _played: int = 0
    _pieces: dict[int, Piece] = field(default_factory=dict)
    _unseen: list[pl.DataFrame] = field(default_factory=list)
    _ready: int = 0
    _blocks: list[Sums] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def give(self, size: int) -> tuple[int, int] | None:
        """Return first game and number of games of the next chunk, None when all are given out or a rule stopped."""
        count = min(size, self.plan.games - self._given)
        if count <= 0 or self.stopped:
            return None
        first = self.plan.first + self._given
        self._given += count
        return first, count

    @property
    def given(self) -> int:
        """Games of the cell that are given out, those of earlier parts included."""
        return self.plan.first + self._given

    @property
    def stopped(self) -> bool:
        """Whether a rule stopped here: what is given out and not played yet need not be."""
        return self.watch is not None and bool(self.watch.reason)

    def add(self, first: int, piece: Piece) -> bool:
        """Take in one piece; return True to the one caller whose piece completes the part."""
        with self._lock:
            if self.stopped:
                return False
            self._pieces[first] = piece
            self._played += piece.rows.height
            if self.watch is not None:
                self._look(self.watch)
            return self.stopped or self._played == self.plan.games

    def _look(self, watch: CellWatch) -> None:
        """Let the rule look at every further checkpoint before which no game is missing."""
        while (piece := self._pieces.get(self.plan.first + self._ready)) is not None:
            self._unseen.append(piece.rows)
            self._ready += piece.rows.height
        seen = sum(block.games for block in self._blocks)
        last = self._ready - self._ready % self.kit.step if self._ready < self.plan.games else self.plan.games
        if last <= seen:
            return
        rows = pl.concat(self._unseen)
        for block in self.kit.blocks(rows.head(last - seen)):
            self._blocks.append(block)
            watch.take([block])
            if not watch.reason and sum(b.games for b in self._blocks) >= self.least and self.late():
                watch.reason = TIME_OVER
            if watch.reason:
                break
        self._unseen = [rows.slice(last - seen)]

    def done(self) -> DonePart:
        """Return a complete part; no piece of it is kept."""
        pieces = self._in_order()
        self._pieces.clear()
        self._unseen.clear()
        if self.watch is None:
            return finish_part(self.plan, pieces, self.kit)
        games = sum(block.games for block in self._blocks)
        return finish_part(replace(self.plan, games=games), pieces, self.kit, tuple(self._blocks))

    def prefix(self, arrangements: int) -> DonePart | None:
        """Return the games from the start on without a gap, in whole rounds of arrangements; None without any."""
        pieces = self._in_order()
        games = sum(piece.rows.height for piece in pieces)
        games -= games % arrangements
        return finish_part(replace(self.plan, games=games), pieces, self.kit) if games else None

    def _in_order(self) -> list[Piece]:
        """Return the pieces from the start of the part on, up to the first gap."""
        pieces: list[Piece] = []
        end = self.plan.first
        while end in self._pieces:
            pieces.append(self._pieces[end])
            end += pieces[-1].rows.height
        return pieces
