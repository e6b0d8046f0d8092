"""Gates: a statement about a number that has to hold for its whole interval."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pompeii_sim.errors import InputError
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.rounding import person, person_difference

_OPS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(r"\s*(?P<name>[^<>]*[^<>=!\s])\s*(?P<op>>=|<=|>|<)\s*(?P<bound>[^<>=!\s]+)\s*")
_HINT = "write it like 'METRIC >= 0.6', or 'difference.METRIC <= 0.02'"

DIFFERENCE = "difference."
"""What a gate on a difference begins with."""

State = Literal["passed", "failed", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A statement such as ``rounds_mean <= 12``.

    Parameters
    ----------
    metric
        Name of the metric, with its label after a dot when it is split.
    op, bound
        What its number is held against.
    of_difference
        Whether it is about the difference between two settings and not about one setting's number.
    """

    metric: str
    op: str
    bound: float
    of_difference: bool = False

    @property
    def text(self) -> str:
        """The statement as written."""
        return f"{DIFFERENCE if self.of_difference else ''}{self.metric} {self.op} {self.bound:g}"

    def holds(self, number: float) -> bool:
        """Return whether the statement is true of a number."""
        return _OPS[self.op](number, self.bound)

    def judge(self, estimate: Estimate) -> State:
        """Return ``passed`` when the whole interval satisfies the statement, ``failed`` when none of it does."""
        if estimate.low is None or estimate.high is None:
            return "undecided"
        low, high = self.holds(estimate.low), self.holds(estimate.high)
        if low and high:
            return "passed"
        return "undecided" if low or high else "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What became of a gate in one place.

    Parameters
    ----------
    gate
        The statement.
    where
        Which setting it was held against.
    estimate
        The number it is about.
    state
        ``passed``, ``failed`` or ``undecided``.
    rate
        Whether the number is a share of games, told to people in percent and points.
    """

    gate: Gate
    where: str
    estimate: Estimate
    state: State
    rate: bool

    @property
    def text(self) -> str:
        """What became of it, in a line."""
        tell = person_difference(self.estimate, rate=self.rate)
        if not self.gate.of_difference:
            tell = person(self.estimate, percent=self.rate)
        return f"gate {self.state}: {self.gate.text}, {self.where}: {tell}"


def parse_gate(text: str) -> Gate:
    """Read a gate such as ``victory_rate >= 0.6`` or ``difference.rounds_mean < 1``.

    Raises
    ------
    InputError
        When the text has another form or the bound is no number.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise InputError("is no gate", where=f"gate {text!r}", hint=_HINT)
    try:
        bound = float(found["bound"])
    except ValueError:
        raise InputError(f"{found['bound']!r} is no number", where=f"gate {text!r}", hint=_HINT) from None
    if not abs(bound) < float("inf"):
        raise InputError(f"{found['bound']!r} is no number", where=f"gate {text!r}", hint=_HINT)
    name = found["name"]
    of_difference = name.startswith(DIFFERENCE)
    return Gate(metric=name.removeprefix(DIFFERENCE), op=found["op"], bound=bound, of_difference=of_difference)
