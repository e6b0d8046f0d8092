"""The words of a replay: true to the rules, one and several told apart, nothing told twice in a line."""

from __future__ import annotations

from typing import Any

import pytest

from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.story import tell

DATA = load_data()
SETUP: dict[str, Any] = {
    "event": "setup", "seats": 2, "seat_order": [0, 1], "owned_buildings": {"5": 1}, "hands": {"0": ["S01"], "1": []},
    "goods": {"0": {"olives": 1, "planks": 1}, "1": {"olives": 2, "column": 2}}, "decks": {"volcano": ["VA09"]},
}  # fmt: skip


def line(**event: Any) -> str:
    """Return how an event of seat 1 is told after a set-up of two seats."""
    one = {"seat": 1, "place": None, "action": None, "card": None, "goods": {}, **event}
    told = tell([SETUP, one], DATA).splitlines()
    before = len(tell([SETUP], DATA).splitlines())
    return " / ".join(text.strip() for text in told[before:])


def place(action: str, place: str, goods: dict[str, int], **more: Any) -> str:
    return line(event="place", action=action, place=place, **{"as": "worker", "goods": {"1": goods}, **more})


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (
            place("produce:5", "building:5", {"stone": -1, "column": 1}, amount=1),
            "Seat 1 produces at 5 Officina del Marmorario, once [pays 1 stone; gets 1 column]",
        ),
        (
            place("produce:5", "building:5", {"stone": -2, "column": 2}, amount=2),
            "Seat 1 produces at 5 Officina del Marmorario, 2 times [pays 2 stone; gets 2 columns]",
        ),
        (place("collect:olives", "field:olives", {"olives": 1}), "Seat 1 collects at the olives field [gets 1 olive]"),
        (place("collect:grain", "field:grain", {}), "Seat 1 collects at the grain field [gets nothing]"),
        (
            place("use:S07", "field:fish", {}, card="S07"),
            "Seat 1 uses S07 (One more fish) at the fish field [gets nothing]",
        ),
        (place("use:S25", "piazza", {}, card="S25"), "Seat 1 uses S25 (Servus Legionario) at the Piazza di Pompeii"),
        (
            place("use:C50", "building:19", {"cloth": -2, "gold_coin": -1, "sword": -2}, card="C50"),
            "Seat 1 buys an army with C50 (Terme del Foro) at 19 Terme Stabiane "
            "[pays 2 cloth, 1 gold coin, 2 swords]",
        ),
        (
            place("trade", "porta", {"olives": -8, "gold_coin": 2}, amount=2, give="olives", take="gold_coin"),
            "Seat 1 trades olives for gold coins at the Porta di Pompeii [pays 8 olives; gets 2 gold coins]",
        ),
        (
            place("recruit:1", "building:18", {"wine": -1}, amount=1),
            "Seat 1 recruits 1 worker at the Anfiteatro [pays 1 wine]",
        ),
        (
            place("swap:S10", "piazza", {"grass": -1}, card="S10"),
            "Seat 1 swaps S10 (One more stone) for a new card at the Piazza di Pompeii [pays 1 grass]",
        ),
        # new workers are there for good, the taken ones for a round
        (
            line(event="worker", change="new", count=1),
            "Seat 1 has 1 more worker, to be placed from this round on",
        ),
        (
            line(event="worker", change="new", count=2),
            "Seat 1 has 2 more workers, to be placed from this round on",
        ),
        (
            line(event="worker", change="reclaimed", count=1, place="building:4"),
            "Seat 1 takes 1 worker off 4 Segheria to place in this round",
        ),
        (
            line(event="worker", change="injured", place="space:C12", from_place="costruzione", by_seat=0),
            "Seat 1: a worker goes from the Costruzione to space C12, sent by seat 0",
        ),
        # cards that stay, and cards that are done
        (line(event="card", card="S01"), "Seat 1: S01 (One more grain) is active from now on"),
        (
            line(event="card", card="C18", goods={"1": {"planks": 1, "column": 2}}),
            "Seat 1: C18 (Two planks and two columns) takes effect [gets 1 plank, 2 columns]",
        ),
        (line(event="steal", card="S22", from_seat=0, to="hand"),
         "Seat 1 takes S22 (Wine at the grapes field) from seat 0 into its hand"),
        (line(event="steal", good="grapes", from_seat=0), "Seat 1 takes 1 grape from seat 0"),
        (line(event="gift", good="planks", to_seat=0), "Seat 1 gives 1 plank to seat 0"),
        (
            line(event="take", good="grain", count=8, **{"for": "deer", "goods": {"1": {"deer": -8, "grain": 8}}}),
            "Seat 1 exchanges deer for grain [pays 8 deer; gets 8 grain]",
        ),
        (
            line(event="bonus", place="porta", from_seat=0, card="C34", goods={"1": {"fish": 1}}),
            "Seat 1: bonus of C34 (Porta Marina) at the Porta di Pompeii [gets 1 fish]",
        ),
        # offerings
        (line(event="due", due=9, change=0), "Offering: goods worth 9 are due"),
        (line(event="due", due=9, change=-3), "Offering: goods worth 9 are due (3 less because of star cards)"),
        (line(event="due", due=12, change=3), "Offering: goods worth 12 are due (3 more because of star cards)"),
        (line(event="pledge", amount=3, **{"pass": 1}), "Seat 1 pledges 3"),
        (line(event="pledge", amount=0, **{"pass": 1}), "Seat 1 pledges nothing"),
        (line(event="pledge", amount=5, **{"pass": 2}), "Seat 1 now pledges 5 in all"),
        (
            line(event="pay", paid=4, pledged=3, goods={"1": {"stone": -1, "grapes": -1, "column": -1}}),
            "Seat 1 pays goods worth 4 [1 stone, 1 grape, 1 column]",
        ),
        (
            line(event="time_marker", raises=0, successes=1),
            "The time marker moves on: 1 successful offering in a row",
        ),
        (
            line(event="time_marker", raises=1, successes=0),
            "The time marker is back at the circle; all offering markers rise (so far once)",
        ),
        (
            line(event="eruption", card="VA02", number=1, goods={"0": {"planks": -1}}),
            "Vesuvius erupts: VA02 destroys grass and planks; the time marker goes back / Seat 0 loses 1 plank",
        ),
        (
            line(event="draw", card="S06", why="offering"),
            "Seat 1 draws S06 (Brutus Landro) for offering more than its marker",
        ),
        (line(event="round_end", next_start=1), "Workers go home; seat 1 starts the next round"),
    ],
)  # fmt: skip
def test_a_line(told: str, wanted: str) -> None:
    assert told == wanted


