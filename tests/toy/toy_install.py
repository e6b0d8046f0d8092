"""Put the toy game on the games' path, so that everything finds it as it finds the shipped ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pompeii_sim import games

FOLDER = str(Path(__file__).parent / "games")


def install() -> None:
    """Make ``games.get("toy")`` work in this process."""
    if FOLDER not in games.__path__:
        games.__path__.append(FOLDER)


def uninstall() -> None:
    """Take it off again."""
    if FOLDER in games.__path__:
        games.__path__.remove(FOLDER)


def document(
    *players: str, games: int = 1000, seed: int = 1, seating: str = "rotate", **more: Any
) -> Mapping[str, Any]:
    """Return a scenario of the toy game with one seat for each player named."""
    seats = [{"player": player} for player in players or ("eager", "careful", "careful")]
    return {"game": "toy", "games": games, "seed": seed, "seating": seating, "seats": seats, **more}


def scenario(*players: str, **more: Any) -> Any:
    """Return the checked scenario of `document`."""
    from pompeii_sim.scenario import load_scenario

    return load_scenario(document(*players, **more))
