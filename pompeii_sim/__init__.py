"""Monte Carlo balance analysis for board games.

The public functions; the command line and notebooks call the same ones. Importing the package is cheap: each
function imports what it needs, and `load` reads a run without the engine.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pompeii_sim.errors import InputError

if TYPE_CHECKING:
    from pompeii_sim.analysis.compare import Comparison
    from pompeii_sim.analysis.sequential import SequentialResult
    from pompeii_sim.analysis.study import Study
    from pompeii_sim.engine.contract import CatalogEntry, PlayerSpec
    from pompeii_sim.figures.loaded import LoadedRun
    from pompeii_sim.run.progress import Progress
    from pompeii_sim.run.replay import Replay
    from pompeii_sim.run.result import RunResult
    from pompeii_sim.scenario import Scenario
    from pompeii_sim.store.reader import Run

# every player is handed to compiled code as a value; that the compiler calls this new is nothing a caller can act on
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

__version__ = "0.1.0"
__all__ = [
    "InputError",
    "__version__",
    "catalog",
    "compare",
    "compare_while_playing",
    "export_data",
    "load",
    "play",
    "players",
    "run",
    "validate",
    "write_report",
]


def validate(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    overrides: Iterable[str] = (),
    *,
    games: int | None = None,
    seed: int | None = None,
    players: Mapping[str, Any] | None = None,
) -> Scenario:
    """Load and check a scenario without playing.

    Parameters
    ----------
    scenario
        A TOML file, a mapping of the same content, or a scenario loaded before. A run folder stands for the
        scenario it was made from.
    overrides
        ``path=value`` texts, such as ``rules.difficulty=B``.
    games, seed
        Games per cell and seed, over what the scenario says.
    players
        Players of your own by the name that seats call them: classes or objects with ``choose(self, view)``, or
        functions of the view.

    Raises
    ------
    InputError
        For what is wrong, with its place and the nearest valid value.
    """
    from pompeii_sim.scenario import Scenario, load_scenario

    if isinstance(scenario, Scenario):
        if not list(overrides) and games is None and seed is None and not players:
            return scenario
        own = {**scenario.players, **(players or {})}
        return load_scenario(scenario.document, overrides, games=games, seed=seed, base=scenario.base, players=own)
    if not isinstance(scenario, Mapping) and (folder := Path(scenario)).is_dir():
        if not (folder / "scenario.toml").is_file():
            raise InputError("a folder without scenario.toml", where=str(folder), hint="name a scenario or a run")
        scenario = folder / "scenario.toml"
    return load_scenario(scenario, overrides, games=games, seed=seed, players=players)


def run(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    overrides: Iterable[str] = (),
    *,
    games: int | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    players: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RunResult:
    """Play all cells of a scenario.

    Parameters
    ----------
    scenario, overrides, games, seed, players
        As for `validate`.
    out
        The run folder to make; None keeps nothing on disk.
    progress
        Where to tell how far it is; None for a bar in a notebook and nothing elsewhere.
    **options
        As for `pompeii_sim.run.execute`: ``jobs``, ``resume``, ``records``, ``series_every`` ...

    Returns
    -------
    RunResult
        Estimates of every cell; results depend on the scenario and its seed only, never on ``jobs``.

    Raises
    ------
    InputError
        When the scenario is wrong or the folder exists already.
    Interrupted
        After Ctrl-C; what is finished is kept.
    """
    from pompeii_sim.run.execute import execute
    from pompeii_sim.run.progress import NotebookProgress, in_notebook

    if progress is None and in_notebook():
        progress = NotebookProgress()
    checked = validate(scenario, overrides, games=games, seed=seed, players=players)
    return execute(checked, out=None if out is None else Path(out), progress=progress, **options)


def load(folder: str | Path) -> LoadedRun:
    """Open a run folder for reading; needs neither the game nor a compiler.

    Parameters
    ----------
    folder
        What `run` left; it may be unfinished.

    Returns
    -------
    LoadedRun
        ``games()`` and ``series()`` as lazy polars frames, ``cells``, ``summary``, ``schema``, ``manifest``;
        ``estimate(metric)`` gives any number with its interval, ``plot(metric)`` a figure of it, and ``study`` is what
        the questions of ``pompeii_sim.analysis`` take first.
    """
    from pompeii_sim.figures.loaded import load_run

    return load_run(folder)


def compare(
    base: str | Path | Run | RunResult | Study,
    other: str | Path | Run | RunResult | Study | None = None,
    *,
    by: str | None = None,
    metrics: Iterable[str] | None = None,
    effect: float | Mapping[str, float] = 0.01,
    level: float = 0.95,
    gates: Iterable[str] = (),
) -> Comparison:
    """Compare two runs, or the values of one swept setting within a run, metric by metric.

    Parameters
    ----------
    base, other
        Run folders, or what `load` or `run` returned. Runs that share deals are compared deal by deal.
    by
        A swept path such as ``rules.difficulty``: every pair of its values is compared within one run.
    metrics
        Names of metrics; the headline metrics by default.
    effect
        Smallest difference that matters: for every rate and share (0.01 is one point), or numbers by metric. Means
        have none unless it is given by name.
    level
        Confidence level of each interval.
    gates
        Statements such as ``victory_rate >= 0.6``; each passes only if the whole interval satisfies it.

    Returns
    -------
    Comparison
        Frozen, with ``lines``, ``frame``, ``verdicts``, ``gates`` and ``passed``.

    Raises
    ------
    InputError
        When the runs do not belong together, or a metric, setting or gate is unknown.
    """
    from pompeii_sim.analysis.compare import compare_runs

    return compare_runs(base, other, by=by, metrics=metrics, effect=effect, level=level, gates=gates)


def compare_while_playing(
    base: str | Path | Mapping[str, Any] | Scenario,
    other: str | Path | Mapping[str, Any] | Scenario,
    overrides: Iterable[str] = (),
    *,
    seed: int | None = None,
    **options: Any,
) -> SequentialResult:
    """Play two scenarios in step on common deals, and stop as soon as their difference is clear.

    Parameters
    ----------
    base, other
        Scenarios of one cell each, as for `validate`.
    overrides, seed
        For both.
    **options
        As for `pompeii_sim.analysis.sequential.sequential`: ``metric``, ``effect``, ``alpha``, ``max_games``,
        ``jobs``, ``progress``.

    Returns
    -------
    SequentialResult
        The difference with an interval that holds although it decided when to stop, and the verdict; the same for
        any number of jobs.

    Raises
    ------
    InputError
        When a scenario or an option is wrong, or the two cannot share deals.
    """
    from pompeii_sim.analysis.sequential import sequential

    overrides = list(overrides)
    one, two = (validate(scenario, overrides, seed=seed) for scenario in (base, other))
    return sequential(one, two, **options)


def play(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    game: int = 0,
    cell: int = 0,
    overrides: Iterable[str] = (),
    *,
    seed: int | None = None,
    players: Mapping[str, Any] | None = None,
    to_end: bool = True,
    timeout: float | None = None,
) -> Replay:
    """Play one game of a scenario again: exactly the game that a run counts under this number.

    Parameters
    ----------
    scenario, overrides, seed, players
        As for `validate`; a run folder works too. Without overrides and another seed only its own games do.
    game, cell
        Numbers of the game in its cell and of the cell, from 0.
    to_end
        False stops after the set-up; ``step()`` then plays one decision at a time.
    timeout
        Seconds the game may take when a player of your own sits at the table: it is then played in a process of its
        own, so that a player that never answers does no harm. None plays it here, where a debugger can look at it.

    Returns
    -------
    Replay
        With ``events``, ``moves``, ``story()`` and ``row()``.

    Raises
    ------
    InputError
        When the scenario is wrong, has no such cell, or a number is negative or not whole; when a run has not played
        the game; or when a player of your own fails, naming the seat and the decision.
    """
    from pompeii_sim import games
    from pompeii_sim.engine.prepare import prepare
    from pompeii_sim.run.replay import check_played, replay

    overrides = list(overrides)
    checked = validate(scenario, overrides, seed=seed, players=players)
    for name, number in (("game", game), ("cell", cell)):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**63:
            raise InputError(
                f"{number!r} is not valid", where=name, hint="it must be a whole number from 0 to 2^63 - 1"
            )
    if cell >= len(checked.cells):
        last = len(checked.cells) - 1
        raise InputError(
            f"no cell {cell}", where="cell", hint=f"cells are 0 to {last}" if last else "the only one is 0"
        )
    if isinstance(scenario, str | Path) and Path(scenario).is_dir() and not overrides and seed is None:
        check_played(Path(scenario), game, cell)
    chosen = checked.cells[cell]
    prepared = prepare(games.get(checked.game), chosen, checked.seating, checked.players)
    if timeout is not None and prepared.own_players:
        from pompeii_sim.run.traced import traced_game

        one: Replay = traced_game(checked, prepared, game, cell, timeout)
    else:
        one = replay(prepared, chosen, checked.seed, game)
    if to_end:
        one.play()
    return one


def catalog(game: str | None = None, data: str | Path | None = None) -> dict[str, list[CatalogEntry]]:
    """Return all entries of a game's data by section, each with its provenance.

    Parameters
    ----------
    game
        Name of the game; None for the main one.
    data
        An edited data folder; None for the one shipped.
    """
    from pompeii_sim import games

    return games.get(game or games.MAIN).load_data(None if data is None else Path(data)).catalog()


def export_data(target: str | Path, game: str | None = None) -> Path:
    """Write a game's data folder to `target` for editing, and return its path; never overwrites."""
    from pompeii_sim import games
    from pompeii_sim.scenario.export import export_data as export

    return export(games.get(game or games.MAIN), Path(target))


