"""What a checked scenario is: cells to play, and the document they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from pompeii_sim.engine.contract import GameData

Seating = Literal["rotate", "duplicate", "fixed"]

SEATINGS: tuple[Seating, ...] = ("rotate", "duplicate", "fixed")
"""How seats are given out; see `Scenario.seating`."""

DEFAULT_SEED = 1
"""Seed of a scenario that gives none."""

DEFAULT_GAMES = 1000
"""Games per cell of a scenario that gives none."""

DEFAULT_SEATING: Seating = "rotate"
"""Seating of a scenario that gives none."""


@dataclass(frozen=True)
class Cell:
    """One combination of settings, checked and ready to play.

    Parameters
    ----------
    index
        0-based place in the scenario.
    settings
        What the sweep set in this cell: path as written in the scenario -> value (JSON-able). Empty without a sweep.
    rules
        The game's ``Rules``.
    seats
        The game's ``Seat`` of each seat spec, in the order written. A player taken from a file is given as
        ``<absolute path>.py:<name>``.
    data
        The game's data with the cell's data overrides applied.
    kinds
        Label of each seat spec; equal labels mean equal specs. The player's name, followed by what
        distinguishes it when the table holds several specs of one player: ``greedy[stance=never]``.
    """

    index: int
    settings: dict[str, Any]
    rules: BaseModel
    seats: tuple[BaseModel, ...]
    data: GameData
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Scenario:
    """A checked scenario.

    Parameters
    ----------
    game
        Name in the game registry.
    seed
        Seed of all chance, a signed 64-bit integer; 0 is valid.
    games
        Games to play in each cell, at least 1.
    seating
        ``rotate``: game after game through all distinct arrangements of the seat list; ``duplicate``: every deal
        in every arrangement; ``fixed``: seats as written.
    cells
        What to play, in order.
    document
        The scenario after overrides, in TOML's own types: itself a valid scenario that loads to the same
        cells. Drawn samples stand in it as listed cells.
    data_dir
        Folder named by ``data``, absolute, or None for the data shipped with the game.
    player_files
        Files that players were taken from, absolute, sorted, each once.
    path
        The scenario's file, or None when it came from a mapping.
    base
        Folder that ``data`` and player files are relative to.
    players
        Players given as Python objects, by the name they have in the seats.
    """

    game: str
    seed: int
    games: int
    seating: Seating
    cells: tuple[Cell, ...]
    document: dict[str, Any] = field(hash=False)
    data_dir: Path | None = None
    player_files: tuple[Path, ...] = ()
    path: Path | None = None
    base: Path = field(default_factory=Path.cwd)
    players: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        cells = "1 cell" if len(self.cells) == 1 else f"{len(self.cells)} cells"
        return f"<Scenario {self.name!r}: {self.game}, {cells} of {self.games:,} games, seed {self.seed}>"

    @property
    def name(self) -> str:
        """The file's name without ``.toml``, or ``scenario``; a run folder's name for ``scenario.toml`` in it."""
        if self.path is None:
            return "scenario"
        return self.path.resolve().parent.name if self.path.name == "scenario.toml" else self.path.stem

    @property
    def swept(self) -> tuple[str, ...]:
        """Paths that the sweep sets, in order of first appearance."""
        return tuple(dict.fromkeys(path for cell in self.cells for path in cell.settings))
