"""The random player: a uniform kind of action, then a uniform action of that kind."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import again, below
from pompeii_sim.games.downfall.codes import ARG, N_KINDS
from pompeii_sim.games.downfall.players.signature import player


@jit
def uniform(acts, n, luck):
    """Return a legal action: a uniform kind, then a uniform argument; also what a seat does when skill fails it."""
    seen = 0
    kinds = 0
    for i in range(n):
        bit = 1 << (acts[i] // ARG)
        if seen & bit == 0:
            seen |= bit
            kinds += 1
    pick = below(luck, kinds)
    kind = 0
    for k in range(N_KINDS):
        if (seen >> k) & 1 != 0:
            if pick == 0:
                kind = k
                break
            pick -= 1
    count = 0
    for i in range(n):
        if acts[i] // ARG == kind:
            count += 1
    pick = below(again(luck, 1), count)
    for i in range(n):
        if acts[i] // ARG == kind:
            if pick == 0:
                return acts[i]
            pick -= 1
    return acts[0]


@player
def play_random(pub, own, tables, weights, luck, acts, n):
    """Play a uniform kind, then a uniform argument."""
    return uniform(acts, n, luck)
