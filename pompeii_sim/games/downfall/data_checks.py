"""Checks of the data that need more than one entry; every error names file, entry and the nearest valid thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.downfall.codes import (
    MAX_GATES,
    MAX_NEUTRAL,
    MAX_PEOPLE,
    MAX_PLACES,
    MAX_SPACES,
    MAX_SQUARES,
    MAX_STACK,
    MAX_SYMBOLS,
    MAX_TILES,
)
from pompeii_sim.games.downfall.data_models import (
    Amount,
    Building,
    Dual,
    Edition,
    Entry,
    Gate,
    Square,
    Symbol,
    part_label,
)

AMOUNTS = ("omens", "piles", "pile", "top_piles", "zone_2", "zone_3", "zone_4")
"""Ids of all amounts of the deck."""

EDITIONS = ("mayfair-2013", "amigo-2004")
"""Ids of all editions."""

E = TypeVar("E", bound=Entry)


def read_entry(model: type[E], raw: object, where: str) -> E:
    """Validate one entry; raises InputError naming the field, what is wrong and the nearest valid value."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])  # a misspelt key is also missing
        raise _explain(model, first, where) from None


def _explain(model: type[Entry], error: Mapping[str, Any], where: str) -> InputError:
    path = ".".join(str(p) for p in error["loc"])
    place = f"{where}, {path}" if path else where
    kind, given, context = error["type"], error.get("input"), error.get("ctx", {})
    if kind == "missing":
        return InputError("is missing", where=place, hint="add it")
    if kind == "extra_forbidden":
        return InputError(f"unknown field {path!r}", where=where, hint=nearest(path, model.model_fields))
    if kind == "literal_error":
        valid = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        return InputError(f"{given!r} is not valid", where=place, hint=nearest(str(given), valid))
    if kind == "value_error":
        what, _, hint = str(context["error"]).partition("; ")
        return InputError(what, where=place, hint=hint)
    return InputError(f"{given!r}: {str(error['msg']).lower()}", where=place)


def unique(entries: Iterable[Any], key: str, path: Path) -> None:
    """Raise InputError when two entries share an id or number."""
    seen: set[Any] = set()
    for entry in entries:
        value = getattr(entry, key)
        if value in seen:
            raise InputError(f"{key} {value!r} stands twice", where=str(path), hint="keep one of the two")
        seen.add(value)


def complete(entries: Sequence[E], wanted: Iterable[str], path: Path) -> None:
    """Raise InputError unless exactly the wanted ids are there."""
    ids = [getattr(e, "id") for e in entries]  # noqa: B009 - only entries with ids come here
    for name in wanted:
        if name not in ids:
            raise InputError(f"{name!r} is missing", where=str(path), hint="add it")
    for name in ids:
        if name not in wanted:
            raise InputError(f"nothing reads {name!r}", where=str(path), hint=nearest(name, wanted))


