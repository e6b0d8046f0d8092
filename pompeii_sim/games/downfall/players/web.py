"""The six players of the web app: one way of scoring every option, three traits that weigh it (0..3 each).

Written down from what the app values, not from its code; its slips (places without room, no piece limit) are not
copied. Highest value, ties by chance; it always runs twice, uses all relatives and never stays put. The third trait,
chaotic, is used nowhere.
"""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import again, below
from pompeii_sim.games.downfall.codes import (
    ARG,
    D_CARD,
    D_LAVA,
    D_OMEN,
    D_RELATIVE,
    D_RUNNER,
    DISCARD,
    EXIT,
    NEUTRAL,
    QUIET,
)
from pompeii_sim.games.downfall.players.look import (
    above,
    biggest,
    fresh,
    heat,
    in_building,
    owners,
    square_of,
    stops,
    strongest_rival,
)
from pompeii_sim.games.downfall.players.signature import player

TRAITS = ("cautious", "social", "chaotic")
NEVER = -1e9


@jit
def card_value(P, own, T, action, cautious, social):
    """Return the value of playing a card at a square."""
    if action // ARG == DISCARD:
        return 0.0
    square = square_of(action)
    near = 0.5 * cautious * T.near_vent[square]
    exits = 5.0 - P.dist_vents[square]
    if P.phase == QUIET:
        value = T.spaces[square] - in_building(P, T, square) * (2.0 + social) - near + 0.5 * exits
    else:
        people = P.crowd[square]
        value = T.spaces[square] - people + people * (2.0 + social) - near + 0.5 * cautious * exits
        if people > 0:
            value += 0.5 * social * (owners(P, square) - 1)
    copies = own.hand[above(action)]
    if copies >= 2:
        value += value + (copies - 1)
    return value


@jit
def relative_value(P, own, T, square, cautious):
    """Return the value of sending a relative to a square."""
    value = 1.0 - 0.5 * cautious * T.near_vent[square] + 0.5 * (5.0 - P.dist_vents[square])
    if T.colour[square] == NEUTRAL:
        value += 1.0 + P.crowd[square] + owners(P, square)
    if P.crowd[square] == 0 and T.colour[square] != NEUTRAL and own.hand[T.building[square]] > 0:
        value *= 2.0
    return value


@jit
def runner_value(P, T, seat, square, cautious):
    """Return the value of running from a square."""
    own = P.people[square, seat]
    value = 3.0 + own - owners(P, square) + cautious * heat(P, T, square) - 0.2 * P.dist_vents[square]
    if square == P.moved and own == 1:
        value -= 2.0
    return value


@jit
def target_value(P, T, action, cautious):
    """Return the value of running to a square or out of a gate."""
    if action // ARG == EXIT:
        return 6.0
    square = square_of(action)
    return (
        6.0 - P.dist_vents[square] + 0.1 * (P.crowd[square] + owners(P, square)) - 0.5 * cautious * heat(P, T, square)
    )


@player
def play_web(pub, own, tables, weights, luck, acts, n):
    """Play as the web app's players do."""
    P = pub
    T = tables
    seat = P.dec_seat
    cautious = weights[0]
    social = weights[1]
    values = fresh(n)
    rival = -1
    if P.dec_kind == D_OMEN:
        rival = strongest_rival(P, seat, 0.1)
        if rival >= 0:  # a random person of that player
            pick = below(again(luck, 3), P.on_board[rival])
            for i in range(n):
                if stops(acts[i]) or above(acts[i]) != rival:
                    continue
                pick -= P.people[square_of(acts[i]), rival]
                if pick < 0:
                    return acts[i]
    for i in range(n):
        action = acts[i]
        square = square_of(action)
        if stops(action):
            values[i] = NEVER
        elif P.dec_kind == D_CARD:
            values[i] = card_value(P, own, T, action, cautious, social)
        elif P.dec_kind == D_RELATIVE:
            values[i] = relative_value(P, own, T, square, cautious)
        elif P.dec_kind == D_LAVA:
            values[i] = 1.0 + P.crowd[square]
            if P.people[square, seat] > 0:
                values[i] -= 2.0
        elif P.dec_kind == D_RUNNER:
            values[i] = runner_value(P, T, seat, square, cautious)
        else:
            values[i] = target_value(P, T, action, cautious)
    return biggest(values, acts, n, luck)
