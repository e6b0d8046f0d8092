"""Ranges of a sample that the data themselves give: ``"data.costs.army.goods.sword" = "plausible"``.

An entry of a data file may hold a table ``range`` of its uncertain fields: ``range = { "goods.sword" = [1, 3] }``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pompeii_sim.errors import InputError, nearest

WORD = "plausible"


def fill(ranges: Mapping[str, Any], folder: Path, where: str) -> dict[str, Any]:
    """Replace every ``plausible`` by the range that the data give.

    Parameters
    ----------
    ranges
        Flat table of a sample's ranges. A path may end in ``*`` for all values below it that have a range, such as
        ``data.costs.*`` or ``data.*``.
    folder
        The data folder.
    where
        Place for errors.

    Returns
    -------
    dict
        The same with ``{low, high}`` instead; a value named by itself goes before one that a ``*`` covers.

    Raises
    ------
    InputError
        When a path has no plausible range.
    """
    if WORD not in [v for v in ranges.values() if isinstance(v, str)]:
        return dict(ranges)
    known = {f"data.{path}": spec for path, spec in _known(folder)}
    out: dict[str, Any] = {}
    for path, spec in ranges.items():
        if spec != WORD:
            out[path] = spec
        elif path.endswith(".*"):
            found = {k: v for k, v in known.items() if k.startswith(path[:-1]) and k not in ranges}
            if not found:
                raise InputError(
                    "nothing there has a plausible range", where=f"{where}.{path}", hint=_near(path, known)
                )
            out.update(found)
        elif path in known:
            out[path] = known[path]
        else:
            raise InputError("it has no plausible range", where=f"{where}.{path}", hint=_near(path, known))
    return out


def _near(path: str, known: Mapping[str, Any]) -> str:
    return nearest(path.removesuffix(".*"), known) if known else "these data give no ranges"


def _known(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path of every value with a range, and the range as ``{low, high}``."""
    for file in sorted(folder.glob("*.toml")):
        try:
            content = tomllib.loads(file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InputError(f"cannot be read: {error}", where=str(file)) from None
        for entry in _entries(content):
            name = next((str(entry[key]) for key in ("id", "number", "name") if key in entry), None)
            spans = entry.get("range")
            if name is None or not isinstance(spans, dict):
                continue
            for field, span in spans.items():
                if _is_span(span) and _number(_at(entry, field.split("."))):
                    yield f"{file.stem}.{name}.{field}", {"low": span[0], "high": span[1]}


def _entries(content: Any) -> Iterator[dict[str, Any]]:
    for value in content.values():
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))


def _at(entry: Any, keys: list[str]) -> Any:
    for key in keys:
        if not isinstance(entry, dict) or key not in entry:
            return None
        entry = entry[key]
    return entry


def _is_span(span: Any) -> bool:
    return isinstance(span, list) and len(span) == 2 and all(_number(v) for v in span) and span[0] < span[1]


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
