"""Scenario: a TOML file with overrides and sweeps becomes checked cells.

Asks the game registry for a game's models and never names a game.
"""

from pompeii_sim.scenario.load import load_scenario
from pompeii_sim.scenario.model import Cell, Scenario
from pompeii_sim.scenario.portable import portable, to_toml

__all__ = ["Cell", "Scenario", "load_scenario", "portable", "to_toml"]
