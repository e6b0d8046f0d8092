"""Stop at a precision: look at fixed checkpoints on complete prefixes, the same for any number of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure import Measures, Sums
from pompeii_sim.measure.anytime import Watched, half_width
from pompeii_sim.stats.estimate import Estimate

CHECK_GAMES = 1000
"""Games between two looks, rounded up to whole rounds of arrangements."""

MOST_GAMES = 1_000_000
"""Games in a cell at most, when nothing else is said."""

_GROWTH = 1.1
"""A look is written down when the games have grown by this factor since the last one written down."""

TIME_OVER = "time is over"

Allocate = Literal["even", "contenders"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppingRule:
    """When a cell has been played enough.

    Parameters
    ----------
    precision
        Half-width wanted by metric name, or ``name.label`` for one that is split; empty for none.
    least, most
        Games in each cell at least and at most.
    seconds
        Stop at the first checkpoint after so long; None for no limit. The one thing results may depend on besides
        the scenario.
    joint
        Whether all intervals shall hold together (the risk is split among them) or each on its own.
    allocate
        ``even``: each cell plays on until its own precisions are reached. ``contenders``: a cell also stops as soon
        as the first metric's interval touches no other cell's; those intervals hold together over the cells.
    level
        Confidence level over all looks.
    """

    precision: Mapping[str, float]
    least: int
    most: int
    seconds: float | None = None
    joint: bool = False
    allocate: Allocate = "even"
    level: float = 0.95

    def text(self) -> str:
        """Say the rule in a sentence."""
        wanted = " and ".join(f"{name} ± {width:g}" for name, width in self.precision.items())
        goal = f"until {wanted} (each interval holds at every look" if wanted else ""
        if wanted:
            goal += ", all together)" if self.joint else ")"
        if self.allocate == "contenders":
            goal += ", or until a cell is told apart from all others"
        limit = (
            f", at least {self.least} and at most {self.most} games a cell" if wanted else f"{self.most} games a cell"
        )
        time = f", or until the first look after {self.seconds:g} s" if self.seconds is not None else ""
        return f"plays {goal}{limit}{time}"

    def to_json(self) -> dict[str, Any]:
        """Return the rule as a plain mapping."""
        return {
            "precision": dict(self.precision),
            "least": self.least,
            "most": self.most,
            "seconds": self.seconds,
            "joint": self.joint,
            "allocate": self.allocate,
            "level": self.level,
        }


def stopping_rule(
    *,
    precision: Mapping[str, float] | None,
    games: int,
    max_games: int | None,
    max_time: float | None,
    joint: bool,
    allocate: Allocate,
    level: float,
    measures: Sequence[Measures],
) -> StoppingRule | None:
    """Put the options together, None when a fixed number of games is played.

    With a precision, `games` is the least number of games in a cell and `max_games` the most; without one, `games`
    are played unless the time is over before.

    Raises
    ------
    InputError
        When a metric is unknown or a number out of range.
    """
    if max_time is not None and not max_time > 0:
        raise InputError(f"must be above 0 seconds, got {max_time!r}", where="max_time")
    if allocate not in ("even", "contenders"):
        raise InputError(f"unknown way {allocate!r}", where="allocate", hint="even or contenders")
    if not precision:
        if allocate == "contenders":
            raise InputError("needs a metric to tell cells apart by", where="allocate", hint="give a precision, too")
        if max_games is not None:
            games = min(games, max_games)
        elif max_time is None:
            return None
        return StoppingRule(precision={}, least=games, most=games, seconds=max_time, level=level)
    for one in measures:
        names = [w.name for w in watched_of(one, None, level)]
        for name, width in precision.items():
            if name not in names:
                raise InputError(f"no metric {name!r}", where="precision", hint=nearest(name, names))
            if not 0 < width < float("inf"):
                raise InputError(f"half-width must be above 0, got {width!r}", where=f"precision of {name}")
    most = most_games(games, max_games)
    if most < games:
        raise InputError(
            f"at most {most} games, but at least {games} are asked for",
            where="max_games",
            hint="with a precision, games is the least and max_games the most",
        )
    share = (len(precision) if joint else 1) * (len(measures) if allocate == "contenders" else 1)
    return StoppingRule(
        precision=dict(precision),
        least=games,
        most=most,
        seconds=max_time,
        joint=joint,
        allocate=allocate,
        level=1.0 - (1.0 - level) / share,
    )


def most_games(games: int, max_games: int | None) -> int:
    """Return the most games a cell gets under a precision, from the least number and the most, if one is given."""
    return max(MOST_GAMES, games) if max_games is None else max_games


def watched_of(measures: Measures, rule: StoppingRule | None, level: float) -> list[Watched]:
    """Return what a rule looks at in one cell, in the rule's order; everything without a rule."""
    every = [
        Watched(metric=m, label=label, by_deal=measures.by_deal, level=level)
        for m in measures.metrics
        for label in measures.labels(m)
    ]
    if rule is None:
        return every
    return [one for name in rule.precision for one in every if one.name == name]


def only_watched(measures: Measures, rule: StoppingRule) -> Measures:
    """Return the measures a rule needs, and no others."""
    names = {one.metric.name for one in watched_of(measures, rule, rule.level)}
    return replace(measures, metrics=tuple(m for m in measures.metrics if m.name in names))


