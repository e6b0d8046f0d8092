"""Two settings, metric by metric: what differs, by how much, and whether that can be said at all."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from pompeii_sim.analysis.aligned import Place, not_shared
from pompeii_sim.analysis.gate import Gate, GateResult, parse_gate
from pompeii_sim.analysis.number import number_in, number_of
from pompeii_sim.analysis.paired import paired_differences
from pompeii_sim.analysis.sides import Sides, by_setting, two_runs
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.analysis.tidy import ESTIMATE, setting_text
from pompeii_sim.analysis.verdict import Verdict, verdict
from pompeii_sim.analysis.wanted import Wanted, wanted
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure import unpaired_difference
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.rounding import person_difference

if TYPE_CHECKING:
    from pompeii_sim.run.result import RunResult
    from pompeii_sim.store.reader import Run

EFFECT = 0.01
"""Smallest difference of a rate or share that matters when nothing else is said: one point. Means have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One metric in two settings.

    Parameters
    ----------
    metric, title
        Its name (with the label after a dot when it is split) and title.
    rate
        Whether it is a share of games, told to people in percent and points.
    sides
        The two cells.
    base, other
        The metric in each; over the common deals when they are paired. `expected` is what chance gives there.
    difference
        The other minus the base; `expected` is what chance alone makes of it, where the line-ups differ in that.
    paired
        Whether both played the same deals, so that the difference is taken deal by deal.
    diverged
        Share of the games that took another course in the two settings; None for separate games, or where seats sit
        in other places.
    gain
        How many times as many separate games would give as narrow an interval; None for separate games, or where
        nothing differs.
    effect
        Smallest difference that matters, None for none.
    verdict
        What can be said.
    note
        Why the two are not paired or `diverged` is None, or how many pairs were left out.
    """

    metric: str
    title: str
    rate: bool
    sides: Sides
    base: Estimate
    other: Estimate
    difference: Estimate
    paired: bool
    diverged: Estimate | None
    gain: float | None
    effect: float | None
    verdict: Verdict
    note: str

    @property
    def text(self) -> str:
        """The verdict in a sentence."""
        who = f"{self.title}, {self.sides.names}"
        chance = f"; {self.by_chance}" if self.by_chance else ""
        if self.verdict.word in ("higher", "lower"):
            size = person_difference(self.difference, rate=self.rate, signed=False)
            return f"{who}: {self.verdict.word} by {size}; {self.verdict.why}{chance}"
        size = person_difference(self.difference, rate=self.rate)
        return f"{who}: {self.verdict.why} (difference {size}{chance})"

    @property
    def by_chance(self) -> str:
        """What chance alone makes of the difference, in a clause; empty where that is nothing."""
        expected = self.difference.expected
        return "" if expected is None else f"chance alone gives {100 * expected:+.3g} points"

    def to_json(self) -> dict[str, Any]:
        """Return everything as a plain mapping."""
        return {
            "metric": self.metric,
            "settings": dict(self.sides.shared),
            "base": {"name": self.sides.base_name, "cell": self.sides.base.cell, **self.base.to_json()},
            "other": {"name": self.sides.other_name, "cell": self.sides.other.cell, **self.other.to_json()},
            "difference": self.difference.to_json(),
            "paired": self.paired,
            "diverged": None if self.diverged is None else self.diverged.to_json(),
            "gain": self.gain,
            "effect": self.effect,
            "verdict": self.verdict.word,
            "why": self.verdict.why,
            "games_needed": self.verdict.games,
            "note": self.note,
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What `compare_runs` found.

    Parameters
    ----------
    lines
        One metric of one pair of cells each.
    gates
        What became of the gates, one for each place it was held against.
    level
        Confidence level of every interval, each on its own.
    """

    lines: tuple[Compared, ...]
    gates: tuple[GateResult, ...]
    level: float

    def __repr__(self) -> str:
        return "\n".join((*self.verdicts, *(gate.text for gate in self.gates)))

    @property
    def passed(self) -> bool:
        """Whether every gate passed everywhere."""
        return all(gate.state == "passed" for gate in self.gates)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Every verdict in a sentence."""
        return tuple(line.text for line in self.lines)

    @property
    def frame(self) -> pl.DataFrame:
        """The lines as a tidy frame.

        ``metric``, the shared settings under their full paths, ``base`` and ``other`` (names), ``base_cell``,
        ``other_cell``, ``base_value``, ``other_value``, ``base_expected``, ``other_expected`` (what
        chance gives); the Estimate of the difference (``value``, ``low``, ``high``, ``n``, ``level``, ``method``,
        ``valid``, ``expected``, ``note``); ``paired``, ``diverged``, ``gain``, ``effect``, ``verdict``,
        ``games_needed``, ``why``.
        """
        paths = dict.fromkeys(path for line in self.lines for path in line.sides.shared)
        columns: dict[str, Any] = {"metric": pl.String, **dict.fromkeys(paths, pl.String)}
        columns |= {"base": pl.String, "other": pl.String, "base_cell": pl.Int64, "other_cell": pl.Int64}
        values = ("base_value", "other_value", "base_expected", "other_expected")
        columns |= {**dict.fromkeys(values, pl.Float64), **ESTIMATE}
        columns |= {"paired": pl.Boolean, "diverged": pl.Float64, "gain": pl.Float64, "effect": pl.Float64}
        columns |= {"verdict": pl.String, "games_needed": pl.Int64, "why": pl.String}
        rows = []
        for line in self.lines:
            row: dict[str, Any] = {path: setting_text(line.sides.shared.get(path)) for path in paths}
            row |= {name: getattr(line.difference, name) for name in ESTIMATE}
            row |= {"metric": line.metric, "base": line.sides.base_name, "other": line.sides.other_name}
            row |= {"base_cell": line.sides.base.cell, "other_cell": line.sides.other.cell}
            row |= {"base_value": line.base.value, "other_value": line.other.value, "paired": line.paired}
            row |= {"base_expected": line.base.expected, "other_expected": line.other.expected}
            row |= {"diverged": None if line.diverged is None else line.diverged.value, "gain": line.gain}
            row |= {"effect": line.effect, "verdict": line.verdict.word, "games_needed": line.verdict.games}
            rows.append({**row, "why": line.verdict.why, "note": line.difference.note or line.note or None})
        return pl.DataFrame(rows, schema=columns)

    def to_json(self) -> dict[str, Any]:
        """Return everything as a plain mapping; no clock, no path but the runs' names."""
        return {
            "level": self.level,
            "comparisons": [line.to_json() for line in self.lines],
            "gates": [
                {"gate": g.gate.text, "where": g.where, "state": g.state, "estimate": g.estimate.to_json()}
                for g in self.gates
            ],
        }


