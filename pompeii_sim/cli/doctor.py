"""``doctor``: check the installation and say what to do about each finding."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any

import typer

from pompeii_sim.cli.options import FormatOption
from pompeii_sim.cli.output import Format, emit

NEEDED = ("numpy", "numba", "scipy", "polars", "pyarrow", "pandas", "pydantic", "joblib", "matplotlib", "jinja2")
OLDEST = (3, 11)
ENOUGH_DISK = 2 * 10**9


def doctor(form: FormatOption = Format.table) -> None:
    """Check Python, libraries, the compiler's cache, threads, disk and games; exit 3 when something is broken."""
    found = [python(), *libraries(), cache(), threads(), disk(), *games()]
    emit(found, form)
    if any(f["state"] == "broken" for f in found):
        raise typer.Exit(3)


def finding(check: str, state: str, found: str, advice: str = "") -> dict[str, Any]:
    """Return one line of the table; `state` is ok, note or broken."""
    return {"check": check, "state": state, "found": found, "advice": advice}


def python() -> dict[str, Any]:
    """Is Python new enough?"""
    good = sys.version_info >= OLDEST
    wanted = ".".join(map(str, OLDEST))
    return finding(
        "python", "ok" if good else "broken", platform.python_version(), "" if good else f"use {wanted} or newer"
    )


def libraries() -> list[dict[str, Any]]:
    """Are the libraries there?"""
    out = []
    for name in NEEDED:
        try:
            out.append(finding(name, "ok", importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            out.append(finding(name, "broken", "missing", f"install it: pip install {name}"))
    return out


def cache() -> dict[str, Any]:
    """Can compiled code be kept between runs?"""
    from pompeii_sim.engine.jit import JIT_DISABLED, cache_folder, cache_root

    if JIT_DISABLED:
        return finding("compiler", "note", "switched off", "unset NUMBA_DISABLE_JIT: games play about 500 times faster")
    if cache_folder("engine") is None:
        advice = "set POMPEII_SIM_CACHE to a folder you can write; until then every run compiles anew"
        return finding("compiler cache", "note", f"{cache_root()} cannot be written", advice)
    used = sum(f.stat().st_size for f in cache_root().rglob("*") if f.is_file())
    return finding("compiler cache", "ok", f"{cache_root()}, {used / 1e6:.0f} MB")


def threads() -> dict[str, Any]:
    """How many processors may this process use?"""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return finding("processors", "ok", f"{allowed} usable of {os.cpu_count()}")


def disk() -> dict[str, Any]:
    """Is there room for runs in the current folder?"""
    free = shutil.disk_usage(Path.cwd()).free
    writable = os.access(Path.cwd(), os.W_OK)
    if not writable:
        return finding("current folder", "note", "cannot be written", "name a folder elsewhere with --out")
    low = free < ENOUGH_DISK
    return finding("disk", "note" if low else "ok", f"{free / 1e9:.1f} GB free", "little room for runs" if low else "")


def games() -> list[dict[str, Any]]:
    """Do all games load with their shipped data?"""
    from pompeii_sim import games as registry
    from pompeii_sim.errors import InputError

    out = []
    for name in registry.names():
        try:
            game = registry.get(name)
            counts = game.load_data(None).provenance_counts()
            told = ", ".join(f"{n} {kind}" for kind, n in counts.items() if n)
            out.append(finding(f"game {name}", "ok", f"version {game.version}; data: {told}"))
        except (InputError, ImportError) as error:
            out.append(finding(f"game {name}", "broken", str(error).splitlines()[0], "install the package again"))
    return out
