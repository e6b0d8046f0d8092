"""What a worker action gains a seat that follows a plan, in worker actions saved."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.pompeii.codes import (
    ACTIVATE,
    ARG,
    ARMY,
    ARMY_LESS,
    BUILD,
    BUILDING_0,
    CANCEL_OFFERING,
    CASTRUM,
    CO_OWNER,
    COLLECT,
    CONVERT,
    COVER_SPACES,
    DESTROY_TEMPLE,
    DRAW_KEEP,
    EXCHANGE_CITY,
    EXTRA_ACTIONS,
    EXTRA_SPACE,
    FIELD_GOODS,
    FIELD_PLUS,
    FORO,
    FREE_SPECIALISTS,
    FROM_DISCARD,
    GAIN,
    GAIN_CHOICE,
    INJURE_ARMY,
    INJURE_WORKER,
    LOSE_WORKER,
    N_SPECIALISTS,
    NEW_WORKER,
    NO_BONUS,
    ONCE,
    PORTA_OWNER,
    PRODUCE,
    PRODUCE_PLUS,
    RECEIVE_GIFTS,
    RECLAIM_WORKERS,
    RECRUIT,
    RELEASE,
    STEAL_CHOICE,
    STEAL_EACH,
    SWAP,
    SWAP_SAME_VALUE,
    TAKE_SPECIALIST,
    TAKE_TEMPLE,
    TEMPIO,
    TEMPLE,
    TRADE,
    TRAIN,
    UNCOVER,
    USE,
    WAIVE,
)
from pompeii_sim.games.pompeii.goods import is_blocked, most_conversions, whole
from pompeii_sim.games.pompeii.players.plan import (
    inputs_effort,
    list_spares,
    shortage,
    to_offer,
    to_spare,
    wanted,
)
from pompeii_sim.games.pompeii.players.weights import (
    ATTACK,
    CARDS,
    FORO_BONUS,
    FORO_HASTE,
    OWNING,
    PARTIAL,
    POINT,
    READY,
    RECRUITING,
    SPARE,
    TEMPLES,
    TRADES,
    TRAINING,
    UNPLANNED,
)


@hot
def gain_of(P, T, plan, seat, good, count):
    """Return what ``count`` more of a good are worth: needed ones the actions they save, the rest little."""
    have = P.goods[seat, good]
    count = min(count, T.cap - have)
    wanted = min(count, max(0, plan.need[good] - have))
    each = 0.6 * plan.unit[good] if plan.how[good] < 0 and T.value[good] == 1 else plan.unit[good]
    return wanted * each + (count - wanted) * plan.w[SPARE] * T.value[good]


@hot
def collect_gain(P, T, plan, seat, good, count):
    """Return what ``count`` more of a good are worth, nothing where it is blocked."""
    if is_blocked(P, good):
        return 0.0
    return gain_of(P, T, plan, seat, good, count)


@hot
def loss_of(P, T, plan, seat, good, count):
    """Return what ``count`` less of a good cost: spare ones little, needed ones the actions to get them again."""
    spare = min(count, to_offer(P, plan, seat, good))
    return (count - spare) * plan.unit[good] + spare * plan.w[SPARE] * T.value[good]


@jit
def useful_times(P, T, plan, seat, recipe, plus):
    """Return how often a conversion serves the plan, and how often it would have to."""
    out = T.r_out[recipe]
    short = shortage(P, plan, seat, out)
    asked = whole(max(0, short - plus) + T.r_out_qty[recipe] - 1, T.r_out_qty[recipe])
    if short > 0:
        asked = max(1, asked)
    times = min(
        most_conversions(P, T, seat, recipe), whole(max(0, T.cap - P.goods[seat, out] - plus), T.r_out_qty[recipe])
    )
    for i in range(T.r_n_in[recipe]):
        g = T.r_in[recipe, i]
        reserved = plan.need[g] - plan.give[g]
        if plan.how[out] == recipe + 1:
            reserved -= short * T.r_qty[recipe, i]
        times = min(times, whole(max(0, P.goods[seat, g] - max(0, reserved)), T.r_qty[recipe, i]))
    return times, asked


@jit
def spare_times(P, T, plan, seat, recipe):
    """Return how often a conversion can be carried out with goods the plan does not need."""
    times = whole(T.cap - P.goods[seat, T.r_out[recipe]], T.r_out_qty[recipe])
    for i in range(T.r_n_in[recipe]):
        g = T.r_in[recipe, i]
        times = min(times, whole(max(0, P.goods[seat, g] - plan.need[g]), T.r_qty[recipe, i]))
    return times


@jit
def conversion_gain(P, T, plan, seat, recipe, plus):
    """Return what a conversion gains: 1 when it completes a step of the plan, a part of it for a part."""
    out = T.r_out[recipe]
    gained = 0.0
    if plus > 0:
        gained = gain_of(P, T, plan, seat, out, plus)
    times, asked = useful_times(P, T, plan, seat, recipe, plus)
    climb = T.value[out] * T.r_out_qty[recipe]
    for i in range(T.r_n_in[recipe]):
        climb -= T.value[T.r_in[recipe, i]] * T.r_qty[recipe, i]
    spare = spare_times(P, T, plan, seat, recipe)
    # refined goods pay offerings at less effort a point
    gained += plan.w[POINT] * max(0, min(plan.points, climb * max(spare, min(times, asked)) + plus * T.value[out]))
    if asked > 0 and times > 0:
        if times >= asked:
            return gained + 1.0
        gained += plan.w[PARTIAL] * times / asked
    if spare > 0:
        gained = max(gained, gained + plan.w[SPARE] * climb * spare)
    return gained


@jit
def best_trade(P, T, plan, seat):
    """Return the best trade of the plan: (gain, give, take, lots); -1 for goods where there is none."""
    best = 0.0
    best_give = -1
    best_take = -1
    best_lots = 0
    if plan.w[TRADES] > 0.0:
        for take in range(T.n_goods):
            if plan.how[take] >= 0:
                continue
            short = shortage(P, plan, seat, take)
            give = -1 - plan.how[take]
            rate = T.price[take, give]
            if short == 0 or rate == 0:
                continue
            lots = min(short, T.cap - P.goods[seat, take], to_spare(P, plan, seat, give) // rate)
            gained = 1.0 if lots >= short else plan.w[PARTIAL] * lots / short
            if lots > 0 and gained > best:
                best = gained
                best_give = give
                best_take = take
                best_lots = lots
        return best, best_give, best_take, best_lots
    # without a plan for trades: surplus for what is missing, by value
    list_spares(P, T, plan, seat)
    for take in range(T.n_goods):
        short = shortage(P, plan, seat, take)
        if short == 0:
            continue
        for i in range(plan.spares):
            give = plan.spare[i]
            spare = to_spare(P, plan, seat, give)
            rate = T.price[take, give]
            if rate == 0 or spare < rate:
                continue
            lots = min(short, T.cap - P.goods[seat, take], spare // rate)
            gained = lots * (plan.unit[take] - plan.w[SPARE] * rate * T.value[give])
            if gained > best:
                best = gained
                best_give = give
                best_take = take
                best_lots = lots
    return best, best_give, best_take, best_lots


@jit
def swap_gain(P, T, plan, seat, give):
    """Return what exchanging spare goods of a kind for another of the same value gains. [C52]"""
    spare = to_spare(P, plan, seat, give)
    best = 0.0
    if spare > 0:
        for take in range(T.n_goods):
            if take != give and T.value[take] == T.value[give]:
                count = min(spare, shortage(P, plan, seat, take))
                gained = collect_gain(P, T, plan, seat, take, count)
                best = max(best, gained - count * plan.w[SPARE] * T.value[give])
    return best


@jit
def card_goods_gain(P, T, plan, seat, card):
    """Return what the goods shown on a card gain."""
    gained = 0.0
    for i in range(T.card_goods_n[card]):
        g = T.card_goods_good[card, i]
        gained += collect_gain(P, T, plan, seat, g, T.card_goods[card, g])
    return gained


@jit
def lasting_gain(P, T, plan, seat, card, rounds):
    """Return what an always-card promises for the rest of the plan, in actions."""
    op = T.op[card]
    place = T.place[card]
    if op == FIELD_PLUS:
        short = shortage(P, plan, seat, T.field_good[place])
        return short * T.arg_a[card] / (1.0 + T.arg_a[card]) - (0.5 if short > 0 else 0.0)
    if op == FIELD_GOODS:
        gained = 0.0
        for i in range(T.card_goods_n[card]):
            g = T.card_goods_good[card, i]
            short = shortage(P, plan, seat, g)
            gained += short * max(0.0, plan.unit[g] - 1.0 / T.card_goods[card, g])
        return gained
    if op == CONVERT:
        recipe = T.card_recipe[card]
        out = T.r_out[recipe]
        short = shortage(P, plan, seat, out)
        if short == 0 or plan.how[out] == recipe + 1:
            return 0.0
        saved = short * (plan.unit[out] - inputs_effort(T, plan, recipe))
        if place < BUILDING_0 and P.built[plan.at[out]] == 0:
            saved += 2.0
        return saved
    if op == PRODUCE_PLUS:
        building = place - BUILDING_0
        out = T.r_out[T.recipe[building]]
        short = shortage(P, plan, seat, out)
        if short == 0:
            return 0.0
        uses = 1.0 if short < 6 else 1.5
        known = 1.0 if P.built[building] != 0 and plan.how[out] > 0 else 0.2
        return known * uses * min(short, T.arg_a[card]) * plan.unit[out]
    if op == WAIVE:
        left = 0
        for building in range(1, CASTRUM + 1):
            if plan.todo[building] != 0 and T.cost[building, T.arg_a[card]] > 0:
                left += 1
        return 1.0 * left
    if op == TEMPLE:
        return plan.w[TEMPLES] * (2.0 if P.built[TEMPIO] != 0 else 0.3)
    if op == ARMY_LESS:
        return card_goods_gain(P, T, plan, seat, card) if P.army[seat] == 0 else 0.0
    if op == PORTA_OWNER:
        return 0.3 * rounds
    if op == NO_BONUS:
        return plan.w[ATTACK] * 0.1 * rounds
    if op == EXTRA_SPACE:
        return 0.1 * rounds
    return 0.0


@jit
def harms(op):
    """Whether a card does nothing, or harm, where there is nobody else."""
    return (
        op == STEAL_CHOICE
        or op == CO_OWNER
        or op == TAKE_SPECIALIST
        or op == TAKE_TEMPLE
        or op == DESTROY_TEMPLE
        or op == INJURE_WORKER
        or op == COVER_SPACES
        or op == PORTA_OWNER
        or op == NO_BONUS
    )


@jit
def card_gain(P, T, plan, seat, card, rounds):
    """Return what putting a card out promises, in actions, its cost left out."""
    op = T.op[card]
    others = P.n_seats - 1
    if others == 0 and harms(op):
        return 0.0
    if op == GAIN:
        return card_goods_gain(P, T, plan, seat, card)
    if op == GAIN_CHOICE:
        best = 0.0
        for g in range(T.n_goods):
            if T.value[g] == T.arg_a[card]:
                best = max(best, gain_of(P, T, plan, seat, g, 1))
        return best * T.arg_b[card]
    if op == EXTRA_ACTIONS:
        return 0.95 * T.arg_a[card]
    if op == NEW_WORKER:
        if P.workers[seat] >= T.workers_most:
            return 0.0
        return plan.w[RECRUITING] * rounds
    if op == STEAL_EACH:
        return (0.8 + plan.w[ATTACK]) * others
    if op == RECEIVE_GIFTS:
        return (0.3 + 0.5 * plan.w[ATTACK]) * others
    if op == STEAL_CHOICE:
        return 1.2 + plan.w[ATTACK]
    if op == CO_OWNER:
        return 0.2 * rounds if others > 0 else 0.0
    if op == FREE_SPECIALISTS:
        return 1.2 * T.arg_a[card]
    if op == DRAW_KEEP or op == FROM_DISCARD:
        return 1.0
    if op == EXCHANGE_CITY:
        return 0.7
    if op == TAKE_SPECIALIST:
        return 0.3 + plan.w[ATTACK]
    if op == TAKE_TEMPLE or op == DESTROY_TEMPLE:
        return plan.w[ATTACK] * (1.0 if P.built[TEMPIO] != 0 else 0.0)
    if op == INJURE_WORKER:
        return plan.w[ATTACK] * (1.0 + 0.3 * rounds)
    if op == LOSE_WORKER:
        hurt = 0
        for seat_ in range(P.n_seats):
            if seat_ != seat and P.workers[seat_] > T.arg_a[card]:
                hurt += 1
        return plan.w[ATTACK] * hurt * (0.5 + 0.3 * rounds)
    if op == INJURE_ARMY:
        for seat_ in range(P.n_seats):
            if seat_ != seat and P.army[seat_] != 0:
                return 3.0  # it cannot win before it frees the worker
        return 0.0
    if op == COVER_SPACES:
        return 0.5 * plan.w[ATTACK]
    if op == RECLAIM_WORKERS:
        most = 0
        for building in range(1, CASTRUM):
            if building != FORO:
                most = max(most, P.used[BUILDING_0 + building])
        return 0.95 * most
    if op == SWAP_SAME_VALUE:
        best = 0.0
        for g in range(T.n_goods):
            best = max(best, swap_gain(P, T, plan, seat, g))
        return best
    if op == CANCEL_OFFERING:
        return 0.0
    return lasting_gain(P, T, plan, seat, card, rounds)


@jit
def temple_gain(P, T, plan, seat):
    """Return what the Tempio gains: the best stack of spare value-I goods turned into the best good of value III."""
    stack = 0
    for g in range(T.n_goods):
        if T.value[g] == 1:
            stack = max(stack, to_spare(P, plan, seat, g))
    best = 0.0
    for g in range(T.n_goods):
        if T.value[g] == 3 and T.cards_only[g] == 0 and stack > 0:
            best = max(best, gain_of(P, T, plan, seat, g, stack))
    return best


@jit
def build_gain(P, T, plan, seat, building, waived):
    """Return what building a tile gains: a step of the plan, extra cards, an owner's hopes; less goods it takes."""
    if building == CASTRUM:
        # without an army it would only open the door to the others
        return 1000.0 if P.army[seat] != 0 and P.injured[seat, 1] == 0 and P.injured[seat, 2] == 0 else -5.0
    owning = plan.w[OWNING] if T.recipe[building] >= 0 and P.n_seats > 1 else 0.0
    saved = 0.0
    if waived >= 0:
        saved = 0.2
    if building == FORO and plan.poor != 0 and plan.work > plan.w[READY]:
        return -1.0
    if plan.todo[building] != 0:
        return 1.0 + saved + owning + (plan.w[FORO_BONUS] if building == FORO else 0.0)
    lost = 0.0
    for i in range(T.cost_n[building]):
        g = T.cost_good[building, i]
        if g != waived:
            lost += loss_of(P, T, plan, seat, g, T.cost[building, g])
    return owning + plan.w[UNPLANNED] - lost


