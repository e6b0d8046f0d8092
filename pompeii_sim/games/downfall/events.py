"""Events of a traced game as JSON-ready mappings: what happened, to whom, and on which square."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.games.downfall import codes as c
from pompeii_sim.games.downfall.columns import ENDS
from pompeii_sim.games.downfall.data_files import DownfallData
from pompeii_sim.games.downfall.story import tell

Fields = dict[str, Any]


class EventText:
    """Translates the events of one game.

    Parameters
    ----------
    data
        The game's data: it names squares, gates and symbols.
    """

    def __init__(self, data: DownfallData) -> None:
        self.data = data
        self.symbols = tuple(s.id for s in data.symbols)
        self.gates = tuple(g.id for g in data.gates)
        self._tellers: dict[int, Callable[[Any, NDArray[Any]], Fields]] = {
            c.EV_SETUP: self._setup, c.EV_TURN: self._turn, c.EV_CARD: self._card, c.EV_PLACED: self._placed,
            c.EV_DRAW: self._draw, c.EV_LOST: self._lost, c.EV_PHASE: self._phase, c.EV_TILE: self._tile,
            c.EV_LAVA: self._lava, c.EV_BURIED: self._buried, c.EV_RUN: self._run, c.EV_SAVED: self._saved,
            c.EV_END: self._end,
        }  # fmt: skip

    def to_json(self, raw: NDArray[Any], state: NDArray[Any]) -> list[dict[str, Any]]:
        """Return one mapping an event, in order."""
        out = []
        for e in raw:
            own = self._tellers[int(e["code"])](e, state)
            seat = int(e["seat"])
            out.append(
                {"event": own.pop("event"), "turn": int(e["turn"]), "phase": c.PHASES[int(e["phase"])],
                 "seat": seat if seat >= 0 else None, **own}
            )  # fmt: skip
        return out

    def story(self, events: Sequence[Mapping[str, Any]]) -> str:
        """Tell events as text, the board drawn after each turn."""
        return tell(events, self.data)

    def _square(self, e: Any, name: str) -> str:
        return self.data.square_id(int(e[name]))

    @staticmethod
    def card(number: int) -> str:
        """Return a card's name: a building's number, ``omen`` or ``ad79``."""
        return {c.OMEN: "omen", c.AD79: "ad79"}.get(number, str(number))

    def _setup(self, e: Any, state: NDArray[Any]) -> Fields:
        pub, hid = state["pub"][0], state["hid"][0]
        seats = range(int(pub["n_seats"]))
        hands = {
            str(s): [self.card(int(n)) for n in np.repeat(np.arange(c.MAX_BUILDINGS), state["own"]["hand"][0, s])]
            for s in seats
        }
        placed = state["tally"]["placed"][0, :, c.BY_START]
        tiles = hid["tiles"][: int(hid["tiles_end"])]
        return {
            "event": "setup",
            "seats": len(seats),
            "start_seat": int(e["a"]),
            "listed_seats": [int(pub["seat_spec"][s]) for s in seats],
            "people": {str(s): int(pub["supply"][s] + placed[s]) for s in seats},
            "hands": hands,
            "stack": [self.card(int(n)) for n in hid["stack"][int(hid["stack_next"]) : int(hid["stack_end"])]],
            "tiles": [self.tile(int(t)) for t in tiles],
        }

    def tile(self, number: int) -> str:
        """Return a tile's name: its symbol, or both with a dash."""
        if number < c.MAX_SYMBOLS:
            return self.symbols[number]
        return "-".join(self.data.duals[number - c.MAX_SYMBOLS].symbols)

    def _turn(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "turn"}

    def _card(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "card", "card": self.card(int(e["a"])), "as": c.KIND_NAMES[int(e["b"])]}

    def _placed(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "placed", "square": self._square(e, "a"), "by": c.PLACED_NAMES[int(e["b"])]}

    def _draw(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "draw", "card": self.card(int(e["a"])), "kept": int(e["b"]) == 0 and int(e["a"]) < c.OMEN}

    def _lost(self, e: Any, state: NDArray[Any]) -> Fields:
        counts = [int(e[name]) for name in ("c", "d", "e", "f")]
        people = {str(s): n for s, n in enumerate(counts) if n > 0}
        return {"event": "lost", "square": self._square(e, "a"), "cause": c.CAUSE_NAMES[int(e["b"])], "people": people}

    def _phase(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "phase", "to": c.PHASES[int(e["a"])]}

    def _tile(self, e: Any, state: NDArray[Any]) -> Fields:
        symbols = [self.symbols[int(e[name])] for name in ("a", "b") if int(e[name]) >= 0]
        return {"event": "tile", "tile": "-".join(symbols), "places": int(e["c"])}

    def _lava(self, e: Any, state: NDArray[Any]) -> Fields:
        mask = int(e["c"])
        shows = [name for i, name in enumerate(self.symbols) if mask >> i & 1]
        return {"event": "lava", "symbol": self.symbols[int(e["a"])], "shows": shows, "square": self._square(e, "b")}

    def _buried(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "buried", "square": self._square(e, "a")}

    def _run(self, e: Any, state: NDArray[Any]) -> Fields:
        return {"event": "run", "from": self._square(e, "a"), "to": self._square(e, "b"), "steps": int(e["c"])}

    def _saved(self, e: Any, state: NDArray[Any]) -> Fields:
        gate = self.gates[int(e["d"])]
        return {"event": "saved", "from": self._square(e, "a"), "gate": gate, "steps": int(e["c"])}

    def _end(self, e: Any, state: NDArray[Any]) -> Fields:
        pub = state["pub"][0]
        seats = range(int(pub["n_seats"]))
        return {
            "event": "game_end",
            "ending": next(end.name for end in ENDS if end.code == int(e["a"])),
            "saved": {str(s): int(pub["saved"][s]) for s in seats},
            "casualties": {str(s): int(pub["lost"][s]) for s in seats},
        }
