"""A traced game told as a story: a line an event, with names, so that a designer can follow it with the rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pompeii_sim.games.pompeii.data_files import PompeiiData

Event = Mapping[str, Any]


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
        self.cards = {card.id: card.name for card in (*data.specialists, *data.city)}
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
        name = self.cards.get(card)
        return f"{card} ({name})" if name else card

    def place(self, place: str) -> str:
        kind, _, rest = place.partition(":")
        if kind == "building":
            return f"{rest} {self.buildings[rest]}"
        if kind == "field":
            return f"the {self.goods[rest].lower()} field"
        names = {"costruzione": "Costruzione", "porta": "Porta di Pompeii", "piazza": "Piazza di Pompeii"}
        return names.get(place, f"space {rest}" if kind == "space" else "the workers not yet placed")

    def good_list(self, goods: Mapping[str, int], sign: int) -> str:
        parts = [f"{abs(n)} {self.goods[g].lower()}" for g, n in goods.items() if n * sign > 0]
        return ", ".join(parts)

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
        if e["seats"] == 1:
            return self._solo_setup(e)
        lines = [f"Set-up: {e['seats']} seats, seat {e['seat_order'][0]} starts."]
        owner = {seat: b for b, seat in e["owned_buildings"].items()}
        for seat in range(e["seats"]):
            own = f"owns {self.place('building:' + owner[seat])}; " if seat in owner else ""
            hand = ", ".join(e["hands"][str(seat)])
            lines.append(f"  Seat {seat}: {own}hand {hand}; {self.good_list(e['goods'].get(str(seat), {}), 1)}.")
        return [*lines, f"  Volcano deck: {', '.join(e['decks']['volcano'])}."]

    def _solo_setup(self, e: Event) -> list[str]:
        tiles = ", ".join(self.place("building:" + b) for b in e["owned_buildings"]) or "nothing"
        return [
            "Set-up: one seat.",
            f"  Built: {tiles}; goods: {self.good_list(e['goods'].get('0', {}), 1)}.",
            f"  Open specialists: {', '.join(self.card(card) for card in e['open'])}.",
            f"  Volcano cards: {', '.join(e['decks']['volcano'])}.",
        ]

    def _on_round(self, e: Event) -> list[str]:
        return ["", f"Round {e['round']} ({e['phase']}), seat {e['seat']} starts."]

    def _on_place(self, e: Event) -> str:
        kind = e["action"].partition(":")[0]
        how = {"worker": "", "extra_action": " as an extra action", "second_worker": " with a second worker"}[e["as"]]
        return f"{self.who(e)} {self._verbs[kind](e)}{how}{self.changes(e, e['seat'])}"

    def _collect(self, e: Event) -> str:
        return f"collects at {self.place(e['place'])}"

    def _produce(self, e: Event) -> str:
        return f"produces at {self.place(e['place'])}, {e['amount']} times"

    def _use(self, e: Event) -> str:
        return f"uses {self.card(e['card'])} at {self.place(e['place'])}"

    def _build(self, e: Event) -> str:
        number = e["action"].partition(":")[2].partition("+")[0]
        helped = f" with {self.card(e['card'])}" if e["card"] else ""
        verb = "pays for" if number == "20" else "builds"
        return f"{verb} {self.place('building:' + number)}{helped}"

    def _trade(self, e: Event) -> str:
        return f"trades {self.goods[e['give']].lower()} for {self.goods[e['take']].lower()} at the Porta di Pompeii"

    def _train(self, e: Event) -> str:
        return f"trains {self.card(e['card'])} at the Piazza di Pompeii"

    def _swap(self, e: Event) -> str:
        return f"swaps {self.card(e['card'])} at the Piazza di Pompeii"

    def _activate(self, e: Event) -> str:
        return f"activates {self.card(e['card'])} at the Foro"

    def _release(self, e: Event) -> str:
        return f"frees a worker from space {e['action'].partition(':')[2]} at the Foro"

    def _uncover(self, e: Event) -> str:
        return f"removes a token from {self.place('building:' + e['action'].partition(':')[2])} at the Foro"

    def _recruit(self, e: Event) -> str:
        return f"recruits {e['amount']} at the Anfiteatro"

    def _army(self, e: Event) -> str:
        return "buys an army at the Terme Stabiane"

    def _idle(self, e: Event) -> str:
        return "places a worker without doing anything (all else is forbidden)"

    def _on_bonus(self, e: Event) -> str:
        why = "owner bonus of " if "good" in e else "C34 at the "
        place = self.place(e["place"])
        return f"{self.who(e)}: {why}{place}{self.changes(e, e['seat'])}"

    def _on_phase(self, e: Event) -> str:
        if e["seat"] is None:
            return "The lower deck is empty: 17 Foro di Pompeii is built for free, and Vesuvius awakens."
        return "  Vesuvius awakens: the Awakening begins, every round now ends with an offering."

    def _on_card(self, e: Event) -> str:
        return f"{self.who(e)}: {self.card(e['card'])} takes effect{self.changes(e, e['seat'])}"

    def _on_draw(self, e: Event) -> str:
        reasons = {
            "swap": "",
            "free": " and activates it at once",
            "card": "",
            "offering": " for the offering",
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
            return f"{self.who(e)} takes 1 {self.goods[e['good']].lower()} from seat {e['from_seat']}"
        return f"{self.who(e)} takes {self.card(e['card'])} from seat {e['from_seat']}"

    def _on_gift(self, e: Event) -> str:
        return f"{self.who(e)} gives 1 {self.goods[e['good']].lower()} to seat {e['to_seat']}"

    def _on_worker(self, e: Event) -> str:
        change = e["change"]
        if change == "new":
            return f"{self.who(e)} has {e['count']} more workers for this round"
        if change == "lost":
            return f"{self.who(e)} loses a worker ({self.place(e['place'])})"
        if change == "injured":
            source = self.place(e["from_place"])
            return f"{self.who(e)}: a worker goes from {source} to {self.place(e['place'])}, by seat {e['by_seat']}"
        if change == "released":
            return f"{self.who(e)}: a worker leaves {self.place(e['place'])}"
        return f"{self.who(e)} takes {e['count']} workers off {self.place(e['place'])} for this round"

    def _on_star(self, e: Event) -> str:
        against = f" against seat {e['against_seat']}" if "against_seat" in e else ""
        return f"{self.who(e)} plays {self.card(e['card'])}{against}"

    def _on_due(self, e: Event) -> str:
        changed = f" ({e['change']:+d} by star cards)" if e["change"] else ""
        return f"  Offering: {e['due']} is due{changed}"

    def _on_pledge(self, e: Event) -> str:
        return f"{self.who(e)} pledges {e['amount']}" + (" in all, the second time round" if e["pass"] == 2 else "")

    def _on_pay(self, e: Event) -> str:
        return f"{self.who(e)} pays goods worth {e['paid']}{self.changes(e, e['seat'])}"

    def _on_offering(self, e: Event) -> str:
        return (
            f"  Pledged {e['pledged']} of {e['due']}: the offering {'succeeds' if e['result'] == 'paid' else 'fails'}"
        )

    def _on_time_marker(self, e: Event) -> str:
        if e["successes"] == 0:
            return f"  Time marker back to the start; every marker rises (raise {e['raises']})"
        return f"  Time marker: {e['successes']} in a row"

    def _on_eruption(self, e: Event) -> list[str]:
        if e["card"] == "apocalypse":
            return ["  Vesuvius erupts: the Apocalypse. All are lost."]
        shown = ", ".join(self.goods[g].lower() for g in self.volcano[e["card"]])
        lines = [f"  Vesuvius erupts: {e['card']} destroys {shown}"]
        for seat, goods in e["goods"].items():
            lines.append(f"    Seat {seat} loses {self.good_list(goods, -1)}")
        return lines

    def _on_blocked(self, e: Event) -> str:
        shown = ", ".join(self.goods[g].lower() for g in e["blocked"])
        return f"  Volcano card {e['number']}, {e['card']}: {shown} only by trade in the next round"

    def _on_round_end(self, e: Event) -> str:
        return f"  Workers go home; seat {e['next_start']} starts the next round"

    def _on_army_placed(self, e: Event) -> str:
        return f"{self.who(e)} places its army in 20 {self.buildings['20']}"

    def _on_castrum(self, e: Event) -> str:
        if e["result"] == "built":
            return f"{self.who(e)}: 20 {self.buildings['20']} stands"
        return f"{self.who(e)}: the Castrum is stopped by seat {e['by_seat']}; a worker waits on space C31"

    def _on_token(self, e: Event) -> str:
        return f"{self.who(e)} covers a space of {self.place(e['place'])}"

    def _on_co_owner(self, e: Event) -> str:
        return f"{self.who(e)} puts a second ownership marker on {self.place(e['place'])}"

    def _on_take(self, e: Event) -> str:
        source = f" for {self.goods[e['for']].lower()}" if "for" in e else ""
        return f"{self.who(e)} takes {e['count']} {self.goods[e['good']].lower()}{source}"

    def _on_reshuffle(self, e: Event) -> str:
        return f"  The {e['deck']} discard pile is shuffled into a new deck"

    def _on_game_end(self, e: Event) -> list[str]:
        title = f" Title: {e['title']}." if e.get("title") else ""
        ending = {
            "victory": f"Seat {e['winner']} wins: its army stands in the Castrum.{title}",
            "apocalypse": "The Apocalypse: everybody loses.",
            "round_cap": "Stopped at the round cap; the game counts as censored.",
            "decision_cap": "Stopped at the decision cap; the game counts as failed.",
        }[e["ending"]]
        closing = [f"  Seat {s}: {self.good_list(g, 1) or 'no goods'}" for s, g in e["closing_goods"].items()]
        return ["", ending, *closing]