def players(game: str | None = None) -> Mapping[str, PlayerSpec]:
    """Return a game's built-in players by name; None for the main game."""
    from pompeii_sim import games

    return games.get(game or games.MAIN).players()


def write_report(
    runs: str | Path | Run | Sequence[str | Path | Run],
    out: str | Path,
    *,
    title: str = "",
    effect: float = 0.01,
    level: float = 0.95,
    force: bool = False,
) -> Path:
    """Write a report on one or more runs.

    Parameters
    ----------
    runs
        Run folders, a chapter each.
    out
        ``NAME.html``: one file that needs no other. ``NAME.md``: a text, its figures and tables in ``NAME/``.
    title
        Of the page; by default the game and the first run's name.
    effect
        Smallest difference of a share that matters, such as 0.01 for one point.
    level
        Confidence level of all intervals.
    force
        Whether to write over what is there.

    Returns
    -------
    Path
        What was written.

    Raises
    ------
    InputError
        When `out` has another ending, is there already or cannot be written, or when a folder is no run.
    """
    from pompeii_sim.report.build import write_report as write

    listed = [runs] if isinstance(runs, str | Path) or not isinstance(runs, Sequence) else list(runs)
    made_by = f"pompeii-sim {__version__}"
    return write(listed, out, title=title, effect=effect, level=level, force=force, made_by=made_by)


_run = run


class _CallableRoom(ModuleType):
    """The room ``pompeii_sim.run`` once it is imported: a package that can still be called as the function `run`."""

    def __call__(self, *args: Any, **options: Any) -> RunResult:
        return _run(*args, **options)


class _Package(ModuleType):
    """This package: a room of the same name does not take the place of the function `run`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "run" and isinstance(value, ModuleType):
            value.__class__ = _CallableRoom
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
