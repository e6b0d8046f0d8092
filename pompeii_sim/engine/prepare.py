"""From a checked cell to what the kernel takes: tables, compiled players, weights, arrangements."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.contract import Game, GameData, Kernel
from pompeii_sim.engine.records import from_array
from pompeii_sim.engine.seating import SEATINGS, arrangements
from pompeii_sim.errors import InputError


class CellLike(Protocol):
    """What of a cell is needed to play it."""

    @property
    def rules(self) -> Any: ...
    @property
    def seats(self) -> Sequence[Any]: ...
    @property
    def data(self) -> GameData: ...
    @property
    def kinds(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class Prepared:
    """A cell ready for the kernel.

    Parameters
    ----------
    game, kernel
        The game and its compiled functions.
    tables
        Record array of shape ``(1,)``.
    players
        First-class compiled functions, one a listed seat, filled up to the game's most seats.
    weights
        float64 of shape ``(most seats, weights)``.
    arrangements
        int64 of shape ``(arrangements, most seats)``: listed seat of each seat, -1 for none.
    seating
        Index into `engine.seating.SEATINGS`.
    series_capacity_per_game
        Most series rows a game can write.
    """

    game: Game
    kernel: Kernel
    tables: Any
    players: tuple[Any, ...]
    weights: NDArray[np.float64]
    arrangements: NDArray[np.int64]
    seating: int
    series_capacity_per_game: int


def prepare(game: Game, cell: CellLike, seating: str) -> Prepared:
    """Prepare a cell for the kernel; compiles the players of user files.

    Raises
    ------
    InputError
        When a user's player cannot be loaded or compiled.
    """
    names = [seat.player for seat in cell.seats]
    builtin = game.players()
    width = max([1, *(len(spec.weights) for spec in builtin.values()), *(len(seat.weights) for seat in cell.seats)])
    weights = np.zeros((game.max_seats, width))
    functions: list[Any] = []
    for i, seat in enumerate(cell.seats):
        spec = builtin.get(names[i])
        if spec is None:
            functions.append(user_player(game, names[i]))
            for j, value in enumerate(list(seat.weights.values())[:width]):
                weights[i, j] = value
        else:
            functions.append(spec.function)
            for j, (name, value) in enumerate(spec.weights.items()):
                weights[i, j] = seat.weights.get(name, value)
    functions += [functions[0]] * (game.max_seats - len(functions))
    return Prepared(
        game=game,
        kernel=game.kernel(),
        tables=from_array(game.tables(cell.rules, cell.data, cell.seats)),
        players=tuple(functions),
        weights=weights,
        arrangements=arrangements(cell.kinds, seating, game.max_seats),
        seating=SEATINGS.index(seating),
        series_capacity_per_game=game.series_rows(cell.rules) * len(cell.seats),
    )


_LOADED: dict[tuple[str, str, int], Any] = {}


def user_player(game: Game, player: str) -> Any:
    """Load and compile a user's player named ``file.py:name``.

    Raises
    ------
    InputError
        When the file cannot be run, has no such function, or the function does not fit.
    """
    file, _, name = player.rpartition(":")
    path = Path(file)
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(f"player file {file!r} cannot be read ({error.strerror})", where="seats.player") from None
    known = (game.name, player, stamp)
    if known not in _LOADED:
        _LOADED[known] = game.compile_player(_function(path, name), f"{path.name}:{name}")
    return _LOADED[known]


def _function(path: Path, name: str) -> Callable[..., Any]:
    """Run a user's file and return one of its functions."""
    module_name = f"pompeii_sim_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path.name!r} is no Python file", where="seats.player")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        raise InputError(f"player file {path.name!r} fails when it is run: {text}", where="seats.player") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(f"{path.name!r} has no function {name!r}", where="seats.player")
    return function  # type: ignore[no-any-return]
