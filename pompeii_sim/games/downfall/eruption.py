"""The second half: lava tiles, enclosed squares, and people running for the gates."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.downfall.board import (
    board_empty,
    bury_enclosed,
    cover,
    emit,
    escape,
    lose_all,
    run_to,
    walkable,
)
from pompeii_sim.games.downfall.codes import (
    ARG,
    BY_END,
    BY_LAVA,
    D_LAVA,
    D_RUNNER,
    D_TARGET,
    END_EMPTY,
    END_LAST_TILE,
    EV_END,
    EV_LAVA,
    EV_PHASE,
    EV_TILE,
    EV_TURN,
    EXIT,
    LAVA,
    MAX_SYMBOLS,
    PLAIN,
    RUN,
    RUNNING,
    S_AFTER,
    S_CLOSE,
    S_OVER,
    S_TILE,
    SQ,
    STOP,
    TO,
)
from pompeii_sim.games.downfall.standing import note_turn


@jit
def finish(S, T, code):
    """End the game; everybody still inside is lost."""
    P = S.pub
    for square in range(T.n_cells):
        lose_all(S, T, square, BY_END)
    note_turn(S, T)
    P.ended_by = code
    P.step = S_OVER
    P.dec_seat = -1
    emit(S, EV_END, -1, code, 0, 0, 0, 0, 0)


@jit
def draw_tile(S, T):
    """Begin a turn of the lava half: draw a tile and see where it can go."""
    P = S.pub
    H = S.hid
    if board_empty(P):
        finish(S, T, END_EMPTY)
        return
    if P.tiles_drawn >= H.tiles_end:
        finish(S, T, END_LAST_TILE)
        return
    done = P.tiles_placed if T.free_tiles != 0 else P.tiles_drawn
    note_turn(S, T)
    P.turn += 1
    S.tally.lava_turns += 1
    if P.phase != RUNNING and done >= T.run_free:
        P.phase = RUNNING
        emit(S, EV_PHASE, -1, RUNNING, 0, 0, 0, 0, 0)
    if P.phase == RUNNING:
        S.tally.running_turns += 1
    emit(S, EV_TURN, P.turn_seat, 0, 0, 0, 0, 0, 0)
    tile = H.tiles[P.tiles_drawn]
    P.tiles_drawn += 1
    P.tiles_left = H.tiles_end - P.tiles_drawn
    P.tile_b = -1
    if tile < MAX_SYMBOLS:
        P.tile_a = tile
    else:
        P.tile_a = T.dual_a[tile - MAX_SYMBOLS]
        P.tile_b = T.dual_b[tile - MAX_SYMBOLS]
        P.drawn[P.tile_b] += 1
    P.drawn[P.tile_a] += 1
    last = P.tiles_left == 0 and T.finish_turn == 0
    n = 0 if last else list_lava(S, T, S.acts)
    emit(S, EV_TILE, P.turn_seat, P.tile_a, P.tile_b, n, 0, 0, 0)
    if last:
        finish(S, T, END_LAST_TILE)
        return
    P.runs_done = 0
    P.moved = -1
    P.moved_again = 0
    if n == 0:
        S.tally.unplaced += 1
        P.step = S_AFTER
    else:
        P.step = D_LAVA


@jit
def list_lava(S, T, acts):
    """List where the tile in hand can go: its vent first, then beside lava of the same symbol."""
    P = S.pub
    n = list_symbol(S, T, acts, 0, P.tile_a)
    if P.tile_b >= 0:
        n = list_symbol(S, T, acts, n, P.tile_b)
    return n


@jit
def list_symbol(S, T, acts, n, symbol):
    """Append the squares of one symbol."""
    P = S.pub
    if P.opened[symbol] == 0:
        acts[n] = LAVA * ARG + symbol * SQ + T.vent[symbol]
        return n + 1
    bit = 1 << symbol
    for square in range(T.n_cells):
        if T.inside[square] == 0:
            continue
        here = P.lava[square]
        if here != 0 and (here != PLAIN or T.lava_on_buried == 0):
            continue
        if T.vent_of[square] >= 0 and T.lava_on_vents == 0:
            continue
        for i in range(T.n_nbr[square]):
            if P.lava[T.nbr[square, i]] & bit != 0:
                acts[n] = LAVA * ARG + symbol * SQ + square
                n += 1
                break
    return n


@jit
def lay_tile(S, T, action):
    """Lay the tile: people on the square are lost, then all enclosed squares are buried."""
    P = S.pub
    symbol = action % ARG // SQ
    square = action % SQ
    mask = 1 << symbol
    if P.tile_b >= 0 and T.dual_both != 0:
        mask = (1 << P.tile_a) | (1 << P.tile_b)
    P.opened[symbol] = 1
    P.tiles_placed += 1
    emit(S, EV_LAVA, P.turn_seat, symbol, square, mask, 0, 0, 0)
    lose_all(S, T, square, BY_LAVA)
    cover(S, T, square, mask)
    bury_enclosed(S, T)
    P.step = S_AFTER


@jit
def after_tile(S, T):
    """Go on to the runs, or end the turn."""
    P = S.pub
    if board_empty(P):
        finish(S, T, END_EMPTY)
    elif P.phase == RUNNING and P.on_board[P.turn_seat] > 0 and T.runs > 0:
        P.step = D_RUNNER
    else:
        P.step = S_CLOSE


@jit
def close_turn(S, T):
    """End a turn of the lava half."""
    P = S.pub
    P.turn_seat = (P.turn_seat + 1) % P.n_seats
    P.step = S_TILE


@jit
def may_run(P, T, seat, square):
    """Return whether a seat may start a run from a square: somebody there who may run, and somewhere to go."""
    own = P.people[square, seat]
    if own == 0:
        return False
    if square == P.moved and own == 1:
        again = P.on_board[seat] == 1 or P.moved_again != 0 or (T.alone_at_run != 0 and P.crowd[square] == 1)
        if not again:
            return False
    if T.gate[square] >= 0:
        return True
    ways = 0
    for i in range(T.n_nbr[square]):
        if walkable(P, T, T.nbr[square, i]):
            ways += 1
    return ways > 0


@jit
def list_runners(S, T, acts):
    """List from which squares the seat may start its next run; the choice to stop last."""
    P = S.pub
    seat = P.turn_seat
    n = 0
    if P.runs_done < T.runs and P.on_board[seat] > 0:
        for square in range(T.n_cells):
            if P.people[square, seat] > 0 and may_run(P, T, seat, square):
                acts[n] = RUN * ARG + square
                n += 1
    if n > 0:
        acts[n] = STOP * ARG
        n += 1
    return n


@jit
def list_targets(S, T, acts):
    """List where the chosen person can go: squares within its steps, and gates with one step more."""
    P = S.pub
    queue = S.hid.queue
    mark = S.hid.mark
    for s in range(T.n_cells):
        mark[s] = 0
    origin = P.run_from
    mark[origin] = 1
    queue[0] = origin
    head = 0
    tail = 1
    n = 0
    while head < tail:
        s = queue[head]
        head += 1
        used = mark[s] - 1
        if s != origin:
            acts[n] = TO * ARG + s
            n += 1
        if used == P.run_steps:
            continue
        if T.gate[s] >= 0:
            acts[n] = EXIT * ARG + s
            n += 1
        for i in range(T.n_nbr[s]):
            near = T.nbr[s, i]
            if mark[near] == 0 and walkable(P, T, near):
                mark[near] = mark[s] + 1
                queue[tail] = near
                tail += 1
    if T.run_returns != 0 and P.run_steps > 1:
        acts[n] = TO * ARG + origin
        n += 1
    return n


@jit
def choose_runner(S, T, action):
    """Take a runner, or stop."""
    P = S.pub
    if action // ARG == STOP:
        P.step = S_CLOSE
        return
    P.run_from = action % SQ
    P.run_steps = P.crowd[P.run_from]
    P.step = D_TARGET


@jit
def run(S, T, action):
    """Carry out one run."""
    P = S.pub
    seat = P.turn_seat
    origin = P.run_from
    target = action % SQ
    P.runs_done += 1
    P.moved_again = P.run_steps == 1
    if action // ARG == EXIT:
        escape(S, T, seat, origin, target, P.run_steps)
        P.moved = -1
    else:
        run_to(S, T, seat, origin, target, P.run_steps)
        P.moved = target
    P.run_from = -1
    P.run_steps = 0
    if board_empty(P):
        finish(S, T, END_EMPTY)
    else:
        P.step = D_RUNNER
