"""A run folder while it is being written: where things lie, what is there already, what is broken."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pompeii_sim.errors import InputError
from pompeii_sim.store.atomic import (
    TEMPORARY,
    check_parents,
    json_bytes,
    make_folder,
    storage_error,
    sync_folder,
    write_bytes,
)
from pompeii_sim.store.lock import LOCK
from pompeii_sim.store.manifest import MANIFEST
from pompeii_sim.store.parts import DamagedPart, PartTag, first_of, part_name, read_part
from pompeii_sim.store.schema import Schema

SCENARIO = "scenario.toml"
SCHEMA = "schema.json"
CELLS = "cells.parquet"
SUMMARY = "summary.json"
GAMES = "games"
SERIES = "series"


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A whole part on disk: its rows and how many games it covers."""

    cell: int
    first: int
    games: int
    rows: pl.DataFrame


class RunFolder:
    """The files of one run, for the process that holds its lock.

    Parameters
    ----------
    path
        The folder; `create` makes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def check_new(path: Path) -> None:
        """Raise InputError when something of that name is there already; writes nothing."""
        if path.exists() and not path.is_dir():
            raise InputError("is a file; nothing is overwritten", where=str(path), hint="choose another --out")
        check_parents(path)
        if path.exists() or path.is_symlink():
            raise InputError("exists already", where=str(path), hint="use --resume to go on, or another --out")

    def create(self) -> None:
        """Make the folder; of two processes that try at once, one gets an InputError."""
        make_folder(self.path.parent)
        try:
            self.path.mkdir()
            sync_folder(self.path.parent)
        except FileExistsError:
            self.check_new(self.path)
            raise
        except OSError as error:
            raise storage_error(error, self.path) from error

    def is_blank(self) -> bool:
        """Return whether the folder holds nothing but what a run killed at its very start leaves.

        Raises
        ------
        InputError
            When it holds files of something else.
        """
        if (self.path / MANIFEST).exists():
            return False
        known = {LOCK, SCENARIO, SCHEMA, CELLS, "data", "players"}
        strange = [p.name for p in sorted(self.path.iterdir()) if p.name not in known and p.suffix != TEMPORARY]
        if strange:
            raise InputError(f"not a run folder: it holds {strange[0]!r} and no manifest.json", where=str(self.path))
        return True

    def write_head(
        self, scenario: bytes, schema: Schema, cells: pl.DataFrame, *, copies: Mapping[str, Path] | None = None
    ) -> None:
        """Write everything but the manifest and the parts.

        Parameters
        ----------
        scenario
            The resolved scenario as TOML, with paths inside this folder.
        schema
            What the columns mean.
        cells
            One row a cell.
        copies
            Files and folders to copy beside the scenario (data, user players): relative target -> source.
        """
        for target, source in (copies or {}).items():
            self._copy(source, self.path / target)
        self.write_scenario(scenario)
        write_bytes(self.path / SCHEMA, json_bytes(schema.to_json()))
        write_frame(self.path / CELLS, cells)

    def write_scenario(self, scenario: bytes) -> None:
        """Write ``scenario.toml``."""
        write_bytes(self.path / SCENARIO, scenario)

    def _copy(self, source: Path, target: Path) -> None:
        if source.resolve() == target.resolve():
            return  # the run's own scenario was given again
        make_folder(target.parent)
        try:
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            else:
                write_bytes(target, source.read_bytes())
        except (OSError, shutil.Error) as error:
            raise InputError(f"cannot be copied into the run folder: {error}", where=str(source)) from error

    def part_path(self, kind: str, cell: int, first: int) -> Path:
        """Return where a part lies; `kind` is ``games`` or ``series``."""
        return self.path / kind / f"cell={cell}" / part_name(first)

    def write_part(self, kind: str, cell: int, first: int, data: bytes) -> None:
        """Write one part's file, replacing an older one of the same games in one step."""
        path = self.part_path(kind, cell, first)
        make_folder(path.parent)
        write_bytes(path, data)

    def sweep_temporaries(self) -> list[str]:
        """Delete files that a killed process was writing; return their names relative to the folder."""
        gone = []
        for path in sorted(self.path.rglob(f"*{TEMPORARY}")):
            if path.name.startswith(LOCK):
                continue
            path.unlink(missing_ok=True)
            gone.append(str(path.relative_to(self.path)))
        return gone

    def firsts(self, cell: int) -> list[int]:
        """Return the first games of a cell's parts that are there, sorted, whole or not."""
        folder = self.path / GAMES / f"cell={cell}"
        if not folder.is_dir():
            return []
        return sorted(first for path in folder.iterdir() if (first := first_of(path)) is not None)

    def read(self, cell: int, first: int, *, plan: str, columns: Sequence[str]) -> FoundPart:
        """Read one part of games, checking content, plan and place.

        Parameters
        ----------
        cell, first
            Which part.
        plan
            The plan hash it must carry.
        columns
            The columns it must have.

        Raises
        ------
        DamagedPart
            When anything is wrong with it.
        """
        path = self.part_path(GAMES, cell, first)
        rows, tag = read_part(path)
        self._check(path, tag, PartTag(plan=plan, cell=cell, first=first, games=rows.height))
        if list(rows.columns) != list(columns):
            raise DamagedPart(path, "its columns are not those of the run")
        if rows.height == 0 or rows["game"][0] != first or rows["game"][-1] != first + rows.height - 1:
            raise DamagedPart(path, "it does not hold the games its name says")
        return FoundPart(cell, first, rows.height, rows)

    def check_series(self, part: FoundPart, *, plan: str) -> None:
        """Check the series file beside a part; raises DamagedPart when it is missing or wrong."""
        path = self.part_path(SERIES, part.cell, part.first)
        _, tag = read_part(path)
        self._check(path, tag, PartTag(plan=plan, cell=part.cell, first=part.first, games=part.games))

    @staticmethod
    def _check(path: Path, tag: PartTag, wanted: PartTag) -> None:
        if tag != wanted:
            names = ("plan", "cell", "first", "games")
            wrong = [n for n in names if getattr(tag, n) != getattr(wanted, n)]
            raise DamagedPart(path, f"it belongs elsewhere ({', '.join(wrong)} differ)")

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write ``summary.json``."""
        write_bytes(self.path / SUMMARY, json_bytes(summary))


def write_frame(path: Path, frame: pl.DataFrame) -> None:
    """Write a small frame as Parquet, atomically."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=max(1, frame.height))
    write_bytes(path, buffer.getvalue())


