"""Read a run folder: lazily scanned frames, the schema, the manifest and the summary; no engine needed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pompeii_sim.errors import InputError
from pompeii_sim.store.folder import CELLS, GAMES, SCENARIO, SCHEMA, SERIES, SUMMARY
from pompeii_sim.store.manifest import Manifest
from pompeii_sim.store.parts import first_of
from pompeii_sim.store.schema import Column, Schema


@dataclass(frozen=True)
class Run:
    """A run folder, opened for reading.

    Parameters
    ----------
    path
        The folder.
    """

    path: Path

    @cached_property
    def manifest(self) -> Manifest:
        """What was planned and how far it got."""
        return Manifest.load(self.path)

    @cached_property
    def schema(self) -> Schema:
        """What the columns, ends and metrics mean."""
        return Schema.from_json(self._json(SCHEMA))

    @property
    def summary(self) -> dict[str, Any]:
        """The Estimates of every cell, as ``summary.json`` holds them."""
        return self._json(SUMMARY)

    @property
    def scenario_path(self) -> Path:
        """The resolved scenario, itself valid."""
        return self.path / SCENARIO

    @cached_property
    def opening_comment(self) -> list[str]:
        """Lines of the comment the scenario begins with, without their marks: the question the run was to answer."""
        return [line.removeprefix("#").strip() for line in comment_lines(self.scenario_path)]

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a cell: ``cell``, ``kinds``, ``arrangements``, ``part_games``, ``settings``, the swept paths."""
        try:
            return pl.read_parquet(self.path / CELLS)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"cannot be read: {error}", where=str(self.path / CELLS)) from error

    def settings(self) -> list[dict[str, Any]]:
        """Return each cell's swept settings with their own types."""
        return [json.loads(text) for text in self.cells["settings"]]

    def kinds(self) -> list[tuple[str, ...]]:
        """Return the label of each listed seat, by cell."""
        return [tuple(kinds) for kinds in self.cells["kinds"]]

    def parts(self, cell: int, kind: str = GAMES) -> list[Path]:
        """Return a cell's part files in the order of their games; `kind` is ``games`` or ``series``."""
        folder = self.path / kind / f"cell={cell}"
        if not folder.is_dir():
            return []
        return sorted((p for p in folder.iterdir() if first_of(p) is not None), key=lambda p: p.name)

    def games(self, cell: int | None = None) -> pl.LazyFrame:
        """Return all game rows lazily, in the order of cell and game, with a ``cell`` column in front.

        Parameters
        ----------
        cell
            Only this cell, or None for all.
        """
        return self._scan(GAMES, cell, self.schema.columns)

    def series(self, cell: int | None = None) -> pl.LazyFrame:
        """Return the rows of every k-th game lazily (one row a time step and seat), with ``cell`` in front."""
        return self._scan(SERIES, cell, self.schema.series)

    def _scan(self, kind: str, cell: int | None, columns: tuple[Column, ...]) -> pl.LazyFrame:
        chosen = [int(c) for c in self.cells["cell"]]
        if cell is not None:
            if cell not in chosen:
                raise InputError(f"no cell {cell}", where=str(self.path), hint=f"cells 0 to {len(chosen) - 1}")
            chosen = [cell]
        frames = []
        for index in chosen:
            files = self.parts(index, kind)
            if files:
                lazy = pl.scan_parquet(files, hive_partitioning=False)
                frames.append(lazy.select(pl.lit(index, dtype=pl.Int32).alias("cell"), pl.all()))
        if frames:
            return pl.concat(frames)
        empty: dict[str, Any] = {"cell": pl.Int32}
        for column in columns:
            empty.update(dict.fromkeys(column.stored, _polars_type(column.dtype)))
        return pl.LazyFrame(schema=empty)

    def _json(self, name: str) -> dict[str, Any]:
        path = self.path / name
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise InputError(f"has no {name} (yet)", where=str(self.path), hint="go on with --resume") from None
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", where=str(path)) from error
        assert isinstance(data, dict)
        return data


def _polars_type(dtype: str) -> Any:
    return pl.Series(np.zeros(0, dtype)).dtype


def comment_lines(path: Path) -> list[str]:
    """Return the lines of the comment that a scenario's file begins with; none where there is no such file."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from error
    return lines[: next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))]


def open_run(folder: str | Path) -> Run:
    """Open a run folder for reading.

    Parameters
    ----------
    folder
        What a run left; it may be unfinished.

    Returns
    -------
    Run
        With `games()`, `series()`, `cells`, `schema`, `manifest`, `summary`.

    Raises
    ------
    InputError
        When it is no run folder.
    """
    run = Run(Path(folder))
    _ = run.manifest
    return run