@jit
def use_gain(P, T, plan, seat, card):
    """Return what using an active card at its place gains."""
    op = T.op[card]
    place = T.place[card]
    if T.mark[card] == ONCE:  # an open specialist, alone
        return card_gain(P, T, plan, seat, card, 0.0)
    if op == FIELD_PLUS:
        return collect_gain(P, T, plan, seat, T.field_good[place], 1 + T.arg_a[card])
    if op == FIELD_GOODS:
        return card_goods_gain(P, T, plan, seat, card)
    if op == CONVERT:
        return conversion_gain(P, T, plan, seat, T.card_recipe[card], 0)
    if op == PRODUCE_PLUS:
        return conversion_gain(P, T, plan, seat, T.recipe[place - BUILDING_0], T.arg_a[card])
    return 900.0  # the army for less


@hot
def option_gain(P, T, plan, seat, traded, action):
    """Return what a worker action gains; ``traded`` is the gain of the best trade."""
    gained = plain_gain(P, T, plan, seat, traded, action)
    if (
        P.built[FORO] == 0
        and gained > 0.0
        and plan.poor == 0
        and P.calm_step + 2 >= T.calm_steps
        and helps_foro(P, T, plan, seat, action)
    ):
        gained += plan.w[FORO_HASTE]
    return gained


