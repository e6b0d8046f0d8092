"""The cheapest way a seat sees to victory: goods needed, how each is got, buildings to build.

Worked backwards from the army, the Terme and the Castrum. Effort is counted in worker actions: a collected good costs
one, a conversion or a trade one for the whole stack, a building its goods and one. A missing good is made at its
building, or traded from the stack that costs least (the rulebook's tip on stacks of value IV and V); a step forbidden
to the seat counts as one that somebody else will do. Nothing is remembered: the plan is made anew from what is seen.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.pompeii.codes import (
    ANFITEATRO,
    ARMY_LESS,
    AWAKENING,
    BUILD,
    BUILDING_0,
    CASTRUM,
    CONVERT,
    FIELD_GOODS,
    FIELD_PLUS,
    FORO,
    N_FIELDS,
    N_SPECIALISTS,
    PRODUCE,
    RECRUIT,
    RED,
    TERME,
    TRADE,
    USE,
)
from pompeii_sim.games.pompeii.goods import marker, trade_rate
from pompeii_sim.games.pompeii.moves import forbidden
from pompeii_sim.games.pompeii.players.weights import (
    RECRUITS,
    RESERVE,
    SHARE,
    SPARE,
    TRADES,
    UNDER,
)

# rows of a plan, int64 of shape (ROWS, 32): columns are goods, in BUILD_ROW buildings
NEED = 0  # goods wanted in store, those already there included
HOW = 1  # 0 nothing to do or collect, r + 1 by recipe r, 200 + card by a card at a field, -1 - s by trade from good s
GIVE = 2  # part of the need that is there to be traded away
RECIPE = 3  # recipe that makes the good, plus 1
AT = 4  # its building, 0 for a field
FIELD = 5  # active card that gives the good at a field, plus 1
BUILD_ROW = 6
ASIDE = 7  # part of the need put aside for offerings
ROWS = 8
BY_CARD = 200
WORK = 31  # column of BUILD_ROW that holds the actions left, counted coarsely
POINTS = 30  # column of BUILD_ROW that holds the points still to be found for the next offerings

FEW = 0.15  # share of a conversion in the effort of one good
LOT = 0.3  # share of a trade in the effort of one good


@jit
def find_makers(P, T, seat, plan):
    """Write which recipe makes each good and where, own active cards included."""
    for building in range(1, CASTRUM):
        r = T.recipe[building]
        if r >= 0 and not forbidden(P, T, seat, PRODUCE, building):
            g = T.r_out[r]
            if plan[RECIPE, g] == 0 or (P.built[building] != 0 and P.built[plan[AT, g]] == 0):
                plan[RECIPE, g] = r + 1
                plan[AT, g] = building
    for i in range(T.n_use):
        card = T.use_cards[i]
        if P.active[seat, card] == 0 or forbidden(P, T, seat, USE, card):
            continue
        if P.n_seats == 1 and card < N_SPECIALISTS:
            continue  # it lies open for one use: nothing to plan with
        op = T.op[card]
        if op == CONVERT:
            building = max(0, T.place[card] - BUILDING_0)
            if building == 0 or P.built[building] != 0:
                g = T.r_out[T.card_recipe[card]]
                plan[RECIPE, g] = T.card_recipe[card] + 1
                plan[AT, g] = building
        elif op == FIELD_GOODS:
            for g in range(T.n_goods):
                if T.card_goods[card, g] > 0:
                    plan[FIELD, g] = card + 1
        elif op == FIELD_PLUS:
            plan[FIELD, T.field_good[T.place[card]]] = card + 1


@jit
def building_effort(P, T, seat, building, unit):
    """Return the actions it takes to put up a building: its goods and one."""
    if building == 0 or P.built[building] != 0 or forbidden(P, T, seat, BUILD, building):
        return 0.0
    effort = 1.0
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        effort += T.cost[building, g] * max(unit[g], 1.0)
    return effort


@jit
def inputs_effort(T, recipe, unit):
    """Return the actions that go into the inputs of one good."""
    effort = 0.0
    for i in range(T.r_n_in[recipe]):
        effort += T.r_qty[recipe, i] * unit[T.r_in[recipe, i]]
    return effort / T.r_out_qty[recipe]


@jit
def unit_efforts(P, T, W, seat, plan, unit):
    """Write what one more of each good costs in worker actions, once the machinery runs."""
    lowest = 9.0
    for i in range(T.n_goods):
        g = T.order[i]
        card = plan[FIELD, g] - 1
        effort = T.trade_up * lowest + LOT if T.value[g] > 1 and T.cards_only[g] == 0 else 9.0
        if T.value[g] == 1:
            effort = 1.0
            if card >= 0 and T.op[card] == FIELD_PLUS:
                effort = 1.0 / (1 + T.arg_a[card])
        if card >= 0 and T.op[card] == FIELD_GOODS:
            effort = min(effort, 1.0 / T.card_goods[card, g])
        r = plan[RECIPE, g] - 1
        if r >= 0:
            share = W[SHARE] * building_effort(P, T, seat, plan[AT, g], unit) / 6.0
            effort = min(effort, inputs_effort(T, r, unit) + FEW + share)
        unit[g] = effort
        lowest = min(lowest, effort)
    if W[TRADES] > 0.0:
        dearer = 9.0  # cheapest good of a higher value
        same = 9.0
        value = 9
        for i in range(T.n_goods - 1, -1, -1):
            g = T.order[i]
            if T.value[g] != value:
                value = T.value[g]
                dearer = min(dearer, same)
                same = 9.0
            same = min(same, unit[g])
            if T.cards_only[g] == 0:
                unit[g] = min(unit[g], dearer * T.trade_down + LOT)


@jit
def add_building(P, T, seat, plan, building):
    """Put a building on the list, and its cost among the needs."""
    if P.built[building] == 0 and plan[BUILD_ROW, building] == 0 and not forbidden(P, T, seat, BUILD, building):
        plan[BUILD_ROW, building] = 1
        add_cost(T, plan, building)


@jit
def add_cost(T, plan, building):
    """Add the cost of a building to the needs."""
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        plan[NEED, g] += T.cost[building, g]


@jit
def add_goals(P, T, W, seat, plan):
    """Write the goals: army, Terme, Castrum, Foro, and new workers while enough is left to do for them."""
    if P.n_seats > 1:  # for one it is built for free
        add_building(P, T, seat, plan, FORO)
    add_building(P, T, seat, plan, TERME)
    if P.stopped[seat] == 0:
        add_building(P, T, seat, plan, CASTRUM)
    if P.army[seat] == 0:
        for g in range(T.n_goods):
            plan[NEED, g] += T.army_cost[g]
        for i in range(T.op_count[ARMY_LESS]):
            card = T.op_cards[ARMY_LESS, i]
            if P.active[seat, card] != 0:
                for g in range(T.n_goods):
                    plan[NEED, g] = max(0, plan[NEED, g] - T.card_goods[card, g])
    for k in range(3):
        if P.injured[seat, k] > 0:
            for g in range(T.n_goods):
                plan[NEED, g] += T.release_cost[k, g]
    if P.phase == AWAKENING or P.calm_step + 1 >= T.calm_steps:
        wanted = recruits(P, T, W, seat)
        if wanted > 0:
            plan[NEED, T.recruit_good] += wanted
            add_building(P, T, seat, plan, ANFITEATRO)


@jit
def missing_value(P, T, seat):
    """Return the value of the goods still missing for army, Terme and Castrum."""
    total = 0
    for g in range(T.n_goods):
        want = 0
        if P.built[TERME] == 0:
            want += T.goal[0, g]
        if P.built[CASTRUM] == 0:
            want += T.goal[1, g]
        if P.army[seat] == 0:
            want += T.goal[2, g]
        total += max(0, want - P.goods[seat, g]) * T.value[g]
    return total


@jit
def recruits(P, T, W, seat):
    """Return how many new workers a seat wants: as many as one action brings, while enough is left to do."""
    if forbidden(P, T, seat, RECRUIT, 1) or missing_value(P, T, seat) < W[RECRUITS]:
        return 0
    return max(0, min(T.recruit_most, min(T.workers_most, int(W[UNDER])) - P.workers[seat]))


@jit
def best_source(P, T, W, seat, plan, unit, good, short):
    """Return the good to trade from for ``short`` of a good, and the effort; -1 where no trade is possible."""
    best = -1
    least = 1.0e9
    for s in range(T.n_goods):
        spare = P.goods[seat, s] - plan[NEED, s]
        if spare <= 0 and unit[s] > 3.0:
            continue
        rate = trade_rate(T, s, good)
        if rate == 0:
            continue
        lots = short * rate
        if lots > T.cap:
            continue
        spare = max(0, min(spare, lots))
        effort = W[TRADES] + (lots - spare) * unit[s] + spare * W[SPARE] * T.value[s]
        if spare < lots and plan[HOW, s] == 0 and T.value[s] > 1:
            effort += 1.0  # a conversion more
        if effort < least:
            least = effort
            best = s
    return best, least


@jit
def expand(P, T, W, seat, plan, unit):
    """Decide for every missing good how to get it, dear goods first; return whether stacks above were drawn on."""
    again = False
    trades = W[TRADES] > 0.0 and not forbidden(P, T, seat, TRADE, 0)
    for i in range(T.n_goods - 1, -1, -1):
        g = T.order[i]
        short = plan[NEED, g] - P.goods[seat, g]
        if short <= 0 or T.value[g] == 1:
            continue
        least = 1.0e9
        r = plan[RECIPE, g] - 1
        how = 0
        card = plan[FIELD, g] - 1
        if r >= 0:
            least = 1.0 + short * inputs_effort(T, r, unit)
            if plan[BUILD_ROW, plan[AT, g]] == 0:
                least += W[SHARE] * building_effort(P, T, seat, plan[AT, g], unit)
            how = r + 1
        if card >= 0 and short * 1.0 / T.card_goods[card, g] < least:
            least = short * 1.0 / T.card_goods[card, g]
            how = BY_CARD + card
        if trades:
            source, effort = best_source(P, T, W, seat, plan, unit, g, short)
            if source >= 0 and effort < least:
                how = -1 - source
        plan[HOW, g] = how
        if how < 0:
            lots = short * trade_rate(T, -1 - how, g)
            plan[GIVE, -1 - how] += lots
            plan[NEED, -1 - how] += lots
            again = again or (T.value[-1 - how] >= T.value[g] and plan[NEED, -1 - how] > P.goods[seat, -1 - how])
        elif 0 < how < BY_CARD:
            add_inputs(T, plan, r, short)
            building = plan[AT, g]
            if building > 0 and (T.colour[building] == RED or P.phase == AWAKENING or P.built[FORO] != 0):
                add_building(P, T, seat, plan, building)
    return again


@jit
def add_inputs(T, plan, recipe, short):
    """Add the inputs of a conversion to the needs."""
    times = (short + T.r_out_qty[recipe] - 1) // T.r_out_qty[recipe]
    for i in range(T.r_n_in[recipe]):
        plan[NEED, T.r_in[recipe, i]] += times * T.r_qty[recipe, i]


@jit
def again_with(P, T, W, seat, plan):
    """Work the needs out anew with the ways decided on and what they give away."""
    for g in range(T.n_goods):
        plan[NEED, g] = plan[GIVE, g] + plan[ASIDE, g]
    for building in range(1, CASTRUM + 1):
        plan[BUILD_ROW, building] *= 2  # kept on the list
    add_goals(P, T, W, seat, plan)
    for building in range(1, CASTRUM + 1):
        if plan[BUILD_ROW, building] == 2:
            plan[BUILD_ROW, building] = 1
            add_cost(T, plan, building)
    for i in range(T.n_goods - 1, -1, -1):
        g = T.order[i]
        short = plan[NEED, g] - P.goods[seat, g]
        if short > 0 and T.value[g] > 1:
            if plan[HOW, g] == 0 and plan[RECIPE, g] > 0:
                plan[HOW, g] = plan[RECIPE, g]
            if 0 < plan[HOW, g] < BY_CARD:
                add_inputs(T, plan, plan[HOW, g] - 1, short)


@jit
def reserve(P, T, W, seat, plan, unit):
    """Put aside what offerings will ask: points of goods beyond the needs, the shortfall of the cheapest a point."""
    if W[RESERVE] <= 0.0 or (P.phase != AWAKENING and P.calm_step < T.calm_steps):
        return False
    if P.n_seats == 1 and P.rnd >= T.last_round:
        return False  # no offering follows
    points = W[RESERVE] * marker(P, T, seat)
    for g in range(T.n_goods):
        points -= max(0, P.goods[seat, g] - plan[NEED, g]) * T.value[g]
    if points <= 0.0:
        return False
    plan[BUILD_ROW, POINTS] = int(points)
    best = -1
    least = 1.0e9
    for g in range(T.n_goods):
        if T.cards_only[g] == 0 and plan[NEED, g] < T.cap:
            effort = unit[g] / T.value[g]
            if plan[HOW, g] <= 0 and T.value[g] > 1 and P.goods[seat, g] <= plan[NEED, g]:
                effort += 0.15
            if effort < least:
                least = effort
                best = g
    if best < 0:
        return False
    more = int(points / T.value[best] + 0.999)
    more = min(more, T.cap - plan[NEED, best])
    plan[ASIDE, best] += more
    plan[NEED, best] += more
    return more > 0


@jit
def count_work(P, T, seat, plan):
    """Write how many worker actions are left by the plan: a coarse count, cards left out."""
    work = 1 if P.army[seat] == 0 else 0
    for g in range(T.n_goods):
        short = plan[NEED, g] - P.goods[seat, g]
        if short > 0:
            work += short if plan[HOW, g] == 0 or plan[HOW, g] >= BY_CARD else 1
    for building in range(1, CASTRUM + 1):
        work += plan[BUILD_ROW, building]
    plan[BUILD_ROW, WORK] = work


@jit
def make_plan(P, T, W, seat):
    """Return a seat's plan and the effort of one more of each good.

    Parameters
    ----------
    P, T, W
        Public record, tables, weight row.
    seat
        Whose plan.

    Returns
    -------
    plan : ndarray of int64, shape (ROWS, 32)
    unit : ndarray of float64, shape (32,)
        In worker actions.
    """
    plan = np.zeros((ROWS, 32), np.int64)
    unit = np.zeros(32)
    find_makers(P, T, seat, plan)
    unit_efforts(P, T, W, seat, plan, unit)
    add_goals(P, T, W, seat, plan)
    again = expand(P, T, W, seat, plan, unit)
    more = reserve(P, T, W, seat, plan, unit)
    if again or more:
        again_with(P, T, W, seat, plan)
    count_work(P, T, seat, plan)
    return plan, unit


@hot
def shortage(P, plan, seat, good):
    """Return how many of a good the plan still misses."""
    return max(0, plan[NEED, good] - P.goods[seat, good])


@hot
def to_offer(P, plan, seat, good):
    """Return how many of a good the plan does not need, those put aside for offerings included."""
    return max(0, P.goods[seat, good] - plan[NEED, good] + plan[ASIDE, good])


@hot
def to_spare(P, plan, seat, good):
    """Return how many of a good the plan does not need, those meant for trade included."""
    return max(0, P.goods[seat, good] - plan[NEED, good] + plan[GIVE, good])


@hot
def is_field(place):
    """Whether a place is one of the resource fields."""
    return place < N_FIELDS
