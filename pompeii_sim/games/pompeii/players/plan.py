"""The cheapest way a seat sees to victory: goods needed, how each is got, buildings to build.

Worked backwards from the army, the Terme and the Castrum. Effort is counted in worker actions: a collected good costs
one, a conversion or a trade one for the whole stack, a building its goods and one. A missing good is made at its
building, or traded from the stack that costs least (the rulebook's tip on stacks of value IV and V); a step forbidden
to the seat counts as one that somebody else will do. The plan is made anew from what is seen
whenever a worker is to be placed; the choices that follow from that action, and the goods of one payment, keep to it.
"""

from __future__ import annotations

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
    MAX_GOODS,
    N_SPECIALISTS,
    PRODUCE,
    RECRUIT,
    RED,
    TERME,
    TRADE,
    USE,
)
from pompeii_sim.games.pompeii.goods import marker, whole, worth
from pompeii_sim.games.pompeii.moves import forbidden
from pompeii_sim.games.pompeii.players.weights import (
    RECRUITS,
    RESERVE,
    RIVALS,
    ROUNDS,
    SHARE,
    SOLO_SHARE,
    SOLO_SPARE,
    SOLO_TRADES,
    SOLO_UNDER,
    SPARE,
    TRADES,
    UNDER,
    WARY,
)

BY_CARD = 200
FEW = 0.15  # share of a conversion in the effort of one good
LOT = 0.3  # share of a trade in the effort of one good
NO_WAY = 1.0e9
DEAR = 3.0  # effort of one good above which only what is to spare of it is traded away


@jit
def find_makers(P, T, plan, seat):
    """Write which recipe makes each good and where, own active cards included."""
    for g in range(T.n_goods):
        plan.recipe[g] = 0
        plan.at[g] = 0
        plan.field[g] = 0
    for building in range(1, CASTRUM):
        r = T.recipe[building]
        if r >= 0 and not forbidden(P, T, seat, PRODUCE, building):
            g = T.r_out[r]
            if plan.recipe[g] == 0 or (P.built[building] != 0 and P.built[plan.at[g]] == 0):
                plan.recipe[g] = r + 1
                plan.at[g] = building
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
                plan.recipe[g] = T.card_recipe[card] + 1
                plan.at[g] = building
        elif op == FIELD_GOODS:
            for k in range(T.card_goods_n[card]):
                plan.field[T.card_goods_good[card, k]] = card + 1
        elif op == FIELD_PLUS:
            plan.field[T.field_good[T.place[card]]] = card + 1


@jit
def building_effort(P, T, plan, seat, building):
    """Return the actions it takes to put up a building: its goods and one."""
    if building == 0 or P.built[building] != 0 or forbidden(P, T, seat, BUILD, building):
        return 0.0
    effort = 1.0
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        effort += T.cost[building, g] * max(plan.unit[g], 1.0)
    return effort


@jit
def inputs_effort(T, plan, recipe):
    """Return the actions that go into the inputs of one good."""
    effort = 0.0
    for i in range(T.r_n_in[recipe]):
        effort += T.r_qty[recipe, i] * plan.unit[T.r_in[recipe, i]]
    return effort if T.r_out_qty[recipe] == 1 else effort / T.r_out_qty[recipe]


@jit
def unit_efforts(P, T, plan, seat):
    """Write what one more of each good costs in worker actions, once the machinery runs."""
    lowest = 9.0
    for g in range(T.n_goods):
        plan.unit[g] = 0.0
    for i in range(T.n_goods):
        g = T.order[i]
        card = plan.field[g] - 1
        effort = T.trade_up * lowest + LOT if T.value[g] > 1 and T.cards_only[g] == 0 else 9.0
        if T.value[g] == 1:
            effort = 1.0
            if card >= 0 and T.op[card] == FIELD_PLUS:
                effort = 1.0 / (1 + T.arg_a[card])
        if card >= 0 and T.op[card] == FIELD_GOODS:
            effort = min(effort, 1.0 / T.card_goods[card, g])
        r = plan.recipe[g] - 1
        if r >= 0:
            share = plan.w[SHARE] * building_effort(P, T, plan, seat, plan.at[g]) / 6.0
            effort = min(effort, inputs_effort(T, plan, r) + FEW + share)
        plan.unit[g] = effort
        lowest = min(lowest, effort)
    if plan.w[TRADES] > 0.0:
        dearer = 9.0  # cheapest good of a higher value
        same = 9.0
        value = 9
        for i in range(T.n_goods - 1, -1, -1):
            g = T.order[i]
            if T.value[g] != value:
                value = T.value[g]
                dearer = min(dearer, same)
                same = 9.0
            same = min(same, plan.unit[g])
            if T.cards_only[g] == 0:
                plan.unit[g] = min(plan.unit[g], dearer * T.trade_down + LOT)


