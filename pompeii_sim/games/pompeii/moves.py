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
def is_forbidden(P, T, seat, action):
    """Whether the seat's forbid list names a worker action; a card counts as the action it stands for, too."""
    kind = action // ARG
    arg = action % ARG
    if kind == BUILD:
        if arg >= 32 and forbidden(P, T, seat, USE, T.op_cards[WAIVE, arg // 32 - 1]):
            return True
        return forbidden(P, T, seat, BUILD, arg % 32)
    if kind == USE:
        place = T.place[arg]
        building = place - BUILDING_0
        if place < N_FIELDS:
            if forbidden(P, T, seat, COLLECT, place):
                return True
        elif T.op[arg] == ARMY_LESS:
            if forbidden(P, T, seat, ARMY, 0):
                return True
        elif 1 <= building <= CASTRUM and forbidden(P, T, seat, PRODUCE, building):
            return True
    return forbidden(P, T, seat, kind, arg)


@jit
def drop_forbidden(P, T, seat, acts, first, n):
    """Take what the seat's forbid list names off a list of worker actions, from the ``first``; return the new count."""
    if T.forbids[P.seat_spec[seat]] == 0:
        return n
    kept = first
    for i in range(first, n):
        action = acts[i]
        if not is_forbidden(P, T, seat, action):
            acts[kept] = action
            kept += 1
    return kept


@hot
def listed(acts, n, action, possible):
    """Append an action if it is possible; return the new count."""
    acts[n] = action
    return n + (1 if possible else 0)


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
    if P.built[building] == 0:
        return False
    if building == TEMPIO:
        if not has_value_one(P, T, seat) or not has_active(P, T, seat, TEMPLE) or not temple_open(P, T):
            return False
    elif T.recipe[building] < 0 or not may_convert(P, T, seat, T.recipe[building]):
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
        if P.active[seat, card] != 0:
            waived = T.arg_a[card]
            if T.cost[building, waived] != 0 and can_pay_build(P, T, seat, building, waived):
                acts[n] = BUILD * ARG + building + 32 * (i + 1)
                n += 1
    return n


@jit
def may_army(P, T, seat, card, extra):
    """Whether a seat may buy its army, with a card that lowers the cost or without one (-1). [19 Terme Stabiane]"""
    if P.built[TERME] == 0 or P.army[seat] != 0:
        return False
    return can_pay_army(P, T, seat, card) and has_space(P, T, seat, BUILDING_0 + TERME, extra)


@jit
def may_trade(P, T, seat, extra):
    """Whether a seat has anything to trade at the Porta. [Action 4]"""
    if not has_space(P, T, seat, PORTA, extra):
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
    """Whether a seat has the goods of a conversion and its output is not blocked. [Action 2; Solo, Collect]"""
    return can_convert(P, T, seat, recipe) and not is_blocked(P, T.r_out[recipe])


@jit
def may_use(P, T, seat, card, extra):
    """Whether a seat may use an active card at its place, instead of the place's own action. [Specialist Cards]"""
    place = T.place[card]
    op = T.op[card]
    building = place - BUILDING_0
    if place == PIAZZA:  # solo: an open specialist with a one-time effect
        return T.mark[card] == ONCE and has_space(P, T, seat, place, extra)
    if place < N_FIELDS:
        return op != CONVERT or may_convert(P, T, seat, T.card_recipe[card])
    if building < 1 or building > CASTRUM or P.built[building] == 0:
        return False
    if op == ARMY_LESS:
        return may_army(P, T, seat, card, extra)
    if op == PRODUCE_PLUS:
        return may_produce(P, T, seat, building, extra)
    if op == CONVERT:
        return may_convert(P, T, seat, T.card_recipe[card]) and has_space(P, T, seat, place, extra)
    return False


@jit
def legal_at_building(S, T, seat, building, extra, acts, n):
    """Append what a worker may do at one building, except at the Foro; return the new count."""
    P = S.pub
    if building == ANFITEATRO:
        if P.built[building] != 0 and has_space(P, T, seat, BUILDING_0 + building, extra):
            most = min(T.recruit_most, T.workers_most - P.workers[seat], P.goods[seat, T.recruit_good])
            for count in range(1, most + 1):
                acts[n] = RECRUIT * ARG + count
                n += 1
        return n
    if building == TERME:
        return listed(acts, n, ARMY * ARG, may_army(P, T, seat, -1, extra))
    return listed(acts, n, PRODUCE * ARG + building, may_produce(P, T, seat, building, extra))


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
        n = listed(acts, n, ACTIVATE * ARG + card - N_SPECIALISTS, T.mark[card] != STAR)
    for k in range(3):
        if P.injured[seat, k] > 0:
            n = listed(acts, n, RELEASE * ARG + k, can_pay(P, T, seat, T.release_cost[k]))
    for building in range(1, CASTRUM + 1):
        if P.tokens[building] > 0:
            n = listed(acts, n, UNCOVER * ARG + building, can_pay(P, T, seat, T.release_cost[3]))
    return n


@jit
def legal_uses(P, T, seat, extra, at, acts, n):
    """Append the active cards a worker may use, at one place or at any (-1); return the new count."""
    for i in range(T.n_use):
        card = T.use_cards[i]
        if P.active[seat, card] != 0 and (at < 0 or T.place[card] == at):
            n = listed(acts, n, USE * ARG + card, may_use(P, T, seat, card, extra))
    return n


@jit
def legal_places(S, T, seat, extra, acts):
    """List every legal worker action of a seat; return how many there are. [The five actions; card use]"""
    P = S.pub
    O = S.own[seat]  # noqa: E741
    for f in range(N_FIELDS):
        acts[f] = COLLECT * ARG + f
    n = N_FIELDS
    for building in range(1, CASTRUM):
        if P.built[building] != 0 and building != FORO:
            n = legal_at_building(S, T, seat, building, extra, acts, n)
    if has_space(P, T, seat, COSTRUZIONE, extra):
        waivers = has_active(P, T, seat, WAIVE)
        for building in range(1, CASTRUM + 1):
            if build_open(P, T, building):
                n = listed(acts, n, BUILD * ARG + building, can_pay_build(P, T, seat, building, -1))
                if waivers:
                    n = legal_with_waivers(P, T, seat, building, acts, n)
    n = listed(acts, n, TRADE * ARG, may_trade(P, T, seat, extra))
    if P.hand_size[seat, 0] > 0 and has_space(P, T, seat, PIAZZA, extra):
        swap = has_value_one(P, T, seat)
        left = P.hand_size[seat, 0]
        for card in range(N_SPECIALISTS):
            if left == 0:
                break
            if O.hand[card] != 0:
                left -= 1
                n = listed(acts, n, TRAIN * ARG + card, can_pay_card(P, T, seat, card))
                n = listed(acts, n, SWAP * ARG + card, swap)
    n = legal_at_foro(S, T, seat, extra, acts, n)
    n = drop_forbidden(P, T, seat, acts, 0, legal_uses(P, T, seat, extra, -1, acts, n))
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
    if building == FORO:
        n = legal_at_foro(S, T, seat, SECOND_WORKER, acts, n)
    else:
        n = legal_at_building(S, T, seat, building, SECOND_WORKER, acts, n)
        n = legal_uses(P, T, seat, SECOND_WORKER, BUILDING_0 + building, acts, n)
    return drop_forbidden(P, T, seat, acts, 1, n)
