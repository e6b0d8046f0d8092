"""The greedy player: what gains most at once, no look at what comes after."""

from __future__ import annotations

from pompeii_sim.games.downfall.codes import (
    ARG,
    D_CARD,
    D_LAVA,
    D_OMEN,
    D_RELATIVE,
    D_RUNNER,
    DISCARD,
    EXIT,
    PLACE,
    SEETHING,
)
from pompeii_sim.games.downfall.players.look import (
    above,
    biggest,
    company,
    fresh,
    relatives_to_come,
    square_of,
    stops,
)
from pompeii_sim.games.downfall.players.signature import player

WEIGHTS = {"near": 0.3, "vent": 0.3, "own_loss": 1.5, "crowd": 0.1}


@player
def play_greedy(pub, own, tables, weights, luck, acts, n):
    """Most people now, near gates; most rivals under lava; the run that gains most steps, out of a gate first."""
    P = pub
    T = tables
    seat = P.dec_seat
    near = weights[0]
    values = fresh(n)
    for i in range(n):
        action = acts[i]
        square = square_of(action)
        if stops(action):
            values[i] = -1.0 if P.dec_kind == D_RUNNER else -100.0
        elif P.dec_kind == D_CARD:
            if action // ARG == DISCARD:
                continue
            values[i] = 10.0 - near * P.dist[square] - weights[1] * T.near_vent[square]
            if P.phase == SEETHING and action // ARG == PLACE:
                most = min(company(P, T, square), P.supply[seat] - 1)
                values[i] += relatives_to_come(P, T, square, most)
            elif own.hand[above(action)] > 1:
                values[i] += 0.2 * (own.hand[above(action)] - 1)
        elif P.dec_kind == D_RELATIVE:
            values[i] = 10.0 - near * P.dist[square] - weights[1] * T.near_vent[square]
        elif P.dec_kind == D_OMEN:
            rival = above(action)
            values[i] = P.on_board[rival] - near * P.dist[square]
            if rival == seat:
                values[i] = -50.0
        elif P.dec_kind == D_LAVA:
            values[i] = P.crowd[square] - (1.0 + weights[2]) * P.people[square, seat]
        elif P.dec_kind == D_RUNNER:
            steps = P.crowd[square]
            away = P.dist[square]
            values[i] = 20.0 - 0.1 * away if away <= steps else steps - 0.1 * away
            if P.people[square, seat] == 1 and square == P.moved:
                values[i] -= 0.5
        elif action // ARG == EXIT:
            values[i] = 100.0
        else:
            values[i] = -P.dist[square] + weights[3] * P.crowd[square]
    return biggest(values, acts, n, luck)
