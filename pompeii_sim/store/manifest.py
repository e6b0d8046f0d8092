"""The manifest: what was planned, with which versions, how far it got and why it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.store.atomic import file_above, json_bytes, write_bytes
from pompeii_sim.store.schema import VERSION

MANIFEST = "manifest.json"

State = Literal["running", "finished", "interrupted", "failed"]


SERIES_EVERY = 100
"""The series of every so many games is kept, when nothing else is said."""


@dataclass(slots=True, kw_only=True)
class Manifest:
    """What ``manifest.json`` holds.

    Parameters
    ----------
    plan, plan_hash
        Everything results depend on except the number of games, and its hash.
    games
        Games asked for in each cell; None for a cell that plays until a precision is reached.
    stopping
        The stopping rule in words and numbers, None for a fixed number of games.
    versions
        The package, Python and the libraries results or bytes may depend on.
    provenance
        Content hash of the data and how many of its entries carry which provenance, one item a distinct data set.
    created, updated
        Local times with offset.
    seconds, played
        Wall-clock seconds and games over all sessions (replayed parts count again).
    games_per_second
        Of the last session.
    jobs, backend, sessions
        How the last session ran, and how many there were.
    state, reason
        ``running``, ``finished``, ``interrupted`` or ``failed``, and why it stopped.
    failed, failures
        How many games failed, and the first of them as cell, game and error code.
    damaged
        Parts that were found broken and played again.
    """

    plan: dict[str, Any]
    plan_hash: str
    games: int
    versions: dict[str, str]
    provenance: list[dict[str, Any]]
    created: str
    updated: str
    stopping: dict[str, Any] | None = None
    seconds: float = 0.0
    played: int = 0
    games_per_second: float = 0.0
    jobs: int = 1
    backend: str = "threads"
    sessions: int = 1
    state: State = "running"
    reason: str = ""
    failed: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    schema: int = VERSION

    def save(self, folder: Path) -> None:
        """Write ``manifest.json`` into a run folder."""
        data = asdict(self)
        write_bytes(folder / MANIFEST, json_bytes({"schema": data.pop("schema"), **data}))

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read a run folder's manifest.

        Raises
        ------
        InputError
            When there is none, it cannot be read, or a newer version of the package wrote it.
        """
        path = folder / MANIFEST
        try:
            data = json.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            raise no_run(folder) from None
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", where=str(path)) from error
        if not isinstance(data, dict) or data.get("schema") != VERSION:
            found = data.get("schema") if isinstance(data, dict) else None
            raise InputError(
                f"layout version {found!r}, this package reads {VERSION}",
                where=str(path),
                hint="use a matching version",
            )
        try:
            return cls(**data)
        except TypeError as error:
            raise InputError(f"is no manifest of a run: {error}", where=str(path)) from error


def no_run(folder: Path) -> InputError:
    """Return the error for a place that is no run folder: what it is instead, and runs that lie in it or beside it."""
    if (file := file_above(folder)) is not None:
        return InputError(f"{'' if file == folder else f'{file} '}is a file, not a run folder", where=str(folder))
    if not folder.is_dir():
        near = nearest(folder.name, _runs_in(folder.parent))
        hint = near if near.startswith("did you mean") else "a run folder is what 'run' made; it names it at its end"
        return InputError("no such run folder", where=str(folder), hint=hint)
    inside = _runs_in(folder)
    hint = f"runs in it: {', '.join(inside[:6])}" if inside else "a run folder is what 'run' made"
    return InputError(f"not a run folder: it has no {MANIFEST}", where=str(folder), hint=hint)


def _runs_in(folder: Path) -> list[str]:
    """Return the names of the run folders in a folder, sorted."""
    try:
        return sorted(place.name for place in folder.iterdir() if (place / MANIFEST).is_file())
    except OSError:  # cannot be listed: nothing can be suggested
        return []


def plan_hash(plan: Mapping[str, Any]) -> str:
    """Return the hash of a plan: of its JSON with sorted keys."""
    text = json.dumps(plan, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    """Return a nested document as ``{"a.b.0": value}``."""
    items: Any
    if isinstance(value, Mapping):
        items = value.items()
    elif isinstance(value, list | tuple):
        items = enumerate(value)
    else:
        return {prefix: value}
    out: dict[str, Any] = {}
    for key, part in items:
        out.update(flatten(part, f"{prefix}.{key}" if prefix else str(key)))
    return out if out else {prefix: "empty"}


def plan_diff(old: Mapping[str, Any], new: Mapping[str, Any], *, most: int = 6) -> str:
    """Say in one line how two plans differ: ``key: old -> new``, the first few of them.

    Parameters
    ----------
    old, new
        Two plans (JSON documents).
    most
        How many differences are spelt out.
    """
    before, after = flatten(dict(old)), flatten(dict(new))
    absent = "absent"
    changes = [
        f"{key}: {before.get(key, absent)!r} -> {after.get(key, absent)!r}"
        for key in {**before, **after}
        if before.get(key, absent) != after.get(key, absent)
    ]
    more = f" and {len(changes) - most} more" if len(changes) > most else ""
    return "; ".join(changes[:most]) + more
