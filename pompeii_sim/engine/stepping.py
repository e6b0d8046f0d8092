"""One game step by step, with its events: for replays, notebooks and tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.prepare import Prepared
from pompeii_sim.engine.python_players import told
from pompeii_sim.engine.records import allocate, to_array
from pompeii_sim.engine.seating import arrangement_of, deal_of
from pompeii_sim.errors import InputError


@dataclass(frozen=True)
class Move:
    """One decision and what came of it.

    Parameters
    ----------
    seat
        0-based seat that decided.
    options
        The legal actions as text.
    action
        The action taken, as text.
    forced
        True when there was only one option.
    """

    seat: int
    options: tuple[str, ...]
    action: str
    forced: bool


@dataclass
class GameInPlay:
    """One traced game of a prepared cell.

    Parameters
    ----------
    prepared
        The cell.
    seed
        The scenario's seed.
    number
        The game's number in its cell; deal and arrangement follow from it.
    data
        The cell's data, for names.
    """

    prepared: Prepared
    seed: int
    number: int
    data: Any
    moves: list[Move] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        game, kernel = self.prepared.game, self.prepared.kernel
        self._codec = game.actions(self.data)
        self._events = game.events(self.data)
        self._state = allocate(game.dtypes.state)
        self._record = self._state[0]
        count = len(self.prepared.arrangements)
        self.deal = int(deal_of(self.number, count, self.prepared.seating))
        self.arrangement = int(arrangement_of(self.number, count, self.prepared.seating))
        self._acts = np.zeros(1024, np.int64)
        self._trace().on = 1
        self.prepared.begin()
        kernel.setup_at(self._state, self.prepared.tables, self.prepared.arrangements, self.arrangement, self.seed,
                        self.deal)  # fmt: skip
        self.over = False

    def _trace(self) -> Any:
        """Return the tracer part of the state (a namespace without the jit, a record view with it)."""
        return self._record.trace if JIT_DISABLED else _View(self._state["trace"])

    def step(self) -> Move | None:
        """Play one decision; None when the game is over. The events since the last step are added to `events`.

        Raises
        ------
        InputError
            When the player raises an error.
        """
        kernel, prepared = self.prepared.kernel, self.prepared
        n = int(kernel.advance_at(self._state, prepared.tables, self._acts))
        self._collect()
        if n == 0:
            self.over = True
            return None
        seat = int(self._public("dec_seat"))
        options = tuple(self._codec.text(a) for a in self._acts[:n])
        failure = ""
        try:
            action = kernel.turn_at(self._state, prepared.tables, prepared.players, prepared.weights, self._acts, n)
            failure = prepared.failure
        except Exception as error:
            if not prepared.own_players:
                raise
            failure = told(error)
        if failure:
            raise InputError(
                f"the player of seat {seat} failed: {failure}",
                where=f"game {self.number}, decision {len(self.moves)}",
                hint=f"it could choose of {', '.join(options)}",
            )
        move = Move(seat=seat, options=options, action=self._codec.text(int(action)), forced=n == 1)
        self.moves.append(move)
        return move

    def __iter__(self) -> Iterator[Move]:
        while (move := self.step()) is not None:
            yield move

    def play(self) -> GameInPlay:
        """Play to the end and return itself."""
        for _ in self:
            pass
        return self

    def row(self) -> NDArray[Any]:
        """Return the game's row, shape ``(1,)``, as a run stores it."""
        dtype = self.prepared.game.dtypes.row
        rows = allocate(dtype)
        self.prepared.kernel.record_at(self._state, self.prepared.tables, rows, self.number, self.deal,
                                       self.arrangement)  # fmt: skip
        return to_array(rows, dtype)

    def story(self) -> str:
        """Tell the events so far as text."""
        return self._events.story(self.events)

    def _public(self, name: str) -> Any:
        return getattr(self._record.pub, name) if JIT_DISABLED else self._state["pub"][name][0]

    def _collect(self) -> None:
        state = to_array(self._state, self.prepared.game.dtypes.state)
        trace = state["trace"][0]
        raw = trace["events"][: int(trace["count"])].copy()
        self._trace().count = 0
        self.events.extend(self._events.to_json(raw, state))


class _View:
    """Sets fields of a structured array's first record by attribute."""

    def __init__(self, array: NDArray[Any]) -> None:
        object.__setattr__(self, "_array", array)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__getattribute__(self, "_array")[name][0] = value
