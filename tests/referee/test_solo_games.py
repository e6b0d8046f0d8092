"""Every event of mixed games for one, read a second time from the rules; and faults that this reading must see."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pompeii_sim.games.pompeii as pompeii
from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.rules import Deal, Rules, Seat
from referee.design import cheap_folder
from referee.referee import RuleViolation
from referee.rulebook import Book
from referee.solo import check
from referee.solo_design import table
from referee.traced import GAME, Traced, cell

TABLES, GAMES = (6, 2) if JIT_DISABLED else (120, 20)
SEED = 11
SHIPPED = Path(pompeii.__file__).parent / "data"

Events = list[dict[str, Any]]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[Book, Any]]:
    """The data as shipped and with cheap victories: for the referee, and for the game."""
    folder = cheap_folder(SHIPPED, tmp_path_factory.mktemp("cheap") / "data")
    return {False: (Book(SHIPPED), GAME.load_data(None)), True: (Book(folder), GAME.load_data(folder))}


def test_mixed_games_for_one_follow_the_rules(books: dict[bool, tuple[Book, Any]]) -> None:
    bad: list[str] = []
    seen: Counter[str] = Counter()
    for number in range(TABLES):
        design = table(number)
        book, data = books[design.cheap]
        traced = Traced(cell(design.rules, list(design.seats), data), SEED, data)
        for game in range(GAMES):
            events = traced.events(game)
            try:
                check(events, design.rules.model_dump(), book, {0: design.seats[0].forbid})
            except RuleViolation as violation:
                rules = json.dumps(design.rules.model_dump(exclude_defaults=True))
                seat = json.dumps(design.seats[0].model_dump())
                bad.append(f"{violation}\nsolo table({number}) game {game} cheap {design.cheap}\n{rules}\n{seat}")
            seen.update(f"{e['event']}:{e.get('result') or e.get('ending') or e.get('why') or ''}" for e in events)
            seen.update(e["action"].partition(":")[0] for e in events if e["action"])
            seen.update(f"title:{e['title']}" for e in events if e.get("title"))
    assert not bad, f"{len(bad)} games break the rules; the first:\n" + "\n\n".join(bad[:3])
    if JIT_DISABLED:
        return
    rare = {
        "game_end:victory", "game_end:apocalypse", "game_end:round_cap", "reshuffle:", "star:", "use", "army",
        "recruit",
        "idle", "offering:paid", "offering:failed", "draw:open", "draw:free", "draw:offering", "blocked:",
        *(f"title:{name}" for name in ("Duumvir", "Aedile", "Decurion", "Quaestor")),
    }  # fmt: skip
    assert not {r for r in rare if not seen[r]}, "the design no longer reaches these"
    assert not {"train", "swap", "bonus:", "steal:", "gift:", "castrum:stopped"} & set(seen)


# faults seeded in the engine's tables


def _set(name: str, value: int) -> Callable[[Any], None]:
    def change(tables: Any) -> None:
        tables[name][0] = value

    return change


def _shown(tables: Any) -> None:
    """Print another good on a volcano card."""
    tables["volcano_goods"][0][:, 3] = 1


def _lasting_only(tables: Any) -> None:
    tables["mark"][0][[4, 24]] = c.ALWAYS


def _titles(tables: Any) -> None:
    tables["title_above"][0] += 1


ENGINE: dict[str, Callable[[Any], None]] = {
    "one specialist fewer": _set("solo_open", 4),
    "one specialist more": _set("solo_open", 6),
    "the Awakening a round early": _set("solo_lower", 8),
    "the Awakening a round late": _set("solo_lower", 10),
    "a round too few": _set("last_round", 17),
    "a round too many": _set("last_round", 19),
    "six city cards": _set("city_dealt", 6),
    "specialists for over-offering": _set("either_deck", 1),
    "titles a card later": _titles,
    "the Apocalypse counts": _set("title_apocalypse", 1),
    "another good on the cards": _shown,
    "the Foro can be built": _set("calm_steps", 0),
    "specialists dealt as lasting": _lasting_only,
    "raises after two": _set("raise_after", 2),
    "two workers a place": lambda tables: tables["spaces"][0].__setitem__(slice(10, 36), 2),
}  # fmt: skip


# faults seeded in the events


def _first(events: Events, kind: str, **wanted: Any) -> int | None:
    for i, e in enumerate(events):
        if e["event"] == kind and all(e.get(k) == v for k, v in wanted.items()):
            return i
    return None


def _edit(kind: str, change: Callable[[dict[str, Any]], None], **wanted: Any) -> Callable[[Events], Events | None]:
    def edit(events: Events) -> Events | None:
        at = _first(events, kind, **wanted)
        if at is None:
            return None
        out = copy.deepcopy(events)
        change(out[at])
        return out

    return edit


def _drop(kind: str, **wanted: Any) -> Callable[[Events], Events | None]:
    def edit(events: Events) -> Events | None:
        at = _first(events, kind, **wanted)
        return None if at is None else events[:at] + events[at + 1 :]

    return edit


def _used_twice(events: Events) -> Events | None:
    """Use a specialist a second time instead of collecting."""
    used = [e for e in events if e["event"] == "place" and str(e["action"]).startswith("use:S")]
    last = [i for i, e in enumerate(events) if e["event"] == "place" and str(e["action"]).startswith("collect")]
    if not used or not last or last[-1] < events.index(used[0]):
        return None
    out = copy.deepcopy(events)
    out[last[-1]] = {**copy.deepcopy(used[0]), "round": events[last[-1]]["round"], "phase": events[last[-1]]["phase"]}
    return out


def _blocked_gain(events: Events) -> Events | None:
    """Collect a good in a round in which it is blocked."""
    blocked: list[str] = []
    for i, e in enumerate(events):
        if e["event"] == "blocked":
            blocked = e["blocked"]
        if e["event"] == "place" and str(e["action"]).startswith("collect:") and not e["goods"]:
            good = str(e["action"]).partition(":")[2]
            if good in blocked:
                out = copy.deepcopy(events)
                out[i]["goods"] = {"0": {good: 1}}
                return out
    return None


def _loss_after_payment(events: Events) -> Events | None:
    at = _first(events, "blocked", phase="awakening")
    if at is None or events[at - 1]["event"] != "time_marker":
        return None
    out = copy.deepcopy(events)
    out[at]["goods"] = {"0": {out[at]["blocked"][0]: -1}}
    return out


EVENTS: dict[str, Callable[[Events], Events | None]] = {
    "no card is revealed": _drop("blocked"),
    "no card after an offering made": _drop("blocked", phase="awakening"),
    "another card is revealed": _edit("blocked", lambda e: e.update(card="VA01" if e["card"] != "VA01" else "VA02")),
    "other goods are blocked": _edit("blocked", lambda e: e.update(blocked=e["blocked"][1:])),
    "an unused specialist stays": _drop("discard", phase="calm"),
    "no new specialist": _drop("draw", why="open"),
    "no city card": _drop("draw", why="deal"),
    "no Awakening": _drop("phase"),
    "no offering": _drop("due"),
    "another title": _edit("game_end", lambda e: e.update(title="Aedile" if e["title"] != "Aedile" else None)),
    "a specialist twice": _used_twice,
    "a blocked good collected": _blocked_gain,
    "a loss after an offering made": _loss_after_payment,
    "a good for an owner": _edit("place", lambda e: e["goods"].setdefault("0", {}).update(fish=3)),
}


def _sample(number: int) -> tuple[Rules, list[Seat]]:
    city = ["C03", "C30", "C41", "C39", "C19"] if number % 2 else []
    rules = Rules(
        difficulty="ABC"[number % 3],
        deal=Deal(specialists={0: ["S05", "S25", "S30", "S49"]}, city={0: city} if city else {}),
        solo_offering_deck="city",
    )
    player = ("planner", "random", "greedy")[number % 3]
    return rules, [Seat(player=player, stance=("player", "never")[number // 3 % 2], skill=0.8)]


def _broken(events: Events, rules: Rules, book: Book) -> str:
    try:
        check(events, rules.model_dump(), book)
    except RuleViolation as violation:
        return violation.rule
    return ""


needs_compiler = pytest.mark.skipif(JIT_DISABLED, reason="hundreds of games need the compiler")


@needs_compiler
@pytest.mark.parametrize("name", ENGINE)
def test_an_engine_fault_is_caught(name: str, books: dict[bool, tuple[Book, Any]]) -> None:
    book, data = books[True]
    for number in range(6):
        rules, seats = _sample(number)
        traced = Traced(cell(rules, seats, data, ENGINE[name]), SEED, data)
        if any(_broken(traced.events(i), rules, book) for i in range(25)):
            return
    pytest.fail(f"150 games with the fault {name!r} pass the referee")


@pytest.mark.parametrize("name", EVENTS)
def test_a_fault_in_events_is_caught(name: str, books: dict[bool, tuple[Book, Any]]) -> None:
    book, data = books[True]
    tried = 0
    for number in range(6):
        rules, seats = _sample(number)
        traced = Traced(cell(rules, seats, data), SEED, data)
        for game in range(1 if JIT_DISABLED else 10):
            events = traced.events(game)
            assert not _broken(events, rules, book)
            edited = EVENTS[name](events)
            if edited is not None:
                tried += 1
                assert _broken(edited, rules, book), f"{name} in game {game} of sample {number} passes"
    assert tried >= (1 if JIT_DISABLED else 3), "no game to seed this fault in"
