"""Key paths such as ``rules.difficulty``, ``seats.*.stance`` and ``data.costs.army``: parse, compare, set.

A path is a tuple of segments. Short forms are made whole: a bare field of a seat (``stance``) means every seat
(``seats.*.stance``). ``data.<section>...`` and ``data_overrides.<section>...`` are the same place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pompeii_sim.errors import InputError, nearest

TOP = ("game", "seed", "games", "seating", "data", "rules", "data_overrides", "seats", "sweep")
"""Valid top-level keys, in the order they are written."""

_SEGMENT = re.compile(r'"([^"]*)"|\'([^\']*)\'|([^."\']+)')


def split(text: str, where: str) -> tuple[str, ...]:
    """Split a path at its dots; a segment in quotes may hold dots itself.

    Raises
    ------
    InputError
        When a segment is empty or a quote is not closed.
    """
    segments: list[str] = []
    position = 0
    source = text.strip()
    while True:
        match = _SEGMENT.match(source, position)
        if match is None:
            raise InputError(f"{text!r} is not a path", where=where, hint="write it like rules.name or seats.0.name")
        segments.append(next(g for g in match.groups() if g is not None).strip())
        position = match.end()
        if position == len(source):
            return tuple(segments)
        if source[position] != ".":
            raise InputError(f"{text!r} is not a path", where=where, hint="write it like rules.name or seats.0.name")
        position += 1


def canonical(text: str, seat_fields: Iterable[str], where: str) -> tuple[str, ...]:
    """Return the whole path that a text means.

    Parameters
    ----------
    text
        A path as a user writes it.
    seat_fields
        Names of the fields of a seat, for the short form.
    where
        Place for the error.

    Raises
    ------
    InputError
        When the first segment is no top-level key and no field of a seat.
    """
    path = split(text, where)
    seat_names = list(seat_fields)
    if path[0] not in TOP:
        if path[0] in seat_names:
            return ("seats", "*", *path)
        raise InputError(f"unknown key {text!r}", where=where, hint=nearest(path[0], [*TOP, *seat_names]))
    if path[0] == "data_overrides" and len(path) > 1:
        return ("data", *path[1:])
    return path


def covers(wide: tuple[str, ...], narrow: tuple[str, ...]) -> bool:
    """Say whether setting `wide` also sets everything at `narrow`."""
    return len(wide) <= len(narrow) and all(a in ("*", b) for a, b in zip(wide, narrow, strict=False))


def assign(document: dict[str, Any], path: tuple[str, ...], value: Any, where: str) -> None:
    """Set a value at a canonical path, in place.

    Missing tables on the way are made; whether the key is valid is decided by the game's models afterwards.

    Raises
    ------
    InputError
        When a seat does not exist, or the path runs through something that is not a table.
    """
    if path[0] == "data" and len(path) > 1:
        document.setdefault("data_overrides", {})[".".join(path[1:])] = value
    elif path[0] == "seats" and len(path) > 1:
        _assign_seats(document, path, value, where)
    elif path[0] == "sweep" and len(path) > 1 and path[1] not in ("cells", "sample"):
        document.setdefault("sweep", {})[".".join(path[1:])] = value
    else:
        _assign_table(document, path, value, where)


def _assign_seats(document: dict[str, Any], path: tuple[str, ...], value: Any, where: str) -> None:
    seats = document.get("seats")
    if not isinstance(seats, list) or not seats:
        raise InputError("the scenario has no seats to set this in", where=where, hint="give seats in [[seats]]")
    if len(path) < 3:
        raise InputError(f"{'.'.join(path)!r} names a seat but no field of it", where=where, hint="add a field's name")
    if path[1] == "*":
        chosen = seats
    elif path[1].isdecimal() and int(path[1]) < len(seats):
        chosen = [seats[int(path[1])]]
    else:
        raise InputError(f"no seat {path[1]!r}", where=where, hint=f"seats are 0 to {len(seats) - 1}, or * for all")
    for seat in chosen:
        if not isinstance(seat, dict):
            raise InputError("a seat must be a table", where="seats", hint="write [[seats]]")
        _assign_table(seat, path[2:], _copy(value), where)


def _assign_table(table: dict[str, Any], path: tuple[str, ...], value: Any, where: str) -> None:
    for depth, segment in enumerate(path[:-1]):
        inner = table.setdefault(segment, {})
        if isinstance(inner, list) and path[depth + 1].isdecimal() and len(path) > depth + 2:
            index = int(path[depth + 1])
            if index < len(inner) and isinstance(inner[index], dict):
                return _assign_table(inner[index], path[depth + 2 :], value, where)
        if not isinstance(inner, dict):
            raise InputError(f"{'.'.join(path[: depth + 1])!r} is not a table", where=where, hint="set it as a whole")
        table = inner
    table[path[-1]] = value
    return None


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return [_copy(v) for v in value] if isinstance(value, list) else value
