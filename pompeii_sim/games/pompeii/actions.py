"""Carrying out worker actions: what happens when a worker (or an extra action) is placed."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.cards import activate, new_workers
from pompeii_sim.games.pompeii.codes import (
    ACTIVATE,
    ANFITEATRO,
    ARG,
    ARMY,
    ARMY_LESS,
    AWAKENING,
    BLUE,
    BUILD,
    BUILDING_0,
    CALM,
    CASTRUM,
    CITY_DECK,
    COLLECT,
    CONVERT,
    COSTRUZIONE,
    D_AMOUNT,
    D_SWAP_GOOD,
    D_TEMPIO_FROM,
    D_TRADE_FROM,
    EV_CASTRUM,
    EV_PHASE,
    EV_PLACE,
    EV_WORKER,
    EXTRA_ACTION,
    EXTRA_SPACE,
    F_BONUS,
    F_CASTRUM,
    F_FREE_CARD,
    F_SECOND,
    FIELD_GOODS,
    FIELD_PLUS,
    FORO,
    IDLE,
    N_FIELDS,
    N_SPECIALISTS,
    NO_BONUS,
    ONCE,
    PIAZZA,
    PORTA,
    PRODUCE,
    PRODUCE_PLUS,
    RECRUIT,
    RELEASE,
    SPACE_C12,
    SPECIALIST_DECK,
    SWAP,
    TEMPIO,
    TEMPLE,
    TERME,
    TRADE,
    TRAIN,
    UNCOVER,
    USE,
    WAIVE,
    WORKER,
    WORKER_RELEASED,
)
from pompeii_sim.games.pompeii.decks import deal, from_hand, spend
from pompeii_sim.games.pompeii.goods import emit, gain, has_active, occupy, pay, push, take_away, turn_up


@jit
def place_of(T, action):
    """Return the place a worker action happens at, -1 for none."""
    kind = action // ARG
    arg = action % ARG
    if kind == COLLECT:
        return arg
    if kind == PRODUCE:
        return BUILDING_0 + arg
    if kind == BUILD:
        return COSTRUZIONE
    if kind == TRADE:
        return PORTA
    if kind in (TRAIN, SWAP):
        return PIAZZA
    if kind in (ACTIVATE, RELEASE, UNCOVER):
        return BUILDING_0 + FORO
    if kind == RECRUIT:
        return BUILDING_0 + ANFITEATRO
    if kind == ARMY:
        return BUILDING_0 + TERME
    if kind == USE:
        return T.place[arg]
    return -1


@jit
def placed(S, amount, give, take):
    """Write the event of the worker action being carried out."""
    P = S.pub
    emit(S, EV_PLACE, P.turn_seat, P.turn_action, P.turn_extra, amount, (P.turn_at + 1) * 4096 + give * 64 + take)


@jit
def serve_owners(S, T, seat, place, goods):
    """Queue the owner bonus of a use; ``goods`` is the bit mask of goods really spent. [Ownership bonus; S27, S35]"""
    P = S.pub
    building = place - BUILDING_0
    if goods == 0 or building < 1 or building == FORO or T.owner_bonus == 0:
        return
    holders = P.co_owners[building]
    if P.owner[building] >= 0:
        holders |= 1 << P.owner[building]
    holders &= ~(1 << seat)
    if holders == 0:
        return
    if T.colour[building] == BLUE and has_active(P, T, seat, NO_BONUS):  # S35
        S.tally.card_use[T.op_cards[NO_BONUS, 0]] += 1
        return
    push(S, F_BONUS, seat, place, goods, holders)


@jit
def count_temple(S, T, seat):
    """Count the use of the temple card that opens the Tempio."""
    for i in range(T.op_count[TEMPLE]):
        card = T.op_cards[TEMPLE, i]
        if S.pub.active[seat, card] != 0:
            S.tally.card_use[card] += 1
            return


@jit
def act(S, T, seat, action, extra):
    """Carry out a worker action, or start it where a choice follows."""
    P = S.pub
    kind = action // ARG
    arg = action % ARG
    P.turn_action = action
    P.turn_extra = extra
    P.turn_seat = seat
    P.turn_at = -1
    P.n_actions += 1
    S.tally.kind_use[seat, min(kind, 15)] += 1
    if kind == IDLE:
        if extra != EXTRA_ACTION:
            if P.ready[seat] > 0:
                P.ready[seat] -= 1
            else:
                P.borrowed[seat] -= 1
        S.tally.idle[seat] += 1
        placed(S, 0, 0, 0)
        return
    place = place_of(T, action)
    P.turn_at = place
    building = place - BUILDING_0
    occupy(S, T, seat, place, extra)
    if T.second_worker != 0 and extra == WORKER and building >= 1 and T.colour[min(building, CASTRUM)] == BLUE:
        if building <= CASTRUM and has_active(P, T, seat, EXTRA_SPACE):
            push(S, F_SECOND, seat, building, 0, 0)
    if kind == COLLECT:
        placed(S, gain(P, T, seat, T.field_good[arg], 1), 0, 0)
    elif kind == PRODUCE:
        if building == TEMPIO:
            count_temple(S, T, seat)
            push(S, D_TEMPIO_FROM, seat, 0, 0, 0)
        else:
            push(S, D_AMOUNT, seat, T.recipe[building], place, -1)
    elif kind == BUILD:
        build(S, T, seat, arg % 32, arg // 32 - 1)
    elif kind == TRADE:
        push(S, D_TRADE_FROM, seat, 0, 0, 0)
    elif kind == TRAIN:
        pay(P, T, seat, T.card_cost[arg])
        from_hand(S, seat, arg)
        S.tally.trained[seat] += 1
        placed(S, 0, 0, 0)
        activate(S, T, seat, arg)
    elif kind == SWAP:
        push(S, D_SWAP_GOOD, seat, arg, 0, 0)
    elif kind == ACTIVATE:
        from_hand(S, seat, arg + N_SPECIALISTS)
        S.tally.activated[seat] += 1
        placed(S, 0, 0, 0)
        activate(S, T, seat, arg + N_SPECIALISTS)
    elif kind == RECRUIT:
        P.goods[seat, T.recruit_good] -= arg
        placed(S, arg, 0, 0)
        new_workers(S, T, seat, arg)
        serve_owners(S, T, seat, place, 1 << T.recruit_good)
    elif kind == ARMY:
        buy_army(S, T, seat, -1)
    elif kind == USE:
        use(S, T, seat, arg, place)
    else:
        at_foro(S, T, seat, kind, arg)


@jit
def use(S, T, seat, card, place):
    """Use an active card at its place, instead of the place's own action. [Specialist Cards; City Cards]"""
    P = S.pub
    op = T.op[card]
    if T.mark[card] == ONCE:  # solo: an open specialist with a one-time effect
        take_away(P, seat, card)
        placed(S, 0, 0, 0)
        activate(S, T, seat, card)
        return
    S.tally.card_use[card] += 1
    if P.n_seats == 1 and card < N_SPECIALISTS:
        spend(S, seat, card)
    if op == FIELD_PLUS:
        placed(S, gain(P, T, seat, T.field_good[place], 1 + T.arg_a[card]), 0, 0)
    elif op == FIELD_GOODS:
        for g in range(T.n_goods):
            if T.card_goods[card, g] > 0:
                gain(P, T, seat, g, T.card_goods[card, g])
        placed(S, 0, 0, 0)
    elif op == CONVERT:
        push(S, D_AMOUNT, seat, T.card_recipe[card], place, card)
    elif op == PRODUCE_PLUS:
        push(S, D_AMOUNT, seat, T.recipe[place - BUILDING_0], place, card)
    elif op == ARMY_LESS:
        buy_army(S, T, seat, card)


