"""The first half: cards played, people placed, relatives, omens, and the two AD 79."""

from __future__ import annotations

from pompeii_sim.engine.jit import hot, jit
from pompeii_sim.games.downfall.board import emit, lose_one, settle
from pompeii_sim.games.downfall.codes import (
    AD79,
    ARG,
    BY_CARD,
    BY_OMEN,
    BY_RELATIVE,
    BY_WILD,
    D_CARD,
    D_OMEN,
    D_RELATIVE,
    DISCARD,
    ERUPTION,
    EV_CARD,
    EV_DRAW,
    EV_PHASE,
    EV_TURN,
    NEUTRAL,
    NEUTRAL_0,
    OMEN,
    PLACE,
    QUIET,
    RELATIVE,
    S_DRAW,
    S_TILE,
    SEETHING,
    SQ,
    STOP,
    TAKE,
    WILD,
)
from pompeii_sim.games.downfall.standing import note_turn


@hot
def room(P, T, square):
    """Return the free spaces of a square."""
    return T.spaces[square] - P.crowd[square]


@jit
def begin_turn(S, T):
    """Begin a settling turn of the seat whose turn it is."""
    P = S.pub
    note_turn(S, T)
    P.turn += 1
    S.tally.settling_turns += 1
    if P.phase == QUIET:
        S.tally.quiet_turns += 1
    emit(S, EV_TURN, P.turn_seat, 0, 0, 0, 0, 0, 0)


@jit
def list_cards(S, T, acts):
    """List what can be done with the hand: place by number, wild where a building is full, else only discard."""
    P = S.pub
    hand = S.own[P.turn_seat].hand
    n = 0
    for number in range(1, NEUTRAL_0):
        if hand[number] == 0:
            continue
        if P.supply[P.turn_seat] <= 0 or P.free_spaces <= 0:
            acts[n] = DISCARD * ARG + number * SQ
            n += 1
            continue
        before = n
        for i in range(T.n_at[number]):
            square = T.at[number, i]
            if room(P, T, square) > 0:
                acts[n] = PLACE * ARG + number * SQ + square
                n += 1
        if n > before:
            continue
        for i in range(T.n_housed):
            square = T.housed[i]
            if room(P, T, square) > 0:
                acts[n] = WILD * ARG + number * SQ + square
                n += 1
    return n


@jit
def play_card(S, T, action):
    """Play a card: place a person, or nobody; then relatives or the draw."""
    P = S.pub
    seat = P.turn_seat
    kind = action // ARG
    number = action % ARG // SQ
    square = action % SQ
    S.own[seat].hand[number] -= 1
    P.discarded[number] += 1
    emit(S, EV_CARD, seat, number, kind, 0, 0, 0, 0)
    P.step = S_DRAW
    if kind == DISCARD:
        S.tally.discards[seat] += 1
        return
    company = 0
    if kind == PLACE and P.phase == SEETHING and T.relatives != 0:
        if T.count_square != 0:
            company = P.crowd[square]
        else:
            for i in range(T.n_at[number]):
                other = T.at[number, i]
                if T.part[other] == T.part[square]:
                    company += P.crowd[other]
    settle(S, T, seat, square, BY_CARD if kind == PLACE else BY_WILD)
    if company > 0:
        P.kin_left = company
        P.kin_square = square
        P.kin_building[:] = 0
        P.kin_part[:] = 0
        P.kin_seen[:] = 0
        P.step = D_RELATIVE


@jit
def list_relatives(S, T, acts):
    """List where a relative may go; the choice to stop last, where it is allowed. 0 when nothing is left to do."""
    P = S.pub
    if P.kin_left <= 0 or P.supply[P.turn_seat] <= 0:
        return 0
    home = P.kin_square
    n = 0
    for i in range(T.n_housed):
        square = T.housed[i]
        if room(P, T, square) <= 0:
            continue
        if T.colour[square] != NEUTRAL and T.colour[square] != T.colour[home]:
            continue
        barred = square == home if T.count_square != 0 else T.part[square] == T.part[home]
        if barred:
            continue
        if T.limit_unit == 0:
            used = P.kin_building[T.building[square]]
        elif T.limit_unit == 1:
            used = P.kin_part[T.part[square]]
        else:
            used = P.kin_seen[square]
        if used == 0:
            acts[n] = RELATIVE * ARG + square
            n += 1
    if n > 0 and T.relatives_optional != 0:
        acts[n] = STOP * ARG
        n += 1
    return n


