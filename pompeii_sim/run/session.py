"""One session of a run: chunks out to the workers, parts back into the ledger."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pompeii_sim.measure import Measures, Sums
from pompeii_sim.measure.anytime import anytime_now
from pompeii_sim.run.backend import Threads
from pompeii_sim.run.cluster import DaskCluster, RemotePart
from pompeii_sim.run.interrupt import Interrupted, Stop
from pompeii_sim.run.ledger import Ledger
from pompeii_sim.run.plan import PartPlan, Plan
from pompeii_sim.run.play import CellKit, Failure, OpenPart, failures_in, piece_of, play_chunk
from pompeii_sim.run.processes import Processes
from pompeii_sim.run.progress import Progress, pace
from pompeii_sim.run.recipe import Recipe
from pompeii_sim.run.result import RunResult
from pompeii_sim.run.stopping import (
    CHECK_GAMES,
    TIME_OVER,
    CellWatch,
    StoppingRule,
    after_stopping,
    only_watched,
    stop_told_apart,
    stopping_json,
    watched_of,
)
from pompeii_sim.run.summary import build_summary, cell_result
from pompeii_sim.store.schema import Schema

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario


_FIRST_CHUNK = 4
_CHUNK_SECONDS = 1.0
_LAST_SECONDS = 0.1
"""Seconds' worth of games given out at once as long as there are many, and at the end of a run.

What is done for a chunk whatever its length takes some milliseconds, and a signal waits for its end.
"""
_OWN_SECONDS = 0.2
"""The same with a user's player, whose chunk is played again game by game when one of them fails."""


