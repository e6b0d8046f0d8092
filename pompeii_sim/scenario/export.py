"""Write a game's data folder somewhere else, for a designer to edit."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
from pathlib import Path

from pompeii_sim.engine.contract import Game
from pompeii_sim.errors import InputError
from pompeii_sim.store.atomic import check_parents


def export_data(game: Game, target: Path) -> Path:
    """Copy a game's shipped data to a new folder.

    A game may bring its own export (``export_data(target)`` in its ``catalog`` module), which adds notes on how to
    edit; else its files are copied as they are.

    Parameters
    ----------
    game
        The game.
    target
        A path that does not exist yet; missing parents are made.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        When something exists there, or it cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise InputError("exists already, nothing is overwritten", where=str(target), hint="name a new folder")
    check_parents(target)
    module = f"pompeii_sim.games.{game.name}.catalog"
    if importlib.util.find_spec(f"pompeii_sim.games.{game.name}") and importlib.util.find_spec(module):
        own = getattr(importlib.import_module(module), "export_data", None)
        if own is not None:
            own(target)
            return target
    try:
        shutil.copytree(game.data_dir, target)
    except (OSError, shutil.Error) as error:
        raise InputError(f"cannot be written: {error}", where=str(target)) from None
    return target
