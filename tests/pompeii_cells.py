"""Cells and games of the main game for the test suites: a scenario from a few words, its rows as one array."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

import pompeii_sim
from pompeii_sim import games
from pompeii_sim.engine.prepare import Prepared, prepare
from pompeii_sim.run.play import play_range

Seats = Sequence[str | dict[str, Any]]
"""Seats of a table: names of players, or whole seats as in a scenario."""


def document(
    seats: Seats, rules: dict[str, Any] | None = None, seating: str = "rotate", seed: int = 1
) -> dict[str, Any]:
    """Return a scenario of one cell."""
    full = [{"player": seat} if isinstance(seat, str) else seat for seat in seats]
    return {"game": "pompeii", "seed": seed, "games": 1000, "seating": seating, "rules": rules or {}, "seats": full}


@functools.cache
def _prepared(text: str) -> Prepared:
    scenario = pompeii_sim.validate(json.loads(text))
    return prepare(games.get("pompeii"), scenario.cells[0], scenario.seating)


def cell(seats: Seats, rules: dict[str, Any] | None = None, seating: str = "rotate") -> Prepared:
    """Return the prepared cell of a scenario; made once."""
    return _prepared(json.dumps(document(seats, rules, seating)))


def play(prepared: Prepared, count: int, first: int = 0, seed: int = 1) -> NDArray[Any]:
    """Return the rows of games ``first`` .. ``first + count - 1``, shape ``(count,)``, with all columns."""
    return play_range(prepared, seed, first, count, 0).rows
