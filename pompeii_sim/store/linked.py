"""Settings with one value in every cell, such as the stance of three seats, are one setting, and told as one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

_AND = " = "
"""Between the paths of settings that are one."""


def linked(settings: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the settings of a sweep, those that have the same value as each other in every cell as one.

    Parameters
    ----------
    settings
        What the sweep set in each cell, by path.

    Returns
    -------
    dict
        The paths by their common name, in the order of the first: the path itself for one that stands alone,
        ``seats.0-2.stance`` for one of several seats, else all paths with ``=`` between them.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for path in dict.fromkeys(path for cell in settings for path in cell):
        values = tuple(json.dumps(cell.get(path), sort_keys=True, default=str) for cell in settings)
        found.setdefault(values, []).append(path)
    return {_name(paths): tuple(paths) for paths in found.values()}


def along(settings: Sequence[Mapping[str, Any]], path: str) -> tuple[str, ...]:
    """Return all settings that change together with one, itself included."""
    return next(paths for paths in linked(settings).values() if path in paths)


def _name(paths: Sequence[str]) -> str:
    seats: dict[str, list[int]] = {}
    for path in paths:
        seat, rest = _of_seat(path)
        seats.setdefault(rest if seat is not None else path, []).extend([] if seat is None else [int(seat)])
    return _AND.join(f"seats.{_numbers(found)}.{rest}" if found else rest for rest, found in seats.items())


def _of_seat(path: str) -> tuple[str | None, str]:
    """Return the number (or numbers) of the seat whose setting a path is, and the rest of it; None for another path."""
    first, _, rest = path.partition(".")
    number, _, rest = rest.partition(".")
    return (number, rest) if first == "seats" and rest else (None, path)


def _numbers(found: list[int]) -> str:
    """Return numbers as ``0-2`` where they follow each other, else as ``0,2``."""
    if len(found) > 2 and all(b == a + 1 for a, b in pairwise(found)):
        return f"{found[0]}-{found[-1]}"
    return ",".join(map(str, found))


def short(name: str) -> str:
    """Return what a setting is called: ``level`` for ``rules.level``, ``stance of seats 0-2`` for `linked` ones."""
    told = []
    for path in name.split(_AND):
        seat, rest = _of_seat(path)
        word = rest.rpartition(".")[2].replace("_", " ")
        if seat is not None:
            some, _, last = seat.rpartition(",")
            several = f"{some.replace(',', ', ')} and {last}" if some else last
            word += f" of seat {seat}" if seat.isdigit() else f" of seats {several}"
        told.append(word)
    return " and ".join(told)


def with_value(name: str, value: object) -> str:
    """Return a setting and its value: ``level A``, but ``skill of seat 0 = 0.7`` where two numbers would meet."""
    told, text = short(name), str(value)
    return f"{told} = {text}" if told[-1:].isdigit() and text[:1].isdigit() else f"{told} {text}"
