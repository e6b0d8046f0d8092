"""Play a scenario: what is missing of its plan, on all cores, into a run folder or into memory."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pompeii_sim import games as registry
from pompeii_sim.errors import InputError
from pompeii_sim.measure import Measures, applies, measures_of
from pompeii_sim.run.backend import Threads, cores
from pompeii_sim.run.cluster import DaskCluster
from pompeii_sim.run.interrupt import Interrupted, heeded, signals
from pompeii_sim.run.ledger import Ledger
from pompeii_sim.run.plan import PART_SIZE, build_plan
from pompeii_sim.run.play import KEEP_FAILURES, play_range
from pompeii_sim.run.processes import TIMEOUT
from pompeii_sim.run.progress import NoProgress, Progress
from pompeii_sim.run.recipe import recipe_of
from pompeii_sim.run.result import RunResult
from pompeii_sim.run.session import Session
from pompeii_sim.run.stopping import Allocate, stopping_rule
from pompeii_sim.run.survey import check_enough, survey
from pompeii_sim.run.versions import versions
from pompeii_sim.store.folder import RunFolder, cells_frame
from pompeii_sim.store.lock import Lock
from pompeii_sim.store.manifest import SERIES_EVERY, Manifest, plan_diff
from pompeii_sim.store.schema import Schema, build_schema

if TYPE_CHECKING:
    from pompeii_sim.engine.contract import Game
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario

MOST_JOBS = 1024
"""Most threads or processes of a run; more than there are processors only cost memory."""


def execute(
    scenario: Scenario,
    *,
    out: Path | None = None,
    games: int | None = None,
    jobs: int | None = None,
    resume: bool = False,
    records: Literal["core", "full"] = "core",
    part_size: int = PART_SIZE,
    chunk: int | None = None,
    series_every: int = SERIES_EVERY,
    level: float = 0.95,
    fail_fast: bool = False,
    progress: Progress | None = None,
    precision: Mapping[str, float] | None = None,
    max_games: int | None = None,
    max_time: float | None = None,
    joint: bool = False,
    allocate: Allocate = "even",
    backend: Literal["local", "dask"] = "local",
    address: str | None = None,
    timeout: float = TIMEOUT,
) -> RunResult:
    """Play a scenario and return what it gave.

    Parameters
    ----------
    scenario
        A checked scenario.
    out
        The run folder to make. None keeps rows and Estimates in memory and writes nothing: meant for some
        hundred thousand games, because memory grows with their number.
    games
        Games in each cell, instead of the scenario's.
    jobs
        Threads; None for all cores this process may use. Never changes results.
    resume
        Go on in `out`: play what is missing, or more games. A folder that is not there yet is made.
    records
        ``core`` or ``full`` columns.
    part_size
        Games in a part (rounded up to whole rounds of arrangements): part of the plan.
    chunk
        Games played at a time, for progress and interruption; None for some fifth of a second's worth. Never
        changes results.
    series_every
        Keep the series of every so many games; 0 for none.
    level
        Confidence level of the Estimates.
    fail_fast
        Stop at the first failed game.
    progress
        Where to tell how far it is; None for nowhere.
    precision
        Half-width by metric name (``name.label`` for one that is split): each cell is played until all are reached.
        Then `games` is the least and `max_games` the most in a cell.
    max_games
        Most games in a cell; a million when a precision is given and nothing else is said.
    max_time
        Seconds after which each cell stops at its next look (a thousand games; on a cluster after the parts in
        play); no cell begins another part. The one option results may depend on.
    joint
        All intervals of a cell hold together, instead of each on its own.
    allocate
        ``contenders``: games go to the cells that cannot yet be told apart by the first metric of `precision`.
    backend, address
        ``dask``: whole parts are played on the cluster whose scheduler answers at `address`, and written by this
        process. Never changes results.
    timeout
        Seconds a game with a player of a user's own may take; then it counts as failed. Such games are played in
        processes of their own, so that a player that never answers, or ends its process, spoils its game only.

    Returns
    -------
    RunResult
        With Estimates, closing table, frames.

    Raises
    ------
    InputError
        When an option is out of range, the folder is there without `resume`, belongs to another plan, is in use, or
        cannot be written. Nothing is written unless everything was checked.
    Interrupted
        After SIGINT or SIGTERM, when everything finished has been kept; carries the result so far.
    """
    _check_options(games, max_games, jobs, part_size, chunk, series_every, level, records, timeout)
    if max_games is not None and not precision:
        raise InputError("is the most a run to a precision plays", where="max_games", hint="set games, or a precision")
    if games is not None:
        scenario = replace(scenario, games=games, document={**scenario.document, "games": games})
    if out is not None and not (resume and out.exists()):
        RunFolder.check_new(out)
    progress = progress or NoProgress()
    game = registry.get(scenario.game)
    prepared = prepare_cells(game, scenario, progress)
    plan = build_plan(
        game,
        scenario,
        [len(p.arrangements) for p in prepared],
        part_size=part_size,
        series_every=series_every,
        records=records,
    )
    if plan.unknown_players and resume and out is not None and out.exists():
        raise InputError(
            "cannot be told from an earlier version of itself, so this run cannot be resumed",
            where=f"players.{plan.unknown_players[0]}",
            hint="write it in a file of its own and name it file.py:name",
        )
    schema = schema_of(game, records, {len(cell.seats) for cell in scenario.cells})
    measures = cell_measures(scenario, schema)
    recipe = recipe_of(scenario, plan, part_size=part_size, series_every=series_every, records=records)
    place = _backend(backend, address, jobs)
    session = Session(
        scenario=scenario,
        prepared=prepared,
        plan=plan,
        schema=schema,
        measures=measures,
        recipe=recipe,
        backend=place,
        timeout=timeout if any(p.own_players for p in prepared) else 0.0,
        chunk=chunk,
        series_every=series_every,
        level=level,
        fail_fast=fail_fast,
        progress=progress,
        rule=stopping_rule(
            precision=precision,
            games=scenario.games,
            max_games=max_games,
            max_time=max_time,
            joint=joint,
            allocate=allocate,
            level=level,
            measures=measures,
        ),
    )
    try:
        with signals(session.stop):  # from before the folder is touched: a signal while parts are checked counts, too
            if out is None:
                return session.play(Ledger())
            return _in_folder(session, game, out, resume=resume)
    finally:
        place.close()


def _backend(kind: str, address: str | None, jobs: int | None) -> Threads | DaskCluster:
    if kind not in ("local", "dask"):
        raise InputError(f"{kind!r} is not valid", where="backend", hint="it must be local or dask")
    if kind == "local":
        if address is not None:
            raise InputError("only a cluster has an address", where="address", hint="add --backend dask")
        return Threads(jobs or cores())
    if address is None:
        raise InputError("needs the scheduler's address", where="backend dask", hint="--address tcp://host:8786")
    if jobs is not None:
        raise InputError("a cluster's workers say how many games run at once", where="jobs", hint="leave it out")
    return DaskCluster(address)


def _check_options(
    games: int | None,
    max_games: int | None,
    jobs: int | None,
    part_size: int,
    chunk: int | None,
    series_every: int,
    level: float,
    records: str,
    timeout: float,
) -> None:
    for name, value, least in (
        ("games", games, 1),
        ("jobs", jobs, 1),
        ("max_games", max_games, 1),
        ("part_size", part_size, 1),
        ("chunk", chunk, 1),
        ("series_every", series_every, 0),
    ):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise InputError(f"must be a whole number of at least {least}, got {value!r}", where=name)
    if jobs is not None and jobs > MOST_JOBS:
        raise InputError(
            f"must be at most {MOST_JOBS}, got {jobs}", where="jobs", hint="as many as there are processors"
        )
    if not 0.0 < level < 1.0:
        raise InputError(f"must lie between 0 and 1, got {level!r}", where="level", hint="for example 0.95")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
        raise InputError(f"must be a number of seconds above 0, got {timeout!r}", where="timeout")
    if records not in ("core", "full"):
        raise InputError(f"must be 'core' or 'full', got {records!r}", where="records")


def prepare_cells(game: Game, scenario: Scenario, progress: Progress) -> list[Prepared]:
    """Make every cell ready and the kernel compiled, before anything is written."""
    from pompeii_sim.engine.jit import announced
    from pompeii_sim.engine.prepare import prepare

    with heeded(), announced(progress.compiling):
        prepared = [prepare(game, cell, scenario.seating, scenario.players) for cell in scenario.cells]
        play_range(prepared[0], scenario.seed, 0, 0, 0)
    return prepared


def schema_of(game: Game, records: Literal["core", "full"], seats: Collection[int] = ()) -> Schema:
    """Return the schema of a game's runs.

    Parameters
    ----------
    game, records
        See `build_schema`.
    seats
        Numbers of seats of the run's cells: metrics that none of them has are left out; all metrics without any.
    """
    return build_schema(
        game=game.name,
        title=game.title,
        version=game.version,
        max_seats=game.max_seats,
        time_unit=game.time_unit,
        row=game.dtypes.row,
        series=game.dtypes.series,
        columns=game.columns,
        ends=game.ends,
        metrics=[m for m in game.metrics if not seats or any(applies(m, n) for n in seats)],
        insight=game.insight,
        records=records,
    )


def cell_measures(scenario: Scenario, schema: Schema) -> list[Measures]:
    """Return what is measured in each cell of a scenario."""
    by_deal = scenario.seating == "duplicate"
    return [measures_of(schema, cell.kinds, by_deal=by_deal) for cell in scenario.cells]


def _in_folder(session: Session, game: Game, out: Path, *, resume: bool) -> RunResult:
    folder = RunFolder(out)
    fresh = not (resume and out.exists())
    if fresh:
        folder.create()
    elif not out.is_dir():
        raise InputError("is not a folder", where=str(out))
    else:
        _check_same(folder, session)
    with Lock(out):
        if fresh or folder.is_blank():
            _write_head(folder, session)
            return _play_locked(session, folder, _new_manifest(session))
        manifest = _check_same(folder, session)  # again, now that nobody else writes
        assert manifest is not None
        manifest.sessions += 1
        folder.write_scenario(_portable(session.scenario)[0])  # games may have grown
        return _play_locked(session, folder, manifest)


def _check_same(folder: RunFolder, session: Session) -> Manifest | None:
    """Return the manifest of a folder that can be resumed with this plan, None when it holds nothing yet."""
    if folder.is_blank():
        return None
    manifest = Manifest.load(folder.path)
    if manifest.plan_hash != session.plan.hash:
        raise InputError(
            f"holds a run of another plan: {plan_diff(manifest.plan, session.plan.document)}",
            where=str(folder.path),
            hint="resume with the same settings, or choose another --out",
        )
    check_enough(folder, session.plan, session.games)
    return manifest


def _new_manifest(session: Session) -> Manifest:
    data: dict[str, dict[str, Any]] = {}
    for cell in session.scenario.cells:
        content = cell.data.content_hash
        if content not in data:
            data[content] = {"data": content, "provenance": dict(cell.data.provenance_counts())}
    return Manifest(
        plan=session.plan.document,
        plan_hash=session.plan.hash,
        games=session.scenario.games,
        versions=versions(),
        provenance=list(data.values()),
        created=_now(),
        updated=_now(),
    )


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _portable(scenario: Scenario) -> tuple[bytes, dict[str, Path]]:
    """Return the scenario's text with paths inside a run folder, and what must be copied there."""
    from pompeii_sim.scenario.portable import portable, with_comment

    document, copies = portable(scenario)
    return with_comment(scenario, document).encode(), copies


