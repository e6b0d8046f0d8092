"""Effects of cards when they are trained, activated or drawn for free: most put a pending thing on the stack."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.codes import (
    ALWAYS,
    BLUE,
    BUILDING_0,
    CASTRUM,
    CITY_DECK,
    CO_OWNER,
    COVER_SPACES,
    D_CO_OWNER,
    D_COVER,
    D_EXCHANGE,
    D_FROM_DISCARD,
    D_INJURE_SEAT,
    D_RECLAIM,
    D_SAME_FROM,
    D_STEAL_SEAT,
    D_TAKE_GOOD,
    D_TAKE_SPECIALIST,
    D_TAKE_TEMPLE,
    DESTROY_TEMPLE,
    DRAW_KEEP,
    EV_CARD,
    EV_DISCARD,
    EV_WORKER,
    EXCHANGE_CITY,
    EXTRA_ACTIONS,
    F_DISCARD,
    F_DRAWN,
    F_EXTRA,
    F_FREE_CARD,
    F_GIFTS,
    F_LOSE,
    F_STEAL,
    FORO,
    FREE_SPECIALISTS,
    FROM_DISCARD,
    GAIN,
    GAIN_CHOICE,
    INJURE_ARMY,
    INJURE_WORKER,
    LOSE_WORKER,
    NEW_WORKER,
    PORTA_OWNER,
    RECEIVE_GIFTS,
    RECLAIM_WORKERS,
    RED,
    SPACE_C12,
    SPACE_C28,
    SPECIALIST_DECK,
    STAR,
    STEAL_CHOICE,
    STEAL_EACH,
    SWAP_SAME_VALUE,
    TAKE_SPECIALIST,
    TAKE_TEMPLE,
    TEMPIO,
    WORKER_NEW,
)
from pompeii_sim.games.pompeii.decks import to_hand
from pompeii_sim.games.pompeii.goods import emit, gain, lay_out, push


@jit
def new_workers(S, T, seat, count):
    """Give a seat new workers, to be put to work in the current round. [18 Anfiteatro]"""
    P = S.pub
    count = min(count, T.workers_most - P.workers[seat])
    P.workers[seat] += count
    P.ready[seat] += count
    if count > 0:
        emit(S, EV_WORKER, seat, WORKER_NEW, count, 0, 0)


@jit
def activate(S, T, seat, card):
    """Put a card out: always-cards stay, one-time cards act and are discarded, star cards go to the hand."""
    P = S.pub
    if T.mark[card] == STAR:
        to_hand(S, seat, card)
        return
    S.tally.held[card] |= 1 << seat
    S.tally.put_out[card] |= 1 << seat
    if T.mark[card] == ALWAYS:
        lay_out(P, seat, card)
        if T.op[card] == PORTA_OWNER:  # C34
            P.porta_owner = seat
        emit(S, EV_CARD, seat, card, -1, 0, 0)
        return
    push(S, F_DISCARD, seat, card, 0, 0)  # one-time cards go to the discard pile after use
    S.tally.card_use[card] += 1
    once(S, T, seat, card)


@jit
def once(S, T, seat, card):
    """Start the effect of a one-time card. [Specialist Cards; City Cards]"""
    P = S.pub
    op = T.op[card]
    a = T.arg_a[card]
    b = T.arg_b[card]
    if op == GAIN:
        for g in range(T.n_goods):
            if T.card_goods[card, g] > 0:
                gain(P, T, seat, g, T.card_goods[card, g])
    elif op == NEW_WORKER:
        new_workers(S, T, seat, a)
    elif op == DESTROY_TEMPLE:  # C22: tile face-down again, markers and tokens removed, temple cards stay
        P.built[TEMPIO] = 0
        P.tile_changes += 1
        P.owner[TEMPIO] = -1
        P.co_owners[TEMPIO] = 0
        P.tokens[TEMPIO] = 0
    emit(S, EV_CARD, seat, card, -1, 0, 0)
    if op == EXTRA_ACTIONS:
        push(S, F_EXTRA, seat, a, 0, 0)
    elif op == STEAL_EACH:
        push(S, F_STEAL, seat, 1, a, 0)
    elif op == CO_OWNER:
        push(S, D_CO_OWNER, seat, 0, 0, 0)
    elif op == GAIN_CHOICE:
        push(S, D_TAKE_GOOD, seat, a, b, 0)
    elif op == RECLAIM_WORKERS:
        push(S, D_RECLAIM, seat, 0, 0, 0)
    elif op == DRAW_KEEP:
        push(S, F_DRAWN, seat, a, b, T.arg_c[card])
    elif op == EXCHANGE_CITY:
        if P.hand_size[seat, CITY_DECK] >= a:
            push(S, D_EXCHANGE, seat, a, b, 0)
    elif op == TAKE_SPECIALIST:
        push(S, D_TAKE_SPECIALIST, seat, 0, 0, 0)
    elif op == INJURE_WORKER:
        push(S, D_INJURE_SEAT, seat, SPACE_C12, 0, 0)
    elif op == INJURE_ARMY:
        push(S, D_INJURE_SEAT, seat, SPACE_C28, 0, 0)
    elif op == COVER_SPACES:  # the tokens in the box, less those that lie on the board
        for building in range(CASTRUM + 1):
            a -= P.tokens[building]
        if a > 0:
            push(S, D_COVER, seat, a, 0, 0)
    elif op == FROM_DISCARD:
        push(S, D_FROM_DISCARD, seat, 0, 0, 0)
    elif op == TAKE_TEMPLE:
        push(S, D_TAKE_TEMPLE, seat, 0, 0, 0)
    elif op == RECEIVE_GIFTS:
        push(S, F_GIFTS, seat, 1, 0, 0)
    elif op == STEAL_CHOICE:
        push(S, D_STEAL_SEAT, seat, a, 0, 0)
    elif op == LOSE_WORKER:
        push(S, F_LOSE, seat, 1, a, 0)
    elif op == FREE_SPECIALISTS:
        push(S, F_FREE_CARD, seat, SPECIALIST_DECK, a, 0)
    elif op == SWAP_SAME_VALUE:
        push(S, D_SAME_FROM, seat, 0, 0, 0)


@jit
def discard(S, seat, card):
    """Put a card on its discard pile."""
    S.pub.discard[card] = 1
    emit(S, EV_DISCARD, seat, card, 0, 0, 0)


@jit
def reclaimable(P, T, seat, building):
    """Workers C01 would take from a production building: all of them, or only the seat's own. [C01; Japanese text]

    Production buildings are the red and blue ones; the Foro makes nothing, and the card's worker stands there.
    """
    place = BUILDING_0 + building
    if building == FORO or (T.colour[building] != RED and T.colour[building] != BLUE):
        return 0
    return P.placed[seat, place] if T.reclaim_own != 0 else P.used[place]
