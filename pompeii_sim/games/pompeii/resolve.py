"""Carrying out every choice that follows a worker action or a card."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.actions import act, convert, placed, serve_owners
from pompeii_sim.games.pompeii.cards import activate, discard
from pompeii_sim.games.pompeii.codes import (
    ARG,
    BUILDING_0,
    CITY_DECK,
    D_AMOUNT,
    D_BONUS,
    D_CO_OWNER,
    D_COVER,
    D_EXCHANGE,
    D_FROM_DISCARD,
    D_GIFT,
    D_INJURE_SEAT,
    D_INJURE_WORKER,
    D_KEEP,
    D_LOSE_WORKER,
    D_PLACE,
    D_RECLAIM,
    D_SAME_AMOUNT,
    D_SAME_FROM,
    D_SAME_TO,
    D_SECOND,
    D_START,
    D_STEAL_GOOD,
    D_STEAL_SEAT,
    D_STOP,
    D_SWAP_GOOD,
    D_TAKE_GOOD,
    D_TAKE_SPECIALIST,
    D_TAKE_TEMPLE,
    D_TEMPIO_AMOUNT,
    D_TEMPIO_FROM,
    D_TEMPIO_TO,
    D_TRADE_FROM,
    D_TRADE_LOTS,
    D_TRADE_TO,
    DRAW_SWAP,
    EV_BONUS,
    EV_CASTRUM,
    EV_GIFT,
    EV_KEEP,
    EV_STAR,
    EV_STEAL,
    EV_TAKE,
    EV_WORKER,
    F_DRAWN,
    N_CARDS,
    N_PLACES,
    N_SPECIALISTS,
    PASS,
    SECOND_WORKER,
    SPACE_C12,
    SPACE_C31,
    SPECIALIST_DECK,
    TEMPIO,
    WORKER_INJURED,
    WORKER_LOST,
    WORKER_RECLAIMED,
)
from pompeii_sim.games.pompeii.decks import draw, from_hand, to_hand
from pompeii_sim.games.pompeii.goods import emit, gain, lay_out, push, store, take_away, turn_up


@jit
def resolve(S, T, action):
    """Execute a legal action of the decision on top of the stack; the decision is taken off first."""
    P = S.pub
    kind = P.dec_kind
    seat = P.dec_seat
    a = P.dec_a
    b = P.dec_b
    c = P.dec_c
    arg = action % ARG
    P.top -= 1
    if kind == D_PLACE:
        act(S, T, seat, action, a)
    elif kind == D_SECOND:
        if action // ARG != PASS:
            act(S, T, seat, action, SECOND_WORKER)
    elif kind == D_AMOUNT:
        convert(S, T, seat, a, b, c, arg)
    elif kind == D_START:
        turn_up(P, arg, seat)
    elif kind == D_BONUS:
        give_bonus(S, T, seat, a, arg)
    elif kind in (D_TRADE_FROM, D_TRADE_TO, D_TRADE_LOTS, D_TEMPIO_FROM, D_TEMPIO_TO, D_TEMPIO_AMOUNT):
        resolve_exchange(S, T, kind, seat, a, b, arg)
    elif kind in (D_SAME_FROM, D_SAME_TO, D_SAME_AMOUNT, D_SWAP_GOOD, D_TAKE_GOOD):
        resolve_exchange(S, T, kind, seat, a, b, arg)
    elif kind in (D_KEEP, D_EXCHANGE, D_TAKE_SPECIALIST, D_TAKE_TEMPLE, D_FROM_DISCARD):
        resolve_cards(S, T, kind, seat, a, b, arg)
    elif kind in (D_GIFT, D_STEAL_SEAT, D_STEAL_GOOD):
        resolve_steal(S, T, kind, seat, a, b, c, arg)
    elif kind == D_STOP:
        if action // ARG != PASS:
            stop_castrum(S, T, seat, a, arg + N_SPECIALISTS)
    else:
        resolve_workers(S, T, kind, seat, a, b, arg)


@jit
def give_bonus(S, T, owner, place, good):
    """Give an owner one of the goods spent in its building. [Ownership bonus]"""
    S.tally.bonus_goods[owner] += gain(S.pub, T, owner, good, T.owner_bonus)
    emit(S, EV_BONUS, owner, place, good, 0, 0)


@jit
def resolve_exchange(S, T, kind, seat, a, b, arg):
    """Trade at the Porta, the Tempio, C52, the price of a swap at the Piazza, goods of the own choice."""
    P = S.pub
    if kind == D_TRADE_FROM:
        push(S, D_TRADE_TO, seat, arg, 0, 0)
    elif kind == D_TRADE_TO:
        push(S, D_TRADE_LOTS, seat, a, arg, 0)
    elif kind == D_TRADE_LOTS:
        P.goods[seat, a] -= arg * T.price[b, a]
        store(P, T, seat, b, arg)  # the only way to goods that are blocked
        placed(S, arg, a, b)
    elif kind == D_TEMPIO_FROM:
        push(S, D_TEMPIO_TO, seat, arg, 0, 0)
    elif kind == D_TEMPIO_TO:
        push(S, D_TEMPIO_AMOUNT, seat, a, arg, 0)
    elif kind == D_TEMPIO_AMOUNT:
        P.goods[seat, a] -= arg
        gain(P, T, seat, b, arg)
        placed(S, arg, a, b)
        serve_owners(S, T, seat, BUILDING_0 + TEMPIO, 1 << a)
    elif kind == D_SAME_FROM:
        push(S, D_SAME_TO, seat, arg, 0, 0)
    elif kind == D_SAME_TO:
        push(S, D_SAME_AMOUNT, seat, a, arg, 0)
    elif kind == D_SAME_AMOUNT:
        P.goods[seat, a] -= arg
        gain(P, T, seat, b, arg)
        emit(S, EV_TAKE, seat, b, arg, a, 0)
    elif kind == D_SWAP_GOOD:
        P.goods[seat, arg] -= 1
        from_hand(S, seat, a)
        placed(S, 1, arg, 0)
        discard(S, seat, a)
        card = draw(S, seat, SPECIALIST_DECK, DRAW_SWAP)
        if card >= 0:
            to_hand(S, seat, card)
    else:  # D_TAKE_GOOD
        gain(P, T, seat, arg, 1)
        emit(S, EV_TAKE, seat, arg, 1, -1, 0)
        if b > 1:
            push(S, D_TAKE_GOOD, seat, a, b - 1, 0)


@jit
def resolve_cards(S, T, kind, seat, a, b, card):
    """Keep, discard or take a card."""
    P = S.pub
    if kind == D_KEEP:
        S.own[seat].drawn[card] = 0
        to_hand(S, seat, card)
        emit(S, EV_KEEP, seat, card, 0, 0, 0)
        if a > 1:
            push(S, D_KEEP, seat, a - 1, 0, 0)
            return
        for other in range(N_CARDS):
            if S.own[seat].drawn[other] != 0:
                S.own[seat].drawn[other] = 0
                discard(S, seat, other)
    elif kind == D_EXCHANGE:
        from_hand(S, seat, card)
        discard(S, seat, card)
        if a > 1 and P.hand_size[seat, CITY_DECK] > 0:
            push(S, D_EXCHANGE, seat, a - 1, b, 0)
        else:
            push(S, F_DRAWN, seat, CITY_DECK, b, b)
    elif kind == D_TAKE_SPECIALIST:  # C11: to the hand, to be trained again
        emit(S, EV_STEAL, seat, take_active(P, seat, card), -1, card, 0)
        to_hand(S, seat, card)
    elif kind == D_TAKE_TEMPLE:  # C29: active for the taker at once
        emit(S, EV_STEAL, seat, take_active(P, seat, card), -1, card, 1)
        lay_out(P, seat, card)
        S.tally.held[card] |= 1 << seat
    else:  # C25
        P.discard[card] = 0
        emit(S, EV_KEEP, seat, card, 1, 0, 0)
        activate(S, T, seat, card)


@jit
def take_active(P, seat, card):
    """Take an active card from whoever has it; return that seat."""
    for other in range(P.n_seats):
        if other != seat and P.active[other, card] != 0:
            take_away(P, other, card)
            return other
    return -1


@jit
def resolve_steal(S, T, kind, seat, a, b, c, arg):
    """Move a good from one player to another; what the receiver cannot hold is lost. [S06, C35, C38]"""
    P = S.pub
    if kind == D_GIFT:
        P.goods[seat, arg] -= 1
        gain(P, T, a, arg, 1)
        emit(S, EV_GIFT, seat, a, arg, 0, 0)
    elif kind == D_STEAL_SEAT:
        push(S, D_STEAL_GOOD, seat, arg, 0, a - 1)
    else:
        P.goods[a, arg] -= 1
        gain(P, T, seat, arg, 1)
        emit(S, EV_STEAL, seat, a, arg, -1, 0)
        if c > 0:
            push(S, D_STEAL_GOOD, seat, a, b, c - 1)


@jit
def move_worker_off(S, seat, place):
    """Take an own worker off its place, or from those not yet placed (`N_PLACES`)."""
    P = S.pub
    if place == N_PLACES:
        P.ready[seat] = max(0, P.ready[seat] - 1)
    elif place >= SPACE_C12:
        P.injured[seat, place - SPACE_C12] -= 1
    else:
        P.placed[seat, place] -= 1
        P.used[place] -= 1


@jit
def resolve_workers(S, T, kind, seat, a, b, arg):
    """Move workers, tokens and markers on the board. [C01, C12, C14, C28, C40, S27]"""
    P = S.pub
    if kind == D_INJURE_SEAT:
        push(S, D_INJURE_WORKER, seat, a, arg, 0)
    elif kind == D_INJURE_WORKER:
        move_worker_off(S, b, arg)
        P.injured[b, a - SPACE_C12] += 1
        emit(S, EV_WORKER, b, WORKER_INJURED, a, arg, seat)
    elif kind == D_LOSE_WORKER:
        move_worker_off(S, seat, arg)
        lose_worker(S, seat, arg)
    elif kind == D_RECLAIM:
        building = arg - BUILDING_0
        if T.reclaim_own != 0:
            count = P.placed[seat, arg]
            P.ready[seat] += count
            P.placed[seat, arg] = 0
            P.used[arg] -= count
        else:
            count = P.used[arg]
            own = P.placed[seat, arg]
            P.ready[seat] += own
            P.borrowed[seat] += count - own
            for other in range(P.n_seats):
                P.placed[other, arg] = 0
            P.used[arg] = 0
        emit(S, EV_WORKER, seat, WORKER_RECLAIMED, arg, count, building)
    elif kind == D_COVER:
        P.tokens[arg - BUILDING_0] += 1
        emit(S, EV_TAKE, seat, -1, 0, arg, 1)
        if a > 1:
            push(S, D_COVER, seat, a - 1, 0, 0)
    elif kind == D_CO_OWNER:
        P.co_owners[arg - BUILDING_0] |= 1 << seat
        emit(S, EV_TAKE, seat, -1, 0, arg, 2)


@jit
def lose_worker(S, seat, place):
    """Put a worker back into the supply; the marker falls with it, the raises stay. [C40]"""
    P = S.pub
    P.workers[seat] -= 1
    if place == SPACE_C31 and P.injured[seat, 2] == 0:
        P.stopped[seat] = 0
    emit(S, EV_WORKER, seat, WORKER_LOST, place, 0, 0)


@jit
def stopped_worker_place(P, builder):
    """Return where the worker stands that C31 moves: Costruzione, the place that began extra actions, or any."""
    place = P.turn_place[builder]
    if place >= 0 and P.placed[builder, place] > 0:
        return place
    for other in range(SPACE_C12):
        if P.placed[builder, other] > 0:
            return other
    return N_PLACES if P.ready[builder] > 0 else -1


@jit
def stop_castrum(S, T, seat, builder, card):
    """C31: the payment is kept, the builder's worker goes to space C31, the tile stays face-down."""
    P = S.pub
    from_hand(S, seat, card)
    S.tally.card_use[card] += 1
    S.tally.put_out[card] |= 1 << seat
    emit(S, EV_STAR, seat, card, builder, 0, 0)
    discard(S, seat, card)
    move_worker_off(S, builder, stopped_worker_place(P, builder))
    P.injured[builder, 2] += 1
    P.stopped[builder] = 1
    P.top -= 1  # the frame that would turn the tile
    emit(S, EV_CASTRUM, builder, 0, seat, 0, 0)
