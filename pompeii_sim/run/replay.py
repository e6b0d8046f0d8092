"""One game of a scenario told again: who sits where, what happened, and which choices chance made for a seat."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from pydantic import BaseModel

from pompeii_sim.engine.records import from_array
from pompeii_sim.engine.stepping import GameInPlay, Move
from pompeii_sim.errors import InputError
from pompeii_sim.scenario.table_players import file_and_name
from pompeii_sim.store.folder import SCENARIO
from pompeii_sim.store.manifest import MANIFEST
from pompeii_sim.store.reader import open_run

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared
    from pompeii_sim.scenario.model import Cell

SEATS, CHANCE = "seats", "chance"
"""Events of a replay that are not the game's own: who sits where, and a choice that chance made for a seat."""


@dataclass(frozen=True)
class Choice(Move):
    """One decision and what came of it.

    Parameters
    ----------
    by_chance
        True when the seat's skill failed it: a random action in place of its player's.
    """

    by_chance: bool = False


@dataclass
class Replay(GameInPlay):
    """One game, step by step; `events` and `story` also tell who sits where and what chance chose.

    Parameters
    ----------
    seats
        The listed seats of the cell.
    watch
        Finds out what chance chose; None where every seat has skill 1.
    """

    seats: Sequence[BaseModel] = field(kw_only=True)
    watch: ChanceWatch | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        order = [int(listed) for listed in self.prepared.arrangements[self.arrangement] if listed >= 0]
        self.skills = [float(getattr(self.seats[listed], "skill", 1.0)) for listed in order]
        told = [{"seat": i, "listed": listed, **self.seats[listed].model_dump()} for i, listed in enumerate(order)]
        self.events.append({"event": SEATS, "seats": told})

    def __repr__(self) -> str:
        state = "over" if self.over else "in play"
        return f"<Replay of game {self.number}: {len(self.moves)} decisions, {state}; print(game.story()) tells it>"

    def step(self) -> Choice | None:
        """Play one decision; None when the game is over. See `GameInPlay.step`."""
        before = None if self.watch is None else copy.deepcopy(self._state)
        move = super().step()
        if move is None:
            return None
        fallible = before is not None and self.skills[move.seat] < 1.0 and not move.forced
        by_chance = self.watch is not None and fallible and self.watch.chose(before, move.options.index(move.action))
        choice = Choice(**{f.name: getattr(move, f.name) for f in fields(Move)}, by_chance=by_chance)
        self.moves[-1] = choice
        if by_chance:
            skill, options = self.skills[move.seat], len(move.options)
            event = {"event": CHANCE, "seat": move.seat, "skill": skill, "action": move.action, "options": options}
            self.events.append(event)
        return choice

    def story(self) -> str:
        """Tell the events so far as text: who sits where, the story of the game, a line for each choice by chance."""
        own: list[Mapping[str, Any]] = []
        head: list[str] = []
        inserted: list[tuple[int, str]] = []
        for event in self.events:
            if event["event"] == SEATS:
                head = [_seat_line(seat) for seat in event["seats"]]
            elif event["event"] == CHANCE:
                inserted.append((len(own), _chance_line(event)))
            else:
                own.append(event)
        lines = self._events.story(own).splitlines()
        for count, line in reversed(inserted):
            lines.insert(len(self._events.story(own[:count]).splitlines()) if count else 0, line)
        return "\n".join([*head, "", *lines]) + "\n"


def check_played(folder: Path, number: int, cell: int) -> None:
    """Raise InputError when a run has not played a game of a cell, with the games it has; see `replay`."""
    if not (folder / MANIFEST).is_file():  # a scenario in a folder of its own
        return
    numbers = open_run(folder).games(cell).select(pl.col("game"))
    try:
        if numbers.filter(pl.col("game") == number).collect().height:
            return
        count, last = numbers.select(count=pl.len(), last=pl.col("game").max()).collect().row(0)
    except (OSError, pl.exceptions.PolarsError) as error:
        hint = f"parts that are broken are played again by: run {folder} --resume"
        raise InputError(f"its games cannot be read: {error}", where=str(folder), hint=hint) from error
    of = f"cell {cell} of this run" if open_run(folder).cells.height > 1 else "this run"
    if not count:
        hint = f"go on with it: run {folder} --resume"
        raise InputError(f"{of} has played no game yet", where=str(folder), hint=hint)
    gaps = "" if count == last + 1 else f", {last + 1 - count:,} of them not yet"
    raise InputError(
        f"game {number} was not played in {of}",
        where=str(folder),
        hint=f"it played games 0 to {last}{gaps}; any game can be told of a scenario, such as {folder / SCENARIO}",
    )


