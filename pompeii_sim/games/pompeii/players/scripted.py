"""The one function behind the scripted personas: make a plan, take the action that saves most."""

from __future__ import annotations

from pompeii_sim.games.pompeii.codes import D_PLACE, D_SECOND
from pompeii_sim.games.pompeii.players.appraise import best_trade, option_gain
from pompeii_sim.games.pompeii.players.details import choose_detail, tie_break
from pompeii_sim.games.pompeii.players.plan import make_plan
from pompeii_sim.games.pompeii.players.signature import player


@player
def play_by_plan(pub, own, tables, weights, luck, acts, n):
    """Plan backwards from victory and take the action that gains most; ties are broken by the seat's luck."""
    seat = pub.dec_seat
    plan, unit = make_plan(pub, tables, weights, seat)
    if pub.dec_kind != D_PLACE and pub.dec_kind != D_SECOND:
        return choose_detail(pub, own, tables, weights, plan, unit, luck, acts, n)
    traded = best_trade(pub, tables, weights, seat, plan, unit)[0]
    best = acts[0]
    highest = -1.0e9
    for i in range(n):
        gained = option_gain(pub, tables, weights, seat, plan, unit, traded, acts[i]) + tie_break(luck, i)
        if gained > highest:
            highest = gained
            best = acts[i]
    return best
