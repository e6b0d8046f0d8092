"""``doctor``: check the installation and say what to do about each finding."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import typer

from pompeii_sim.cli.options import FormatOption
from pompeii_sim.cli.output import Format, emit

NEEDED = ("numpy", "numba", "scipy", "polars", "pyarrow", "pandas", "pydantic", "joblib", "matplotlib", "jinja2")
OLDEST = (3, 11)
ENOUGH_DISK = 2 * 10**9
NARROW = 60
EXTRAS = (
    ("cluster", "distributed", "runs on several machines (--backend dask)"),
    ("notebook", "jupyterlab", "notebooks"),
)


def doctor(form: FormatOption = Format.table) -> None:
    """Check Python, libraries, compiler and cache, threads, processes, disk, extras, terminal and games.

    Each finding says what to do about it; exit 3 when something is broken.
    """
    found = [python(), *libraries(), *extras(), cache(), threads(), processes(), disk(), terminal(), *games()]
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


def extras() -> list[dict[str, Any]]:
    """Which optional parts are there?"""
    out = []
    for extra, library, use in EXTRAS:
        try:
            out.append(finding(f"extra {extra}", "ok", f"{library} {importlib.metadata.version(library)}"))
        except importlib.metadata.PackageNotFoundError:
            advice = f"only for {use}: pip install 'pompeii-sim[{extra}]'"
            out.append(finding(f"extra {extra}", "note", f"{library} is missing", advice))
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


def processes() -> dict[str, Any]:
    """Can a process be started, as players of a user's own need?"""
    try:
        done = subprocess.run([sys.executable, "-c", ""], timeout=60, check=False, capture_output=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        return finding("processes", "note", str(error), "only built-in players can be used")
    if done.returncode:
        return finding("processes", "note", f"ended with {done.returncode}", "only built-in players can be used")
    return finding("processes", "ok", "can be started")


def terminal() -> dict[str, Any]:
    """What will tables and progress look like?"""
    if not sys.stderr.isatty():
        return finding("terminal", "ok", "none: plain lines, no colour")
    name, width = os.environ.get("TERM", ""), shutil.get_terminal_size().columns
    if name in ("", "dumb"):
        return finding("terminal", "note", f"TERM={name}: plain lines", "set TERM for a progress bar")
    colours = "without colour (NO_COLOR)" if os.environ.get("NO_COLOR") else "with colour"
    narrow = width < NARROW
    advice = "tables are folded, or told a line a value; a wider window shows them whole" if narrow else ""
    return finding("terminal", "note" if narrow else "ok", f"{width} columns, {colours}", advice)


def disk() -> dict[str, Any]:
    """Is there room for runs in the current folder?"""
    free = shutil.disk_usage(Path.cwd()).free
    writable = os.access(Path.cwd(), os.W_OK)
    if not writable:
        return finding("current folder", "note", "cannot be written", "name a folder elsewhere with --out")
    low = free < ENOUGH_DISK
    advice = "run --dry-run says what a run takes; name a folder on another disk with --out" if low else ""
    return finding("disk", "note" if low else "ok", f"{free / 1e9:.1f} GB free", advice)


def games() -> list[dict[str, Any]]:
    """Do all games load with their shipped data, and are they compiled?"""
    from pompeii_sim import games as registry
    from pompeii_sim.engine.jit import JIT_DISABLED
    from pompeii_sim.errors import InputError

    out = []
    for name in registry.names():
        try:
            game = registry.get(name)
            counts = game.load_data(None).provenance_counts()
            told = ", ".join(f"{n} {kind}" for kind, n in counts.items() if n)
            out.append(finding(f"game {name}", "ok", f"version {game.version}; data: {told}"))
            if not JIT_DISABLED:
                out.append(compiled_game(name))
        except (InputError, ImportError) as error:
            out.append(finding(f"game {name}", "broken", str(error).splitlines()[0], "install the package again"))
    return out


def compiled_game(name: str) -> dict[str, Any]:
    """Is a game compiled already, for these sources, and how long did that take?"""
    from pompeii_sim.engine.jit import cache_folder, compiled

    functions, seconds = compiled(name)
    if functions:
        took = f", compiled in {seconds:.0f} s" if seconds else ""
        return finding(f"compiled {name}", "ok", f"{functions} functions in the cache{took}")
    if cache_folder(name) is None:
        return finding(f"compiled {name}", "note", "never kept", "every run compiles anew: see compiler cache")
    advice = "the first run compiles for about a minute, once; it says so"
    return finding(f"compiled {name}", "note", "not yet for this version", advice)