def replay(prepared: Prepared, cell: Cell, seed: int, number: int) -> Replay:
    """Return a game of a cell, set up and ready to be played step by step in this process.

    Parameters
    ----------
    prepared, cell
        The cell, made ready and as it was checked.
    seed
        The scenario's seed.
    number
        The game's number in its cell.
    """
    return Replay(prepared, seed, number, cell.data, seats=cell.seats, watch=chance_watch(prepared, cell))


def chance_watch(prepared: Prepared, cell: Cell) -> ChanceWatch | None:
    """Return what finds out where chance chose for a seat of the cell; None where all seats have skill 1."""
    if all(getattr(seat, "skill", 1.0) >= 1.0 for seat in cell.seats):
        return None
    return ChanceWatch(prepared, cell)


class ChanceWatch:
    """Finds out whether chance made a choice, by making it again on copies of the game.

    A player that would have chosen otherwise takes the places of all others. When the choice is the same, nobody asked
    it: chance chose, or the rules of the seat did (a stance, say). It was chance when the player is asked once every
    seat has skill 1. So the kernel itself tells, however it draws.

    Parameters
    ----------
    prepared, cell
        The cell.
    """

    def __init__(self, prepared: Prepared, cell: Cell) -> None:
        game, kernel = prepared.game, prepared.kernel
        sure = [seat.model_copy(update={"skill": 1.0}) for seat in cell.seats]
        self._advance, self._turn = kernel.advance_at, kernel.turn_at
        self._weights = prepared.weights
        self._tables, self._sure = prepared.tables, from_array(game.tables(cell.rules, cell.data, sure))
        count = len(prepared.players)
        self._others = [(game.compile_player(f, f.__name__),) * count for f in (last_action, first_action)]

    def chose(self, state: Any, at: int) -> bool:
        """Return whether chance made a choice.

        Parameters
        ----------
        state
            The game before it went on to that choice; left as it is.
        at
            Which of the legal actions was chosen, from 0.
        """
        return not self._is_asked(state, self._tables, at) and self._is_asked(state, self._sure, at)

    def _is_asked(self, state: Any, tables: Any, at: int) -> bool:
        state, acts = copy.deepcopy(state), np.zeros(1024, np.int64)
        n = int(self._advance(state, tables, acts))
        chosen = int(acts[at])
        return int(self._turn(state, tables, self._others[min(at, 1)], self._weights, acts, n)) != chosen


def first_action(pub, own, tables, weights, luck, acts, n):  # type: ignore[no-untyped-def]
    """Choose the first legal action."""
    return acts[0]


def last_action(pub, own, tables, weights, luck, acts, n):  # type: ignore[no-untyped-def]
    """Choose the last legal action."""
    return acts[n - 1]


def _seat_line(seat: Mapping[str, Any]) -> str:
    """Return a line on who sits in a seat: the player and all that the scenario says of it, defaults included."""
    told = [f"{name} {_value(value)}" for name, value in seat.items() if name not in ("seat", "listed", "player")]
    parts = file_and_name(str(seat.get("player", "player")))
    player = f"{Path(parts[0]).name}:{parts[1]}" if parts else seat.get("player", "player")
    told = [text for text in told if not text.endswith(" ")]
    return f"Seat {seat['seat']}: {', '.join([str(player), *told])} (seats.{seat['listed']} of the scenario)"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return " and ".join(f"{name} = {_value(v)}" for name, v in value.items())
    if isinstance(value, list | tuple):
        return " and ".join(map(_value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _chance_line(event: Mapping[str, Any]) -> str:
    where = f"  Seat {event['seat']} errs (skill {event['skill']:g})"
    return f"{where}: {event['action']} is a random choice of {event['options']}"
