"""The plan of a run: cells × games, cut into parts, with a hash that leaves out the number of games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pompeii_sim.engine.contract import Game
from pompeii_sim.scenario.fingerprint import fingerprint
from pompeii_sim.store.manifest import plan_hash

if TYPE_CHECKING:
    from pompeii_sim.scenario.model import Scenario

PART_SIZE = 20_000
"""Games in a part, before rounding up to whole rounds of arrangements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPlan:
    """One part to be played: `games` games of a cell from `first` on."""

    cell: int
    first: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be played.

    Parameters
    ----------
    document
        Everything results depend on except the number of games; stored in the manifest.
    hash
        Its hash; every part carries it.
    arrangements
        Number of arrangements of each cell.
    part_games
        Games in a full part of each cell: the part size, rounded up to whole rounds of arrangements.
    unknown_players
        Names of given players that could not be told from others if the run were resumed.
    """

    document: dict[str, Any]
    hash: str
    arrangements: tuple[int, ...]
    part_games: tuple[int, ...]
    unknown_players: tuple[str, ...] = ()

    def parts(self, games: Sequence[int], start: Sequence[int] | None = None) -> Iterator[PartPlan]:
        """Yield all parts, the first of every cell, then the second, so that cells grow evenly.

        Parameters
        ----------
        games
            Games of each cell.
        start
            Games of each cell that need not be listed (multiples of the cell's `part_games`); None for none.
        """
        firsts = list(start) if start is not None else [0] * len(games)
        while any(first < total for first, total in zip(firsts, games, strict=True)):
            for cell, total in enumerate(games):
                first = firsts[cell]
                if first < total:
                    yield PartPlan(cell=cell, first=first, games=min(self.part_games[cell], total - first))
                    firsts[cell] = first + self.part_games[cell]


def build_plan(
    game: Game,
    scenario: Scenario,
    arrangements: Sequence[int],
    *,
    part_size: int,
    series_every: int,
    records: Literal["core", "full"],
) -> Plan:
    """Put together the plan of a scenario.

    Parameters
    ----------
    game, scenario
        What to play.
    arrangements
        Number of arrangements of each cell.
    part_size
        Games in a part, before rounding up.
    series_every
        Every how many games the series is kept; 0 for never.
    records
        Which columns are stored.
    """
    given = {name: fingerprint(player) for name, player in scenario.players.items()}
    document = plan_document(
        game, scenario, part_size=part_size, series_every=series_every, records=records, fingerprints=given
    )
    return Plan(
        document=document,
        hash=plan_hash(document),
        arrangements=tuple(arrangements),
        part_games=tuple(-(-part_size // a) * a for a in arrangements),
        unknown_players=tuple(name for name, known in given.items() if known is None),
    )


def plan_document(
    game: Game,
    scenario: Scenario,
    *,
    part_size: int,
    series_every: int,
    records: Literal["core", "full"],
    fingerprints: Mapping[str, str | None],
) -> dict[str, Any]:
    """Return everything results depend on except the number of games; see `build_plan`.

    Parameters
    ----------
    game, scenario, part_size, series_every, records
        As for `build_plan`.
    fingerprints
        Of the given players, by name; None for one that has none.
    """
    sources = {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in scenario.player_files}
    document: dict[str, Any] = {
        "game": game.name,
        "game_version": game.version,
        "seed": scenario.seed,
        "seating": scenario.seating,
        "records": records,
        "part_size": part_size,
        "series_every": series_every,
        "cells": [
            {
                "settings": dict(cell.settings),
                "rules": cell.rules.model_dump(mode="json"),
                "seats": [_without_paths(seat.model_dump(mode="json"), sources) for seat in cell.seats],
                "data": cell.data.content_hash,
            }
            for cell in scenario.cells
        ],
    }
    document["cells"] = _without_paths(document["cells"], sources)
    if fingerprints:
        document["players"] = {name: known or "unknown" for name, known in fingerprints.items()}
    return document


def _without_paths(value: Any, sources: dict[str, str]) -> Any:
    """Name a user player's file by its content, so that a moved or copied one is the same and an edited one is not."""
    if isinstance(value, dict):
        return {key: _without_paths(part, sources) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_paths(part, sources) for part in value]
    if isinstance(value, str):
        file, colon, name = value.rpartition(":")
        if colon and file in sources:
            return f"source {sources[file][:16]}:{name}"
    return value
