"""``bench``: how fast games are played, and how long compiling takes."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from pompeii_sim.cli import bench_stored
from pompeii_sim.cli.options import FormatOption, GameOption, QuietOption, SetOption, note
from pompeii_sim.cli.output import Format, emit
from pompeii_sim.errors import InputError

COLD_LIMIT = 60.0
"""Processor seconds of cold compilation, imports and the first chunk included, above which the bench fails."""


def bench(
    scenario: Annotated[
        Path | None, typer.Argument(metavar="[SCENARIO]", help="Its first cell is played [default: a full table].")
    ] = None,
    game: GameOption = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=200, help="Games of one repeat on one core; with --stored: of all turns on it."
        ),
    ] = 4000,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Threads [default: all processors].")] = None,
    stored: Annotated[
        bool, typer.Option("--stored", help="Measure whole runs instead: against the bare kernel, and with two jobs.")
    ] = False,
    memory: Annotated[
        int,
        typer.Option(
            "--memory", metavar="N", min=0, help="With --stored: also peak memory of runs of N/100, N/10 and N games."
        ),
    ] = 0,
    overrides: SetOption = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the figures as JSON in this new file.")] = None,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Measure compile time, start-up, speed on one core and on all, and memory; exit 3 when compiling takes over 60 s.

    Compiling is measured in a fresh process with an empty cache, starting up in another one with that cache filled.
    With --stored: exit 3 when a run on one core reaches less than 95 % of the bare kernel, two jobs less than 1.9 times
    one, or memory grows by more than 20 %.
    """
    from pompeii_sim.run.backend import cores

    if out is not None and out.exists():
        raise InputError("exists already, nothing is overwritten", where=str(out), hint="name a new file")
    if out is not None:
        from pompeii_sim.store.atomic import check_parents

        check_parents(out)
    document = benched(scenario, game, overrides or [])
    if stored:
        figures = bench_stored.measure(child, document, games, memory, quiet)
        faults = bench_stored.failed(figures)
        limits: dict[str, float] = bench_stored.LIMITS
        publish(document, figures, limits, faults, [], out, form)
        return
    if memory:
        raise InputError("is measured of whole runs", where="--memory", hint="add --stored")
    count = jobs or cores()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        environment = {**os.environ, "POMPEII_SIM_CACHE": folder, "NUMBA_CACHE_DIR": folder}
        note("compiling with an empty cache ...", quiet=quiet)
        cold, _ = child("compile", document, games, count, environment)
        note("starting up with a filled cache ...", quiet=quiet)
        _, warm_wall = child("compile", document, games, count, environment)
        note("playing ...", quiet=quiet)
        speed, _ = child("speed", document, games, count, environment)
    figures = {
        "games_per_cpu_second": speed["games_per_cpu_second"],
        "decisions_per_cpu_second": speed["decisions_per_cpu_second"],
        "decisions_per_game": speed["decisions_per_game"],
        "games_per_second_all": speed["games_per_second_all"],
        "jobs": count,
        "scaling": speed["scaling"],
        "cold_compile_seconds": cold["seconds"],
        "cold_compile_cpu_seconds": cold["cpu_seconds"],
        "compiled_functions": cold["functions"],
        "warm_start_seconds": warm_wall,
        "peak_memory_mb": speed["peak_memory_mb"],
        "peak_memory_compiling_mb": cold["peak_memory_mb"],
    }
    faults = []
    if cold["cpu_seconds"] > COLD_LIMIT:
        faults = [f"compiling took {cold['cpu_seconds']:.0f} s of processor time, more than {COLD_LIMIT:.0f} s"]
    publish(document, figures, {"cold_compile_cpu_seconds": COLD_LIMIT}, faults, cold["slowest"], out, form)


def publish(
    document: dict[str, Any],
    figures: dict[str, Any],
    limits: dict[str, float],
    faults: list[str],
    slowest: list[dict[str, Any]],
    out: Path | None,
    form: Format,
) -> None:
    """Print the figures, keep them where they are wanted, and end with exit code 3 when one is beyond its limit."""
    kept = {
        "scenario": document,
        "machine": machine(),
        "figures": figures,
        "slowest_to_compile": slowest,
        "limits": limits,
        "passed": not faults,
    }
    if out is not None:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(kept, indent=2, allow_nan=False) + "\n", "utf-8")
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=str(out)) from None
    slow = [{"figure": f"compile {s['function']}", "value": s["seconds"], "unit": "s"} for s in slowest]
    emit([{"figure": n, "value": v, "unit": unit(n)} for n, v in figures.items()] + slow, form, document=kept)
    for fault in faults:
        note(fault)
    if faults:
        raise typer.Exit(3)


def benched(scenario: Path | None, game: str | None, overrides: list[str]) -> dict[str, Any]:
    """Return the document to play: a scenario's, without its sweep, or a full table of the game's default player."""
    import pompeii_sim
    from pompeii_sim import games
    from pompeii_sim.scenario import load_scenario

    if scenario is None:
        chosen = games.get(game or games.MAIN)
        document = {"game": chosen.name, "seats": [{} for _ in range(chosen.seats[-1])]}
        return load_scenario(document, overrides).document
    checked = pompeii_sim.validate(scenario, overrides)
    if checked.data_dir is not None or checked.player_files:
        raise InputError("bench plays shipped data and players only", where=str(scenario))
    settings = [f"{path}={json.dumps(value)}" for path, value in checked.cells[0].settings.items()]
    return load_scenario({k: v for k, v in checked.document.items() if k != "sweep"}, settings).document


def child(
    mode: str, document: dict[str, Any], games: int, jobs: int, environment: dict[str, str]
) -> tuple[dict[str, Any], float]:
    """Measure in a process of its own; return its figures and its wall-clock seconds, start of Python included."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "pompeii_sim.cli.bench_child", mode, json.dumps(document), str(games), str(jobs)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"the measurement {mode!r} failed:\n{done.stderr}")
    return dict(json.loads(done.stdout)), wall


def machine() -> dict[str, Any]:
    """Return what the figures depend on besides the code."""
    from pompeii_sim.run.backend import cores

    return {
        "processors": cores(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
    }


def unit(name: str) -> str:
    """Return the unit of a figure."""
    for ending, told in (("_mb", "MB"), ("_seconds", "s"), ("_per_game", "")):
        if name.endswith(ending):
            return told
    if name.startswith(("games_per", "decisions_per")) or "games_per_second" in name:
        return "1/s"
    return ""