@jit
def helps_foro(P, T, plan, seat, action):
    """Whether an action brings a good that the Foro still asks of the seat, or an input of it."""
    kind = action // ARG
    arg = action % ARG
    if kind == PRODUCE and T.recipe[arg] >= 0:
        good = T.r_out[T.recipe[arg]]
        return T.cost[FORO, good] > P.goods[seat, good]
    for k in range(T.cost_n[FORO]):
        g = T.cost_good[FORO, k]
        if T.cost[FORO, g] > P.goods[seat, g]:
            if kind == COLLECT:
                r = plan.how[g] - 1
                if 0 <= r < 200:
                    for i in range(T.r_n_in[r]):
                        if T.r_in[r, i] == T.field_good[arg] and P.goods[seat, T.field_good[arg]] < T.r_qty[r, i]:
                            return True
            elif kind == BUILD:
                if plan.at[g] == arg % 32:
                    return True
            elif kind == TRADE:
                if plan.how[g] < 0 and to_spare(P, plan, seat, -1 - plan.how[g]) > 0:
                    return True
    return False


@hot
def plain_gain(P, T, plan, seat, traded, action):
    """Return what a worker action gains, the Foro's haste left out."""
    kind = action // ARG
    arg = action % ARG
    rounds = plan.rounds
    if kind == COLLECT:
        return collect_gain(P, T, plan, seat, T.field_good[arg], 1)
    if kind == PRODUCE:
        if arg == TEMPIO:
            return temple_gain(P, T, plan, seat)
        return conversion_gain(P, T, plan, seat, T.recipe[arg], 0)
    if kind == USE:
        return use_gain(P, T, plan, seat, arg) + 0.01
    if kind == BUILD:
        waived = T.arg_a[T.op_cards[WAIVE, arg // 32 - 1]] if arg >= 32 else -1
        return build_gain(P, T, plan, seat, arg % 32, waived)
    if kind == TRADE:
        return traded
    if kind == TRAIN:
        gained = plan.w[TRAINING] * card_gain(P, T, plan, seat, arg, rounds)
        for i in range(T.card_cost_n[arg]):
            g = T.card_cost_good[arg, i]
            gained -= loss_of(P, T, plan, seat, g, T.card_cost[arg, g])
        return gained
    if kind == ACTIVATE:
        return plan.w[CARDS] * card_gain(P, T, plan, seat, arg + N_SPECIALISTS, rounds)
    if kind == RECRUIT:
        return plan.w[RECRUITING] * arg * rounds if wanted(P, T, plan, seat) >= arg else -1.0
    if kind == ARMY:
        return 800.0
    if kind == RELEASE:
        return 500.0 if arg == 2 else (50.0 if arg == 1 else 0.5 * rounds)
    if kind == SWAP:
        return 0.02
    if kind == UNCOVER:
        return 0.01
    return 0.0
