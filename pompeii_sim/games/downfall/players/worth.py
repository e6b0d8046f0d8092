"""What a person on a square is worth: how soon it can be outside, and how likely lava comes first."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.downfall.codes import FAR, NEUTRAL

NAMES = (
    "delay",
    "risk",
    "own",
    "relatives",
    "copies",
    "vent",
    "rivals",
    "pace",
    "out",
    "tempo",
    "leader",
    "lava",
    "runs",
)
"""Names of the weights, in the order of the constants below."""
DELAY, RISK, OWN, RELATIVES, COPIES, VENT, RIVALS, PACE, OUT, TEMPO, LEADER, LOOK_LAVA, LOOK_RUNS = range(len(NAMES))


@jit
def menace(P, T, square, extra, extra_mask):
    """Return the share of tiles to come whose symbol lies beside a square; ``extra``: lava thought to lie there."""
    mask = 0
    for i in range(T.n_nbr[square]):
        near = T.nbr[square, i]
        mask |= P.lava[near]
        if near == extra:
            mask |= extra_mask
    if mask == 0:
        return 0.0
    if P.tiles_left <= 0:
        return 1.0
    left = 0
    for symbol in range(T.n_symbols):
        if (mask >> symbol) & 1 != 0:
            left += max(0, T.tiles[symbol] - P.drawn[symbol])
    return min(1.0, left / P.tiles_left)


@jit
def worth(away, crowd, danger, W):
    """Return the worth, 0..1, of a person ``away`` steps from outside in a square of ``crowd`` people."""
    if away >= FAR:
        return 0.0
    runs = 1.0
    if away > crowd:
        runs += (away - crowd) / W[PACE]
    return (1.0 - W[RISK] * danger) / (1.0 + W[DELAY] * runs)


@jit
def settled_worth(P, T, square, W):
    """Return the worth of one more person settled on a square."""
    return worth(P.dist[square], P.crowd[square] + 1, 0.0, W) - W[VENT] * T.near_vent[square]


@jit
def relatives_worth(P, T, square, most, W):
    """Return the worth of up to ``most`` relatives of somebody placed on a square: best first, one a building."""
    used = 0
    found = 0.0
    for _ in range(most):
        best = -1.0
        at = -1
        for i in range(T.n_housed):
            other = T.housed[i]
            if (used >> T.building[other]) & 1 != 0 or T.part[other] == T.part[square]:
                continue
            if P.crowd[other] >= T.spaces[other]:
                continue
            if T.colour[other] != NEUTRAL and T.colour[other] != T.colour[square]:
                continue
            value = settled_worth(P, T, other, W)
            if value > best:
                best = value
                at = other
        if at < 0:
            break
        used |= 1 << T.building[at]
        found += best
    return found


@jit
def balance(P, T, seat, square, mine, others, W):
    """Return the worth of own people on a square, less that of rivals, if so many stood there."""
    if mine + others == 0:
        return 0.0
    value = worth(P.dist[square], mine + others, menace(P, T, square, -1, 0), W)
    return (mine - W[RIVALS] * others) * value
