"""Players that look one step ahead: what a run or a lava tile does to the worth of everybody it touches.

One function; the weights ``lava`` and ``runs`` (1 or 0) say where it looks ahead: the planner in both, the runner in
runs only, the sealer in lava only. Where it does not look ahead it takes what gains most at once.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.downfall.codes import (
    ARG,
    D_CARD,
    D_LAVA,
    D_RELATIVE,
    D_RUNNER,
    D_TARGET,
    DISCARD,
    EXIT,
    FAR,
    PLACE,
    SEETHING,
    SQ,
    STOP,
    TO,
)
from pompeii_sim.games.downfall.players.look import above, biggest, company, fresh, square_of, stops
from pompeii_sim.games.downfall.players.signature import player
from pompeii_sim.games.downfall.players.worth import (
    COPIES,
    LEADER,
    LOOK_LAVA,
    LOOK_RUNS,
    OUT,
    OWN,
    RELATIVES,
    TEMPO,
    balance,
    menace,
    relatives_worth,
    settled_worth,
    worth,
)

PLANNER = {
    "delay": 1.0, "risk": 0.9, "own": 2.0, "relatives": 1.0, "copies": 0.05, "vent": 0.2, "rivals": 0.2, "pace": 2.5,
    "out": 1.2, "tempo": 5.0, "leader": 0.05, "lava": 1.0, "runs": 1.0,
}  # fmt: skip
RUNNER = {**PLANNER, "lava": 0.0}
SEALER = {**PLANNER, "runs": 0.0, "own": 1.2}


@jit
def ways_with(P, T, dist, queue, extra):
    """Fill ``dist`` with the steps to be outside if lava also lay on square ``extra``."""
    for s in range(T.n_cells):
        dist[s] = FAR
    tail = 0
    for g in range(T.n_gates):
        s = T.gate_square[g]
        if P.lava[s] == 0 and s != extra:
            dist[s] = 1
            queue[tail] = s
            tail += 1
    head = 0
    while head < tail:
        s = queue[head]
        head += 1
        for i in range(T.n_nbr[s]):
            near = T.nbr[s, i]
            if dist[near] == FAR and P.lava[near] == 0 and near != extra and T.vent_of[near] < 0:
                dist[near] = dist[s] + 1
                queue[tail] = near
                tail += 1


@jit
def lava_worth(P, T, seat, square, symbol, W, dist, queue):
    """Return the worth of own people, weighed, less that of rivals, after a tile is laid."""
    ways_with(P, T, dist, queue, square)
    own = 0.0
    rivals = 0.0
    for s in range(T.n_cells):
        crowd = P.crowd[s]
        if crowd == 0 or s == square:
            continue
        value = worth(dist[s], crowd, menace(P, T, s, square, 1 << symbol), W)
        own += P.people[s, seat] * value
        rivals += (crowd - P.people[s, seat]) * value
    return W[OWN] * own - rivals


@jit
def best_run(P, T, seat, origin, steps, W, mark, queue):
    """Return the best run from a square: what it gains, and the action."""
    mine = P.people[origin, seat]
    others = P.crowd[origin] - mine
    leave = balance(P, T, seat, origin, mine - 1, others, W) - balance(P, T, seat, origin, mine, others, W)
    for s in range(T.n_cells):
        mark[s] = 0
    mark[origin] = 1
    queue[0] = origin
    head = 0
    tail = 1
    best = -1e9
    action = -1
    while head < tail:
        s = queue[head]
        head += 1
        if s != origin:
            here = P.people[s, seat]
            rest = P.crowd[s] - here
            gain = leave + balance(P, T, seat, s, here + 1, rest, W) - balance(P, T, seat, s, here, rest, W)
            if gain > best:
                best = gain
                action = TO * ARG + s
        if mark[s] > steps:
            continue
        if T.gate[s] >= 0 and leave + W[OUT] > best:
            best = leave + W[OUT]
            action = EXIT * ARG + s
        for i in range(T.n_nbr[s]):
            near = T.nbr[s, i]
            if mark[near] == 0 and P.lava[near] == 0 and T.vent_of[near] < 0:
                mark[near] = mark[s] + 1
                queue[tail] = near
                tail += 1
    return best, action


@jit
def choose_run(P, T, seat, W, acts, n):
    """Return the runner, or the target of the runner chosen, that gains most."""
    mark = np.empty(T.n_cells, np.int64)
    queue = np.empty(T.n_cells, np.int64)
    if P.dec_kind == D_TARGET:
        _, action = best_run(P, T, seat, P.run_from, P.run_steps, W, mark, queue)
        for i in range(n):
            if acts[i] == action:
                return action
        return acts[0]  # a forbid list has taken it away
    best = -W[TEMPO]
    choice = STOP * ARG
    for i in range(n):
        if stops(acts[i]):
            continue
        square = square_of(acts[i])
        gain, _ = best_run(P, T, seat, square, P.crowd[square], W, mark, queue)
        if gain > best:
            best = gain
            choice = acts[i]
    for i in range(n):
        if acts[i] == choice:
            return choice
    return acts[0]


@player
def play_planner(pub, own, tables, weights, luck, acts, n):
    """Look one run or one tile ahead; settle where people are worth most."""
    P = pub
    T = tables
    W = weights
    seat = P.dec_seat
    kind = P.dec_kind
    if kind in (D_RUNNER, D_TARGET) and W[LOOK_RUNS] > 0.0:
        return choose_run(P, T, seat, W, acts, n)
    values = fresh(n)
    if kind == D_LAVA and W[LOOK_LAVA] > 0.0:
        dist = np.empty(T.n_cells, np.int64)
        queue = np.empty(T.n_cells, np.int64)
        for i in range(n):
            values[i] = lava_worth(P, T, seat, acts[i] % SQ, above(acts[i]), W, dist, queue)
        return biggest(values, acts, n, luck)
    for i in range(n):
        action = acts[i]
        square = square_of(action)
        if stops(action):
            values[i] = -100.0
        elif kind == D_CARD:
            if action // ARG == DISCARD:
                continue
            values[i] = settled_worth(P, T, square, W) + W[COPIES] * (own.hand[above(action)] - 1)
            if P.phase == SEETHING and action // ARG == PLACE:
                most = min(company(P, T, square), P.supply[seat] - 1)
                values[i] += W[RELATIVES] * relatives_worth(P, T, square, most, W)
        elif kind == D_RELATIVE:
            values[i] = settled_worth(P, T, square, W)
        elif kind == D_LAVA:
            values[i] = P.crowd[square] - 2.5 * P.people[square, seat]
        elif kind == D_RUNNER:
            away = P.dist[square]
            values[i] = 20.0 - 0.1 * away if away <= P.crowd[square] else P.crowd[square] - 0.1 * away
        elif kind == D_TARGET:
            values[i] = 100.0 if action // ARG == EXIT else 0.1 * P.crowd[square] - P.dist[square]
        else:
            rival = above(action)
            value = worth(P.dist[square], P.crowd[square], 0.0, W)
            values[i] = value + W[LEADER] * P.on_board[rival] if rival != seat else -value
    return biggest(values, acts, n, luck)