def compare_runs(
    base: Study | Run | RunResult | str | Path,
    other: Study | Run | RunResult | str | Path | None = None,
    *,
    by: str | None = None,
    metrics: Iterable[str] | None = None,
    effect: float | Mapping[str, float] = EFFECT,
    level: float = 0.95,
    gates: Iterable[str | Gate] = (),
) -> Comparison:
    """Compare two runs, or the values of one swept setting within a run.

    Cells that share their deals (same game, seed and seating) are compared deal by deal, on the deals that both have;
    others as separate samples. Differences are the other run (or the later value) minus the base.

    Parameters
    ----------
    base, other
        Run folders or runs; cells of the same settings are compared, and a single cell with all of the other run.
    by
        A swept path; every pair of its values is compared in one run.
    metrics
        Names of metrics (``name.label`` for one label of a split one) or of columns for their mean; the headline
        metrics by default.
    effect
        Smallest difference that matters: a number for every rate and share (0.01 is one point), or numbers by metric.
        Means have none unless it is given by name.
    level
        Confidence level of each interval.
    gates
        Statements such as ``victory_rate >= 0.6`` (held against the other run, or against every cell when there is
        only one run) or ``difference.victory_rate <= 0.02`` (held against every difference).

    Returns
    -------
    Comparison
        Frozen: lines, frame, verdicts, and what became of the gates.

    Raises
    ------
    InputError
        When runs do not belong together, or a metric, setting or gate is unknown.
    """
    if not 0.0 < level < 1.0:
        raise InputError(f"must lie between 0 and 1, got {level!r}", where="level", hint="for example 0.95")
    if other is not None and by is not None:
        raise InputError("compares within one run", where="by", hint="name one run, or leave --by out")
    first = study(base)
    second = first if other is None else study(other)
    sides: list[Sides] = []
    if other is not None:
        sides = two_runs(first, second)
    elif by is not None:
        sides = by_setting(first, by)
    read = [g if isinstance(g, Gate) else parse_gate(g) for g in gates]
    if not sides and not read:
        raise InputError(
            "nothing to compare with", where=first.name, hint="name a second run, --by a setting, or gates"
        )
    if not sides and any(g.of_difference for g in read):
        raise InputError("there is no difference in one run", where="gate", hint="name a second run, or --by a setting")
    names = _names(second, metrics)
    effects = _effects(second, effect)
    lines = [line for pair in sides for line in _compare(pair, names, effects, level, chosen=metrics is not None)]
    more = [g.metric for g in read if g.of_difference and g.metric not in {line.metric for line in lines}]
    for pair in sides if more else []:
        lines += _compare(pair, list(dict.fromkeys(more)), effects, level, chosen=True)
    return Comparison(lines=tuple(lines), gates=tuple(_gates(read, lines, sides, second, level)), level=level)


