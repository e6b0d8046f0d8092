"""The one signature of all player functions.

A player is called as ``f(pub, own, tables, weights, luck, acts, n)`` and returns one of ``acts[:n]``:

- ``pub``: what everybody sees (record `PUBLIC`); the decision is in ``pub.dec_kind``, ``dec_seat``, ``dec_a`` ...;
- ``own``: the own hand, drawn cards and plan (record `OWN`); ``tables``: rules and data (record `TABLES`);
- ``weights``: the seat's float64 row; ``luck``: the seat's int64 luck of this decision, for `engine.luck`;
- ``acts``: int64 array holding the ``n`` legal actions first.
"""

from __future__ import annotations

from pompeii_sim.engine.jit import signed
from pompeii_sim.engine.players import player_signature
from pompeii_sim.games.pompeii.state import OWN, PUBLIC
from pompeii_sim.games.pompeii.table_types import TABLES

PLAYER = player_signature(PUBLIC, OWN, TABLES)

player = signed(PLAYER)
"""Decorator that compiles a player function to the signature."""
