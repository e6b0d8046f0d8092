"""A run as every question sees it: labelled cells, the meaning of columns, lazy frames, batches of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from pompeii_sim.analysis.ahead import ahead
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure import Measures, MetricLike, Sums, measure, measures_of
from pompeii_sim.store.linked import linked
from pompeii_sim.store.reader import Run, open_run
from pompeii_sim.store.schema import Metric, Schema

if TYPE_CHECKING:
    from pompeii_sim.run.result import RunResult

CORE = ("game", "deal", "arrangement", "seat_spec", "ended_by", "winners", "error")
"""Columns every metric needs."""


@dataclass(frozen=True, eq=False)
class Study:
    """What all questions are put to: one run, opened; see `study`.

    Parameters
    ----------
    source
        A run folder, or a run kept in memory.
    """

    source: Run | RunResult

    @property
    def schema(self) -> Schema:
        """What columns, ends and metrics mean."""
        return self.source.schema

    @property
    def path(self) -> Path | None:
        """The run folder, None for a run in memory."""
        return self.source.path if isinstance(self.source, Run) else None

    @cached_property
    def plan(self) -> Mapping[str, Any]:
        """Everything results depend on except the number of games: seed, seating, each cell's rules and seats."""
        return self.source.manifest.plan if isinstance(self.source, Run) else self.source.plan

    @cached_property
    def settings(self) -> list[dict[str, Any]]:
        """What the sweep set in each cell, by path."""
        return [dict(cell["settings"]) for cell in self.plan["cells"]]

    @cached_property
    def kinds(self) -> list[tuple[str, ...]]:
        """Label of each listed seat, by cell; equal labels mean equal seats."""
        return self.source.kinds() if isinstance(self.source, Run) else list(self.source.kinds)

    @property
    def cells(self) -> range:
        """Numbers of the cells."""
        return range(len(self.settings))

    @property
    def swept(self) -> tuple[str, ...]:
        """Paths of all swept settings."""
        return tuple(dict.fromkeys(path for cell in self.settings for path in cell))

    @cached_property
    def linked(self) -> dict[str, tuple[str, ...]]:
        """By name, the swept settings; those that have the same value in every cell are one, see `linked.linked`."""
        return linked(self.settings)

    @property
    def seed(self) -> int:
        """Seed of all chance."""
        return int(self.plan["seed"])

    @property
    def by_deal(self) -> bool:
        """Whether every deal is played in every arrangement, so that the deal is the unit and not the game."""
        return bool(self.plan["seating"] == "duplicate")

    def check_cell(self, cell: int) -> int:
        """Return a cell's number after checking that it is there."""
        if isinstance(cell, bool) or not isinstance(cell, int) or cell not in self.cells:
            raise InputError(f"no cell {cell!r}", where=self.name, hint=f"cells 0 to {len(self.cells) - 1}")
        return cell

    @property
    def name(self) -> str:
        """How messages call the run."""
        return "the run in memory" if self.path is None else str(self.path)

    def seats(self, cell: int) -> list[dict[str, Any]]:
        """Return a cell's listed seats with all their fields (``player``, ``skill`` ...)."""
        return [dict(seat) for seat in self.plan["cells"][self.check_cell(cell)]["seats"]]

    def labels(self, cell: int, by: str) -> tuple[str, ...]:
        """Return a label of each listed seat.

        Parameters
        ----------
        cell
            Which cell.
        by
            ``player`` for the kinds, ``listed`` for the place in the scenario's list, or a field of the seats.
        """
        if by == "player":
            return self.kinds[self.check_cell(cell)]
        seats = self.seats(cell)
        if by == "listed":
            return tuple(str(index) for index in range(len(seats)))
        fields = sorted({name for seat in seats for name in seat})
        if by not in fields:
            raise InputError(f"no field {by!r} of a seat", where="by", hint=nearest(by, ["listed", *fields, "seat"]))
        return tuple(str(seat.get(by)) for seat in seats)

    def column(self, name: str) -> tuple[str, ...]:
        """Return the stored names of a column: itself, or one for each element of an array.

        Raises
        ------
        InputError
            When the run has no such column.
        """
        for column in self.schema.columns:
            if name == column.name:
                return column.stored
            if name in column.stored:
                return (name,)
        hint = nearest(name, [c.name for c in self.schema.columns])
        raise InputError(f"this run has no column {name!r}", where=self.name, hint=f"{hint} (or --records full)")

    def has(self, *names: str) -> bool:
        """Return whether the run has all these columns."""
        there = {n for c in self.schema.columns for n in (c.name, *c.stored)}
        return all(name in there for name in names)

    def in_use(self, cell: int, name: str) -> tuple[str, ...]:
        """Return the stored names of a column; of a per-seat column only those of the seats in use."""
        stored = self.column(name)
        per_seat = any(c.per_seat for c in self.schema.columns if c.name == name)
        return stored[: len(self.kinds[cell])] if per_seat else stored

    def total(self, cell: int, name: str) -> pl.Expr:
        """Return a column's value in a game; an array is summed, over the seats in use where it has one for each."""
        stored = self.in_use(cell, name)
        if len(stored) == 1:
            return pl.col(stored[0])
        types = {c.dtype for c in self.schema.columns if set(stored) <= set(c.stored)}
        kind = pl.Float64 if any(t.startswith("float") for t in types) else pl.Int64
        return pl.sum_horizontal(pl.col(part).cast(kind) for part in stored)

    def games(self, cell: int | None = None) -> pl.LazyFrame:
        """Return all game rows lazily with ``cell`` in front, failed games included."""
        if isinstance(self.source, Run):
            return self.source.games(cell)
        frame = self._rows.lazy()
        return frame if cell is None else frame.filter(pl.col("cell") == cell)

    @cached_property
    def _rows(self) -> pl.DataFrame:
        """All game rows of a run in memory: unpacked once, not for every question."""
        return self.source.games().collect()

    def series(self, cell: int | None = None) -> pl.LazyFrame:
        """Return the series rows lazily with ``cell`` in front: one row a time step and seat of every k-th game."""
        if isinstance(self.source, Run):
            return self.source.series(cell)
        frame = self.source.series()
        if not frame.collect_schema().names():
            return self._no_series()
        return frame if cell is None else frame.filter(pl.col("cell") == cell)

    def _no_series(self) -> pl.LazyFrame:
        names = [name for column in self.schema.series for name in column.stored]
        return pl.LazyFrame(schema={"cell": pl.Int32, **dict.fromkeys(names, pl.Int64)})

    def fine(self, cell: int) -> pl.LazyFrame:
        """Return a cell's games without those that failed."""
        return self.games(cell).filter(pl.col("error") == 0)

    def count(self, cell: int, **by: pl.Expr) -> pl.DataFrame:
        """Return how many games of a cell there are with each combination of values; failed games are left out.

        Parameters
        ----------
        **by
            Column name of the answer and what it holds.

        Returns
        -------
        pl.DataFrame
            The columns of `by`, and ``games`` (int64), sorted; made by one lazy scan, in memory that does not grow with
            the number of games.
        """
        if not by:
            raise ValueError("count needs something to count by")
        counted = self.fine(cell).select(**by).group_by(list(by)).agg(pl.len().cast(pl.Int64).alias("games"))
        return counted.sort(list(by)).collect(engine="streaming")

    def batches(self, cell: int, columns: Iterable[str]) -> Iterator[pl.DataFrame]:
        """Yield a cell's games in order, some tens of thousands at a time, whole deals together.

        Parameters
        ----------
        cell
            Which cell.
        columns
            Stored names of the columns wanted.
        """
        names = list(dict.fromkeys(columns))
        if not isinstance(self.source, Run):
            frame = self.games(self.check_cell(cell))
            if frame.collect_schema().names():
                yield frame.select(names).collect()
            return
        yield from ahead(partial(_read, columns=names), self.source.parts(self.check_cell(cell)))

    def series_batches(self, cell: int) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Yield a cell's series rows in order with the game rows of the same games, without failed games.

        Yields
        ------
        pl.DataFrame, pl.DataFrame
            Series rows (``game``, ``time``, ``seat`` ...) sorted by game, time and seat, and their games' generic
            columns, one row a game.
        """
        names = [n for name in (*CORE, "rounds") for n in self.in_use(cell, name)]
        names = [n for n in names if n != "error"]
        for lines, rows in self._series_parts(cell, names):
            kept = rows.filter(pl.col("error") == 0, pl.col("game").is_in(lines["game"].unique().implode()))
            games = kept.drop("error").sort("game")
            yield lines.filter(pl.col("game").is_in(games["game"].implode())), games

    def _series_parts(self, cell: int, names: list[str]) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Yield sorted series rows and the game rows among which their games are."""
        order = ("game", "time", "seat")
        wanted = [*names, "error"]
        if isinstance(self.source, Run):
            parts = {path.name: path for path in self.source.parts(self.check_cell(cell))}

            def read(path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
                return _read(path).sort(order), _read(parts[path.name], wanted)

            there = (path for path in self.source.parts(cell, "series") if path.name in parts)  # else it does not count
            yield from (both for both in ahead(read, there) if both[0].height)
            return
        lines = self.series(cell).drop("cell").sort(order).collect()
        if lines.height:
            yield lines, self.games(cell).select(wanted).collect()

    def measures(self, cell: int, metrics: Iterable[MetricLike] = (), *, by: str = "player") -> Measures:
        """Return what is measured in a cell.

        Parameters
        ----------
        metrics
            The metrics; those of the run by default.
        by
            What a win share by player is split by, see `labels`.
        """
        return measures_of(self.schema, self.labels(cell, by), by_deal=self.by_deal, metrics=metrics)

    def needed(self, cell: int, measures: Measures) -> list[str]:
        """Return the stored names of the columns that measures read."""
        names = list(CORE)
        for metric in measures.metrics:
            names += [n for n in (metric.column, metric.where[0] if metric.where else "") if n]
        return list(dict.fromkeys(stored for name in names for stored in self.in_use(cell, name)))

    def sums(self, cell: int, *measures: Measures) -> list[Sums]:
        """Return the sums of a cell's metrics, added up batch by batch: one for each of `measures`, in one reading."""
        columns = [name for one in measures for name in self.needed(cell, one)]
        totals = [Sums() for _ in measures]
        for rows in self.batches(cell, columns):
            totals = [total + measure(rows, one) for total, one in zip(totals, measures, strict=True)]
        return totals

    def metric(self, name: str) -> Metric:
        """Return a metric of the run by its name, or the mean of a column.

        Raises
        ------
        InputError
            When the run has neither.
        """
        for metric in self.schema.metrics:
            if metric.name == name:
                return metric
        if self.has(name):
            return Metric(
                name=name, title=name, kind="mean", column=name, definition=f"mean of the column {name} over all games"
            )
        names = [m.name for m in self.schema.metrics] + [c.name for c in self.schema.columns]
        raise InputError(f"no metric or column {name!r}", where=self.name, hint=nearest(name, names))

    def keys(self, cell: int) -> dict[str, Any]:
        """Return what identifies a cell in an answer: its number and its swept settings."""
        return {"cell": cell, **{path: self.settings[cell].get(path) for path in self.swept}}

    def replay(self, cell: int, game: int) -> str:
        """Return the command that plays one game again, step by step told."""
        place = "RUN" if self.path is None else str(self.path)
        return f"pompeii-sim replay {place} --game {game}" + (f" --cell {cell}" if len(self.cells) > 1 else "")

    def chosen(self, cell: int | Sequence[int] | None) -> list[int]:
        """Return the cells asked for: one, some, or all."""
        if cell is None:
            return list(self.cells)
        return [self.check_cell(c) for c in ([cell] if isinstance(cell, int) else cell)]


def _read(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    try:
        return pl.read_parquet(path, columns=columns, hive_partitioning=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path), hint="play it again: --resume") from error


def study(run: Study | Run | RunResult | str | Path) -> Study:
    """Open a run for analysis.

    Parameters
    ----------
    run
        A run folder's path, a run opened with ``load``, or what ``run`` returned (also one kept in memory).

    Returns
    -------
    Study
        What every function of this room takes first.

    Raises
    ------
    InputError
        When a path is no run folder.
    """
    if isinstance(run, Study):
        return run
    if isinstance(run, str | Path):
        return Study(open_run(run))
    if isinstance(run, Run):
        return Study(run)
    return Study(run) if run.folder is None else Study(run.run)


def everything_decided(measures: Measures) -> Measures:
    """Return the same measures over all games instead of decided ones: win rates instead of win shares."""
    return replace(measures, ends=dict.fromkeys(measures.ends, "decided"))
