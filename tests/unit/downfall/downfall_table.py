"""A table to play at by hand: set a position, see what is legal, do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pompeii_sim.engine.prepare import prepare
from pompeii_sim.games.downfall import codes as c
from pompeii_sim.games.downfall.game import GAME
from pompeii_sim.scenario import load_scenario

CARDS = {"omen": c.OMEN, "ad79": c.AD79}


def document(players: Sequence[Any] = ("greedy",) * 4, games: int = 100, **more: Any) -> dict[str, Any]:
    """Return a scenario with one seat a player named (or a table of a seat)."""
    seats = [{"player": p} if isinstance(p, str) else dict(p) for p in players]
    return {"game": "downfall", "games": games, "seats": seats, **more}


class Table:
    """One game in play, moved by hand.

    Parameters
    ----------
    seats
        How many.
    deal, seed
        Which game.
    forbid
        Forbid list of every seat.
    **rules
        Rules that differ from their defaults.
    """

    def __init__(self, seats: int = 4, deal: int = 0, seed: int = 1, forbid: Sequence[str] = (), **rules: Any) -> None:
        seat = {"player": "random", "forbid": list(forbid)}
        scenario = load_scenario(document([seat] * seats, rules=rules, seed=seed))
        self.data = scenario.cells[0].data
        self.prepared = prepare(GAME, scenario.cells[0], "fixed")
        self.kernel = GAME.kernel()
        self.state = np.zeros(1, GAME.dtypes.state)
        self.tables = self.prepared.tables
        self.codec = GAME.actions(self.data)
        self.events_of = GAME.events(self.data)
        self.events: list[dict[str, Any]] = []
        self._acts = np.zeros(1024, np.int64)
        self.state["trace"]["on"] = 1
        self.kernel.setup_at(self.state, self.tables, self.prepared.arrangements, 0, seed, deal)

    @property
    def pub(self) -> Any:
        """The public part of the state."""
        return self.state["pub"][0]

    @property
    def tally(self) -> Any:
        """The counts of the state."""
        return self.state["tally"][0]

    def square(self, name: str) -> int:
        """Return a square's number."""
        return self.data.index(name)

    def legal(self) -> list[str]:
        """Run to the next decision and return what is legal, as text; empty when the game is over."""
        n = int(self.kernel.advance_at(self.state, self.tables, self._acts))
        self._collect()
        return [self.codec.text(int(a)) for a in self._acts[:n]]

    def _collect(self) -> None:
        trace = self.state["trace"][0]
        self.events += self.events_of.to_json(trace["events"][: int(trace["count"])].copy(), self.state)
        self.state["trace"]["count"] = 0

    def do(self, action: str) -> list[str]:
        """Do one legal action and return what is legal next."""
        options = self.legal()
        assert action in options, (action, options)
        self.kernel.apply_at(self.state, self.tables, self.codec.parse(action))
        return self.legal()

    def people(self, name: str) -> list[int]:
        """Return the people of each seat on a square."""
        return [int(n) for n in self.pub["people"][self.square(name)][: int(self.pub["n_seats"])]]

    def put(self, people: Mapping[str, Mapping[int, int]]) -> None:
        """Put people on squares, taken from their supplies."""
        for name, there in people.items():
            at = self.square(name)
            for seat, count in there.items():
                for _ in range(count):
                    self.pub["people"][at, seat] += 1
                    self.pub["crowd"][at] += 1
                    self.pub["on_board"][seat] += 1
                    self.pub["supply"][seat] -= 1
                    self.pub["free_spaces"] -= self.tables["spaces"][0, at] > 0
                    number = int(self.tally["n_people"])
                    self.tally["who_seat"][number] = seat
                    self.tally["who_square"][number] = at
                    self.tally["n_people"] += 1

    def hand(self, seat: int, cards: Iterable[int]) -> None:
        """Give a seat a hand."""
        self.state["own"]["hand"][0, seat] = 0
        for card in cards:
            self.state["own"]["hand"][0, seat, card] += 1

    def stack(self, cards: Iterable[int | str]) -> None:
        """Make a draw stack, the top first."""
        numbers = [CARDS.get(card, card) if isinstance(card, str) else card for card in cards]
        hidden = self.state["hid"]
        hidden["stack"][0, : len(numbers)] = numbers
        hidden["stack_next"], hidden["stack_end"] = 0, len(numbers)

    def seethe(self) -> None:
        """Let the first AD 79 have come."""
        self.pub["phase"] = c.SEETHING

    def lava(
        self,
        tiles: Sequence[str],
        lava: Mapping[str, str] = {},
        *,
        people: Mapping[str, Mapping[int, int]] = {},
        seat: int = 0,
        drawn: int = 6,
        more: int = 3,
    ) -> None:
        """Begin a turn of the lava half.

        Parameters
        ----------
        tiles
            Symbols still to draw, in order; dual tiles as ``a-b``.
        lava
            What lies on the board: square to symbol or ``buried``.
        people
            Who stands where.
        seat
            Whose turn it is.
        drawn
            Tiles drawn before.
        more
            Tiles that follow, of the last symbol named.
        """
        tiles = [*tiles, *[tiles[-1]] * more]
        self.put(people)
        names = [s.id for s in self.data.symbols]
        duals = ["-".join(d.symbols) for d in self.data.duals]
        order = [names.index(t) if t in names else c.MAX_SYMBOLS + duals.index(t) for t in tiles]
        hidden = self.state["hid"]
        hidden["tiles"][0, drawn : drawn + len(order)] = order
        hidden["tiles_end"] = drawn + len(order)
        pub = self.pub
        pub["tiles_drawn"], pub["tiles_placed"] = drawn, drawn
        for name, symbol in lava.items():
            at = self.square(name)
            if symbol == "buried":
                pub["lava"][at] = c.PLAIN
                continue
            pub["lava"][at] = 1 << names.index(symbol)
            pub["opened"][names.index(symbol)] = 1
        pub["phase"], pub["step"], pub["turn_seat"] = c.ERUPTION, c.S_TILE, seat

    def named(self, event: str) -> list[dict[str, Any]]:
        """Return the events of one name so far."""
        return [e for e in self.events if e["event"] == event]
