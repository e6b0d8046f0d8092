"""A traced game told as a story: a line an event, with names, so that a designer can follow it with the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pompeii_sim.games.pompeii.data_files import PompeiiData

Event = Mapping[str, Any]

COUNTED = {"column": "columns", "pearl": "pearls", "gold coin": "gold coins", "sword": "swords",
           "olives": "olives", "grapes": "grapes", "planks": "planks"}  # fmt: skip
"""Names of goods that are counted, with the word for several; all others are told by quantity (2 grain)."""
ONE = {"olives": "olive", "grapes": "grape", "planks": "plank"}
"""The word for one, where the name is the word for several."""


def tell(events: Sequence[Event], data: PompeiiData) -> str:
    """Return the story of a game.

    Parameters
    ----------
    events
        As `EventText.to_json` gives them, in order.
    data
        The game's data, for names.
    """
    teller = _Teller(data)
    lines: list[str] = []
    for event in events:
        lines.extend(teller.lines(event))
    return "\n".join(lines) + "\n"


class _Teller:
    def __init__(self, data: PompeiiData) -> None:
        self.goods = {g.id: g.name for g in data.goods}
        self.buildings = {str(b.number): b.name for b in data.buildings}
        self.cards = {card.id: card for card in (*data.specialists, *data.city)}
        self.seats = 0
        self.volcano = {card.id: card.goods for card in data.volcano}
        self._verbs: dict[str, Callable[[Event], str]] = {
            "collect": self._collect, "produce": self._produce, "use": self._use, "build": self._build,
            "trade": self._trade, "train": self._train, "swap": self._swap, "activate": self._activate,
            "release": self._release, "uncover": self._uncover, "recruit": self._recruit, "army": self._army,
            "idle": self._idle,
        }  # fmt: skip

    def lines(self, e: Event) -> list[str]:
        """Return the lines of one event."""
        method = getattr(self, f"_on_{e['event']}", None)
        assert method is not None, f"no story for event {e['event']!r}"
        told = method(e)
        return [told] if isinstance(told, str) else list(told)

    # names
    def card(self, card: str) -> str:
        known = self.cards.get(card)
        return f"{card} ({known.name})" if known else card

    def is_lasting(self, card: str) -> bool:
        """Whether a card stays and is used again and again."""
        known = self.cards.get(card)
        return known is not None and known.mark == "always"

    def op(self, card: str) -> str:
        """Return what a card does, as its data name it."""
        known = self.cards.get(card)
        return known.effect.op if known else ""

    def good(self, good: str) -> str:
        """Return a good's name within a sentence."""
        return self.goods[good].lower()

    def several(self, good: str) -> str:
        """Return the word for several of a good: planks, grain."""
        return COUNTED.get(self.good(good), self.good(good))

    def amount(self, count: int, good: str) -> str:
        """Return so many of a good: 1 plank, 2 planks, 2 grain."""
        name = self.good(good)
        return f"{count} {ONE.get(name, name) if count == 1 else self.several(good)}"

    def place(self, place: str) -> str:
        kind, _, rest = place.partition(":")
        if kind == "building":
            return f"{rest} {self.buildings[rest]}"
        if kind == "field":
            return f"the {self.good(rest)} field"
        names = {"costruzione": "the Costruzione", "porta": "the Porta di Pompeii", "piazza": "the Piazza di Pompeii"}
        return names.get(place, f"space {rest}" if kind == "space" else "the workers not yet placed")

    def good_list(self, goods: Mapping[str, int], sign: int) -> str:
        return ", ".join(self.amount(abs(n), g) for g, n in goods.items() if n * sign > 0)

    def names(self, goods: Sequence[str]) -> str:
        """Return the names of goods: grass, planks and coal."""
        told = [self.several(g) for g in goods]
        return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)

    def changes(self, e: Event, seat: int | None) -> str:
        """Return what a seat pays and gets in an event, in brackets."""
        goods = e["goods"].get(str(seat), {})
        paid, got = self.good_list(goods, -1), self.good_list(goods, 1)
        parts = ([f"pays {paid}"] if paid else []) + ([f"gets {got}"] if got else [])
        return f" [{'; '.join(parts)}]" if parts else ""

    def who(self, e: Event) -> str:
        return f"  Seat {e['seat']}"

    # events
    def _on_setup(self, e: Event) -> list[str]:
        self.seats = e["seats"]
        if e["seats"] == 1:
            return self._solo_setup(e)
        lines = [f"Set-up: {e['seats']} seats, seat {e['seat_order'][0]} starts."]
        owner = {seat: b for b, seat in e["owned_buildings"].items()}
        for seat in range(e["seats"]):
            own = f"owns {self.place('building:' + owner[seat])}; " if seat in owner else ""
            hand = ", ".join(e["hands"][str(seat)])
            lines.append(f"  Seat {seat}: {own}hand {hand}; {self.good_list(e['goods'].get(str(seat), {}), 1)}.")
        return [*lines, f"  Volcano deck, the top card first: {', '.join(e['decks']['volcano'])}."]

    def _solo_setup(self, e: Event) -> list[str]:
        tiles = ", ".join(self.place("building:" + b) for b in e["owned_buildings"]) or "nothing"
        return [
            "Set-up: one seat.",
            f"  Built: {tiles}; goods: {self.good_list(e['goods'].get('0', {}), 1)}.",
            f"  Open specialists: {', '.join(self.card(card) for card in e['open'])}.",
            f"  Volcano cards in their order: {', '.join(e['decks']['volcano'])}.",
        ]

    def _on_round(self, e: Event) -> list[str]:
        start = "" if self.seats == 1 else f", seat {e['seat']} starts"
        return ["", f"Round {e['round']} ({e['phase']}){start}."]

    def _on_place(self, e: Event) -> str:
        kind = e["action"].partition(":")[0]
        how = {"worker": "", "extra_action": " as an extra action", "second_worker": " with a second worker"}[e["as"]]
        changes = self.changes(e, e["seat"])
        if not changes and (kind in ("collect", "produce") or (kind == "use" and e["place"] != "piazza")):
            changes = " [gets nothing]"
        return f"{self.who(e)} {self._verbs[kind](e)}{how}{changes}"

    def _collect(self, e: Event) -> str:
        return f"collects at {self.place(e['place'])}"

    def _produce(self, e: Event) -> str:
        times = "once" if e["amount"] == 1 else f"{e['amount']} times"
        return f"produces at {self.place(e['place'])}, {times}"

    def _use(self, e: Event) -> str:
        if self.op(e["card"]) == "army_less":
            return f"buys an army with {self.card(e['card'])} at {self.place(e['place'])}"
        return f"uses {self.card(e['card'])} at {self.place(e['place'])}"

    def _build(self, e: Event) -> str:
        number = e["action"].partition(":")[2].partition("+")[0]
        helped = f" with {self.card(e['card'])}" if e["card"] else ""
        verb = "pays for" if number == "20" else "builds"
        return f"{verb} {self.place('building:' + number)}{helped}"

    def _trade(self, e: Event) -> str:
        return f"trades {self.several(e['give'])} for {self.several(e['take'])} at the Porta di Pompeii"

    def _train(self, e: Event) -> str:
        return f"trains {self.card(e['card'])} at the Piazza di Pompeii"

    def _swap(self, e: Event) -> str:
        return f"swaps {self.card(e['card'])} for a new card at the Piazza di Pompeii"

    def _activate(self, e: Event) -> str:
        return f"activates {self.card(e['card'])} at the Foro"

    def _release(self, e: Event) -> str:
        return f"frees a worker from space {e['action'].partition(':')[2]} at the Foro"

    def _uncover(self, e: Event) -> str:
        return f"takes a token off {self.place('building:' + e['action'].partition(':')[2])} at the Foro"

    def _recruit(self, e: Event) -> str:
        return f"recruits {_counted(e['amount'], 'worker')} at the Anfiteatro"

    def _army(self, e: Event) -> str:
        return "buys an army at the Terme Stabiane"

    def _idle(self, e: Event) -> str:
        return "places a worker without doing anything (all else is forbidden)"

    def _on_bonus(self, e: Event) -> str:
        place = self.place(e["place"])
        why = f"owner bonus of {place}" if "good" in e else f"bonus of {self.card(e['card'])} at {place}"
        return f"{self.who(e)}: {why}{self.changes(e, e['seat']) or ' [gets nothing]'}"

    def _on_phase(self, e: Event) -> str:
        if e["seat"] is None:
            return "The lower deck is empty: 17 Foro di Pompeii is built for free, and Vesuvius awakens."
        return "  Vesuvius awakens: the Awakening begins, every round now ends with an offering."

    def _on_card(self, e: Event) -> str:
        if self.is_lasting(e["card"]):
            return f"{self.who(e)}: {self.card(e['card'])} is active from now on"
        return f"{self.who(e)}: {self.card(e['card'])} takes effect{self.changes(e, e['seat'])}"

    def _on_draw(self, e: Event) -> str:
        reasons = {
            "swap": "",
            "free": " and activates it at once",
            "card": "",
            "offering": " for offering more than its marker",
            "deal": "",
            "open": ", open for the next round",
        }
        return f"{self.who(e)} draws {self.card(e['card'])}{reasons[e['why']]}"

    def _on_discard(self, e: Event) -> str:
        return f"{self.who(e)}: {self.card(e['card'])} goes to the discard pile"

    def _on_keep(self, e: Event) -> str:
        if e["from"] == "discard_pile":
            return f"{self.who(e)} takes {self.card(e['card'])} from the discard pile"
        return f"{self.who(e)} keeps {self.card(e['card'])}"

    def _on_steal(self, e: Event) -> str:
        if "good" in e:
            return f"{self.who(e)} takes {self.amount(1, e['good'])} from seat {e['from_seat']}"
        kept = "; it stays active" if e["to"] == "active" else " into its hand"
        return f"{self.who(e)} takes {self.card(e['card'])} from seat {e['from_seat']}{kept}"

    def _on_gift(self, e: Event) -> str:
        return f"{self.who(e)} gives {self.amount(1, e['good'])} to seat {e['to_seat']}"

    def _on_worker(self, e: Event) -> str:
        change = e["change"]
        if change == "new":
            return f"{self.who(e)} has {_counted(e['count'], 'more worker')}, to be placed from this round on"
        if change == "lost":
            return f"{self.who(e)} loses a worker for good, from {self.place(e['place'])}"
        if change == "injured":
            source = self.place(e["from_place"])
            return (
                f"{self.who(e)}: a worker goes from {source} to {self.place(e['place'])}, sent by seat {e['by_seat']}"
            )
        if change == "released":
            return f"{self.who(e)}: a worker leaves {self.place(e['place'])}"
        return (
            f"{self.who(e)} takes {_counted(e['count'], 'worker')} off {self.place(e['place'])} to place in this round"
        )

    def _on_star(self, e: Event) -> str:
        against = f" against seat {e['against_seat']}" if "against_seat" in e else ""
        return f"{self.who(e)} plays {self.card(e['card'])}{against}"

    def _on_due(self, e: Event) -> str:
        more = "more" if e["change"] > 0 else "less"
        changed = f" ({abs(e['change'])} {more} because of star cards)" if e["change"] else ""
        return f"  Offering: goods worth {e['due']} are due{changed}"

    def _on_pledge(self, e: Event) -> str:
        amount = e["amount"] or "nothing"
        return f"{self.who(e)} pledges {amount}" if e["pass"] == 1 else f"{self.who(e)} now pledges {amount} in all"

    def _on_pay(self, e: Event) -> str:
        paid = self.good_list(e["goods"].get(str(e["seat"]), {}), -1)
        return f"{self.who(e)} pays goods worth {e['paid']} [{paid}]"

    def _on_offering(self, e: Event) -> str:
        return (
            f"  Pledged {e['pledged']} of {e['due']}: the offering {'succeeds' if e['result'] == 'paid' else 'fails'}"
        )

    def _on_time_marker(self, e: Event) -> str:
        if e["successes"] == 0:
            times = "once" if e["raises"] == 1 else f"{e['raises']} times"
            return f"  The time marker is back at the circle; all offering markers rise (so far {times})"
        return f"  The time marker moves on: {_counted(e['successes'], 'successful offering')} in a row"

    def _on_eruption(self, e: Event) -> list[str]:
        if e["card"] == "apocalypse":
            return ["  Vesuvius erupts: the Apocalypse card is turned"]
        lines = [
            f"  Vesuvius erupts: {e['card']} destroys {self.names(self.volcano[e['card']])}; the time marker goes back"
        ]
        for seat, goods in e["goods"].items():
            lines.append(f"    Seat {seat} loses {self.good_list(goods, -1)}")
        return lines

    def _on_blocked(self, e: Event) -> str:
        return f"  Volcano card {e['number']}, {e['card']}: {self.names(e['blocked'])} only by trade in the next round"

    def _on_round_end(self, e: Event) -> str:
        return "  Workers go home" + ("" if self.seats == 1 else f"; seat {e['next_start']} starts the next round")

    def _on_army_placed(self, e: Event) -> str:
        return f"{self.who(e)} places its army in 20 {self.buildings['20']}"

    def _on_castrum(self, e: Event) -> str:
        if e["result"] == "built":
            return f"{self.who(e)}: 20 {self.buildings['20']} stands"
        return f"{self.who(e)}: the Castrum is stopped by seat {e['by_seat']}; a worker waits on space C31"

    def _on_token(self, e: Event) -> str:
        return f"{self.who(e)} covers a worker space of {self.place(e['place'])} with a token"

    def _on_co_owner(self, e: Event) -> str:
        return f"{self.who(e)} puts a second ownership marker on {self.place(e['place'])}"

    def _on_take(self, e: Event) -> str:
        if "for" in e:
            told = f"exchanges {self.several(e['for'])} for {self.several(e['good'])}"
            return f"{self.who(e)} {told}{self.changes(e, e['seat'])}"
        return f"{self.who(e)} takes {self.amount(e['count'], e['good'])}"

    def _on_reshuffle(self, e: Event) -> str:
        return f"  The {e['deck']} discard pile is shuffled into a new deck"

    def _on_game_end(self, e: Event) -> list[str]:
        title = f" Title: {e['title']}." if e.get("title") else ""
        ending = {
            "victory": f"Seat {e['winner']} wins: its army stands in the Castrum.{title}",
            "apocalypse": f"The Apocalypse: {'the game is lost' if self.seats == 1 else 'everybody loses'}.",
            "round_cap": "Stopped at the round cap; the game counts as censored.",
            "decision_cap": "Stopped at the decision cap; the game counts as failed.",
        }[e["ending"]]
        closing = [f"  Seat {s}: {self.good_list(g, 1) or 'no goods'}" for s, g in e["closing_goods"].items()]
        return ["", ending, "Goods at the end:", *closing]


def _counted(count: int, noun: str) -> str:
    """Return so many of a thing: 1 worker, 2 workers."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
