"""The no-op check: each number of data and rules is turned into nothing, or into another, and a rules test must fail.

Rules and data are contents of one record, so nothing is compiled anew. A change that no rules test notices must stand
in `UNNOTICED` with its reason; one that stands there and is noticed fails, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import table
from table import CARDS, CHECKS, DATA, GOODS

from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.rules import SOLO_ONLY, Rules
from pompeii_sim.games.pompeii.tables import card_number

UNNOTICED = {
    "rule decision_cap forgotten": "ends a runaway game in the loop that plays whole games; no rule of the game",
    "rule decision_cap otherwise": "ends a runaway game in the loop that plays whole games; no rule of the game",
}
"""Changes that no rules test notices, with the reason."""

NO_OP = 99  # an effect nobody knows


@dataclass(frozen=True)
class Change:
    """A change under the tests' feet and what to look at first."""

    name: str
    hints: frozenset[str]
    rules: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    tables: Callable[[Any], None] | None = None
    only_hinted: bool = False


def _change(name: str, hints: set[str], function: Callable[[Any], None]) -> Change:
    return Change(name, frozenset(hints), tables=lambda tables: function(tables[0]))


def _forget_card(t: Any, card: int) -> None:
    """Take away a card's effect."""
    op = int(t["op"][card])
    rest = [k for k in t["op_cards"][op, : int(t["op_count"][op])] if k != card]
    t["op_cards"][op, : len(rest)] = rest
    t["op_count"][op] = len(rest)
    t["op"][card] = NO_OP


def _cards() -> Iterator[Change]:
    by_id = {card.id: card for card in (*DATA.specialists, *DATA.city)}
    for op_number, op in enumerate(c.OPS):
        cards = [k for k in CARDS if by_id[k].effect.op == op]
        assert cards, op

        def forget_op(t: Any, op_number: int = op_number) -> None:
            for card in [k for k in range(c.N_CARDS) if t["op"][k] == op_number]:
                _forget_card(t, card)

        yield _change(f"effect {op} does nothing", set(cards), forget_op)
    for name in CARDS:
        number = card_number(name)
        yield _change(f"card {name} does nothing", {name}, lambda t, k=number: _forget_card(t, k))  # type: ignore[misc]

        def other_mark(t: Any, k: int = number) -> None:
            t["mark"][k] = {c.ALWAYS: c.ONCE, c.ONCE: c.ALWAYS, c.STAR: c.ONCE}[int(t["mark"][k])]

        yield _change(f"card {name} has another mark", {name}, other_mark)
        effect = by_id[name].effect
        if effect.op in ("field_plus", "produce_plus", "extra_actions", "steal_each", "gain_choice", "draw_keep",
                         "exchange_city", "cover_spaces", "new_worker", "steal_choice", "lose_worker",
                         "free_specialists", "offering_value"):  # fmt: skip
            argument = {"gain_choice": "arg_b", "draw_keep": "arg_b"}.get(effect.op, "arg_a")

            def other_number(t: Any, k: int = number, argument: str = argument) -> None:
                t[argument][k] += 1

            yield _change(f"card {name} has another number", {name}, other_number)
        if effect.op == "draw_keep" and (effect.keep or 0) < (effect.draw or 0):

            def keep_more(t: Any, k: int = number) -> None:
                t["arg_c"][k] += 1

            yield _change(f"card {name} keeps one more", {name}, keep_more)
        if name[0] == "S":

            def free(t: Any, k: int = number) -> None:
                t["card_cost"][k] = 0

            yield _change(f"card {name} costs nothing", {name, f"train:{name}"}, free)


