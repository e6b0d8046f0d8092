"""Load a scenario: read, override, sweep, and check every cell with the game's own models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from pompeii_sim import games as registry
from pompeii_sim.engine.contract import Game, GameData, PlayerSpec
from pompeii_sim.errors import InputError, nearest, together
from pompeii_sim.scenario import document as reading
from pompeii_sim.scenario.complaints import validate
from pompeii_sim.scenario.data_overrides import load_data
from pompeii_sim.scenario.model import SEATINGS, Cell, Scenario, Seating
from pompeii_sim.scenario.paths import assign, canonical
from pompeii_sim.scenario.plausible import fill
from pompeii_sim.scenario.sweep import draw, expand
from pompeii_sim.scenario.table_players import check_given, check_player, check_weights, labels

T = TypeVar("T")


def load_scenario(
    source: str | Path | Mapping[str, Any],
    overrides: Iterable[str] = (),
    *,
    games: int | None = None,
    seed: int | None = None,
    base: Path | None = None,
    players: Mapping[str, Any] | None = None,
) -> Scenario:
    """Load and check a scenario.

    Parameters
    ----------
    source
        A TOML file, or the same content as a mapping.
    overrides
        ``path=value`` texts, applied in order; a path that the sweep varies is fixed by them.
    games, seed
        Take precedence over the scenario and the overrides.
    base
        Folder that ``data`` and player files are relative to; default: the scenario's own folder, or the current
        one for a mapping.
    players
        Players given as Python objects, by the name that seats call them.

    Returns
    -------
    Scenario
        With every cell checked: rules, seats, players, forbidden actions, data, and their combination.

    Raises
    ------
    InputError
        For what is wrong, with file, key path, value and the nearest valid value: all unknown keys and values of the
        tables together, else the first thing.
    """
    path = Path(source) if isinstance(source, str | Path) else None
    raw = reading.read(path) if path is not None else cast(Mapping[str, Any], source)
    where = str(path) if path is not None else ""
    folder = base if base is not None else (path.resolve().parent if path is not None else Path.cwd())
    unknown = reading.unknown_keys(raw, where)
    try:
        scenario = _load(raw, list(overrides), games, seed, path, folder, dict(players or {}))
    except InputError as error:
        if not unknown:
            raise
        raise together([*unknown, error]) from None
    if unknown:
        raise together(unknown)
    return scenario


def _load(
    raw: Mapping[str, Any],
    overrides: list[str],
    games: int | None,
    seed: int | None,
    path: Path | None,
    folder: Path,
    given: dict[str, Any],
) -> Scenario:
    where = str(path) if path is not None else ""
    game = _game(raw, overrides, where)
    fields = list(game.Seat.model_fields)
    document = reading.resolve(raw, overrides, fields, where)
    if games is not None:
        document["games"] = games
    if seed is not None:
        document["seed"] = seed
    _check_head(document, where)
    sweep_where = f"{where}: sweep" if where else "sweep"
    check_given(given, game.players())
    checker = _Checker(game, folder, where, document.get("data"), given)
    _draw_sample(document, game, folder, fields, sweep_where)
    every = expand(document.get("sweep", {}), fields, sweep_where)
    cells = tuple(
        checker.cell(i, settings, _cell_document(document, settings, fields, sweep_where), several=len(every) > 1)
        for i, settings in enumerate(every)
    )
    return Scenario(
        game=game.name,
        seed=document["seed"],
        games=document["games"],
        seating=cast(Seating, document["seating"]),
        cells=cells,
        document=document,
        data_dir=checker.data_dir,
        player_files=tuple(sorted(checker.files)),
        path=path,
        base=folder.resolve(),
        players=given,
    )


def _game(raw: Mapping[str, Any], overrides: list[str], where: str) -> Game:
    name = raw.get("game")
    for text in overrides:
        path, value = reading.parse_override(text)
        if path == "game":
            name = value
    at = f"{where}: game" if where else "game"
    if name is None:
        raise InputError("the scenario names no game", where=at, hint=nearest("", registry.names()))
    if not isinstance(name, str):
        raise InputError(f"{name!r} is not valid", where=at, hint="it must be text")
    try:
        return registry.get(name)
    except InputError as error:
        raise InputError(error.what, where=at, hint=error.hint) from None


def _check_head(document: dict[str, Any], where: str) -> None:
    at = f"{where}: " if where else ""
    games, seed, seating = document["games"], document["seed"], document["seating"]
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise InputError(f"{games!r} is not valid", where=f"{at}games", hint="it must be a whole number of at least 1")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed not in reading.INT64:
        raise InputError(
            f"{seed!r} is not valid", where=f"{at}seed", hint="it must be a whole number of 64 bits (0 is one too)"
        )
    if games not in reading.INT64:
        raise InputError(f"{games!r} is too many", where=f"{at}games")
    if seating not in SEATINGS:
        raise InputError(f"{seating!r} is not valid", where=f"{at}seating", hint=nearest(str(seating), SEATINGS))


def _draw_sample(document: dict[str, Any], game: Game, folder: Path, fields: list[str], where: str) -> None:
    """Replace a sample by the cells it draws, so that the resolved scenario needs no second draw."""
    sweep = document.get("sweep", {})
    if "sample" not in sweep:
        return
    if "cells" in sweep:
        raise InputError("cells and sample exclude each other", where=where, hint="keep one of them")
    sample = sweep["sample"]
    if isinstance(sample, dict) and isinstance(sample.get("ranges"), dict):
        data = document.get("data")
        source = folder / data if isinstance(data, str) else game.data_dir
        flat = reading.flatten_ranges(sample["ranges"])
        sample = {**sample, "ranges": fill(flat, source, f"{where}.sample.ranges")}
    drawn = draw(sample, fields, f"{where}.sample")
    document["sweep"] = {**{k: v for k, v in sweep.items() if k != "sample"}, "cells": drawn}


def _cell_document(
    document: Mapping[str, Any], settings: Mapping[str, Any], fields: list[str], where: str
) -> dict[str, Any]:
    cell: dict[str, Any] = deepcopy({k: v for k, v in document.items() if k != "sweep"})
    for key, value in settings.items():
        assign(cell, canonical(key, fields, where), deepcopy(value), f"{where}.{key}")
    return cell


def _noted(wrong: list[InputError], check: Callable[[], T]) -> T | None:
    """Return what a check returns; None, and its error among the others, when it raises one."""
    try:
        return check()
    except InputError as error:
        wrong.append(error)
        return None


class _Checker:
    """Checks cells of one scenario and keeps what they share."""

    def __init__(self, game: Game, folder: Path, where: str, data: Any, given: Mapping[str, Any]) -> None:
        self.game = game
        self.given = given
        self.folder = folder
        self.where = where
        self.files: set[Path] = set()
        self.data_dir: Path | None = None
        self._data: dict[str, GameData] = {}
        self._players: Mapping[str, PlayerSpec] = game.players()
        if data is not None:
            at = self._at("data")
            if not isinstance(data, str) or not data:
                raise InputError(f"{data!r} is not valid", where=at, hint="it must be the name of a folder")
            self.data_dir = (folder / data).resolve()
            if not self.data_dir.is_dir():
                raise InputError(f"no folder {data!r}", where=at, hint="make one with: catalog export DIR")

    def _at(self, key: str) -> str:
        return f"{self.where}: {key}" if self.where else key

    def cell(self, index: int, settings: dict[str, Any], document: dict[str, Any], *, several: bool) -> Cell:
        try:
            return self._cell(index, settings, document)
        except InputError as error:
            if not several:
                raise
            told = ", ".join(f"{k} = {v!r}" for k, v in settings.items())
            place = f"{error.where} (cell {index}: {told})"
            raise InputError(error.what, where=place, hint=error.hint) from None

    def _cell(self, index: int, settings: dict[str, Any], document: dict[str, Any]) -> Cell:
        table = document.get("rules", {})
        if not isinstance(table, dict):
            raise InputError("must be a table", where=self._at("rules"), hint="write [rules]")
        wrong: list[InputError] = []
        rules = _noted(wrong, lambda: validate(self.game.Rules, table, self._at("rules")))
        seats = _noted(wrong, lambda: self._seats(document.get("seats")))
        if rules is None or seats is None:
            raise together(wrong)
        changes = document.get("data_overrides", {})
        key = json.dumps(changes, sort_keys=True)
        if key not in self._data:
            self._data[key] = load_data(self.game, self.data_dir, changes)
        data = self._data[key]
        for number, seat in enumerate(seats):
            if forbid := getattr(seat, "forbid", None):
                self.game.actions(data).check_forbid(forbid, self._at(f"seats.{number}.forbid"))
        try:
            self.game.check(rules, data, seats)
        except InputError as error:
            at = self._at(error.where) if error.where else self.where
            raise InputError(error.what, where=at, hint=error.hint) from None
        return Cell(index=index, settings=settings, rules=rules, seats=seats, data=data, kinds=labels(seats))

    def _seats(self, tables: Any) -> tuple[BaseModel, ...]:
        allowed = self.game.seats
        told = f"{self.game.title} seats {allowed[0]}" + (f" to {allowed[-1]}" if len(allowed) > 1 else "")
        if tables is None:
            raise InputError("the scenario has no seats", where=self._at("seats"), hint=f"write [[seats]]; {told}")
        if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
            raise InputError("must be a list of tables", where=self._at("seats"), hint="write [[seats]] for each seat")
        if len(tables) not in allowed:
            word = "seat" if len(tables) == 1 else "seats"
            raise InputError(f"{len(tables)} {word} at the table", where=self._at("seats"), hint=told)
        wrong: list[InputError] = []
        seats = [_noted(wrong, partial(self._seat, i, table)) for i, table in enumerate(tables)]
        if wrong:
            raise together(wrong)
        return tuple(seat for seat in seats if seat is not None)

    def _seat(self, number: int, table: dict[str, Any]) -> BaseModel:
        at = self._at(f"seats.{number}")
        seat = validate(self.game.Seat, table, at)
        player = getattr(seat, "player", None)
        if isinstance(player, str):
            if player in self.given:
                return seat
            file = check_player(player, self._players, self.folder, f"{at}.player")
            if file is None:
                check_weights(seat, self._players, at)
            else:
                self.files.add(file)
                seat = seat.model_copy(update={"player": f"{file}:{player.rpartition(':')[2]}"})
        return seat
