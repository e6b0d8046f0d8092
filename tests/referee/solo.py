"""The second reading of the game for one: what its rules change, on top of the reading of the other tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.referee import Referee
from referee.rulebook import FORO, RED, Book, Goods, deck_of
from referee.table import Event


class SoloReferee(Referee):
    """Reads one game for one."""

    seat_counts = range(1, 2)
    blocked: frozenset[str] = frozenset()
    city_only = False

    # set-up
    def _set_up_cards(self, e: Event) -> None:
        rules = self.rules
        self.forced_city = {0: list(rules["deal"]["city"].get(0, ()))}
        forced = list(rules["deal"]["specialists"].get(0, ()))
        self.need(e["hands"] == {"0": []}, "set-up", f"a hand of {e['hands']}")
        shown = list(e["open"])
        self.need(len(set(shown)) == len(shown) == rules["solo_open_specialists"], "open specialists", f"open: {shown}")
        self.need(all(c[0] == "S" for c in shown), "open specialists", f"open: {shown}")
        self.need(set(forced) <= set(shown), "forced deal", f"{forced} do not all lie open")
        self.hand, self.active, self.spent = [set()], [set(shown)], set[str]()
        self.pile = {"specialists": set(), "city": set()}
        self.shuffled = set()
        self.order = {d: [list(e["decks"][d]["0"])] for d in self.pile}
        self.deck = {
            name: set(cards) - set(shown) - set(self.forced_city[0]) for name, cards in self.book.decks.items()
        }
        for name, cards in self.deck.items():
            self.need(sorted(self.order[name][0]) == sorted(cards), "set-up", f"{name} deck")

    def _set_up_volcano(self, deck: list[str]) -> None:
        count = self.rules["solo_lower_deck"] + self.rules["solo_upper_deck"]
        level = f"V{self.rules['difficulty']}"
        normal = deck[:-1]
        self.need(deck[-1] == "apocalypse", "Apocalypse", "it does not lie below all other cards")
        self.need(len(normal) == len(set(normal)) == count, "volcano deck", f"{deck}")
        self.need(all(c.startswith(level) for c in normal), "volcano deck", f"a card is not of level {level}: {deck}")
        self.volcano = list(deck)
        self.turned = 0

    # rounds
    def _play(self) -> None:
        self.stopped = set()
        self.turn_place = None
        self.set_up()
        rules = self.rules
        last = rules["solo_lower_deck"] + rules["solo_upper_deck"] + rules["solo_final_rounds"]
        while True:
            if self.round >= rules["round_cap"]:
                self.game_end("round_cap", None)
            self.round += 1
            if self.round == rules["solo_lower_deck"] + 1:
                self._wake()
            self._round()
            self._show()
            for card in sorted(c for c in self.active[0] if c[0] == "S"):
                self.active[0].remove(card)
                self.discard(0, card, "unused specialists")
            if self.round >= last:
                self.turned += 1
                self.take("eruption", "the last round", card="apocalypse", number=self.turned)
                self.game_end("apocalypse", None)
            self.blocked = frozenset()
            if self.turned < len(self.volcano) - 1:
                self.failed = False
                if self.phase == "awakening":
                    self.offering()
                self._turn_card()
            for card in self.draw_up_to(0, "specialists", rules["solo_open_specialists"], "open"):
                self.active[0].add(card)
            self.take("round_end", "round end", next_start=0)

    def _wake(self) -> None:
        self.phase = "awakening"
        self.owner[FORO] = 0
        self.take("phase", "Awakening", to="awakening", seat=None)
        forced = list(self.forced_city[0])
        for _ in range(self.rules["solo_city_dealt"]):
            if self.peek() == "draw" and self.events[self.at + 1]["card"] in forced:
                card = str(self.take("draw", "city cards", seat=0, why="deal")["card"])
                forced.remove(card)
            elif self.drawable("city"):
                card = self.draw(0, "city", "deal", "city cards")
            else:
                break
            self.hand[0].add(card)
        self.need(not forced, "forced deal", f"not dealt: {forced}")

    def _turn_card(self) -> None:
        """Read the card that blocks goods in the next round."""
        if not self.failed:
            self.turned += 1
        card = self.volcano[self.turned - 1]
        goods = self.book.volcano[card]
        self.take("blocked", "a card is revealed each round", card=card, number=self.turned, blocked=goods)
        self.blocked = frozenset(goods)

    def eruption(self, out: set[int]) -> None:
        """Read the losses of an offering not made."""
        self.failed = True
        card = self.volcano[self.turned]
        self.turned += 1
        self.take("eruption", "eruption", card=card, number=self.turned)
        self.successes = 0
        if not out:
            self.pay(0, {g: self.goods[0][g] for g in self.book.volcano[card]})

    def game_end(self, ending: str, winner: int | None) -> None:
        """Read the end of the game and the title."""
        left = len(self.volcano) - self.turned - 1 + (1 if self.rules["title_counts_apocalypse"] else 0)
        title = None
        if ending == "victory":
            title = next((name for cards, name in self.book.titles if left >= cards), None)
        if self.peek() == "game_end":
            told = self.events[self.at + 1].get("title")
            self.need(told == title, "title", f"{told!r} for {left} cards left, expected {title!r}")
        super().game_end(ending, winner)

    # blocked goods
    def gain(self, seat: int, goods: Goods, times: int = 1) -> None:
        """Put goods on the tablet, those that are blocked left out."""
        super().gain(seat, {g: n for g, n in goods.items() if g not in self.blocked}, times)

    def _convert(self, seat: int, inputs: Goods, output: Goods, amount: int) -> Goods:
        self.need(not self.blocked & set(output), "blocked goods", f"{list(output)} cannot be produced in this round")
        return super()._convert(seat, inputs, output, amount)

    def _do_trade(self, seat: int, arg: str, e: Event) -> None:
        blocked, self.blocked = self.blocked, frozenset()
        super()._do_trade(seat, arg, e)
        self.blocked = blocked

    def _gain_choice(self, seat: int, effect: dict[str, Any]) -> None:
        if set(self.book.of_value[effect["value"]]) <= self.blocked:
            return
        super()._gain_choice(seat, effect)

    def _swap_same_value(self, seat: int, effect: dict[str, Any]) -> None:
        if self.next_is("take", seat=seat):
            good = self.events[self.at + 1]["good"]
            self.need(good not in self.blocked, "blocked goods", f"{good} by a city card")
        elif not any(
            n and set(self.book.of_value[self.book.value[g]]) - self.blocked - {g} for g, n in self.goods[0].items()
        ):
            return
        super()._swap_same_value(seat, effect)

    # specialists
    def _show(self) -> None:
        """Specialists that came to the player lie open."""
        drawn = {c for c in self.hand[0] if c[0] == "S"}
        self.hand[0] -= drawn
        self.active[0] |= drawn

    def placement(self, seat: int, how: str) -> Event:
        """Read one placement; specialists drawn before it lie open."""
        self._show()
        return super().placement(seat, how)

    def _spend_card(self, card: str) -> None:
        if card[0] == "S":
            self.need(card in self.active[0], "card use", f"{card} does not lie open")
            self.active[0].remove(card)
            self.spent.add(card)

    def _do_use(self, seat: int, arg: str, e: Event) -> None:
        self.need(arg not in self.spent, "each specialist once", f"{arg} was used before")
        if self.book.mark[arg] == "once":
            self.need(arg == e["card"] and arg in self.active[0], "card use", f"{arg} does not lie open")
            self._at(e, "piazza")
            self.active[0].remove(arg)
            self.put_out(0, arg)
            return
        super()._do_use(seat, arg, e)
        self._spend_card(arg)

    def discard(self, seat: int, card: str, rule: str) -> None:
        """Read a discard; a one-time specialist that was used is out of the game instead."""
        if deck_of(card) == "specialists" and rule.endswith("after use"):
            self.spent.add(card)
        else:
            super().discard(seat, card, rule)

    def _do_build(self, seat: int, arg: str, e: Event) -> None:
        number, _, card = arg.partition("+")
        calm = self.phase == "calm"
        self.need(not calm or self.book.colour[int(number)] == RED, "The Calm", f"building {number} is not red")
        self.need(int(number) != FORO, "Foro", "it is built for free")
        super()._do_build(seat, arg, e)
        if card:
            self._spend_card(card)

    def _do_train(self, seat: int, arg: str, e: Event) -> None:
        self.fail("use specialists", "nobody trains")

    def _do_swap(self, seat: int, arg: str, e: Event) -> None:
        self.fail("use specialists", "nobody swaps")

    def _cards(self, taking: list[int], paid: dict[int, int]) -> None:
        self.city_only = self.rules["solo_offering_deck"] == "city"
        super()._cards(taking, paid)
        self.city_only = False

    def drawable(self, deck: str) -> bool:
        """Return whether a card of a deck can be drawn; for over-offering that may be the city cards alone."""
        return not (self.city_only and deck == "specialists") and super().drawable(deck)

    def draw(self, seat: int, deck: str | None, why: str, rule: str) -> str:
        """Read a drawn card."""
        return super().draw(seat, "city" if self.city_only else deck, why, rule)


def check(events: Sequence[Event], rules: Mapping[str, Any], data: Path | Book,
          forbid: Mapping[int, Sequence[str]] | None = None) -> None:  # fmt: skip
    """Check one game for one; as `referee.check` does for other tables."""
    SoloReferee(events, rules, data if isinstance(data, Book) else Book(data), forbid).play()
