"""A game told as text: one line an event, the board drawn after each turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pompeii_sim.games.downfall.data_files import DownfallData
from pompeii_sim.games.downfall.drawing import LETTERS, draw_board

Event = Mapping[str, Any]

PHASE_LINES = {
    "seething": "The first AD 79: Vesuvius seethes. Relatives and omens from now on.",
    "eruption": "The second AD 79: Vesuvius erupts. Nobody else settles; lava flows.",
    "running": "People run for the gates from now on.",
}
CAUSES = {
    "omen": "thrown into the volcano",
    "lava": "under the lava",
    "enclosed": "cut off and buried",
    "left": "left inside",
}


class Board:
    """Where everybody is, followed event by event."""

    def __init__(self) -> None:
        self.people: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.lava: dict[str, str] = {}
        self.saved: dict[int, int] = {}
        self.lost: dict[int, int] = {}

    def move(self, square: str, seat: int, change: int) -> None:
        """Add people of a seat to a square (a negative number takes them away)."""
        self.people[square][seat] = self.people[square].get(seat, 0) + change

    def follow(self, e: Event) -> None:
        """Take in one event."""
        kind = e["event"]
        if kind == "setup":
            self.saved = dict.fromkeys(range(e["seats"]), 0)
            self.lost = dict.fromkeys(range(e["seats"]), 0)
        elif kind == "placed":
            self.move(e["square"], e["seat"], 1)
        elif kind == "lost":
            for seat, count in e["people"].items():
                self.move(e["square"], int(seat), -count)
                self.lost[int(seat)] += count
        elif kind == "lava":
            self.lava[e["square"]] = "/".join(e["shows"])
        elif kind == "buried":
            self.lava[e["square"]] = "buried"
        elif kind == "run":
            self.move(e["from"], e["seat"], -1)
            self.move(e["to"], e["seat"], 1)
        elif kind == "saved":
            self.move(e["from"], e["seat"], -1)
            self.saved[e["seat"]] += 1


def tell(events: Sequence[Event], data: DownfallData) -> str:
    """Tell the events of one game.

    Parameters
    ----------
    events
        From the set-up on, as `events.EventText.to_json` gives them.
    data
        The game's data.

    Returns
    -------
    str
        Seats are the letters A to D; the board stands after each turn.
    """
    board = Board()
    names = {g.id: g.name for g in data.gates}
    lines: list[str] = []
    open_turn = False
    for e in events:
        if e["event"] in ("turn", "game_end") and open_turn:
            lines += _after(board, data)
        open_turn = open_turn or e["event"] == "turn"
        board.follow(e)
        lines += _lines(e, names)
    return "\n".join(lines) + "\n"


def _after(board: Board, data: DownfallData) -> list[str]:
    score = ", ".join(f"{LETTERS[s]} saved {n}, lost {board.lost[s]}" for s, n in board.saved.items())
    return [draw_board(data, board.people, board.lava), f"   {score}", ""]


def _who(e: Event) -> str:
    return LETTERS[e["seat"]]


def _list(people: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{n} of {LETTERS[int(seat)]}" for seat, n in people)


def _lines(e: Event, gates: Mapping[str, str]) -> list[str]:
    kind = e["event"]
    if kind == "setup":
        hands = [
            f"  {LETTERS[int(s)]}: hand {', '.join(h) or 'none'}; {e['people'][s]} people"
            for s, h in e["hands"].items()
        ]
        return [f"{e['seats']} players, {LETTERS[e['start_seat']]} begins.", *hands, ""]
    if kind == "turn":
        return [f"Turn {e['turn']} ({e['phase']}): {_who(e)}"]
    if kind == "card":
        how = {"place": "", "wild": " as a wild card", "discard": "; nobody can be placed"}[e["as"]]
        return [f"  plays {e['card']}{how}"]
    if kind == "placed":
        who = {"card": "a person", "wild": "a person", "relative": "a relative", "start": f"a person of {_who(e)}"}
        return [f"  {who[e['by']]} moves to {e['square']}"]
    if kind == "draw":
        return [f"  draws {e['card']}" + ("" if e["kept"] or not e["card"].isdecimal() else " and discards it")]
    if kind == "lost":
        return [f"  {e['square']}: {_list(e['people'].items())} {CAUSES[e['cause']]}"]
    if kind == "phase":
        return [PHASE_LINES[e["to"]]]
    if kind == "tile":
        return [f"  draws lava: {e['tile']}" + ("" if e["places"] else ", not laid")]
    if kind == "lava":
        return [f"  lays {e['symbol']} on {e['square']}"]
    if kind == "buried":
        return [f"  {e['square']} is cut off and buried"]
    if kind == "run":
        return [f"  runs {e['from']} to {e['to']} ({e['steps']} steps allowed)"]
    if kind == "saved":
        return [f"  runs {e['from']} out of {gates[e['gate']]}: saved"]
    ending = {"last_tile": "The last lava tile is drawn.", "empty_city": "Nobody is left in the city."}[e["ending"]]
    best = max(e["saved"].values(), default=0)
    score = [f"  {LETTERS[int(s)]}: {n} saved, {e['casualties'][s]} casualties" for s, n in e["saved"].items()]
    leaders = [s for s, n in e["saved"].items() if n == best]
    fewest = min(e["casualties"][s] for s in leaders)
    first = [LETTERS[int(s)] for s in leaders if e["casualties"][s] == fewest]
    return ["", ending, *score, f"Most saved, fewest casualties: {', '.join(first)}"]
