"""All that another process needs to play games of a run: small, pickled, and checked there against the plan."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import cloudpickle

from pompeii_sim import games as registry
from pompeii_sim.errors import InputError
from pompeii_sim.run.plan import PART_SIZE, Plan, build_plan, plan_document
from pompeii_sim.run.play import Chunk, DonePart, OpenPart, piece_of, play_chunk
from pompeii_sim.run.versions import versions
from pompeii_sim.scenario.fingerprint import installed
from pompeii_sim.store.manifest import plan_hash

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario

CHUNK = 500
"""Games played at a time where nobody waits for the end of a chunk."""

_SAME = ("pompeii-sim", "numpy", "numba", "polars")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A run, for a process elsewhere.

    Parameters
    ----------
    document, base
        The scenario and the folder its files are relative to. Data folders and player files must lie there, too.
    games_path
        Folders games are looked for in; those that are not there are passed over.
    players
        Given players, pickled; empty for none.
    fingerprints
        Of the given players.
    hash
        Of the plan that is to come out of the scenario there.
    part_size, series_every, records
        As in `execute`.
    versions
        Versions that bytes depend on.
    """

    document: Mapping[str, Any]
    base: str
    games_path: tuple[str, ...]
    players: bytes
    fingerprints: Mapping[str, str]
    hash: str
    part_size: int
    series_every: int
    records: Literal["core", "full"]
    versions: Mapping[str, str]


def recipe_of(
    scenario: Scenario, plan: Plan, *, part_size: int, series_every: int, records: Literal["core", "full"]
) -> Recipe:
    """Put together the recipe of a run.

    Raises
    ------
    InputError
        When a given player holds something that cannot be sent, such as an open file.
    """
    players = b""
    if scenario.players:
        try:
            players = _pickled(dict(scenario.players))
        except Exception as error:
            text = f"{type(error).__name__}: {error}".splitlines()[0]
            raise InputError(
                f"a player cannot be sent to another process ({text})",
                where="players",
                hint="open files, locks and connections inside choose, not before",
            ) from error
    return Recipe(
        document=scenario.document,
        base=str(scenario.base),
        games_path=tuple(registry.__path__),
        players=players,
        fingerprints=plan.document.get("players", {}),
        hash=plan.hash,
        part_size=part_size,
        series_every=series_every,
        records=records,
        versions=versions(),
    )


def recipe_alone(scenario: Scenario, *, series_every: int = 0) -> Recipe:
    """Put together the recipe of games that are played to look at them, and not kept as a run; see `recipe_of`."""
    game, count = registry.get(scenario.game), len(scenario.cells)
    plan = build_plan(game, scenario, [1] * count, part_size=PART_SIZE, series_every=series_every, records="full")
    return recipe_of(scenario, plan, part_size=PART_SIZE, series_every=series_every, records="full")


def _pickled(players: dict[str, Any]) -> bytes:
    """Pickle players with the code of their modules, unless these are installed: others may lack it."""
    names = {getattr(p, "__module__", None) or type(p).__module__ for p in players.values()}
    modules = [sys.modules[name] for name in names if name in sys.modules and name != "__main__"]
    own = [module for module in modules if not installed(module)]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(players))
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


_lock = threading.RLock()
_scenarios: dict[str, Scenario] = {}
_prepared: dict[tuple[str, int], Prepared] = {}


def prepared_there(recipe: Recipe, cell: int) -> Prepared:
    """Return a cell ready to be played in this process, prepared once; see `scenario_there` for what it raises."""
    from pompeii_sim.engine.prepare import prepare

    with _lock:
        if (recipe.hash, cell) not in _prepared:
            scenario = scenario_there(recipe)
            game = registry.get(scenario.game)
            _prepared[recipe.hash, cell] = prepare(game, scenario.cells[cell], scenario.seating, scenario.players)
        return _prepared[recipe.hash, cell]


def scenario_there(recipe: Recipe) -> Scenario:
    """Load a recipe's scenario in this process.

    Raises
    ------
    InputError
        When it does not give the same plan here: other versions, other data, another player file.
    """
    from pompeii_sim.scenario import load_scenario

    if recipe.hash in _scenarios:
        return _scenarios[recipe.hash]
    own = versions()
    other = [f"{k} {v} there, {own.get(k)} here" for k, v in recipe.versions.items() if k in _SAME and own.get(k) != v]
    if other:
        raise InputError(f"a worker has other versions: {'; '.join(other)}", hint="install the same on all machines")
    for folder in recipe.games_path:
        if folder not in registry.__path__ and Path(folder).is_dir():
            registry.__path__.append(folder)
    try:
        players = cloudpickle.loads(recipe.players) if recipe.players else {}
    except (ImportError, AttributeError) as error:
        raise InputError(f"a worker cannot import a given player ({error})", where="players") from error
    scenario = load_scenario(recipe.document, base=Path(recipe.base), players=players)
    document = plan_document(
        registry.get(scenario.game),
        scenario,
        part_size=recipe.part_size,
        series_every=recipe.series_every,
        records=recipe.records,
        fingerprints=recipe.fingerprints,
    )
    if plan_hash(document) != recipe.hash:
        raise InputError(
            "a worker makes another plan of the scenario: it has other data, player files or games",
            hint="put the same data and player files on all machines, under the same path",
        )
    _scenarios.clear()  # one run at a time
    _prepared.clear()
    _scenarios[recipe.hash] = scenario
    return scenario


def play_there(recipe: Recipe, cell: int, first: int, count: int) -> Chunk:
    """Play games of a recipe in this process."""
    prepared = prepared_there(recipe, cell)
    seed = scenario_there(recipe).seed
    return play_chunk(prepared, seed, first, count, recipe.series_every)


def play_part_there(recipe: Recipe, part: OpenPart) -> DonePart:
    """Play one part of a recipe in this process and return its files' bytes and its sums."""
    while (chunk := part.give(CHUNK)) is not None:
        part.add(chunk[0], piece_of(play_there(recipe, part.plan.cell, *chunk), part.kit.schema))
    return part.done()
