"""A second reading of the rules in plain Python: re-checks every event of a traced game (default rules, any seats).

It imports nothing of the engine or the game; it reads the data files itself and recomputes everything else.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[3] / "pompeii_sim" / "games" / "downfall" / "data"
RUN_FREE = 6


class Foul(AssertionError):
    """An event that the rules do not allow."""


def read(name: str, key: str) -> list[dict[str, Any]]:
    """Return the entries of a data file."""
    return list(tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))[key])


SQUARES = {s["id"]: s for s in read("squares", "square")}
COLOUR = {b["number"]: b["colour"] for b in read("buildings", "building")}
CARDS = {str(b["number"]): b["cards"] for b in read("buildings", "building")}
GATES = {g["id"]: g["square"] for g in read("gates", "gate")}
VENTS = {s["id"]: s["vent"] for s in read("symbols", "symbol")}
TILES = {s["id"]: s["tiles"] for s in read("symbols", "symbol")}
DUALS = {"-".join(d["symbols"]): d["tiles"] for d in read("duals", "dual")}
ZONE = {2: 15, 3: 15, 4: 10}
PEOPLE = {2: 30, 3: 30, 4: 25}


def neighbours(square: str) -> list[str]:
    """Return the squares beside a square."""
    row, column = map(int, square.split("_"))
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [f"{r}_{c}" for r, c in near if f"{r}_{c}" in SQUARES]


def home(square: str) -> str:
    """Return a name for the building of a square."""
    s = SQUARES[square]
    return f"N{square}" if s["kind"] == "neutral" else str(s.get("building", ""))


def part(square: str) -> str:
    """Return a name for the part of a square."""
    s = SQUARES[square]
    return f"N{square}" if s["kind"] == "neutral" else str(s.get("part", ""))


class Referee:
    """Follows one game.

    Parameters
    ----------
    dual
        Whether the dual-vent variant is played.
    """

    def __init__(self, dual: bool = False) -> None:
        self.dual = dual
        self.people: dict[str, Counter[int]] = {s: Counter() for s in SQUARES}
        self.lava: dict[str, str] = {}
        self.opened: set[str] = set()
        self.over = False
        self.phase = "quiet"
        self.seat = -1
        self.turn = 0

    def must(self, ok: object, why: str) -> None:
        """Raise `Foul` unless ok."""
        if not ok:
            raise Foul(f"{why}: {self.now}")

    def watch(self, events: Sequence[Mapping[str, Any]]) -> Referee:
        """Check all events in order; returns itself, or raises `Foul` at the first one against the rules."""
        for i, e in enumerate(events):
            self.now = e
            self.must(not self.over, "something after the end")
            self.must(e["phase"] == self.phase or e["event"] == "phase", "wrong phase")
            getattr(self, f"on_{e['event']}")(e, events[i + 1] if i + 1 < len(events) else None)
        self.must(self.over, "the game never ends")
        return self

    def crowd(self, square: str) -> int:
        return self.people[square].total()

    def on_board(self, seat: int) -> int:
        return sum(there[seat] for there in self.people.values())

    def room(self, square: str) -> int:
        return int(SQUARES[square].get("spaces", 0)) - self.crowd(square)

    # the first half

    def on_setup(self, e: Mapping[str, Any], _: Any) -> None:
        self.n = e["seats"]
        self.supply = {s: PEOPLE[self.n] for s in range(self.n)}
        self.must(e["people"] == {str(s): n for s, n in self.supply.items()}, "wrong number of people")
        self.hands = {int(s): Counter(h) for s, h in e["hands"].items()}
        self.must(all(h.total() == 4 for h in self.hands.values()), "a hand is not four cards")
        self.stack = list(e["stack"])
        self.must(len(self.stack) == 42 and self.stack[8] == "ad79", "wrong stack")
        second = self.stack.index("ad79", 9)
        self.must(41 - second <= ZONE[self.n], "the second AD 79 lies too high")
        self.must(self.stack.count("omen") == 7 and "omen" not in self.stack[:9], "omens wrong")
        used = sum(self.hands.values(), Counter(c for c in self.stack if c.isdecimal()))
        self.must(all(used[c] <= CARDS[c] for c in used), "a card too many")
        self.tiles = list(e["tiles"])
        self.must(Counter(self.tiles) == Counter(TILES | (DUALS if self.dual else {})), "wrong bag")
        self.drawn = 0
        self.cards_drawn = 0
        self.saved = Counter[int]()
        self.lost_people = Counter[int]()
        self.next_seat = e["start_seat"]
        self.pending: list[tuple[str, str]] = []
        self.to_bury: set[str] = set()
        self.stage = "start"

    def on_turn(self, e: Mapping[str, Any], _: Any) -> None:
        self.must(self.stage in ("start", "end", "run"), "a turn begins too early")
        self.must(not self.pending and not self.to_bury, "lava is not finished")
        if self.stage == "run":
            self.must(any(self.crowd(s) for s in SQUARES), "nobody is left, the game is over")
        self.stage = "turn"
        self.must(e["seat"] == self.next_seat, "not this seat's turn")
        self.must(e["turn"] == self.turn + 1, "turns are not counted one by one")
        self.turn = e["turn"]
        self.seat = e["seat"]
        self.next_seat = (self.seat + 1) % self.n

    def on_card(self, e: Mapping[str, Any], following: Any) -> None:
        self.must(self.stage == "turn" and e["seat"] == self.seat, "a card out of turn")
        number = e["card"]
        self.must(self.hands[self.seat][number] > 0, "a card not in hand")
        self.hands[self.seat][number] -= 1
        self.number = number
        free = [s for s in SQUARES if self.room(s) > 0]
        own = [s for s in free if home(s) == number]
        if e["as"] == "discard":
            self.must(self.supply[self.seat] == 0 or not free, "nobody placed without need")
            self.stage = "draw"
            return
        self.must(self.supply[self.seat] > 0, "no people left")
        self.must((e["as"] == "place") == bool(own), "wild only when the building is full")
        self.must(following["event"] == "placed", "nobody is placed")
        self.how = e["as"]
        self.stage = "place"

    def on_placed(self, e: Mapping[str, Any], _: Any) -> None:
        square, seat = e["square"], e["seat"]
        self.must(seat == self.seat and self.supply[seat] > 0, "whose person")
        self.must(self.room(square) > 0, "no space")
        if e["by"] == "relative":
            self.must(self.stage == "relatives" and self.kin > 0, "no relative due")
            s = SQUARES[square]
            self.must(s["kind"] == "neutral" or COLOUR[s["building"]] == COLOUR[int(self.number)], "wrong colour")
            self.must(part(square) != self.first_part, "the part of the first person")
            self.must(home(square) not in self.kin_homes, "two relatives in one building")
            self.kin_homes.add(home(square))
            self.kin -= 1
        else:
            self.must(self.stage == "place", "a person out of order")
            self.must(e["by"] == ("card" if self.how == "place" else "wild"), "wrongly named")
            self.must(self.how == "wild" or home(square) == self.number, "another building")
            company = sum(self.crowd(s) for s in SQUARES if part(s) == part(square) and part(s))
            seething = self.phase == "seething"
            self.kin = company if seething and self.how == "place" else 0
            self.kin_homes: set[str] = set()
            self.first_part = part(square)
            self.stage = "relatives"
        self.people[square][seat] += 1
        self.supply[seat] -= 1

    def on_draw(self, e: Mapping[str, Any], following: Any) -> None:
        self.must(self.stage in ("relatives", "draw") and e["seat"] == self.seat, "a draw out of order")
        self.must(e["card"] == self.stack[self.cards_drawn], "not the top card")
        self.cards_drawn += 1
        if e["card"] == "omen":
            self.must(self.phase == "seething", "an omen before the first AD 79")
            others = sum(self.on_board(s) for s in range(self.n) if s != self.seat)
            self.must((following["event"] == "lost") == (others > 0), "an omen takes somebody when it can")
            self.stage = "omen" if others else "draw"
        elif e["card"] == "ad79":
            self.must(following["event"] == "phase", "AD 79 changes the phase")
            self.stage = "phase"
        else:
            self.hands[self.seat][e["card"]] += 1
            self.must(e["kept"] and self.hands[self.seat].total() == 4, "a hand is not four cards")
            self.stage = "end"

    def on_phase(self, e: Mapping[str, Any], _: Any) -> None:
        order = ["quiet", "seething", "eruption", "running"]
        self.must(order.index(e["to"]) == order.index(self.phase) + 1, "phases out of order")
        if e["to"] == "running":
            self.must(self.drawn == RUN_FREE and self.stage == "run", "running at the wrong time")
        else:
            self.must(self.stage == "phase", "a phase without AD 79")
            self.stage = "draw" if e["to"] == "seething" else "end"
        self.phase = e["to"]

    # the second half

    def dist(self) -> dict[str, int]:
        found: dict[str, int] = {}
        front = [s for s in GATES.values() if s not in self.lava]
        steps = 1
        while front:
            found.update(dict.fromkeys(front, steps))
            front = [
                n for n in {n for s in front for n in neighbours(s)}
                if n not in found and n not in self.lava and SQUARES[n]["kind"] != "vent"
            ]  # fmt: skip
            steps += 1
        return found

    def places(self, symbol: str) -> set[str]:
        if symbol not in self.opened:
            return {VENTS[symbol]}
        return {
            s for s in SQUARES
            if s not in self.lava and SQUARES[s]["kind"] != "vent"
            and any(self.lava.get(n) == symbol for n in neighbours(s))
        }  # fmt: skip

    def on_tile(self, e: Mapping[str, Any], following: Any) -> None:
        self.must(self.stage == "turn" and e["seat"] == self.seat, "a tile out of turn")
        self.must(self.phase in ("eruption", "running"), "lava before the eruption")
        self.must((self.phase == "running") == (self.drawn >= RUN_FREE), "six turns without runs")
        self.must(e["tile"] == self.tiles[self.drawn], "not the next tile")
        self.drawn += 1
        self.runs = 0
        self.moved = ""
        self.alone = {s for s in SQUARES if self.people[s][self.seat] == 1 and self.crowd(s) == 1}
        if self.drawn == len(self.tiles):
            self.must(following["event"] in ("lost", "game_end"), "the last tile ends the game")
            self.stage = "closing"
            return
        self.legal = [(symbol, s) for symbol in e["tile"].split("-") for s in self.places(symbol)]
        self.must(e["places"] == len(self.legal), "wrong number of places")
        self.must((following["event"] == "lava") == bool(self.legal), "laid when it can be")
        self.stage = "lay" if self.legal else "run"

    def on_lava(self, e: Mapping[str, Any], _: Any) -> None:
        self.must(self.stage == "lay", "lava without a tile")
        self.must((e["symbol"], e["square"]) in self.legal, "no place for this tile")
        self.must(e["shows"] == [e["symbol"]], "shows another symbol")
        self.opened.add(e["symbol"])
        self.pending = [(e["square"], "lava")] if self.crowd(e["square"]) else []
        self.lava[e["square"]] = e["symbol"]
        ways = self.dist()
        enclosed = sorted(s for s in SQUARES if s not in ways and s not in self.lava and SQUARES[s]["kind"] != "vent")
        self.to_bury = set(enclosed)
        self.stage = "run"

    def on_buried(self, e: Mapping[str, Any], _: Any) -> None:
        self.must(not self.pending, "people on the tile's square first")
        self.must(e["square"] in self.to_bury, "not enclosed")
        self.to_bury.discard(e["square"])
        self.lava[e["square"]] = "buried"
        if self.crowd(e["square"]):
            self.pending = [(e["square"], "enclosed")]

    def on_lost(self, e: Mapping[str, Any], following: Any) -> None:
        people = {int(s): n for s, n in e["people"].items()}
        here = self.people[e["square"]]
        if e["cause"] == "omen":
            self.must(self.stage == "omen", "no omen was drawn")
            ((victim, count),) = people.items()
            self.must(count == 1 and victim != self.seat and here[victim] > 0, "an omen takes one rival")
            self.stage = "draw"
        elif e["cause"] == "left":
            self.must(self.stage == "closing", "left behind before the end")
            self.must(people == {s: n for s, n in here.items() if n}, "not everybody")
        else:
            self.must(self.pending == [(e["square"], e["cause"])], "nobody dies here")
            self.must(people == {s: n for s, n in here.items() if n}, "not everybody")
            self.pending = []
        for seat, count in people.items():
            here[seat] -= count
            self.lost_people[seat] += count

    def may_start(self, square: str) -> None:
        seat = self.seat
        self.must(self.stage == "run" and self.phase == "running", "nobody runs now")
        self.must(not self.pending and not self.to_bury, "lava first")
        self.must(self.runs < 2, "a third run")
        self.must(self.people[square][seat] > 0, "nobody there")
        if self.moved == square and self.people[square][seat] == 1:
            self.must(self.on_board(seat) == 1 or self.was_alone, "the same person twice")
        if self.runs == 0:
            self.was_alone = square in self.alone
        self.runs += 1

    def within(self, square: str, steps: int) -> dict[str, int]:
        found = {square: 0}
        front = [square]
        for step in range(1, steps + 1):
            front = [
                n for n in {n for s in front for n in neighbours(s)}
                if n not in found and n not in self.lava and SQUARES[n]["kind"] != "vent"
            ]  # fmt: skip
            found.update(dict.fromkeys(front, step))
        return found

    def on_run(self, e: Mapping[str, Any], _: Any) -> None:
        origin, target = e["from"], e["to"]
        self.may_start(origin)
        self.must(e["steps"] == self.crowd(origin), "steps are the people in the square")
        self.must(target != origin and target in self.within(origin, e["steps"]), "too far")
        self.people[origin][self.seat] -= 1
        self.people[target][self.seat] += 1
        self.moved = target

    def on_saved(self, e: Mapping[str, Any], _: Any) -> None:
        origin = e["from"]
        self.may_start(origin)
        self.must(e["steps"] == self.crowd(origin), "steps are the people in the square")
        gate = GATES[e["gate"]]
        reach = self.within(origin, e["steps"])
        self.must(gate not in self.lava and gate in reach and reach[gate] < e["steps"], "a gate costs a step")
        self.people[origin][self.seat] -= 1
        self.saved[self.seat] += 1
        self.moved = ""

    def on_game_end(self, e: Mapping[str, Any], _: Any) -> None:
        self.must(not self.pending, "somebody should have died")
        self.must(not any(self.crowd(s) for s in SQUARES), "somebody is still inside")
        self.must((e["ending"] == "last_tile") == (self.stage == "closing"), "wrong ending")
        self.must(e["saved"] == {str(s): self.saved[s] for s in range(self.n)}, "saved are wrong")
        self.must(e["casualties"] == {str(s): self.lost_people[s] for s in range(self.n)}, "casualties are wrong")
        for seat in range(self.n):
            total = self.supply[seat] + self.saved[seat] + self.lost_people[seat]
            self.must(total == PEOPLE[self.n], "people appear or vanish")
        best = max((self.saved[s], -self.lost_people[s]) for s in range(self.n))
        self.winners = {s for s in range(self.n) if (self.saved[s], -self.lost_people[s]) == best}
        self.over = True
