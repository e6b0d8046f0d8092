"""The set-up of a game: everything chance decides is fixed here, by keys of seed and deal."""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import below, key, unit
from pompeii_sim.games.downfall.board import measure_ways, settle
from pompeii_sim.games.downfall.codes import (
    AD79,
    BY_START,
    D_CARD,
    END_NONE,
    ERUPTION,
    LUCK_AD79,
    LUCK_CARD,
    LUCK_MIX,
    LUCK_OWNER,
    LUCK_POPULATE,
    LUCK_START,
    LUCK_TILE,
    MAX_BUILDINGS,
    MAX_SEATS,
    MAX_SYMBOLS,
    NEUTRAL_0,
    OMEN,
    QUIET,
    S_TILE,
    SEETHING,
)

COPIES = 64  # a card's identity is its number times this, plus its copy


@jit
def setup(S, T, arrangement, seed, deal):
    """Set up deal `deal` of `seed` for one arrangement (int64: seat -> listed seat)."""
    clear(S)
    P = S.pub
    H = S.hid
    H.seed = seed
    H.deal = deal
    P.n_seats = T.n_seats
    for seat in range(MAX_SEATS):
        P.seat_spec[seat] = arrangement[seat]
    for seat in range(T.n_seats):
        P.supply[seat] = T.people_each
    P.free_spaces = T.all_spaces
    P.start_seat = T.start_seat if T.start_seat >= 0 else below(key(seed, deal, LUCK_START, 0, 0), T.n_seats)
    P.turn_seat = P.start_seat
    shuffle_tiles(S, T)
    measure_ways(S, T)
    if T.start_phase < 3:
        build_stack(S, T)
        P.phase = QUIET if T.start_phase == 1 else SEETHING
        P.step = D_CARD
    else:
        P.phase = ERUPTION
        P.step = S_TILE
    P.stack_left = H.stack_end - H.stack_next


@jit
def clear(S):
    """Reset every field; records are reused from game to game."""
    P = S.pub
    H = S.hid
    C = S.tally
    P.phase = QUIET
    P.turn = 0
    P.dec_seat = -1
    P.dec_kind = 0
    P.people[:] = 0
    P.crowd[:] = 0
    P.lava[:] = 0
    P.on_board[:] = 0
    P.supply[:] = 0
    P.saved[:] = 0
    P.lost[:] = 0
    P.omens_seen = 0
    P.discarded[:] = 0
    P.tiles_drawn = 0
    P.tiles_placed = 0
    P.drawn[:] = 0
    P.opened[:] = 0
    P.tile_a = -1
    P.tile_b = -1
    P.kin_left = 0
    P.kin_square = -1
    P.runs_done = 0
    P.moved = -1
    P.moved_again = 0
    P.run_from = -1
    P.run_steps = 0
    P.ended_by = END_NONE
    P.error = 0
    for seat in range(MAX_SEATS):
        S.own[seat].hand[:] = 0
    H.n_decision[:] = 0
    H.stack_next = 0
    H.stack_end = 0
    H.tiles_end = 0
    C.decisions = 0
    C.forced = 0
    C.choices[:] = 0
    C.first_ad79 = 0
    C.second_ad79 = 0
    C.settling_turns = 0
    C.quiet_turns = 0
    C.lava_turns = 0
    C.running_turns = 0
    C.placed[:] = 0
    C.lost[:] = 0
    C.discards[:] = 0
    C.runs[:] = 0
    C.gate_saved[:] = 0
    C.buried = 0
    C.unplaced = 0
    C.shut_gates = 0
    C.n_people = 0
    C.home_placed[:] = 0
    C.home_saved[:] = 0
    C.square_lost[:] = 0
    C.square_placed[:] = 0
    C.square_lava[:] = 0
    C.turn_saved[:] = 0
    C.turn_lost[:] = 0
    C.watch = 0
    C.error_seat = -1
    C.error_action = 0


