"""The random player: a uniform kind of action, then a uniform action of that kind."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import uniform_action
from pompeii_sim.games.pompeii.codes import ARG, N_KINDS
from pompeii_sim.games.pompeii.players.signature import player


@jit
def uniform(acts, n, luck):
    """Return a legal action: a uniform kind, then a uniform argument; also what a seat does when skill fails it."""
    return uniform_action(acts, n, luck, ARG, N_KINDS)


@player
def play_random(pub, own, tables, weights, luck, acts, n):
    """Play a uniform kind, then a uniform argument."""
    return uniform(acts, n, luck)
