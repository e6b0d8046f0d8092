"""The board: events, ways out, and people who come, run and are lost."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.downfall.codes import (
    BY_ENCLOSURE,
    BY_END,
    ERR_TRACE,
    EV_BURIED,
    EV_LOST,
    EV_PLACED,
    EV_RUN,
    EV_SAVED,
    FAR,
    MAX_SEATS,
    PLAIN,
)
from pompeii_sim.games.downfall.state import TRACE


@jit
def emit(S, code, seat, a, b, c, d, e, f):
    """Write one event when the game is traced."""
    if S.trace.on == 0:
        return
    if S.trace.count >= TRACE:
        S.pub.error = ERR_TRACE
        return
    E = S.trace.events[S.trace.count]
    E.code = code
    E.turn = S.pub.turn
    E.phase = S.pub.phase
    E.seat = seat
    E.a = a
    E.b = b
    E.c = c
    E.d = d
    E.e = e
    E.f = f
    S.trace.count += 1


@jit
def ways_out(S, T, dist, over_vents):
    """Fill ``dist`` (int32, by square) with the steps to be outside; empty vents block unless ``over_vents``."""
    P = S.pub
    queue = S.hid.queue
    for s in range(T.n_cells):
        dist[s] = FAR
    tail = 0
    for g in range(T.n_gates):
        s = T.gate_square[g]
        if P.lava[s] == 0:
            dist[s] = 1
            queue[tail] = s
            tail += 1
    head = 0
    while head < tail:
        s = queue[head]
        head += 1
        for i in range(T.n_nbr[s]):
            near = T.nbr[s, i]
            if dist[near] == FAR and P.lava[near] == 0 and (over_vents != 0 or T.vent_of[near] < 0):
                dist[near] = dist[s] + 1
                queue[tail] = near
                tail += 1


@jit
def measure_ways(S, T):
    """Bring both tables of distances up to date."""
    P = S.pub
    ways_out(S, T, P.dist, 0)
    empty = 0
    for symbol in range(T.n_symbols):
        if P.lava[T.vent[symbol]] == 0:
            empty = 1
    if empty != 0:
        ways_out(S, T, P.dist_vents, 1)
    else:
        for s in range(T.n_cells):
            P.dist_vents[s] = P.dist[s]


@hot
def walkable(P, T, square):
    """Return whether a person may run onto a square: inside, no lava, no vent."""
    return T.inside[square] != 0 and P.lava[square] == 0 and T.vent_of[square] < 0


@jit
def settle(S, T, seat, square, how):
    """Put one person of a seat on a space."""
    P = S.pub
    C = S.tally
    P.people[square, seat] += 1
    P.crowd[square] += 1
    P.on_board[seat] += 1
    P.supply[seat] -= 1
    P.free_spaces -= 1
    C.placed[seat, how] += 1
    C.square_placed[square] += 1
    C.home_placed[T.building[square]] += 1
    C.who_seat[C.n_people] = seat
    C.who_square[C.n_people] = square
    C.who_home[C.n_people] = T.building[square]
    C.n_people += 1
    emit(S, EV_PLACED, seat, square, how, 0, 0, 0, 0)


@jit
def find_person(C, square, seat):
    """Return the line of the first person of a seat on a square (people of one seat and square are alike)."""
    for i in range(C.n_people):
        if C.who_square[i] == square and C.who_seat[i] == seat:
            return i
    return -1


@jit
def lose_one(S, T, square, seat, cause):
    """Take one person of a seat off the board as a casualty (an omen)."""
    P = S.pub
    C = S.tally
    P.people[square, seat] -= 1
    P.crowd[square] -= 1
    P.on_board[seat] -= 1
    P.lost[seat] += 1
    P.free_spaces += 1
    C.lost[seat, cause] += 1
    C.square_lost[square] += 1
    C.turn_lost[0] += 1
    C.who_square[find_person(C, square, seat)] = -1
    emit(S, EV_LOST, -1, square, cause, seat == 0, seat == 1, seat == 2, seat == 3)


@jit
def lose_all(S, T, square, cause):
    """Take everybody on a square off the board as casualties; nothing when it is empty."""
    P = S.pub
    C = S.tally
    if P.crowd[square] == 0:
        return
    emit(S, EV_LOST, -1, square, cause, P.people[square, 0], P.people[square, 1], P.people[square, 2],
         P.people[square, 3])  # fmt: skip
    counts = cause != BY_END or T.left_counts != 0
    for seat in range(P.n_seats):
        n = P.people[square, seat]
        if n > 0:
            P.people[square, seat] = 0
            P.on_board[seat] -= n
            C.lost[seat, cause] += n
            if counts:
                P.lost[seat] += n
    C.square_lost[square] += P.crowd[square]
    C.turn_lost[C.lava_turns] += P.crowd[square]
    P.crowd[square] = 0
    for i in range(C.n_people):
        if C.who_square[i] == square:
            C.who_square[i] = -1


@jit
def cover(S, T, square, mask):
    """Lay lava of a symbol mask on a square."""
    P = S.pub
    if P.lava[square] == 0:
        S.tally.square_lava[square] = S.tally.lava_turns
        if T.gate[square] >= 0:
            S.tally.shut_gates += 1
    P.lava[square] = mask


@jit
def bury_enclosed(S, T):
    """Bury every square without a way to an open gate."""
    P = S.pub
    measure_ways(S, T)
    found = 0
    for s in range(T.n_cells):
        if T.inside[s] == 0 or P.lava[s] != 0:
            continue
        if T.vent_of[s] >= 0:
            shut = T.vents_buried != 0 and P.dist_vents[s] == FAR
        elif T.way_over_vents != 0:
            shut = P.dist_vents[s] == FAR
        else:
            shut = P.dist[s] == FAR
        if shut:
            S.hid.mark[found] = s
            found += 1
    for i in range(found):
        s = S.hid.mark[i]
        emit(S, EV_BURIED, -1, s, 0, 0, 0, 0, 0)
        lose_all(S, T, s, BY_ENCLOSURE)
        cover(S, T, s, PLAIN)
        S.tally.buried += 1
    if found > 0:
        measure_ways(S, T)


@jit
def run_to(S, T, seat, origin, target, steps):
    """Move one person of a seat."""
    P = S.pub
    P.people[origin, seat] -= 1
    P.crowd[origin] -= 1
    P.people[target, seat] += 1
    P.crowd[target] += 1
    C = S.tally
    C.who_square[find_person(C, origin, seat)] = target
    C.runs[seat] += 1
    emit(S, EV_RUN, seat, origin, target, steps, 0, 0, 0)


@jit
def escape(S, T, seat, origin, gate_square, steps):
    """Take one person of a seat out through a gate."""
    P = S.pub
    P.people[origin, seat] -= 1
    P.crowd[origin] -= 1
    P.on_board[seat] -= 1
    P.saved[seat] += 1
    C = S.tally
    who = find_person(C, origin, seat)
    C.who_square[who] = -1
    C.home_saved[C.who_home[who]] += 1
    C.gate_saved[T.gate[gate_square]] += 1
    C.turn_saved[C.lava_turns] += 1
    C.runs[seat] += 1
    emit(S, EV_SAVED, seat, origin, gate_square, steps, T.gate[gate_square], 0, 0)


@jit
def board_empty(P):
    """Return whether nobody is left on the board."""
    left = 0
    for seat in range(MAX_SEATS):
        left += P.on_board[seat]
    return left == 0
