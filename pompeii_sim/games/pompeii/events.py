"""Events of a traced game as JSON-ready mappings: what happened, where, and every change of every seat's goods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.luck import again
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.action_text import DECKS, ActionText
from pompeii_sim.games.pompeii.data_files import PompeiiData
from pompeii_sim.games.pompeii.decks import IN_DECK
from pompeii_sim.games.pompeii.story import tell

PHASES = ("calm", "awakening")
ENDS = {
    c.END_VICTORY: "victory", c.END_APOCALYPSE: "apocalypse", c.END_ROUND_CAP: "round_cap",
    c.END_DECISION_CAP: "decision_cap",
}  # fmt: skip
WHY = {
    c.DRAW_SWAP: "swap", c.DRAW_FREE: "free", c.DRAW_CARD: "card", c.DRAW_OFFERING: "offering", c.DRAW_DEAL: "deal",
    c.DRAW_OPEN: "open",
}  # fmt: skip
WORKER_CHANGES = {
    c.WORKER_NEW: "new", c.WORKER_LOST: "lost", c.WORKER_INJURED: "injured", c.WORKER_RELEASED: "released",
    c.WORKER_RECLAIMED: "reclaimed",
}  # fmt: skip

Fields = dict[str, Any]


class EventText:
    """Translates the events of one game; keeps the goods of the last event to tell the changes.

    Parameters
    ----------
    data
        The game's data.
    """

    def __init__(self, data: PompeiiData) -> None:
        self.data = data
        self.codec = ActionText(data)
        self._goods = np.zeros((c.MAX_SEATS, c.MAX_GOODS), np.int64)
        self._tellers: dict[int, Callable[[Any, NDArray[Any]], Fields]] = {
            c.EV_SETUP: self._setup, c.EV_ROUND: self._round, c.EV_PLACE: self._place, c.EV_BONUS: self._bonus,
            c.EV_PORTA: self._porta, c.EV_PHASE: self._phase, c.EV_CARD: self._card, c.EV_DRAW: self._draw,
            c.EV_DISCARD: self._discard, c.EV_KEEP: self._keep, c.EV_STEAL: self._steal, c.EV_GIFT: self._gift,
            c.EV_WORKER: self._worker, c.EV_STAR: self._star, c.EV_OFFER_DUE: self._due, c.EV_PLEDGE: self._pledge,
            c.EV_PAY: self._pay, c.EV_OFFERING: self._offering, c.EV_MARKER: self._marker,
            c.EV_ERUPTION: self._eruption, c.EV_ROUND_END: self._round_end, c.EV_ARMY: self._army,
            c.EV_GAME_END: self._game_end, c.EV_CASTRUM: self._castrum, c.EV_TAKE: self._take,
            c.EV_RESHUFFLE: self._reshuffle, c.EV_BLOCK: self._block,
        }  # fmt: skip

    def to_json(self, raw: NDArray[Any], state: NDArray[Any]) -> list[dict[str, Any]]:
        """Return one mapping an event, in order."""
        return [self._event(event, state) for event in raw]

    def story(self, events: Sequence[Mapping[str, Any]]) -> str:
        """Tell events as text."""
        return tell(events, self.data)

    def _event(self, e: Any, state: NDArray[Any]) -> dict[str, Any]:
        own = self._tellers[int(e["code"])](e, state)
        seats = int(state["pub"]["n_seats"][0])
        goods = e["goods"].astype(np.int64)
        change: dict[str, dict[str, int]] = {}
        for seat in range(seats):
            row = {
                self.data.good_ids[g]: int(goods[seat, g] - self._goods[seat, g])
                for g in np.nonzero(goods[seat] - self._goods[seat])[0]
            }
            if row:
                change[str(seat)] = row
        self._goods = goods
        seat = int(e["seat"])
        out: dict[str, Any] = {
            "event": own.pop("event"), "round": int(e["rnd"]), "phase": PHASES[int(e["phase"])],
            "seat": seat if seat >= 0 else None, "place": own.pop("place", None), "action": own.pop("action", None),
            "card": own.pop("card", None), "goods": change,
        }  # fmt: skip
        return {**out, **own}

    def card(self, number: int) -> str:
        """Return a card's id."""
        return f"S{number + 1:02d}" if number < c.N_SPECIALISTS else f"C{number - c.N_SPECIALISTS + 1:02d}"

    def _hand(self, state: NDArray[Any], seat: int) -> list[str]:
        return [self.card(int(i)) for i in np.nonzero(state["own"]["hand"][0, seat])[0]]

    def _deck(self, state: NDArray[Any], deck: int, seat: int) -> list[str]:
        """Return the cards of a deck in the order in which a seat would draw them."""
        first = deck * c.N_SPECIALISTS
        left = [i for i in range(first, first + c.N_SPECIALISTS) if state["hid"]["deck"][0, i] == IN_DECK]
        keys = state["hid"]["card_key"][0]
        return [self.card(i) for i in sorted(left, key=lambda i: int(again(int(keys[i]), seat + 1)))]

    def volcano(self, number: int, state: NDArray[Any]) -> str:
        """Return the id of a volcano card of the level in play."""
        level = "ABC"[int(state["pub"]["level"][0])]
        return "apocalypse" if number == c.APOCALYPSE else f"V{level}{number + 1:02d}"

    def _setup(self, e: Any, state: NDArray[Any]) -> Fields:
        pub, hid = state["pub"][0], state["hid"][0]
        seats = range(int(pub["n_seats"]))
        start = int(e["a"])
        owned = {str(b): int(pub["owner"][b]) for b in range(1, c.CASTRUM + 1) if pub["built"][b]}
        count = int(pub["volcano_left"])
        return {
            "event": "setup",
            "seats": len(seats),
            "seat_order": [(start + i) % len(seats) for i in seats],
            "listed_seats": [int(pub["seat_spec"][s]) for s in seats],
            "hands": {str(s): self._hand(state, s) for s in seats},
            "owned_buildings": owned,
            "decks": {
                "volcano": [self.volcano(int(n), state) for n in hid["volcano"][:count]],
                "specialists": {str(s): self._deck(state, 0, s) for s in seats},
                "city": {str(s): self._deck(state, 1, s) for s in seats},
            },
            "workers": {str(s): int(pub["workers"][s]) for s in seats},
            "calm_steps_made": int(pub["calm_step"]),
            **({"open": self._open(pub)} if len(seats) == 1 else {}),
        }

    def _open(self, pub: Any) -> list[str]:
        """Return the specialists that lie open for one use."""
        return [self.card(int(i)) for i in np.nonzero(pub["active"][0, : c.N_SPECIALISTS])[0]]

    def _round(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "round"}

    def _place(self, e: Any, state: NDArray[Any]) -> Fields:
        action = int(e["a"])
        kind, arg = divmod(action, c.ARG)
        out: Fields = {"event": "place", "action": self.codec.text(action)}
        card = {c.USE: arg, c.TRAIN: arg, c.SWAP: arg, c.ACTIVATE: arg + c.N_SPECIALISTS}.get(kind)
        if kind == c.BUILD and arg >= 32:
            out["card"] = self.codec.waivers[arg // 32 - 1]
        elif card is not None:
            out["card"] = self.card(card)
        place = int(e["d"]) // 4096 - 1
        out["place"] = self.codec.place(place) if place >= 0 else None
        out["as"] = ("worker", "extra_action", "second_worker")[int(e["b"])]
        amount, give, take = int(e["c"]), int(e["d"]) // 64 % 64, int(e["d"]) % 64
        if kind in (c.PRODUCE, c.USE, c.RECRUIT, c.TRADE):
            out["amount"] = amount
        if kind == c.TRADE or (kind == c.PRODUCE and arg == c.TEMPIO):
            out["give"], out["take"] = self.data.good_ids[give], self.data.good_ids[take]
        return out

    def _bonus(self, e: Any, state: NDArray[Any]) -> Fields:
        good = self.data.good_ids[int(e["b"])]
        return {"event": "bonus", "place": self.codec.place(int(e["a"])), "good": good}

    def _porta(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "bonus", "place": "porta", "from_seat": int(e["a"]), "card": self._op_card("porta_owner")}

    def _op_card(self, op: str) -> str:
        return next(card.id for card in (*self.data.specialists, *self.data.city) if card.effect.op == op)

    def _phase(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "phase", "to": PHASES[int(e["a"])]}

    def _card(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "card", "card": self.card(int(e["a"]))}

    def _draw(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "draw", "card": self.card(int(e["a"])), "why": WHY[int(e["b"])]}

    def _discard(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "discard", "card": self.card(int(e["a"]))}

    def _keep(self, e: Any, state: NDArray[Any]) -> Fields:
        origin = "discard_pile" if int(e["b"]) == 1 else "drawn"
        return {"event": "keep", "card": self.card(int(e["a"])), "from": origin}

    def _steal(self, e: Any, state: NDArray[Any]) -> Fields:
        out: Fields = {"event": "steal", "from_seat": int(e["a"])}
        if int(e["b"]) >= 0:
            out["good"] = self.data.good_ids[int(e["b"])]
        else:
            out["card"] = self.card(int(e["c"]))
            out["to"] = "active" if int(e["d"]) == 1 else "hand"
        return out

    def _gift(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "gift", "to_seat": int(e["a"]), "good": self.data.good_ids[int(e["b"])]}

    def _worker(self, e: Any, state: NDArray[Any]) -> Fields:
        change = int(e["a"])
        out: Fields = {"event": "worker", "change": WORKER_CHANGES[change]}
        if change == c.WORKER_NEW:
            out["count"] = int(e["b"])
        else:
            out["place"] = self.codec.place(int(e["b"]))
        if change == c.WORKER_INJURED:
            out["from_place"], out["by_seat"] = self.codec.place(int(e["c"])), int(e["d"])
        if change == c.WORKER_RECLAIMED:
            out["count"] = int(e["c"])
        return out

    def _star(self, e: Any, state: NDArray[Any]) -> Fields:
        out: Fields = {"event": "star", "card": self.card(int(e["a"]))}
        if int(e["b"]) >= 0:
            out["against_seat"] = int(e["b"])
        return out

    def _due(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "due", "due": int(e["a"]), "change": int(e["b"])}

    def _pledge(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "pledge", "amount": int(e["a"]), "pass": int(e["b"]) + 1}

    def _pay(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "pay", "paid": int(e["a"]), "pledged": int(e["b"])}

    def _offering(self, e: Any, state: NDArray[Any]) -> Fields:
        result = "paid" if int(e["a"]) == 1 else "failed"
        return {"event": "offering", "result": result, "due": int(e["b"]), "pledged": int(e["c"])}

    def _marker(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "time_marker", "raises": int(e["a"]), "successes": int(e["b"])}

    def _eruption(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "eruption", "card": self.volcano(int(e["a"]), state), "number": int(e["b"])}

    def _round_end(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "round_end", "next_start": int(e["a"])}

    def _army(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "army_placed", "place": "building:20"}

    def _castrum(self, e: Any, state: NDArray[Any]) -> Fields:
        if int(e["a"]) == 1:
            return {"event": "castrum", "result": "built", "place": "building:20"}
        return {"event": "castrum", "result": "stopped", "place": "space:C31", "by_seat": int(e["b"])}

    def _take(self, e: Any, state: NDArray[Any]) -> Fields:
        kind = int(e["d"])
        if kind == 1:
            return {"event": "token", "place": self.codec.place(int(e["c"]))}
        if kind == 2:
            return {"event": "co_owner", "place": self.codec.place(int(e["c"]))}
        out: Fields = {"event": "take", "good": self.data.good_ids[int(e["a"])], "count": int(e["b"])}
        if int(e["c"]) >= 0:
            out["for"] = self.data.good_ids[int(e["c"])]
        return out

    def _reshuffle(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "reshuffle", "deck": DECKS[int(e["a"])]}

    def _block(self, e: Any, state: NDArray[Any]) -> Fields:
        card = self.volcano(int(e["a"]), state)
        shown = next(v.goods for v in self.data.volcano if v.id == card)
        return {"event": "blocked", "card": card, "number": int(e["b"]), "blocked": list(shown)}

    def _game_end(self, e: Any, state: NDArray[Any]) -> Fields:
        winner = int(e["b"])
        goods = e["goods"]
        seats = range(int(state["pub"]["n_seats"][0]))
        closing = {str(s): {self.data.good_ids[g]: int(goods[s, g]) for g in np.nonzero(goods[s])[0]} for s in seats}
        return {
            "event": "game_end",
            "ending": ENDS[int(e["a"])],
            "winner": winner if winner >= 0 else None,
            "closing_goods": closing,
            **({"title": self._title(int(e["c"]))} if len(seats) == 1 else {}),
        }

    def _title(self, number: int) -> str | None:
        """Return the name of a title by its number from the lowest up, None for 0."""
        return self.data.titles[len(self.data.titles) - number].name if number > 0 else None
