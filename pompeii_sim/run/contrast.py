"""Two settings played in step on common deals, block after block, for as long as somebody wants to see more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pompeii_sim import games as registry
from pompeii_sim.errors import InputError
from pompeii_sim.measure import Measures, PairSums, measure_pairs
from pompeii_sim.run.backend import Threads, cores
from pompeii_sim.run.execute import cell_measures, prepare_cells, schema_of
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.play import Chunk, play_chunk
from pompeii_sim.run.processes import TIMEOUT, Processes
from pompeii_sim.run.progress import NoProgress, Progress
from pompeii_sim.run.recipe import Recipe, recipe_alone
from pompeii_sim.run.stopping import CHECK_GAMES
from pompeii_sim.store.schema import Schema

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """Two settings ready to be played in step; see `contrast`.

    Parameters
    ----------
    prepared
        Both settings' cells, the one compared with first.
    recipes
        What a process elsewhere needs to play each.
    seeds
        Seed of each; equal ones share their deals.
    schema
        What columns, ends and metrics mean.
    measures
        What is measured in each.
    arrangements
        Number of arrangements, the same in both.
    step
        Games of each setting in a block: a multiple of the arrangements.
    """

    prepared: tuple[Prepared, Prepared]
    recipes: tuple[Recipe, Recipe]
    seeds: tuple[int, int]
    schema: Schema
    measures: tuple[Measures, Measures]
    arrangements: int
    step: int

    @property
    def by_deal(self) -> bool:
        """Whether every deal is played in every arrangement, so that the deal is the unit and not the game."""
        return self.measures[0].by_deal

    def blocks(
        self,
        most: int,
        *,
        metrics: Sequence[str],
        jobs: int | None = None,
        stop: Stop | None = None,
        progress: Progress | None = None,
    ) -> Iterator[PairSums]:
        """Play, and yield the sums of block after block in the order of the games, the same for any number of jobs.

        Parameters
        ----------
        most
            Games of each setting at most, in whole rounds of arrangements.
        metrics
            Names of the metrics to sum.
        jobs
            Threads; None for all cores this process may use.
        stop
            No further block is yielded once it is asked for.
        progress
            Told the games of both settings as they are played.
        """
        aside: list[Processes] = []
        stop = Stop() if stop is None else stop  # one that was not asked yet is false
        progress = progress or NoProgress()
        base, other = (replace(m, metrics=tuple(x for x in m.metrics if x.name in metrics)) for m in self.measures)
        most -= most % self.arrangements
        over = False
        threads = Threads(jobs or cores())
        plays = [self._player(number, threads.jobs, stop, aside) for number in range(2)]

        def work(first: int) -> tuple[int, PairSums | BaseException | None]:
            if over or stop:
                return first, None
            count = min(self.step, most - first)
            try:
                a, b = (play(first, count) for play in plays)
                return first, None if a is None or b is None else measure_pairs(a.rows, b.rows, base, other)
            except BaseException as caught:  # noqa: BLE001 - raised again in the main thread
                return first, caught

        def tasks() -> Iterator[int]:
            for first in range(0, most, self.step):
                if over or stop:
                    return
                yield first

        early: dict[int, PairSums] = {}
        due = 0
        played = threads.map(work, tasks())
        try:
            for first, outcome in played:
                if isinstance(outcome, BaseException):
                    raise outcome
                if outcome is None:
                    continue
                progress.update(2 * outcome.games)
                early[first] = outcome
                while due in early and not stop:
                    block = early.pop(due)
                    due += self.step
                    yield block
        finally:
            over = True
            for _ in played:  # what is still being played ends by itself
                pass
            for processes in aside:
                processes.close()

    def _player(self, number: int, jobs: int, stop: Stop, aside: list[Processes]) -> Callable[[int, int], Chunk | None]:
        """Return what plays a setting's games: this process, or others where a user's player sits at the table."""
        prepared, recipe = self.prepared[number], self.recipes[number]
        if not prepared.own_players:
            return lambda first, count: play_chunk(prepared, self.seeds[number], first, count, 0)
        processes = Processes(recipe, {0: prepared}, jobs, TIMEOUT, stop)
        aside.append(processes)
        return partial(processes.play, 0)


def contrast(base: Scenario, other: Scenario, *, step: int = CHECK_GAMES, progress: Progress | None = None) -> Contrast:
    """Make two scenarios ready to be played in step.

    Parameters
    ----------
    base, other
        Checked scenarios of one cell each, of the same game, seed, seating and arrangements.
    step
        Games of each setting between two looks, rounded up to whole rounds of arrangements.
    progress
        Told when the game has to be compiled.

    Raises
    ------
    InputError
        When the two cannot share deals.
    """
    if base.game != other.game:
        raise InputError(f"{base.game} and {other.game} share no deals", where="game", hint="compare two runs instead")
    for scenario in (base, other):
        if len(scenario.cells) != 1:
            raise InputError(
                f"{scenario.name} has {len(scenario.cells)} cells",
                where="sweep",
                hint="choose one value of each swept key with --set, or run it and compare its cells",
            )
    for name in ("seed", "seating"):
        one, two = getattr(base, name), getattr(other, name)
        if one != two:
            raise InputError(f"{one!r} and {two!r}: no common deals", where=name, hint=f"give both the same {name}")
    game = registry.get(base.game)
    told = progress or NoProgress()
    prepared = (prepare_cells(game, base, told)[0], prepare_cells(game, other, told)[0])
    if not np.array_equal(prepared[0].arrangements, prepared[1].arrangements):
        raise InputError(
            "the seat lists differ in which seats are alike, so that their games are not of the same arrangements",
            where="seats",
            hint="compare two runs instead",
        )
    schema = schema_of(game, "full")
    count = len(prepared[0].arrangements)
    return Contrast(
        prepared=prepared,
        recipes=(recipe_alone(base), recipe_alone(other)),
        seeds=(base.seed, other.seed),
        schema=schema,
        measures=(cell_measures(base, schema)[0], cell_measures(other, schema)[0]),
        arrangements=count,
        step=-(-step // count) * count,
    )
