"""Loads a data folder: nine TOML files, whole and checked, with a hash of their content."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pompeii_sim.engine.contract import CatalogEntry
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.pompeii import data_checks as checks
from pompeii_sim.games.pompeii.data_models import (
    ORIGINS,
    Building,
    CityCard,
    Cost,
    Entry,
    Good,
    Specialist,
    Title,
    Track,
    VolcanoCard,
)

DATA_DIR = Path(__file__).parent / "data"
"""The shipped data folder."""

FILES: tuple[str, ...] = (
    "goods.toml",
    "buildings.toml",
    "costs.toml",
    "specialists.toml",
    "city.toml",
    "volcano.toml",
    "track.toml",
    "titles.toml",
)
"""Files of a data folder; all are needed."""

E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class PompeiiData:
    """All data of the game, checked.

    Parameters
    ----------
    goods
        In the order of the file; a good's index is its place here.
    buildings
        Numbers 1 to 20 in order.
    costs
        By id, see :data:`.data_checks.COSTS`.
    specialists, city
        S01 to S52, C01 to C52 in order.
    volcano
        VA01 to VA17, VB01 to VB17, VC01 to VC17.
    track
        Names of the calm spaces and the awakened cycle.
    titles
        Solo titles, most cards left first.
    folder
        Where the data were read.
    content_hash
        SHA-256 over the content with its provenance; layout, comments and the order of keys do not matter, nor does
        the order of entries, except for goods, where it is the order used everywhere.
    """

    goods: tuple[Good, ...]
    buildings: tuple[Building, ...]
    costs: Mapping[str, Cost]
    specialists: tuple[Specialist, ...]
    city: tuple[CityCard, ...]
    volcano: tuple[VolcanoCard, ...]
    track: Track
    titles: tuple[Title, ...]
    folder: Path
    content_hash: str
    _index: Mapping[str, int] = field(repr=False, compare=False)

    def good_index(self, good: str) -> int:
        """Return a good's 0-based index.

        Raises
        ------
        InputError
            When there is no such good.
        """
        if good not in self._index:
            raise InputError(f"unknown good {good!r}", hint=nearest(good, self._index))
        return self._index[good]

    @property
    def good_ids(self) -> tuple[str, ...]:
        """Ids of all goods, by index."""
        return tuple(self._index)

    @property
    def fields(self) -> tuple[int, ...]:
        """Indices of the ten goods that are resource fields, ascending."""
        return tuple(i for i, g in enumerate(self.goods) if g.value == 1 and not g.cards_only)

    def building(self, number: int) -> Building:
        """Return the building of a number, 1..20."""
        return self.buildings[number - 1]

    def volcano_level(self, level: str) -> tuple[VolcanoCard, ...]:
        """Return the 17 volcano cards of level A, B or C, in the order of their numbers."""
        return tuple(c for c in self.volcano if c.level == level)

    def entries(self) -> dict[str, tuple[Entry, ...]]:
        """Return all entries by section, in catalogue order."""
        return {
            "goods": self.goods,
            "buildings": self.buildings,
            "costs": tuple(self.costs.values()),
            "specialists": self.specialists,
            "city": self.city,
            "volcano": self.volcano,
            "track": (self.track.calm, self.track.awakened),
            "titles": self.titles,
        }

    def provenance_counts(self) -> dict[str, int]:
        """Return how many entries carry each provenance.

        An entry counts as its least sure field that matters for play: a card whose effect is stated and whose cost
        is assumed counts as assumed.
        """
        found = Counter(e.weakest for section in self.entries().values() for e in section)
        return {origin: found[origin] for origin in ORIGINS}

    def catalog(self) -> dict[str, list[CatalogEntry]]:
        """Return all entries by section, as the catalogue shows them."""
        from pompeii_sim.games.pompeii.catalog import entries

        return entries(self)


def load_data(folder: Path | None = None) -> PompeiiData:
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
    raw = {name: _read(base, name) for name in FILES}
    _no_stray_files(base)

    def table(name: str, key: str, model: type[E], ident: str) -> list[E]:
        return _entries(raw[name], base / name, key, model, ident)

    goods = tuple(table("goods.toml", "good", Good, "id"))
    checks.check_goods(goods, base / "goods.toml")

    file = base / "buildings.toml"
    found_buildings = table(file.name, "building", Building, "number")
    buildings = checks.complete(found_buildings, lambda b: b.number, range(1, 21), file, "building")
    checks.check_buildings(buildings, goods, file)

    file = base / "costs.toml"
    costs = checks.complete(table(file.name, "cost", Cost, "id"), lambda c: c.id, checks.COSTS, file, "cost")
    checks.check_costs(costs, goods, file)

    files = (base / "specialists.toml", base / "city.toml")
    numbers = range(1, checks.CARDS + 1)
    specialists = checks.complete(
        table(files[0].name, "specialist", Specialist, "id"),
        lambda c: c.id,
        [f"S{n:02d}" for n in numbers],
        files[0],
        "card",
    )
    city = checks.complete(
        table(files[1].name, "city", CityCard, "id"), lambda c: c.id, [f"C{n:02d}" for n in numbers], files[1], "card"
    )
    checks.check_cards(specialists, goods, buildings, files[0])
    checks.check_cards(city, goods, buildings, files[1])
    checks.check_marks(specialists, city, files)

    file = base / "volcano.toml"
    wanted = [f"V{level}{n:02d}" for level in "ABC" for n in range(1, checks.VOLCANO_CARDS + 1)]
    volcano = checks.complete(table(file.name, "volcano", VolcanoCard, "id"), lambda c: c.id, wanted, file, "card")
    checks.check_volcano(volcano, goods, file)

    track = checks.read_entry(Track, raw["track.toml"], str(base / "track.toml"))
    titles = table("titles.toml", "title", Title, "name")
    checks.check_titles(titles, base / "titles.toml")
    titles.sort(key=lambda t: -t.cards_left)

    content = {
        "goods": [_canonical(e) for e in goods],
        "buildings": [_canonical(e) for e in buildings],
        "costs": [_canonical(e) for e in costs],
        "specialists": [_canonical(e) for e in specialists],
        "city": [_canonical(e) for e in city],
        "volcano": [_canonical(e) for e in volcano],
        "track": [_canonical(track.calm), _canonical(track.awakened)],
        "titles": [_canonical(e) for e in titles],
    }
    return PompeiiData(
        goods=goods,
        buildings=buildings,
        costs={c.id: c for c in costs},
        specialists=specialists,
        city=city,
        volcano=volcano,
        track=track,
        titles=tuple(titles),
        folder=base,
        content_hash=_hash(content),
        _index={g.id: i for i, g in enumerate(goods)},
    )


def _read(base: Path, name: str) -> dict[str, Any]:
    """Parse one file of the folder."""
    path = base / name
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError("file is missing", where=str(path), hint=f"a data folder holds {', '.join(FILES)}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InputError(f"not UTF-8 text (at line {line})", where=str(path), hint="save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=str(path)) from None


def _no_stray_files(base: Path) -> None:
    """Raise InputError when the folder holds a TOML file that nothing would read, such as a misspelt one."""
    for path in sorted(base.glob("*.toml")):
        if path.name not in FILES:
            raise InputError("not a data file", where=str(path), hint=nearest(path.name, FILES))


def _entries(raw: dict[str, Any], path: Path, key: str, model: type[E], ident: str) -> list[E]:
    """Validate the array of tables ``[[key]]`` of one file."""
    for name in raw:
        if name != key:
            raise InputError(f"unknown table {name!r}", where=str(path), hint=f"entries stand under [[{key}]]")
    listed = raw.get(key, [])
    if not isinstance(listed, list):
        raise InputError(f"[{key}] is one table", where=str(path), hint=f"write [[{key}]] for every entry")
    label = "card" if key in ("specialist", "city", "volcano") else key
    return [
        checks.read_entry(model, item, f"{path}: {label} {checks.name_of(item, ident, i)}")
        for i, item in enumerate(listed)
    ]


def _canonical(entry: Entry) -> dict[str, Any]:
    """Return an entry as plain values without what equals a default; lists of volcano goods sorted."""
    plain = entry.model_dump(mode="json", exclude_defaults=True)
    if isinstance(entry, VolcanoCard):
        plain["goods"] = sorted(plain["goods"])
    return plain


def _hash(content: object) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
