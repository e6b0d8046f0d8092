"""One game: exactly the game a run counted, stepped decision by decision or played to its end with its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim import games as registry
from pompeii_sim.engine.records import allocate, from_array, to_array
from pompeii_sim.errors import InputError, nearest

if TYPE_CHECKING:
    from pompeii_sim.scenario.model import Scenario

ACTIONS = 1024
"""Room for the legal actions of one decision."""


class OneGame:
    """A game of a scenario, set up and waiting for its first decision.

    The kernel traces what happens into a small buffer in the state, which is emptied between two decisions. Playing
    to the end without choosing gives exactly the game that a run counts under this number.

    Parameters
    ----------
    scenario
        A checked scenario.
    game
        Number of the game in its cell, from 0; it may lie beyond the games that were played.
    cell
        Number of the cell, from 0.

    Raises
    ------
    InputError
        When there is no such cell or the number is negative or not whole.
    """

    def __init__(self, scenario: Scenario, game: int, cell: int = 0) -> None:
        from pompeii_sim.engine.prepare import prepare

        _check("game", game, None)
        _check("cell", cell, len(scenario.cells))
        self.scenario = scenario
        self.cell = scenario.cells[cell]
        self.number = game
        self._game = registry.get(scenario.game)
        self._actions = self._game.actions(self.cell.data)
        self._prepared = prepare(self._game, self.cell, scenario.seating)
        self._kernel = self._prepared.kernel
        count = len(self._prepared.arrangements)
        by_deal, fixed = self._prepared.seating == 1, self._prepared.seating == 2
        self.deal = game // count if by_deal else game
        """Number of the deal: everything chance decides."""
        self.arrangement = 0 if fixed else game % count
        """Which arrangement of the seat list is played."""
        self._seats = self._prepared.arrangements[self.arrangement]
        self._states = allocate(self._game.dtypes.state)
        tables = self._prepared.tables
        self._tables = from_array(tables) if isinstance(tables, np.ndarray) else tables
        self._legal = np.zeros(ACTIONS, np.int64)
        self._raw: list[NDArray[Any]] = []
        self.taken: list[int] = []
        """Actions so far, forced ones included."""
        state = self._states[0]
        state.trace.on = 1
        self._kernel.setup(state, self._tables[0], self._seats, scenario.seed, self.deal)
        state.trace.on = 1
        self.start = to_array(self._states, self._game.dtypes.state).copy()
        """The state after the set-up, a structured array of shape ``(1,)``."""
        self._advance()

    def _advance(self) -> None:
        self._count = int(self._kernel.advance(self._states[0], self._tables[0], self._legal))
        self._drain()

    def _drain(self) -> None:
        trace = self._states[0].trace
        if trace.count:
            self._raw.append(np.array(to_array(trace.events, self._events_type())[: trace.count]))
            trace.count = 0

    def _events_type(self) -> np.dtype[Any]:
        return self._game.dtypes.state["trace"]["events"].base

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._count == 0

    @property
    def state(self) -> Any:
        """The state as a record, hidden parts included; look, do not touch."""
        return self._states[0]

    @property
    def legal(self) -> list[str]:
        """The legal actions of the decision waited for, as text; empty when the game is over."""
        return [self._actions.text(int(a)) for a in self._legal[: self._count]]

    def step(self, action: str | None = None) -> str:
        """Take one decision and return the action taken, as text.

        Parameters
        ----------
        action
            One of `legal`; None leaves it to the seat's player.

        Raises
        ------
        InputError
            When the game is over or the action is not legal.
        """
        if self.over:
            raise InputError("the game is over", where=f"game {self.number}")
        state, tables = self._states[0], self._tables[0]
        if action is not None:
            texts = self.legal
            if action not in texts:
                raise InputError(
                    f"{action!r} is not legal now", where=f"game {self.number}", hint=nearest(action, texts)
                )
            chosen = int(self._legal[texts.index(action)])
            self._kernel.apply(state, tables, chosen)
        else:
            p = self._prepared
            chosen = int(self._kernel.take_turn(state, tables, p.players, p.weights, self._legal, self._count))
        text = self._actions.text(chosen)
        self.taken.append(chosen)
        self._drain()
        self._advance()
        return text

    def play(self) -> OneGame:
        """Play to the end and return the game itself."""
        while not self.over:
            self.step()
        return self

    @property
    def row(self) -> dict[str, Any]:
        """The game's record so far, as it stands in a run's files before flattening."""
        rows = allocate(self._game.dtypes.row)
        self._kernel.record(self._states[0], self._tables[0], rows[0], self.number, self.deal, self.arrangement)
        record = to_array(rows, self._game.dtypes.row)[0]
        return {name: record[name].tolist() for name in self._game.dtypes.row.names or ()}

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has happened so far, one mapping an event, ready for JSON."""
        return self._game.events.to_json(self.raw_events, self.context)

    @property
    def raw_events(self) -> NDArray[Any]:
        """The kernel's own events, a structured array."""
        return np.concatenate(self._raw) if self._raw else np.zeros(0, self._events_type())

    @property
    def context(self) -> dict[str, Any]:
        """What the events refer to: rules, data, seats in playing order, seed, deal, game, the state after the set-up and now, tables."""
        order: Sequence[int] = [int(s) for s in self._seats if s >= 0]
        return {
            "rules": self.cell.rules,
            "data": self.cell.data,
            "seats": [self.cell.seats[s] for s in order],
            "kinds": [self.cell.kinds[s] for s in order],
            "seed": self.scenario.seed,
            "game": self.number,
            "deal": self.deal,
            "start": self.start,
            "state": self._states[0],
            "tables": self._tables[0],
            "over": self.over,
        }

    def story(self) -> str:
        """Return the events so far as text to follow with the rulebook open."""
        return self._game.events.story(self.events)


def _check(name: str, value: Any, count: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise InputError(f"{value!r} is not valid", where=name, hint="it must be a whole number from 0")
    if count is not None and value >= count:
        told = "the only cell is 0" if count == 1 else f"cells are 0 to {count - 1}"
        raise InputError(f"no {name} {value}", where=name, hint=told)
