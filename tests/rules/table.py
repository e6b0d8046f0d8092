"""A table to try rules on: the compiled engine, put into a situation and driven by text such as ``produce:7``.

A test writes the situation into the state (goods, tiles, cards, workers), plays worker actions and choices by their
text, and looks at what became of it. Choices with one possibility are made by themselves, as a player would.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.records import allocate, from_array, to_array
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii import kernel
from pompeii_sim.games.pompeii.action_text import ActionText
from pompeii_sim.games.pompeii.data_files import PompeiiData, load_data
from pompeii_sim.games.pompeii.row_types import ROW
from pompeii_sim.games.pompeii.rules import MAX_SEATS, Deal, Rules, Seat
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.tables import build_tables, card_number

DATA: PompeiiData = load_data(None)
TEXT = ActionText(DATA)
GOODS = DATA.good_ids
VALUE = {good: DATA.goods[i].value for i, good in enumerate(GOODS)}
FIELDS = tuple(GOODS[i] for i in DATA.fields)
CARDS = tuple(f"S{n:02d}" for n in range(1, 53)) + tuple(f"C{n:02d}" for n in range(1, 53))
DECKS = ("specialists", "city")
PLACES = {TEXT.place(p): p for p in range(c.N_PLACES + 1)}

# what the no-op check changes under the tests' feet
_change_rules: Callable[[dict[str, Any]], dict[str, Any]] | None = None
_change_tables: Callable[[Any], None] | None = None


@contextmanager
def changed(
    rules: Callable[[dict[str, Any]], dict[str, Any]] | None = None, tables: Callable[[Any], None] | None = None
) -> Iterator[None]:
    """Change the rules or the finished tables of every `Table` made inside the block."""
    global _change_rules, _change_tables
    _change_rules, _change_tables = rules, tables
    try:
        yield
    finally:
        _change_rules, _change_tables = None, None


touched: set[str] = set()
"""What the tests put on the table or did since this was last cleared: cards, tiles, settings, actions."""

CHECKS: list[tuple[str, Callable[[], None]]] = []
"""Every rules test as a function without arguments, with its name: what the no-op check calls."""


def check(function: Any) -> Any:
    """Register a test without parameters for the no-op check."""
    CHECKS.append((f"{function.__module__}:{function.__name__}", function))
    return function


def check_each(names: str, rows: Iterable[Any]) -> Callable[[Any], Any]:
    """Parametrise a test and register every case for the no-op check."""
    rows = list(rows)

    def decorate(function: Any) -> Any:
        for row in rows:
            values = row if "," in names else (row,)
            CHECKS.append((f"{function.__module__}:{function.__name__}[{row}]", functools.partial(function, *values)))
        return pytest.mark.parametrize(names, rows, ids=str)(function)

    return decorate


@functools.cache
def _tables(rules: str, seats: int, forbid: tuple[tuple[str, ...], ...]) -> Any:
    return build_tables(Rules.model_validate_json(rules), DATA, [Seat(forbid=list(forbid[i])) for i in range(seats)])


class Table:
    """One game.

    Parameters
    ----------
    seats
        Number of seats, 1 to 4.
    phase
        ``"awakening"`` (the Foro stands and belongs to nobody), ``"calm"``, or ``"setup"`` for the untouched set-up
        of a deal. In the first two all goods and hands are empty, nothing is built, seat 0 starts round 1, and the
        volcano deck is cards 1 to 9 in this order with the Apocalypse below them.
    forbid
        Forbid lists by seat.
    deal, seed
        Which deal.
    hands
        Forced opening hands.
    rules
        Settings that differ from the rulebook's.
    """

    def __init__(
        self,
        seats: int = 3,
        phase: str = "awakening",
        forbid: Mapping[int, list[str]] | None = None,
        deal: int = 0,
        seed: int = 1,
        hands: Mapping[str, Mapping[str, list[str]]] | None = None,
        **rules: Any,
    ) -> None:
        if hands is not None:
            rules["deal"] = Deal(**hands)
        if _change_rules is not None:
            rules = _change_rules(dict(rules))
        touched.update(f"rule:{name}" for name in rules)
        if seats == 1:
            touched.add("solo")
        self.rules = Rules(**rules)
        lists = tuple(tuple((forbid or {}).get(i, [])) for i in range(seats))
        tables = _tables(self.rules.model_dump_json(), seats, lists).copy()
        if _change_tables is not None:
            _change_tables(tables)
        self.tables = from_array(tables)
        self.seats = seats
        self.state = allocate(STATE)
        self.acts = np.zeros(1024, np.int64)
        self.made: list[str] = []
        seating = np.arange(MAX_SEATS, dtype=np.int64)[None, :].copy()
        seating[0, seats:] = -1
        kernel.setup_at(self.state, self.tables, seating, 0, seed, deal)
        if phase == "setup":
            return
        self.array("goods")[:] = 0
        for seat in range(seats):
            self.own(seat, "hand")[:] = 0
        self.array("hand_size")[:] = 0
        self.array("active")[:] = 0
        self.hidden("deck")[:] = 1
        self.array("deck_left")[:] = 52
        self.put(picks=seats * self.rules.start_buildings, step=c.STEP_ROUND, start_seat=0)
        self.volcano(*range(1, 10), "apocalypse")
        if phase == "awakening":
            self.put(phase=c.AWAKENING, calm_step=self.rules.calm_steps)
            self.array("built")[c.FORO] = 1

    # the situation -------------------------------------------------------------------------------------------------

    def array(self, name: str) -> Any:
        """Return an array of the public state, to read or write."""
        return self._part("pub", name)

    def _part(self, part: str, name: str) -> Any:
        return getattr(getattr(self.state[0], part), name) if JIT_DISABLED else self.state[part][name][0]

    def _write(self, part: str, name: str, value: int) -> None:
        if JIT_DISABLED:
            setattr(getattr(self.state[0], part), name, value)
        else:
            self.state[part][name][0] = value

    def get(self, name: str) -> int:
        """Return a number of the public state."""
        return int(self._part("pub", name))

    def put(self, **numbers: int) -> Table:
        """Write numbers of the public state."""
        for name, value in numbers.items():
            self._write("pub", name, value)
        return self

    def own(self, seat: int, name: str) -> Any:
        """Return an array of what a seat sees alone."""
        return getattr(self.state[0].own[seat], name) if JIT_DISABLED else self.state["own"][name][0, seat]

    def hidden(self, name: str) -> Any:
        """Return an array of what nobody sees."""
        return self._part("hid", name)

    def tally(self, name: str) -> Any:
        """Return a count the game record is made of: a number or an array."""
        return self._part("tally", name)

    def goods(self, seat: int, **goods: int) -> Table:
        """Give a seat goods (these numbers, the others stay)."""
        for good, number in goods.items():
            self.array("goods")[seat, GOODS.index(good)] = number
        return self

    def all_goods(self, seat: int, number: int) -> Table:
        """Give a seat this many of every good."""
        return self.goods(seat, **dict.fromkeys(GOODS, number))

    def build(self, *numbers: int, owner: int = -1) -> Table:
        """Put finished tiles on the board."""
        for number in numbers:
            touched.add(f"tile:{number}")
            self.array("built")[number] = 1
            self.array("owner")[number] = owner
        return self

    def _take(self, card: str) -> int:
        number = card_number(card)
        touched.add(card)
        if self.hidden("deck")[number] != 0:
            self.hidden("deck")[number] = 0
            self.array("deck_left")[int(card[0] == "C")] -= 1
        return number

    def hand(self, seat: int, *cards: str) -> Table:
        """Put cards from the decks into a hand."""
        for card in cards:
            self.own(seat, "hand")[self._take(card)] = 1
            self.array("hand_size")[seat, int(card[0] == "C")] += 1
        return self

    def active(self, seat: int, *cards: str) -> Table:
        """Put cards from the decks before a seat, active."""
        for card in cards:
            self.array("active")[seat, self._take(card)] = 1
            if card == "C34":
                self.put(porta_owner=seat)
        return self

    def discarded(self, *cards: str) -> Table:
        """Put cards from the decks on their discard piles."""
        for card in cards:
            self.array("discard")[self._take(card)] = 1
        return self

    def deck(self, kind: str, *cards: str) -> Table:
        """Let a deck hold these cards only; the others are out of the game."""
        deck = DECKS.index(kind)
        self.hidden("deck")[deck * 52 : deck * 52 + 52] = 0
        for card in cards:
            self.hidden("deck")[card_number(card)] = 1
        self.array("deck_left")[deck] = len(cards)
        return self

    def workers(self, seat: int, number: int) -> Table:
        """Give a seat workers, all still to place when a round is on."""
        self.array("workers")[seat] = number
        if self.get("rnd") > 0:
            self.array("ready")[seat] = number
        return self

    def stand(self, seat: int, place: str, number: int = 1) -> Table:
        """Place workers of a seat before the test begins."""
        self.start()
        touched.add(f"stand:{place}")
        self.array("placed")[seat, PLACES[place]] += number
        self.array("used")[PLACES[place]] += number
        self.array("ready")[seat] -= number
        assert self.array("ready")[seat] >= 0
        return self

    def army(self, *seats: int) -> Table:
        """Give seats an army."""
        for seat in seats:
            self.array("army")[seat] = 1
        return self

    def card_number_is(self, card: str, number: int) -> Table:
        """Print another number on a card: what `arg_a` of its effect counts."""
        column = self.tables[0].arg_a if JIT_DISABLED else self.tables["arg_a"][0]
        column[card_number(card)] = number
        return self

    def volcano(self, *cards: int | str) -> Table:
        """Lay the volcano deck: card numbers from 1, ``"apocalypse"``; in this order."""
        touched.update(f"volcano:{self.rules.difficulty}{card}" for card in cards[:2])
        order = [c.APOCALYPSE if card == "apocalypse" else int(card) - 1 for card in cards]
        self.hidden("volcano")[: len(order)] = order
        self._write("hid", "volcano_next", 0)
        return self.put(volcano_left=len(order))

    # what is on the table ------------------------------------------------------------------------------------------

    def store(self, seat: int) -> dict[str, int]:
        """Return the goods of a seat, those it has."""
        return {g: int(n) for g, n in zip(GOODS, self.array("goods")[seat], strict=False) if n != 0}

    def cards(self, seat: int) -> set[str]:
        """Return the hand of a seat."""
        return {CARDS[i] for i in np.flatnonzero(self.own(seat, "hand"))}

    def out(self, seat: int) -> set[str]:
        """Return the active cards of a seat."""
        return {CARDS[i] for i in np.flatnonzero(self.array("active")[seat])}

    def pile(self) -> set[str]:
        """Return the cards on the discard piles."""
        return {CARDS[i] for i in np.flatnonzero(self.array("discard"))}

    def in_deck(self, card: str) -> bool:
        """Whether a card lies in its deck."""
        return bool(self.hidden("deck")[card_number(card)] == 1)

    def marker(self, seat: int) -> int:
        """Return where the offering marker of a seat stands."""
        return int(
            max(0, self.array("workers")[seat] + self.get("raises") * self.rules.raise_by + self.rules.offering_base)
        )

    def ready(self, seat: int) -> int:
        """Return the workers a seat still has to place, borrowed ones included."""
        return int(self.array("ready")[seat] + self.array("borrowed")[seat])

    def at(self, place: str) -> int:
        """Return how many workers stand on a place."""
        return int(self.array("used")[PLACES[place]])

    def is_built(self, number: int) -> bool:
        """Whether a tile lies face-up."""
        return bool(self.array("built")[number])

    def spent(self) -> set[str]:
        """Return the specialists that are out of the game."""
        return {CARDS[i] for i in np.flatnonzero(self.array("spent"))}

    def blocked(self) -> set[str]:
        """Return the goods that can only be traded for in this round."""
        return {good for i, good in enumerate(GOODS) if self.get("blocked") >> i & 1}

    def row(self) -> Any:
        """Return the record of the game, as a run would store it."""
        rows = allocate(ROW)
        kernel.record_at(self.state, self.tables, rows, 0, 0, 0)
        return to_array(rows, ROW)[0]

    def ended(self) -> str:
        """Return how the game ended, "" while it goes on."""
        return {-1: "", 0: "victory", 1: "apocalypse", 2: "round_cap", 3: "decision_cap"}[self.get("ended_by")]

    # play ----------------------------------------------------------------------------------------------------------

    def start(self) -> Table:
        """Run to the next decision."""
        self._advance()
        return self

    def _advance(self) -> int:
        n = int(kernel.advance_at(self.state, self.tables, self.acts))
        assert self.get("error") == 0, f"engine error {self.get('error')}"
        return n

    def legal(self) -> list[str]:
        """Return the legal actions of the next decision as text; empty when the game is over."""
        n = self._advance()
        return [TEXT.text(a) for a in self.acts[:n]]

    def can(self, text: str) -> bool:
        """Whether an action is legal in the next decision."""
        return text in self.legal()

    def decision(self) -> tuple[str, int]:
        """Return kind and seat of the next decision, ``("over", -1)`` when the game is over."""
        if self._advance() == 0:
            return "over", -1
        return c.DECISION_NAMES[self.get("dec_kind")], self.get("dec_seat")

    def turn(self, seat: int) -> Table:
        """Make it a seat's turn to place a worker."""
        kind, _ = self.decision()
        assert (kind, self.get("top")) == ("place", 1), f"in the middle of something: {kind}"
        self.put(top=0, step=c.STEP_TURN, turn_seat=(seat - 1) % self.seats)
        assert self.decision() == ("place", seat)
        return self

    def act(self, text: str, seat: int | None = None) -> Table:
        """Place a worker of the seat whose turn it is (or is made)."""
        if seat is not None:
            self.turn(seat)
        kind, who = self.decision()
        assert kind == "place", f"{kind} of seat {who} comes before {text}"
        return self._apply(text)

    def choose(self, *texts: str) -> Table:
        """Make choices in order; one that had no alternative and was made already is ticked off."""
        for text in texts:
            if text in self.made:
                del self.made[: self.made.index(text) + 1]
                continue
            kind, seat = self.decision()
            assert kind != "place", f"no choice is open for {text}: seat {seat} places a worker"
            self._apply(text, keep=True)
        return self

    def _apply(self, text: str, keep: bool = False) -> Table:
        legal = self.legal()
        touched.add(text)
        assert text in legal, f"{text} is not legal for {self.decision()}: {legal}"
        if not keep:
            self.made = []
        self._do(TEXT.parse(text))
        while True:
            n = self._advance()
            if n != 1 or self.get("dec_kind") == c.D_PLACE:
                return self
            self.made.append(TEXT.text(self.acts[0]))
            self._do(int(self.acts[0]))

    def _do(self, action: int) -> None:
        goods = self.array("goods")
        before = goods.copy()
        kernel.apply_at(self.state, self.tables, action)
        assert self.get("error") == 0, f"engine error {self.get('error')}"
        assert goods.min() >= 0, "goods below zero"
        assert not ((goods > self.rules.cap) & (goods > before)).any(), "goods above the cap"
        where = (
            (self.hidden("deck") == 1).astype(int)
            + self.array("discard")
            + np.concatenate([self.array("spent"), np.zeros(52, int)])
            + self.array("active")[: self.seats].sum(axis=0)
            + sum(self.own(s, "hand").astype(int) + self.own(s, "drawn") for s in range(self.seats))
        )
        assert where.max() <= 1, f"{CARDS[int(where.argmax())]} is in two places"

    def end_round(self) -> Table:
        """Take all workers not yet placed as placed: the round ends."""
        kind, _ = self.decision()
        assert (kind, self.get("top")) == ("place", 1), f"in the middle of something: {kind}"
        self.array("ready")[:] = 0
        self.array("borrowed")[:] = 0
        self.put(top=0, step=c.STEP_TURN)
        self.made = []
        self._settle()
        return self

    def _settle(self) -> None:
        while self._advance() == 1 and self.get("dec_kind") != c.D_PLACE:
            self.made.append(TEXT.text(self.acts[0]))
            self._do(int(self.acts[0]))

    def pledge(self, *values: int) -> Table:
        """Pledge in seat order from the starting player."""
        for value in values:
            if f"pledge:{value}" in self.made:
                self.made.remove(f"pledge:{value}")
                continue
            kind, seat = self.decision()
            assert kind == "pledge", f"{kind} of seat {seat} instead of a pledge of {value}"
            self._apply(f"pledge:{value}", keep=True)
        return self

    def refuse(self) -> Table:
        """Let everybody pledge nothing (more) and play no star card, until workers are placed again."""
        while (kind := self.decision()[0]) in ("pledge", "star"):
            text = "pass" if kind == "star" else self.legal()[0]
            self._apply(text, keep=True)
        return self

    def pay(self, *goods: str) -> Table:
        """Pay pledges with these goods, one by one."""
        return self.choose(*(f"good:{g}" for g in goods))
