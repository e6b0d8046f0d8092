"""How far each seat is, and its standing at the end of each turn."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.downfall.codes import ERUPTION, FAR, MAX_TURNS


@jit
def progress(P, T, seat):
    """Return how far a seat is, 0..1: its saved people, and those on the board by how near a gate they are.

    A saved person counts 1, one on the board 1 / (1 + steps to be outside), each as a share of the people the seat
    has brought or could still bring.
    """
    all_people = P.saved[seat] + P.on_board[seat] + P.lost[seat]
    if P.phase < ERUPTION:
        all_people += min(P.supply[seat], T.all_spaces)
    if all_people <= 0:
        return 0.0
    near = float(P.saved[seat])
    if P.on_board[seat] > 0:
        for i in range(T.n_cells):
            if P.people[i, seat] > 0 and P.dist[i] < FAR:
                near += P.people[i, seat] / (1.0 + P.dist[i])
    return near / all_people


@jit
def note_turn(S, T):
    """Keep the standing of every seat at the end of the turn, when the game is watched."""
    P = S.pub
    C = S.tally
    if C.watch == 0 or P.turn == 0 or P.turn > MAX_TURNS:
        return
    C.end_phase[P.turn] = P.phase
    for seat in range(P.n_seats):
        C.end_progress[P.turn, seat] = progress(P, T, seat)
        C.end_people[P.turn, seat] = P.on_board[seat]
        C.end_saved[P.turn, seat] = P.saved[seat]
        C.end_lost[P.turn, seat] = P.lost[seat]
