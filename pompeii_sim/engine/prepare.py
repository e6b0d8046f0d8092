"""From a checked cell to what the kernel takes: tables, compiled players, weights, arrangements."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.contract import ActionCodec, Game, GameData, Kernel
from pompeii_sim.engine.python_players import Asker, check_player, is_plain
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
    own_players
        Whether somebody at the table is no built-in player.
    askers
        The plain-Python players at the table, each once.
    codec
        Text and number of actions.
    seen_tables
        The tables as plain-Python players see them, not to be written to.
    """

    game: Game
    kernel: Kernel
    tables: Any
    players: tuple[Any, ...]
    weights: NDArray[np.float64]
    arrangements: NDArray[np.int64]
    seating: int
    series_capacity_per_game: int
    own_players: bool
    askers: tuple[Asker, ...]
    codec: ActionCodec
    seen_tables: Any

    def begin(self) -> None:
        """Tell plain-Python players that another game begins."""
        for asker in self.askers:
            asker.begin(self.codec, self.seen_tables)

    @property
    def failure(self) -> str:
        """What went wrong with a plain-Python player in the game in play, empty while nothing has."""
        return next((f"{asker.name}: {asker.failure}" for asker in self.askers if asker.failure), "")


def prepare(game: Game, cell: CellLike, seating: str, players: Mapping[str, Any] | None = None) -> Prepared:
    """Prepare a cell for the kernel; compiles the players of user files.

    Parameters
    ----------
    game, cell, seating
        What is played.
    players
        Players given as Python objects, by the name they have in the cell's seats.

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
    askers: dict[str, Asker] = {}
    for i, seat in enumerate(cell.seats):
        spec = builtin.get(names[i])
        if spec is None:
            made = user_player(game, names[i], (players or {}).get(names[i]))
            if isinstance(made, Asker):
                askers[names[i]] = made
                made = made.function
            functions.append(made)
            for j, value in enumerate(list(seat.weights.values())[:width]):
                weights[i, j] = value
        else:
            functions.append(spec.compiled())
            for j, (name, value) in enumerate(spec.weights.items()):
                weights[i, j] = seat.weights.get(name, value)
    functions += [functions[0]] * (game.max_seats - len(functions))
    tables = game.tables(cell.rules, cell.data, cell.seats)
    seen = np.frombuffer(tables.tobytes(), np.dtype((np.record, tables.dtype)))[0]
    return Prepared(
        game=game,
        kernel=game.kernel(),
        tables=from_array(tables),
        players=tuple(functions),
        weights=weights,
        arrangements=arrangements(cell.kinds, seating, game.max_seats),
        seating=SEATINGS.index(seating),
        series_capacity_per_game=game.series_rows(cell.rules) * len(cell.seats),
        own_players=any(name not in builtin for name in names),
        askers=tuple(askers.values()),
        codec=game.actions(cell.data),
        seen_tables=seen,
    )


_LOADED: dict[tuple[str, str, int], tuple[Any, Any]] = {}


def user_player(game: Game, player: str, given: Any = None) -> Any:
    """Load and compile a user's player.

    Parameters
    ----------
    game
        Whose player it is.
    player
        ``file.py:name``, or the name of a given one.
    given
        The player itself, if it does not come from a file.

    Returns
    -------
    callable or Asker
        A compiled function, or the asker of a plain-Python player.

    Raises
    ------
    InputError
        When the file cannot be run, has no such function, or the function does not fit.
    """
    if given is not None:
        known, source, where = (game.name, player, id(given)), _always(given), player
    else:
        file, _, name = player.rpartition(":")
        path = Path(file)
        try:
            stamp = path.stat().st_mtime_ns
        except OSError as error:
            raise InputError(f"player file {file!r} cannot be read ({error.strerror})", where="seats.player") from None
        known, source, where = (game.name, player, stamp), partial(_function, path, name), f"{path.name}:{name}"
    if known not in _LOADED:
        found = source()
        check_player(found, where)
        made = Asker(game, found, where) if is_plain(found) else game.compile_player(found, where)
        _LOADED[known] = (made, given)  # a given one stays alive, so that its number means nothing else
    return _LOADED[known][0]


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value


def _function(path: Path, name: str) -> Any:
    """Run a user's file and return one of its players."""
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
    if not callable(function) and not hasattr(function, "choose"):
        raise InputError(f"{path.name!r} has no function {name!r}", where="seats.player")
    return function