def test_a_game_for_one_has_nobody_else_in_it() -> None:
    setup = {
        "event": "setup", "seats": 1, "owned_buildings": {"4": 0}, "goods": {"0": {"grapes": 1}}, "open": ["S01"],
        "decks": {"volcano": ["VA02"]},
    }  # fmt: skip
    common = {"seat": 0, "place": None, "action": None, "card": None, "goods": {}}
    end = {"ending": "apocalypse", "winner": None, "closing_goods": {"0": {"planks": 1}}, "title": None}
    events = [
        {"event": "round", "round": 3, "phase": "calm"},
        {"event": "blocked", "card": "VA02", "number": 4, "blocked": ["grass", "planks"]},
        {"event": "round_end", "next_start": 0},
        {"event": "game_end", **end},
    ]
    assert tell([setup, *({**common, **e} for e in events)], DATA).splitlines() == [
        "Set-up: one seat.",
        "  Built: 4 Segheria; goods: 1 grape.",
        "  Open specialists: S01 (One more grain).",
        "  Volcano cards in their order: VA02.",
        "",
        "Round 3 (calm).",
        "  Volcano card 4, VA02: grass and planks only by trade in the next round",
        "  Workers go home",
        "",
        "The Apocalypse: the game is lost.",
        "Goods at the end:",
        "  Seat 0: 1 plank",
    ]
