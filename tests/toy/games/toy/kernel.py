"""The rules of the toy game, compiled.

A round: with some chance a disaster ends the game; else every seat in turn tosses a coin or waits; after the round
all seats with enough heads win together.
"""

from __future__ import annotations

import numba
from numba import types

from pompeii_sim.engine.jit import jit, signed
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.engine.seating import arrangement_of, deal_of

from .state import CAP, DISASTER, ILLEGAL, MAX_SEATS, OWN, PUBLIC, TABLES, TOSS, VICTORY, WAIT

LUCK_DISASTER, LUCK_COIN, LUCK_SEAT = 1, 2, 3

PLAYER = types.int64(
    numba.from_dtype(PUBLIC),
    numba.from_dtype(OWN),
    numba.from_dtype(TABLES),
    types.float64[::1],
    types.int64,
    types.int64,
)
"""A player gets public, own, tables, weights, luck and the decision number; it returns an action."""


@jit
def is_legal(SA, TA, seat, action):
    """Tossing is always legal; waiting where the rules allow it; neither when the seat forbids it."""
    S, T = SA[0], TA[0]
    if action != TOSS and (action != WAIT or T.may_wait == 0):
        return False
    return (T.forbid[S.hidden.seat_spec[seat]] >> action) & 1 == 0


@jit
def legal(SA, TA, seat, out):
    """Fill `out` with the legal actions and return how many there are."""
    n = 0
    for action in range(2):
        if is_legal(SA, TA, seat, action):
            out[n] = action
            n += 1
    return n


@jit
def setup(SA, TA, arrangements, seed, deal, arrangement):
    """Start a game."""
    S, T = SA[0], TA[0]
    S.public.n_seats = T.n_seats
    S.public.rnd = 0
    S.public.turn = -1
    S.public.ended_by = 0
    S.public.winners = 0
    S.public.error = 0
    S.hidden.seed = seed
    S.hidden.deal = deal
    S.hidden.arrangement = arrangement
    S.hidden.decisions = 0
    S.hidden.forced = 0
    for seat in range(MAX_SEATS):
        S.public.heads[seat] = 0
        S.own[seat].tosses = 0
        S.hidden.seat_spec[seat] = arrangements[arrangement, seat]
        S.hidden.made[seat] = 0
        S.hidden.tosses[seat] = 0


@jit
def advance(SA, TA):
    """Run to the next decision or the end; return whether a decision is due."""
    S, T = SA[0], TA[0]
    while S.public.ended_by == 0:
        if 0 <= S.public.turn < T.n_seats:
            return True
        if S.public.turn == T.n_seats:
            for seat in range(T.n_seats):
                if S.public.heads[seat] >= T.target:
                    S.public.winners |= 1 << seat
            if S.public.winners != 0:
                S.public.ended_by = VICTORY
                return False
            if S.public.rnd >= T.cap:
                S.public.ended_by = CAP
                return False
        S.public.rnd += 1
        S.public.turn = 0
        if unit(key(S.hidden.seed, S.hidden.deal, LUCK_DISASTER, S.public.rnd, 0)) < T.disaster:
            S.public.ended_by = DISASTER
    return False


@jit
def decide(SA, TA, players, W):
    """Ask the seat's player; with skill below 1 the other action is taken now and then."""
    S, T = SA[0], TA[0]
    seat = S.public.turn
    spec = S.hidden.seat_spec[seat]
    luck = key(S.hidden.seed, S.hidden.deal, LUCK_SEAT, seat, S.hidden.made[seat])
    can = int(is_legal(SA, TA, seat, TOSS)) + int(is_legal(SA, TA, seat, WAIT))
    S.hidden.made[seat] += 1
    if can < 2:
        S.hidden.forced += 1
        return TOSS if is_legal(SA, TA, seat, TOSS) else WAIT
    S.hidden.decisions += 1
    if unit(again(luck, 1)) > T.skill[spec]:
        return again(luck, 2) & 1
    return players[spec](S.public, S.own[seat], T, W[spec], luck, S.hidden.made[seat])


