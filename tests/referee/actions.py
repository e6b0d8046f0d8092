"""Worker actions: where a worker may stand, what it does and what it costs."""

from __future__ import annotations

from referee.effects import Effects
from referee.rulebook import ANFITEATRO, BLUE, CASTRUM, FORO, RED, TEMPIO, TERME, Goods
from referee.table import Event


class Actions(Effects):
    """Placements of workers, extra actions and the second worker of C17."""

    def placement(self, seat: int, how: str) -> Event:
        """Read one placement and all that follows from it."""
        served = self._porta_bonus(seat)
        e = self.take("place", "worker actions", seat=seat, **{"as": how})
        self.need(
            e["card"] is None or str(e["card"]) in str(e["action"]),
            "format",
            f"{e['card']} is not the card of {e['action']}",
        )
        self.need(not served or e["place"] == "porta", "C34", f"a bonus of the Porta for a worker at {e['place']}")
        kind, _, arg = str(e["action"]).partition(":")
        self._forbidden(seat, str(e["action"]))
        if kind == "idle":
            self.need(
                self.forbid is None or self.forbid.get(seat), "no passing", "an idle worker, nothing is forbidden"
            )
            self._spend(seat, how)
            return e
        self._occupy(seat, e, how)
        method = getattr(self, f"_do_{kind}", None)
        if method is None:
            self.fail("worker actions", f"{e['action']} is no worker action")
        method(seat, arg, e)
        return e

    def extra_action(self, seat: int) -> None:
        """Read one extra worker action."""
        self.placement(seat, "extra_action")
        self.after_action(seat)

    def after_action(self, seat: int) -> None:
        """Read a victory in the middle of a turn, if there is one."""
        if self.peek() == "army_placed" and self.may_enter(seat):
            self.victory(seat)

    def victory(self, seat: int) -> None:
        """Read the army entering the Castrum; given by the class of the whole game."""
        raise NotImplementedError

    def _forbidden(self, seat: int, action: str) -> None:
        for item in (self.forbid or {}).get(seat, ()):
            name = action.partition("+")[0]
            if item in (name, name.partition(":")[0]):
                self.fail("forbid", f"seat {seat} may not do {action}")

    def _spend(self, seat: int, how: str) -> None:
        if how != "extra_action":
            self.need(self.ready[seat] > 0, "workers", f"seat {seat} has no worker left")
            self.ready[seat] -= 1

    def _occupy(self, seat: int, e: Event, how: str) -> None:
        place = str(e["place"])
        kind, _, arg = place.partition(":")
        self._spend(seat, how)
        if kind == "building":
            self.need(int(arg) in self.owner, "building not built", f"{place} is used by seat {seat}")
        if kind != "field":
            blue = kind == "building" and self.book.colour[int(arg)] == BLUE and self.has_op(seat, "extra_space")
            if how == "second_worker":
                self.need(blue and self.rules["extra_space"] == "second-worker", "C17", "no second worker allowed")
                self.need(place == self.turn_place, "C17", f"second worker at {place}, the first at {self.turn_place}")
            elif self.free(place) <= 0:
                # C17 lets in a worker, no extra action
                above = (
                    how == "worker" and self.rules["extra_space"] == "above-limit" and (seat, place) not in self.above
                )
                self.need(
                    blue and above,
                    "worker spaces",
                    f"{place} holds {self.placed.get(place)}, limit {self.limit(place)}",
                )
                self.above.add((seat, place))
        if how != "extra_action":
            self.placed.setdefault(place, [0] * self.seats)[seat] += 1
        if how == "worker":
            self.turn_place = place

    def _at(self, e: Event, place: str) -> None:
        self.need(e["place"] == place, "places", f"{e['action']} at {e['place']}, belongs to {place}")

    # collect, produce, use
    def _do_collect(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"field:{arg}")
        self.need(arg in self.book.basic, "collect", f"no field of {arg}")
        self.gain(seat, {arg: 1})

    def _convert(self, seat: int, inputs: Goods, output: Goods, amount: int) -> Goods:
        self.need(amount >= 1, "produce", f"{amount} conversions")
        self.pay(seat, inputs, amount, "produce")
        self.gain(seat, output, amount)
        return inputs

    def _do_produce(self, seat: int, arg: str, e: Event) -> None:
        number, amount = int(arg), int(e["amount"])
        self._at(e, f"building:{number}")
        if number == TEMPIO:
            give, take = str(e["give"]), str(e["take"])
            self.need(self.has_op(seat, "temple"), "Tempio", f"seat {seat} has no active temple card")
            self.need(self.book.value[give] == 1, "Tempio", f"{give} is not of value I")
            self.need(self.book.value[take] == 3 and take not in self.book.cards_only, "Tempio", f"{take} is given")
            whole = self.rules["tempio_amount"] == "whole-stack"
            self.need(not whole or amount == self.goods[seat][give], "Tempio", f"{amount} is not the whole stack")
            spent = self._convert(seat, {give: 1}, {take: 1}, amount)
        else:
            self.need(self.book.output[number], "produce", f"building {number} converts nothing")
            spent = self._convert(seat, self.book.inputs[number], self.book.output[number], amount)
        self.bonus(seat, number, spent)

    def _do_use(self, seat: int, arg: str, e: Event) -> None:
        self.need(arg == e["card"] and arg in self.active[seat], "card use", f"{arg} is not active for seat {seat}")
        self._at(e, self.book.place[arg])
        op, effect, amount = self.book.op[arg], self.book.effect[arg], int(e["amount"])
        kind, _, where = str(e["place"]).partition(":")
        spent: Goods = {}
        if op == "field_plus":
            self.gain(seat, {where: 1 + effect["extra"]})
        elif op == "field_goods":
            self.gain(seat, effect["goods"])
        elif op == "convert":
            spent = self._convert(seat, effect["inputs"], effect["output"], amount)
        elif op == "produce_plus":
            number = int(where)
            spent = self._convert(seat, self.book.inputs[number], self.book.output[number], amount)
            self.gain(seat, self.book.output[number], effect["extra"])
        elif op == "army_less":
            spent = {g: left for g, n in self.book.cost["army"].items() if (left := n - effect["goods"].get(g, 0)) > 0}
            self._army(seat, spent)
        else:
            self.fail("card use", f"{arg} is not used by a worker")
        if kind == "building" and spent:
            self.bonus(seat, int(where), spent)

    def _army(self, seat: int, cost: Goods) -> None:
        self.need(not self.army[seat], "army", f"seat {seat} has an army already")
        self.pay(seat, cost, rule="army")
        self.army[seat] = True

    def _do_army(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"building:{TERME}")
        self._army(seat, self.book.cost["army"])
        self.bonus(seat, TERME, self.book.cost["army"])

    def _do_recruit(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"building:{ANFITEATRO}")
        count, inputs = int(arg), self.book.inputs[ANFITEATRO]
        self.need(1 <= count <= 3, "Anfiteatro", f"{count} workers at once")
        self.pay(seat, inputs, count, "Anfiteatro")
        if self.peek() == "bonus":
            self.bonus(seat, ANFITEATRO, inputs)
            self.recruit(seat, count)
        else:
            self.recruit(seat, count)
            self.bonus(seat, ANFITEATRO, inputs)

    # trade
    def _do_trade(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, "porta")
        give, take, amount, value, rules = str(e["give"]), str(e["take"]), int(e["amount"]), self.book.value, self.rules
        self.need(give != take and amount >= 1, "trade", f"{amount} {give} for {take}")
        self.need(take not in self.book.cards_only, "trade", f"{take} comes from cards alone")
        step = value[take] - value[give]
        if step < 0:
            rate = rules["trade_down"]
        elif step == 0:
            rate = rules["trade_pearl"] if give in self.book.cards_only else rules["trade_same"]
        else:
            self.need(step == 1 or rules["trade_up_reach"] == "any", "trade", f"{give} to {take} is {step} steps up")
            rate = rules["trade_up"]
        self.pay(seat, {give: rate}, amount, "trade")
        self.gain(seat, {take: 1}, amount)

    def _porta_bonus(self, seat: int) -> set[int]:
        """Read the fish of C34, which comes when the worker is placed, before the trade."""
        served: set[int] = set()
        while self.next_is("bonus", place="porta"):
            e = self.take("bonus", "C34", place="porta", from_seat=seat)
            holder, card = int(e["seat"]), str(e["card"])
            self.need(holder != seat and holder not in served and card in self.active[holder], "C34",
                      f"seat {holder} gets the bonus of {card}")  # fmt: skip
            self.need(self.book.op[card] == "porta_owner", "C34", f"{card} does not own the Porta")
            served.add(holder)
            self.gain(holder, {self.book.effect[card]["good"]: 1})
        if self.next_is("place", place="porta"):
            for holder in self.others(seat):
                goods = [self.book.effect[c]["good"] for c in self.active[holder] if self.book.op[c] == "porta_owner"]
                if holder not in served and any(self.goods[holder][g] < self.cap for g in goods):
                    self.fail("C34", f"seat {holder} gets nothing when seat {seat} uses the Porta", self.at + 1)
        return served

    # build
    def _do_build(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, "costruzione")
        text, _, card = arg.partition("+")
        number, colour = int(text), self.book.colour[int(text)]
        self.need(number not in self.owner, "build", f"building {number} stands already")
        if number == FORO:
            late = not self.rules["foro_needs_track"] or self.calm_steps >= self.rules["calm_steps"]
            self.need(late, "Foro", f"built after {self.calm_steps} of {self.rules['calm_steps']} steps")
        elif colour != RED:
            self.need(FORO in self.owner, "Foro", f"building {number} is built before Foro")
        cost = dict(self.book.cost[f"build.{colour}"])
        self.need((e["card"] or "") == card, "build", f"card {e['card']} beside action {arg}")
        if card:
            self.need(
                card in self.active[seat] and self.book.op[card] == "waive", "build", f"{card} does not help here"
            )
            good = self.book.effect[card]["good"]
            self.need(good in cost, "build", f"{card} waives {good}, which is not needed")
            del cost[good]
        self.pay(seat, cost, rule="build")
        if number == CASTRUM:
            self._castrum(seat)
            return
        self.owner[number] = seat
        if number == FORO:
            self._awaken(seat)

    def _castrum(self, seat: int) -> None:
        if self.peek() == "star":
            e = self.take("star", "C31", against_seat=seat)
            foe, card = int(e["seat"]), str(e["card"])
            self.need(foe != seat and card in self.hand[foe] and self.book.op[card] == "stop_castrum", "C31",
                      f"seat {foe} plays {card}")  # fmt: skip
            self.hand[foe].remove(card)
            if self.peek() == "discard":
                self.discard(foe, card, "C31")
                self.take("castrum", "C31", seat=seat, result="stopped", by_seat=foe, place="space:C31")
            else:
                self.take("castrum", "C31", seat=seat, result="stopped", by_seat=foe, place="space:C31")
                self.discard(foe, card, "C31")
            self.remove(seat, self.turn_place or "", "C31")
            self.injured[seat]["C31"] += 1
            self.stopped.add(seat)
            return
        self._finish_castrum(seat)

    def _finish_castrum(self, seat: int) -> None:
        self.take("castrum", "Castrum", seat=seat, result="built")
        self.owner[CASTRUM] = seat

    def _awaken(self, seat: int) -> None:
        rules = self.rules
        self.phase = "awakening"
        self.take("phase", "Awakening", to="awakening")
        left = [rules["city_dealt"]] * self.seats
        forced = {s: list(cards) for s, cards in self.forced_city.items()}
        for _ in range(sum(left)):
            if not self.drawable("city") and not any(forced.values()):
                break
            s = int(self.events[self.at + 1]["seat"] or 0)
            self.need(left[s] > 0, "city cards", f"seat {s} is dealt more than {rules['city_dealt']}")
            card = self.events[self.at + 1]["card"]
            if card in forced[s]:
                forced[s].remove(card)
                self.take("draw", "city cards", seat=s, why="deal")
            else:
                self.draw(s, "city", "deal", "city cards")
            left[s] -= 1
            self.hand[s].add(card)
        self.need(not any(forced.values()), "forced deal", f"not dealt: {forced}")
        for deck, count in (("city", rules["foro_city"]), ("specialists", rules["foro_specialists"])):
            for _ in range(count):
                if self.drawable(deck):
                    self.free_card(seat, deck)

    # Piazza and Foro
    def _do_train(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, "piazza")
        self.need(arg in self.hand[seat] and arg == e["card"] and arg[0] == "S", "train", f"{arg} is not in hand")
        self.pay(seat, self.book.train_cost[arg], rule="train")
        self.hand[seat].remove(arg)
        self.put_out(seat, arg)

    def _do_swap(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, "piazza")
        self.need(arg in self.hand[seat] and arg[0] == "S", "Piazza trade", f"{arg} is not in hand")
        given = [g for g, n in e["goods"].get(str(seat), {}).items() if n < 0]
        self.need(
            len(given) == 1 and self.book.value[given[0]] == 1, "Piazza trade", f"paid {given}, not one value-I good"
        )
        self.pay(seat, {given[0]: 1}, rule="Piazza trade")
        self.hand[seat].remove(arg)
        self.discard(seat, arg, "Piazza trade")
        if self.drawable("specialists"):
            self.hand[seat].add(self.draw(seat, "specialists", "swap", "Piazza trade"))

    def _do_activate(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"building:{FORO}")
        self.need(arg in self.hand[seat] and arg[0] == "C", "activate", f"{arg} is not in hand")
        self.need(self.book.mark[arg] != "star", "star cards", f"{arg} is activated")
        self.hand[seat].remove(arg)
        self.put_out(seat, arg)

    def _do_release(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"building:{FORO}")
        self.pay(seat, self.book.cost[f"release.{arg}"], rule="release")
        self.take("worker", "release", seat=seat, change="released", place=f"space:{arg}")
        self.remove(seat, f"space:{arg}", "release")
        if self.rules["freed_worker_acts"]:
            self.ready[seat] += 1
        if arg == "C31" and CASTRUM not in self.owner and seat in self.stopped:
            self._finish_castrum(seat)
        if arg == "C31" and not self.injured[seat]["C31"]:
            self.stopped.discard(seat)

    def _do_uncover(self, seat: int, arg: str, e: Event) -> None:
        self._at(e, f"building:{FORO}")
        place = f"building:{arg}"
        self.need(self.tokens.get(place, 0) > 0, "C14", f"{place} has no token")
        self.pay(seat, self.book.cost["release.C14"], rule="C14")
        self.tokens[place] -= 1