def cells_frame(cells: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return ``cells.parquet``'s frame.

    Parameters
    ----------
    cells
        Mappings with ``cell``, ``kinds`` (label of each listed seat), ``arrangements``, ``part_games`` (games in a
        full part) and ``settings`` (swept path to value).

    Returns
    -------
    polars.DataFrame
        Those, ``settings`` as JSON, and one column for each swept path; a path whose values have several types is
        stored as text.
    """
    paths = list(dict.fromkeys(path for c in cells for path in c["settings"]))
    out: dict[str, pl.Series] = {
        "cell": pl.Series([c["cell"] for c in cells], dtype=pl.Int64),
        "kinds": pl.Series([list(c["kinds"]) for c in cells], dtype=pl.List(pl.String)),
        "arrangements": pl.Series([c["arrangements"] for c in cells], dtype=pl.Int64),
        "part_games": pl.Series([c["part_games"] for c in cells], dtype=pl.Int64),
        "settings": pl.Series([json.dumps(c["settings"], ensure_ascii=False) for c in cells], dtype=pl.String),
    }
    for path in paths:
        values = [c["settings"].get(path) for c in cells]
        kinds = {type(v) for v in values if v is not None}
        if len(kinds) == 1 and kinds <= {int, float, bool, str}:
            out[path] = pl.Series(values)
        else:
            text = [v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
            out[path] = pl.Series(text, dtype=pl.String)
    return pl.DataFrame(out)
