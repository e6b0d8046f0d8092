"""Checks of the data that need more than one entry, and the way a wrong entry becomes one clear line.

Every error names the file, the entry, the field and the nearest valid value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.pompeii.data_models import (
    GOOD_MAPS,
    Building,
    CityCard,
    Cost,
    Entry,
    Good,
    Specialist,
    Title,
    VolcanoCard,
)

MOST_GOODS = 32
FIELDS = 10
CARDS = 52
VOLCANO_CARDS = 17
STAR_CARDS = 5
ONCE_SPECIALISTS = 4
COSTS: tuple[str, ...] = (
    "build.red",
    "build.blue",
    "build.green",
    "build.purple",
    "army",
    "release.C12",
    "release.C28",
    "release.C31",
    "release.C14",
)
"""Ids of all costs."""

COLOURS = {n: "red" if n <= 10 else "blue" if n <= 18 else "green" if n == 19 else "purple" for n in range(1, 21)}
"""Colour of every building number (Action 3: Build)."""
KINDS = {n: "produce" for n in range(1, 16)} | {
    16: "tempio",
    17: "foro",
    18: "anfiteatro",
    19: "terme",
    20: "castrum",
}
"""Kind of every building number (Special buildings)."""

E = TypeVar("E", bound=Entry)
B = TypeVar("B", bound=BaseModel)


def read_entry(model: type[B], raw: object, where: str) -> B:
    """Validate one entry.

    Parameters
    ----------
    model
        Its model.
    raw
        The parsed TOML table.
    where
        File and entry, for the error.

    Raises
    ------
    InputError
        Naming the field, what is wrong and the nearest valid value.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])  # a misspelt key is also missing
        raise _explain(model, raw, first, where) from None


def _explain(model: type[BaseModel], raw: object, error: Mapping[str, Any], where: str) -> InputError:
    """Turn pydantic's first complaint about an entry into one line."""
    path = ".".join(str(p) for p in error["loc"])
    place = f"{where}, {path}" if path else where
    kind, given = error["type"], error.get("input")
    context = error.get("ctx", {})
    if kind == "missing":
        return InputError("is missing", where=place, hint="add it")
    if kind == "extra_forbidden":
        valid = [n for n in _fields_at(model, error["loc"][:-1]) if n not in _keys_at(raw, error["loc"][:-1])]
        return InputError(
            f"unknown field {error['loc'][-1]!r}",
            where=f"{where}, {'.'.join(map(str, error['loc'][:-1]))}" if error["loc"][:-1] else where,
            hint=nearest(str(error["loc"][-1]), valid) if valid else "",
        )
    if kind == "literal_error":
        valid = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        return InputError(f"{given!r} is not valid", where=place, hint=nearest(str(given), valid))
    if kind == "value_error":
        what, _, hint = str(context["error"]).partition("; ")
        return InputError(what, where=place, hint=hint)
    if kind in ("greater_than_equal", "less_than_equal"):
        side, limit = ("least", context.get("ge")) if kind == "greater_than_equal" else ("most", context.get("le"))
        return InputError(f"{given!r} is out of bounds", where=place, hint=f"nearest valid: {limit} (at {side})")
    if kind == "string_pattern_mismatch":
        return InputError(f"{given!r} does not look right", where=place, hint=f"pattern {context.get('pattern')}")
    return InputError(f"{given!r}: {str(error['msg']).lower()}", where=place)


def _fields_at(model: type[BaseModel], loc: Sequence[int | str]) -> list[str]:
    """Return the valid field names of the model that stands at a place inside an entry."""
    here: type[BaseModel] = model
    for part in loc:
        if str(part) in here.model_fields:
            kinds = (here.model_fields[str(part)].annotation, *get_args(here.model_fields[str(part)].annotation))
            here = next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), here)
    return list(here.model_fields)


def _keys_at(raw: object, loc: Sequence[int | str]) -> set[str]:
    """Return the keys already given at a place inside an entry."""
    here: Any = raw
    for part in loc:
        here = here.get(part, {}) if isinstance(here, dict) else {}
    return set(here) if isinstance(here, dict) else set()


def name_of(raw: object, key: str, index: int) -> str:
    """Return how an error calls an entry: its id or number, else its place in the file (from 1)."""
    if isinstance(raw, dict) and isinstance(raw.get(key), str | int):
        return f"{raw[key]}"
    return f"entry {index + 1}"


def complete(
    entries: Sequence[E], key: Callable[[E], object], wanted: Iterable[object], file: Path, what: str
) -> tuple[E, ...]:
    """Return the entries in the wanted order; each must stand exactly once.

    Raises
    ------
    InputError
        When one is twice there, missing, or not known.
    """
    order = list(wanted)
    known = {str(w) for w in order}
    found: dict[object, E] = {}
    for entry in entries:
        k = key(entry)
        if str(k) not in known:
            raise InputError(f"unknown {what} {k}", where=str(file), hint=nearest(str(k), known))
        if k in found:
            free = [str(w) for w in order if w not in {key(e) for e in entries}]
            raise InputError(
                f"{what} {k} stands twice",
                where=str(file),
                hint=f"missing: {', '.join(free[:6])}" if free else "remove one",
            )
        found[k] = entry
    missing = [w for w in order if w not in found]
    if missing:
        shown = ", ".join(map(str, missing[:6])) + (f" and {len(missing) - 6} more" if len(missing) > 6 else "")
        raise InputError(
            f"{what} {shown} missing", where=str(file), hint=f"needed: {len(order)} ({order[0]} to {order[-1]})"
        )
    return tuple(found[w] for w in order)


