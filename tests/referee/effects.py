"""What cards do, read against the events that follow them."""

from __future__ import annotations

from typing import Any

from referee.rulebook import FORO, RED, TEMPIO, Goods, deck_of
from referee.table import UNPLACED, Table


class Effects(Table):
    """Activations and their effects."""

    turn_place: str | None
    above: set[tuple[int, str]]
    stopped: set[int]

    def extra_action(self, seat: int) -> None:
        """Read one extra worker action; given by the class of worker actions."""
        raise NotImplementedError

    def put_out(self, seat: int, card: str) -> None:
        """Read a card taking effect, from the `card` event to the discard of a one-time card."""
        before = self.events[self.at + 1] if self.at + 1 < len(self.events) else None
        if before is not None and before["event"] == "worker" and self.book.op[card] == "new_worker":
            self._new_worker(seat, self.book.effect[card])
            self.take("card", "activation", seat=seat, card=card)
        else:
            self.take("card", "activation", seat=seat, card=card)
            if self.book.op[card] == "new_worker":
                self._new_worker(seat, self.book.effect[card])
        if self.book.mark[card] == "always":
            self.active[seat].add(card)
            return
        self.need(self.book.mark[card] == "once", "star cards", f"{card} cannot be activated")
        effect = getattr(self, f"_{self.book.op[card]}", None)
        if effect is None:
            self.fail("cards", f"no one-time effect {self.book.op[card]}")
        if self.book.op[card] != "new_worker":
            effect(seat, self.book.effect[card])
        self.discard(seat, card, f"{card} goes to the discard pile after use")

    def free_card(self, seat: int, deck: str) -> None:
        """Read a card drawn and active at once, a star card drawn into the hand."""
        card = self.draw(seat, deck, "free", "free card")
        if self.book.mark[card] == "star":
            self.hand[seat].add(card)
        else:
            self.put_out(seat, card)

    def others(self, seat: int) -> list[int]:
        """Return the other seats, clockwise."""
        return [(seat + i) % self.seats for i in range(1, self.seats)]

    # goods
    def _gain(self, seat: int, effect: dict[str, Any]) -> None:
        self.gain(seat, effect["goods"])

    def _gain_choice(self, seat: int, effect: dict[str, Any]) -> None:
        left = effect["count"]
        while left:
            e = self.take("take", "gain of choice", seat=seat)
            self.need(self.book.value[e["good"]] == effect["value"], "gain of choice", f"{e['good']} has another value")
            self.need(1 <= e["count"] <= left and "for" not in e, "gain of choice", f"{e['count']} of {left} left")
            self.gain(seat, {e["good"]: e["count"]})
            left -= e["count"]

    def _swap_same_value(self, seat: int, effect: dict[str, Any]) -> None:
        own, value = self.goods[seat], self.book.value
        if self.next_is("take", seat=seat):
            e = self.take("take", "swap of one value", seat=seat)
            give, get, n = e["for"], e["good"], e["count"]
            self.need(value[give] == value[get] and give != get and n > 0, "swap of one value", f"{n} {give} for {get}")
            self.pay(seat, {give: n}, rule="swap of one value")
            self.gain(seat, {get: n})
            return
        open_ = [
            g for g, n in own.items() if n and any(own[h] < self.cap and h != g for h in self.book.of_value[value[g]])
        ]
        self.need(not open_, "effect missing", f"seat {seat} could swap {open_}")

    def _steal(self, seat: int, victim: int, goods: list[str], rule: str) -> None:
        e = self.take("steal", rule, seat=seat, from_seat=victim)
        self.need(e.get("good") in goods, rule, f"{e.get('good')} is not among {goods}")
        self.pay(victim, {e["good"]: 1}, rule=rule)
        self.gain(seat, {e["good"]: 1})

    def _held(self, seat: int, value: int = 0) -> list[str]:
        return [g for g, n in self.goods[seat].items() if n and value in (0, self.book.value[g])]

    def _steal_each(self, seat: int, effect: dict[str, Any]) -> None:
        left = {v for v in self.others(seat) if self._held(v, effect["value"])}
        while left:
            victim = self.events[self.at + 1].get("from_seat") if self.next_is("steal", seat=seat) else None
            self.need(victim in left, "S06", f"a good of value {effect['value']} is due from seats {left}")
            assert victim is not None
            self._steal(seat, victim, self._held(victim, effect["value"]), "S06")
            left.remove(victim)

    def _steal_choice(self, seat: int, effect: dict[str, Any]) -> None:
        first: int | None = None
        for _ in range(effect["count"]):
            able = [v for v in self.others(seat) if self._held(v) and first in (None, v)]
            if not able:
                return
            if not self.next_is("steal", seat=seat):
                self.fail("effect missing", f"seat {seat} can steal from {able}")
            first = self.events[self.at + 1]["from_seat"]
            self.need(first in able, "C38", f"seat {first} cannot be stolen from")
            assert first is not None
            self._steal(seat, first, self._held(first), "C38")

    def _receive_gifts(self, seat: int, effect: dict[str, Any]) -> None:
        left = {v for v in self.others(seat) if self._held(v)}
        while left:
            e = self.take("gift", "C35", to_seat=seat)
            giver = e["seat"]
            self.need(giver in left and e["good"] in self._held(giver), "C35", f"seat {giver} gives {e['good']}")
            left.remove(giver)
            self.pay(giver, {e["good"]: 1}, rule="C35")
            self.gain(seat, {e["good"]: 1})

    # cards
    def draw_up_to(self, seat: int, deck: str, count: int, why: str) -> list[str]:
        """Read draws until the count is reached or no card is left."""
        drawn: list[str] = []
        while len(drawn) < count and self.drawable(deck):
            drawn.append(self.draw(seat, deck, why, f"{count} cards are drawn"))
        return drawn

    def keep_of(self, seat: int, drawn: list[str], keep: int) -> None:
        """Read which drawn cards stay in hand; the others are discarded."""
        left = list(drawn)
        if len(left) > keep:
            for _ in range(keep):
                card = str(self.take("keep", "keep", seat=seat, **{"from": "drawn"})["card"])
                self.need(card in left, "keep", f"{card} was not drawn")
                left.remove(card)
                self.hand[seat].add(card)
            for _ in range(len(left)):
                card = str(self.take("discard", f"only {keep} drawn cards are kept", seat=seat)["card"])
                self.need(card in left, "keep", f"{card} discarded, left are {left}")
                left.remove(card)
                self.pile[deck_of(card)].add(card)
            return
        while left and self.next_is("keep", seat=seat):
            card = str(self.take("keep", "keep", seat=seat)["card"])
            self.need(card in left, "keep", f"{card} was not drawn")
            left.remove(card)
            self.hand[seat].add(card)
        self.hand[seat].update(left)

    def _draw_keep(self, seat: int, effect: dict[str, Any]) -> None:
        drawn = self.draw_up_to(seat, effect["deck"], effect["draw"], "card")
        self.keep_of(seat, drawn, effect["keep"])

    def _exchange_city(self, seat: int, effect: dict[str, Any]) -> None:
        city = [c for c in self.hand[seat] if c[0] == "C"]
        for _ in range(min(effect["discard"], len(city))):
            card = str(self.take("discard", "C21", seat=seat)["card"])
            self.need(card in self.hand[seat] and card[0] == "C", "C21", f"{card} is no city card in hand")
            self.hand[seat].remove(card)
            self.pile["city"].add(card)
        if not city and not self.next_is("draw", seat=seat, why="card"):
            return  # nothing to discard: the exchange does not happen
        self.hand[seat].update(self.draw_up_to(seat, "city", effect["draw"], "card"))

    def _free_specialists(self, seat: int, effect: dict[str, Any]) -> None:
        for _ in range(effect["count"]):
            if self.drawable("specialists"):
                self.free_card(seat, "specialists")

    def _take_card(self, seat: int, able: set[tuple[int, str]], to: str, rule: str) -> None:
        if not able:
            return
        e = self.take("steal", rule, seat=seat, to=to)
        pair = (e["from_seat"], e["card"])
        self.need(pair in able, rule, f"{pair} cannot be taken")
        self.active[pair[0]].remove(pair[1])
        (self.hand if to == "hand" else self.active)[seat].add(pair[1])

    def _take_specialist(self, seat: int, effect: dict[str, Any]) -> None:
        able = {(v, c) for v in self.others(seat) for c in self.active[v] if c[0] == "S"}
        self._take_card(seat, able, "hand", "C11")

    def _take_temple(self, seat: int, effect: dict[str, Any]) -> None:
        able = {(v, c) for v in self.others(seat) for c in self.active[v] if self.book.op[c] == "temple"}
        self._take_card(seat, able, "active", "C29")

    def _from_discard(self, seat: int, effect: dict[str, Any]) -> None:
        if not self.pile["city"]:
            return
        card = str(self.take("keep", "C25", seat=seat, **{"from": "discard_pile"})["card"])
        self.need(card in self.pile["city"], "C25", f"{card} is not in the discard pile")
        self.pile["city"].remove(card)
        if self.book.mark[card] == "star":
            self.hand[seat].add(card)  # it cannot be activated
        else:
            self.put_out(seat, card)

    # workers
    def _new_worker(self, seat: int, effect: dict[str, Any]) -> None:
        count = min(effect["count"], self.rules["workers_most"] - self.workers[seat])
        if count > 0:
            self.recruit(seat, count)

    def recruit(self, seat: int, count: int) -> None:
        """Read new workers, ready at once."""
        self.take("worker", "new workers", seat=seat, change="new", count=count)
        self.workers[seat] += count
        self.ready[seat] += count
        self.need(
            self.workers[seat] <= self.rules["workers_most"], "workers", f"seat {seat}: {self.workers[seat]} workers"
        )

    def _lose_worker(self, seat: int, effect: dict[str, Any]) -> None:
        left = {v for v in self.others(seat) if self.workers[v] > effect["above"]}
        # idle workers (forbid lists) and those lent by C01 stand on no place of their own
        nowhere = {
            v for v in left
            if not self.ready[v] and not any(self.injured[v].values()) and not any(r[v] for r in self.placed.values())
        }  # fmt: skip
        while left - nowhere or (left and self.next_is("worker", change="lost")):
            e = self.take("worker", "C40", change="lost")
            victim = e["seat"]
            self.need(victim in left, "C40", f"seat {victim} loses a worker; due from {left}")
            left.remove(victim)
            self.remove(victim, e["place"], "C40")
            self.workers[victim] -= 1

    def _injure(self, seat: int, space: str, victims: list[int]) -> None:
        able = []
        for v in victims:
            places = [p for p, row in self.placed.items() if row[v] > 0]
            if self.rules["injure_unplaced"] and self.ready[v] > 0:
                places.append(UNPLACED)
            able += [(v, p) for p in places]
        if not able:
            return
        e = self.take("worker", space, change="injured", place=f"space:{space}", by_seat=seat)
        pair = (e["seat"], e["from_place"])
        self.need(pair in able, space, f"worker of seat {pair[0]} at {pair[1]} cannot be injured; possible: {able}")
        self.remove(*pair, space)
        self.injured[pair[0]][space] += 1

    def _injure_worker(self, seat: int, effect: dict[str, Any]) -> None:
        self._injure(seat, "C12", self.others(seat))

    def _injure_army(self, seat: int, effect: dict[str, Any]) -> None:
        self._injure(seat, "C28", [v for v in self.others(seat) if self.army[v]])

    def _reclaim_workers(self, seat: int, effect: dict[str, Any]) -> None:
        own = self.rules["reclaim_workers"] == "own"
        able = {}
        for place, row in self.placed.items():
            n = row[seat] if own else sum(row)
            number = int(place.partition(":")[2]) if place.startswith("building:") else 0
            if n and self.book.colour.get(number) in ("red", "blue") and number != FORO:
                able[place] = n
        if not able:
            return
        e = self.take("worker", "C01", seat=seat, change="reclaimed")
        self.need(e["place"] in able, "C01", f"{e['place']} holds no workers to take; possible: {able}")
        self.need(e["count"] == able[e["place"]], "C01", f"{e['count']} workers taken, {able[e['place']]} stand there")
        row = self.placed[e["place"]]
        for s in [seat] if own else range(self.seats):
            row[s] = 0
        self.ready[seat] += e["count"]

    def _extra_actions(self, seat: int, effect: dict[str, Any]) -> None:
        for _ in range(effect["count"]):
            self.extra_action(seat)

    # buildings
    def _co_owner(self, seat: int, effect: dict[str, Any]) -> None:
        able = {
            b for b, o in self.owner.items()
            if self.book.colour[b] == RED and o != seat and seat not in self.co_owners.get(b, ())
        }  # fmt: skip
        if not able:
            return
        number = int(self.take("co_owner", "S27", seat=seat)["place"].partition(":")[2])
        self.need(number in able, "S27", f"building {number} cannot get a marker; possible: {able}")
        self.co_owners.setdefault(number, set()).add(seat)

    def coverable(self, number: int) -> bool:
        """Return whether a C14 token may close a space of a building."""
        place = f"building:{number}"
        return number in self.owner and self.free(place) > 0 and not (number == FORO and self.limit(place) == 1)

    def _cover_spaces(self, seat: int, effect: dict[str, Any]) -> None:
        # the box holds that many tokens: those on the board are not laid again
        for _ in range(effect["tokens"] - sum(self.tokens.values())):
            able = {b for b in range(1, 20) if self.coverable(b)}
            if not able:
                return
            place = str(self.take("token", "C14", seat=seat)["place"])
            self.need(int(place.partition(":")[2]) in able, "C14", f"{place} has no free space to cover")
            self.tokens[place] = self.tokens.get(place, 0) + 1

    def _destroy_temple(self, seat: int, effect: dict[str, Any]) -> None:
        self.owner.pop(TEMPIO, None)
        self.tokens.pop(f"building:{TEMPIO}", None)

    def bonus(self, user: int, number: int, spent: Goods) -> None:
        """Read the owner bonus of a use; each owner but the user gets one of the goods spent."""
        amount = self.rules["owner_bonus"]
        kinds = [g for g, n in spent.items() if n > 0]
        due = {self.owner[number], *self.co_owners.get(number, ())} - {user}
        if number == FORO or amount == 0 or (self.book.colour[number] == "blue" and self.has_op(user, "no_bonus")):
            due = set()
        place = f"building:{number}"
        while self.next_is("bonus", place=place):
            e = self.take("bonus", "owner bonus", place=place)
            self.need(
                e["seat"] in due, "owner bonus", f"seat {e['seat']} gets a bonus of building {number}; due to {due}"
            )
            self.need(e["good"] in kinds, "owner bonus", f"{e['good']} was not spent ({kinds})")
            due.remove(e["seat"])
            self.gain(e["seat"], {e["good"]: amount})
        missing = [s for s in due if amount and any(self.goods[s][g] < self.cap for g in kinds)]
        self.need(not missing, "owner bonus", f"no bonus for seats {missing} from building {number}")