def _buildings() -> Iterator[Change]:
    for building in DATA.buildings:
        n = building.number
        hints = {f"tile:{n}", f"build:{n}", f"produce:{n}"}

        def free(t: Any, n: int = n) -> None:
            t["cost"][n] = 0

        yield _change(f"building {n} costs nothing", {f"build:{n}"}, free)
        if n < c.CASTRUM:

            def closed(t: Any, n: int = n) -> None:
                t["spaces"][c.BUILDING_0 + n] = 0

            yield _change(f"building {n} has no space", hints, closed)

            def wide(t: Any, n: int = n) -> None:
                t["spaces"][c.BUILDING_0 + n] = 50

            if n in (7, 13, 16, 17, 18, 19):
                yield _change(f"building {n} has no limit", hints, wide)
        if building.output:

            def idle(t: Any, n: int = n) -> None:
                t["r_out_qty"][t["recipe"][n]] = 0

            yield _change(f"building {n} makes nothing", hints, idle)

            def double(t: Any, n: int = n) -> None:
                t["r_out_qty"][t["recipe"][n]] = 2

            yield _change(f"building {n} makes twice as much", hints, double)
            for i, good in enumerate(building.inputs):

                def dearer(t: Any, n: int = n, i: int = i) -> None:
                    t["r_qty"][t["recipe"][n], i] = 2

                yield _change(f"building {n} takes two {good}", hints, dearer)

        def other_colour(t: Any, n: int = n) -> None:
            t["colour"][n] = c.BLUE if t["colour"][n] == c.RED else c.RED

        if n != c.TERME:
            yield _change(f"building {n} has another colour", hints, other_colour)

    def green_is_blue(t: Any) -> None:
        t["colour"][c.TERME] = c.BLUE

    yield _change("building 19 has another colour", {"tile:19"}, green_is_blue)

    def no_recruits(t: Any) -> None:
        t["recruit_most"] = 0

    yield _change("building 18 gives no workers", {"tile:18"}, no_recruits)

    def more_recruits(t: Any) -> None:
        t["recruit_most"] = 4

    yield _change("building 18 gives four workers", {"tile:18", "rule:workers_start"}, more_recruits)

    def other_price(t: Any) -> None:
        t["recruit_good"] = GOODS.index("oil")

    yield _change("building 18 takes oil", {"tile:18"}, other_price)
    for good in DATA.costs["army"].goods:

        def cheaper(t: Any, good: str = good) -> None:
            t["army_cost"][GOODS.index(good)] -= 1

        yield _change(f"the army costs one {good} less", {"army"}, cheaper)
    for i, space in enumerate(("C12", "C28", "C31", "C14")):

        def release(t: Any, i: int = i) -> None:
            t["release_cost"][i] = 0

        yield _change(f"the way out of {space} costs nothing", {f"release:{space}", "uncover:7"}, release)
    for place, number in (("costruzione", c.COSTRUZIONE), ("porta", c.PORTA), ("piazza", c.PIAZZA)):
        for spaces in (0, 50):

            def resize(t: Any, number: int = number, spaces: int = spaces) -> None:
                t["spaces"][number] = spaces

            yield _change(f"{place} has {spaces} spaces", {f"stand:{place}", "trade", "build:7", "train:S01"}, resize)


def _goods() -> Iterator[Change]:
    for i, good in enumerate(GOODS):

        def other_value(t: Any, i: int = i) -> None:
            t["value"][i] = t["value"][i] % 5 + 1

        yield _change(f"{good} has another value", {"trade", f"good:{good}"}, other_value)

    def common_pearls(t: Any) -> None:
        t["cards_only"][:] = 0

    yield _change("pearls are like other goods", {"trade", "produce:16"}, common_pearls)
    for level in "ABC":
        for number in range(1, 18):

            def harmless(t: Any, level: str = level, number: int = number) -> None:
                if t["level"] == "ABC".index(level):
                    t["volcano_goods"][number - 1] = 0

            yield _change(f"volcano card {level}{number} destroys nothing", {f"volcano:{level}{number}"}, harmless)

    def no_forbid(t: Any) -> None:
        t["forbid"][:] = 0

    def no_kinds(t: Any) -> None:
        t["forbid_kind"][:] = 0

    def no_hands(t: Any) -> None:
        t["forced_hand"][:] = 0

    yield _change("forbidden targets are allowed", set(), no_forbid)
    yield _change("forbidden kinds are allowed", set(), no_kinds)
    yield _change("forced hands are forgotten", {"rule:deal"}, no_hands)


def _solo() -> Iterator[Change]:
    for k, title in enumerate(sorted(DATA.titles, key=lambda title: title.cards_left)):
        for by in (-1, 1):

            def other_round(t: Any, k: int = k, by: int = by) -> None:
                t["title_above"][k] += by

            yield _change(f"title {title.name} for {title.cards_left + by} cards left", {"solo"}, other_round)

    def no_titles(t: Any) -> None:
        t["n_titles"] = 0

    yield _change("no titles", {"solo"}, no_titles)

    def lasting_only(t: Any) -> None:
        if t["n_seats"] == 1:
            lasting = [card for card in t["use_cards"][: t["n_use"]] if t["mark"][card] != c.ONCE]
            t["n_use"] = len(lasting)
            t["use_cards"][: len(lasting)] = lasting

    yield _change("one-time specialists have no place for one", {"solo"}, lasting_only)

    def foro_by_track(t: Any) -> None:
        t["calm_steps"] = min(t["calm_steps"], 7)

    yield _change("the Foro opens for one as for others", {"solo"}, foro_by_track)


