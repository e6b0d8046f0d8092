"""Goods, markers and spaces: the small rules everything else is made of."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.pompeii.codes import (
    BLUE,
    BUILDING_0,
    CASTRUM,
    EV_PORTA,
    EXTRA_ACTION,
    EXTRA_SPACE,
    N_FIELDS,
    PORTA,
    PORTA_OWNER,
    SECOND_WORKER,
    STACK_FULL,
    TRACE_FULL,
)
from pompeii_sim.games.pompeii.state import STACK, TRACE


@jit
def emit(S, code, seat, a, b, c, d):
    """Write one event when the game is traced."""
    if S.trace.on == 0:
        return
    if S.trace.count >= TRACE:
        S.pub.error = TRACE_FULL
        return
    E = S.trace.events[S.trace.count]
    E.code = code
    E.rnd = S.pub.rnd
    E.phase = S.pub.phase
    E.seat = seat
    E.a = a
    E.b = b
    E.c = c
    E.d = d
    for s in range(E.goods.shape[0]):
        for g in range(E.goods.shape[1]):
            E.goods[s, g] = S.pub.goods[s, g]
    S.trace.count += 1


@jit
def push(S, kind, seat, a, b, c):
    """Put a pending thing on the stack."""
    P = S.pub
    if P.top >= STACK:
        P.error = STACK_FULL
        return
    P.f_kind[P.top] = kind
    P.f_seat[P.top] = seat
    P.f_a[P.top] = a
    P.f_b[P.top] = b
    P.f_c[P.top] = c
    P.top += 1


@jit
def gain(P, T, seat, good, count):
    """Add goods by any way but trade: none of a blocked good. Returns the number really added. [Solo, Collect]"""
    if is_blocked(P, good):
        return 0
    return store(P, T, seat, good, count)


@hot
def is_blocked(P, good):
    """Whether a good can be neither collected nor produced in this round; only with one seat. [Solo, Collect]"""
    return (P.blocked >> good) & 1 != 0


@hot
def store(P, T, seat, good, count):
    """Add goods up to the cap; what is above is lost. Returns the number really added. [Action 2, Important]"""
    room = T.cap - P.goods[seat, good]
    kept = min(room, count)
    if kept < 0:
        kept = 0
    P.goods[seat, good] += kept
    return kept


@jit
def can_pay(P, T, seat, cost):
    """Whether a seat holds all goods of a cost row."""
    for g in range(T.n_goods):
        if P.goods[seat, g] < cost[g]:
            return False
    return True


@hot
def can_pay_card(P, T, seat, card):
    """Whether a seat holds the goods that training a specialist costs. [Action 5]"""
    for i in range(T.card_cost_n[card]):
        g = T.card_cost_good[card, i]
        if P.goods[seat, g] < T.card_cost[card, g]:
            return False
    return True


@jit
def pay(P, T, seat, cost):
    """Take the goods of a cost row from a seat."""
    for g in range(T.n_goods):
        P.goods[seat, g] -= cost[g]


@hot
def can_pay_build(P, T, seat, building, waived):
    """Whether a seat can pay for a building, one good waived (-1: none). [Action 3; S49-S52]"""
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        if g != waived and P.goods[seat, g] < T.cost[building, g]:
            return False
    return True


@jit
def can_pay_army(P, T, seat, card):
    """Whether a seat can pay for the army, a card lowering the cost (-1: none). [19 Terme Stabiane; C50]"""
    for g in range(T.n_goods):
        need = T.army_cost[g]
        if card >= 0:
            need -= T.card_goods[card, g]
        if P.goods[seat, g] < need:
            return False
    return True


@jit
def worth(P, T, seat):
    """Value of all goods of a seat. [Offerings, 2]"""
    total = 0
    for g in range(T.n_goods):
        total += P.goods[seat, g] * T.value[g]
    return total


@hot
def marker(P, T, seat):
    """Offering marker of a seat: own workers, raises, base. [Offerings, 1; Consequences]"""
    return max(0, P.workers[seat] + P.raises * T.raise_by + T.offering_base)


@jit
def lay_out(P, seat, card):
    """Put a card before a seat: it is active."""
    P.active[seat, card] = 1
    P.card_changes[seat] += 1


@jit
def take_away(P, seat, card):
    """Take an active card from before a seat."""
    P.active[seat, card] = 0
    P.card_changes[seat] += 1


@jit
def turn_up(P, building, owner):
    """Turn a building's tile up; -1 for a building that nobody owns."""
    P.built[building] = 1
    P.owner[building] = owner
    P.tile_changes += 1


