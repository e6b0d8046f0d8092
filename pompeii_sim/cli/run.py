"""``run``: play a scenario and print what came out."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pompeii_sim.cli.options import (
    FormatOption,
    GamesOption,
    QuietOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    TimeoutOption,
    seconds,
    teller,
)
from pompeii_sim.cli.output import Format, emit, write
from pompeii_sim.cli.validate import cell_records, size
from pompeii_sim.errors import InputError

if TYPE_CHECKING:
    from pompeii_sim.run.forecast import Forecast
    from pompeii_sim.scenario.model import Scenario

RUNS = Path("runs")
"""Folder in the current one that run folders go to when ``--out`` names none."""


ANYTIME = (
    "* interval valid at every look, as games were played until it was narrow enough; the others are for a number of "
    "games fixed before"
)
"""Stands under a table with intervals of the first kind."""

NOTHING_YET = "interrupted before the first game: nothing was written"


class Display(StrEnum):
    """How a run tells its progress on stderr."""

    auto = "auto"
    bar = "bar"
    plain = "plain"
    json = "json"
    none = "none"


class Allocate(StrEnum):
    """Where games go when a precision is wanted."""

    even = "even"
    contenders = "contenders"


class Backend(StrEnum):
    """Where games are played."""

    local = "local"
    dask = "dask"


class Records(StrEnum):
    """Which columns of a game are stored."""

    core = "core"
    full = "full"


def run(
    scenario: ScenarioArgument,
    games: GamesOption = None,
    seed: SeedOption = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Threads [default: all processors].")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Run folder to make [default: a new one, runs/<scenario>, runs/<scenario>-2 ...]."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on in the run folder: play only what is missing.")
    ] = False,
    overrides: SetOption = None,
    records: Annotated[Records, typer.Option("--records", help="Columns stored of every game.")] = Records.core,
    series_every: Annotated[
        int | None, typer.Option("--series-every", min=0, help="Keep the course of every n-th game; 0 for none.")
    ] = None,
    precision: Annotated[
        list[str] | None,
        typer.Option(
            "--precision",
            metavar="METRIC=HALFWIDTH",
            help="Play each cell until the metric's interval is so narrow, such as victory_rate=0.005; --games is then "
            "the least and --max-games the most. Repeatable.",
        ),
    ] = None,
    joint: Annotated[bool, typer.Option("--joint", help="All intervals of a cell shall hold together.")] = False,
    allocate: Annotated[
        Allocate, typer.Option("--allocate", help="contenders: games go to cells that cannot be told apart yet.")
    ] = Allocate.even,
    max_games: Annotated[int | None, typer.Option("--max-games", min=1, help="Most games in a cell.")] = None,
    max_time: Annotated[
        str | None,
        typer.Option(
            "--max-time",
            metavar="TIME",
            help="Stop at the next thousand games after, such as 90, 5m or 2h: the one option results depend on.",
        ),
    ] = None,
    backend: Annotated[
        Backend, typer.Option("--backend", help="dask: play on the cluster whose scheduler --address names.")
    ] = Backend.local,
    address: Annotated[
        str | None, typer.Option("--address", help="Scheduler of a running Dask cluster, such as tcp://host:8786.")
    ] = None,
    timeout: TimeoutOption = None,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first failed game.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be played; write nothing.")] = False,
    progress: Annotated[
        Display, typer.Option("--progress", help="Progress on stderr; auto: a bar on a terminal, else plain lines.")
    ] = Display.auto,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Play all cells of a scenario, keep the games in a run folder, and print the estimates.

    The table has one row a cell with its headline metrics and 95 % intervals; JSON and CSV have every metric in
    full precision. Nothing is ever overwritten: without --out each run gets a new folder under runs/, and --resume
    goes on in the latest one of this scenario.
    """
    import pompeii_sim

    options: dict[str, Any] = {} if series_every is None else {"series_every": series_every}
    if precision:
        options["precision"] = dict(half_width(text) for text in precision)
    if max_time is not None:
        options["max_time"] = seconds(max_time, "--max-time")
    if timeout is not None:
        options["timeout"] = seconds(timeout, "--timeout")
    from pompeii_sim.engine.jit import announced
    from pompeii_sim.run.interrupt import Interrupted, heeded
    from pompeii_sim.run.progress import make_progress

    tell = teller(as_json=progress is Display.json, quiet=quiet)
    display = make_progress(progress.value, quiet=quiet)
    limit = "at least" if precision else "at most" if max_time is not None else ""
    try:
        with heeded(), announced(display.compiling):  # a scenario's players are compiled when it is checked
            checked = pompeii_sim.validate(scenario, overrides or [], games=games, seed=seed)
    except KeyboardInterrupt:
        tell(NOTHING_YET, always=True)
        raise typer.Exit(130) from None
    if dry_run:
        cost = expected(checked, jobs=jobs, tell=tell, **options)
        cells = cell_records(checked)
        emit(cells, form, document={"scenario": checked.document, "cells": cells, "forecast": asdict(cost)})
        for line in cost_lines(checked, cost, limit=limit, most=max_games):
            tell(line)
        return
    if out is None and resume and scenario.is_dir():
        out = scenario
    folder = out if out is not None else default_folder(checked.name, resume=resume)
    if resume and not folder.exists():
        tell(f"no run in {folder} yet: a new one begins")

    before = games_there(folder) if resume else 0
    tell(f"playing {size(checked, limit)}")
    try:
        result = pompeii_sim.run(
            checked,
            out=folder,
            jobs=jobs,
            resume=resume,
            records=records.value,
            joint=joint,
            allocate=allocate.value,
            backend=backend.value,
            address=address,
            max_games=max_games,
            fail_fast=fail_fast,
            progress=display,
            **options,
        )
    except KeyboardInterrupt:
        tell(NOTHING_YET, always=True)
        raise typer.Exit(130) from None
    except Interrupted as stopped:
        tell(f"interrupted: {stopped.result.played:,} games of this session are kept in {folder}", always=True)
        tell(f"go on with: pompeii-sim run {shlex.quote(str(folder))} --resume", always=True)
        raise typer.Exit(stopped.exit_code) from None
    show(result, form)
    report(result, folder, tell)
    if 0 < before < checked.games:
        tell(
            "games were added to this run: if you added them because of what you saw, quote the intervals under "
            "'anytime' in summary.json"
        )
    tell(origin_line(checked))
    if result.failed:
        raise typer.Exit(1)