@dataclass(frozen=True, slots=True)
class _Task:
    part: OpenPart
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a task: games played, the part it completed, failed games, or an error for the main thread."""

    games: int = 0
    seconds: float = 0.0
    complete: PartPlan | None = None
    failed: tuple[Failure, ...] = ()
    error: BaseException | None = None


@dataclass(kw_only=True)
class Session:
    """Everything needed to play; see `execute` for the options.

    With a user's player at the table, `timeout` is set and games are played in processes.
    """

    scenario: Scenario
    prepared: list[Prepared]
    plan: Plan
    schema: Schema
    measures: list[Measures]
    recipe: Recipe
    backend: Threads | DaskCluster
    timeout: float
    chunk: int | None
    series_every: int
    level: float
    fail_fast: bool
    progress: Progress
    rule: StoppingRule | None = None
    stop: Stop = field(default_factory=Stop)
    _pace: float = 0.0
    _left: int = 0
    _deadline: float = math.inf
    _watches: list[CellWatch] = field(default_factory=list)
    _processes: Processes | None = None
    _first_failure: Failure | None = None

    @property
    def games(self) -> list[int]:
        """Games of each cell: the most there can be, when a rule may stop before."""
        if self.rule is None:
            return [self.scenario.games] * len(self.measures)
        return [max(a, self.rule.most // a * a) for a in self.plan.arrangements]

    def kit(self, cell: int) -> CellKit:
        """Return how a cell's parts are stored and measured."""
        watch, step = None, 1
        if self.rule is not None:
            watch = only_watched(self.measures[cell], self.rule)
            a = self.plan.arrangements[cell]
            step = -(-CHECK_GAMES // a) * a
        return CellKit(
            plan=self.plan.hash,
            schema=self.schema,
            measures=self.measures[cell],
            series_every=self.series_every,
            watch=watch,
            step=step,
        )

    def play(self, ledger: Ledger) -> RunResult:
        """Play everything the ledger lacks.

        Raises
        ------
        Interrupted
            After a signal.
        """
        if self.rule is not None:
            self.progress.message(self.rule.text())
        total, kept = sum(self.games), sum(sums.games for sums in ledger.totals.values())
        self.progress.start(total, kept, at_most=self.rule is not None)
        self._left = total - kept
        began = time.monotonic()
        if self.timeout and isinstance(self.backend, Threads):
            cells = dict(enumerate(self.prepared))
            self._processes = Processes(self.recipe, cells, self.backend.jobs, self.timeout, self.stop)
        try:
            if self.rule is None:
                played, reason = self._play_parts(ledger, self.plan.parts(self.games))
            else:
                played, reason = self._play_by_rule(ledger, self.rule, began)
        finally:
            if self._processes is not None:
                self._processes.close()
        seconds = time.monotonic() - began
        result = self._result(ledger, played, seconds, reason)
        rate = f"{played} games in {seconds:.1f} s, {pace(result.games_per_second)}"
        self.progress.finish(rate if result.state == "finished" else f"interrupted: {rate}")
        if result.state == "interrupted" and self.stop.signum:
            folder = None if ledger.folder is None else ledger.folder.path
            raise Interrupted(folder, self.stop.signum, result)
        return result

    def _play_by_rule(self, ledger: Ledger, rule: StoppingRule, began: float) -> tuple[int, str]:
        """Play part after part of all cells still going, and look after each; return games and why it stopped."""
        self._deadline = math.inf if rule.seconds is None else began + rule.seconds
        self._watches = [
            CellWatch(rule, watched_of(m, rule, rule.level), most)
            for m, most in zip(self.measures, self.games, strict=True)
        ]
        played, reason, turn = 0, "", 0
        while not self.stop:
            parts = [
                PartPlan(cell=cell, first=turn * size, games=min(size, most - turn * size))
                for cell, (size, most) in enumerate(zip(self.plan.part_games, self.games, strict=True))
                if not self._watches[cell].reason
            ]
            if not parts:
                break
            parts = [part for part in parts if not self._stops_in_short(ledger, part)]
            more, reason = self._play_parts(ledger, parts)
            played += more
            if self.stop:
                break
            for part in parts:
                self._look(ledger, part)
            if rule.allocate == "contenders":
                stop_told_apart(self._watches)
            if self._late():
                for watch in self._watches:
                    watch.reason = watch.reason or TIME_OVER
            turn += 1
        if self.stop:
            return played, reason
        reasons = list(dict.fromkeys(watch.reason for watch in self._watches))
        return played, "; ".join(reasons)

    def _stops_in_short(self, ledger: Ledger, part: PartPlan) -> bool:
        """Return whether the rule stops inside a short part that is there: then it need not be played on."""
        key = (part.cell, part.first)
        if key not in ledger.found.short:
            return False
        trial = copy.deepcopy(self._watches[part.cell])
        blocks = ledger.blocks.get(key, ())
        if trial.take(blocks) < len(blocks) or not trial.reason:
            return False
        self._watches[part.cell] = trial
        ledger.accept_short(key)
        return True

    def _look(self, ledger: Ledger, part: PartPlan) -> None:
        """Let the rule look at a part that was there or came from elsewhere; cut it where the rule stops inside it."""
        watch = self._watches[part.cell]
        blocks = ledger.blocks.pop((part.cell, part.first), None)
        if blocks is None:
            return  # it looked while the part was played
        counted = sum(block.games for block in blocks[: watch.take(blocks)])
        if counted < sum(block.games for block in blocks):
            ledger.cut(part, counted, self.kit(part.cell))

    def _play_parts(self, ledger: Ledger, parts: Iterable[PartPlan]) -> tuple[int, str]:
        """Play those parts that are missing; return how many games, and why it stopped, if it did."""
        open_parts: dict[tuple[int, int], OpenPart] = {}
        missing = (part for part in parts if not ledger.has(part.cell, part.first))
        if isinstance(self.backend, DaskCluster):
            outcomes = self._on_cluster(self.backend, ledger, missing)
        else:
            outcomes = self._here(self.backend, ledger, missing, open_parts)
        played, error, reason = 0, None, ""
        for outcome in outcomes:
            played += outcome.games
            if outcome.seconds > 0:
                self._pace = outcome.games / outcome.seconds
            if outcome.error is not None:
                error = error or outcome.error
                self.stop.ask()
            if outcome.failed and self.fail_fast and not self.stop:
                self._first_failure = min(outcome.failed, key=lambda f: f.game)
                reason = f"game {self._first_failure.game} of cell {self._first_failure.cell} failed (--fail-fast)"
                self.stop.ask()
            if outcome.complete is not None:
                key = (outcome.complete.cell, outcome.complete.first)
                part = open_parts.pop(key, None)
                if part is not None and part.watch is not None:
                    self._watches[part.plan.cell] = part.watch
                    ledger.blocks.pop(key)
            if outcome.games:
                self.progress.update(outcome.games, self._main_estimate(ledger) if outcome.complete else "")
        if error is not None:
            raise error
        if self.stop:
            self._keep_prefixes(open_parts, ledger)
            reason = reason or f"signal {self.stop.signum}"
        return played, reason

    def _here(
        self,
        threads: Threads,
        ledger: Ledger,
        parts: Iterable[PartPlan],
        open_parts: dict[tuple[int, int], OpenPart],
    ) -> Iterator[_Outcome]:
        """Play parts chunk by chunk on threads; `open_parts` holds those in play."""

        def tasks() -> Iterator[_Task]:
            for plan in parts:
                if self._late() and plan.first > 0:  # each cell has games to look at
                    continue
                key = (plan.cell, plan.first)
                kept = ledger.found.short.get(key, Sums()).games
                part = OpenPart(plan, self.kit(plan.cell), self._watch(plan.cell), self._late, kept)
                open_parts[key] = part
                while (piece := part.give(self._chunk_size(part, threads.jobs))) is not None:
                    if self.stop:
                        return
                    self._left -= piece[1]
                    yield _Task(part, *piece)

        def work(task: _Task) -> _Outcome:
            if self.stop or task.part.stopped:
                return _Outcome()
            try:
                return self._work(task, ledger)
            except BaseException as caught:  # noqa: BLE001 - raised again in the main thread
                return _Outcome(error=caught)

        return threads.map(work, tasks())

    def _on_cluster(self, cluster: DaskCluster, ledger: Ledger, parts: Iterable[PartPlan]) -> Iterator[_Outcome]:
        """Play parts on other machines, and write them here."""

        def tasks() -> Iterator[RemotePart]:
            for part in parts:
                if self.stop:
                    return
                kit, watch = self.kit(part.cell), self._watch(part.cell)
                yield RemotePart(recipe=self.recipe, part=part, kit=kit, watch=watch, timeout=self.timeout)

        for one in cluster.play(tasks(), self.stop):
            if one.done is None:
                yield _Outcome(error=one.error)
                continue
            ledger.take(one.done)
            yield _Outcome(games=one.done.plan.games, complete=one.done.plan, failed=one.done.failures)

    def _late(self) -> bool:
        """Return whether the time of a rule is over."""
        return time.monotonic() >= self._deadline

    def _watch(self, cell: int) -> CellWatch | None:
        """Return a cell's watch for the next part of it, which takes it on; None without a rule."""
        return copy.deepcopy(self._watches[cell]) if self._watches else None

    def _chunk_size(self, part: OpenPart, jobs: int) -> int:
        """Return how many games of a part to give out at once.

        With several threads fewer towards the end of the run, so that all end together; with a rule few beside what is
        played, so that little is played beyond its stop.
        """
        if self.chunk is not None:
            return self.chunk
        own = self._processes is not None
        if not self._pace:
            return 1 if own else _FIRST_CHUNK
        size = self._pace * _CHUNK_SECONDS
        if own:  # with few in all a quarter of a part, so that one that fails is told of before the end
            size = min(self._pace * _OWN_SECONDS, part.plan.games / (4 * jobs))
        if jobs > 1:
            size = min(size, max(self._pace * _LAST_SECONDS, self._left / (2 * jobs)))
        if self.rule is not None:
            size = min(size, max(part.kit.step / 2, part.given / 10) / jobs)
        return max(1, round(size))

    def _work(self, task: _Task, ledger: Ledger) -> _Outcome:
        cell = task.part.plan.cell
        began = time.perf_counter()
        if self._processes is None:
            chunk = play_chunk(self.prepared[cell], self.scenario.seed, task.first, task.count, self.series_every)
        else:
            one = self._processes.play(cell, task.first, task.count)
            if one is None:
                return _Outcome()
            chunk = one
        seconds = time.perf_counter() - began
        complete = task.part.add(task.first, piece_of(chunk, self.schema))
        if complete:
            ledger.take(task.part.done())
        done = task.part.plan if complete else None
        return _Outcome(task.count, seconds, done, failures_in(cell, chunk))

    def _keep_prefixes(self, open_parts: dict[tuple[int, int], OpenPart], ledger: Ledger) -> None:
        for (cell, _), part in sorted(open_parts.items()):
            done = part.prefix(self.plan.arrangements[cell])
            if done is not None:
                ledger.take_short(done)
        ledger.keep_short()

    def _main_estimate(self, ledger: Ledger) -> str:
        """Return the first headline metric of a run of one cell for the progress line, with its interval.

        It is one that holds at every look, because somebody is looking.
        """
        if len(self.measures) != 1:
            return ""
        metric = next((m for m in self.measures[0].metrics if m.headline and m.kind != "share"), None)
        if metric is None:
            return ""
        tally = ledger.cell_sums(0).tallies[metric.name][""]
        value = anytime_now(tally, metric, by_deal=self.measures[0].by_deal, level=self.level)
        if value.value is None or value.low is None or value.high is None:
            return ""
        return f"{metric.title} {value.value:.4g} ({value.low:.4g} to {value.high:.4g})"

    def _result(self, ledger: Ledger, played: int, seconds: float, reason: str) -> RunResult:
        cells = [
            cell_result(cell.index, cell.settings, ledger.cell_sums(cell.index), measures, self.level)
            for cell, measures in zip(self.scenario.cells, self.measures, strict=True)
        ]
        if self.rule is not None and self.rule.precision:
            cells = [
                replace(cell, metrics=after_stopping(cell.metrics, watch)) if watch.games == cell.games else cell
                for cell, watch in zip(cells, self._watches, strict=True)
            ]
        summary = build_summary(
            game=self.scenario.game,
            seed=self.scenario.seed,
            games=self.scenario.games,
            seating=self.scenario.seating,
            cells=cells,
            stopping=None if self.rule is None else stopping_json(self.rule, self._watches),
        )
        failures = list(ledger.failures)
        if self._first_failure is not None and self._first_failure not in failures:
            failures.append(self._first_failure)  # of a chunk that is not kept, because games before it are missing
        return RunResult(
            folder=None if ledger.folder is None else ledger.folder.path,
            schema=self.schema,
            cells=cells,
            summary=summary,
            state="interrupted" if self.stop else "finished",
            reason=reason or "all games played",
            played=played,
            seconds=seconds,
            games_per_second=played / seconds if seconds > 0 else 0.0,
            failed=max(sum(cell.failed for cell in cells), len(failures)),
            failures=sorted(failures, key=lambda f: (f.cell, f.game)),
            damaged=list(ledger.found.damaged),
            plan=self.plan.document,
            kinds=[cell.kinds for cell in self.scenario.cells],
            _ledger=ledger,
        )
