"""Tables of the reference pages, made from the code itself: options, scenario keys, columns, metrics."""

from __future__ import annotations

import enum
import importlib
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pompeii_sim import games


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(heads), ["---"] * len(heads), *map(list, rows)]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in line) + " |\n" for line in lines)


def kind_of(annotation: Any) -> str:
    """Return what values a field takes, for people."""
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return kind_of(parts[0])
    if origin is typing.Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if origin in (typing.Union, types.UnionType):
        return ", ".join(kind_of(part) for part in parts if part is not type(None))
    if origin in (list, tuple):
        return f"list of {kind_of(parts[0])}" if parts else "list"
    names = {int: "whole number", float: "number", bool: "true, false", str: "text"}
    return names.get(annotation, "table")


def fields(model: Any) -> str:
    """Return the table of a settings model."""
    rows = []
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        shown = "" if default is None or kind_of(field.annotation) == "table" else f"`{default}`".lower()
        shown = f"`{default}`" if isinstance(default, str) else shown
        rows.append((f"`{name}`", kind_of(field.annotation), shown, field.description or ""))
    return markdown(("key", "values", "default", "meaning"), rows)


def metrics(game: str) -> str:
    """Return the table of a game's metrics."""

    def seats(first: int, last: int) -> str:
        return f"{first}" if first == last else f"{first} to {last}"

    rows = [
        (f"`{m.name}`", m.kind, m.definition, seats(*m.seats) if m.seats else "any", "yes" if m.headline else "")
        for m in games.get(game).metrics
    ]
    return markdown(("metric", "kind", "definition", "seats", "in the closing table"), rows)


def ends(game: str) -> str:
    """Return the table of a game's ends."""
    return markdown(
        ("code", "end", "kind", "meaning"),
        [(str(e.code), f"`{e.name}`", e.kind, e.meaning) for e in games.get(game).ends],
    )


def columns(game: str) -> str:
    """Return the table of a game's stored columns."""
    rows = [(f"`{c.name}`", "yes" if c.per_seat else "", c.records, c.meaning) for c in games.get(game).columns]
    return markdown(("column", "one a seat", "records", "meaning"), rows)


def players(game: str) -> str:
    """Return the table of a game's players."""
    rows = [(f"`{p.name}`", p.strategy, p.source) for p in games.get(game).players().values()]
    return markdown(("player", "strategy", "source"), rows)


def options(verb: str) -> str:
    """Return the table of a verb's options."""
    function = importlib.import_module(f"pompeii_sim.cli.{verb}").__dict__[verb]
    rows = []
    for name, hint in typing.get_type_hints(function, include_extras=True).items():
        if name == "return":
            continue
        kind, info = typing.get_args(hint)
        value = info.metavar or placeholder(kind)
        shown = info.metavar or name.upper()
        if type(info).__name__ == "OptionInfo":  # in an annotation its first name comes as the default
            names = [info.default, *(info.param_decls or ())]
            shown = ", ".join(names) + (f" {value}" if value else "")
        rows.append((f"`{shown}`", info.help or ""))
    return markdown(("option", "does"), rows)


def placeholder(kind: Any) -> str:
    """Return what stands for an option's value."""
    kinds = [k for k in typing.get_args(kind) if k is not type(None)] or [kind]
    if isinstance(kinds[0], type) and issubclass(kinds[0], enum.Enum):
        return "|".join(str(member.value) for member in kinds[0])
    return {bool: "", int: "N", Path: "PATH"}.get(kinds[0], "TEXT")


TABLES: dict[str, Callable[[str], str]] = {
    "rules": lambda game: fields(games.get(game).Rules),
    "seats": lambda game: fields(games.get(game).Seat),
    "metrics": metrics,
    "ends": ends,
    "columns": columns,
    "players": players,
    "options": options,
}


def table(name: str) -> str:
    """Return a table by its name, such as ``rules:pompeii``."""
    kind, _, which = name.partition(":")
    return TABLES[kind](which)
