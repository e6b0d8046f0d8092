"""A second reading of the rules: re-checks every event of a game, in plain Python, from the rulebook alone.

It imports nothing of the engine or the games and trusts no reported change of goods: it moves goods, workers and
cards itself and compares.

What events cannot show, and so is not checked here: whether a player was offered a choice (a star card, C31, which good
as owner bonus, from which deck); the order of picking the first buildings; the order of a deck once it was reshuffled;
that the first player and the decks come by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.actions import Actions
from referee.offerings import Offerings
from referee.rulebook import Book
from referee.table import Event, GameOver, RuleViolation

__all__ = ["Referee", "RuleViolation", "check"]


class Referee(Actions, Offerings):
    """Reads one game from set-up to end."""

    def play(self) -> None:
        """Read the whole game; raises RuleViolation at the first event the rules do not allow."""
        try:
            self._play()
        except GameOver:
            return
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            self.fail("event format", f"{type(error).__name__}: {error} in {self.e}")

    def _play(self) -> None:
        self.stopped = set()
        self.turn_place = None
        self.set_up()
        while True:
            self.round += 1
            self._round()
            if self.phase == "awakening":
                self.offering()
            else:
                self.calm_steps += 1
            self.start = (self.start + 1) % self.seats
            self.take("round_end", "round end", next_start=self.start)
            if self.round >= self.rules["round_cap"]:
                self.game_end("round_cap", None)

    def _round(self) -> None:
        # workers come home, all but those on C12, C28 and C31
        self.ready = [self.workers[s] - sum(self.injured[s].values()) for s in range(self.seats)]
        self.placed = {}
        self.above = set()
        self.take("round", "round start", seat=self.start)
        seat = self.start
        while any(self.ready):
            self._turn(seat)
            seat = (seat + 1) % self.seats
        if self.rules["army_without_workers"]:
            for i in range(self.seats):
                self._enter((seat + i) % self.seats)

    def _turn(self, seat: int) -> None:
        if not self.ready[seat]:
            if self.rules["army_without_workers"]:
                self._enter(seat)
            return
        self._enter(seat)
        self.turn_place = None
        self.placement(seat, "worker")
        self.after_action(seat)
        if self.next_is("place", seat=seat, **{"as": "second_worker"}):
            self.placement(seat, "second_worker")
            self.after_action(seat)
        self._enter(seat)

    def _enter(self, seat: int) -> None:
        """An army that can enter the Castrum must do so now."""
        if self.may_enter(seat):
            self.victory(seat)

    def victory(self, seat: int) -> None:
        """Read the army entering the Castrum and the end of the game."""
        self.take("army_placed", "victory at once", seat=seat, place="building:20")
        self.game_end("victory", seat)


def check(events: Sequence[Event], rules: Mapping[str, Any], data: Path | Book,
          forbid: Mapping[int, Sequence[str]] | None = None) -> None:  # fmt: skip
    """Check one game.

    Parameters
    ----------
    events
        All events of the game, as `replay --format jsonl` prints them.
    rules
        Every rule switch by name, forced deals included.
    data
        Folder of the data files, or what was read from it.
    forbid
        Forbid list of each seat of the table; None when not known.

    Raises
    ------
    RuleViolation
        At the first event the rules do not allow.
    """
    Referee(events, rules, data if isinstance(data, Book) else Book(data), forbid).play()
