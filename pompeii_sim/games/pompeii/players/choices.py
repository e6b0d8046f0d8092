"""Choices that follow a worker action or a card, made by what is needed: shared by the scripted players."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import below
from pompeii_sim.games.pompeii.codes import (
    AMOUNT,
    ARG,
    BUILDING_0,
    CANCEL_OFFERING,
    D_AMOUNT,
    D_BONUS,
    D_COVER,
    D_EXCHANGE,
    D_GIFT,
    D_INJURE_WORKER,
    D_KEEP,
    D_LOSE_WORKER,
    D_PAY,
    D_PLEDGE,
    D_SAME_FROM,
    D_SAME_TO,
    D_STAR,
    D_START,
    D_STEAL_GOOD,
    D_STOP,
    D_SWAP_GOOD,
    D_TAKE_GOOD,
    D_TEMPIO_AMOUNT,
    D_TEMPIO_FROM,
    D_TEMPIO_TO,
    D_TRADE_FROM,
    D_TRADE_LOTS,
    D_TRADE_TO,
    N_PLACES,
    N_SPECIALISTS,
    OFFERING_VALUE,
    PRODUCE_PLUS,
    STAY_OUT,
)
from pompeii_sim.games.pompeii.goods import trade_rate


@jit
def missing(P, T, seat, need, good):
    """Return how many of a good a seat still needs, never more than it can hold."""
    return max(0, min(need[good], T.cap) - P.goods[seat, good])


@jit
def pick_good(P, T, seat, need, acts, n, giving):
    """Return the listed good most wanted (taking) or least wanted (giving)."""
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        good = acts[i] % ARG
        short = need[good] - P.goods[seat, good]
        if giving:
            # goods beyond the need first, cheap ones first, large stacks first
            score = -1.0 * T.value[good] + (10.0 if short < 0 else 0.0) + 0.01 * P.goods[seat, good]
        else:
            room = 0.0 if P.goods[seat, good] < T.cap else -50.0
            score = room + T.value[good] * (1.0 if short > 0 else 0.1) + 0.01 * short
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def amount(P, T, seat, need, acts, n):
    """Return how much to convert or trade: what is missing of the output, else all that is to spare."""
    kind = P.dec_kind
    most = acts[n - 1] % ARG
    least = acts[0] % ARG
    spare = most
    if kind == D_AMOUNT:
        recipe = P.dec_a
        out = T.r_out[recipe]
        extra = 0
        if P.dec_c >= 0 and T.op[P.dec_c] == PRODUCE_PLUS:
            extra = T.arg_a[P.dec_c]
        wanted = missing(P, T, seat, need, out) - extra
        for i in range(T.r_n_in[recipe]):
            good = T.r_in[recipe, i]
            spare = min(spare, (P.goods[seat, good] - need[good]) // T.r_qty[recipe, i])
        room = T.cap - P.goods[seat, out] - extra
    else:
        out = P.dec_b
        rate = trade_rate(T, P.dec_a, out) if kind == D_TRADE_LOTS else 1
        wanted = missing(P, T, seat, need, out)
        spare = (P.goods[seat, P.dec_a] - need[P.dec_a]) // max(1, rate)
        room = T.cap - P.goods[seat, out]
    chosen = max(wanted, spare if kind == D_AMOUNT else 0)
    chosen = max(least, min(most, min(chosen, room)))
    return AMOUNT * ARG + max(1, chosen)


@jit
def pick_trade(P, T, seat, need, acts, n):
    """Return the good to give at the Porta, or the good to take for the one given."""
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        good = acts[i] % ARG
        if P.dec_kind == D_TRADE_FROM:
            score = -1.0e6
            spare = P.goods[seat, good] - need[good]
            for take in range(T.n_goods):
                rate = trade_rate(T, good, take)
                short = missing(P, T, seat, need, take)
                if rate > 0 and spare >= rate and short > 0:
                    lots = min(short, spare // rate)
                    score = max(score, lots * T.value[take] - 0.1 * lots * rate * T.value[good])
        else:
            rate = max(1, trade_rate(T, P.dec_a, good))
            spare = P.goods[seat, P.dec_a] - need[P.dec_a]
            lots = min(missing(P, T, seat, need, good), max(0, spare) // rate)
            score = lots * T.value[good] - 0.1 * lots * rate * T.value[P.dec_a]
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def first_building(P, T, need, build, luck, acts, n):
    """Return the first red building: one that is needed, by luck among them."""
    count = 0
    for i in range(n):
        if build[acts[i] % ARG] != 0:
            count += 1
    if count == 0:
        return acts[below(luck, n)]
    pick = below(luck, count)
    for i in range(n):
        if build[acts[i] % ARG] != 0:
            if pick == 0:
                return acts[i]
            pick -= 1
    return acts[0]


@jit
def star_card(P, T, seat, acts, n):
    """Return a star card worth playing at the offering, or pass: lower the total, never raise or cancel it."""
    for i in range(1, n):
        card = acts[i] % ARG + N_SPECIALISTS
        if T.op[card] == OFFERING_VALUE and T.arg_a[card] < 0:
            return acts[i]
        if T.op[card] == STAY_OUT and P.workers[seat] >= 4:
            return acts[i]
        if T.op[card] == CANCEL_OFFERING and P.army[seat] != 0 and P.volcano_left > 12:
            return acts[i]
    return acts[0]


@jit
def worker_choice(P, acts, n):
    """Return the worker to give up: one already placed, so that an action is not lost."""
    for i in range(n):
        if acts[i] % ARG != N_PLACES:
            return acts[i]
    return acts[0]


@jit
def choose_detail(P, O, T, need, build, luck, acts, n):  # noqa: E741
    """Return the choice of any decision other than placing a worker."""
    kind = P.dec_kind
    seat = P.dec_seat
    if kind == D_START:
        return first_building(P, T, need, build, luck, acts, n)
    if kind in (D_AMOUNT, D_TRADE_LOTS, D_TEMPIO_AMOUNT):
        return amount(P, T, seat, need, acts, n)
    if kind in (D_TRADE_FROM, D_TRADE_TO):
        return pick_trade(P, T, seat, need, acts, n)
    if kind in (D_BONUS, D_TEMPIO_TO, D_SAME_TO, D_TAKE_GOOD, D_STEAL_GOOD):
        return pick_good(P, T, seat, need, acts, n, False)
    if kind in (D_SWAP_GOOD, D_TEMPIO_FROM, D_SAME_FROM, D_GIFT, D_PAY):
        return pick_good(P, T, seat, need, acts, n, True)
    if kind == D_STAR:
        return star_card(P, T, seat, acts, n)
    if kind == D_STOP:
        return acts[n - 1]  # stop the Castrum
    if kind == D_PLEDGE:
        return acts[0]
    if kind == D_LOSE_WORKER or kind == D_INJURE_WORKER:
        return worker_choice(P, acts, n)
    if kind == D_KEEP or kind == D_EXCHANGE:
        return acts[below(luck, n)]
    if kind == D_COVER:
        best = acts[0]
        for i in range(n):
            building = acts[i] % ARG - BUILDING_0
            if P.owner[building] == seat:
                continue
            best = acts[i]
        return best
    return acts[below(luck, n)]