def games_there(folder: Path) -> int:
    """Return how many games a cell the run in a folder was asked for last, 0 when there is none."""
    from pompeii_sim.store.manifest import MANIFEST, Manifest

    return Manifest.load(folder).games if (folder / MANIFEST).exists() else 0


def half_width(text: str) -> tuple[str, float]:
    """Read ``METRIC=HALFWIDTH``."""
    name, _, number = text.partition("=")
    hint = "for example --precision victory_rate=0.005"
    try:
        width = float(number)
    except ValueError:
        raise InputError("not of the form METRIC=HALFWIDTH", where=f"--precision {text}", hint=hint) from None
    if not name.strip() or not 0 < width < float("inf"):
        raise InputError("the half-width must be a number above 0", where=f"--precision {text}", hint=hint)
    return name.strip(), width


def show(result: Any, form: Format) -> None:
    """Print a run's estimates."""
    from pompeii_sim.run.summary import metric_records
    from pompeii_sim.store.linked import linked

    if form is Format.csv:
        emit(metric_records(result.cells), form)
        return
    columns, records = result.table()
    one_name = {path: name for name, (path, *_) in linked([cell.settings for cell in result.cells]).items()}
    swept = {path for cell in result.cells for path in cell.settings}
    columns = [column for column in columns if column not in swept or column in one_name]
    metrics = {m.name: m for m in result.schema.metrics}
    headings: dict[str, str] = {}
    percent: set[str] = set()
    for column in columns:
        if column == "failed" and not result.failed:
            continue
        metric = metrics.get(column.partition(".")[0])
        chance = {r[column].expected for r in records if column in r} if metric is not None else set()
        if chance == {1.0}:  # the share of the only kind at the table
            continue
        headings[column] = one_name.get(column) or heading(column, metric, chance)
        if metric is not None and metric.kind in ("rate", "share"):
            percent.add(headings[column])
    looked_at = [c for c in headings if any(getattr(r.get(c), "valid", "") == "anytime" for r in records)]
    for column in looked_at:
        percent_too = headings[column] in percent
        headings[column] += " *"
        percent |= {headings[column]} if percent_too else set()
    shown = [{headings[c]: r[c] for c in headings if c in r} for r in records]
    emit(shown, form, document=result.summary, percent=frozenset(percent))
    if looked_at and form in (Format.table, Format.md):
        write(f"\n{ANYTIME}\n")