@jit
def convert(S, T, seat, recipe, place, card, amount):
    """Convert goods 1:1, several inputs for one output; +2 cards add once. [Action 2; S30]"""
    P = S.pub
    spent = 0
    for i in range(T.r_n_in[recipe]):
        P.goods[seat, T.r_in[recipe, i]] -= amount * T.r_qty[recipe, i]
        spent |= 1 << T.r_in[recipe, i]
    count = amount * T.r_out_qty[recipe]
    if card >= 0 and T.op[card] == PRODUCE_PLUS:
        count += T.arg_a[card]
    gain(P, T, seat, T.r_out[recipe], count)
    placed(S, amount, 0, T.r_out[recipe])
    if place >= N_FIELDS:
        serve_owners(S, T, seat, place, spent)


@jit
def buy_army(S, T, seat, card):
    """Buy the army at the Terme. [19 Terme Stabiane; C50 lowers the cost]"""
    P = S.pub
    spent = 0
    for g in range(T.n_goods):
        need = T.army_cost[g]
        if card >= 0:
            need = max(0, need - T.card_goods[card, g])
        if need > 0:
            P.goods[seat, g] -= need
            spent |= 1 << g
    P.army[seat] = 1
    placed(S, 1, 0, 0)
    serve_owners(S, T, seat, BUILDING_0 + TERME, spent)