def _names(run: Study, metrics: Iterable[str] | None) -> list[str]:
    """Return the metrics asked for, or the headlines; a split one stands for all its labels."""
    if metrics is None:
        headline = [m.name for m in run.schema.metrics if m.headline]
        return headline or [m.name for m in run.schema.metrics]
    return list(dict.fromkeys(metrics))


def _effects(run: Study, effect: float | Mapping[str, float]) -> dict[str, float]:
    """Return the smallest effect by metric; the one of all rates and shares under an empty name."""
    out = {"": EFFECT, **effect} if isinstance(effect, Mapping) else {"": float(effect)}
    for name, value in out.items():
        if isinstance(value, bool) or not 0 <= value < math.inf:
            raise InputError(f"must be 0 or more, got {value!r}", where="effect", hint="for example 0.01")
        if name and name.partition(".")[0] not in (known := {m.name for m in run.schema.metrics}) and not run.has(name):
            raise InputError(f"no metric {name!r}", where="effect", hint=nearest(name, known))
    return out


def _wanted(run: Study, cell: int, name: str) -> list[Wanted]:
    """Return the numbers that a name stands for in a cell."""
    metric = next((m for m in run.schema.metrics if m.name == name), None)
    if metric is None or metric.kind != "share":
        return [wanted(run, name)]
    measures = run.measures(cell, [metric])
    labels = measures.labels(metric)
    return [wanted(run, f"{name}.{label}") for label in labels if measures.expected(metric, label) != 1.0]


def _labelled(one: Wanted, place: Place) -> bool:
    return one.label in place.study.measures(place.cell, [one.metric], by=one.by).labels(one.metric)


def _compare(
    sides: Sides, names: Sequence[str], effects: Mapping[str, float], level: float, *, chosen: bool
) -> list[Compared]:
    """Compare two cells in every metric, in one reading of each."""
    base, other = sides.base, sides.other
    numbers = [one for name in names for one in _wanted(other.study, other.cell, name)]
    if not chosen:  # of what nobody asked for by name, only what both cells have
        numbers = [one for one in numbers if _labelled(one, base) and _labelled(one, other)]
    why = not_shared([base, other])
    if why is None:
        made = _paired(sides, numbers, level)
    else:
        made = _separate(sides, numbers, level, f"separate games: {why}")
    out = []
    for one, found in zip(numbers, made, strict=True):
        rate = one.metric.kind != "mean"
        matters = effects.get(one.name, effects.get(one.metric.name, effects[""] if rate else None)) or None
        out.append(
            Compared(
                metric=one.name,
                title=_title(one),
                rate=rate,
                sides=sides,
                effect=matters,
                verdict=_verdict(found, matters),
                **{key: value for key, value in found.items() if key != "games"} | {"difference": _expected(found)},
            )
        )
    return out


