"""Compare two settings while they are played: stop once the difference is clear, or clearly too small to matter."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pompeii_sim.analysis.verdict import Verdict, verdict
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure import Measures, MetricLike, PairTally, RunningDifference
from pompeii_sim.measure.anytime import anytime_now
from pompeii_sim.measure.tally import Tally
from pompeii_sim.run.contrast import Contrast, contrast
from pompeii_sim.run.interrupt import Stop, signals
from pompeii_sim.run.progress import NoProgress, Progress
from pompeii_sim.run.stopping import MOST_GAMES
from pompeii_sim.stats.estimate import Estimate

if TYPE_CHECKING:
    from pompeii_sim.scenario.model import Scenario

State = Literal["told apart", "equivalent", "most games played", "interrupted"]

_GROWTH = 1.1
"""A look is written down when the games have grown by this factor since the last one written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The difference after so many games of each setting."""

    games: int
    difference: Estimate


@dataclass(frozen=True, kw_only=True)
class SequentialResult:
    """What a comparison while playing found.

    Parameters
    ----------
    metric, label
        What was compared, and its label when it is split.
    base, other
        The metric in each setting, with intervals that hold at every look.
    difference
        The other setting minus the base, with an interval that holds although it decided when to stop.
    effect, alpha
        Smallest difference that matters, and the risk of a wrong verdict.
    verdict
        What can be said.
    games
        Games of each setting that were played and counted.
    diverged, failed
        How many of them took another course in the two settings, and how many pairs failed.
    state
        Why it stopped.
    signum
        The signal that interrupted it, 0 for none.
    looks
        The looks that were written down, the last one included.
    """

    metric: MetricLike
    label: str
    base: Estimate
    other: Estimate
    difference: Estimate
    effect: float
    alpha: float
    verdict: Verdict
    games: int
    diverged: int
    failed: int
    state: State
    signum: int
    looks: tuple[Look, ...]

    @property
    def name(self) -> str:
        """The metric's name, with the label after a dot when it is split."""
        return f"{self.metric.name}.{self.label}" if self.label else self.metric.name

    @property
    def exit_code(self) -> int:
        """0; 1 when games failed; 130 or 143 when a signal stopped it."""
        if self.signum:
            return 128 + self.signum
        return 1 if self.failed else 0

    def to_json(self) -> dict[str, Any]:
        """Return everything as a plain mapping; no clock, no path."""
        return {
            "metric": self.name,
            "base": self.base.to_json(),
            "other": self.other.to_json(),
            "difference": self.difference.to_json(),
            "effect": self.effect,
            "alpha": self.alpha,
            "verdict": self.verdict.word,
            "why": self.verdict.why,
            "games_needed": self.verdict.games,
            "games": self.games,
            "diverged": self.diverged,
            "failed": self.failed,
            "state": self.state,
            "looks": [{"games": look.games, "difference": look.difference.to_json()} for look in self.looks],
        }


