"""What a run would cost: time and disk, from a short sample that is really played."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pompeii_sim import games as registry
from pompeii_sim.run.backend import cores
from pompeii_sim.run.execute import cell_measures, schema_of
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.plan import PART_SIZE, PartPlan
from pompeii_sim.run.play import CellKit, Chunk, finish_part, joined, piece_of, play_chunk, play_range
from pompeii_sim.run.processes import TIMEOUT, Processes
from pompeii_sim.run.recipe import recipe_alone
from pompeii_sim.run.traced import traced_game
from pompeii_sim.store.schema import DIED, TIMED_OUT

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario

_WARM_GAMES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The likely cost of a run.

    Parameters
    ----------
    cells, games
        Cells, and games over all cells.
    games_per_second
        On one core, measured on the sample.
    seconds
        Wall-clock seconds on all threads asked for, without compiling.
    bytes_core, bytes_full
        Disk for all parts with ``core`` and with ``full`` records, series included.
    sample
        Games that were played to find out.
    """

    cells: int
    games: int
    games_per_second: float
    seconds: float
    bytes_core: int
    bytes_full: int
    sample: int


def forecast(
    scenario: Scenario,
    *,
    jobs: int | None = None,
    series_every: int = 100,
    sample: int = 400,
    most_cells: int = 8,
    own_games: int = 5,
    timeout: float = TIMEOUT,
) -> Forecast:
    """Play a few games of some cells and extrapolate; nothing is written.

    Parameters
    ----------
    scenario
        A checked scenario.
    jobs
        Threads of the run; None for all cores.
    series_every
        As in `execute`.
    sample
        Games to play in all.
    most_cells
        Cells to take them from, spread over the scenario.
    own_games
        Most games of each such cell with a user's player at the table, which may be hundreds of times slower.
    timeout
        Seconds a game with a player of a user's own may take.

    Raises
    ------
    InputError
        When such a player does not answer in time, or ends its process.
    """
    from pompeii_sim.engine.prepare import prepare

    game = registry.get(scenario.game)
    measures = cell_measures(scenario, schema_of(game, "full"))
    step = -(-len(scenario.cells) // most_cells)
    chosen = scenario.cells[::step]
    each = max(1, sample // len(chosen))
    total = scenario.games * len(scenario.cells)
    seconds, size = 0.0, {"core": 0.0, "full": 0.0}
    levels: tuple[Literal["core", "full"], ...] = ("core", "full")
    if any(seat.player not in game.players() for cell in chosen for seat in cell.seats):  # type: ignore[attr-defined]
        each = min(each, own_games)
    for cell in chosen:
        prepared = prepare(game, cell, scenario.seating, scenario.players)
        if prepared.own_players:
            chunk, spent = _own(scenario, prepared, cell.index, each, series_every, timeout)
        else:
            play_range(prepared, scenario.seed, 0, min(_WARM_GAMES, each), 0)
            began = time.perf_counter()
            chunk = play_chunk(prepared, scenario.seed, 0, each, series_every)
            spent = time.perf_counter() - began
        seconds += spent
        for level in levels:
            kit = CellKit(
                plan="", schema=schema_of(game, level), measures=measures[cell.index], series_every=series_every
            )
            size[level] += _cell_bytes(chunk, cell.index, kit, scenario.games) * len(scenario.cells) / len(chosen)
    played = each * len(chosen)
    speed = played / seconds if seconds > 0 else 0.0
    return Forecast(
        cells=len(scenario.cells),
        games=total,
        games_per_second=speed,
        seconds=total / speed / (jobs or cores()) if speed > 0 else 0.0,
        bytes_core=round(size["core"]),
        bytes_full=round(size["full"]),
        sample=played,
    )


def _own(
    scenario: Scenario, prepared: Prepared, cell: int, count: int, series_every: int, timeout: float
) -> tuple[Chunk, float]:
    """Play games with a user's player in a process, as a run does; return them and the seconds they took."""
    recipe = recipe_alone(scenario, series_every=series_every)
    processes = Processes(recipe, {cell: prepared}, 1, timeout, Stop())
    chunks: list[Chunk] = []
    seconds = 0.0
    try:
        processes.play(cell, 0, 0)  # the process starts
        for number in range(count):
            began = time.perf_counter()
            chunk = processes.play(cell, number, 1)
            seconds += time.perf_counter() - began
            assert chunk is not None  # nobody stops it
            if chunk.rows["error"][0] in (TIMED_OUT, DIED):
                traced_game(scenario, prepared, number, cell, timeout).play()  # raises, and says where
            chunks.append(chunk)
    finally:
        processes.close()
    return joined(chunks, prepared), seconds


def _cell_bytes(chunk: Chunk, cell: int, kit: CellKit, games: int) -> float:
    """Return the disk a cell takes, from a part of the sample's size and one of half of it.

    A file costs a fixed number of bytes (its footer) and some for each game; two sizes tell the two apart.
    """
    whole, half = len(chunk.rows), max(1, len(chunk.rows) // 2)
    first = Chunk(rows=chunk.rows[:half], series=chunk.series[chunk.series["game"] < half])
    sizes = []
    for one in (first, chunk):
        done = finish_part(PartPlan(cell=cell, first=0, games=len(one.rows)), [piece_of(one, kit.schema)], kit)
        sizes.append(len(done.games) + len(done.series or b""))
    each = (sizes[1] - sizes[0]) / (whole - half) if whole > half else float(sizes[1])
    return max(0.0, sizes[1] - each * whole) * -(-games // PART_SIZE) + each * games