@jit
def add_building(P, T, plan, seat, building):
    """Put a building on the list, and its cost among the needs."""
    if P.built[building] == 0 and plan.todo[building] == 0 and not forbidden(P, T, seat, BUILD, building):
        plan.todo[building] = 1
        add_cost(T, plan, building)


@jit
def add_cost(T, plan, building):
    """Add the cost of a building to the needs."""
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        plan.need[g] += T.cost[building, g]


@jit
def add_goals(P, T, plan, seat):
    """Write the goals: army, Terme, Castrum, Foro, and new workers while enough is left to do for them."""
    if P.n_seats > 1:  # for one it is built for free
        add_building(P, T, plan, seat, FORO)
    add_building(P, T, plan, seat, TERME)
    if P.stopped[seat] == 0:
        add_building(P, T, plan, seat, CASTRUM)
    if P.army[seat] == 0:
        for i in range(T.n_goal_goods):
            plan.need[T.goal_goods[i]] += T.army_cost[T.goal_goods[i]]
        for i in range(T.op_count[ARMY_LESS]):
            card = T.op_cards[ARMY_LESS, i]
            if P.active[seat, card] != 0:
                for k in range(T.card_goods_n[card]):
                    g = T.card_goods_good[card, k]
                    plan.need[g] = max(0, plan.need[g] - T.card_goods[card, g])
    for k in range(3):
        if P.injured[seat, k] > 0:
            for g in range(T.n_goods):
                plan.need[g] += T.release_cost[k, g]
    if P.phase == AWAKENING or P.calm_step + 1 >= T.calm_steps:
        if wanted(P, T, plan, seat) > 0:
            plan.need[T.recruit_good] += plan.wanted
            add_building(P, T, plan, seat, ANFITEATRO)


@jit
def missing_value(P, T, seat):
    """Return the value of the goods still missing for army, Terme and Castrum."""
    total = 0
    for i in range(T.n_goal_goods):
        g = T.goal_goods[i]
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
def recruits(P, T, plan, seat):
    """Return how many new workers a seat wants: as many as one action brings, while enough is left to do for all."""
    if forbidden(P, T, seat, RECRUIT, 1) or missing_value(P, T, seat) < plan.w[RECRUITS]:
        return 0
    for other in range(P.n_seats):
        if other != seat and missing_value(P, T, other) < plan.w[RIVALS]:
            return 0
    return max(0, min(T.recruit_most, min(T.workers_most, int(plan.w[UNDER])) - P.workers[seat]))


@jit
def wanted(P, T, plan, seat):
    """Return how many new workers the plan wants, worked out when it is asked for the first time."""
    if plan.wanted < 0:
        plan.wanted = recruits(P, T, plan, seat)
    return plan.wanted


@hot
def take_stock(P, plan, seat, good):
    """Write what is there of a good beyond the need."""
    plan.stock[good] = max(0, P.goods[seat, good] - plan.need[good])


@jit
def best_source(T, plan, good, short):
    """Return the good to trade from for ``short`` of a good, and the effort; -1 where no trade is possible.

    The first loop has no branches, so that it is carried out for several goods at once.
    """
    base = plan.w[TRADES]
    small = plan.w[SPARE]
    asked = 1.0 * short
    most = 1.0 * T.cap
    for s in range(MAX_GOODS):
        lots = asked * T.rate[good, s]
        stock = plan.stock[s]
        spare = stock if stock < lots else lots
        effort = base + (lots - spare) * plan.unit[s] + spare * small * T.points[s]
        effort += plan.conversion[s] if stock < lots else 0.0
        never = (lots <= 0.0) | (lots > most) | ((stock <= 0.0) & (plan.unit[s] > DEAR))
        plan.effort[s] = NO_WAY if never else effort
    best = -1
    least = NO_WAY
    for s in range(T.n_goods):
        if plan.effort[s] < least:
            least = plan.effort[s]
            best = s
    return best, least


