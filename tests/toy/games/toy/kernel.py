"""The rules of the toy game, compiled.

A round: with some chance a disaster ends the game; else every seat in turn tosses a coin or waits; after the round
all seats with enough heads win together.
"""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from pompeii_sim.engine.jit import entry, jit, signed
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.engine.seating import arrangement_of, deal_of

from .state import (
    CAP,
    DISASTER,
    EV_END,
    EV_SETUP,
    EV_TOSS,
    EV_WAIT,
    ILLEGAL,
    MAX_SEATS,
    OWN,
    PUBLIC,
    TABLES,
    TOSS,
    VICTORY,
    WAIT,
)

LUCK_DISASTER, LUCK_COIN, LUCK_SEAT = 1, 2, 3

PLAYER = types.int64(
    numba.from_dtype(PUBLIC),
    numba.from_dtype(OWN),
    numba.from_dtype(TABLES),
    types.float64[::1],
    types.int64,
    types.int64[::1],
    types.int64,
)
"""A player gets public, own, tables, weights, luck, the legal actions and their number; it returns one of them."""


@jit
def emit(S, code, seat):
    """Note an event while tracing."""
    if S.trace.on != 0 and S.trace.count < S.trace.events.shape[0]:
        event = S.trace.events[S.trace.count]
        event.code = code
        event.rnd = S.pub.rnd
        event.seat = seat
        event.heads = S.pub.heads[seat] if seat >= 0 else 0
        S.trace.count += 1


@jit
def legal(S, T, acts):
    """Fill `acts` with the legal actions of the seat whose turn it is; return how many."""
    forbidden = T.forbid[S.hid.seat_spec[S.pub.dec_seat]]
    n = 0
    if (forbidden >> TOSS) & 1 == 0:
        acts[n] = TOSS
        n += 1
    if T.may_wait != 0 and (forbidden >> WAIT) & 1 == 0:
        acts[n] = WAIT
        n += 1
    return n


@jit
def setup(S, T, arrangements, arrangement, seed, deal):
    """Start a game."""
    S.pub.n_seats = T.n_seats
    S.pub.rnd = 0
    S.pub.dec_seat = -1
    S.pub.ended_by = 0
    S.pub.winners = 0
    S.pub.error = 0
    S.hid.seed = seed
    S.hid.deal = deal
    S.hid.arrangement = arrangement
    S.hid.decisions = 0
    S.hid.forced = 0
    for seat in range(MAX_SEATS):
        S.pub.heads[seat] = 0
        S.own[seat].tosses = 0
        S.hid.seat_spec[seat] = arrangements[arrangement, seat]
        S.hid.made[seat] = 0
    emit(S, EV_SETUP, -1)


@jit
def end(S, code):
    """End the game."""
    S.pub.ended_by = code
    emit(S, EV_END, -1)


@jit
def advance(S, T, acts):
    """Run to the next decision and list its legal actions; return how many, 0 when the game is over."""
    while S.pub.ended_by == 0:
        if 0 <= S.pub.dec_seat < T.n_seats:
            return legal(S, T, acts)
        if S.pub.dec_seat == T.n_seats:
            for seat in range(T.n_seats):
                if S.pub.heads[seat] >= T.target:
                    S.pub.winners |= 1 << seat
            if S.pub.winners != 0:
                end(S, VICTORY)
                return 0
            if S.pub.rnd >= T.cap:
                end(S, CAP)
                return 0
        S.pub.rnd += 1
        S.pub.dec_seat = 0
        if unit(key(S.hid.seed, S.hid.deal, LUCK_DISASTER, S.pub.rnd, 0)) < T.disaster:
            end(S, DISASTER)
    return 0


@jit
def apply(S, T, action):
    """Execute a legal action of the seat whose turn it is."""
    seat = S.pub.dec_seat
    if action == TOSS:
        S.own[seat].tosses += 1
        if unit(key(S.hid.seed, S.hid.deal, LUCK_COIN, S.pub.rnd, seat)) < T.heads:
            S.pub.heads[seat] += 1
    emit(S, EV_TOSS if action == TOSS else EV_WAIT, seat)
    S.pub.dec_seat = seat + 1


@jit
def take_turn(S, T, players, W, acts, n):
    """Ask the seat's player, check its action, apply it; an illegal one marks the game as failed."""
    seat = S.pub.dec_seat
    spec = S.hid.seat_spec[seat]
    action = acts[0]
    if n == 1:
        S.hid.forced += 1
    else:
        S.hid.decisions += 1
        luck = key(S.hid.seed, S.hid.deal, LUCK_SEAT, seat, S.hid.made[seat])
        if unit(again(luck, 1)) >= T.skill[spec]:
            wanted = acts[again(luck, 2) % n]
        else:
            wanted = players[spec](S.pub, S.own[seat], T, W[spec], luck, acts, n)
        n = legal(S, T, acts)  # whatever the player did to its list
        found = False
        for at in range(n):
            if acts[at] == wanted:
                found = True
                action = wanted
        if not found:
            S.pub.error = ILLEGAL
    S.hid.made[seat] += 1
    apply(S, T, action)
    return action