def sequential(
    base: Scenario,
    other: Scenario,
    *,
    metric: str | None = None,
    effect: float = 0.01,
    alpha: float = 0.05,
    max_games: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SequentialResult:
    """Play two settings in step on common deals until the difference is clear.

    After every block of games (a thousand, in whole rounds of arrangements) the difference is looked at; its interval
    holds at all looks together with probability 1 - alpha. Play stops when the interval lies on one side of zero,
    when it lies within the smallest effect of interest, or at the most games. The same for any number of jobs.

    Parameters
    ----------
    base, other
        Checked scenarios of one cell each, of the same game, seed, seating and arrangements.
    metric
        Name of the metric, ``name.label`` for one that is split; the game's first headline rate by default.
    effect
        Smallest difference that matters, in the metric's own unit (0.01 is one point of a rate).
    alpha
        Risk of a wrong verdict, over all looks together.
    max_games
        Games of each setting at most; a million by default.
    jobs
        Threads; None for all cores this process may use.
    progress
        Where to tell how far it is.

    Returns
    -------
    SequentialResult
        Also after SIGINT or SIGTERM, with what there is.

    Raises
    ------
    InputError
        When an option is out of range, the metric is unknown, or the two settings cannot share deals.
    """
    most = MOST_GAMES if max_games is None else max_games
    _check(effect=effect, alpha=alpha, most=most, jobs=jobs)
    told = progress or NoProgress()
    stop = Stop()
    with signals(stop):
        ready = contrast(base, other, progress=told)
        chosen, label = _metric(ready.measures, metric)
        return decide(ready, chosen, label, effect=effect, alpha=alpha, most=most, jobs=jobs, stop=stop, progress=told)


def _check(*, effect: float, alpha: float, most: int, jobs: int | None) -> None:
    if not 0 < effect < float("inf"):
        raise InputError(f"must be above 0, got {effect!r}", where="effect", hint="for example 0.01")
    if not 0 < alpha < 1:
        raise InputError(f"must lie between 0 and 1, got {alpha!r}", where="alpha", hint="for example 0.05")
    for name, value in (("max_games", most), ("jobs", jobs)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise InputError(f"must be a whole number of at least 1, got {value!r}", where=name)


def _metric(measures: tuple[Measures, Measures], name: str | None) -> tuple[MetricLike, str]:
    """Return the metric asked for, and its label."""
    base, other = measures
    names: dict[str, tuple[MetricLike, str]] = {}
    for metric in base.metrics:
        for label in base.labels(metric):
            if label in other.labels(metric):
                names[f"{metric.name}.{label}" if label else metric.name] = metric, label
    if name is None:
        rates = [m for m in base.metrics if m.kind == "rate"]
        headline = next((m for m in rates if m.headline), next(iter(rates), base.metrics[0]))
        return headline, base.labels(headline)[0]
    if name not in names:
        raise InputError(f"no metric {name!r} that both settings have", where="metric", hint=nearest(name, names))
    return names[name]


def decide(
    ready: Contrast,
    metric: MetricLike,
    label: str,
    *,
    effect: float,
    alpha: float,
    most: int,
    jobs: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> SequentialResult:
    """Play two prepared settings until their difference is clear; see `sequential`."""
    stop = Stop() if stop is None else stop  # one that was not asked yet is false
    progress = progress or NoProgress()
    most = max(ready.arrangements, most - most % ready.arrangements)
    running = RunningDifference(metric=metric, by_deal=ready.by_deal, level=1.0 - alpha)
    games = diverged = failed = 0
    state: State | None = None
    looks: list[Look] = []
    said = running.estimate()
    judged = verdict(said, effect=effect, games=0)
    progress.start(2 * most, 0, at_most=True)
    began = time.monotonic()
    for block in ready.blocks(most, metrics=[metric.name], jobs=jobs, stop=stop, progress=progress):
        running.add(block.tallies[metric.name][label])
        games, diverged, failed = games + block.games, diverged + block.diverged, failed + block.failed
        said = running.estimate()
        judged = verdict(said, effect=effect, games=games)
        if judged.word == "undecided" and games >= most:
            state = "most games played"
        elif judged.word != "undecided":
            state = "equivalent" if judged.word == "equivalent" else "told apart"
        if state is not None or not looks or games >= looks[-1].games * _GROWTH:
            looks.append(Look(games=games, difference=said))
        if state is not None:
            break
    if games and diverged == 0:
        judged = replace(judged, games=None, why=f"not one of {games:,} games took another course")
    seconds = time.monotonic() - began
    progress.finish(f"{2 * games} games counted in {seconds:.1f} s")
    pair = running.total or PairTally()

    def side(tally: Tally, measures: Measures) -> Estimate:
        found = anytime_now(tally, metric, by_deal=ready.by_deal, level=1.0 - alpha)
        return replace(found, expected=measures.expected(metric, label))

    return SequentialResult(
        metric=metric,
        label=label,
        base=side(pair.base, ready.measures[0]),
        other=side(pair.other, ready.measures[1]),
        difference=said,
        effect=effect,
        alpha=alpha,
        verdict=judged,
        games=games,
        diverged=diverged,
        failed=failed,
        state=state or "interrupted",
        signum=stop.signum if state is None else 0,
        looks=tuple(looks),
    )
