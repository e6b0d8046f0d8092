"""The flow of a game: from one decision to the next, everything automatic in between."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import below, key
from pompeii_sim.games.pompeii.actions import finish_castrum
from pompeii_sim.games.pompeii.cards import activate, discard
from pompeii_sim.games.pompeii.choices import may_stop
from pompeii_sim.games.pompeii.codes import (
    AWAKENING,
    BUILDING_0,
    CALM,
    CASTRUM,
    D_BONUS,
    D_GIFT,
    D_KEEP,
    D_LOSE_WORKER,
    D_PLACE,
    D_SECOND,
    D_START,
    D_STEAL_GOOD,
    D_STOP,
    DRAW_CARD,
    DRAW_FREE,
    END_NONE,
    END_ROUND_CAP,
    END_VICTORY,
    EV_ARMY,
    EV_GAME_END,
    EV_ROUND,
    EV_ROUND_END,
    EV_SETUP,
    EXTRA_ACTION,
    F_AUTO,
    F_BONUS,
    F_CASTRUM,
    F_DISCARD,
    F_DRAWN,
    F_EXTRA,
    F_FREE_CARD,
    F_GIFTS,
    F_LOSE,
    F_SECOND,
    F_STEAL,
    MAX_SEATS,
    N_CARDS,
    N_PLACES,
    N_SPECIALISTS,
    SPECIALIST_DECK,
    STEP_AFTER,
    STEP_DRAW,
    STEP_HOME,
    STEP_OFFER,
    STEP_OVER,
    STEP_PAY,
    STEP_PLEDGE,
    STEP_ROUND,
    STEP_SETUP,
    STEP_STAR,
    STEP_TURN,
    WORKER,
)
from pompeii_sim.games.pompeii.decks import LUCK_START, build_decks, deal, draw, spend, to_hand
from pompeii_sim.games.pompeii.goods import can_win, crew, emit, push
from pompeii_sim.games.pompeii.offering import (
    begin_offering,
    seat_at,
    step_draw,
    step_pay,
    step_pledge,
    step_star,
)
from pompeii_sim.games.pompeii.resolve import stopped_worker_place
from pompeii_sim.games.pompeii.solo import awaken_solo, deal_open, end_solo_round, open_specialists, title_of


@jit
def setup(S, T, arrangement, seed, number):
    """Set up deal `number` of `seed` for one arrangement (int64 array of seat -> listed seat). [Game Setup]

    The record must be cleared before.
    """
    P = S.pub
    H = S.hid
    P.step = STEP_SETUP
    P.turn_seat = -1
    P.turn_at = -1
    S.tally.error_seat = -1
    P.n_seats = T.n_seats
    P.level = T.level
    H.seed = seed
    H.deal = number
    P.ended_by = END_NONE
    P.winner = -1
    P.porta_owner = -1
    for seat in range(MAX_SEATS):
        P.seat_spec[seat] = arrangement[seat]
    for seat in range(MAX_SEATS):
        P.turn_place[seat] = -1
    for building in range(CASTRUM + 1):
        P.owner[building] = -1
    P.start_seat = below(key(seed, number, LUCK_START, 0, 0), T.n_seats)
    P.first_seat = P.start_seat
    build_decks(S, T)
    for seat in range(T.n_seats):
        P.workers[seat] = T.workers_start
        P.last_paid[seat] = 1
        for f in range(T.field_good.shape[0]):
            P.goods[seat, T.field_good[f]] = min(T.goods_start, T.cap)
    if P.n_seats == 1:
        deal_open(S, T)
        return
    for _ in range(T.specialists_dealt):
        for offset in range(T.n_seats):
            deal(S, T, seat_at(P, offset), SPECIALIST_DECK)


@jit
def run_on(S, T):
    """Run to the next decision; return 1 when one is waited for, 0 when the game is over."""
    P = S.pub
    while True:
        if P.ended_by != END_NONE:
            if P.step != STEP_OVER:
                P.step = STEP_OVER
                emit(S, EV_GAME_END, -1, P.ended_by, P.winner, title_of(P, T), 0)
            return 0
        if P.top > 0:
            i = P.top - 1
            if P.f_kind[i] >= F_AUTO:
                automatic(S, T, i)
                continue
            P.dec_kind = P.f_kind[i]
            P.dec_seat = P.f_seat[i]
            P.dec_a = P.f_a[i]
            P.dec_b = P.f_b[i]
            P.dec_c = P.f_c[i]
            return 1
        step(S, T)


@jit
def step(S, T):
    """Take one step of the flow when nothing is pending."""
    P = S.pub
    if P.step == STEP_TURN:
        next_turn(S, T)
    elif P.step == STEP_AFTER:
        # the army is placed as soon as it can be, during one's own turn [End of the Game]
        if can_win(P, P.turn_seat):
            win(S, P.turn_seat)
        P.step = STEP_TURN
    elif P.step == STEP_STAR:
        step_star(S, T)
    elif P.step == STEP_PLEDGE:
        step_pledge(S, T)
    elif P.step == STEP_PAY:
        step_pay(S, T)
    elif P.step == STEP_DRAW:
        step_draw(S, T)
    elif P.step == STEP_OFFER:
        if P.n_seats == 1 and end_solo_round(S, T):
            return
        if P.phase == AWAKENING:
            begin_offering(S)
        else:
            P.calm_step = min(P.calm_step + 1, T.calm_steps)
            P.step = STEP_HOME
    elif P.step == STEP_HOME:
        if P.n_seats == 1:
            open_specialists(S, T)
        # workers go home, the token of the starting player goes to the left
        P.start_seat = (P.start_seat + 1) % P.n_seats
        emit(S, EV_ROUND_END, -1, P.start_seat, 0, 0, 0)
        P.step = STEP_ROUND
    elif P.step == STEP_ROUND:
        begin_round(S, T)
    elif P.step == STEP_SETUP:
        first_buildings(S, T)


@jit
def first_buildings(S, T):
    """Each player chooses a red building, the starting player last. [Game Setup]"""
    P = S.pub
    total = P.n_seats * T.start_buildings
    if P.picks >= total:
        P.step = STEP_ROUND
        emit(S, EV_SETUP, -1, P.start_seat, 0, 0, 0)
        return
    # from the starting player's right hand, counter-clockwise
    seat = (P.start_seat + 2 * P.n_seats - 1 - P.picks % P.n_seats) % P.n_seats
    P.picks += 1
    push(S, D_START, seat, 0, 0, 0)


@jit
def begin_round(S, T):
    """Give every player the workers that are not on C12, C28 or C31."""
    P = S.pub
    if P.rnd >= T.round_cap:
        P.ended_by = END_ROUND_CAP
        return
    P.rnd += 1
    if P.n_seats == 1 and P.phase == CALM and P.rnd > T.solo_lower:
        awaken_solo(S, T)
    for place in range(N_PLACES):
        P.used[place] = 0
    for seat in range(P.n_seats):
        for place in range(N_PLACES):
            P.placed[seat, place] = 0
        for building in range(CASTRUM + 1):
            P.extra_used[seat, building] = 0
        P.turn_place[seat] = -1
        P.borrowed[seat] = 0
        P.ready[seat] = crew(P, seat)
    P.turn_seat = (P.start_seat + P.n_seats - 1) % P.n_seats
    P.step = STEP_TURN
    emit(S, EV_ROUND, P.start_seat, P.start_seat, 0, 0, 0)


@jit
def next_turn(S, T):
    """Give the turn to the next player with a worker left, or end the round. [Worker actions]"""
    P = S.pub
    for i in range(1, P.n_seats + 1):
        seat = (P.turn_seat + i) % P.n_seats
        if P.ready[seat] + P.borrowed[seat] > 0:
            if can_win(P, seat):  # somebody else's Castrum: placed at the start of the own turn
                win(S, seat)
                return
            P.turn_seat = seat
            P.turn_place[seat] = -1
            P.step = STEP_AFTER
            push(S, D_PLACE, seat, WORKER, 0, 0)
            return
        if T.army_idle != 0 and can_win(P, seat):
            win(S, seat)
            return
    P.step = STEP_OFFER


@jit
def win(S, seat):
    """A Roman army stands in the Castrum. [End of the Game, 1]"""
    P = S.pub
    P.ended_by = END_VICTORY
    P.winner = seat
    emit(S, EV_ARMY, seat, 0, 0, 0, 0)


@jit
def automatic(S, T, i):
    """Carry on with the pending thing on top of the stack that needs no decision itself."""
    P = S.pub
    kind = P.f_kind[i]
    seat = P.f_seat[i]
    a = P.f_a[i]
    b = P.f_b[i]
    c = P.f_c[i]
    if kind == F_EXTRA:
        if can_win(P, seat):
            win(S, seat)
        elif a <= 0:
            P.top -= 1
        else:
            P.f_a[i] = a - 1
            push(S, D_PLACE, seat, EXTRA_ACTION, 0, 0)
    elif kind == F_DISCARD:
        P.top -= 1
        if P.n_seats == 1 and a < N_SPECIALISTS:
            spend(S, seat, a)
        else:
            discard(S, seat, a)
    elif kind == F_FREE_CARD:
        P.f_b[i] = b - 1
        card = draw(S, seat, a, DRAW_FREE) if b > 0 else -1
        if card < 0:
            P.top -= 1
        else:
            activate(S, T, seat, card)
    elif kind == F_DRAWN:
        P.top -= 1
        drawn(S, seat, a, b, c)
    elif kind == F_CASTRUM:
        ask_to_stop(S, T, i, seat, a)
    elif kind == F_STEAL:
        if a >= P.n_seats:
            P.top -= 1
        else:
            P.f_a[i] = a + 1
            push(S, D_STEAL_GOOD, seat, (seat + a) % P.n_seats, b, 0)
    elif kind == F_GIFTS:
        if a >= P.n_seats:
            P.top -= 1
        else:
            P.f_a[i] = a + 1
            push(S, D_GIFT, (seat + a) % P.n_seats, seat, 0, 0)
    elif kind == F_LOSE:
        if a >= P.n_seats:
            P.top -= 1
        else:
            P.f_a[i] = a + 1
            if P.workers[(seat + a) % P.n_seats] > b:
                push(S, D_LOSE_WORKER, (seat + a) % P.n_seats, 0, 0, 0)
    elif kind == F_BONUS:
        next_bonus(S, T, i, a, b, c)
    elif kind == F_SECOND:
        P.top -= 1
        if P.ready[seat] + P.borrowed[seat] > 0:
            push(S, D_SECOND, seat, a, 0, 0)


@jit
def drawn(S, seat, deck, count, keep):
    """Draw cards (none when they are drawn already) and keep some of them."""
    for _ in range(count):
        card = draw(S, seat, deck, DRAW_CARD)
        if card >= 0:
            S.own[seat].drawn[card] = 1
    have = 0
    for card in range(N_CARDS):
        have += S.own[seat].drawn[card]
    if have > keep:
        if keep > 0:
            push(S, D_KEEP, seat, keep, 0, 0)
            return
    for card in range(N_CARDS):
        if S.own[seat].drawn[card] != 0:
            S.own[seat].drawn[card] = 0
            if keep > 0:
                to_hand(S, seat, card)
            else:
                discard(S, seat, card)


@jit
def ask_to_stop(S, T, i, builder, offset):
    """Ask the holders of C31, the builder's left neighbour first; unstopped, the Castrum stands."""
    P = S.pub
    if offset >= P.n_seats or stopped_worker_place(P, builder) < 0:
        P.top -= 1
        finish_castrum(S, builder)
        return
    P.f_a[i] = offset + 1
    other = (builder + offset) % P.n_seats
    for card in range(N_SPECIALISTS, N_CARDS):
        if may_stop(S, T, other, card):
            push(S, D_STOP, other, builder, 0, 0)
            return


@jit
def next_bonus(S, T, i, place, goods, holders):
    """Serve the next marker holder of a used building: one of the goods spent that it can still hold."""
    P = S.pub
    if holders == 0:
        P.top -= 1
        return
    building = place - BUILDING_0
    seat = P.owner[building]
    if seat < 0 or (holders >> seat) & 1 == 0:
        seat = 0
        while (holders >> seat) & 1 == 0:
            seat += 1
    P.f_c[i] = holders & ~(1 << seat)
    open_goods = 0
    for g in range(T.n_goods):
        if (goods >> g) & 1 != 0 and P.goods[seat, g] < T.cap:
            open_goods |= 1 << g
    if open_goods != 0:
        push(S, D_BONUS, seat, place, open_goods, 0)
