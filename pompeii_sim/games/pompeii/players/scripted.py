"""The one function behind the scripted personas: make a plan, take the action that saves most."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import unit
from pompeii_sim.games.pompeii.codes import (
    ARG,
    COLLECT,
    D_AMOUNT,
    D_PAY,
    D_PLACE,
    D_SECOND,
    D_SWAP_GOOD,
    D_TEMPIO_AMOUNT,
    D_TEMPIO_FROM,
    D_TEMPIO_TO,
    D_TRADE_FROM,
    D_TRADE_LOTS,
    D_TRADE_TO,
    FIELD_GOODS,
    FIELD_PLUS,
    USE,
)
from pompeii_sim.games.pompeii.goods import crew
from pompeii_sim.games.pompeii.players.appraise import best_trade, option_gain
from pompeii_sim.games.pompeii.players.details import choose_at_once, choose_detail, needs_no_plan
from pompeii_sim.games.pompeii.players.plan import make_plan
from pompeii_sim.games.pompeii.players.signature import player
from pompeii_sim.games.pompeii.players.stances import stance_of


@jit
def best_option(P, T, plan, seat, luck, acts, n):
    """Return the worker action that gains most; ties are broken by the seat's luck."""
    traded = best_trade(P, T, plan, seat)[0]
    mark = unit(luck)
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        place = i * 0.6180339887 + mark
        gained = option_gain(P, T, plan, seat, traded, acts[i]) + 1.0e-6 * (place - int(place))
        if gained > highest:
            highest = gained
            best = acts[i]
    return best


@jit
def is_kept(P, plan):
    """Whether the seat's last plan still holds.

    It does for the next worker of the round when the last one collected as planned and nothing was lost since, for the
    choices that follow from a worker action, and for the goods of one payment.
    """
    kind = P.dec_kind
    seat = P.dec_seat
    if kind == D_PLACE or kind == D_SECOND:
        if plan.made == P.n_actions + 1:
            return True  # asked again
        collected = kind == D_PLACE and plan.ready == P.ready[seat] + 1 and plan.round == P.rnd
        table = plan.tiles == P.tile_changes + 1 and plan.cards == P.card_changes[seat] + 1
        return collected and table and plan.crew == crew(P, seat) and has_what_it_expected(P, plan, seat)
    if kind == D_PAY:
        return plan.paying == P.rnd + 1 and P.paid[seat] > 0
    follows = (
        kind == D_TRADE_FROM
        or kind == D_TRADE_TO
        or kind == D_TRADE_LOTS
        or kind == D_AMOUNT
        or kind == D_TEMPIO_FROM
        or kind == D_TEMPIO_TO
        or kind == D_TEMPIO_AMOUNT
        or kind == D_SWAP_GOOD
    )
    return follows and plan.made == P.n_actions  # no goods have moved since


@jit
def has_what_it_expected(P, plan, seat):
    """Whether a seat holds at least what it expected after collecting: it did collect, and nothing was lost since."""
    for g in range(len(plan.held)):
        if P.goods[seat, g] < plan.held[g]:
            return False
    return True


@jit
def collected(T, action):
    """Return a good that an action collects at a field, by a card or without one; -1 for any other action."""
    kind = action // ARG
    arg = action % ARG
    if kind == COLLECT:
        return T.field_good[arg]
    if kind == USE and T.op[arg] == FIELD_PLUS:
        return T.field_good[T.place[arg]]
    if kind == USE and T.op[arg] == FIELD_GOODS:
        return T.card_goods_good[arg, 0]
    return -1


@jit
def mark(P, plan):
    """Write into a plan what it serves."""
    if P.dec_kind == D_PLACE or P.dec_kind == D_SECOND:
        plan.made = P.n_actions + 1
    elif P.dec_kind == D_PAY:
        plan.paying = P.rnd + 1


@player
def play_by_plan(pub, own, tables, weights, luck, acts, n):
    """Plan backwards from victory and take the action that gains most."""
    kind = pub.dec_kind
    stance = stance_of(pub, tables, weights)
    if needs_no_plan(kind, stance):
        return choose_at_once(pub, tables, stance, luck, acts, n)
    plan = own.plan
    seat = pub.dec_seat
    if not is_kept(pub, plan):
        make_plan(pub, tables, weights, plan, seat)
    mark(pub, plan)
    if kind != D_PLACE and kind != D_SECOND:
        return choose_detail(pub, own, tables, plan, luck, acts, n)
    action = best_option(pub, tables, plan, seat, luck, acts, n)
    plan.ready = 0
    good = collected(tables, action)
    if good >= 0:  # the next worker goes on with it
        plan.ready = pub.ready[seat]
        plan.round = pub.rnd
        plan.crew = crew(pub, seat)
        for g in range(tables.n_goods):
            plan.held[g] = pub.goods[seat, g]
        plan.held[good] += 1
    return action