@jit
def apply(SA, TA, action):
    """Execute an action of the seat whose turn it is; an illegal one marks the game as failed and ends it."""
    S, T = SA[0], TA[0]
    seat = S.public.turn
    if not is_legal(SA, TA, seat, action):
        S.public.error = ILLEGAL
        S.public.ended_by = CAP
        return
    if action == TOSS:
        S.own[seat].tosses += 1
        S.hidden.tosses[seat] += 1
        if unit(key(S.hidden.seed, S.hidden.deal, LUCK_COIN, S.public.rnd, seat)) < T.heads:
            S.public.heads[seat] += 1
    S.public.turn = seat + 1


@jit
def progress(public, T, seat):
    """Return how far a seat is, 0..1."""
    return min(1.0, public.heads[seat] / T.target)


@jit
def record(SA, TA, rows, at, game):
    """Fill one row."""
    S, T = SA[0], TA[0]
    row = rows[at]
    row.game = game
    row.deal = S.hidden.deal
    row.arrangement = S.hidden.arrangement
    row.ended_by = S.public.ended_by
    row.winners = S.public.winners
    row.rounds = S.public.rnd
    row.decisions = S.hidden.decisions
    row.forced = S.hidden.forced
    row.error = S.public.error
    row.last_disaster_luck = unit(key(S.hidden.seed, S.hidden.deal, LUCK_DISASTER, S.public.rnd, 0))
    for seat in range(MAX_SEATS):
        row.seat_spec[seat] = S.hidden.seat_spec[seat]
        row.score[seat] = S.public.heads[seat]
        row.tosses[seat] = S.hidden.tosses[seat]
        row.rank[seat] = 0
        if seat < T.n_seats:
            row.rank[seat] = 1
            for other in range(T.n_seats):
                if S.public.heads[other] > S.public.heads[seat]:
                    row.rank[seat] += 1


@jit
def _write_series(SA, TA, series, n, game, time):
    S, T = SA[0], TA[0]
    for seat in range(T.n_seats):
        line = series[n]
        line.game = game
        line.time = time
        line.seat = seat
        line.heads = S.public.heads[seat]
        line.progress = progress(S.public, T, seat)
        n += 1
    return n


@jit
def play_range(SA, TA, players, W, arrangements, seating, seed, first, count, rows, series, series_every):
    """Play games first..first+count-1; fill rows and series; return how many series rows."""
    n = 0
    S = SA[0]
    kinds = arrangements.shape[0]
    for index in range(count):
        game = first + index
        setup(SA, TA, arrangements, seed, deal_of(game, kinds, seating), arrangement_of(game, kinds, seating))
        watched = series_every > 0 and game % series_every == 0
        shown = 0  # rounds in the series so far
        while advance(SA, TA):
            if watched and S.public.turn == 0 and S.public.rnd - 1 > shown:
                shown += 1
                n = _write_series(SA, TA, series, n, game, shown)
            apply(SA, TA, decide(SA, TA, players, W))
        while watched and shown < S.public.rnd:
            shown += 1
            n = _write_series(SA, TA, series, n, game, shown)
        record(SA, TA, rows, index, game)
    return n


@signed(PLAYER)
def eager(public, own, T, weights, luck, decision):
    """Always toss."""
    return TOSS


@signed(PLAYER)
def careful(public, own, T, weights, luck, decision):
    """Toss with the chance ``toss``."""
    return TOSS if unit(luck) < weights[0] else WAIT


@signed(PLAYER)
def cheat(public, own, T, weights, luck, decision):
    """Toss, but make an illegal move with the chance ``rate``: for tests of failed games."""
    return 7 if unit(luck) < weights[0] else TOSS


@signed(PLAYER)
def raiser(public, own, T, weights, luck, decision):
    """Toss, but raise with the chance ``rate``: for tests of failed games."""
    if unit(luck) < weights[0]:
        raise ValueError("the toy player gives up")
    return TOSS
