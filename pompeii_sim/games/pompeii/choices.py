"""What may be chosen in every decision other than placing a worker, and the list of legal actions for any decision."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.cards import reclaimable
from pompeii_sim.games.pompeii.codes import (
    ACTIVATE,
    AMOUNT,
    ARG,
    BUILDING_0,
    CANCEL_OFFERING,
    CARD,
    CASTRUM,
    D_AMOUNT,
    D_BONUS,
    D_CO_OWNER,
    D_COVER,
    D_DECK,
    D_EXCHANGE,
    D_FROM_DISCARD,
    D_GIFT,
    D_INJURE_SEAT,
    D_INJURE_WORKER,
    D_KEEP,
    D_LOSE_WORKER,
    D_PAY,
    D_PLACE,
    D_PLEDGE,
    D_RECLAIM,
    D_SAME_AMOUNT,
    D_SAME_FROM,
    D_SAME_TO,
    D_SECOND,
    D_STAR,
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
    DECK,
    FORO,
    GOOD,
    N_CARDS,
    N_PLACES,
    N_SPECIALISTS,
    OFFERING_VALUE,
    PASS,
    PLACE,
    PLEDGE,
    RED,
    SEAT,
    SPACE_C12,
    SPACE_C28,
    SPECIALIST_DECK,
    START,
    STAY_OUT,
    STOP_CASTRUM,
    TEMPLE,
)
from pompeii_sim.games.pompeii.goods import free_spaces, is_blocked, most_conversions, worth
from pompeii_sim.games.pompeii.moves import forbidden, legal_places, legal_second, may_give


@jit
def may_injure(P, T, seat, victim, space):
    """Whether a player can be the target of C12 or C28: a placed worker, and for C28 an army. [City Cards]"""
    if victim == seat or (space == SPACE_C28 and P.army[victim] == 0):
        return False
    if T.injure_unplaced != 0 and P.ready[victim] > 0:
        return True
    for place in range(SPACE_C12):
        if P.placed[victim, place] > 0:
            return True
    return False


@jit
def may_cover(P, T, building):
    """Whether a C14 token may cover a space: a free one of a building that stands, the Foro keeping one."""
    if P.built[building] == 0 or building == CASTRUM:
        return False
    place = BUILDING_0 + building
    if building == FORO and T.spaces[place] - P.tokens[building] < 2:
        return False
    return free_spaces(P, T, place) > 0


@jit
def is_offering_star(T, card):
    """Whether a card is one of the four star cards played at the offering."""
    op = T.op[card]
    return op in (OFFERING_VALUE, STAY_OUT, CANCEL_OFFERING)


@jit
def may_star(S, T, seat, card):
    """Whether a seat holds an offering card it may play."""
    return (
        S.own[seat].hand[card] != 0
        and is_offering_star(T, card)
        and not forbidden(S.pub, T, seat, ACTIVATE, card - N_SPECIALISTS)
    )


@jit
def may_stop(S, T, seat, card):
    """Whether a seat holds C31 and may play it."""
    return (
        S.own[seat].hand[card] != 0
        and T.op[card] == STOP_CASTRUM
        and not forbidden(S.pub, T, seat, ACTIVATE, card - N_SPECIALISTS)
    )


@jit
def legal(S, T, acts):
    """List the legal actions of the decision waited for; return how many there are.

    ``acts`` is int64 of shape ``(1024,)``. The count is at least 1.
    """
    P = S.pub
    kind = P.dec_kind
    if kind == D_PLACE:
        return legal_places(S, T, P.dec_seat, P.dec_a, acts)
    if kind == D_SECOND:
        return legal_second(S, T, P.dec_seat, P.dec_a, acts)
    if kind in (D_PLEDGE, D_PAY, D_STAR, D_DECK):
        return legal_offering(S, T, acts)
    if kind in (D_AMOUNT, D_TRADE_LOTS, D_TEMPIO_AMOUNT, D_SAME_AMOUNT):
        return legal_amounts(P, T, acts)
    if kind in (D_TAKE_SPECIALIST, D_TAKE_TEMPLE, D_FROM_DISCARD, D_KEEP, D_EXCHANGE, D_STOP):
        return legal_cards(S, T, acts)
    if kind in (D_RECLAIM, D_COVER, D_CO_OWNER, D_INJURE_WORKER, D_LOSE_WORKER, D_START):
        return legal_targets(P, T, acts)
    return legal_goods(P, T, acts)


@jit
def legal_offering(S, T, acts):
    """List the choices of the offering: star cards, pledges, goods to pay with, the deck to draw from."""
    P = S.pub
    kind = P.dec_kind
    seat = P.dec_seat
    n = 0
    if kind == D_PLEDGE:
        # the second time round a pledge may only rise; an action holds no number above ARG - 1
        for amount in range(P.pledged[seat], min(worth(P, T, seat), ARG - 1) + 1):
            acts[n] = PLEDGE * ARG + amount
            n += 1
    elif kind == D_PAY:
        for g in range(T.n_goods):
            if P.goods[seat, g] > 0:
                acts[n] = GOOD * ARG + g
                n += 1
    elif kind == D_STAR:
        acts[0] = PASS * ARG
        n = 1
        for card in range(N_SPECIALISTS, N_CARDS):
            if may_star(S, T, seat, card):
                acts[n] = ACTIVATE * ARG + card - N_SPECIALISTS
                n += 1
    else:
        for deck in range(2):
            if can_draw(P, T, deck):
                acts[n] = DECK * ARG + deck
                n += 1
    return n


@jit
def can_draw(P, T, deck):
    """Whether a deck gives a card for over-offering. [Offerings, 3; Solo, The Awakening]"""
    if deck == SPECIALIST_DECK and T.either_deck == 0:
        return False
    cards = P.deck_left[deck]
    for card in range(deck * N_SPECIALISTS, deck * N_SPECIALISTS + N_SPECIALISTS):
        cards += P.discard[card]
    return cards > 0


@jit
def legal_amounts(P, T, acts):
    """List the amounts of a conversion or trade, from 1 to what the goods allow. [Action 2; Action 4]"""
    seat = P.dec_seat
    kind = P.dec_kind
    first = 1
    if kind == D_AMOUNT:
        most = most_conversions(P, T, seat, P.dec_a)
    elif kind == D_TRADE_LOTS:
        most = P.goods[seat, P.dec_a] // T.price[P.dec_b, P.dec_a]
    else:
        most = P.goods[seat, P.dec_a]
        if kind == D_TEMPIO_AMOUNT and T.tempio_whole != 0:
            first = most
    n = 0
    for amount in range(first, most + 1):
        acts[n] = AMOUNT * ARG + amount
        n += 1
    return n


@jit
def legal_goods(P, T, acts):
    """List the goods or players that may be chosen."""
    kind = P.dec_kind
    seat = P.dec_seat
    n = 0
    if kind in (D_STEAL_SEAT, D_INJURE_SEAT):
        for victim in range(P.n_seats):
            if kind == D_STEAL_SEAT:
                ok = victim != seat and worth(P, T, victim) > 0
            else:
                ok = may_injure(P, T, seat, victim, P.dec_a)
            if ok:
                acts[n] = SEAT * ARG + victim
                n += 1
        return n
    for g in range(T.n_goods):
        have = P.goods[seat, g]
        ok = False
        if kind == D_TRADE_FROM:
            ok = have > 0 and may_give(P, T, seat, g)
        elif kind == D_TRADE_TO:
            rate = T.price[g, P.dec_a]
            ok = rate > 0 and P.goods[seat, P.dec_a] >= rate
        elif kind == D_SWAP_GOOD or kind == D_TEMPIO_FROM:
            ok = have > 0 and T.value[g] == 1
        elif kind == D_BONUS:
            ok = (P.dec_b >> g) & 1 != 0
        elif kind == D_TEMPIO_TO:
            ok = T.value[g] == 3 and T.cards_only[g] == 0 and not is_blocked(P, g)
        elif kind == D_SAME_FROM:
            ok = have > 0 and has_equal(P, T, g)
        elif kind == D_SAME_TO:
            ok = g != P.dec_a and T.value[g] == T.value[P.dec_a] and not is_blocked(P, g)
        elif kind == D_TAKE_GOOD:
            ok = T.value[g] == P.dec_a and not is_blocked(P, g)
        elif kind == D_GIFT:
            ok = have > 0
        elif kind == D_STEAL_GOOD:
            ok = P.goods[P.dec_a, g] > 0 and (P.dec_b == 0 or T.value[g] == P.dec_b)
        if ok:
            acts[n] = GOOD * ARG + g
            n += 1
    return n


@jit
def has_equal(P, T, good):
    """Whether another good that is not blocked has the same value."""
    for g in range(T.n_goods):
        if g != good and T.value[g] == T.value[good] and not is_blocked(P, g):
            return True
    return False


@jit
def legal_cards(S, T, acts):
    """List the cards that may be chosen."""
    P = S.pub
    kind = P.dec_kind
    seat = P.dec_seat
    n = 0
    if kind == D_STOP:
        acts[0] = PASS * ARG
        n = 1
        for card in range(N_SPECIALISTS, N_CARDS):
            if may_stop(S, T, seat, card):
                acts[n] = ACTIVATE * ARG + card - N_SPECIALISTS
                n += 1
        return n
    for card in range(N_CARDS):
        ok = False
        if kind == D_KEEP:
            ok = S.own[seat].drawn[card] != 0
        elif kind == D_EXCHANGE:
            ok = card >= N_SPECIALISTS and S.own[seat].hand[card] != 0
        elif kind == D_FROM_DISCARD:
            ok = card >= N_SPECIALISTS and P.discard[card] != 0
        elif kind == D_TAKE_SPECIALIST:
            ok = card < N_SPECIALISTS and active_elsewhere(P, seat, card)
        elif kind == D_TAKE_TEMPLE:
            ok = T.op[card] == TEMPLE and active_elsewhere(P, seat, card)
        if ok:
            acts[n] = CARD * ARG + card
            n += 1
    return n


@jit
def active_elsewhere(P, seat, card):
    """Whether another player has the card active."""
    for other in range(P.n_seats):
        if other != seat and P.active[other, card] != 0:
            return True
    return False


@jit
def legal_targets(P, T, acts):
    """List the buildings or workers that may be chosen; a worker not yet placed is number `N_PLACES`."""
    kind = P.dec_kind
    seat = P.dec_seat
    n = 0
    if kind == D_START:
        for strict in range(2):
            for building in range(1, CASTRUM + 1):
                if T.colour[building] == RED and P.built[building] == 0:
                    if strict == 1 or not forbidden(P, T, seat, START, building):
                        acts[n] = START * ARG + building
                        n += 1
            if n > 0:
                break
        return n
    if kind == D_INJURE_WORKER or kind == D_LOSE_WORKER:
        victim = P.dec_b if kind == D_INJURE_WORKER else seat
        for place in range(SPACE_C12):
            if P.placed[victim, place] > 0:
                acts[n] = PLACE * ARG + place
                n += 1
        if kind == D_LOSE_WORKER:
            for k in range(3):
                if P.injured[victim, k] > 0:
                    acts[n] = PLACE * ARG + SPACE_C12 + k
                    n += 1
        if P.ready[victim] > 0 and (kind == D_LOSE_WORKER or T.injure_unplaced != 0):
            acts[n] = PLACE * ARG + N_PLACES
            n += 1
        if n == 0 and kind == D_LOSE_WORKER:
            acts[n] = PLACE * ARG + N_PLACES  # idle or taken over with C01: the worker leaves from where it is
            n += 1
        return n
    for building in range(1, CASTRUM):
        ok = False
        if kind == D_RECLAIM:
            ok = reclaimable(P, T, seat, building) > 0
        elif kind == D_COVER:
            ok = may_cover(P, T, building)
        elif kind == D_CO_OWNER:
            ok = (
                T.colour[building] == RED
                and P.built[building] != 0
                and P.owner[building] >= 0
                and P.owner[building] != seat
                and (P.co_owners[building] >> seat) & 1 == 0
            )
        if ok:
            acts[n] = PLACE * ARG + BUILDING_0 + building
            n += 1
    return n


@jit
def is_legal(S, T, action, acts):
    """Whether an action is legal in the decision waited for; ``acts`` is used as work space."""
    n = legal(S, T, acts)
    for i in range(n):
        if acts[i] == action:
            return True
    return False