OTHERWISE: dict[str, Any] = {
    "difficulty": "B", "volcano_cards": 5, "apocalypse": "top", "workers_start": 4, "workers_most": 5,
    "goods_start": 2, "start_buildings": 2, "specialists_dealt": 5, "city_dealt": 5, "foro_city": 0,
    "foro_specialists": 0, "cap": 9, "spaces": 1, "spaces_at": {"building:7": 1}, "owner_bonus": 2,
    "tempio_amount": "whole-stack", "trade_down": 2, "trade_same": 3, "trade_up": 5, "trade_pearl": 2,
    "trade_up_reach": "one-step", "calm_steps": 6, "foro_needs_track": False, "offering_base": 1, "raise_after": 2,
    "raise_by": 2, "over_offering_cards": 2, "over_offering_keep": 2, "reclaim_workers": "own",
    "injure_unplaced": True, "freed_worker_acts": True, "extra_space": "second-worker",
    "army_without_workers": True, "solo_open_specialists": 4, "solo_lower_deck": 8, "solo_upper_deck": 7,
    "solo_final_rounds": 2, "solo_city_dealt": 4, "solo_offering_deck": "city",
    "title_counts_apocalypse": True, "round_cap": 39, "decision_cap": 5,
}  # fmt: skip
"""A setting other than the rulebook's for every rule."""

HINTS = {
    "cap": {"S30"}, "owner_bonus": {"produce:7"}, "tempio_amount": {"produce:16"}, "spaces_at": {"produce:7"},
    "spaces": {"produce:7"}, "trade_down": {"trade"}, "trade_same": {"trade"}, "trade_up": {"trade"},
    "trade_pearl": {"good:pearl"}, "trade_up_reach": {"trade"}, "city_dealt": {"build:17"}, "foro_city": {"build:17"},
    "foro_specialists": {"build:17"}, "calm_steps": {"build:17"}, "reclaim_workers": {"C01"},
    "injure_unplaced": {"C12"}, "freed_worker_acts": {"release:C12"}, "extra_space": {"C17"},
    "army_without_workers": {"build:20"}, "over_offering_cards": {"deck:city"}, "over_offering_keep": {"deck:city"},
    "workers_most": {"tile:18"}, **{name: {"solo"} for name in SOLO_ONLY},
}  # fmt: skip


def _rules() -> Iterator[Change]:
    assert set(OTHERWISE) | {"deal"} == set(Rules.model_fields), "a rule is missing here"
    for name, value in OTHERWISE.items():

        def forgotten(rules: dict[str, Any], name: str = name) -> dict[str, Any]:
            rules.pop(name, None)
            return rules

        def otherwise(rules: dict[str, Any], name: str = name, value: Any = value) -> dict[str, Any]:
            rules.setdefault(name, value)
            return rules

        yield Change(f"rule {name} forgotten", frozenset({f"rule:{name}"}), rules=forgotten, only_hinted=True)
        yield Change(f"rule {name} otherwise", frozenset(HINTS.get(name, set())), rules=otherwise)


CHANGES = [*_cards(), *_buildings(), *_goods(), *_rules(), *_solo()]


@pytest.fixture(scope="module")
def profile() -> dict[str, frozenset[str]]:
    """Run every check unchanged and note what it touches."""
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        if file.stem != "test_no_op":
            importlib.import_module(file.stem)
    touched = {}
    for name, function in CHECKS:
        table.touched.clear()
        try:
            function()
        except Exception:  # noqa: BLE001 - it fails as a test of its own; here it can notice nothing
            continue
        touched[name] = frozenset(table.touched)
    return touched


def _fails(function: Callable[[], None], change: Change) -> bool:
    with table.changed(change.rules, change.tables):
        try:
            function()
        except (AssertionError, IndexError):
            return True
    return False


def _noticed_by(change: Change, profile: dict[str, frozenset[str]]) -> str:
    """Return the first check that fails under a change, "" for none."""
    order = sorted(
        (row for row in CHECKS if row[0] in profile),
        key=lambda row: (-len(change.hints & profile[row[0]]), len(profile[row[0]])),
    )
    for name, function in order:
        if change.only_hinted and not change.hints & profile[name]:
            return ""
        if _fails(function, change):
            return name
    return ""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_a_rules_test_notices(change: Change, profile: dict[str, frozenset[str]]) -> None:
    noticed = _noticed_by(change, profile)
    if change.name in UNNOTICED:
        assert not noticed, f"noticed by {noticed}: take it off the list"
    else:
        assert noticed, "no rules test notices this"


def test_the_list_of_the_unnoticed_names_changes() -> None:
    assert set(UNNOTICED) <= {change.name for change in CHANGES}
    assert len({change.name for change in CHANGES}) == len(CHANGES)


def test_an_unchanged_table_fails_nothing(profile: dict[str, frozenset[str]]) -> None:
    assert len(profile) == len(CHECKS), "two checks share a name"
    assert len(CHECKS) > 500
