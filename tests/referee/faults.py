"""Rule faults seeded on purpose: in the engine's tables, so that it plays by a wrong rule, and in events."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Events = list[dict[str, Any]]
Tables = Any
Edit = Callable[[Events], Events | None]


# faults of the engine: its tables differ from the rules that the referee is told
def _set(name: str, value: int) -> Callable[[Tables, Any], None]:
    def change(tables: Tables, codes: Any) -> None:
        tables[name][0] = value

    return change


def _add(name: str, index: Any, by: int) -> Callable[[Tables, Any], None]:
    def change(tables: Tables, codes: Any) -> None:
        tables[name][0][index] += by

    return change


def _card(name: str, card: int, value: int) -> Callable[[Tables, Any], None]:
    def change(tables: Tables, codes: Any) -> None:
        tables[name][0][card] = value

    return change


def _price(step: int, rate: int) -> Callable[[Tables, Any], None]:
    """Change the price of trades to a good of lower (-1), equal (0) or higher (1) value."""

    def change(tables: Tables, codes: Any) -> None:
        prices, value = tables["price"][0], tables["value"][0].astype(int)
        steps = (value[:, None] > value[None, :]).astype(int) - (value[:, None] < value[None, :])  # row: taken
        prices[(steps == step) & (prices > 0)] = rate
        tables["least_rate"][0] = [min((int(r) for r in column if r > 0), default=0) for column in prices.T]

    return change


def _city(number: int) -> int:
    return 51 + number


def _free(row: str, index: int) -> Callable[[Tables, Any], None]:
    """Make a cost nothing."""

    def change(tables: Tables, codes: Any) -> None:
        tables[row][0][index] = 0

    return change


def _army_free(tables: Tables, codes: Any) -> None:
    cost = tables["army_cost"][0]
    cost[cost.nonzero()[0][0]] -= 1


def _recipe(building: int, part: str, by: int) -> Callable[[Tables, Any], None]:
    def change(tables: Tables, codes: Any) -> None:
        recipe = int(tables["recipe"][0][building])
        if part == "r_qty":
            tables[part][0][recipe][0] += by
        else:
            tables[part][0][recipe] += by

    return change


def _last_input(tables: Tables, codes: Any) -> None:
    recipe = int(tables["recipe"][0][9])
    tables["r_n_in"][0][recipe] -= 1


def _all_spaces(tables: Tables, codes: Any) -> None:
    spaces = tables["spaces"][0]
    spaces[spaces < 100] += 1


def _pearls_sold(tables: Tables, codes: Any) -> None:
    tables["cards_only"][0][:] = 0


def _volcano_short(tables: Tables, codes: Any) -> None:
    for row in tables["volcano_goods"][0]:
        row[row.nonzero()[0][-1]] = 0


def _always_kept(tables: Tables, codes: Any) -> None:
    for number in (18, 19, 20, 24, 37, 51):
        tables["mark"][0][_city(number)] = codes.ALWAYS


ENGINE: dict[str, Callable[[Tables, Any], None]] = {
    "trade at the same value 1:1": _price(0, 1),
    "trade upward 3:1": _price(1, 3),
    "trade downward 2:1": _price(-1, 2),
    "cap 12 instead of 10": _set("cap", 12),
    "owner bonus of 2": _set("owner_bonus", 2),
    "no owner bonus": _set("owner_bonus", 0),
    "four workers at the start": _set("workers_start", 4),
    "three of each good at the start": _set("goods_start", 3),
    "two buildings at the start": _set("start_buildings", 2),
    "Foro a round too early": _set("calm_steps", 1),
    "five city cards dealt": _set("city_dealt", 5),
    "no extra city card for Foro": _set("foro_city", 0),
    "two extra specialists for Foro": _set("foro_specialists", 2),
    "offering one point higher a seat": _set("offering_base", 1),
    "markers rise after two successes": _set("raise_after", 2),
    "markers never rise": _set("raise_by", 0),
    "two cards for a point of over-offering": _set("over_cards", 2),
    "two cards kept": _set("over_keep", 2),
    "one more worker space everywhere": _all_spaces,
    "pearls can be had by trade": _pearls_sold,
    "a volcano card spares its last good": _volcano_short,
    "a red building costs no wood": lambda t, c: t["cost"][0].__setitem__((slice(1, 11), 2), 0),
    "Foro is free": _free("cost", 17),
    "army one good too cheap": _army_free,
    "two flour a grain at the mill": _recipe(7, "r_out_qty", 1),
    "coal costs two fish": _recipe(1, "r_qty", 1),
    "Macellum needs only its first good": _last_input,
    "S30 gives 3 flour more": _card("arg_a", 29, 3),
    "S07 gives a third fish": _card("arg_a", 6, 2),
    "training S01 is free": _free("card_cost", 0),
    "C01 takes only own workers": _set("reclaim_own", 1),
    "freed worker acts at once": _set("freed_acts", 1),
    "unplaced worker injured": _set("injure_unplaced", 1),
    "second worker at a blue building": _set("second_worker", 1),
    "only seven volcano cards in the deck": _set("volcano_cards", 7),
    "one-time city cards stay for ever": _always_kept,
}


# faults in events
def _where(events: Events, kind: str, /, **wanted: Any) -> Iterator[int]:
    for i, e in enumerate(events):
        if e["event"] == kind and all(e.get(k) == v for k, v in wanted.items()):
            yield i


def _without(kind: str, /, **wanted: Any) -> Edit:
    def edit(events: Events) -> Events | None:
        i = next(_where(events, kind, **wanted), None)
        return None if i is None else events[:i] + events[i + 1 :]

    return edit


def _twice(kind: str, /, **wanted: Any) -> Edit:
    def edit(events: Events) -> Events | None:
        i = next(_where(events, kind, **wanted), None)
        return None if i is None else [*events[: i + 1], copy.deepcopy(events[i]), *events[i + 1 :]]

    return edit


def _changed(alter: Callable[[Events, int], bool], kind: str, /, **wanted: Any) -> Edit:
    """Change the first event of a kind that can be changed."""

    def edit(events: Events) -> Events | None:
        for i in _where(events, kind, **wanted):
            copied = copy.deepcopy(events)
            if alter(copied, i):
                return copied
        return None

    return edit


def _at(start: str, alter: Callable[[Events, int], bool]) -> Edit:
    """Change the first placement whose action starts so and that can be changed."""
    return _changed(lambda e, i: e[i]["action"].startswith(start) and alter(e, i), "place")


def _steal_missing(op: str) -> Edit:
    """A steal of goods is missing that a card should have brought."""

    def edit(events: Events) -> Events | None:
        for i in _where(events, "steal"):
            if "good" in events[i] and any(e["event"] == "card" and e["card"] == op for e in events[i - 3 : i]):
                return events[:i] + events[i + 1 :]
        return None

    return edit


def _own_bonus(events: Events) -> Events | None:
    owner = {int(b): s for b, s in events[0]["owned_buildings"].items()}
    for i in _where(events, "place"):
        kind, _, arg = events[i]["action"].partition(":")
        if kind == "build" and int(arg.partition("+")[0]) < 11:
            owner[int(arg.partition("+")[0])] = events[i]["seat"]
        if kind == "produce" and owner.get(int(arg)) == events[i]["seat"] and int(arg) < 11:
            spent = next(g for g, n in events[i]["goods"][str(events[i]["seat"])].items() if n < 0)
            extra = {**events[i], "event": "bonus", "action": None, "good": spent,
                     "goods": {str(events[i]["seat"]): {spent: 1}}}  # fmt: skip
            return [*events[: i + 1], extra, *events[i + 1 :]]
    return None


def _wrong_owner(e: Events, i: int) -> bool:
    seats, old = e[0]["seats"], e[i]["seat"]
    new = next((s for s in range(seats) if s not in (old, e[i - 1]["seat"])), None)
    if new is None or not e[i]["goods"] or e[i]["place"] == "porta":
        return False
    e[i]["seat"], e[i]["goods"] = new, {str(new): e[i]["goods"][str(old)]}
    return True


def _unspent_good(e: Events, i: int) -> bool:
    if not e[i]["goods"] or "good" not in e[i]:
        return False
    good = "clay" if e[i]["good"] != "clay" else "fish"
    e[i]["good"], e[i]["goods"] = good, {str(e[i]["seat"]): {good: 1}}
    return True


def _drop_goods(e: Events, i: int) -> bool:
    full = bool(e[i]["goods"])
    e[i]["goods"] = {}
    return full


def _pay_less(e: Events, i: int) -> bool:
    seat = str(e[i]["seat"])
    good = next(iter(e[i]["goods"][seat]))
    e[i]["goods"][seat][good] += 1
    if not e[i]["goods"][seat][good]:
        del e[i]["goods"][seat][good]
    return True


def _pay_less_and_say_so(e: Events, i: int) -> bool:
    seat = str(e[i]["seat"])
    if e[i]["paid"] != e[i]["pledged"] or "grain" not in e[i]["goods"][seat]:
        return False
    e[i]["paid"] -= 1
    return _pay_less(e, i)


def _spared_seat(e: Events, i: int) -> bool:
    return bool(e[i]["goods"]) and e[i]["goods"].pop(next(iter(e[i]["goods"]))) is not None


def _succeeds(e: Events, i: int) -> bool:
    e[i]["result"] = "paid"
    return True


def _field(name: str, by: int) -> Callable[[Events, int], bool]:
    def change(e: Events, i: int) -> bool:
        e[i][name] += by
        return True

    return change


def _streak_goes_on(events: Events) -> Events | None:
    """The time marker is not reset by an eruption."""
    copied = copy.deepcopy(events)
    erupted = next(_where(copied, "eruption"), None)
    before = [i for i in _where(copied, "time_marker") if erupted is not None and i < erupted]
    after = next((i for i in _where(copied, "time_marker") if erupted is not None and i > erupted), None)
    if not before or after is None or copied[before[-1]]["successes"] == 0:
        return None
    copied[after]["successes"] = copied[before[-1]]["successes"] + 1
    return copied


def _turns_swapped(events: Events) -> Events | None:
    for i in range(1, len(events) - 1):
        a, b = events[i], events[i + 1]
        if a["event"] == b["event"] == "place" and a["seat"] != b["seat"]:
            kinds = {e["action"].partition(":")[0] for e in (a, b)}
            if kinds == {"collect"} and a["as"] == b["as"] == "worker":
                return [*events[:i], b, a, *events[i + 2 :]]
    return None


def _worker_rests(events: Events) -> Events | None:
    """The last worker of a round is not placed."""
    for i in range(1, len(events) - 1):
        if events[i + 1]["event"] == "round_end" and events[i]["event"] == "place":
            return events[:i] + events[i + 1 :]
    return None


def _c31_ignored(events: Events) -> Events | None:
    i = next(_where(events, "castrum", result="stopped"), None)
    if i is None:
        return None
    built = {**events[i], "result": "built", "place": "building:20"}
    star = next(j for j in range(i, -1, -1) if events[j]["event"] == "star")
    return [*events[: star + 1], built, *events[i + 1 :]]


def _army_enters_hurt(events: Events) -> Events | None:
    """An army enters although the Castrum is stopped or a worker lies on C28."""
    for i in (*_where(events, "worker", place="space:C28"), *_where(events, "castrum", result="stopped")):
        army = {**events[i], "event": "army_placed", "place": "building:20"}
        end = {**events[-1], "round": events[i]["round"], "goods": {}, "ending": "victory", "winner": events[i]["seat"]}
        rest = [] if events[i]["event"] == "castrum" else [events[i + 1]]
        return [*events[: i + 1], *rest, army, end]
    return None


def _victory_later(events: Events) -> Events | None:
    if events[-1]["ending"] != "victory":
        return None
    i = next(_where(events, "army_placed"))
    seat = (events[i]["seat"] + 1) % events[0]["seats"]
    other = {**events[i], "event": "place", "seat": seat, "place": "field:clay", "action": "collect:clay",
             "as": "worker", "goods": {str(seat): {"clay": 1}}}  # fmt: skip
    return [*events[:i], other, *events[i:]]


def _pearl_bought(e: Events, i: int) -> bool:
    row = e[i]["goods"].get(str(e[i]["seat"]), {})
    if e[i]["take"] not in ("bread", "meat", "oil", "wine") or e[i]["take"] not in row:
        return False
    row["pearl"] = row.pop(e[i]["take"])
    e[i]["take"] = "pearl"
    return True


def _tempio_without_card(events: Events) -> Events | None:
    """A seat that never had a temple card turns a good at the Tempio."""
    temples = {f"C{n}" for n in range(42, 48)}
    built = next(_where(events, "place", action="build:16"), None)
    for i in _where(events, "place", **{"as": "worker"}):
        e, seat = events[i], str(events[i]["seat"])
        if built is None or i < built or not e["action"].startswith("collect:") or not e["goods"]:
            continue
        if any(x["seat"] == e["seat"] and x["card"] in temples for x in events[:i]):
            continue
        good = e["action"].partition(":")[2]
        faulty = {**e, "place": "building:16", "action": "produce:16", "amount": 1, "give": good, "take": "oil",
                  "goods": {seat: {good: -1, "oil": 1}}}  # fmt: skip
        return [*events[:i], faulty, *events[i + 1 :]]
    return None


def _swap_volcano(events: Events) -> Events | None:
    two = [i for i in _where(events, "eruption") if events[i]["card"] != "apocalypse"][:2]
    if len(two) < 2:
        return None
    copied = copy.deepcopy(events)
    first, second = two
    copied[first]["card"], copied[second]["card"] = events[second]["card"], events[first]["card"]
    return copied


def _wrong_card_drawn(e: Events, i: int) -> bool:
    deck = e[0]["decks"]["specialists"][str(e[i]["seat"])]
    e[i]["card"] = deck[-1]
    return bool(e[i]["card"] != deck[0])


def _strange_card(e: Events, i: int) -> bool:
    hand = {c for h in e[0]["hands"].values() for c in h}
    card = next(c for c in (f"S{n:02d}" for n in range(1, 53)) if c not in hand and c != e[i]["card"])
    e[i]["card"], e[i]["action"] = card, f"{e[i]['action'].partition(':')[0]}:{card}"
    return bool(i < 30)


def _wrong_keep(e: Events, i: int) -> bool:
    e[i]["card"] = "S01" if e[i]["card"] != "S01" else "S02"
    return bool(e[i]["from"] == "drawn")


def _unbuilt(e: Events, i: int) -> bool:
    number = e[i]["action"].partition(":")[2]
    built = {*e[0]["owned_buildings"], *(x["action"].partition(":")[2].partition("+")[0] for x in e[:i]
             if x["event"] == "place" and x["action"].startswith("build:"))}  # fmt: skip
    new = next((str(n) for n in range(1, 11) if str(n) not in built), None)
    if new is None:
        return False
    e[i]["action"], e[i]["place"] = f"produce:{new}", f"building:{new}"
    return bool(number != new)


def _two_blues_before_foro(e: Events, i: int) -> bool:
    if e[i]["action"] != "build:17":
        return False
    e[i]["action"] = "build:13"
    return True


def _more_workers(e: Events, i: int) -> bool:
    e[i]["count"] += 1
    return True


def _bonus_at_foro(events: Events) -> Events | None:
    i = next(_where(events, "place", place="building:17"), None)
    built = next(_where(events, "place", action="build:17"), None)
    if i is None or built is None or events[built]["seat"] == events[i]["seat"]:
        return None
    seat = events[built]["seat"]
    extra = {**events[i], "event": "bonus", "seat": seat, "action": None, "card": None, "good": "grain",
             "goods": {str(seat): {"grain": 1}}}  # fmt: skip
    return [*events[: i + 1], extra, *events[i + 1 :]]


EVENTS: dict[str, Edit] = {
    "bonus to own use": _own_bonus,
    "bonus twice": _twice("bonus"),
    "bonus missing": _changed(lambda e, i: bool(e[i]["goods"]) and bool(e.pop(i)), "bonus"),
    "bonus to the wrong owner": _changed(_wrong_owner, "bonus"),
    "bonus of a good that was not spent": _changed(_unspent_good, "bonus"),
    "Foro gives a bonus": _bonus_at_foro,
    "C34 gives no fish": _changed(lambda e, i: bool(e[i]["goods"]) and bool(e.pop(i)), "bonus", place="porta"),
    "cost of a building not paid": _at("build:", _drop_goods),
    "production for nothing": _at("produce:", _drop_goods),
    "payment a good short": _changed(_pay_less, "pay"),
    "payment short, openly": _changed(_pay_less_and_say_so, "pay"),
    "short pledges succeed": _changed(_succeeds, "offering", result="failed"),
    "offering value a point short": _changed(_field("due", -1), "due"),
    "a second eruption": _twice("eruption"),
    "eruption spares one seat": _changed(_spared_seat, "eruption"),
    "eruption does not reset the marker": _streak_goes_on,
    "volcano cards in the wrong order": _swap_volcano,
    "offering left out": _without("offering"),
    "turn order wrong": _turns_swapped,
    "worker placed twice": _twice("place", **{"as": "worker"}),
    "a worker rests": _worker_rests,
    "starting player stays": _changed(lambda e, i: _field("next_start", -1)(e, i), "round_end"),
    "C31 ignored": _c31_ignored,
    "army enters in spite of C28 or C31": _army_enters_hurt,
    "victory put off a turn": _victory_later,
    "star card kept": lambda ev: next((ev[: i + 1] + ev[i + 2 :] for i in _where(ev, "star")
                                       if ev[i + 1]["event"] == "discard"), None),
    "pearl bought at the Porta": _changed(_pearl_bought, "place", action="trade"),
    "Tempio without a temple card": _tempio_without_card,
    "card drawn that is not on top": _changed(_wrong_card_drawn, "draw", why="swap"),
    "card trained that is not in hand": _at("train:", _strange_card),
    "a card kept that was not drawn": _changed(_wrong_keep, "keep"),
    "building used before it stands": _at("produce:", _unbuilt),
    "another blue building before Foro": _changed(_two_blues_before_foro, "place"),
    "a worker too many at the Anfiteatro": _changed(_more_workers, "worker", change="new"),
    "S06 spares a seat": _steal_missing("S06"),
    "C38 spares its victim": _steal_missing("C38"),
    "C11 or C29 takes no card": _without("steal", good=None),
    "C40 takes nobody": _without("worker", change="lost"),
    "C35 brings no gift": _without("gift"),
    "C12 or C28 hurts nobody": _without("worker", change="injured"),
    "C14 covers nothing": _without("token"),
    "discard pile shuffled too early": lambda ev: next(
        ([*ev[:i], {**ev[i], "event": "reshuffle", "card": None, "deck": "specialists"}, *ev[i:]]
         for i in _where(ev, "draw", why="swap")), None),
    "Foro without a city card for one seat": _without("draw", why="deal"),
}  # fmt: skip