def heading(column: str, metric: Any, chance: set[float | None]) -> str:
    """Return a column's heading for people: the metric's title, the label of a split one, and its chance share."""
    if metric is None:
        return column
    label = column.partition(".")[2]
    told = f"{metric.title}: {label}" if label else str(metric.title)
    one = next(iter(chance)) if len(chance) == 1 else None
    return told if one is None else f"{told} (chance {one:.0%})"


def report(result: Any, folder: Path, tell: Callable[..., None]) -> None:
    """Say on stderr what was played, what failed and where it lies."""
    for name in result.damaged:
        tell(f"damaged and played again: {name}")
    for failure in result.failures[:5]:
        text = f" ({failure.text})" if failure.text else ""
        tell(
            f"failed: game {failure.game} of cell {failure.cell}: {result.schema.error_text(failure.error)}{text}; "
            f"see it with: pompeii-sim replay {shlex.quote(str(folder))} --game {failure.game} --cell {failure.cell}",
            always=True,
        )
    if result.failed:
        tell(f"{result.failed} games failed and are in no estimate", always=True)
    if result.state == "interrupted":
        tell(f"stopped: {result.reason}", always=True)
    elif "stopping" in result.summary:
        tell(f"stopped: {result.reason}")
    tell(f"kept in {folder}")


def origin_line(scenario: Scenario) -> str:
    """Say how much of the data the numbers rest on is not public."""
    counts = scenario.cells[0].data.provenance_counts()
    unsure = counts.get("assumed", 0) + counts.get("calibrated", 0)
    told = f"{unsure} of {sum(counts.values())} data entries are assumed or calibrated"
    return f"{told}; see them with: pompeii-sim catalog --game {scenario.game}"


def default_folder(name: str, *, resume: bool, root: Path = RUNS) -> Path:
    """Return the run folder when none is named.

    The first of ``runs/<name>``, ``runs/<name>-2``, ... that is free; to resume, the last one that is there.
    """
    last: Path | None = None
    number = 1
    while True:
        folder = root / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return last if resume and last is not None else folder
        last = folder
        number += 1


def expected(scenario: Any, *, jobs: int | None, tell: Callable[..., None], **options: Any) -> Forecast:
    """Play a sample and return what the run would cost; says that the engine is compiled when that takes a while."""
    from pompeii_sim.engine.jit import announced
    from pompeii_sim.run.forecast import forecast

    with announced(lambda: tell("compiling, once (kept for later runs)")):
        return forecast(scenario, jobs=jobs, **{k: v for k, v in options.items() if k in ("series_every", "timeout")})


def cost_lines(scenario: Any, cost: Forecast, *, limit: str, most: int | None) -> list[str]:
    """Say what a run would cost; `limit` says whether that is the least or the most, empty when it is exact."""
    from pompeii_sim.run.progress import duration, pace
    from pompeii_sim.run.stopping import most_games

    told = f"{limit} " if limit else ""
    lines = [
        f"would play {size(scenario, limit)}",
        f"time: {told}about {duration(cost.seconds)} without compiling ({pace(cost.games_per_second)} on one "
        f"core, measured on {cost.sample} games)",
        f"disk: {told}about {amount(cost.bytes_core)} with core records, {amount(cost.bytes_full)} with full records",
    ]
    if limit == "at least":
        lines.append(
            f"cells go on until the precision is reached, at most {most_games(scenario.games, most):,} games a cell"
        )
    return lines


def amount(size_in_bytes: float) -> str:
    """Return a number of bytes for people."""
    size, unit = float(size_in_bytes), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if size >= 1000:
            size, unit = size / 1000, larger
    return f"{size:.3g} {unit}"