@jit
def progress(P, T, seat):
    """Return how far a seat is, 0..1."""
    return min(1.0, P.heads[seat] / T.target)


@jit
def record(S, T, R, game, deal, arrangement):
    """Fill the row of a finished game."""
    R.game = game
    R.deal = deal
    R.arrangement = arrangement
    R.ended_by = S.pub.ended_by
    R.winners = S.pub.winners
    R.rounds = S.pub.rnd
    R.decisions = S.hid.decisions
    R.forced = S.hid.forced
    R.error = S.pub.error
    R.last_disaster_luck = unit(key(S.hid.seed, S.hid.deal, LUCK_DISASTER, S.pub.rnd, 0))
    for seat in range(MAX_SEATS):
        R.seat_spec[seat] = S.hid.seat_spec[seat]
        R.score[seat] = S.pub.heads[seat]
        R.tosses[seat] = S.own[seat].tosses
        R.rank[seat] = 0
        if seat < T.n_seats:
            R.rank[seat] = 1
            for other in range(T.n_seats):
                if S.pub.heads[other] > S.pub.heads[seat]:
                    R.rank[seat] += 1


@jit
def write_series(S, T, series, n, game, time):
    """Write one row a seat for a round."""
    for seat in range(T.n_seats):
        X = series[n]
        X.game = game
        X.time = time
        X.seat = seat
        X.heads = S.pub.heads[seat]
        X.progress = progress(S.pub, T, seat)
        n += 1
    return n


@entry
def play_range(SA, TA, players, W, arrangements, seating, seed, first, count, rows, series, series_every):
    """Play games first..first+count-1; fill rows and series; return how many series rows."""
    S, T = SA[0], TA[0]
    S.trace.on = 0
    acts = np.zeros(2, np.int64)
    written = 0
    for index in range(count):
        game = first + index
        deal = deal_of(game, arrangements.shape[0], seating)
        arrangement = arrangement_of(game, arrangements.shape[0], seating)
        setup(S, T, arrangements, arrangement, seed, deal)
        watched = series_every > 0 and game % series_every == 0
        shown = 0  # rounds in the series so far
        while True:
            n = advance(S, T, acts)
            if n == 0:
                break
            if watched and S.pub.dec_seat == 0 and S.pub.rnd - 1 > shown:
                shown += 1
                written = write_series(S, T, series, written, game, shown)
            take_turn(S, T, players, W, acts, n)
        while watched and shown < S.pub.rnd:
            shown += 1
            written = write_series(S, T, series, written, game, shown)
        record(S, T, rows[index], game, deal, arrangement)
    return written


@entry
def setup_at(SA, TA, arrangements, arrangement, seed, deal):
    """Set up one game."""
    setup(SA[0], TA[0], arrangements, arrangement, seed, deal)


@entry
def advance_at(SA, TA, acts):
    """Run to the next decision."""
    return advance(SA[0], TA[0], acts)


@entry
def turn_at(SA, TA, players, W, acts, n):
    """Ask the seat's player and apply its action."""
    return take_turn(SA[0], TA[0], players, W, acts, n)


@entry
def apply_at(SA, TA, action):
    """Apply one legal action."""
    apply(SA[0], TA[0], action)


@entry
def record_at(SA, TA, rows, game, deal, arrangement):
    """Fill ``rows[0]``."""
    record(SA[0], TA[0], rows[0], game, deal, arrangement)


@entry
def progress_at(SA, TA, seat):
    """Return how far a seat is, 0..1."""
    return progress(SA[0].pub, TA[0], seat)


@signed(PLAYER)
def eager(P, own, T, weights, luck, acts, n):
    """Always toss."""
    return TOSS


@signed(PLAYER)
def careful(P, own, T, weights, luck, acts, n):
    """Toss with the chance ``toss``."""
    return TOSS if unit(luck) < weights[0] else WAIT


@signed(PLAYER)
def cheat(P, own, T, weights, luck, acts, n):
    """Toss, but make an illegal move with the chance ``rate``: for tests of failed games."""
    return 7 if unit(luck) < weights[0] else TOSS


@signed(PLAYER)
def raiser(P, own, T, weights, luck, acts, n):
    """Toss, but raise with the chance ``rate``: for tests of failed games."""
    if unit(luck) < weights[0]:
        raise ValueError("the toy player gives up")
    return TOSS
