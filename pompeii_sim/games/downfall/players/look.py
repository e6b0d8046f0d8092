"""What players look at: owners and lava around a square, people in a building, relatives to be had, the best option."""

from __future__ import annotations

import numpy as np

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.engine.luck import again
from pompeii_sim.games.downfall.codes import ARG, MAX_SEATS, NEUTRAL, SQ, STOP


@hot
def owners(P, square):
    """Return how many seats have people on a square."""
    found = 0
    for seat in range(MAX_SEATS):
        if P.people[square, seat] > 0:
            found += 1
    return found


@hot
def heat(P, T, square):
    """Return how many kinds of lava lie on the neighbours of a square; buried squares are a kind."""
    mask = 0
    for i in range(T.n_nbr[square]):
        mask |= P.lava[T.nbr[square, i]]
    kinds = 0
    while mask != 0:
        kinds += mask & 1
        mask >>= 1
    return kinds


@jit
def in_building(P, T, square):
    """Return how many people are in the building of a square, all parts together."""
    number = T.building[square]
    found = 0
    for i in range(T.n_at[number]):
        found += P.crowd[T.at[number, i]]
    return found


@jit
def company(P, T, square):
    """Return how many people would bring relatives to somebody placed on a square by its number."""
    if T.relatives == 0:
        return 0
    if T.count_square != 0:
        return P.crowd[square]
    found = 0
    number = T.building[square]
    for i in range(T.n_at[number]):
        other = T.at[number, i]
        if T.part[other] == T.part[square]:
            found += P.crowd[other]
    return found


@jit
def relatives_to_come(P, T, square, most):
    """Return how many of ``most`` relatives would find a place, one a building."""
    found = 0
    used = 0
    for i in range(T.n_housed):
        if found == most:
            break
        other = T.housed[i]
        bit = 1 << T.building[other]
        if used & bit != 0 or T.part[other] == T.part[square] or P.crowd[other] >= T.spaces[other]:
            continue
        if T.colour[other] == NEUTRAL or T.colour[other] == T.colour[square]:
            found += 1
            used |= bit
    return found


@jit
def biggest(values, acts, n, luck):
    """Return the action of the highest value (float64, by place in ``acts``), ties by luck."""
    best = 0
    tie = again(luck, 0)
    for i in range(1, n):
        if values[i] < values[best]:
            continue
        drawn = again(luck, i)
        if values[i] > values[best] or drawn > tie:
            best = i
            tie = drawn
    return acts[best]


@jit
def fresh(n):
    """Return a new array of ``n`` float64 zeros."""
    return np.zeros(n, np.float64)


@hot
def square_of(action):
    """Return the square of an action."""
    return action % SQ


@hot
def above(action):
    """Return what stands above the square: a number, a seat or a symbol."""
    return action % ARG // SQ


@hot
def stops(action):
    """Return whether an action is the choice to stop."""
    return action // ARG == STOP


@jit
def strongest_rival(P, seat, per_casualty):
    """Return the other seat with most people on the board, less ``per_casualty`` for each casualty; -1 for none."""
    best = -1
    top = 0.0
    for other in range(P.n_seats):
        if other == seat or P.on_board[other] == 0:
            continue
        value = P.on_board[other] - per_casualty * P.lost[other]
        if best < 0 or value > top:
            best = other
            top = value
    return best