@jit
def place_relative(S, T, action):
    """Place a relative, or stop."""
    P = S.pub
    if action // ARG == STOP:
        P.kin_left = 0
        P.step = S_DRAW
        return
    square = action % SQ
    settle(S, T, P.turn_seat, square, BY_RELATIVE)
    P.kin_left -= 1
    P.kin_building[T.building[square]] = 1
    P.kin_part[T.part[square]] = 1
    P.kin_seen[square] = 1


@jit
def keeps_hand(S, T):
    """Return whether the seat, unable to place anybody, keeps its hand and only turns up the top card."""
    P = S.pub
    if P.supply[P.turn_seat] <= 0:
        return T.supply_draws != 0
    return P.free_spaces <= 0 and T.full_draws != 0


@jit
def draw_card(S, T):
    """Draw until a numbered card comes, an omen wants a decision, or the second AD 79 ends the half."""
    P = S.pub
    H = S.hid
    seat = P.turn_seat
    while True:
        if H.stack_next >= H.stack_end:
            erupt(S, T)
            return
        card = H.stack[H.stack_next]
        H.stack_next += 1
        P.stack_left = H.stack_end - H.stack_next
        held = 0
        for number in range(1, NEUTRAL_0):
            held += S.own[seat].hand[number]
        back = card != AD79 and card != OMEN and held >= T.pile
        emit(S, EV_DRAW, seat, card, back, 0, 0, 0, 0)
        if card == AD79:
            if P.phase == QUIET:
                S.tally.first_ad79 = P.turn
                P.phase = SEETHING
                emit(S, EV_PHASE, -1, SEETHING, 0, 0, 0, 0, 0)
                continue
            S.tally.second_ad79 = P.turn
            erupt(S, T)
            return
        if card == OMEN:
            P.omens_seen += 1
            if list_victims(S, T, S.acts) > 0:
                P.step = D_OMEN
                return
            continue
        if back:
            P.discarded[card] += 1
        else:
            S.own[seat].hand[card] += 1
        P.turn_seat = (seat + 1) % P.n_seats
        P.step = D_CARD
        begin_turn(S, T)
        return


@jit
def erupt(S, T):
    """End the half; the next seat draws the first lava tile."""
    P = S.pub
    P.phase = ERUPTION
    emit(S, EV_PHASE, -1, ERUPTION, 0, 0, 0, 0, 0)
    P.turn_seat = (P.turn_seat + 1) % P.n_seats
    P.step = S_TILE


@jit
def list_victims(S, T, acts):
    """List whom an omen can take: by square and owner; the choice to let it pass last, where it is allowed."""
    P = S.pub
    others = 0
    for seat in range(P.n_seats):
        if seat != P.turn_seat:
            others += P.on_board[seat]
    own = T.omen_any != 0 or (T.omen_own != 0 and others == 0)
    n = 0
    for i in range(T.n_housed):
        square = T.housed[i]
        if P.crowd[square] == 0:
            continue
        for seat in range(P.n_seats):
            if P.people[square, seat] > 0 and (seat != P.turn_seat or own):
                acts[n] = TAKE * ARG + seat * SQ + square
                n += 1
    if n > 0 and T.omen_mandatory == 0:
        acts[n] = STOP * ARG
        n += 1
    return n


@jit
def take_victim(S, T, action):
    """Carry out an omen, then draw on."""
    if action // ARG == TAKE:
        lose_one(S, T, action % SQ, action % ARG // SQ, BY_OMEN)
    S.pub.step = S_DRAW
