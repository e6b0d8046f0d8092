"""What a worker may do: every legal placement, and whether the forbid list allows it."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
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
    CASTRUM,
    COLLECT,
    CONVERT,
    COSTRUZIONE,
    FORO,
    IDLE,
    N_CARDS,
    N_FIELDS,
    N_SPECIALISTS,
    ONCE,
    PASS,
    PIAZZA,
    PORTA,
    PRODUCE,
    PRODUCE_PLUS,
    RECRUIT,
    RED,
    RELEASE,
    SECOND_WORKER,
    STAR,
    SWAP,
    TEMPIO,
    TEMPLE,
    TERME,
    TRADE,
    TRAIN,
    UNCOVER,
    USE,
    WAIVE,
)
from pompeii_sim.games.pompeii.goods import (
    can_convert,
    can_pay,
    can_pay_army,
    can_pay_build,
    can_pay_card,
    has_active,
    has_space,
    is_blocked,
)


@hot
def forbidden(P, T, seat, kind, target):
    """Whether the seat's forbid list names an action kind, or the kind with this target."""
    spec = P.seat_spec[seat]
    if T.forbids[spec] == 0:
        return False
    return T.forbid_kind[spec, kind] != 0 or T.forbid[spec, kind, target] != 0


@jit
def has_value_one(P, T, seat):
    """Whether a seat holds a value-I good."""
    for f in range(N_FIELDS):
        if P.goods[seat, T.field_good[f]] > 0:
            return True
    return False


@jit
def temple_open(P, T):
    """Whether a good that the Tempio gives is not blocked. [16 Tempio; Solo, Collect]"""
    for g in range(T.n_goods):
        if T.value[g] == 3 and T.cards_only[g] == 0 and not is_blocked(P, g):
            return True
    return False


@jit
def may_produce(P, T, seat, building, extra):
    """Whether a seat may use a building's own conversion. [Action 2; 16 Tempio]"""
    if P.built[building] == 0 or forbidden(P, T, seat, PRODUCE, building):
        return False
    if building == TEMPIO:
        if not has_value_one(P, T, seat) or not has_active(P, T, seat, TEMPLE) or not temple_open(P, T):
            return False
    elif T.recipe[building] < 0 or not can_convert(P, T, seat, T.recipe[building]):
        return False
    elif is_blocked(P, T.r_out[T.recipe[building]]):
        return False
    return has_space(P, T, seat, BUILDING_0 + building, extra)


@hot
def build_open(P, T, building):
    """Whether a building may be built now by anybody. [Phase 1; Construction rules]"""
    if P.built[building] != 0:
        return False
    if P.phase == AWAKENING or T.colour[building] == RED:
        return True
    # The Calm: red tiles, and the Foro once the time marker has reached space III
    return building == FORO and P.calm_step >= T.calm_steps


@jit
def legal_with_waivers(P, T, seat, building, acts, n):
    """Append building with each active card that waives one of the goods; return the new count. [S49-S52]"""
    for i in range(T.op_count[WAIVE]):
        card = T.op_cards[WAIVE, i]
        if P.active[seat, card] != 0 and not forbidden(P, T, seat, USE, card):
            waived = T.arg_a[card]
            if T.cost[building, waived] != 0 and can_pay_build(P, T, seat, building, waived):
                acts[n] = BUILD * ARG + building + 32 * (i + 1)
                n += 1
    return n


@jit
def may_army(P, T, seat, card, extra):
    """Whether a seat may buy its army, with a card that lowers the cost or without one (-1). [19 Terme Stabiane]"""
    if P.built[TERME] == 0 or P.army[seat] != 0 or forbidden(P, T, seat, ARMY, 0):
        return False
    return can_pay_army(P, T, seat, card) and has_space(P, T, seat, BUILDING_0 + TERME, extra)


@jit
def may_trade(P, T, seat, extra):
    """Whether a seat has anything to trade at the Porta. [Action 4]"""
    if forbidden(P, T, seat, TRADE, 0) or not has_space(P, T, seat, PORTA, extra):
        return False
    for give in range(T.n_goods):
        if may_give(P, T, seat, give):
            return True
    return False


@hot
def may_give(P, T, seat, give):
    """Whether a seat holds enough of a good to trade it for something."""
    return 0 < T.least_rate[give] <= P.goods[seat, give]


@jit
def may_convert(P, T, seat, recipe):
    """Whether a seat has the goods of a card's conversion and its output is not blocked."""
    return can_convert(P, T, seat, recipe) and not is_blocked(P, T.r_out[recipe])


@jit
def may_use(P, T, seat, card, extra):
    """Whether a seat may use an active card at its place, instead of the place's own action. [Specialist Cards]"""
    if P.active[seat, card] == 0 or forbidden(P, T, seat, USE, card):
        return False
    place = T.place[card]
    if place < 0:
        return False
    op = T.op[card]
    building = place - BUILDING_0
    if place == PIAZZA:  # solo: an open specialist with a one-time effect
        return T.mark[card] == ONCE and has_space(P, T, seat, place, extra)
    if place < N_FIELDS:
        if forbidden(P, T, seat, COLLECT, place):
            return False
        return op != CONVERT or may_convert(P, T, seat, T.card_recipe[card])
    if building < 1 or building > CASTRUM or P.built[building] == 0:
        return False
    if op == ARMY_LESS:
        return may_army(P, T, seat, card, extra)
    if op == PRODUCE_PLUS:
        return may_produce(P, T, seat, building, extra)
    if op == CONVERT:
        return (
            not forbidden(P, T, seat, PRODUCE, building)
            and may_convert(P, T, seat, T.card_recipe[card])
            and has_space(P, T, seat, place, extra)
        )
    return False


