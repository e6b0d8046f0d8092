"""Stances: how a seat pledges in an offering, from public information only, and which goods it pays with.

Cost and loss are compared in points of value. The loss of a failed offering is what the next volcano card is expected
to destroy among the seat's goods, and, with the chance that it is the Apocalypse, the value of all goals: whoever has
seen the cards turned so far knows both.
"""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.pompeii.codes import ARG, N_VOLCANO, PLEDGE
from pompeii_sim.games.pompeii.goods import marker, worth
from pompeii_sim.games.pompeii.players.appraise import loss_of
from pompeii_sim.games.pompeii.players.plan import to_offer
from pompeii_sim.games.pompeii.players.weights import OVER

COOPERATIVE, NEVER, PLAYER, CONDITIONAL, FREE_RIDER, GENEROUS, CALCULATING = range(7)
"""Codes, in the order of ``rules.STANCES``."""

RICH = 8  # value of goods to spare, after the marker, at which the generous offer more
GIFT = 2  # points they then offer above the marker, a card drawn for each


@hot
def stance_of(P, T, W):
    """Return the stance by which the seat that is asked pledges; where it is the player's own, its weights decide."""
    stance = T.stance[P.seat_spec[P.dec_seat]]
    if stance == PLAYER:
        stance = GENEROUS if W[OVER] > 0.0 else COOPERATIVE
        if P.n_seats == 1:  # a refusal costs the goods shown, nothing else
            stance = CALCULATING
    return stance


@jit
def shortfall(P):
    """Return how many points the pledges are short of the total."""
    short = P.due
    for seat in range(P.n_seats):
        short -= P.pledged[seat]
    return max(0, short)


@jit
def apocalypse_chance(P, T):
    """Return the chance that the next volcano card is the Apocalypse, as the rules in force tell everybody."""
    cards = T.volcano_cards + 1
    turned = cards - P.volcano_left
    if T.apocalypse_mode == 0:
        return 1.0 / P.volcano_left
    if T.apocalypse_mode == 1:
        first = cards - cards // 2
        return 0.0 if turned < first else 1.0 / P.volcano_left
    return 1.0 if turned == T.apocalypse_place else 0.0


@jit
def expected_loss(P, T, seat):
    """Return the value a seat expects to lose when the offering fails, in points."""
    unseen = 0
    at_stake = 0
    for card in range(N_VOLCANO):
        if P.volcano_seen[card] == 0:
            unseen += 1
            for g in range(T.n_goods):
                if T.volcano_goods[card, g] != 0:
                    at_stake += P.goods[seat, g] * T.value[g]
    chance = apocalypse_chance(P, T)
    goods = at_stake / unseen if unseen > 0 else 0.0
    return chance * (T.goal_value + worth(P, T, seat)) + (1.0 - chance) * goods


@jit
def others_paid(P, seat):
    """Whether at least half of the other players paid their marker in the last offering."""
    paid = 0
    for other in range(P.n_seats):
        if other != seat:
            paid += P.last_paid[other]
    return 2 * paid >= P.n_seats - 1


@jit
def spare_value(P, T, plan, seat):
    """Return the value of the goods the seat's plan does not need."""
    total = 0
    for g in range(T.n_goods):
        total += to_offer(P, plan, seat, g) * T.value[g]
    return total


@jit
def pledge(P, T, seat, stance, spare):
    """Return how much a seat pledges in all, never less than before; `spare` is the value its plan does not need.

    - cooperative: its marker, and what is short the second time round;
    - conditional: its marker, help included, if at least half of the others paid theirs last time; else nothing;
    - free-rider: nothing at first; the second time what is short, if a failure would cost it more;
    - generous: as cooperative, and two points more for cards when rich;
    - calculating: its marker, later what is short, whenever a failure would cost it more;
    - never: nothing.
    """
    before = P.pledged[seat]
    have = min(worth(P, T, seat), ARG - 1)
    own = min(have, marker(P, T, seat))
    help_ = min(have, before + shortfall(P)) if P.pledge_pass == 1 else own
    wanted = 0
    if stance == COOPERATIVE:
        wanted = help_
    elif stance == CONDITIONAL:
        wanted = help_ if others_paid(P, seat) else 0
    elif stance == FREE_RIDER:
        if P.pledge_pass == 1 and have >= before + shortfall(P) and expected_loss(P, T, seat) > help_:
            wanted = help_
    elif stance == GENEROUS:
        wanted = help_
        if P.pledge_pass == 0 and spare >= own + RICH:
            wanted = min(have, own + GIFT)
    elif stance == CALCULATING:
        if expected_loss(P, T, seat) > help_ and (P.pledge_pass == 0 or have >= before + shortfall(P)):
            wanted = help_
    return PLEDGE * ARG + max(wanted, before)


@jit
def cheapest_payment(P, T, plan, seat):
    """Return the good to pay with: least loss to the plan for each point that still counts, then the dearest."""
    rest = max(1, P.pledged[seat] - P.paid[seat])
    best = -1
    least = 1.0e9
    for g in range(T.n_goods):
        if P.goods[seat, g] > 0:
            loss = loss_of(P, T, plan, seat, g, 1) / min(T.value[g], rest)
            if loss < least:
                least = loss
                best = g
    return best