def check_board(
    squares: Sequence[Square],
    buildings: Sequence[Building],
    gates: Sequence[Gate],
    symbols: Sequence[Symbol],
    base: Path,
) -> None:
    """Raise InputError when squares, buildings, gates and vents do not fit together, or exceed the engine's room."""
    file = str(base / "squares.toml")
    known = {s.id: s for s in squares}
    rows, columns = 1 + max(s.place[0] for s in squares), 1 + max(s.place[1] for s in squares)
    if rows * columns > MAX_SQUARES:
        raise InputError(f"a board of {rows} x {columns} cells", where=file, hint=f"at most {MAX_SQUARES} cells")
    numbers = {b.number for b in buildings}
    for square in squares:
        if square.building is not None and square.building not in numbers:
            hint = nearest(str(square.building), map(str, numbers))
            raise InputError(f"no building {square.building}", where=f"{file}: square {square.id}", hint=hint)
        if square.part and (not part_label(square.part) or square.part[:-1] != str(square.building)):
            hint = f"write {square.building}a or {square.building}b"
            raise InputError(f"part {square.part!r} does not fit", where=f"{file}: square {square.id}", hint=hint)
    for number in numbers:
        own = [s for s in squares if s.building == number]
        if not 1 <= len(own) <= MAX_PLACES:
            raise InputError(f"building {number} has {len(own)} squares", where=file, hint=f"1 to {MAX_PLACES}")
    if sum(s.kind == "neutral" for s in squares) > MAX_NEUTRAL:
        raise InputError("too many neutral houses", where=file, hint=f"at most {MAX_NEUTRAL}")
    if sum(s.spaces for s in squares) > MAX_SPACES:
        raise InputError("too many spaces", where=file, hint=f"at most {MAX_SPACES}")
    if not 1 <= len(gates) <= MAX_GATES:
        raise InputError(f"{len(gates)} gates", where=str(base / "gates.toml"), hint=f"1 to {MAX_GATES}")
    for gate in gates:
        _on_board(gate.square, known, f"{base / 'gates.toml'}: gate {gate.id}")
        if known[gate.square].kind == "vent":
            raise InputError("stands on a vent", where=f"{base / 'gates.toml'}: gate {gate.id}")
    if len({g.square for g in gates}) < len(gates):
        raise InputError("two gates share a square", where=str(base / "gates.toml"))
    vents = {s.id for s in squares if s.kind == "vent"}
    if not 1 <= len(symbols) <= MAX_SYMBOLS or vents != {s.vent for s in symbols} or len(vents) != len(symbols):
        where = str(base / "symbols.toml")
        raise InputError(
            "symbols and vent squares do not match one to one", where=where, hint=f"vents: {sorted(vents)}"
        )


def _on_board(square: str, known: Mapping[str, Square], where: str) -> None:
    if square not in known:
        raise InputError(f"no square {square!r}", where=where, hint=nearest(square, known))


def check_tiles(symbols: Sequence[Symbol], duals: Sequence[Dual], base: Path) -> None:
    """Raise InputError when dual tiles name unknown symbols or there are too many tiles."""
    ids = [s.id for s in symbols]
    for dual in duals:
        where = f"{base / 'duals.toml'}: dual {dual.id}"
        for name in dual.symbols:
            if name not in ids:
                raise InputError(f"no symbol {name!r}", where=where, hint=nearest(name, ids))
        if dual.symbols[0] == dual.symbols[1]:
            raise InputError("both symbols are the same", where=where)
    tiles = sum(s.tiles for s in symbols) + sum(d.tiles for d in duals)
    if not 1 <= tiles <= MAX_TILES:
        raise InputError(f"{tiles} lava tiles", where=str(base / "symbols.toml"), hint=f"1 to {MAX_TILES}")


def check_deck(
    amounts: Mapping[str, Amount], buildings: Sequence[Building], squares: Sequence[Square], base: Path
) -> None:
    """Raise InputError when the cards do not suffice for the set-up, or exceed the engine's room."""
    file = str(base / "deck.toml")
    value = {k: a.value for k, a in amounts.items()}
    cards = sum(b.cards for b in buildings)
    if value["pile"] < 1:
        raise InputError("a hand of no cards", where=file, hint="pile is at least 1")
    if value["piles"] < value["top_piles"] + 4:
        raise InputError(f"{value['piles']} piles", where=file, hint="top_piles and one for each of four players")
    rest = cards - value["piles"] * value["pile"]
    if rest < 0:
        raise InputError(f"{cards} cards do not fill the piles", where=file, hint="fewer or smaller piles")
    for seats in (2, 3, 4):
        if value[f"zone_{seats}"] > rest + value["omens"]:
            raise InputError(
                f"zone_{seats} is larger than the mix of {rest + value['omens']} cards", where=file, hint="lower it"
            )
    if cards + value["omens"] > MAX_STACK - 2:
        raise InputError("too many cards", where=file, hint=f"at most {MAX_STACK - 2} with the omens")
    if sum(s.spaces for s in squares) + value["omens"] > MAX_PEOPLE:
        raise InputError("too many spaces and omens together", where=file, hint=f"at most {MAX_PEOPLE}")


def check_editions(editions: Sequence[Edition], path: Path) -> None:
    """Raise InputError unless all editions are there once."""
    complete(editions, EDITIONS, path)
