"""Every event of thousands of mixed games, read a second time from the rules."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import pompeii_sim.games.pompeii as pompeii
from referee.design import Table, cheap_folder, table
from referee.referee import RuleViolation, check
from referee.rulebook import Book
from referee.traced import GAME, Traced, cell

TABLES, GAMES = 140, 36
SEED = 7
SHIPPED = Path(pompeii.__file__).parent / "data"


def replay_hint(number: int, game: int, design: Table) -> str:
    """Return how to see a game again: the scenario it belongs to."""
    rules = design.rules.model_dump(exclude_defaults=True)
    seats = [s.model_dump(exclude_defaults=True) for s in design.seats]
    data = "cheap data of design.cheap_folder" if design.cheap else "shipped data"
    return (
        f"table({number}) of design.py, game {game}, seed {SEED}, {data}\n"
        f"rules {json.dumps(rules)}\nseats {json.dumps(seats)}\n"
        f"Traced(cell(t.rules, list(t.seats), data), {SEED}, data).events({game})"
    )


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[Book, object]]:
    """The data as shipped and with cheap victories: for the referee, and for the game."""
    folder = cheap_folder(SHIPPED, tmp_path_factory.mktemp("cheap") / "data")
    return {False: (Book(SHIPPED), GAME.load_data(None)), True: (Book(folder), GAME.load_data(folder))}


def test_mixed_games_follow_the_rules(books: dict[bool, tuple[Book, object]]) -> None:
    bad: list[str] = []
    seen: Counter[str] = Counter()
    played = 0
    for number in range(TABLES):
        design = table(number)
        book, data = books[design.cheap]
        traced = Traced(cell(design.rules, list(design.seats), data), SEED, data)
        rules = design.rules.model_dump()
        for game in range(GAMES):
            events = traced.events(game)
            played += 1
            forbid = {s: design.seats[spec].forbid for s, spec in enumerate(events[0]["listed_seats"])}
            try:
                check(events, rules, book, forbid)
            except RuleViolation as violation:
                bad.append(f"{violation}\n{replay_hint(number, game, design)}")
            seen.update(
                f"{e['event']}:{e.get('result') or e.get('change') or e.get('ending') or e.get('why') or ''}"
                for e in events
            )
            seen.update(e["action"].partition(":")[0] for e in events if e["action"])
    assert not bad, f"{len(bad)} of {played} games break the rules; the first:\n" + "\n\n".join(bad[:3])
    assert played >= 5000
    rare = {
        "castrum:stopped", "castrum:built", "game_end:victory", "game_end:apocalypse", "game_end:round_cap",
        "worker:lost", "worker:injured", "worker:released", "worker:reclaimed", "worker:new", "token:", "co_owner:",
        "reshuffle:", "steal:", "gift:", "star:", "army_placed:", "army", "uncover", "recruit", "idle", "release",
    }  # fmt: skip
    assert not {r for r in rare if not seen[r]}, "the design no longer reaches these"
