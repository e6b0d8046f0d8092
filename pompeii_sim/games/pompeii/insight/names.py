"""Names for the numbers of a run's columns, from the data the run was played with."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pompeii_sim.analysis import Study
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.data_files import PompeiiData, load_data


def data_of(study: Study) -> PompeiiData:
    """Return the data of a run: its edited copy if it has one, else the data shipped."""
    folder = None if study.path is None else study.path / "data"
    return _load(folder if folder is not None and folder.is_dir() else None)


@lru_cache(maxsize=4)
def _load(folder: Path | None) -> PompeiiData:
    return load_data(folder)


def places(data: PompeiiData) -> list[str]:
    """Return the names of all places, by number."""
    goods = [data.goods[i].name for i in data.fields]
    made = [f"field: {name}" for name in goods]
    made += [building(data, place - c.BUILDING_0) for place in range(c.N_FIELDS, c.COSTRUZIONE)]
    return [*made, "Costruzione", "Porta", "Piazza", "space of C12", "space of C28", "space of C31"]


def building(data: PompeiiData, number: int) -> str:
    """Return a building's number and name."""
    return f"{number} {data.building(number).name}" if 1 <= number <= len(data.buildings) else f"{number}"


def cards(data: PompeiiData) -> list[str]:
    """Return the names of all cards, specialists first, by number."""
    return [f"{card.id} {card.name}" for card in (*data.specialists, *data.city)]


def volcano(data: PompeiiData, level: str) -> list[str]:
    """Return the volcano cards of a level with the goods they show, by number."""
    return [f"{card.id} {', '.join(card.goods)}" for card in data.volcano_level(level)]
