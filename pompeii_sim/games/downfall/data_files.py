"""Loads a data folder: seven TOML files, whole and checked, with a hash of their content."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pompeii_sim.engine.contract import CatalogEntry
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.downfall import data_checks as checks
from pompeii_sim.games.downfall.data_models import (
    ORIGINS,
    Amount,
    Building,
    Dual,
    Edition,
    Entry,
    Gate,
    Square,
    Symbol,
)

DATA_DIR = Path(__file__).parent / "data"
"""The shipped data folder."""

FILES: dict[str, tuple[str, type[Entry], str]] = {
    "squares.toml": ("square", Square, "id"),
    "buildings.toml": ("building", Building, "number"),
    "gates.toml": ("gate", Gate, "id"),
    "symbols.toml": ("symbol", Symbol, "id"),
    "duals.toml": ("dual", Dual, "id"),
    "deck.toml": ("amount", Amount, "id"),
    "editions.toml": ("edition", Edition, "id"),
}
"""Files of a data folder with the key, model and identity of their entries; all are needed."""

E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class DownfallData:
    """All data of the game, checked.

    Parameters
    ----------
    squares
        Sorted by row and column.
    buildings
        By number.
    gates, symbols, duals
        In the order of the file, which numbers them.
    deck
        Amounts of the set-up by id.
    editions
        By id.
    folder
        Where the data were read.
    content_hash
        SHA-256 over the content with its provenance; layout, comments and the order of keys do not matter.
    """

    squares: tuple[Square, ...]
    buildings: tuple[Building, ...]
    gates: tuple[Gate, ...]
    symbols: tuple[Symbol, ...]
    duals: tuple[Dual, ...]
    deck: Mapping[str, Amount]
    editions: Mapping[str, Edition]
    folder: Path
    content_hash: str

    @cached_property
    def rows(self) -> int:
        """Rows of the grid, cells outside the wall included."""
        return 1 + max(s.place[0] for s in self.squares)

    @cached_property
    def columns(self) -> int:
        """Columns of the grid, cells outside the wall included."""
        return 1 + max(s.place[1] for s in self.squares)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {s.id: s.place[0] * self.columns + s.place[1] for s in self.squares}

    def index(self, square: str) -> int:
        """Return the number of a square in the engine: row times columns plus column.

        Raises
        ------
        InputError
            When the board has no such square.
        """
        if square not in self._numbers:
            raise InputError(f"no square {square!r}", hint=nearest(square, self._numbers))
        return self._numbers[square]

    def square_id(self, index: int) -> str:
        """Return the id of a square's number."""
        return f"{index // self.columns}_{index % self.columns}"

    def entries(self) -> dict[str, tuple[Entry, ...]]:
        """Return all entries by section, in catalogue order."""
        return {
            "squares": self.squares,
            "buildings": self.buildings,
            "gates": self.gates,
            "symbols": self.symbols,
            "duals": self.duals,
            "deck": tuple(self.deck.values()),
            "editions": tuple(self.editions.values()),
        }

    def provenance_counts(self) -> dict[str, int]:
        """Return how many entries carry each provenance."""
        found = Counter(e.provenance for section in self.entries().values() for e in section)
        return {origin: found[origin] for origin in ORIGINS}

    def catalog(self) -> dict[str, list[CatalogEntry]]:
        """Return all entries by section, as the catalogue shows them."""
        return {section: [_catalog_entry(e) for e in listed] for section, listed in self.entries().items()}


def _catalog_entry(entry: Entry) -> CatalogEntry:
    content = entry.content()
    ident = str(content.pop("id", None) or content.pop("number"))
    name = str(content.pop("name", ident))
    fields = {k: _shown(v) for k, v in content.items()}
    notes = [entry.source]
    if entry.provenance == "assumed":
        notes.insert(0, f"{entry.confidence} confidence")
    if entry.provenance == "calibrated":
        notes.append(f"was {entry.old}, for {entry.target}")
    notes += [f"plausible: {k} {low} to {high}" for k, (low, high) in entry.range.items()]
    notes.append(entry.note)
    note = "; ".join(n for n in notes if n)
    return CatalogEntry(id=ident, name=name, fields=fields, provenance=entry.provenance, note=note)


def _shown(value: Any) -> Any:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{k}: {v}" for k, v in value.items())
    return value


def load_data(folder: Path | None = None) -> DownfallData:
    """Load and check a data folder.

    Parameters
    ----------
    folder
        The folder, or None for the shipped one.

    Raises
    ------
    InputError
        Naming file, entry, field and the nearest valid value when anything is missing or wrong.
    """
    base = DATA_DIR if folder is None else Path(folder)
    if not base.is_dir():
        raise InputError("no such data folder", where=str(base), hint="write one with `pompeii-sim catalog export DIR`")
    for path in sorted(base.glob("*.toml")):
        if path.name not in FILES:
            raise InputError("not a data file", where=str(path), hint=nearest(path.name, FILES))

    def read(name: str, model: type[E]) -> tuple[E, ...]:
        key, _, ident = FILES[name]
        entries = tuple(_entries(base / name, key, model, ident))
        checks.unique(entries, ident, base / name)
        return entries

    squares = tuple(sorted(read("squares.toml", Square), key=lambda s: s.place))
    buildings = tuple(sorted(read("buildings.toml", Building), key=lambda b: b.number))
    gates, symbols = read("gates.toml", Gate), read("symbols.toml", Symbol)
    duals, amounts, editions = read("duals.toml", Dual), read("deck.toml", Amount), read("editions.toml", Edition)
    if not squares or not buildings:
        raise InputError("a board needs squares and buildings", where=str(base))
    checks.check_board(squares, buildings, gates, symbols, base)
    checks.check_tiles(symbols, duals, base)
    checks.complete(amounts, checks.AMOUNTS, base / "deck.toml")
    deck = {a.id: a for a in amounts}
    checks.check_deck(deck, buildings, squares, base)
    checks.check_editions(editions, base / "editions.toml")
    data = DownfallData(
        squares=squares, buildings=buildings, gates=gates, symbols=symbols, duals=duals, deck=deck,
        editions={e.id: e for e in editions}, folder=base, content_hash="",
    )  # fmt: skip
    content = {
        section: [e.model_dump(mode="json", exclude_defaults=True) for e in listed]
        for section, listed in data.entries().items()
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    object.__setattr__(data, "content_hash", hashlib.sha256(text.encode("utf-8")).hexdigest())
    return data


def _entries(path: Path, key: str, model: type[E], ident: str) -> list[E]:
    """Read and validate the array of tables ``[[key]]`` of one file."""
    try:
        raw = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise InputError("file is missing", where=str(path), hint=f"a data folder holds {', '.join(FILES)}") from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", where=str(path), hint="save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=str(path)) from None
    for name in raw:
        if name != key:
            raise InputError(f"unknown table {name!r}", where=str(path), hint=f"entries stand under [[{key}]]")
    listed = raw.get(key, [])
    if not isinstance(listed, list):
        raise InputError(f"[{key}] is one table", where=str(path), hint=f"write [[{key}]] for every entry")
    out = []
    for i, item in enumerate(listed):
        name = item.get(ident, f"entry {i + 1}") if isinstance(item, dict) else f"entry {i + 1}"
        out.append(checks.read_entry(model, item, f"{path}: {key} {name}"))
    return out
