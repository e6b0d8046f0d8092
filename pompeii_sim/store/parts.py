"""One part: a Parquet file of a fixed range of games, with the hash of its content inside."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from polars.exceptions import PanicException, PolarsError

_NAME = re.compile(r"part-(\d+)\.parquet")
_KEYS = ("plan", "cell", "first", "games", "content")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTag:
    """What a part says of itself in its metadata.

    Parameters
    ----------
    plan
        Hash of the plan it belongs to.
    cell, first, games
        The cell, the first game and how many games it covers.
    """

    plan: str
    cell: int
    first: int
    games: int


class DamagedPart(Exception):
    """A part that cannot be read or does not hold what it says; `reason` in a clause."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def part_name(first: int) -> str:
    """Return the file name of the part that begins with a game (padded so that names sort)."""
    return f"part-{first:012d}.parquet"


def first_of(path: Path) -> int | None:
    """Return the first game of a part's file name, or None when it is no part."""
    match = _NAME.fullmatch(path.name)
    return int(match.group(1)) if match else None


def content_hash(frame: pl.DataFrame) -> str:
    """Return a hash of a frame's column names, types and values that is the same on every machine."""
    digest = hashlib.blake2b(digest_size=16)
    for name in frame.columns:
        values = np.ascontiguousarray(frame[name].to_numpy())
        little = values.astype(values.dtype.newbyteorder("<"), copy=False)
        digest.update(f"{name}\0{little.dtype.str}\0{len(little)}\0".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()


def encode(frame: pl.DataFrame, tag: PartTag) -> bytes:
    """Return a part's file: zstd, one row group, no clock, so that equal games give equal bytes.

    Parameters
    ----------
    frame
        The rows, in the order of the games.
    tag
        Stored in the file's metadata, with the content hash.
    """
    metadata = {
        "plan": tag.plan,
        "cell": str(tag.cell),
        "first": str(tag.first),
        "games": str(tag.games),
        "content": content_hash(frame),
    }
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=max(1, frame.height), metadata=metadata)
    return buffer.getvalue()


def read_tag(path: Path) -> PartTag:
    """Return what a part says of itself, from its footer only.

    Raises
    ------
    DamagedPart
        When the footer cannot be read.
    """
    try:
        data = pl.read_parquet_metadata(path)
    except (PolarsError, PanicException, OSError) as error:
        raise DamagedPart(path, _reason(path, error)) from error
    return _tag(path, data)


def _tag(path: Path, data: dict[str, str]) -> PartTag:
    if any(key not in data for key in _KEYS):
        raise DamagedPart(path, "not written by a run (no plan, cell or content hash inside)")
    return PartTag(plan=data["plan"], cell=int(data["cell"]), first=int(data["first"]), games=int(data["games"]))


def _reason(path: Path, error: BaseException) -> str:
    try:
        size = path.stat().st_size
    except OSError:
        return "missing"
    if size == 0:
        return "empty"
    return f"cut short or broken ({str(error).splitlines()[0][:80]})"


def read_part(path: Path) -> tuple[pl.DataFrame, PartTag]:
    """Read a part whole and check its content against its hash.

    Returns
    -------
    polars.DataFrame, PartTag
        The rows and what the part says of itself.

    Raises
    ------
    DamagedPart
        When it is cut short, empty, altered, or no part at all.
    """
    try:
        raw = path.read_bytes()
        data = pl.read_parquet_metadata(io.BytesIO(raw))
        frame = pl.read_parquet(io.BytesIO(raw))
    except (PolarsError, PanicException, OSError) as error:
        raise DamagedPart(path, _reason(path, error)) from error
    tag = _tag(path, data)
    if content_hash(frame) != data["content"]:
        raise DamagedPart(path, "its content does not match its hash")
    return frame, tag
