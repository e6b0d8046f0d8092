"""Write a file so that it is there whole or not at all, even when the process is killed or the power fails."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path
from typing import Any

from pompeii_sim.errors import InputError

TEMPORARY = ".tmp"
"""Suffix of files that are being written; one that is left over belongs to a process that died."""

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def storage_error(error: OSError, path: Path) -> InputError:
    """Turn a failed write into the one line a user meets.

    Parameters
    ----------
    error
        What the operating system said.
    path
        The file or folder that was being written.

    Returns
    -------
    InputError
        Names the path and the reason; every part written before is still whole.
    """
    file = file_above(path) if error.errno in (errno.EEXIST, errno.ENOTDIR) else None
    if file is not None:
        return _in_the_way(file, path)
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        hint = "free some space and go on with --resume; every finished part is kept"
    else:
        hint = "choose a folder that can be written (--out), or go on with --resume once it can"
    return InputError(f"cannot write: {reason}", where=str(path), hint=hint)


def file_above(path: Path) -> Path | None:
    """Return what stands in the way of a folder of that name: it, or one of its parents, that is a file; else None."""
    return next((place for place in (path, *path.parents) if place.exists() and not place.is_dir()), None)


def check_parents(path: Path) -> None:
    """Raise InputError when nothing can be written at a path because one of its parents is a file."""
    file = file_above(path.parent)
    if file is not None:
        raise _in_the_way(file, path)


def _in_the_way(file: Path, path: Path) -> InputError:
    return InputError(f"{file} is a file, not a folder", where=str(path), hint="choose another place")


def sync_folder(folder: Path) -> None:
    """Make renames and deletions in a folder durable (where the system can do so)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file by way of a temporary name, fsync, rename, and fsync of the folder.

    Parameters
    ----------
    path
        The final name; its folder must exist. An older file of that name is replaced in one step.
    data
        The content.

    Raises
    ------
    InputError
        When the disk is full or the folder cannot be written; the older file, if any, is untouched.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):  # the first error is the one to report
            temporary.unlink(missing_ok=True)
        raise storage_error(error, path) from error
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def make_folder(path: Path) -> None:
    """Make a folder and its parents; one that is there already is fine.

    Raises
    ------
    InputError
        When it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, path) from error


def json_bytes(document: Any) -> bytes:
    """Return a document as JSON: two spaces of indent, keys in the order given, no NaN, one newline at the end."""
    return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
