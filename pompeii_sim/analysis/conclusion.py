"""Conclusions that a run can support or contradict: a number beyond a bound, or numbers in an order along a setting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.gate import Gate, parse_gate
from pompeii_sim.analysis.joint import common
from pompeii_sim.analysis.ladder import Group, groups
from pompeii_sim.analysis.number import number_in
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.wanted import Wanted, wanted
from pompeii_sim.errors import InputError
from pompeii_sim.stats.estimate import Estimate

State = Literal["holds", "flips", "undecided"]

_ORDER = re.compile(r"\s*(?P<metric>[^\s:]+)\s*:\s*(?P<path>[^\s:<>]+)\s+(?P<values>[^:]*[<>][^:]*)")
_HINT = "write it like 'METRIC >= 0.6' or 'METRIC: rules.KEY A < B < C'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A statement that may hold in one setting and not in another; see `conclusion`.

    Parameters
    ----------
    text
        As written.
    metric
        Name of the metric.
    path, order
        The swept setting and its values in the order of growing numbers; empty for a bound.
    gate
        The bound, None for an order.
    """

    text: str
    metric: str
    path: str = ""
    order: tuple[str, ...] = ()
    gate: Gate | None = None

    @property
    def steps(self) -> int:
        """Number of statements it consists of."""
        return max(1, len(self.order) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One statement of a conclusion in one setting.

    Parameters
    ----------
    text
        What is compared, such as ``B - A``; the metric for a bound.
    plus, minus
        The cell whose number should be large, and the one whose number should be small; None for a bound.
    sign
        1, or -1 for an upper bound.
    margin
        How far the statement holds, with its interval: below 0 it does not.
    """

    text: str
    plus: int
    minus: int | None
    sign: int
    margin: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A conclusion in one setting.

    Parameters
    ----------
    cells
        The cells it is about, in their order.
    state
        ``holds``: every step's whole interval supports it; ``flips``: at least one step's contradicts it.
    weakest
        The step with the least margin.
    """

    cells: tuple[int, ...]
    state: State
    weakest: Step


def conclusion(text: str | Conclusion) -> Conclusion:
    """Read a conclusion.

    Parameters
    ----------
    text
        ``metric >= number`` (or ``<=``, ``>``, ``<``), or an order along a swept setting: ``rounds_mean: rules.level
        A < B < C`` says that the metric grows from A to C, ``>`` that it falls.

    Raises
    ------
    InputError
        When the text has another form.
    """
    if isinstance(text, Conclusion):
        return text
    if ":" not in text:
        try:
            gate = parse_gate(text)
        except InputError:
            raise InputError("is no conclusion", where=f"conclusion {text!r}", hint=_HINT) from None
        if gate.of_difference:
            raise InputError("is no conclusion about one setting", where=f"conclusion {text!r}", hint=_HINT)
        return Conclusion(text=gate.text, metric=gate.metric, gate=gate)
    found = _ORDER.fullmatch(text)
    signs = set(re.findall(r"[<>]", found["values"])) if found else set()
    if found is None or len(signs) != 1:
        raise InputError("is no conclusion", where=f"conclusion {text!r}", hint=_HINT)
    (sign,) = signs
    values = [part.strip() for part in found["values"].split(sign)]
    if "" in values or len(set(values)) != len(values):
        raise InputError("is no conclusion", where=f"conclusion {text!r}", hint=_HINT)
    rising = values if sign == "<" else values[::-1]
    return Conclusion(
        text=f"{found['metric']}: {found['path']} {f' {sign} '.join(values)}",
        metric=found["metric"],
        path=found["path"],
        order=tuple(rising),
    )


def judged(study: Study, said: Conclusion, *, level: float = 0.95) -> Iterator[Judged]:
    """Yield what becomes of a conclusion in each setting of a run.

    Parameters
    ----------
    study
        The run.
    said
        The conclusion.
    level
        Probability that all steps of one setting are judged rightly; each step has its share of the risk.

    Raises
    ------
    InputError
        When the run lacks the metric, the setting or one of its values.
    """
    number = wanted(study, said.metric)
    if said.gate is not None:
        for cell in study.cells:
            yield _bounded(study, cell, number, said.gate, level)
        return
    for group in groups(study, said.path, list(said.order)):
        if group.values != said.order:
            continue  # a setting that has not all values says nothing about them
        yield _ordered(study, group, number, 1.0 - (1.0 - level) / said.steps)


def _bounded(study: Study, cell: int, number: Wanted, gate: Gate, level: float) -> Judged:
    made = number_in(study, cell, number, level)
    sign = 1 if gate.op.startswith(">") else -1
    states: dict[str, State] = {"passed": "holds", "failed": "flips", "undecided": "undecided"}
    state = states[gate.judge(made)]
    step = Step(text=number.name, plus=cell, minus=None, sign=sign, margin=_from_bound(made, gate.bound, sign))
    return Judged(cells=(cell,), state=state, weakest=step)


def _from_bound(made: Estimate, bound: float, sign: int) -> Estimate:
    """Return how far a number lies on the right side of a bound."""

    def moved(number: float | None) -> float | None:
        return None if number is None else sign * (number - bound)

    low, high = moved(made.low), moved(made.high)
    if sign < 0:
        low, high = high, low
    return Estimate(
        value=moved(made.value),
        low=low,
        high=high,
        n=made.n,
        level=made.level,
        method=made.method,
        valid=made.valid,
        note=made.note,
    )


def _ordered(study: Study, group: Group, number: Wanted, level: float) -> Judged:
    (joint,) = common([Place(study, cell) for cell in group.cells], [number]).numbers
    steps = [
        Step(
            text=f"{group.values[at + 1]} - {group.values[at]}",
            plus=group.cells[at + 1],
            minus=group.cells[at],
            sign=1,
            margin=joint.difference(at, at + 1, level),
        )
        for at in range(len(group.cells) - 1)
    ]
    return Judged(cells=group.cells, state=_state([step.margin for step in steps]), weakest=min(steps, key=_size))


def _size(step: Step) -> float:
    value = step.margin.value
    return -np.inf if value is None else float(value)


def _state(margins: Sequence[Estimate]) -> State:
    if any(m.high is not None and m.high < 0 for m in margins):
        return "flips"
    return "holds" if all(m.low is not None and m.low > 0 for m in margins) else "undecided"
