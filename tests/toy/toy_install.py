"""Put the toy game on the games' path, so that everything finds it as it finds the shipped ones."""

from __future__ import annotations

from pathlib import Path

from pompeii_sim import games

FOLDER = str(Path(__file__).parent / "games")


def install() -> None:
    """Make ``games.get("toy")`` work in this process."""
    if FOLDER not in games.__path__:
        games.__path__.append(FOLDER)
    import importlib.util
    import sys
    if importlib.util.find_spec("pompeii_sim.engine.prepare") is None:
        import toy_prepare
        sys.modules["pompeii_sim.engine.prepare"] = toy_prepare
