"""Choices that follow a worker action or a card, made by what the plan needs; shared by the scripted players."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.engine.luck import below
from pompeii_sim.games.pompeii.codes import (
    AMOUNT,
    ARG,
    BUILDING_0,
    CANCEL_OFFERING,
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
    D_PLEDGE,
    D_RECLAIM,
    D_SAME_AMOUNT,
    D_SAME_FROM,
    D_SAME_TO,
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
    GOOD,
    N_PLACES,
    N_SPECIALISTS,
    OFFERING_VALUE,
    PRODUCE_PLUS,
    STAY_OUT,
)
from pompeii_sim.games.pompeii.goods import worth
from pompeii_sim.games.pompeii.players.appraise import (
    best_trade,
    card_gain,
    gain_of,
    loss_of,
    spare_times,
    swap_gain,
    useful_times,
)
from pompeii_sim.games.pompeii.players.plan import shortage, to_spare
from pompeii_sim.games.pompeii.players.stances import GENEROUS, cheapest_payment, pledge, spare_value


@jit
def pick_good(P, T, plan, seat, acts, n, giving):
    """Return the listed good most wanted (taking), or the one whose loss hurts least (giving)."""
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        good = acts[i] % ARG
        if giving:
            score = -loss_of(P, T, plan, seat, good, 1)
        else:
            score = gain_of(P, T, plan, seat, good, 1)
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def amount(P, T, plan, seat, acts, n):
    """Return how often to convert: what the plan asks for, and goods to spare with it."""
    recipe = P.dec_a
    plus = 0
    if P.dec_c >= 0 and T.op[P.dec_c] == PRODUCE_PLUS:
        plus = T.arg_a[P.dec_c]
    times, asked = useful_times(P, T, plan, seat, recipe, plus)
    chosen = min(times, asked)
    climb = T.value[T.r_out[recipe]] * T.r_out_qty[recipe]
    for i in range(T.r_n_in[recipe]):
        climb -= T.value[T.r_in[recipe, i]] * T.r_qty[recipe, i]
    if climb > 0:
        chosen = max(chosen, min(times, asked + spare_times(P, T, plan, seat, recipe)))
    return AMOUNT * ARG + max(acts[0] % ARG, min(max(1, chosen), acts[n - 1] % ARG))


@jit
def trade_choice(P, T, plan, seat, acts, n):
    """Return the next choice of the best trade: the good given, the good taken, how many."""
    kind = P.dec_kind
    if kind == D_TRADE_LOTS:
        rate = max(1, T.price[P.dec_b, P.dec_a])
        lots = min(shortage(P, plan, seat, P.dec_b), to_spare(P, plan, seat, P.dec_a) // rate)
        lots = min(lots, T.cap - P.goods[seat, P.dec_b])
        return AMOUNT * ARG + max(1, min(lots, acts[n - 1] % ARG))
    _, give, take, _ = best_trade(P, T, plan, seat)
    wanted = give if kind == D_TRADE_FROM else take
    if kind == D_TRADE_TO and give != P.dec_a:
        wanted = -1
    for i in range(n):
        if acts[i] % ARG == wanted:
            return acts[i]
    return pick_good(P, T, plan, seat, acts, n, kind == D_TRADE_FROM)


@jit
def stack_choice(P, T, plan, seat, acts, n):
    """Return the next choice of an exchange of stacks, at the Tempio or by C52: what goes, what comes, how many."""
    kind = P.dec_kind
    if kind == D_TEMPIO_AMOUNT or kind == D_SAME_AMOUNT:
        most = min(to_spare(P, plan, seat, P.dec_a), T.cap - P.goods[seat, P.dec_b])
        if kind == D_SAME_AMOUNT:
            most = min(most, shortage(P, plan, seat, P.dec_b))
        return AMOUNT * ARG + max(acts[0] % ARG, min(max(1, most), acts[n - 1] % ARG))
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        good = acts[i] % ARG
        if kind == D_TEMPIO_FROM:  # any stack brings the same
            score = 1.0 * to_spare(P, plan, seat, good)
        elif kind == D_SAME_FROM:
            score = swap_gain(P, T, plan, seat, good)
        else:
            score = gain_of(P, T, plan, seat, good, max(1, to_spare(P, plan, seat, P.dec_a)))
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def first_building(P, plan, luck, acts, n):
    """Return the first red building: one the plan builds, by luck among them."""
    count = 0
    for i in range(n):
        if plan.todo[acts[i] % ARG] != 0:
            count += 1
    if count == 0:
        return acts[below(luck, n)]
    pick = below(luck, count)
    for i in range(n):
        if plan.todo[acts[i] % ARG] != 0:
            if pick == 0:
                return acts[i]
            pick -= 1
    return acts[0]


@jit
def star_card(P, T, seat, acts, n):
    """Return a star card worth playing at the offering, or pass: lower the total, stay out, cancel while safe."""
    for i in range(1, n):
        card = acts[i] % ARG + N_SPECIALISTS
        if T.op[card] == OFFERING_VALUE and T.arg_a[card] < 0:
            return acts[i]
        if T.op[card] == STAY_OUT:
            return acts[i]
        if T.op[card] == CANCEL_OFFERING and P.volcano_left > 12 and worth(P, T, seat) < 6:
            return acts[i]
    return acts[0]


@jit
def card_choice(P, T, plan, seat, luck, acts, n):
    """Return the card that promises most, or the one that promises least where cards are discarded."""
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        score = card_gain(P, T, plan, seat, acts[i] % ARG, plan.rounds)
        if P.dec_kind == D_EXCHANGE:
            score = -score
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def place_choice(P, T, seat, acts, n):
    """Return the place or worker of a card: where most workers stand, or where it hurts the seat itself least."""
    kind = P.dec_kind
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        place = acts[i] % ARG
        if kind == D_LOSE_WORKER or kind == D_INJURE_WORKER:
            score = 0.0 if place == N_PLACES else 1.0  # a worker already placed: no action is lost
        else:
            score = 1.0 * P.used[place]
            if kind == D_COVER and P.owner[place - BUILDING_0] == seat:
                score -= 10.0
        if score > highest:
            highest = score
            best = acts[i]
    return best


@jit
def leader_choice(P, T, seat, acts, n):
    """Return the rival to harm: one with an army, else the one with the most workers and goods."""
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        other = acts[i] % ARG
        score = 100.0 * P.army[other] + 10.0 * P.workers[other] + worth(P, T, other)
        if score > highest:
            highest = score
            best = acts[i]
    return best


@hot
def needs_no_plan(kind, stance):
    """Whether a decision is taken without a plan; see `choose_at_once`."""
    return kind == D_STAR or kind == D_STOP or kind == D_DECK or (kind == D_PLEDGE and stance != GENEROUS)


@jit
def choose_at_once(P, T, stance, luck, acts, n):
    """Return the choice of a decision that needs no plan: star cards, stopping the Castrum, decks, most pledges."""
    kind = P.dec_kind
    if kind == D_PLEDGE:
        return pledge(P, T, P.dec_seat, stance, 0)
    if kind == D_STAR:
        return star_card(P, T, P.dec_seat, acts, n)
    if kind == D_STOP:
        return acts[n - 1]  # stop the Castrum
    return acts[below(luck, n)]


@jit
def choose_detail(P, O, T, plan, luck, acts, n):  # noqa: E741
    """Return the choice of any other decision than placing a worker."""
    kind = P.dec_kind
    seat = P.dec_seat
    if kind == D_START:
        return first_building(P, plan, luck, acts, n)
    if kind == D_AMOUNT:
        return amount(P, T, plan, seat, acts, n)
    if kind == D_TRADE_FROM or kind == D_TRADE_TO or kind == D_TRADE_LOTS:
        return trade_choice(P, T, plan, seat, acts, n)
    if kind == D_BONUS or kind == D_TAKE_GOOD or kind == D_STEAL_GOOD:
        return pick_good(P, T, plan, seat, acts, n, False)
    if kind == D_SWAP_GOOD or kind == D_GIFT:
        return pick_good(P, T, plan, seat, acts, n, True)
    if kind == D_PAY:
        return GOOD * ARG + cheapest_payment(P, T, plan, seat)
    if kind == D_PLEDGE:  # of the generous: others need no plan
        return pledge(P, T, seat, GENEROUS, spare_value(P, T, plan, seat))
    if kind == D_TEMPIO_FROM or kind == D_TEMPIO_TO or kind == D_TEMPIO_AMOUNT:
        return stack_choice(P, T, plan, seat, acts, n)
    if kind == D_SAME_FROM or kind == D_SAME_TO or kind == D_SAME_AMOUNT:
        return stack_choice(P, T, plan, seat, acts, n)
    if kind == D_KEEP or kind == D_EXCHANGE or kind == D_FROM_DISCARD:
        return card_choice(P, T, plan, seat, luck, acts, n)
    if kind == D_TAKE_SPECIALIST or kind == D_TAKE_TEMPLE:
        return card_choice(P, T, plan, seat, luck, acts, n)
    if kind == D_LOSE_WORKER or kind == D_INJURE_WORKER or kind == D_COVER or kind == D_RECLAIM or kind == D_CO_OWNER:
        return place_choice(P, T, seat, acts, n)
    if kind == D_STEAL_SEAT or kind == D_INJURE_SEAT:
        return leader_choice(P, T, seat, acts, n)
    return acts[below(luck, n)]
