"""Scenario: a TOML file with overrides and sweeps becomes checked cells.

Asks the game registry for a game's models and never names a game.
"""