@jit
def expand(P, T, plan, seat):
    """Decide for every missing good how to get it, dear goods first; return whether stacks above were drawn on."""
    again = False
    trades = plan.w[TRADES] > 0.0 and not forbidden(P, T, seat, TRADE, 0)
    for g in range(T.n_goods):
        take_stock(P, plan, seat, g)
    for i in range(T.n_goods - 1, -1, -1):
        g = T.order[i]
        short = plan.need[g] - P.goods[seat, g]
        if short <= 0 or T.value[g] == 1:
            continue
        least = 1.0e9
        r = plan.recipe[g] - 1
        how = 0
        card = plan.field[g] - 1
        if r >= 0:
            least = 1.0 + short * inputs_effort(T, plan, r)
            if plan.todo[plan.at[g]] == 0:
                least += plan.w[SHARE] * building_effort(P, T, plan, seat, plan.at[g])
            how = r + 1
        if card >= 0 and short * 1.0 / T.card_goods[card, g] < least:
            least = short * 1.0 / T.card_goods[card, g]
            how = BY_CARD + card
        if trades:
            source, effort = best_source(T, plan, g, short)
            if source >= 0 and effort < least:
                how = -1 - source
        plan.how[g] = how
        if how != 0:
            plan.conversion[g] = 0.0
        if how < 0:
            lots = short * T.price[g, -1 - how]
            plan.give[-1 - how] += lots
            plan.need[-1 - how] += lots
            take_stock(P, plan, seat, -1 - how)
            again = again or (T.value[-1 - how] >= T.value[g] and plan.need[-1 - how] > P.goods[seat, -1 - how])
        elif 0 < how < BY_CARD:
            add_inputs(T, plan, r, short)
            building = plan.at[g]
            if building > 0 and (T.colour[building] == RED or P.phase == AWAKENING or P.built[FORO] != 0):
                add_building(P, T, plan, seat, building)
                for k in range(T.cost_n[building]):
                    take_stock(P, plan, seat, T.cost_good[building, k])
            for k in range(T.r_n_in[r]):
                take_stock(P, plan, seat, T.r_in[r, k])
    return again


@jit
def add_inputs(T, plan, recipe, short):
    """Add the inputs of a conversion to the needs."""
    times = whole(short + T.r_out_qty[recipe] - 1, T.r_out_qty[recipe])
    for i in range(T.r_n_in[recipe]):
        plan.need[T.r_in[recipe, i]] += times * T.r_qty[recipe, i]


@jit
def again_with(P, T, plan, seat):
    """Work the needs out anew with the ways decided on and what they give away."""
    for g in range(T.n_goods):
        plan.need[g] = plan.give[g] + plan.aside[g]
    for building in range(1, CASTRUM + 1):
        plan.todo[building] *= 2  # kept on the list
    add_goals(P, T, plan, seat)
    for building in range(1, CASTRUM + 1):
        if plan.todo[building] == 2:
            plan.todo[building] = 1
            add_cost(T, plan, building)
    for i in range(T.n_goods - 1, -1, -1):
        g = T.order[i]
        short = plan.need[g] - P.goods[seat, g]
        if short > 0 and T.value[g] > 1:
            if plan.how[g] == 0 and plan.recipe[g] > 0:
                plan.how[g] = plan.recipe[g]
            if 0 < plan.how[g] < BY_CARD:
                add_inputs(T, plan, plan.how[g] - 1, short)


@jit
def reserve(P, T, plan, seat):
    """Put aside what offerings will ask: points of goods beyond the needs, the shortfall of the cheapest a point."""
    if plan.w[RESERVE] <= 0.0 or (P.phase != AWAKENING and P.calm_step < T.calm_steps):
        return False
    if P.n_seats == 1 and P.rnd >= T.last_round:
        return False  # no offering follows
    points = plan.w[RESERVE] * marker(P, T, seat)
    for g in range(T.n_goods):
        points -= max(0, P.goods[seat, g] - plan.need[g]) * T.value[g]
    if points <= 0.0:
        return False
    plan.points = int(points)
    best = -1
    least = 1.0e9
    for g in range(T.n_goods):
        if T.cards_only[g] == 0 and plan.need[g] < T.cap:
            effort = plan.unit[g] / T.value[g]
            if plan.how[g] <= 0 and T.value[g] > 1 and P.goods[seat, g] <= plan.need[g]:
                effort += 0.15
            if effort < least:
                least = effort
                best = g
    if best < 0:
        return False
    more = int(points / T.value[best] + 0.999)
    more = min(more, T.cap - plan.need[best])
    plan.aside[best] += more
    plan.need[best] += more
    return more > 0


