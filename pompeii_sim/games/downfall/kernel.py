"""The compiled loop: ask the seat's player, check its action, apply it; play many games and fill rows."""

from __future__ import annotations

from pompeii_sim.engine.jit import entry, jit
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.engine.seating import arrangement_of, deal_of
from pompeii_sim.games.downfall.codes import (
    BY_CARD,
    BY_ENCLOSURE,
    BY_END,
    BY_LAVA,
    BY_OMEN,
    BY_RELATIVE,
    BY_START,
    BY_WILD,
    ERR_ILLEGAL,
    LUCK_SEAT,
    MAX_BUILDINGS,
    MAX_GATES,
    MAX_SEATS,
    MAX_SQUARES,
    MAX_TILES,
)
from pompeii_sim.games.downfall.flow import advance, apply, begin
from pompeii_sim.games.downfall.players.uniform import uniform
from pompeii_sim.games.downfall.setup import setup
from pompeii_sim.games.downfall.standing import progress


@jit
def decide(S, T, players, W, acts, n):
    """Ask the seat's player for an action; with skill below 1 chance decides instead, now and then.

    ``players`` is a tuple of first-class functions and ``W`` their float64 weight rows, by listed seat. The luck of
    a decision is the hash of (seed, deal, seat, number of the seat's decision).
    """
    P = S.pub
    H = S.hid
    seat = P.dec_seat
    spec = P.seat_spec[seat]
    luck = key(H.seed, H.deal, LUCK_SEAT, seat, H.n_decision[seat])
    H.n_decision[seat] += 1
    if T.skill[spec] < 1.0 and unit(again(luck, 7)) >= T.skill[spec]:
        return uniform(acts, n, again(luck, 8))
    return players[spec](P, S.own[seat], T, W[spec], luck, acts, n)


@jit
def take_turn(S, T, players, W, acts, n):
    """Decide and apply once; ``n`` is the number of legal actions in ``acts``. Returns the action applied."""
    P = S.pub
    C = S.tally
    action = acts[0]
    if n == 1:
        C.forced += 1
    else:
        C.decisions += 1
        C.choices[P.dec_seat] += 1
        wanted = decide(S, T, players, W, acts, n)
        found = False
        for i in range(n):
            if acts[i] == wanted:
                found = True
                action = wanted
                break
        if not found:
            # an illegal action is recorded, and the first legal one played instead; players cannot change the list
            n = advance(S, T, acts)
            action = acts[0]
            if P.error == 0:
                P.error = ERR_ILLEGAL
                C.error_seat = P.dec_seat
                C.error_action = wanted
    apply(S, T, action)
    return action


@jit
def play_game(S, T, players, W, acts, series, written, every):
    """Play one set-up game to its end; with ``every`` > 0 write a series row a turn and seat."""
    S.tally.watch = every
    begin(S, T)
    while True:
        n = advance(S, T, acts)
        if n == 0:
            break
        take_turn(S, T, players, W, acts, n)
    if every > 0:
        written = write_series(S, series, written)
    return written


@jit
def write_series(S, series, written):
    """Write the standing of every seat at the end of every turn; return the number of rows written so far."""
    C = S.tally
    for turn in range(1, S.pub.turn + 1):
        for seat in range(S.pub.n_seats):
            if written == series.shape[0]:
                return written
            X = series[written]
            X.time = turn
            X.seat = seat
            X.phase = C.end_phase[turn]
            X.progress = C.end_progress[turn, seat]
            X.people = C.end_people[turn, seat]
            X.saved = C.end_saved[turn, seat]
            X.casualties = C.end_lost[turn, seat]
            written += 1
    return written


@jit
def better(P, T, a, b):
    """Return whether seat a stands above seat b: more saved, then fewer casualties."""
    if P.saved[a] != P.saved[b]:
        return P.saved[a] > P.saved[b]
    return T.tie_shared == 0 and P.lost[a] < P.lost[b]


