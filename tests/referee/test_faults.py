"""The referee must catch rule faults that are seeded on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pompeii_sim.games.pompeii as pompeii
from pompeii_sim.games.pompeii import codes
from pompeii_sim.games.pompeii.rules import Deal, Rules, Seat
from referee.design import LOUD, cheap_folder
from referee.faults import ENGINE, EVENTS, Edit
from referee.referee import RuleViolation, check
from referee.rulebook import Book
from referee.traced import GAME, Traced, cell

SHIPPED = Path(pompeii.__file__).parent / "data"
MISSED: dict[str, str] = {}
"""Faults the referee does not catch, with the reason."""
GAMES = 60


def _table(number: int) -> tuple[Rules, list[Seat]]:
    """Return tables that reach every part of a game soon."""
    city = {s: LOUD[6 * (number + s) % 24 :][:6] for s in range(3)} if number < 4 else {}
    if len({c for own in city.values() for c in own}) < sum(map(len, city.values())):
        city = {s: [c for i, c in enumerate(LOUD[:18]) if (i + number) % 3 == s] for s in range(3)}
    special = {0: ["S07", "S30"], 1: ["S05", "S06"], 2: ["S01", "S27"]} if number % 2 else {}
    workers = 5 if number == 3 else 3  # more than four, for C40
    rules = Rules(
        calm_steps=2, round_cap=18, goods_start=2, workers_start=workers, deal=Deal(city=city, specialists=special)
    )
    players = (("greedy", "random", "greedy"), ("random", "random", "random"))[number % 2]
    stance = ("cooperative", "player")[number // 2 % 2]
    return rules, [Seat(player=p, stance=stance) for p in players]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, Any]:
    """Data with cheap victories, for the referee and for the game."""
    folder = cheap_folder(SHIPPED, tmp_path_factory.mktemp("cheap") / "data")
    return Book(folder), GAME.load_data(folder)


@pytest.fixture(scope="module")
def games(data: tuple[Book, Any]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Sound games: rules and events."""
    found = []
    for number in range(4):
        rules, seats = _table(number)
        traced = Traced(cell(rules, seats, data[1]), 3, data[1])
        found += [(rules.model_dump(), traced.events(i)) for i in range(GAMES)]
    return found


def _broken(events: list[dict[str, Any]], rules: dict[str, Any], book: Book) -> str:
    """Return the rule the referee says is broken, '' for none."""
    try:
        check(events, rules, book)
    except RuleViolation as violation:
        return violation.rule
    return ""


def test_the_games_are_sound_without_a_fault(data: tuple[Book, Any], games: list[tuple[Any, Any]]) -> None:
    assert {_broken(events, rules, data[0]) for rules, events in games} == {""}


def test_there_are_enough_faults() -> None:
    assert len(ENGINE) >= 30
    assert len(EVENTS) >= 30
    missed = [name for name in MISSED if name in ENGINE or name in EVENTS]
    assert len(missed) * 10 <= len(ENGINE) + len(EVENTS)


@pytest.mark.parametrize("name", ENGINE)
def test_engine_fault_is_caught(name: str, data: tuple[Book, Any]) -> None:
    book, loaded = data
    for number in range(4):
        rules, seats = _table(number)
        sound = rules.model_dump()
        prepared = cell(rules, seats, loaded, lambda tables: ENGINE[name](tables, codes))
        traced = Traced(prepared, 3, loaded)
        if any(_broken(traced.events(i), sound, book) for i in range(GAMES)):
            assert name not in MISSED, "caught after all: take it off the list"
            return
    assert name in MISSED, f"240 games with the fault {name!r} pass the referee"


@pytest.mark.parametrize("name", EVENTS)
def test_fault_in_events_is_caught(
    name: str, data: tuple[Book, Any], games: list[tuple[dict[str, Any], list[dict[str, Any]]]]
) -> None:
    edit: Edit = EVENTS[name]
    tried = caught = 0
    for rules, events in games:
        edited = edit(events)
        if edited is None:
            continue
        tried += 1
        caught += bool(_broken(edited, rules, data[0]))
        if tried == 10:
            break
    assert tried >= 3, "no game to seed this fault in"
    assert (caught == tried) == (name not in MISSED), f"{caught} of {tried} faulty games caught"
