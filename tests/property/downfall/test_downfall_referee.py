"""Thousands of events of traced games, each allowed by a second reading of the rules; and the referee sees faults."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from downfall_referee import Foul, Referee
from downfall_table import document

import pompeii_sim

Events = list[dict[str, Any]]
TABLES = [
    ("greedy", "severus"),
    ("random", "random", "random"),
    ("corvus", "graecus", "cassia", "severus"),
    ("aurelia", "proculus", "greedy", "random"),
]


@pytest.mark.parametrize("players", TABLES, ids="-".join)
@pytest.mark.parametrize("dual", [False, True], ids=["plain", "dual"])
def test_every_event_is_allowed(players: tuple[str, ...], dual: bool) -> None:
    scenario = pompeii_sim.validate(document(players, rules={"dual_vent": dual, "start": "random"}))
    for number in range(5):
        game = pompeii_sim.play(scenario, number)
        referee = Referee(dual).watch(game.events[1:])  # after who sits where
        row = game.row()[0]
        assert row["winners"] == sum(1 << seat for seat in referee.winners)
        assert [int(s) for s in row["saved"][: len(players)]] == [referee.saved[s] for s in range(len(players))]
        assert row["rounds"] == referee.turn


@pytest.fixture(scope="module")
def games() -> list[Events]:
    """A few traced games to put faults into."""
    scenario = pompeii_sim.validate(document(("greedy", "random", "corvus", "severus")))
    return [pompeii_sim.play(scenario, number).events[1:] for number in range(4)]


def first(events: Events, name: str, where: Callable[[dict[str, Any]], bool] = lambda e: True) -> int:
    """Return the place of the first event of a name."""
    return next(i for i, e in enumerate(events) if e["event"] == name and where(e))


def change(
    name: str, where: Callable[[dict[str, Any]], bool] = lambda e: True, **fields: Any
) -> Callable[[Events], None]:
    """Return a fault that changes fields of the first such event."""

    def fault(events: Events) -> None:
        e = events[first(events, name, where)]
        for field, value in fields.items():
            e[field] = value(e) if callable(value) else value

    return fault


def drop(name: str, where: Callable[[dict[str, Any]], bool] = lambda e: True) -> Callable[[Events], None]:
    """Return a fault that leaves an event out."""

    def fault(events: Events) -> None:
        del events[first(events, name, where)]

    return fault


def double(name: str, where: Callable[[dict[str, Any]], bool] = lambda e: True) -> Callable[[Events], None]:
    """Return a fault that lets an event happen twice."""

    def fault(events: Events) -> None:
        at = first(events, name, where)
        events.insert(at, copy.deepcopy(events[at]))

    return fault


def relative(e: dict[str, Any]) -> bool:
    return bool(e["by"] == "relative")


def cause(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda e: bool(e["cause"] == name)


FAULTS = {
    "one person fewer": change("setup", people={"0": 24, "1": 25, "2": 25, "3": 25}),
    "a hand of three": change("setup", hands=lambda e: {**e["hands"], "0": e["hands"]["0"][:3]}),
    "an omen before the first AD 79": change("setup", stack=lambda e: ["omen", *e["stack"][1:]]),
    "second AD 79 too high": change(
        "setup", stack=lambda e: [*e["stack"][:9], "ad79", *[c for c in e["stack"][9:] if c != "ad79"]]
    ),
    "46 tiles": change("setup", tiles=lambda e: [*e["tiles"], "vase"]),
    "another card than in hand": change("card", card="15"),
    "another building": change("placed", square="1_3"),
    "a street": change("placed", square="0_2"),
    "another seat's person": change("placed", seat=3),
    "a wild card without need": change("card", **{"as": "wild"}),
    "a relative to another colour": change("placed", relative, square="5_5"),
    "a relative too many": double("placed", relative),
    "a seat skipped": change("turn", lambda e: e["turn"] == 5, seat=3),
    "a card out of the middle": change("draw", card="5"),
    "an omen without a victim": drop("lost", cause("omen")),
    "an omen takes two": change("lost", cause("omen"), people={"0": 2}),
    "an AD 79 without effect": drop("phase"),
    "eruption without seething": change("phase", to="eruption"),
    "lava beside another symbol": change("lava", lambda e: e["turn"] > 45, square="0_0"),
    "lava of another symbol": change("lava", lambda e: e["turn"] > 40, symbol="coin"),
    "another tile": change("tile", tile="coin"),
    "a survivor under lava": drop("lost", cause("lava")),
    "a survivor enclosed": drop("lost", cause("enclosed")),
    "an enclosed square forgotten": drop("buried"),
    "an open square buried": change("buried", square="4_10"),
    "a run too far": change("run", to="0_0"),
    "more steps": change("run", steps=lambda e: e["steps"] + 1),
    "a third run": double("run"),
    "through another gate": change("saved", gate=lambda e: "marina" if e["gate"] != "marina" else "di-sarno"),
    "running too early": change("phase", lambda e: e["to"] == "running", to="quiet"),
    "one saved more": change("game_end", saved=lambda e: {**e["saved"], "0": e["saved"]["0"] + 1}),
    "one casualty fewer": change("game_end", casualties=lambda e: {**e["casualties"], "0": e["casualties"]["0"] - 1}),
    "the end forgotten": drop("game_end"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_referee_sees_a_fault(name: str, games: list[Events]) -> None:
    seen = tried = 0
    for events in games:
        spoiled = copy.deepcopy(events)
        try:
            FAULTS[name](spoiled)
        except StopIteration:
            continue
        if spoiled == events:
            continue
        tried += 1
        with pytest.raises((Foul, KeyError, ValueError)):
            Referee().watch(spoiled)
        seen += 1
    assert seen == tried
    assert tried > 0