def check_goods(goods: Sequence[Good], file: Path) -> None:
    """Raise InputError unless ids are unique, at most 32 goods exist and exactly ten are fields."""
    seen: set[str] = set()
    for good in goods:
        if good.id in seen:
            raise InputError(f"good {good.id!r} stands twice", where=str(file), hint="remove one")
        seen.add(good.id)
    if len(goods) > MOST_GOODS:
        raise InputError(f"{len(goods)} goods", where=str(file), hint=f"at most {MOST_GOODS}")
    fields = [g.id for g in goods if g.value == 1 and not g.cards_only]
    if len(fields) != FIELDS:
        raise InputError(
            f"{len(fields)} goods have value 1 ({', '.join(fields)}); they are the resource fields",
            where=f"{file}: value",
            hint=f"exactly {FIELDS} needed",
        )


def check_good(name: str, goods: Sequence[Good], where: str) -> None:
    """Raise InputError unless a good of that id exists."""
    valid = [g.id for g in goods]
    if name not in valid:
        raise InputError(f"unknown good {name!r}", where=where, hint=nearest(name, valid))


def check_ranges(entries: Sequence[Entry], goods: Sequence[Good], where: Callable[[Entry], str]) -> None:
    """Raise InputError when a plausible range speaks of a good that does not exist."""
    for entry in entries:
        for path in entry.range:
            table, _, good = path.rpartition(".")
            if table.rpartition(".")[2] in GOOD_MAPS:
                check_good(good, goods, f"{where(entry)}, range")


def check_buildings(buildings: Sequence[Building], goods: Sequence[Good], file: Path) -> None:
    """Raise InputError unless colours and kinds are those of the numbers and all goods exist."""
    for b in buildings:
        where = f"{file}: building {b.number}"
        if b.colour != COLOURS[b.number]:
            raise InputError(
                f"{b.colour!r} is not the colour of this number",
                where=f"{where}, colour",
                hint=f"needed: {COLOURS[b.number]!r}",
            )
        if b.kind != KINDS[b.number]:
            raise InputError(
                f"{b.kind!r} is not the kind of this number",
                where=f"{where}, kind",
                hint=f"needed: {KINDS[b.number]!r}",
            )
        for name, recipe in (("inputs", b.inputs), ("output", b.output)):
            for good in recipe:
                check_good(good, goods, f"{where}, {name}")
    check_ranges(buildings, goods, lambda b: f"{file}: building {b.content()['number']}")


def check_costs(costs: Sequence[Cost], goods: Sequence[Good], file: Path) -> None:
    """Raise InputError unless all goods of all costs exist."""
    for cost in costs:
        for good in cost.goods:
            check_good(good, goods, f"{file}: cost {cost.id}, goods")
    check_ranges(costs, goods, lambda c: f"{file}: cost {c.content()['id']}")


def check_cards(
    cards: Sequence[Specialist] | Sequence[CityCard], goods: Sequence[Good], buildings: Sequence[Building], file: Path
) -> None:
    """Raise InputError unless every good and place of the cards exists and fits the effect."""
    fields = [g.id for g in goods if g.value == 1 and not g.cards_only]
    producers = [str(b.number) for b in buildings if b.kind == "produce"]
    for card in cards:
        where = f"{file}: card {card.id}"
        for argument, good in card.effect.goods_named():
            check_good(good, goods, f"{where}, effect.{argument}")
        if isinstance(card, Specialist):
            for good in card.cost:
                check_good(good, goods, f"{where}, cost")
        kind, _, target = card.place.partition(":")
        if kind == "field" and target not in fields:
            raise InputError(f"unknown field {target!r}", where=f"{where}, place", hint=nearest(target, fields))
        if kind == "building" and card.effect.op != "army_less" and target not in producers:
            raise InputError(
                f"building {target} converts nothing",
                where=f"{where}, place",
                hint=f"valid: building:{producers[0]} to building:{producers[-1]}",
            )
    check_ranges(cards, goods, lambda c: f"{file}: card {c.content()['id']}")


def check_marks(specialists: Sequence[Specialist], city: Sequence[CityCard], files: tuple[Path, Path]) -> None:
    """Raise InputError unless there are 4 one-time specialists and 5 star cards (Specialist Cards, City Cards)."""
    once = [c.id for c in specialists if c.mark == "once"]
    if len(once) != ONCE_SPECIALISTS:
        raise InputError(
            f"{len(once)} cards have mark 'once' ({', '.join(once)})",
            where=f"{files[0]}: mark",
            hint=f"exactly {ONCE_SPECIALISTS} needed",
        )
    star = [c.id for c in city if c.mark == "star"]
    if len(star) != STAR_CARDS:
        raise InputError(
            f"{len(star)} cards have mark 'star' ({', '.join(star)})",
            where=f"{files[1]}: mark",
            hint=f"exactly {STAR_CARDS} needed",
        )


def check_volcano(cards: Sequence[VolcanoCard], goods: Sequence[Good], file: Path) -> None:
    """Raise InputError unless all goods on the volcano cards exist."""
    for card in cards:
        for good in card.goods:
            check_good(good, goods, f"{file}: card {card.id}, goods")


def check_titles(titles: Sequence[Title], file: Path) -> None:
    """Raise InputError when two titles stand for the same number of cards left."""
    seen: dict[int, str] = {}
    for title in titles:
        if title.cards_left in seen:
            raise InputError(
                f"{title.name!r} and {seen[title.cards_left]!r} share cards_left {title.cards_left}",
                where=f"{file}: title {title.name}, cards_left",
                hint="one title for each number",
            )
        seen[title.cards_left] = title.name
