"""The offering at the end of an Awakening round."""

from __future__ import annotations

from referee.effects import Effects
from referee.table import GameOver


class Offerings(Effects):
    """Star cards, pledges, payment, eruption, cards for over-offering, time marker."""

    def offering(self) -> None:
        """Read one whole offering."""
        order = [(self.start + i) % self.seats for i in range(self.seats)]
        change, out, cancelled = self._stars(order)
        if cancelled:
            self.eruption(out)
            return
        taking = [s for s in order if s not in out]
        due = max(0, sum(self.marker(s) for s in taking) + change)
        self.take("due", "offering value", due=due, change=change)
        pledged = self._pledges(taking, due)
        total = sum(pledged.values())
        result = "paid" if total >= due else "failed"
        self.take("offering", "offering", result=result, due=due, pledged=total)
        if result == "failed":
            self.eruption(out)
            return
        paid = self._payment(taking, pledged)
        self._cards(taking, paid)
        self.successes += 1
        if self.successes >= self.rules["raise_after"]:
            self.successes = 0
            self.raises += 1
        self.take("time_marker", "time marker", raises=self.raises, successes=self.successes)

    def _stars(self, order: list[int]) -> tuple[int, set[int], bool]:
        change, out, cancelled, last = 0, set(), False, 0
        while self.peek() == "star":
            e = self.take("star", "star cards")
            seat, card = int(e["seat"]), str(e["card"])
            self.need(card in self.hand[seat], "star cards", f"{card} is not in the hand of seat {seat}")
            self.need(not cancelled, "star cards", "the offering is cancelled already")
            self.need(order.index(seat) >= last, "star cards", f"seat {seat} plays out of turn")
            last = order.index(seat)
            op = self.book.op[card]
            if op == "offering_value":
                change += self.book.effect[card]["change"]
            elif op == "stay_out":
                out.add(seat)
            elif op == "cancel_offering":
                cancelled = True
            else:
                self.fail("star cards", f"{card} has no place in an offering")
            self.hand[seat].remove(card)
            self.discard(seat, card, "star cards are discarded after use")
        return change, out, cancelled

    def _pledges(self, taking: list[int], due: int) -> dict[int, int]:
        pledged = dict.fromkeys(taking, 0)
        if due == 0 and self.peek() != "pledge":
            return pledged
        for turn in (1, 2):
            for seat in taking:
                if turn == 2 and sum(pledged.values()) >= due:
                    break
                e = self.take("pledge", "pledges", seat=seat, **{"pass": turn})
                amount = int(e["amount"])
                worth = self.worth(seat)
                fair = pledged[seat] <= amount <= worth
                self.need(fair, "pledges", f"seat {seat} pledges {amount}, before {pledged[seat]}, its goods: {worth}")
                pledged[seat] = amount
            if sum(pledged.values()) >= due:
                break
        return pledged

    def _payment(self, taking: list[int], pledged: dict[int, int]) -> dict[int, int]:
        paid = dict.fromkeys(taking, 0)
        for seat in [s for s in taking if pledged[s] > 0]:
            e = self.take("pay", "payment", seat=seat, pledged=pledged[seat])
            given = {g: -n for g, n in e["goods"].get(str(seat), {}).items() if n < 0}
            paid[seat] = sum(n * self.book.value[g] for g, n in given.items())
            self.need(paid[seat] == e["paid"], "payment", f"goods worth {paid[seat]}, reported {e['paid']}")
            self.need(paid[seat] >= pledged[seat], "payment", f"seat {seat} pays {paid[seat]} of {pledged[seat]}")
            waste = paid[seat] - pledged[seat]
            # goods are laid down one by one until the pledge is reached, so the last one was needed
            largest = max((self.book.value[g] for g in given), default=1)
            self.need(waste < largest, "payment", f"seat {seat} pays a good too many: {given} for {pledged[seat]}")
            self.pay(seat, given, rule="payment")
        return paid

    def _cards(self, taking: list[int], paid: dict[int, int]) -> None:
        rules = self.rules
        for seat in taking:
            count = max(0, paid[seat] - self.marker(seat)) * rules["over_offering_cards"]
            drawn: list[str] = []
            while len(drawn) < count and (self.drawable("city") or self.drawable("specialists")):
                drawn.append(self.draw(seat, None, "offering", f"seat {seat} draws {count} cards for over-offering"))
            self.keep_of(seat, drawn, rules["over_offering_keep"])

    def eruption(self, out: set[int]) -> None:
        """Read the volcano card of a failed or cancelled offering."""
        card = self.volcano[self.eruptions]
        self.eruptions += 1
        self.take("eruption", "eruption", card=card, number=self.eruptions)
        self.successes = 0
        if card == "apocalypse":
            self.game_end("apocalypse", None)
        for seat in range(self.seats):
            if seat not in out:
                self.pay(seat, {g: self.goods[seat][g] for g in self.book.volcano[card]})
        if self.peek() == "time_marker":
            self.take("time_marker", "time marker", raises=self.raises, successes=0)

    def game_end(self, ending: str, winner: int | None) -> None:
        """Read the end of the game."""
        e = self.take("game_end", "end of the game", ending=ending, winner=winner)
        closing = {str(s): {g: n for g, n in self.goods[s].items() if n} for s in range(self.seats)}
        self.need(e["closing_goods"] == closing, "goods", f"closing goods {e['closing_goods']}, expected {closing}")
        self.settle()
        self.need(self.at == len(self.events) - 1, "end of the game", "events follow the end")
        raise GameOver
