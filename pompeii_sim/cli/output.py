"""What goes to stdout: one list of records as a table for people, JSON, CSV or Markdown.

On a terminal a table fits the window; elsewhere it is as wide as its cells, whatever the window, so that other programs
find every row on one line.

All formats come from the same values. Only the formats for people (table, md) round an Estimate, by its error.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from pompeii_sim.cli.table import fitted, plain_table
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.rounding import person


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


def write(text: str) -> None:
    """Write to stdout; when the reader has gone, go on in silence."""
    try:
        sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Send what is still in stdout's buffer nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def colour(stream: Any) -> bool:
    """Say whether a stream may carry colours: a terminal, no ``NO_COLOR``, not ``TERM=dumb``."""
    terminal = bool(getattr(stream, "isatty", lambda: False)())
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit(
    records: Sequence[Mapping[str, Any]],
    form: Format,
    *,
    document: Any = None,
    percent: frozenset[str] = frozenset(),
) -> None:
    """Print records to stdout.

    Parameters
    ----------
    records
        One mapping a row; values are plain or Estimates. Columns come in order of first appearance.
    form
        The format.
    document
        What JSON prints instead of the records.
    percent
        Columns whose Estimates people see in percent.
    """
    if form is Format.json:
        value = document if document is not None else [_json(r) for r in records]
        write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
        return
    columns = list(dict.fromkeys(key for record in records for key in record))
    if form is Format.csv:
        write(_csv(records))
        return
    rows = [[_person(record.get(c, ""), c in percent) for c in columns] for record in records]
    if form is Format.md:
        write(_markdown(columns, rows))
        return
    right = _numeric(columns, records)
    if sys.stdout.isatty():
        write(fitted(columns, rows, right, shutil.get_terminal_size().columns, bold if colour(sys.stdout) else str))
    else:
        write(plain_table(columns, rows, right))


def bold(text: str) -> str:
    """Return text in bold type for a terminal."""
    return f"\x1b[1m{text}\x1b[0m"


def _json(record: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v.to_json() if isinstance(v, Estimate) else v for k, v in record.items()}


def _csv(records: Sequence[Mapping[str, Any]]) -> str:
    flat: list[dict[str, Any]] = []
    for record in records:
        row: dict[str, Any] = {}
        for key, value in record.items():
            if isinstance(value, Estimate):
                for name, part in value.to_json().items():
                    row[key if name == "value" else f"{key}_{name}"] = part
            else:
                row[key] = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | tuple) else value
        flat.append(row)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(dict.fromkeys(k for row in flat for k in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return buffer.getvalue()


def _person(value: Any, percent: bool) -> str:
    if isinstance(value, Estimate):
        return person(value, percent=percent)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_person(v, False)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_person(v, False) for v in value)
    return "".join(c if c.isprintable() else " " for c in str(value))


def _numeric(columns: Sequence[str], records: Sequence[Mapping[str, Any]]) -> list[bool]:
    def number(value: Any) -> bool:
        return isinstance(value, int | float | Estimate) and not isinstance(value, bool)

    return [all(number(r[c]) for r in records if r.get(c) is not None) for c in columns]


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |"

    return "\n".join([line(columns), line(["---"] * len(columns)), *(line(row) for row in rows)]) + "\n"
