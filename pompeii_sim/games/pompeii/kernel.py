"""The compiled loop: ask the seat's player, check its action, apply it; play many games and fill rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from pompeii_sim.engine.jit import entry, jit, signed
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.engine.records import allocate, clear
from pompeii_sim.engine.seating import arrangement_of, deal_of
from pompeii_sim.games.pompeii.choices import legal
from pompeii_sim.games.pompeii.codes import (
    CASTRUM,
    D_DECK,
    D_PAY,
    D_PLEDGE,
    D_STAR,
    END_DECISION_CAP,
    END_VICTORY,
    ERR_DECISIONS,
    ERR_ILLEGAL,
    FORO,
    N_CARDS,
    STEP_OVER,
    TERME,
)
from pompeii_sim.games.pompeii.decks import LUCK_SEAT
from pompeii_sim.games.pompeii.flow import run_on, setup
from pompeii_sim.games.pompeii.goods import worth
from pompeii_sim.games.pompeii.kernel_types import (
    APPLY,
    INTS,
    LEGAL,
    OPS_TYPE,
    PLAYERS_TYPE,
    RECORD,
    ROWS,
    RUN_ON,
    SEATINGS_TABLE,
    SERIES_ROWS,
    SETUP,
    STATES,
    TABLE_ARRAY,
    VOID,
    WEIGHTS,
    I,
)
from pompeii_sim.games.pompeii.offering import resolve_offering
from pompeii_sim.games.pompeii.players.scripted import play_by_plan
from pompeii_sim.games.pompeii.players.stances import PLAYER
from pompeii_sim.games.pompeii.players.uniform import uniform
from pompeii_sim.games.pompeii.players.weights import STANCE_ROW
from pompeii_sim.games.pompeii.resolve import resolve
from pompeii_sim.games.pompeii.solo import title_of
from pompeii_sim.games.pompeii.state import STATE

MOST_ACTIONS = 1024  # length of the work space for legal actions


# The large parts of the rules are compiled once each and called through pointers (`OPS`): a function that calls
# another directly is optimised together with all that the other calls, again at every level.


@signed(SETUP)
def setup_op(S, T, arrangement, seed, deal):
    """Set up a cleared record; see `flow.setup`."""
    setup(S, T, arrangement, seed, deal)


@signed(RUN_ON)
def run_on_op(S, T):
    """Run to the next decision; see `flow.run_on`."""
    return run_on(S, T)


@signed(LEGAL)
def legal_op(S, T, acts):
    """List the legal actions; see `choices.legal`."""
    return legal(S, T, acts)


@signed(APPLY)
def apply_op(S, T, action):
    """Execute one legal action of the decision waited for."""
    kind = S.pub.dec_kind
    if kind in (D_STAR, D_PLEDGE, D_PAY, D_DECK):
        resolve_offering(S, T, action)
    else:
        resolve(S, T, action)


@jit
def advance(OPS, S, T, acts):
    """Run to the next decision and list its legal actions; return how many, 0 when the game is over.

    A choice without any possibility falls away.
    """
    while OPS[1](S, T) != 0:
        n = OPS[2](S, T, acts)
        if n > 0:
            return n
        S.pub.top -= 1
    return 0


@jit
def decide(OPS, S, T, players, W, acts, n):
    """Ask the seat's stance or player for an action; with skill below 1 chance decides instead, now and then.

    ``players`` is a tuple of first-class functions and ``W`` their float64 weight rows, by listed seat. The luck of
    a decision is the hash of (seed, deal, seat, number of the seat's decision).
    """
    P = S.pub
    H = S.hid
    seat = P.dec_seat
    spec = P.seat_spec[seat]
    if T.stance[spec] != PLAYER and (P.dec_kind == D_PLEDGE or P.dec_kind == D_PAY):
        if T.plans[spec] != 0:
            return OPS[5](P, S.own[seat], T, W[spec], 0, acts, n)
        return OPS[5](P, S.own[seat], T, STANCE_ROW, 0, acts, n)
    luck = key(H.seed, H.deal, LUCK_SEAT, seat, H.n_decision[seat])
    H.n_decision[seat] += 1
    if T.skill[spec] < 1.0 and unit(again(luck, 7)) >= T.skill[spec]:
        return uniform(acts, n, again(luck, 8))
    return players[spec](P, S.own[seat], T, W[spec], luck, acts, n)


@jit
def take_turn(OPS, S, T, players, W, acts, n):
    """Decide and apply once; ``n`` is the number of legal actions in ``acts``. Returns the action applied."""
    P = S.pub
    C = S.tally
    action = acts[0]
    if n == 1:
        C.forced += 1
    else:
        C.decisions += 1
        C.choices[P.dec_seat] += 1
        wanted = decide(OPS, S, T, players, W, acts, n)
        found = False
        for i in range(n):
            if acts[i] == wanted:
                found = True
                action = wanted
                break
        if not found:
            # an illegal action is recorded, and the first legal one played instead
            if P.error == 0:
                P.error = ERR_ILLEGAL
                C.error_seat = P.dec_seat
                C.error_action = wanted
                C.error_decision = C.decisions
    OPS[3](S, T, action)
    return action


@jit
def play_game(OPS, S, T, players, W, acts, series, written, every):
    """Play one set-up game to its end; with ``every`` > 0 write a series row a round and seat."""
    P = S.pub
    rnd = 0
    while True:
        n = advance(OPS, S, T, acts)
        if every > 0 and (P.rnd != rnd or n == 0):
            if rnd > 0 and written + P.n_seats <= len(series):
                for seat in range(P.n_seats):
                    write_series(S, T, series[written], rnd, seat)
                    written += 1
            rnd = P.rnd
        if n == 0:
            return written
        if S.tally.decisions + S.tally.forced >= T.decision_cap:
            P.ended_by = END_DECISION_CAP
            P.error = ERR_DECISIONS
            P.step = STEP_OVER
            continue
        take_turn(OPS, S, T, players, W, acts, n)


@jit
def progress(P, T, seat):
    """Return how far a seat is, 0..1: goods of the goals (army, Terme, Castrum) by value, and the steps done.

    The same for every player: what counts is the value of the goods of a goal reached or in store, and four steps
    (Foro, Terme, army, Castrum) that weigh a tenth each.
    """
    if P.winner == seat:
        return 1.0
    have = 0.0
    total = 0.0
    for g in range(T.n_goods):
        store = P.goods[seat, g]
        for goal in range(3):
            want = T.goal[goal, g]
            if want == 0:
                continue
            total += want * T.value[g]
            done = (
                (goal == 0 and P.built[TERME] != 0)
                or (goal == 1 and P.built[CASTRUM] != 0)
                or (goal == 2 and P.army[seat] != 0)
            )
            if done:
                have += want * T.value[g]
            else:
                used = min(store, want)
                have += used * T.value[g]
                store -= used
    steps = 0.0
    if P.built[FORO] != 0:
        steps += 1.0
    if P.built[TERME] != 0:
        steps += 1.0
    if P.army[seat] != 0:
        steps += 1.0
    if P.built[CASTRUM] != 0:
        steps += 1.0
    share = have / total if total > 0.0 else 1.0
    return min(0.999, 0.6 * share + 0.1 * steps)


@jit
def write_series(S, T, X, rnd, seat):
    """Fill one series row."""
    P = S.pub
    X.time = rnd
    X.seat = seat
    X.phase = P.phase
    X.progress = progress(P, T, seat)
    X.workers = P.workers[seat]
    X.goods_value = worth(P, T, seat)
    active = 0
    for card in range(N_CARDS):
        active += P.active[seat, card]
    X.active_cards = active
    held = S.tally.offer_round == rnd
    X.due = P.due if held else 0
    X.pledged = P.pledged[seat] if held else 0
    X.paid = P.paid[seat] if held else 0
    X.could_pay = S.tally.offer_could[seat] if held else 0
    X.pivotal = S.tally.offer_pivotal[seat] if held else 0


@jit
def record(S, T, R, game, deal, arrangement):
    """Fill the row of a finished game."""
    P = S.pub
    C = S.tally
    R.game = game
    R.deal = deal
    R.arrangement = arrangement
    R.ended_by = P.ended_by
    R.winners = 1 << P.winner if P.ended_by == END_VICTORY else 0
    R.rounds = P.rnd
    R.calm_rounds = P.rnd if C.awakening_round == 0 else C.awakening_round - 1
    R.awakening_rounds = 0 if C.awakening_round == 0 else P.rnd - C.awakening_round + 1
    R.decisions = C.decisions
    R.forced = C.forced
    R.error = P.error
    R.error_seat = C.error_seat
    R.error_action = C.error_action
    R.start_seat = P.first_seat
    R.eruptions = C.eruptions
    R.first_eruption = C.first_eruption
    R.offerings = C.offerings
    R.offerings_paid = C.offerings_paid
    R.raises = P.raises
    R.due = C.due_sum
    R.castrum_owner = P.owner[CASTRUM]
    R.foro_owner = P.owner[FORO]
    R.title = title_of(P, T)
    R.open_used = C.open_used
    R.blocked_value = C.blocked_value
    for g in range(R.blocked_rounds.shape[0]):
        R.blocked_rounds[g] = C.blocked_rounds[g]
    for seat in range(R.seat_spec.shape[0]):
        R.seat_spec[seat] = P.seat_spec[seat]
        used = seat < P.n_seats
        won = used and P.ended_by == END_VICTORY and P.winner == seat
        R.rank[seat] = 0 if not used else (1 if won else 2)
        R.score[seat] = progress(P, T, seat) if used else 0.0
        R.worker_actions[seat] = C.actions[seat]
        R.choices[seat] = C.choices[seat]
        R.workers[seat] = P.workers[seat]
        R.army[seat] = P.army[seat]
        R.paid[seat] = C.paid_sum[seat]
        R.marker[seat] = C.marker_sum[seat]
        R.pledged[seat] = C.pledged_sum[seat]
        R.could_pay[seat] = C.could_pay[seat]
        R.refused[seat] = C.refused[seat]
        R.pivotal[seat] = C.pivotal[seat]
        R.over_cards[seat] = C.over_cards[seat]
        R.lost_value[seat] = C.lost_value[seat]
        R.bonus_goods[seat] = C.bonus_goods[seat]
        R.trained[seat] = C.trained[seat]
        R.activated[seat] = C.activated[seat]
        R.idle[seat] = C.idle[seat]
        R.goods_value[seat] = worth(P, T, seat) if used else 0
        for g in range(32):
            R.goods[seat * 32 + g] = P.goods[seat, g]
    for place in range(R.place_use.shape[0]):
        count = 0
        for seat in range(P.n_seats):
            count += C.place_use[seat, place]
        R.place_use[place] = count
    for building in range(CASTRUM + 1):
        R.built[building] = P.built[building]
        R.owner[building] = P.owner[building]
    for card in range(N_CARDS):
        R.dealt[card] = C.dealt[card]
        R.held[card] = C.held[card]
        R.put_out[card] = C.put_out[card]
        R.card_use[card] = C.card_use[card]
    for card in range(18):
        R.volcano_seen[card] = P.volcano_seen[card]


@signed(RECORD)
def record_op(S, T, R, game, deal, arrangement):
    """Fill the row of a finished game; see `record`."""
    record(S, T, R, game, deal, arrangement)


OPS = (setup_op, run_on_op, legal_op, apply_op, record_op, play_by_plan)
"""The large parts of the rules, as first-class functions: set up, run on, legal actions, apply, record."""

_CLEARED = allocate(STATE)


@signed(
    I(
        OPS_TYPE,
        STATES,
        STATES,
        TABLE_ARRAY,
        PLAYERS_TYPE,
        WEIGHTS,
        SEATINGS_TABLE,
        I,
        I,
        I,
        I,
        INTS,
        ROWS,
        SERIES_ROWS,
        I,
    )
)
def _play_range(
    OPS, ZA, SA, TA, players, W, arrangements, seating, seed, first, count, acts, rows, series, series_every
):
    S = SA[0]
    T = TA[0]
    written = 0
    total = arrangements.shape[0]
    for i in range(count):
        game = first + i
        deal = deal_of(game, total, seating)
        arrangement = arrangement_of(game, total, seating)
        clear(SA, ZA)
        OPS[0](S, T, arrangements[arrangement], seed, deal)
        every = 1 if series_every > 0 and game % series_every == 0 else 0
        before = written
        written = play_game(OPS, S, T, players, W, acts, series, written, every)
        for j in range(before, written):
            series[j].game = game
        OPS[4](S, T, rows[i], game, deal, arrangement)
    return written


def play_range(
    SA: Any, TA: Any, players: Any, W: Any, arrangements: Any, seating: int, seed: int, first: int, count: int,
    rows: Any, series: Any, series_every: int,
) -> int:  # fmt: skip
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
        Whole numbers.
    rows, series
        Records to fill; ``series_every`` k > 0 writes series rows for games divisible by k.

    Returns
    -------
    int
        Number of series rows written.
    """
    acts = np.zeros(MOST_ACTIONS, np.int64)
    return int(
        _play_range(
            OPS, _CLEARED, SA, TA, players, W, arrangements, seating, seed, first, count, acts, rows, series,
            series_every,
        )
    )  # fmt: skip


# the same steps for callers outside compiled code: records come as arrays of one element


def setup_at(SA: Any, TA: Any, arrangements: Any, arrangement: int, seed: int, deal: int) -> None:
    """Set up one game in a cleared record."""
    _setup_at(OPS, SA, TA, arrangements, arrangement, seed, deal)


def advance_at(SA: Any, TA: Any, acts: Any) -> int:
    """Run to the next decision; return the number of legal actions written to ``acts``, 0 when the game is over."""
    return int(_advance_at(OPS, SA, TA, acts))


def turn_at(SA: Any, TA: Any, players: Any, W: Any, acts: Any, n: int) -> int:
    """Ask the seat's player and apply its action; return the action."""
    return int(_turn_at(OPS, SA, TA, players, W, acts, n))


def apply_at(SA: Any, TA: Any, action: int) -> None:
    """Apply one legal action."""
    _apply_at(OPS, SA, TA, action)


def record_at(SA: Any, TA: Any, rows: Any, game: int, deal: int, arrangement: int) -> None:
    """Fill the first row."""
    _record_at(OPS, SA, TA, rows, game, deal, arrangement)


@signed(VOID(OPS_TYPE, STATES, TABLE_ARRAY, SEATINGS_TABLE, I, I, I))
def _setup_at(OPS, SA, TA, arrangements, arrangement, seed, deal):
    OPS[0](SA[0], TA[0], arrangements[arrangement], seed, deal)


@signed(I(OPS_TYPE, STATES, TABLE_ARRAY, INTS))
def _advance_at(OPS, SA, TA, acts):
    return advance(OPS, SA[0], TA[0], acts)


@signed(I(OPS_TYPE, STATES, TABLE_ARRAY, PLAYERS_TYPE, WEIGHTS, INTS, I))
def _turn_at(OPS, SA, TA, players, W, acts, n):
    return take_turn(OPS, SA[0], TA[0], players, W, acts, n)


@signed(VOID(OPS_TYPE, STATES, TABLE_ARRAY, I))
def _apply_at(OPS, SA, TA, action):
    OPS[3](SA[0], TA[0], action)


@signed(VOID(OPS_TYPE, STATES, TABLE_ARRAY, ROWS, I, I, I))
def _record_at(OPS, SA, TA, rows, game, deal, arrangement):
    OPS[4](SA[0], TA[0], rows[0], game, deal, arrangement)


@entry
def progress_at(SA, TA, seat):
    """Return how far a seat is, 0..1."""
    return progress(SA[0].pub, TA[0], seat)