@dataclass
class CellWatch:
    """One cell under a rule.

    Parameters
    ----------
    rule
        When to stop.
    watched
        The numbers looked at.
    most
        Games in this cell at most: the rule's, in whole rounds of arrangements.
    games
        Games taken in so far.
    reason
        Why the cell stopped, empty while it plays.
    looks
        Looks written down: games and Estimates by name.
    """

    rule: StoppingRule
    watched: list[Watched]
    most: int
    games: int = 0
    reason: str = ""
    looks: list[dict[str, Any]] = field(default_factory=list)
    _last: tuple[int, dict[str, Estimate]] | None = None

    def take(self, blocks: Sequence[Sums]) -> int:
        """Look after each block, in order; return how many blocks count (those after the stop do not)."""
        for number, block in enumerate(blocks):
            for one in self.watched:
                one.add(block.tallies[one.metric.name][one.label])
            self.games += block.games
            now = {one.name: one.estimate() for one in self.watched}
            self._last = (self.games, now)
            if not self.looks or self.games >= self.looks[-1]["games"] * _GROWTH:
                self.looks.append(_look(self.games, now))
            if self._reached(now):
                self.reason = "precision reached"
                return number + 1
            if self.games >= self.most:
                self.reason = "most games played"
                return number + 1
        return len(blocks)

    def _reached(self, now: Mapping[str, Estimate]) -> bool:
        if not self.rule.precision or self.games < self.rule.least:
            return False
        widths = [half_width(one) for one in now.values()]
        wanted = [self.rule.precision[name] for name in now]
        return all(width is not None and width <= want for width, want in zip(widths, wanted, strict=True))

    def first(self) -> Estimate:
        """Return the Estimate of the first metric, by which cells are told apart."""
        return self.watched[0].estimate()

    def to_json(self) -> dict[str, Any]:
        """Return why and when the cell stopped, and the sequence of looks, the last one included."""
        looks = list(self.looks)
        if self._last is not None and looks[-1]["games"] != self._last[0]:
            looks.append(_look(*self._last))
        return {"games": self.games, "reason": self.reason or "stopped before", "sequence": looks}


def _look(games: int, now: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return a look as it is written down."""
    return {"games": games, **{name: estimate.to_json() for name, estimate in now.items()}}


def stop_told_apart(cells: Sequence[CellWatch]) -> None:
    """Stop the cells whose first metric is told apart from every other cell's."""
    for number, cell in enumerate(cells):
        if not cell.reason and cell.games >= cell.rule.least and not _touching(cells, number):
            cell.reason = "told apart from all others"


def _touching(cells: Sequence[CellWatch], number: int) -> list[int]:
    """Return the cells whose interval touches that of one cell."""
    mine = cells[number].first()
    out = []
    for other, cell in enumerate(cells):
        theirs = cell.first()
        if other == number:
            continue
        if None in (mine.low, mine.high, theirs.low, theirs.high) or _overlap(mine, theirs):
            out.append(other)
    return out


def _overlap(one: Estimate, other: Estimate) -> bool:
    ends = [e for e in (one.low, one.high, other.low, other.high) if e is not None]
    assert len(ends) == 4
    return ends[0] <= ends[3] and ends[2] <= ends[1]


def groups_not_told_apart(cells: Sequence[CellWatch]) -> list[list[int]]:
    """Return the groups of cells that cannot be told apart by their first metric (chains of touching intervals)."""
    left, groups = set(range(len(cells))), []
    while left:
        group, queue = set(), [min(left)]
        while queue:
            one = queue.pop()
            if one in left:
                left.discard(one)
                group.add(one)
                queue.extend(_touching(cells, one))
        if len(group) > 1:
            groups.append(sorted(group))
    return groups


def stopping_json(rule: StoppingRule, cells: Sequence[CellWatch]) -> dict[str, Any]:
    """Return what ``summary.json`` says of a rule: the rule, each cell's looks and reason, and what stays undecided."""
    out: dict[str, Any] = {"rule": rule.to_json(), "text": rule.text()}
    out["cells"] = [{"index": number, **cell.to_json()} for number, cell in enumerate(cells)]
    if rule.allocate == "contenders":
        out["not_told_apart"] = groups_not_told_apart(cells)
    return out


CHOSEN_WHILE_RUNNING = "the number of games was chosen while running, by another metric's precision"


def after_stopping(
    metrics: Mapping[str, Estimate | dict[str, Estimate]], cell: CellWatch
) -> dict[str, Estimate | dict[str, Estimate]]:
    """Return a cell's Estimates as a rule leaves them.

    What the rule looked at gets the interval that holds at every look; everything else keeps its interval for a
    fixed number of games and says so.
    """
    out: dict[str, Estimate | dict[str, Estimate]] = {}
    looked = {one.name: one for one in cell.watched}

    def one_after(name: str, estimate: Estimate) -> Estimate:
        if name in looked:
            return replace(looked[name].estimate(), expected=estimate.expected)
        note = CHOSEN_WHILE_RUNNING if estimate.note is None else f"{estimate.note}; {CHOSEN_WHILE_RUNNING}"
        return replace(estimate, note=note)

    for name, value in metrics.items():
        if isinstance(value, Estimate):
            out[name] = one_after(name, value)
        else:
            out[name] = {label: one_after(f"{name}.{label}", e) for label, e in value.items()}
    return out