@jit
def sort_part(keys, values, first, count):
    """Sort ``count`` values from ``first`` by their keys, ascending."""
    for i in range(first + 1, first + count):
        k = keys[i]
        v = values[i]
        j = i - 1
        while j >= first and keys[j] > k:
            keys[j + 1] = keys[j]
            values[j + 1] = values[j]
            j -= 1
        keys[j + 1] = k
        values[j + 1] = v


@jit
def build_stack(S, T):
    """Deal piles and hands and build the draw stack.

    From the top: the top piles, the first AD 79, the mix of what is left and the omens, the second AD 79 shuffled into
    the mix's lowest cards.
    """
    H = S.hid
    n = 0
    for number in range(MAX_BUILDINGS):
        for copy in range(T.cards[number]):
            H.stack[n] = number * COPIES + copy
            H.sort_key[n] = key(H.seed, H.deal, LUCK_CARD, H.stack[n], 0)
            n += 1
    sort_part(H.sort_key, H.stack, 0, n)
    for seat in range(T.n_seats):
        first = (T.top_piles + seat) * T.pile
        for i in range(T.pile):
            S.own[seat].hand[H.stack[first + i] // COPIES] += 1
    dealt = T.piles * T.pile
    top = T.top_piles * T.pile
    mix = n - dealt
    for i in range(mix):
        H.stack[top + 1 + i] = H.stack[dealt + i]
    for copy in range(T.omens):
        H.stack[top + 1 + mix] = OMEN * COPIES + copy
        mix += 1
    for i in range(top + 1, top + 1 + mix):
        H.sort_key[i] = key(H.seed, H.deal, LUCK_MIX, H.stack[i], 0)
    sort_part(H.sort_key, H.stack, top + 1, mix)
    for i in range(top + 1 + mix):
        H.stack[i] = H.stack[i] // COPIES
    H.stack[top] = AD79
    luck = unit(key(H.seed, H.deal, LUCK_AD79, 0, 0))
    if T.ad79_mode == 2:
        beneath = min(T.ad79_place, mix)
    else:
        beneath = int(luck * (T.zone + 1 - T.ad79_mode))
    end = top + 1 + mix
    for i in range(beneath):
        H.stack[end - i] = H.stack[end - i - 1]
    H.stack[end - beneath] = AD79
    H.stack_end = end + 1
    H.stack_next = 0 if T.start_phase == 1 else top + 1


@jit
def shuffle_tiles(S, T):
    """Put all lava tiles into the order in which they will be drawn."""
    H = S.hid
    n = 0
    for symbol in range(T.n_symbols):
        for copy in range(T.tiles[symbol]):
            H.tiles[n] = symbol
            H.sort_key[n] = key(H.seed, H.deal, LUCK_TILE, symbol, copy)
            n += 1
    for dual in range(T.n_duals):
        for copy in range(T.dual_tiles[dual]):
            H.tiles[n] = MAX_SYMBOLS + dual
            H.sort_key[n] = key(H.seed, H.deal, LUCK_TILE, MAX_SYMBOLS + dual, copy)
            n += 1
    sort_part(H.sort_key, H.tiles, 0, n)
    H.tiles_end = n
    S.pub.tiles_left = n


@jit
def populate(S, T):
    """Fill buildings with people of random owners: floor(u x spaces) a square, rounded up when the eruption begins."""
    H = S.hid
    for i in range(T.n_housed):
        square = T.housed[i]
        share = unit(key(H.seed, H.deal, LUCK_POPULATE, square, 0)) * T.spaces[square]
        count = int(share)
        if T.start_phase == 3 and share > count:
            count += 1
        for k in range(count):
            seat = below(key(H.seed, H.deal, LUCK_OWNER, square, k), T.n_seats)
            for _ in range(T.n_seats):
                if S.pub.supply[seat] > 0:
                    break
                seat = (seat + 1) % T.n_seats
            if S.pub.supply[seat] > 0:
                settle(S, T, seat, square, BY_START)


@jit
def is_neutral(building):
    """Return whether a building's number is a neutral house's."""
    return building >= NEUTRAL_0