@jit
def build(S, T, seat, building, waive):
    """Pay for a building and turn its tile up. [Action 3]"""
    P = S.pub
    waived = -1
    if waive >= 0:
        card = T.op_cards[WAIVE, waive]
        waived = T.arg_a[card]
        S.tally.card_use[card] += 1
        if P.n_seats == 1 and card < N_SPECIALISTS:
            spend(S, seat, card)
    for g in range(T.n_goods):
        if g != waived:
            P.goods[seat, g] -= T.cost[building, g]
    placed(S, 0, 0, 0)
    if building == CASTRUM:
        # C31 may stop it after payment, before the tile is turned
        push(S, F_CASTRUM, seat, 1, 0, 0)
        return
    turn_up(P, building, seat)
    if building == FORO and P.phase == CALM:
        awaken(S, T, seat)


@jit
def awaken(S, T, builder):
    """The Foro stands: Vesuvius awakens in this very turn. [Action 3, Building 17; Phase 1]"""
    P = S.pub
    P.phase = AWAKENING
    P.streak = 0
    S.tally.awakening_round = P.rnd
    emit(S, EV_PHASE, builder, AWAKENING, 0, 0, 0)
    for _ in range(T.city_dealt):
        for i in range(P.n_seats):
            seat = (builder + i) % P.n_seats
            deal(S, T, seat, CITY_DECK)
    # the builder's extra cards come on top, active at once: the city card first, then the specialist
    push(S, F_FREE_CARD, builder, SPECIALIST_DECK, T.foro_specialists, 0)
    push(S, F_FREE_CARD, builder, CITY_DECK, T.foro_city, 0)


@jit
def at_foro(S, T, seat, kind, arg):
    """Release a worker from C12, C28 or C31, or remove a C14 token, paying what is asked. [City Cards, Note]"""
    P = S.pub
    if kind == UNCOVER:
        pay(P, T, seat, T.release_cost[3])
        P.tokens[arg] -= 1
        placed(S, 0, 0, 0)
        return
    pay(P, T, seat, T.release_cost[arg])
    P.injured[seat, arg] -= 1
    if T.freed_acts != 0:
        P.ready[seat] += 1
    placed(S, 0, 0, 0)
    emit(S, EV_WORKER, seat, WORKER_RELEASED, SPACE_C12 + arg, 0, 0)
    if arg == 2 and P.stopped[seat] != 0 and P.injured[seat, 2] == 0:
        P.stopped[seat] = 0
        if P.built[CASTRUM] == 0:
            finish_castrum(S, seat)


@jit
def finish_castrum(S, seat):
    """Turn the Castrum's tile up. [Action 3; C31]"""
    P = S.pub
    turn_up(P, CASTRUM, seat)
    emit(S, EV_CASTRUM, seat, 1, 0, 0, 0)
