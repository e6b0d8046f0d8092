"""Games: one folder each; the registry hands out a game by its name.

Nothing outside this room names a game or one of its terms.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from pompeii_sim.engine.contract import Game
from pompeii_sim.errors import InputError, nearest

MAIN = "pompeii"
"""The game that is meant where none is named."""


def names() -> list[str]:
    """Return the names of all games, sorted."""
    return sorted(m.name for m in iter_modules(__path__) if m.ispkg)


def get(name: str) -> Game:
    """Return a game by its name.

    Raises
    ------
    InputError
        When no game has that name.
    """
    if name not in names():
        raise InputError(f"unknown game {name!r}", where="game", hint=nearest(name, names()))
    game = import_module(f"{__name__}.{name}.game").GAME
    assert isinstance(game, Game)
    return game
