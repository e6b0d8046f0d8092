"""Change single values of a game's data folder without editing it: ``data.<file>.<entry>.<field> = value``.

Works on any game whose data are TOML files: a copy of the folder is changed and loaded through the game's own
checks, so an override can do no more than an edit.
"""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from pompeii_sim.engine.contract import Game, GameData
from pompeii_sim.errors import InputError, nearest

_NAMES = ("id", "number", "name")


def load_data(game: Game, folder: Path | None, overrides: Mapping[str, Any]) -> GameData:
    """Load a game's data with overrides applied.

    Parameters
    ----------
    game
        The game.
    folder
        The data folder, or None for the one shipped.
    overrides
        ``<file>.<entry>.<field>`` -> value. Quantities may be added to a table of numbers, and 0 takes one out. The
        name of an inner table may be left out where no other holds the key (``costs.army.sword``).

    Raises
    ------
    InputError
        When a path leads to nothing, or the game refuses the changed data.
    """
    if not overrides:
        return game.load_data(folder)
    source = folder if folder is not None else game.data_dir
    with tempfile.TemporaryDirectory(prefix="data-") as temporary:
        copy = Path(temporary) / "data"
        shutil.copytree(source, copy)
        files = sorted(p.stem for p in copy.glob("*.toml"))
        by_file: dict[str, dict[str, Any]] = {}
        for path, value in overrides.items():
            where = f"data.{path}"
            file, _, rest = path.partition(".")
            if file not in files:
                raise InputError(f"no data file {file!r}", where=where, hint=nearest(file, files))
            if not rest:
                raise InputError("names a whole file", where=where, hint="add the entry and the field")
            by_file.setdefault(file, {})[rest] = value
        for file, changes in by_file.items():
            target = copy / f"{file}.toml"
            try:
                content = tomllib.loads(target.read_text("utf-8"))
            except tomllib.TOMLDecodeError as error:
                raise InputError(f"not valid TOML: {error}", where=str(source / target.name)) from None
            for rest, value in changes.items():
                change(content, rest.split("."), value, f"data.{file}.{rest}")
            target.write_text(tomli_w.dumps(content), "utf-8")
        try:
            return game.load_data(copy)
        except InputError as error:
            place = error.where.replace(f"{copy}/", "").replace(str(copy), "data")
            raise InputError(error.what, where=f"{place} (after data overrides)", hint=error.hint) from None


def change(content: Any, segments: list[str], value: Any, where: str) -> None:
    """Set one value inside parsed TOML, in place; ids may hold dots.

    Raises
    ------
    InputError
        When nothing stands at the path.
    """
    children = _children(content)
    for length in range(len(segments), 0, -1):
        key = ".".join(segments[:length])
        if key not in children:
            continue
        holder, at = children[key]
        if length == len(segments):
            _put(holder, at, value)
            return
        if isinstance(holder[at], dict | list):
            change(holder[at], segments[length:], value, where)
            return
        raise InputError(f"{key!r} is a value, not a table", where=where)
    if isinstance(content, dict):
        if len(segments) == 1 and content and all(_number(v) for v in content.values()):
            _put(content, segments[0], value)
            return
        inside = [v for v in content.values() if isinstance(v, dict) and segments[0] in v and _number(v[segments[0]])]
        if len(segments) == 1 and len(inside) == 1:
            _put(inside[0], segments[0], value)
            return
    raise InputError(f"no {segments[0]!r} there", where=where, hint=nearest(".".join(segments[:1]), children))


def _children(content: Any) -> dict[str, tuple[Any, Any]]:
    """Return what can follow in a path: key -> (holder, key or index in it)."""
    found: dict[str, tuple[Any, Any]] = {}
    if isinstance(content, dict):
        found = {str(k): (content, k) for k in content}
        for value in content.values():
            if isinstance(value, list):
                for name, child in _children(value).items():
                    if not name.isdecimal() or child[0][child[1]].get("number") == int(name):
                        found.setdefault(name, child)
    elif isinstance(content, list):
        tables = [(i, item) for i, item in enumerate(content) if isinstance(item, dict)]
        for field in _NAMES:
            for index, item in tables:
                if field in item:
                    found.setdefault(str(item[field]), (content, index))
    return found


def _put(holder: Any, at: Any, value: Any) -> None:
    numbers = isinstance(holder, dict) and len(holder) > 1 and all(_number(v) for v in holder.values())
    if numbers and value == 0 and not isinstance(value, bool):
        holder.pop(at, None)
    else:
        holder[at] = value


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