@jit
def legal_at_building(S, T, seat, building, extra, acts, n):
    """Append what a worker may do at one building, except at the Foro; return the new count."""
    P = S.pub
    if building == ANFITEATRO:
        if P.built[building] != 0 and has_space(P, T, seat, BUILDING_0 + building, extra):
            for count in range(1, T.recruit_most + 1):
                if (
                    P.workers[seat] + count <= T.workers_most
                    and P.goods[seat, T.recruit_good] >= count
                    and not forbidden(P, T, seat, RECRUIT, count)
                ):
                    acts[n] = RECRUIT * ARG + count
                    n += 1
    elif building == TERME:
        if may_army(P, T, seat, -1, extra):
            acts[n] = ARMY * ARG
            n += 1
    elif may_produce(P, T, seat, building, extra):
        acts[n] = PRODUCE * ARG + building
        n += 1
    return n


@jit
def legal_at_foro(S, T, seat, extra, acts, n):
    """Append what a worker may do at the Foro: activate a city card, release a worker, remove a token."""
    P = S.pub
    if P.built[FORO] == 0 or not has_space(P, T, seat, BUILDING_0 + FORO, extra):
        return n
    O = S.own[seat]  # noqa: E741
    left = P.hand_size[seat, 1]
    for card in range(N_SPECIALISTS, N_CARDS):
        if left == 0:
            break
        if O.hand[card] == 0:
            continue
        left -= 1
        if T.mark[card] != STAR:
            if not forbidden(P, T, seat, ACTIVATE, card - N_SPECIALISTS):
                acts[n] = ACTIVATE * ARG + card - N_SPECIALISTS
                n += 1
    for k in range(3):
        if P.injured[seat, k] > 0 and can_pay(P, T, seat, T.release_cost[k]) and not forbidden(P, T, seat, RELEASE, k):
            acts[n] = RELEASE * ARG + k
            n += 1
    for building in range(1, CASTRUM + 1):
        if P.tokens[building] > 0 and can_pay(P, T, seat, T.release_cost[3]):
            if not forbidden(P, T, seat, UNCOVER, building):
                acts[n] = UNCOVER * ARG + building
                n += 1
    return n


@jit
def legal_places(S, T, seat, extra, acts):
    """List every legal worker action of a seat; return how many there are. [The five actions; card use]"""
    P = S.pub
    O = S.own[seat]  # noqa: E741
    n = 0
    for f in range(N_FIELDS):
        if not forbidden(P, T, seat, COLLECT, f):
            acts[n] = COLLECT * ARG + f
            n += 1
    for building in range(1, CASTRUM):
        if P.built[building] != 0 and building != FORO:
            n = legal_at_building(S, T, seat, building, extra, acts, n)
    if has_space(P, T, seat, COSTRUZIONE, extra):
        waivers = has_active(P, T, seat, WAIVE)
        for building in range(1, CASTRUM + 1):
            if not build_open(P, T, building) or forbidden(P, T, seat, BUILD, building):
                continue
            if can_pay_build(P, T, seat, building, -1):
                acts[n] = BUILD * ARG + building
                n += 1
            if waivers:
                n = legal_with_waivers(P, T, seat, building, acts, n)
    if may_trade(P, T, seat, extra):
        acts[n] = TRADE * ARG
        n += 1
    if P.hand_size[seat, 0] > 0 and has_space(P, T, seat, PIAZZA, extra):
        swap = has_value_one(P, T, seat)
        left = P.hand_size[seat, 0]
        for card in range(N_SPECIALISTS):
            if left == 0:
                break
            if O.hand[card] != 0:
                left -= 1
                if not forbidden(P, T, seat, TRAIN, card) and can_pay_card(P, T, seat, card):
                    acts[n] = TRAIN * ARG + card
                    n += 1
                if swap and not forbidden(P, T, seat, SWAP, card):
                    acts[n] = SWAP * ARG + card
                    n += 1
    n = legal_at_foro(S, T, seat, extra, acts, n)
    for i in range(T.n_use):
        card = T.use_cards[i]
        if P.active[seat, card] != 0 and may_use(P, T, seat, card, extra):
            acts[n] = USE * ARG + card
            n += 1
    if n == 0:
        # only a forbid list can leave a worker nothing: a field is always open
        acts[0] = IDLE * ARG
        n = 1
    return n


@jit
def legal_second(S, T, seat, building, acts):
    """List what a second worker may do at the same blue building, or that none is placed. [C17, second reading]"""
    P = S.pub
    acts[0] = PASS * ARG
    n = 1
    if P.built[building] == 0 or T.colour[building] != BLUE:
        return n
    place = BUILDING_0 + building
    if building == FORO:
        n = legal_at_foro(S, T, seat, SECOND_WORKER, acts, n)
    else:
        n = legal_at_building(S, T, seat, building, SECOND_WORKER, acts, n)
        for i in range(T.n_use):
            card = T.use_cards[i]
            if T.place[card] == place and P.active[seat, card] != 0 and may_use(P, T, seat, card, SECOND_WORKER):
                acts[n] = USE * ARG + card
                n += 1
    return n
