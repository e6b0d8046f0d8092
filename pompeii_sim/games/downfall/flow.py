"""The flow of a game: from one decision to the next, everything automatic in between."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.downfall.board import emit
from pompeii_sim.games.downfall.codes import (
    ARG,
    D_CARD,
    D_LAVA,
    D_OMEN,
    D_RELATIVE,
    D_RUNNER,
    D_TARGET,
    DISCARD,
    EV_SETUP,
    PLACE,
    S_AFTER,
    S_CLOSE,
    S_DRAW,
    S_OVER,
    S_TILE,
    SQ,
    WILD,
)
from pompeii_sim.games.downfall.eruption import (
    after_tile,
    choose_runner,
    close_turn,
    draw_tile,
    lay_tile,
    list_lava,
    list_runners,
    list_targets,
    run,
)
from pompeii_sim.games.downfall.settling import (
    begin_turn,
    draw_card,
    keeps_hand,
    list_cards,
    list_relatives,
    list_victims,
    place_relative,
    play_card,
    take_victim,
)
from pompeii_sim.games.downfall.setup import populate


@jit
def begin(S, T):
    """Tell the set-up, populate the city where the rules say so, and begin the first turn."""
    P = S.pub
    emit(S, EV_SETUP, -1, P.start_seat, 0, 0, 0, 0, 0)
    if T.populate != 0:
        populate(S, T)
    if P.step == D_CARD:
        begin_turn(S, T)


@jit
def advance(S, T, acts):
    """Run to the next decision and list its legal actions; return how many, 0 when the game is over."""
    P = S.pub
    while True:
        step = P.step
        n = 0
        if step == S_OVER:
            return 0
        if step == D_CARD:
            if keeps_hand(S, T):
                P.step = S_DRAW
                continue
            n = list_cards(S, T, acts)
        elif step == D_RELATIVE:
            n = list_relatives(S, T, acts)
            if n == 0:
                P.step = S_DRAW
                continue
        elif step == D_OMEN:
            n = list_victims(S, T, acts)
        elif step == D_LAVA:
            n = list_lava(S, T, acts)
        elif step == D_RUNNER:
            n = list_runners(S, T, acts)
            if n == 0:
                P.step = S_CLOSE
                continue
        elif step == D_TARGET:
            n = list_targets(S, T, acts)
        elif step == S_DRAW:
            draw_card(S, T)
            continue
        elif step == S_TILE:
            draw_tile(S, T)
            continue
        elif step == S_AFTER:
            after_tile(S, T)
            continue
        else:
            close_turn(S, T)
            continue
        P.dec_kind = step
        P.dec_seat = P.turn_seat
        spec = P.seat_spec[P.dec_seat]
        if T.forbids[spec] != 0:
            n = allowed(T, spec, acts, n)
        return n


@jit
def allowed(T, spec, acts, n):
    """Take out what a listed seat forbids itself; when nothing would be left, everything stays."""
    kept = 0
    for i in range(n):
        if not forbidden(T, spec, acts[i]):
            kept += 1
    if kept == 0:
        return n
    kept = 0
    for i in range(n):
        if not forbidden(T, spec, acts[i]):
            acts[kept] = acts[i]
            kept += 1
    return kept


@jit
def forbidden(T, spec, action):
    """Return whether a listed seat's forbid list names an action."""
    kind = action // ARG
    target = action % ARG // SQ if kind in (PLACE, WILD, DISCARD) else action % SQ
    return T.forbid[spec, kind, target] != 0


@jit
def apply(S, T, action):
    """Execute one legal action of the decision waited for."""
    step = S.pub.step
    if step == D_CARD:
        play_card(S, T, action)
    elif step == D_RELATIVE:
        place_relative(S, T, action)
    elif step == D_OMEN:
        take_victim(S, T, action)
    elif step == D_LAVA:
        lay_tile(S, T, action)
    elif step == D_RUNNER:
        choose_runner(S, T, action)
    elif step == D_TARGET:
        run(S, T, action)
