"""The greedy player: in every decision what gains most at once, in value of goods and in progress to victory."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import unit
from pompeii_sim.games.pompeii.codes import (
    ACTIVATE,
    ARG,
    ARMY,
    AWAKENING,
    BUILD,
    BUILDING_0,
    CASTRUM,
    COLLECT,
    CONVERT,
    COVER_SPACES,
    D_PLACE,
    D_SECOND,
    DESTROY_TEMPLE,
    EXTRA_ACTIONS,
    FIELD_GOODS,
    FIELD_PLUS,
    FORO,
    GAIN,
    IDLE,
    N_SPECIALISTS,
    NEW_WORKER,
    PASS,
    PRODUCE,
    PRODUCE_PLUS,
    RECRUIT,
    RELEASE,
    SWAP,
    TEMPIO,
    TEMPLE,
    TRADE,
    TRAIN,
    UNCOVER,
    USE,
    WAIVE,
)
from pompeii_sim.games.pompeii.goods import most_conversions, trade_rate
from pompeii_sim.games.pompeii.players.choices import choose_detail
from pompeii_sim.games.pompeii.players.needs import needs
from pompeii_sim.games.pompeii.players.signature import player

# the weight row
NEED, SURPLUS, STEP, TRAINING, CARDS, RECRUITING, TRADING, EXTRA = range(8)
WEIGHTS = {
    "need": 1.0,  # a point of value in goods that are needed
    "surplus": 0.12,  # a point of value in goods that are not
    "step": 4.0,  # a building that is needed, per building
    "training": 1.6,  # a specialist that helps
    "cards": 1.5,  # a city card that helps
    "recruiting": 4.0,  # a new worker
    "trading": 1.0,  # a point of value gained by trade in needed goods
    "extra": 2.0,  # an extra worker action
}


@jit
def point(P, T, W, seat, need, good, count):
    """Return what ``count`` more of a good are worth: needed ones their value, the rest a fraction of it."""
    have = P.goods[seat, good]
    room = T.cap - have
    kept = min(count, room)
    wanted = min(kept, max(0, need[good] - have))
    return T.value[good] * (W[NEED] * wanted + W[SURPLUS] * (kept - wanted))


@jit
def conversion(P, T, W, seat, need, recipe, extra):
    """Return what a conversion gains at its best amount: output gained less inputs that are needed elsewhere."""
    out = T.r_out[recipe]
    have = P.goods[seat, out]
    most = most_conversions(P, T, seat, recipe)
    missing = max(0, need[out] - have)
    amount = min(most, max(1, missing - extra))
    gained = point(P, T, W, seat, need, out, amount * T.r_out_qty[recipe] + extra)
    if missing == 0:
        # nothing is missing: still worth it for surplus inputs
        amount = most
        gained = point(P, T, W, seat, need, out, amount + extra)
        for i in range(T.r_n_in[recipe]):
            good = T.r_in[recipe, i]
            spare = P.goods[seat, good] - need[good]
            lost = min(amount, max(0, amount - max(0, spare)))
            gained -= T.value[good] * (W[NEED] * lost + W[SURPLUS] * (amount - lost))
    return gained


@jit
def best_trade(P, T, seat, need):
    """Return the best trade of surplus for needed goods: (gain in value, give, take, lots)."""
    best = 0.0
    best_give = -1
    best_take = -1
    best_lots = 0
    for take in range(T.n_goods):
        missing = min(need[take], T.cap) - P.goods[seat, take]
        if missing <= 0 or T.cards_only[take] != 0:
            continue
        for give in range(T.n_goods):
            spare = P.goods[seat, give] - need[give]
            if spare <= 0:
                continue
            rate = trade_rate(T, give, take)
            if rate == 0 or spare < rate:
                continue
            lots = min(missing, spare // rate)
            gained = lots * T.value[take] - 0.1 * lots * rate * T.value[give]
            if gained > best:
                best = gained
                best_give = give
                best_take = take
                best_lots = lots
    return best, best_give, best_take, best_lots


@jit
def card_worth(P, T, W, seat, need, build, card):
    """Return what putting a card out promises: goods at once, or a use for a field or building that is needed."""
    op = T.op[card]
    place = T.place[card]
    if op == GAIN:
        gained = 0.0
        for g in range(T.n_goods):
            if T.card_goods[card, g] > 0:
                gained += point(P, T, W, seat, need, g, T.card_goods[card, g])
        return gained
    if op == EXTRA_ACTIONS:
        return W[EXTRA] * T.arg_a[card]
    if op == NEW_WORKER:
        return W[RECRUITING] if P.workers[seat] < T.workers_most else 0.0
    if op == FIELD_PLUS:
        good = T.field_good[place]
        return 1.5 if need[good] > P.goods[seat, good] + 2 else 0.0
    if op == FIELD_GOODS:
        gained = 0.0
        for g in range(T.n_goods):
            if T.card_goods[card, g] > 0 and need[g] > P.goods[seat, g]:
                gained += T.value[g]
        return gained
    if op == CONVERT:
        out = T.r_out[T.card_recipe[card]]
        return 2.0 if need[out] > P.goods[seat, out] else 0.0
    if op == PRODUCE_PLUS:
        out = T.r_out[T.recipe[place - BUILDING_0]]
        return min(T.arg_a[card] * T.value[out] * 0.5, 3.0) if need[out] > P.goods[seat, out] else 0.0
    if op == WAIVE:
        left = 0
        for building in range(1, CASTRUM + 1):
            if build[building] != 0 and T.cost[building, T.arg_a[card]] > 0:
                left += 1
        return 0.5 * left
    if op == TEMPLE:
        return 1.0 if P.built[TEMPIO] != 0 else 0.1
    if op == DESTROY_TEMPLE or op == COVER_SPACES:
        return 0.1
    return 1.0


@jit
def option_worth(P, T, W, seat, need, build, action):
    """Return the immediate gain of a worker action."""
    kind = action // ARG
    arg = action % ARG
    if kind == COLLECT:
        return point(P, T, W, seat, need, T.field_good[arg], 1)
    if kind == PRODUCE:
        if arg == TEMPIO:
            return 1.0
        return conversion(P, T, W, seat, need, T.recipe[arg], 0)
    if kind == USE:
        op = T.op[arg]
        place = T.place[arg]
        if op == FIELD_PLUS:
            return point(P, T, W, seat, need, T.field_good[place], 1 + T.arg_a[arg])
        if op == FIELD_GOODS:
            gained = 0.0
            for g in range(T.n_goods):
                if T.card_goods[arg, g] > 0:
                    gained += point(P, T, W, seat, need, g, T.card_goods[arg, g])
            return gained
        if op == CONVERT:
            return conversion(P, T, W, seat, need, T.card_recipe[arg], 0)
        if op == PRODUCE_PLUS:
            return conversion(P, T, W, seat, need, T.recipe[place - BUILDING_0], T.arg_a[arg])
        return 900.0  # the army for less
    if kind == BUILD:
        building = arg % 32
        if building == CASTRUM:
            # without an army it would only open the door to others
            return 1000.0 if P.army[seat] != 0 and P.injured[seat, 1] == 0 else -5.0
        if build[building] == 0:
            return -1.0
        saved = 0.1 if arg >= 32 else 0.0
        return W[STEP] * (2.0 if building == FORO else 1.0) + saved
    if kind == TRADE:
        return W[TRADING] * best_trade(P, T, seat, need)[0]
    if kind == TRAIN or kind == ACTIVATE:
        card = arg if kind == TRAIN else arg + N_SPECIALISTS
        gained = card_worth(P, T, W, seat, need, build, card)
        if kind == ACTIVATE:
            return W[CARDS] * gained
        for g in range(T.n_goods):
            if T.card_cost[card, g] > 0:
                gained -= 0.5 * T.value[g] * T.card_cost[card, g]
        return W[TRAINING] * gained
    if kind == RECRUIT:
        return W[RECRUITING] * arg - (1.0 if P.phase == AWAKENING else 0.0)
    if kind == ARMY:
        return 800.0
    if kind == RELEASE:
        return 500.0 if arg == 2 else (50.0 if arg == 1 else 4.0)
    if kind == SWAP:
        return 0.05
    if kind == UNCOVER:
        return 0.02
    if kind == IDLE or kind == PASS:
        return 0.0
    return 0.0


@player
def play_greedy(pub, own, tables, weights, luck, acts, n):
    """Take the best immediate gain; ties are broken by the seat's luck."""
    seat = pub.dec_seat
    need, build = needs(pub, tables, seat)
    if pub.dec_kind != D_PLACE and pub.dec_kind != D_SECOND:
        return choose_detail(pub, own, tables, need, build, luck, acts, n)
    best = acts[0]
    highest = -1.0e9
    shift = unit(luck)
    for i in range(n):
        score = option_worth(pub, tables, weights, seat, need, build, acts[i])
        score += 1.0e-6 * ((i * 0.6180339887 + shift) % 1.0)
        if score > highest:
            highest = score
            best = acts[i]
    return best