def _expected(found: Mapping[str, Any]) -> Estimate:
    """Return the difference with what chance alone makes of it: of win shares of unequally many seats."""
    difference: Estimate = found["difference"]
    base, other = found["base"].expected, found["other"].expected
    if base is None or other is None or math.isclose(base, other):
        return difference
    return replace(difference, expected=other - base)


def _title(one: Wanted) -> str:
    return f"{one.metric.title}: {one.label}" if one.label and one.by == "player" else one.metric.title


def _verdict(found: Mapping[str, Any], effect: float | None) -> Verdict:
    diverged: Estimate | None = found["diverged"]
    said = verdict(found["difference"], effect=effect, games=found["games"])
    if diverged is not None and diverged.value == 0:
        return replace(said, games=None, why=f"not one of {found['games']:,} games took another course")
    return said


def _paired(sides: Sides, numbers: Sequence[Wanted], level: float) -> list[dict[str, Any]]:
    base, other = sides.base, sides.other
    out = []
    for made in paired_differences(other.study, other.cell, base.study, base.cell, numbers, level):
        games = made.deals * games_of_deal(other)
        notes = [f"{made.dropped} deals left out, in which a game failed"] if made.dropped else []
        if made.diverged.value is None:
            notes.append(f"how many games diverged is not known: {made.diverged.note}")
        out.append(
            {
                "base": made.base,
                "other": made.first,
                "difference": made.difference,
                "paired": True,
                "diverged": None if made.diverged.value is None else made.diverged,
                "gain": made.gain,
                "note": "; ".join(notes),
                "games": games,
            }
        )
    return out


def _separate(sides: Sides, numbers: Sequence[Wanted], level: float, note: str) -> list[dict[str, Any]]:
    tallies, games = [], []
    for place in (sides.base, sides.other):
        measures = [one.measures(place.study, place.cell) for one in numbers]
        sums = place.study.sums(place.cell, *measures)
        tallies.append([found.tallies[one.metric.name][one.label] for found, one in zip(sums, numbers, strict=True)])
        games.append(sums[0].games if sums else 0)
    by_deal = sides.base.study.by_deal or sides.other.study.by_deal
    return [
        {
            "base": number_of(sides.base.study, sides.base.cell, one, a, level),
            "other": number_of(sides.other.study, sides.other.cell, one, b, level),
            "difference": unpaired_difference(a, b, one.metric, by_deal=by_deal, level=level),
            "paired": False,
            "diverged": None,
            "gain": None,
            "note": note,
            "games": max(games),
        }
        for one, a, b in zip(numbers, *tallies, strict=True)
    ]


def games_of_deal(place: Place) -> int:
    """Return how many games each deal has in a cell: one, or every distinct arrangement of the seats."""
    if not place.study.by_deal:
        return 1
    kinds = place.study.kinds[place.cell]
    return math.factorial(len(kinds)) // math.prod(math.factorial(n) for n in Counter(kinds).values())


def _gates(
    gates: Sequence[Gate], lines: Sequence[Compared], sides: Sequence[Sides], judged: Study, level: float
) -> list[GateResult]:
    """Hold every gate against what it is about."""
    out: list[GateResult] = []
    cells = list(dict.fromkeys(pair.other.cell for pair in sides if pair.other.study is not pair.base.study))
    for gate in gates:
        if gate.of_difference:
            found = [line for line in lines if line.metric == gate.metric]
            out += [_held(gate, line.sides.names, line.difference, line.rate) for line in found]
            continue
        one = wanted(judged, gate.metric)
        for cell in cells or judged.cells:
            number = number_in(judged, cell, one, level)
            out.append(_held(gate, cell_name(Place(judged, cell)), number, one.metric.kind != "mean"))
    return out


def _held(gate: Gate, where: str, number: Estimate, rate: bool) -> GateResult:
    return GateResult(gate=gate, where=where, estimate=number, state=gate.judge(number), rate=rate)


def cell_name(place: Place) -> str:
    """Return how messages call a cell: its settings, or the run when it is the only one."""
    settings = place.study.settings[place.cell]
    if not settings:
        return place.study.name
    told = ", ".join(
        f"{name} {json.dumps(settings[path], ensure_ascii=False)}"
        for name, (path, *_) in place.study.linked.items()
        if path in settings
    )
    return f"cell {place.cell} ({told})"