def _write_head(folder: RunFolder, session: Session) -> None:
    text, copies = _portable(session.scenario)
    cells = [
        {
            "cell": cell.index,
            "kinds": cell.kinds,
            "arrangements": arrangements,
            "part_games": part_games,
            "settings": cell.settings,
        }
        for cell, arrangements, part_games in zip(
            session.scenario.cells, session.plan.arrangements, session.plan.part_games, strict=True
        )
    ]
    folder.write_head(text, session.schema, cells_frame(cells), copies=copies)


def _play_locked(session: Session, folder: RunFolder, manifest: Manifest) -> RunResult:
    """Play in a locked folder whose head is written, and keep the manifest true whatever happens."""
    manifest.games = session.scenario.games
    manifest.state, manifest.reason, manifest.updated = "running", "", _now()
    manifest.stopping = None if session.rule is None else session.rule.to_json()
    manifest.jobs, manifest.backend = session.backend.jobs, session.backend.name
    manifest.save(folder.path)
    found = survey(
        folder,
        session.plan,
        session.games,
        kits=[session.kit(cell) for cell in range(len(session.measures))],
        tell=session.progress.message,
    )
    manifest.damaged += found.damaged
    texts = {(f["cell"], f["game"]): f.get("text", "") for f in manifest.failures}
    found.failures = [replace(f, text=texts.get((f.cell, f.game), "")) for f in found.failures]
    if found.short and session.rule is None:
        games = sum(sums.games for sums in found.short.values())
        session.progress.message(
            f"{games} games lie in parts that are not full; such a part is played again and replaced whole"
        )
    try:
        result = session.play(Ledger(folder=folder, found=found))
    except Interrupted as stopped:
        _close(manifest, folder, stopped.result)
        raise
    except BaseException as error:
        manifest.state, manifest.reason, manifest.updated = "failed", str(error), _now()
        with contextlib.suppress(InputError):  # where the disk is full the manifest may not fit either
            manifest.save(folder.path)
        raise
    _close(manifest, folder, result)
    return result


def _close(manifest: Manifest, folder: RunFolder, result: RunResult) -> None:
    folder.write_summary(result.summary)
    manifest.state, manifest.reason, manifest.updated = result.state, result.reason, _now()
    manifest.seconds = round(manifest.seconds + result.seconds, 3)
    manifest.played += result.played
    manifest.games_per_second = round(result.games_per_second, 3)
    manifest.failed = result.failed
    manifest.failures = [
        {"cell": f.cell, "game": f.game, "error": f.error, "text": f.text} for f in result.failures[:KEEP_FAILURES]
    ]
    manifest.save(folder.path)