@jit
def record(S, T, R, game, deal, arrangement):
    """Fill the row of a finished game."""
    P = S.pub
    C = S.tally
    R.game = game
    R.deal = deal
    R.arrangement = arrangement
    R.ended_by = P.ended_by
    R.rounds = P.turn
    R.decisions = C.decisions
    R.forced = C.forced
    R.error = P.error
    R.error_seat = C.error_seat
    R.error_action = C.error_action
    R.start_seat = P.start_seat
    R.quiet_turns = C.quiet_turns
    R.settling_turns = C.settling_turns
    R.seething_turns = C.settling_turns - C.quiet_turns
    R.lava_turns = C.lava_turns
    R.running_turns = C.running_turns
    R.eruption_turns = C.lava_turns - C.running_turns
    R.first_ad79 = C.first_ad79
    R.second_ad79 = C.second_ad79
    R.omens = P.omens_seen
    R.tiles_placed = P.tiles_placed
    R.tiles_unplaced = C.unplaced
    R.buried = C.buried
    R.shut_gates = C.shut_gates
    best = 0
    second = 0
    winners = 0
    for seat in range(MAX_SEATS):
        used = seat < P.n_seats
        rank = 0
        if used:
            rank = 1
            for other in range(P.n_seats):
                if better(P, T, other, seat):
                    rank += 1
            if rank == 1:
                winners |= 1 << seat
            if P.saved[seat] >= best:
                second = best
                best = P.saved[seat]
            elif P.saved[seat] > second:
                second = P.saved[seat]
        R.seat_spec[seat] = P.seat_spec[seat]
        R.rank[seat] = rank
        R.score[seat] = P.saved[seat]
        R.choices[seat] = C.choices[seat]
        R.saved[seat] = P.saved[seat]
        R.casualties[seat] = P.lost[seat]
        R.lost_omen[seat] = C.lost[seat, BY_OMEN]
        R.lost_lava[seat] = C.lost[seat, BY_LAVA]
        R.lost_enclosed[seat] = C.lost[seat, BY_ENCLOSURE]
        R.lost_left[seat] = C.lost[seat, BY_END]
        R.by_card[seat] = C.placed[seat, BY_CARD]
        R.by_wild[seat] = C.placed[seat, BY_WILD]
        R.by_relative[seat] = C.placed[seat, BY_RELATIVE]
        R.placed[seat] = (
            C.placed[seat, BY_CARD] + C.placed[seat, BY_WILD] + C.placed[seat, BY_RELATIVE] + C.placed[seat, BY_START]
        )
        R.discards[seat] = C.discards[seat]
        R.runs[seat] = C.runs[seat]
    R.winners = winners if P.ended_by != 0 else 0
    R.margin = best - second
    for gate in range(MAX_GATES):
        R.gate_saved[gate] = C.gate_saved[gate]
    for building in range(MAX_BUILDINGS):
        R.home_placed[building] = C.home_placed[building]
        R.home_saved[building] = C.home_saved[building]
    for square in range(MAX_SQUARES):
        R.square_placed[square] = C.square_placed[square]
        R.square_lost[square] = C.square_lost[square]
        R.square_lava[square] = C.square_lava[square]
    for turn in range(MAX_TILES + 1):
        R.turn_saved[turn] = C.turn_saved[turn]
        R.turn_lost[turn] = C.turn_lost[turn]


@entry
def play_range(SA, TA, players, W, arrangements, seating, seed, first, count, rows, series, series_every):
    """Play games ``first`` .. ``first + count - 1`` and fill ``rows[:count]``.

    Parameters
    ----------
    SA, TA
        State and tables, one record each.
    players, W
        First-class player functions and float64 weights of shape (seats, weights), by listed seat.
    arrangements
        int64 of shape (arrangements, 4): listed seat of each seat.
    seating
        0 rotate, 1 duplicate, 2 fixed.
    seed, first, count
        int64.
    rows, series
        Records to fill; ``series_every`` k > 0 writes series rows for games divisible by k.

    Returns
    -------
    int64
        Number of series rows written.
    """
    S = SA[0]
    T = TA[0]
    S.trace.on = 0
    acts = S.acts[:]  # an array, not a field: a first-class function takes nothing else
    written = 0
    total = arrangements.shape[0]
    for i in range(count):
        game = first + i
        deal = deal_of(game, total, seating)
        arrangement = arrangement_of(game, total, seating)
        setup(S, T, arrangements[arrangement], seed, deal)
        every = 1 if series_every > 0 and game % series_every == 0 else 0
        before = written
        written = play_game(S, T, players, W, acts, series, written, every)
        for j in range(before, written):
            series[j].game = game
        record(S, T, rows[i], game, deal, arrangement)
    return written


# the same steps for callers outside compiled code: records come as arrays of one element


@entry
def setup_at(SA, TA, arrangements, arrangement, seed, deal):
    """Set up one game."""
    setup(SA[0], TA[0], arrangements[arrangement], seed, deal)
    begin(SA[0], TA[0])


@entry
def advance_at(SA, TA, acts):
    """Run to the next decision; return the number of legal actions written to ``acts``."""
    return advance(SA[0], TA[0], acts)


@entry
def turn_at(SA, TA, players, W, acts, n):
    """Ask the seat's player and apply its action; return the action."""
    return take_turn(SA[0], TA[0], players, W, acts, n)


@entry
def apply_at(SA, TA, action):
    """Apply one legal action."""
    apply(SA[0], TA[0], action)


@entry
def record_at(SA, TA, rows, game, deal, arrangement):
    """Fill the first row."""
    record(SA[0], TA[0], rows[0], game, deal, arrangement)


@entry
def progress_at(SA, TA, seat):
    """Return how far a seat is, 0..1."""
    return progress(SA[0].pub, TA[0], seat)