@jit
def is_table_poor(P, T, plan, seat):
    """Whether the others hold less than some markers' worth each: then offerings fail once the Foro stands."""
    held = 0
    markers = 0
    for other in range(P.n_seats):
        if other != seat:
            held += worth(P, T, other)
            markers += marker(P, T, other)
    return held < plan.w[WARY] * markers


@jit
def limit_needs(T, plan):
    """Let no need exceed what a seat can hold; what was meant for trade goes first."""
    for g in range(T.n_goods):
        over = plan.need[g] - T.cap
        if over > 0:
            plan.need[g] = T.cap
            plan.give[g] = max(0, plan.give[g] - over)


@jit
def count_work(P, T, plan, seat):
    """Write how many worker actions are left by the plan: a coarse count, cards left out."""
    work = 1 if P.army[seat] == 0 else 0
    for g in range(T.n_goods):
        short = plan.need[g] - P.goods[seat, g]
        if short > 0:
            work += short if plan.how[g] == 0 or plan.how[g] >= BY_CARD else 1
    for building in range(1, CASTRUM + 1):
        work += plan.todo[building]
    plan.work = work
    plan.rounds = plan.w[ROUNDS] * work / max(1, P.workers[seat])
    if P.n_seats == 1:
        plan.rounds = min(plan.rounds, 1.0 * (T.last_round - P.rnd))


@jit
def blank(T, plan):
    """Clear what a plan adds to."""
    for g in range(T.n_goods):
        plan.need[g] = 0
        plan.how[g] = 0
        plan.give[g] = 0
        plan.aside[g] = 0
        plan.conversion[g] = 1.0 if T.value[g] > 1 else 0.0
    for building in range(CASTRUM + 1):
        plan.todo[building] = 0
    plan.wanted = -1
    plan.points = 0
    plan.poor = 0
    plan.made = 0
    plan.paying = 0
    plan.ready = 0


@jit
def make_plan(P, T, W, plan, seat):
    """Fill a record with a seat's plan, whatever it held before.

    Parameters
    ----------
    P, T, W
        Public record, tables, weight row.
    plan
        Record of type `PLAN`.
    seat
        Whose plan.
    """
    blank(T, plan)
    same = True
    for i in range(len(plan.w)):
        same = same and plan.w[i] == W[i]
        plan.w[i] = W[i]
    if P.n_seats == 1:
        plan.w[SPARE] = W[SOLO_SPARE]
        plan.w[TRADES] = W[SOLO_TRADES]
        plan.w[SHARE] = W[SOLO_SHARE]
        plan.w[UNDER] = W[SOLO_UNDER]
    if not same or plan.tiles != P.tile_changes + 1 or plan.cards != P.card_changes[seat] + 1:
        find_makers(P, T, plan, seat)
        unit_efforts(P, T, plan, seat)
        plan.tiles = P.tile_changes + 1
        plan.cards = P.card_changes[seat] + 1
    add_goals(P, T, plan, seat)
    again = expand(P, T, plan, seat)
    more = reserve(P, T, plan, seat)
    if again or more:
        again_with(P, T, plan, seat)
    limit_needs(T, plan)
    count_work(P, T, plan, seat)
    if P.n_seats > 1 and P.built[FORO] == 0 and P.calm_step + 2 >= T.calm_steps and is_table_poor(P, T, plan, seat):
        plan.poor = 1


@hot
def shortage(P, plan, seat, good):
    """Return how many of a good the plan still misses."""
    return max(0, plan.need[good] - P.goods[seat, good])


@hot
def to_offer(P, plan, seat, good):
    """Return how many of a good the plan does not need, those put aside for offerings included."""
    return max(0, P.goods[seat, good] - plan.need[good] + plan.aside[good])


@hot
def to_spare(P, plan, seat, good):
    """Return how many of a good the plan does not need, those meant for trade included."""
    return max(0, P.goods[seat, good] - plan.need[good] + plan.give[good])


@jit
def list_spares(P, T, plan, seat):
    """List the goods of which some are to spare."""
    plan.spares = 0
    for g in range(T.n_goods):
        if to_spare(P, plan, seat, g) > 0:
            plan.spare[plan.spares] = g
            plan.spares += 1
