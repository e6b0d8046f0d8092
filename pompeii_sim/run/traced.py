"""One game with a player of a user's own, step by step: played in a process of its own, and told here.

The process writes each decision down before it asks. So where a player never answers, or ends its process, it is known
who was asked what.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.records import allocate, to_array
from pompeii_sim.errors import InputError
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.processes import Died, Processes
from pompeii_sim.run.recipe import Recipe, prepared_there, recipe_alone, scenario_there
from pompeii_sim.run.replay import Choice, Replay, chance_watch
from pompeii_sim.store.schema import TIMED_OUT

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Scenario


@dataclass(repr=False)
class TracedGame(Replay):
    """A game whose players may do anything; see `traced_game` and `Replay`.

    Parameters
    ----------
    recipe, cell
        What the other process prepares.
    kinds
        Label of each listed seat.
    timeout
        Seconds the whole game may take.
    """

    recipe: Recipe = field(kw_only=True)
    cell: int = field(kw_only=True)
    kinds: tuple[str, ...] = field(kw_only=True)
    timeout: float = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._steps: list[dict[str, Any]] | None = None
        self._at = 0
        self._row: NDArray[Any] | None = None
        self._error: InputError | None = None

    def step(self) -> Choice | None:
        """Tell one more decision, None when the game is over; the first call plays the whole game.

        Raises
        ------
        InputError
            At the decision at which a player raised an error, did not answer in time, or ended its process.
        """
        if self._steps is None:
            self._steps = self._played()
        if self._at < len(self._steps):
            one = self._steps[self._at]
            self._at += 1
            self.events.extend(one["events"])
            if "action" in one:
                options = tuple(one["options"])
                move = Choice(
                    seat=one["seat"],
                    options=options,
                    action=one["action"],
                    forced=len(options) == 1,
                    by_chance=one["by_chance"],
                )
                self.moves.append(move)
                return move
        if self._error is not None:
            raise self._error
        self.over = True
        return None

    def row(self) -> NDArray[Any]:
        """Return the game's row, shape ``(1,)``, as a run stores it.

        Raises
        ------
        InputError
            While the game is not over.
        """
        if not self.over or self._row is None:
            raise InputError("is not over yet", where=f"game {self.number}", hint="play it to its end first")
        return self._row.copy()

    def _played(self) -> list[dict[str, Any]]:
        """Play the game in another process; return its decisions, and keep what came of it."""
        with tempfile.TemporaryDirectory(prefix="traced-") as folder:
            log = Path(folder) / "decisions.jsonl"
            processes = Processes(self.recipe, {self.cell: self.prepared}, 1, self.timeout, Stop())
            end: NDArray[Any] | InputError | Died
            try:
                processes.call(self.cell, get_ready_there, self.recipe, self.cell, watched=False)
                end = processes.call(self.cell, trace_there, self.recipe, self.cell, self.number, str(log))
            except Died as died:
                end = died
            finally:
                processes.close()
            steps = read_log(log)
        if isinstance(end, Died):
            self._error = self._told(end, steps)
        elif isinstance(end, InputError):
            self._error = end
        else:
            self._row = end
        return steps

    def _told(self, died: Died, steps: list[dict[str, Any]]) -> InputError:
        """Return the error for a process that ended before the game did."""
        last = steps[-1] if steps else {}
        asked = "options" in last and "action" not in last
        who = "the game"
        if asked:
            listed = self.prepared.arrangements[self.arrangement][last["seat"]]
            who = f"the player of seat {last['seat']} ({self.kinds[listed]})"
        if died.code == TIMED_OUT:
            what = f"{who} {'did not answer' if asked else 'did not end'} within the game's {self.timeout:g} s"
        else:
            what = f"{who} ended its process" + (f" ({died.text})" if died.text else "")
        decision = sum("action" in one for one in steps)
        hint = f"it could choose of {', '.join(last['options'])}" if asked else ""
        return InputError(what, where=f"game {self.number}, decision {decision}", hint=hint)


def traced_game(scenario: Scenario, prepared: Prepared, number: int, cell: int, timeout: float) -> TracedGame:
    """Return a game of a cell, to be told step by step; its players are asked in a process of its own.

    Parameters
    ----------
    scenario, prepared
        The scenario, and the cell made ready in this process.
    number, cell
        Numbers of the game and of the cell.
    timeout
        Seconds the game may take.

    Raises
    ------
    InputError
        When a given player cannot be sent to another process.
    """
    chosen = scenario.cells[cell]
    return TracedGame(
        prepared,
        scenario.seed,
        number,
        chosen.data,
        seats=chosen.seats,
        recipe=recipe_alone(scenario),
        cell=cell,
        kinds=tuple(chosen.kinds),
        timeout=timeout,
    )


def read_log(log: Path) -> list[dict[str, Any]]:
    """Return the decisions that `trace_there` wrote down, each with the events before it.

    Returns
    -------
    list of dict
        ``events``, ``seat``, ``options`` and ``action``; the last one has no ``action`` when the game ended within it,
        and ``events`` only when it ended after it.
    """
    steps: list[dict[str, Any]] = []
    for line in log.read_text("utf-8").splitlines() if log.exists() else ():
        one = json.loads(line)
        if "events" in one:
            steps.append(one)
        else:
            steps[-1].update(one)
    return steps


# in the process


def get_ready_there(recipe: Recipe, cell: int) -> None:
    """Compile what plays step by step, or find it in the cache, before time counts; no player is asked."""
    prepared = prepared_there(recipe, cell)
    kernel, tables = prepared.kernel, prepared.tables
    state, acts = allocate(prepared.game.dtypes.state), np.zeros(1024, np.int64)
    kernel.setup_at(state, tables, prepared.arrangements, 0, scenario_there(recipe).seed, 0)
    if kernel.advance_at(state, tables, acts) > 0:  # as if the first action were the only one
        kernel.turn_at(state, tables, prepared.players, prepared.weights, acts, 1)
    kernel.record_at(state, tables, allocate(prepared.game.dtypes.row), 0, 0, 0)


def trace_there(recipe: Recipe, cell: int, number: int, log: str) -> NDArray[Any] | InputError:
    """Play a game in this process, and write each decision down before it is made and after.

    Returns
    -------
    NDArray or InputError
        The game's row, shape ``(1,)``, or the error of the player that failed.
    """
    prepared, scenario = prepared_there(recipe, cell), scenario_there(recipe)
    types, turn = prepared.game.dtypes, prepared.kernel.turn_at
    codec = prepared.game.actions(scenario.cells[cell].data)
    with open(log, "w", buffering=1, encoding="utf-8") as file:  # whole lines, whatever ends the process
        told = 1  # the first event, who sits where, is known to who asks for the game

        def write(**what: Any) -> None:
            file.write(json.dumps(what, ensure_ascii=False, allow_nan=False) + "\n")

        def turn_at(state: Any, tables: Any, players: Any, weights: Any, acts: Any, n: int) -> Any:
            nonlocal told
            seat = int(to_array(state, types.state)["pub"]["dec_seat"][0])
            write(seat=seat, options=[codec.text(action) for action in acts[:n]], events=game.events[told:])
            told = len(game.events)
            return turn(state, tables, players, weights, acts, n)

        watched = replace(prepared, kernel=replace(prepared.kernel, turn_at=turn_at))
        here = scenario.cells[cell]
        watch = chance_watch(prepared, here)
        game = Replay(watched, scenario.seed, number, here.data, seats=here.seats, watch=watch)
        try:
            while (move := game.step()) is not None:
                write(action=move.action, by_chance=move.by_chance)
        except InputError as error:
            return error
        write(events=game.events[told:])
        return game.row()
