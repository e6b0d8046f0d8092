"""The offering at the end of an Awakening round, and what Vesuvius does when it fails."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.cards import discard
from pompeii_sim.games.pompeii.choices import can_draw, may_star
from pompeii_sim.games.pompeii.codes import (
    APOCALYPSE,
    ARG,
    CANCEL_OFFERING,
    CITY_DECK,
    D_DECK,
    D_PAY,
    D_PLEDGE,
    D_STAR,
    DRAW_OFFERING,
    END_APOCALYPSE,
    EV_ERUPTION,
    EV_MARKER,
    EV_OFFER_DUE,
    EV_OFFERING,
    EV_PAY,
    EV_PLEDGE,
    EV_STAR,
    F_DRAWN,
    N_CARDS,
    N_SPECIALISTS,
    OFFERING_VALUE,
    PASS,
    SPECIALIST_DECK,
    STAY_OUT,
    STEP_DRAW,
    STEP_HOME,
    STEP_PAY,
    STEP_PLEDGE,
    STEP_STAR,
)
from pompeii_sim.games.pompeii.decks import draw, from_hand
from pompeii_sim.games.pompeii.goods import emit, marker, push, worth
from pompeii_sim.games.pompeii.solo import block_goods, turn_card


@jit
def seat_at(P, offset):
    """Return the seat `offset` places to the left of the starting player."""
    return (P.start_seat + offset) % P.n_seats


@jit
def begin_offering(S):
    """Start the offering of a round: star cards come first. [Offerings]"""
    P = S.pub
    P.step = STEP_STAR
    P.offset = 0
    P.change = 0
    P.cancelled = 0
    P.pledge_pass = 0
    for seat in range(P.n_seats):
        P.pledged[seat] = 0
        P.paid[seat] = 0
        P.out[seat] = 0


@jit
def step_star(S, T):
    """Ask each seat once, starting player first, for star cards; then the total is fixed. [City Cards, star]"""
    P = S.pub
    if P.cancelled != 0:
        fail(S, T)
        return
    while P.offset < P.n_seats:
        seat = seat_at(P, P.offset)
        P.offset += 1
        for card in range(N_SPECIALISTS, N_CARDS):
            if may_star(S, T, seat, card):
                push(S, D_STAR, seat, 0, 0, 0)
                return
    total = P.change
    for seat in range(P.n_seats):
        if P.out[seat] == 0:
            total += marker(P, T, seat)
    P.due = max(0, total)
    emit(S, EV_OFFER_DUE, -1, P.due, P.change, 0, 0)
    P.step = STEP_PLEDGE
    P.offset = 0


@jit
def pledged_total(P):
    """Return the sum of all pledges."""
    total = 0
    for seat in range(P.n_seats):
        total += P.pledged[seat]
    return total


@jit
def step_pledge(S, T):
    """Ask for pledges in turn; a shortfall goes round once more. [Offerings, 2]"""
    P = S.pub
    if P.due > 0:
        while True:
            if P.offset >= P.n_seats:
                if P.pledge_pass == 1 or pledged_total(P) >= P.due:
                    break
                P.pledge_pass = 1
                P.offset = 0
            if P.pledge_pass == 1 and pledged_total(P) >= P.due:
                break
            seat = seat_at(P, P.offset)
            P.offset += 1
            if P.out[seat] == 0:
                push(S, D_PLEDGE, seat, 0, 0, 0)
                return
    count_pledges(S, T)
    S.tally.offerings += 1
    S.tally.due_sum += P.due
    if pledged_total(P) >= P.due:
        emit(S, EV_OFFERING, -1, 1, P.due, pledged_total(P), 0)
        S.tally.offerings_paid += 1
        P.step = STEP_PAY
        P.offset = 0
    else:
        emit(S, EV_OFFERING, -1, 0, P.due, pledged_total(P), 0)
        fail(S, T)


@jit
def count_pledges(S, T):
    """Count for each seat what it pledged, whether it could have paid, and whether its refusal decided."""
    P = S.pub
    C = S.tally
    short = P.due - pledged_total(P)
    C.offer_round = P.rnd
    for seat in range(P.n_seats):
        own = marker(P, T, seat)
        could = P.out[seat] == 0 and worth(P, T, seat) >= own
        gap = own - P.pledged[seat]
        C.marker_sum[seat] += own
        C.pledged_sum[seat] += P.pledged[seat]
        C.offer_could[seat] = 1 if could else 0
        C.offer_pivotal[seat] = 1 if could and short > 0 and gap >= short else 0
        C.could_pay[seat] += C.offer_could[seat]
        C.pivotal[seat] += C.offer_pivotal[seat]
        if could and gap > 0:
            C.refused[seat] += 1


@jit
def step_pay(S, T):
    """Take the pledged value from each seat, good by good; no change is given. [Offerings, 3]"""
    P = S.pub
    while P.offset < P.n_seats:
        seat = seat_at(P, P.offset)
        if P.paid[seat] < P.pledged[seat]:
            push(S, D_PAY, seat, 0, 0, 0)
            return
        if P.pledged[seat] > 0:
            emit(S, EV_PAY, seat, P.paid[seat], P.pledged[seat], 0, 0)
        S.tally.paid_sum[seat] += P.paid[seat]
        P.last_paid[seat] = 1 if P.paid[seat] >= marker(P, T, seat) else 0
        P.offset += 1
    P.step = STEP_DRAW
    P.offset = 0


@jit
def step_draw(S, T):
    """Draw a card for every extra point of a seat over its own marker; then the time marker moves. [Consequences]"""
    P = S.pub
    while P.offset < P.n_seats:
        seat = seat_at(P, P.offset)
        P.offset += 1
        extra = (P.paid[seat] - marker(P, T, seat)) * T.over_cards
        if P.out[seat] == 0 and extra > 0:
            push(S, D_DECK, seat, extra, 0, 0)
            return
    P.streak += 1
    if P.streak >= T.raise_after:
        P.streak = 0
        P.raises += 1
    emit(S, EV_MARKER, -1, P.raises, P.streak, 0, 0)
    P.step = STEP_HOME
    if P.n_seats == 1:
        block_goods(S, T, turn_card(S))


@jit
def fail(S, T):
    """Turn a volcano card: its goods are destroyed, or the Apocalypse ends the game. [Offerings not successful]"""
    P = S.pub
    H = S.hid
    P.step = STEP_HOME
    card = turn_card(S)
    P.streak = 0
    S.tally.eruptions += 1
    if S.tally.first_eruption == 0:
        S.tally.first_eruption = P.rnd
    if P.cancelled == 0:
        for seat in range(P.n_seats):
            P.last_paid[seat] = 1 if P.pledged[seat] >= marker(P, T, seat) else 0
    if card == APOCALYPSE:
        P.ended_by = END_APOCALYPSE
        emit(S, EV_ERUPTION, -1, APOCALYPSE, H.volcano_next, 0, 0)
        return
    for seat in range(P.n_seats):
        if P.out[seat] == 0:  # C03 keeps a normal card away
            for g in range(T.n_goods):
                if T.volcano_goods[card, g] != 0:
                    S.tally.lost_value[seat] += P.goods[seat, g] * T.value[g]
                    P.goods[seat, g] = 0
    emit(S, EV_ERUPTION, -1, card, H.volcano_next, 0, 0)
    if P.n_seats == 1:
        block_goods(S, T, card)


@jit
def resolve_offering(S, T, action):
    """Execute a choice of the offering; the decision is taken off the stack first."""
    P = S.pub
    kind = P.dec_kind
    seat = P.dec_seat
    a = P.dec_a
    b = P.dec_b
    arg = action % ARG
    P.top -= 1
    if kind == D_PLEDGE:
        P.pledged[seat] = arg
        emit(S, EV_PLEDGE, seat, arg, P.pledge_pass, 0, 0)
    elif kind == D_PAY:
        P.goods[seat, arg] -= 1
        P.paid[seat] += T.value[arg]
    elif kind == D_STAR:
        if action // ARG != PASS:
            play_star(S, T, seat, arg + N_SPECIALISTS)
            P.offset -= 1  # the same seat may play another
    else:  # D_DECK: cards are drawn one by one, the deck chosen each time, and one is kept
        card = draw(S, seat, arg, DRAW_OFFERING)
        S.own[seat].drawn[card] = 1
        S.tally.over_cards[seat] += 1
        if a > 1 and (can_draw(P, T, SPECIALIST_DECK) or can_draw(P, T, CITY_DECK)):
            push(S, D_DECK, seat, a - 1, b + 1, 0)
        else:
            push(S, F_DRAWN, seat, 0, 0, T.over_keep)


@jit
def play_star(S, T, seat, card):
    """Play an offering card from the hand: change the total, stay out, or cancel the offering."""
    P = S.pub
    from_hand(S, seat, card)
    op = T.op[card]
    if op == OFFERING_VALUE:
        P.change += T.arg_a[card]
    elif op == STAY_OUT:
        P.out[seat] = 1
    elif op == CANCEL_OFFERING:
        P.cancelled = 1
    S.tally.card_use[card] += 1
    S.tally.put_out[card] |= 1 << seat
    emit(S, EV_STAR, seat, card, -1, 0, 0)
    discard(S, seat, card)
