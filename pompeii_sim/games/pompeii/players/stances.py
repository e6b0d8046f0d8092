"""Stances: how a seat pledges in an offering and which goods it pays with."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.codes import ARG, GOOD, PLEDGE
from pompeii_sim.games.pompeii.goods import marker, worth
from pompeii_sim.games.pompeii.players.appraise import loss_of

COOPERATIVE, NEVER, PLAYER = 0, 1, 2
"""Codes, in the order of ``rules.STANCES``."""

_WIDEST = 60  # largest sum the search for the least waste looks at


@jit
def pledge(P, T, seat, stance):
    """Return the pledge of a stance: the own marker first, help with a shortfall the second time round."""
    if stance == NEVER:
        return PLEDGE * ARG + P.pledged[seat]
    have = min(worth(P, T, seat), ARG - 1)
    amount = min(have, marker(P, T, seat))
    if P.pledge_pass == 1:
        short = P.due
        for other in range(P.n_seats):
            short -= P.pledged[other]
        amount = min(have, P.pledged[seat] + max(0, short))
    return PLEDGE * ARG + max(amount, P.pledged[seat])


@jit
def sums(T, classes, without):
    """Return the bit mask of sums that goods of each value can pay, one good of value ``without`` left out."""
    mask = 1
    for value in range(1, 6):
        count = classes[value]
        if value == without:
            count -= 1
        for _ in range(min(count, _WIDEST // value)):
            wider = mask | ((mask << value) & ((1 << (_WIDEST + 1)) - 1))
            if wider == mask:
                break
            mask = wider
    return mask


@jit
def lowest_sum(mask, need):
    """Return the smallest sum of a mask that is at least ``need``, -1 when there is none."""
    for total in range(need, _WIDEST + 1):
        if (mask >> total) & 1 != 0:
            return total
    return -1


@jit
def pay_least_waste(P, T, seat):
    """Return the next good to pay with: least value wasted, then low values first, then the largest stack."""
    need = P.pledged[seat] - P.paid[seat]
    c1 = 0
    c2 = 0
    c3 = 0
    c4 = 0
    c5 = 0
    for g in range(T.n_goods):
        have = P.goods[seat, g]
        value = T.value[g]
        if value == 1:
            c1 += have
        elif value == 2:
            c2 += have
        elif value == 3:
            c3 += have
        elif value == 4:
            c4 += have
        else:
            c5 += have
    classes = (0, c1, c2, c3, c4, c5)
    chosen = 0
    if c1 >= need:
        chosen = 1
    elif need > _WIDEST - 5:
        for value in range(1, 6):  # a large pledge: start with the dearest goods
            if classes[value] > 0 and value <= need:
                chosen = value
    else:
        target = lowest_sum(sums(T, classes, 0), need)
        for value in range(1, 6):
            if classes[value] > 0:
                rest = max(0, target - value)
                if (sums(T, classes, value) >> rest) & 1 != 0:
                    chosen = value
                    break
    best = -1
    for g in range(T.n_goods):
        if P.goods[seat, g] > 0 and T.value[g] == chosen:
            if best < 0 or P.goods[seat, g] > P.goods[seat, best]:
                best = g
    return GOOD * ARG + best


@jit
def cheapest_payment(P, T, W, seat, plan, unit):
    """Return the good to pay with: least loss to the plan for each point that still counts."""
    rest = max(1, P.pledged[seat] - P.paid[seat])
    best = -1
    least = 1.0e9
    for g in range(T.n_goods):
        if P.goods[seat, g] > 0:
            loss = loss_of(P, T, W, seat, plan, unit, g, 1) / min(T.value[g], rest)
            if loss < least:
                least = loss
                best = g
    return best


@jit
def plain_pledge(P, T, W, seat, plan):
    return pledge(P, T, seat, COOPERATIVE)
