"""Read a scenario into TOML's own types, apply overrides, and bring it into its resolved form."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.scenario.model import DEFAULT_GAMES, DEFAULT_SEATING, DEFAULT_SEED
from pompeii_sim.scenario.paths import TOP, assign, canonical, covers

INT64 = range(-(2**63), 2**63)
SWEEP_PARTS = ("cells", "sample")


def read(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    InputError
        When it cannot be read or is not TOML (with line and column).
    """
    where = str(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        others = [p.name for p in path.parent.glob("*.toml")] if path.parent.is_dir() else []
        hint = nearest(path.name, others)
        hint = hint if hint.startswith("did you mean") else ""
        raise InputError("no such file", where=where, hint=hint) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=where) from None
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError("not a text file in UTF-8", where=where) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=where) from None


def plain(value: Any, where: str) -> Any:
    """Return a deep copy in TOML's plain types (text, whole and finite numbers, true/false, lists, tables).

    Raises
    ------
    InputError
        For dates, None, non-finite numbers and integers beyond 64 bits.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        if value not in INT64:
            raise InputError(f"{value} does not fit into 64 bits", where=where)
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{value} is not a finite number", where=where)
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v, f"{where}.{k}" if where else str(k)) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v, f"{where}.{i}") for i, v in enumerate(value)]
    if value is None:
        raise InputError("no value", where=where, hint="leave the key out for its default")
    raise InputError(f"a {type(value).__name__} has no place in a scenario", where=where)


def parse_override(text: str) -> tuple[str, Any]:
    """Split ``path=value`` and read the value as TOML; a bare word is text.

    Raises
    ------
    InputError
        When there is no ``=``, no path, no value, or a list, table or quoted text is not closed.
    """
    where = f"--set {text}"
    path, equals, raw = text.partition("=")
    raw = raw.strip()
    if not equals or not path.strip():
        raise InputError("not of the form path=value", where=where, hint="for example --set games=500")
    if not raw:
        raise InputError("no value", where=where, hint="write the value after =")
    try:
        parsed = tomllib.loads(f"value = {raw}\n")
    except tomllib.TOMLDecodeError as error:
        if raw[0] in "[{\"'" or "\n" in raw:
            raise InputError(f"the value is not valid TOML: {error}", where=where) from None
        return path.strip(), raw
    if set(parsed) != {"value"}:
        raise InputError("one override at a time", where=where, hint="repeat --set")
    return path.strip(), plain(parsed["value"], where)


def flatten_sweep(sweep: Any, where: str) -> dict[str, Any]:
    """Bring a sweep table into one level: whole paths as keys, beside ``cells`` and ``sample``."""
    if not isinstance(sweep, dict):
        raise InputError("must be a table", where=where, hint="write [sweep]")
    flat: dict[str, Any] = {}
    for key, value in sweep.items():
        if key not in SWEEP_PARTS:
            flat.update(_flatten(key, value))
    if "cells" in sweep:
        if not isinstance(sweep["cells"], list) or not all(isinstance(c, dict) for c in sweep["cells"]):
            raise InputError("must be a list of tables", where=f"{where}.cells", hint="write [[sweep.cells]]")
        flat["cells"] = [flatten_table(c) for c in sweep["cells"]]
    if "sample" in sweep:
        flat["sample"] = sweep["sample"]
    return flat


def flatten_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Make one level of a table of tables: ``{"rules": {"a": 1}}`` is ``{"rules.a": 1}``.

    A key that is already a path keeps its value whole.
    """
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat.update(_flatten(key, value))
    return flat


def _flatten(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and value and "." not in key:
        return {f"{key}.{k}": v for inner, item in value.items() for k, v in _flatten_all(inner, item).items()}
    return {key: value}


def _flatten_all(key: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and value:
        return {f"{key}.{k}": v for inner, item in value.items() for k, v in _flatten_all(inner, item).items()}
    return {key: value}


def unknown_keys(source: Mapping[str, Any], where: str) -> list[InputError]:
    """Return a complaint about each key of a scenario that is none, with the nearest one; `where` names the file."""
    return [
        InputError(f"unknown key {str(key)!r}", where=where or "scenario", hint=nearest(str(key), TOP))
        for key in source
        if key not in TOP
    ]


def resolve(
    source: Mapping[str, Any], overrides: Iterable[str], seat_fields: Iterable[str], where: str
) -> dict[str, Any]:
    """Apply defaults and overrides and return the document in its resolved form and key order.

    An override of a path that the sweep varies fixes it there: the path leaves the product.

    Parameters
    ----------
    source
        The scenario as read; of its keys only those that are known, see `unknown_keys`.
    overrides
        ``path=value`` texts.
    seat_fields
        Names of a seat's fields.
    where
        Name of the file, for errors; may be empty.

    Raises
    ------
    InputError
        For paths that lead nowhere, and overrides that the sweep would overrule.
    """
    document: dict[str, Any] = plain({key: value for key, value in source.items() if key in TOP}, "")
    at = f"{where}: " if where else ""
    if "sweep" in document:
        document["sweep"] = flatten_sweep(document["sweep"], f"{at}sweep")
    if "data_overrides" in document:
        if not isinstance(document["data_overrides"], dict):
            raise InputError("must be a table", where=f"{at}data_overrides")
        document["data_overrides"] = flatten_table(document["data_overrides"])
    fields = list(seat_fields)
    for text in overrides:
        path_text, value = parse_override(text)
        path = canonical(path_text, fields, f"--set {text}")
        _release(document, path, path_text, fields, f"--set {text}")
        assign(document, path, value, f"--set {text}")
        if path[0] == "sweep":
            document["sweep"] = flatten_sweep(document["sweep"], f"--set {text}")
    document.setdefault("seed", DEFAULT_SEED)
    document.setdefault("games", DEFAULT_GAMES)
    document.setdefault("seating", DEFAULT_SEATING)
    return {key: document[key] for key in TOP if key in document and document[key] != {}}


def _release(document: dict[str, Any], path: tuple[str, ...], text: str, fields: list[str], where: str) -> None:
    """Take a path that an override fixes out of the sweep."""
    sweep = document.get("sweep")
    if not isinstance(sweep, dict) or path[0] == "sweep":
        return
    for key in [k for k in sweep if k not in SWEEP_PARTS]:
        axis = canonical(key, fields, "sweep")
        if axis == path:
            del sweep[key]
        elif covers(axis, path):
            raise InputError(f"the sweep sets {key!r} after this", where=where, hint=f"set {key!r} as a whole")
    ranges = sweep.get("sample", {}).get("ranges", {}) if isinstance(sweep.get("sample"), dict) else {}
    listed = [key for cell in sweep.get("cells", []) for key in cell]
    for key in [*listed, *(flatten_ranges(ranges) if isinstance(ranges, dict) else {})]:
        if covers(canonical(key, fields, "sweep"), path):
            raise InputError(
                f"{text!r} is set by each cell of the sweep", where=where, hint="change sweep.cells or sweep.sample"
            )


def flatten_ranges(ranges: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Make one level of a table of ranges; a range is a list of choices or a table with ``low`` and ``high``."""
    flat: dict[str, Any] = {}
    for key, value in ranges.items():
        name = f"{prefix}{key}"
        inner = isinstance(value, dict) and value and not {"low", "high"} & set(value)
        if inner and all(isinstance(v, dict | list | str) for v in value.values()):
            flat.update(flatten_ranges(value, f"{name}."))
        else:
            flat[name] = value
    return flat