@hot
def crew(P, seat):
    """Return how many workers a seat can place in a round: those that are not on C12, C28 or C31."""
    return P.workers[seat] - P.injured[seat, 0] - P.injured[seat, 1] - P.injured[seat, 2]


@jit
def has_active(P, T, seat, op):
    """Whether a seat has an active card with an effect."""
    for i in range(T.op_count[op]):
        if P.active[seat, T.op_cards[op, i]] != 0:
            return True
    return False


@hot
def free_spaces(P, T, place):
    """Worker spaces still free at a limited place. [Worker Spaces; C14 tokens cover one each]"""
    free = T.spaces[place] - P.used[place]
    if BUILDING_0 < place <= BUILDING_0 + CASTRUM:
        free -= P.tokens[place - BUILDING_0]
    return free


@jit
def has_space(P, T, seat, place, extra):
    """Whether a seat may act at a place now: a free space, or C17 at a blue building. [Worker Spaces; C17]"""
    if place < N_FIELDS or extra == SECOND_WORKER:
        return True
    if free_spaces(P, T, place) > 0:
        return True
    building = place - BUILDING_0
    if extra == EXTRA_ACTION or building < 1 or building > CASTRUM or T.second_worker != 0:
        return False
    # C17: one worker above the limit per blue building and round
    return T.colour[building] == BLUE and P.extra_used[seat, building] == 0 and has_active(P, T, seat, EXTRA_SPACE)


@jit
def occupy(S, T, seat, place, extra):
    """Put the acting worker on a place (an extra action fills no space) and serve the owner of the Porta."""
    P = S.pub
    S.tally.actions[seat] += 1
    S.tally.place_use[seat, place] += 1
    if extra != EXTRA_ACTION:
        building = place - BUILDING_0
        if place >= N_FIELDS and free_spaces(P, T, place) <= 0 and 1 <= building <= CASTRUM:
            P.extra_used[seat, building] += 1
            S.tally.card_use[T.op_cards[EXTRA_SPACE, 0]] += 1
        if P.ready[seat] > 0:
            P.ready[seat] -= 1
            P.placed[seat, place] += 1
        else:
            P.borrowed[seat] -= 1
        P.used[place] += 1
        P.turn_place[seat] = place
    if place == PORTA and P.porta_owner >= 0 and P.porta_owner != seat:
        # C34: 1 fish whenever another player places a worker at the Porta
        card = T.op_cards[PORTA_OWNER, 0]
        for i in range(T.card_goods_n[card]):
            g = T.card_goods_good[card, i]
            gain(P, T, P.porta_owner, g, T.card_goods[card, g])
        S.tally.card_use[card] += 1
        emit(S, EV_PORTA, P.porta_owner, seat, 0, 0, 0)


@hot
def can_win(P, seat):
    """Whether a seat's army can stand in the Castrum now. [End of the Game; C28, C31]"""
    return P.built[CASTRUM] != 0 and P.army[seat] != 0 and P.injured[seat, 1] == 0 and P.injured[seat, 2] == 0


@hot
def can_convert(P, T, seat, recipe):
    """Whether a seat can carry out a conversion once. [Action 2]"""
    for i in range(T.r_n_in[recipe]):
        if P.goods[seat, T.r_in[recipe, i]] < T.r_qty[recipe, i]:
            return False
    return True


@hot
def whole(stock, each):
    """Return how often a number goes into another; dividing is slow and most recipes ask for one of each good."""
    return stock if each == 1 else stock // each


@jit
def most_conversions(P, T, seat, recipe):
    """How often a seat can carry out a conversion with its goods. [Action 2]"""
    most = 9999
    for i in range(T.r_n_in[recipe]):
        most = min(most, whole(P.goods[seat, T.r_in[recipe, i]], T.r_qty[recipe, i]))
    return most
