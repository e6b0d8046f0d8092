"""What lies on the table: goods, workers, cards; and the row of events that is read against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from referee.rulebook import RED, Book, Goods, deck_of

Event = Mapping[str, Any]
SPACES = ("C12", "C28", "C31")
UNPLACED = "not-placed"


class RuleViolation(AssertionError):
    """An event that the rules do not allow, or one that should be there and is not.

    Parameters
    ----------
    index
        Number of the event in the game's list.
    rule
        The rule broken, in a word or two.
    what
        What was expected and what was found.
    """

    def __init__(self, index: int, rule: str, what: str) -> None:
        super().__init__(f"event {index}: {rule}: {what}")
        self.index, self.rule, self.what = index, rule, what


class GameOver(Exception):
    """The game ended as the rules say."""


class Table:
    """State of one game, moved on by reading its events.

    Parameters
    ----------
    events
        Events of one game, first to last.
    rules
        Every rule switch by name.
    book
        The printed matter.
    forbid
        For each seat, the forbid list of the seat; None when not known.
    """

    seat_counts = range(2, 5)

    def __init__(self, events: Sequence[Event], rules: Mapping[str, Any], book: Book,
                 forbid: Mapping[int, Sequence[str]] | None = None) -> None:  # fmt: skip
        self.events, self.rules, self.book, self.forbid = events, rules, book, forbid
        self.at = -1
        self.e: Event = {}
        self.cap: int = rules["cap"]
        self.delta: dict[int, Goods] = {}
        self.phase = "calm"
        self.round = 0

    # reading events
    def fail(self, rule: str, what: str, index: int | None = None) -> NoReturn:
        """Raise a violation at the current event."""
        raise RuleViolation(self.at if index is None else index, rule, what)

    def need(self, true: object, rule: str, what: str) -> None:
        """Raise a violation unless something is true."""
        if not true:
            self.fail(rule, what)

    def peek(self) -> str:
        """Return the kind of the next event, '' at the end."""
        return str(self.events[self.at + 1]["event"]) if self.at + 1 < len(self.events) else ""

    def next_is(self, kind: str, **wanted: Any) -> bool:
        """Return whether the next event is of a kind and has these fields."""
        if self.at + 1 >= len(self.events):
            return False
        e = self.events[self.at + 1]
        return e["event"] == kind and all(e.get(k) == v for k, v in wanted.items())

    def take(self, kind: str, rule: str, **wanted: Any) -> Event:
        """Read the next event, which must be of a kind and have these fields."""
        self.settle()
        self.at += 1
        if self.at >= len(self.events):
            self.fail(rule, f"expected {kind} {wanted}, but the events end")
        e = self.e = self.events[self.at]
        if e["event"] != kind:
            self.fail(
                rule, f"expected {kind} {wanted}, found {e['event']} of seat {e['seat']} ({e['action'] or e['card']})"
            )
        for key, value in wanted.items():
            if e.get(key) != value:
                self.fail(rule, f"{kind}: expected {key} {value!r}, found {e.get(key)!r}")
        if e["round"] != self.round:
            self.fail("rounds", f"event says round {e['round']}, it is round {self.round}")
        if e["phase"] != self.phase and kind != "phase":
            self.fail("phases", f"event says phase {e['phase']}, it is the {self.phase}")
        return e

    def settle(self) -> None:
        """Compare the goods the last event reports with those the rules move."""
        due = {str(s): row for s, d in self.delta.items() if (row := {g: n for g, n in d.items() if n})}
        if self.at >= 0 and due != self.e["goods"]:
            name = self.e.get("action") or self.e.get("card") or ""
            self.fail("goods", f"{self.e['event']} {name}: expected {due}, reported {self.e['goods']}")
        self.delta = {}

    # goods
    def pay(self, seat: int, goods: Goods, times: int = 1, rule: str = "cost") -> None:
        """Take goods from a tablet; all must be there."""
        own, delta = self.goods[seat], self.delta.setdefault(seat, {})
        for good, n in goods.items():
            own[good] -= n * times
            delta[good] = delta.get(good, 0) - n * times
            if own[good] < 0:
                self.fail(rule, f"seat {seat} pays {n * times} {good} but holds {own[good] + n * times}")

    def gain(self, seat: int, goods: Goods, times: int = 1) -> None:
        """Put goods on a tablet; what is over the cap is lost."""
        own, delta = self.goods[seat], self.delta.setdefault(seat, {})
        for good, n in goods.items():
            got = min(n * times, self.cap - own[good])
            own[good] += got
            delta[good] = delta.get(good, 0) + got

    def worth(self, seat: int) -> int:
        """Return the value of all goods of a seat."""
        return sum(n * self.book.value[g] for g, n in self.goods[seat].items())

    # cards
    def has_op(self, seat: int, op: str) -> bool:
        """Return whether a seat has an active card of an op."""
        return any(self.book.op[c] == op for c in self.active[seat])

    def drawable(self, deck: str) -> bool:
        """Return whether a card of a deck can be drawn."""
        return bool(self.deck[deck] or self.pile[deck])

    def draw(self, seat: int, deck: str | None, why: str, rule: str) -> str:
        """Read a drawn card (of any deck for None), after a reshuffle where the deck is empty."""
        if self.peek() == "reshuffle":
            name = str(self.take("reshuffle", rule)["deck"])
            self.need(deck in (None, name), rule, f"{name} reshuffled, but {deck} is drawn from")
            self.need(not self.deck[name], "reshuffle", f"{name} deck still holds {len(self.deck[name])} cards")
            self.need(self.pile[name], "reshuffle", f"no discarded {name}")
            self.deck[name], self.pile[name] = self.pile[name], set()
            self.shuffled.add(name)
            deck = name
        card = str(self.take("draw", rule, seat=seat, why=why)["card"])
        name = deck_of(card)
        self.need(deck in (None, name), rule, f"{card} is no card of the {deck} deck")
        self.need(card in self.deck[name], "draw", f"{card} does not lie in the {name} deck")
        if name not in self.shuffled:
            first = next(c for c in self.order[name][seat] if c in self.deck[name])
            self.need(card == first, "draw order", f"seat {seat} draws {card}, on top for it lies {first}")
        self.deck[name].remove(card)
        return card

    def discard(self, seat: int, card: str, rule: str) -> None:
        """Read the discard of a card."""
        self.take("discard", rule, seat=seat, card=card)
        self.pile[deck_of(card)].add(card)

    # workers and places
    def limit(self, place: str) -> int:
        """Return how many workers a limited place holds, C14 tokens taken off."""
        spaces = self.rules["spaces_at"].get(place, self.rules["spaces"] or self.seats)
        return int(spaces) - self.tokens.get(place, 0)

    def free(self, place: str) -> int:
        """Return the free spaces of a limited place."""
        return self.limit(place) - sum(self.placed.get(place, ()))

    def remove(self, seat: int, place: str, rule: str) -> None:
        """Take one of a seat's workers off a place."""
        if place == UNPLACED:
            self.need(self.ready[seat] > 0, rule, f"seat {seat} has no unplaced worker")
            self.ready[seat] -= 1
        elif place.startswith("space:"):
            space = place.partition(":")[2]
            self.need(self.injured[seat][space] > 0, rule, f"seat {seat} has no worker on {place}")
            self.injured[seat][space] -= 1
        else:
            row = self.placed.get(place)
            self.need(row is not None and row[seat] > 0, rule, f"seat {seat} has no worker at {place}")
            assert row is not None
            row[seat] -= 1

    def marker(self, seat: int) -> int:
        """Return where a seat's offering marker stands."""
        return max(0, int(self.workers[seat] + self.rules["offering_base"] + self.raises * self.rules["raise_by"]))

    def may_enter(self, seat: int) -> bool:
        """Return whether a seat's army can enter the Castrum."""
        hurt = self.injured[seat]
        return self.army[seat] and 20 in self.owner and not hurt["C28"] and not hurt["C31"]

    # set-up
    def set_up(self) -> None:
        """Read the set-up and check it against the rules."""
        rules, book = self.rules, self.book
        e = self.take("setup", "set-up")
        n = self.seats = int(e["seats"])
        seats = range(n)
        self.need(n in self.seat_counts, "set-up", f"{n} seats")
        self.start = int(e["seat_order"][0])
        self.need(e["seat_order"] == [(self.start + i) % n for i in seats], "set-up", "seats not clockwise")
        self.need(sorted(e["listed_seats"]) == list(seats), "set-up", f"listed seats {e['listed_seats']}")
        self.goods: list[Goods] = [dict.fromkeys(book.value, 0) for _ in seats]
        for s in seats:
            self.gain(s, dict.fromkeys(book.basic, rules["goods_start"]))
        self.workers: list[int] = [rules["workers_start"]] * n
        self.need(e["workers"] == {str(s): w for s, w in enumerate(self.workers)}, "set-up", f"workers {e['workers']}")
        self.need(e["calm_steps_made"] == 0, "set-up", f"the time marker moved {e['calm_steps_made']} steps already")
        self.owner: dict[int, int] = {int(b): s for b, s in e["owned_buildings"].items()}
        for s in seats:
            own = [b for b, o in self.owner.items() if o == s]
            self.need(len(own) == rules["start_buildings"], "set-up", f"seat {s} starts with buildings {own}")
        self.need(all(book.colour[b] == RED for b in self.owner), "set-up", "a first building is not red")
        self.co_owners: dict[int, set[int]] = {}
        self._set_up_cards(e)
        self._set_up_volcano(e["decks"]["volcano"])
        self.ready = [0] * n
        self.placed: dict[str, list[int]] = {}
        self.injured = [dict.fromkeys(SPACES, 0) for _ in seats]
        self.tokens: dict[str, int] = {}
        self.army = [False] * n
        self.calm_steps = 0
        self.raises = self.successes = self.eruptions = 0

    def _set_up_cards(self, e: Event) -> None:
        rules, seats = self.rules, range(self.seats)
        forced = {"specialists": rules["deal"]["specialists"], "city": rules["deal"]["city"]}
        self.forced_city = {s: list(forced["city"].get(s, ())) for s in seats}
        self.hand: list[set[str]] = [set(e["hands"][str(s)]) for s in seats]
        self.active: list[set[str]] = [set() for _ in seats]
        self.deck: dict[str, set[str]] = {}
        self.pile: dict[str, set[str]] = {"specialists": set(), "city": set()}
        self.shuffled: set[str] = set()
        self.order = {d: [list(e["decks"][d][str(s)]) for s in seats] for d in self.pile}
        for s in seats:
            self.need(len(e["hands"][str(s)]) == len(self.hand[s]) == rules["specialists_dealt"], "set-up",
                      f"seat {s} is dealt {e['hands'][str(s)]}")  # fmt: skip
            missing = set(forced["specialists"].get(s, ())) - self.hand[s]
            self.need(not missing, "forced deal", f"seat {s} lacks {sorted(missing)}")
        dealt = [c for h in self.hand for c in h]
        self.need(len(set(dealt)) == len(dealt), "set-up", "a card is dealt twice")
        for name, cards in self.book.decks.items():
            # forced city cards wait for their seats: nobody else can draw them
            self.deck[name] = set(cards) - set(dealt) - {c for own in self.forced_city.values() for c in own}
            for s in seats:
                self.need(sorted(self.order[name][s]) == sorted(self.deck[name]), "set-up", f"{name} deck of seat {s}")
        self.need(all(c[0] == "S" for c in dealt), "set-up", "a city card is dealt before Foro is built")

    def _set_up_volcano(self, deck: list[str]) -> None:
        rules = self.rules
        count = 17 if rules["volcano_cards"] == "all" else rules["volcano_cards"]
        self.volcano = list(deck)
        normal = [c for c in deck if c != "apocalypse"]
        self.need(len(deck) == count + 1 and len(set(normal)) == count, "volcano deck", f"{deck}")
        level = f"V{rules['difficulty']}"
        self.need(all(c.startswith(level) for c in normal), "volcano deck", f"a card is not of level {level}: {deck}")
        at, where = deck.index("apocalypse") + 1, rules["apocalypse"]
        right = {"top": at == 1, "bottom": at == count + 1, "shuffled": True, "bottom-half": at > (count + 1) // 2}
        self.need(at == where if isinstance(where, int) else right[where], "Apocalypse",
                  f"lies at {at} of {len(deck)}, {where} asked")  # fmt: skip
