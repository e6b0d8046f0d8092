"""Fixtures of the scenario tests."""

from stub_game import game

__all__ = ["game"]
