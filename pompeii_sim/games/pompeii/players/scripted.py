"""The one function behind the scripted personas: make a plan, take the action that saves most."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import unit
from pompeii_sim.games.pompeii.codes import D_PLACE, D_SECOND
from pompeii_sim.games.pompeii.players.appraise import best_trade, option_gain
from pompeii_sim.games.pompeii.players.details import choose_at_once, choose_detail, needs_no_plan
from pompeii_sim.games.pompeii.players.plan import make_plan, new_plan
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


@player
def play_by_plan(pub, own, tables, weights, luck, acts, n):
    """Plan backwards from victory and take the action that gains most."""
    kind = pub.dec_kind
    stance = stance_of(pub, tables, weights)
    if needs_no_plan(kind, stance):
        return choose_at_once(pub, tables, stance, luck, acts, n)
    room = new_plan()
    plan = room[0]
    make_plan(pub, tables, weights, plan, pub.dec_seat)
    if kind != D_PLACE and kind != D_SECOND:
        chosen = choose_detail(pub, own, tables, plan, luck, acts, n)
    else:
        chosen = best_option(pub, tables, plan, pub.dec_seat, luck, acts, n)
    room[0].work = 0  # a record does not keep its array alive: this does
    return chosen
