"""Decks: who draws what is decided by keys, not by the order of draws.

A card's key is the hash of (seed, deal, card, reshuffle count); the drawer takes the remaining card with the smallest
key hashed with its seat, so one seat's extra draw hardly moves another seat's cards.
"""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.engine.luck import again, below, key
from pompeii_sim.games.pompeii.codes import (
    APOCALYPSE,
    CITY_DECK,
    DRAW_DEAL,
    EV_DRAW,
    EV_RESHUFFLE,
    N_CARDS,
    N_SPECIALISTS,
    N_VOLCANO,
    SPECIALIST_DECK,
    STEP_SETUP,
)
from pompeii_sim.games.pompeii.goods import emit, lay_out, take_away

# first part of a key: what is decided
LUCK_CARD = 1
LUCK_VOLCANO = 2
LUCK_APOCALYPSE = 3
LUCK_START = 4
LUCK_SEAT = 5

# where a card is, as the deck sees it
OUT, IN_DECK, RESERVED = 0, 1, 2  # reserved: forced by the scenario into an opening hand


@jit
def key_cards(S, deck):
    """Give every card of a deck its key for the current reshuffle."""
    H = S.hid
    for card in range(deck * N_SPECIALISTS, deck * N_SPECIALISTS + N_SPECIALISTS):
        H.card_key[card] = key(H.seed, H.deal, LUCK_CARD, card, H.reshuffles[deck])


@jit
def emit_draw(S, seat, card, why):
    """Write the event of a drawn card; opening hands stand in the event of the set-up."""
    if S.pub.step != STEP_SETUP:
        emit(S, EV_DRAW, seat, card, why, 0, 0)


@jit
def next_card(S, deck, part):
    """Return the card in a deck whose key, hashed with `part`, is the smallest; -1 when the deck is empty."""
    H = S.hid
    best = -1
    lowest = 0
    for card in range(deck * N_SPECIALISTS, deck * N_SPECIALISTS + N_SPECIALISTS):
        if H.deck[card] == IN_DECK:
            k = again(H.card_key[card], part)
            if best < 0 or k < lowest:
                best = card
                lowest = k
    return best


@jit
def next_volcano_card(taken, a, b, c):
    """Return the volcano card, of those not in the bit mask, with the smallest key of (a, b, c, card)."""
    best = -1
    lowest = 0
    for card in range(N_VOLCANO):
        if (taken >> card) & 1 == 0:
            k = key(a, b, c, card, 0)
            if best < 0 or k < lowest:
                best = card
                lowest = k
    return best


@jit
def draw(S, seat, deck, why):
    """Take a card from a deck, the discard pile reshuffled when it is empty; -1 when both are empty."""
    H = S.hid
    P = S.pub
    if P.deck_left[deck] == 0:
        for card in range(deck * N_SPECIALISTS, deck * N_SPECIALISTS + N_SPECIALISTS):
            if P.discard[card] != 0:
                P.discard[card] = 0
                H.deck[card] = IN_DECK
                P.deck_left[deck] += 1
        if P.deck_left[deck] == 0:
            return -1
        H.reshuffles[deck] += 1
        key_cards(S, deck)
        emit(S, EV_RESHUFFLE, seat, deck, 0, 0, 0)
    best = next_card(S, deck, seat + 1)
    H.deck[best] = OUT
    P.deck_left[deck] -= 1
    emit_draw(S, seat, best, why)
    return best


@jit
def deck_of(card):
    """Return the deck a card belongs to."""
    return SPECIALIST_DECK if card < N_SPECIALISTS else CITY_DECK


@jit
def to_hand(S, seat, card):
    """Put a card into a seat's hand; with one seat a specialist lies open instead. [Solo, Using specialists]"""
    S.tally.held[card] |= 1 << seat
    if S.pub.n_seats == 1 and card < N_SPECIALISTS:
        lay_out(S.pub, seat, card)
        return
    S.own[seat].hand[card] = 1
    S.pub.hand_size[seat, deck_of(card)] += 1


@jit
def spend(S, seat, card):
    """Take a used specialist out of the game. [Solo, The Calm]"""
    take_away(S.pub, seat, card)
    S.pub.spent[card] = 1
    S.tally.put_out[card] |= 1 << seat
    S.tally.open_used += 1


@jit
def from_hand(S, seat, card):
    """Take a card out of a seat's hand."""
    S.own[seat].hand[card] = 0
    S.pub.hand_size[seat, deck_of(card)] -= 1


@jit
def deal(S, T, seat, deck):
    """Deal one card of an opening deal to a seat's hand, cards the scenario forces into it first."""
    H = S.hid
    card = -1
    for forced in range(deck * N_SPECIALISTS, deck * N_SPECIALISTS + N_SPECIALISTS):
        if T.forced_hand[seat, forced] != 0 and H.deck[forced] == RESERVED:
            card = forced
            H.deck[card] = OUT
            emit_draw(S, seat, card, DRAW_DEAL)
            break
    if card < 0:
        card = draw(S, seat, deck, DRAW_DEAL)
    if card >= 0:
        to_hand(S, seat, card)
        S.tally.dealt[card] = 1 + seat


@jit
def build_decks(S, T):
    """Lay out both card decks and the volcano deck. [Game Setup]"""
    P = S.pub
    H = S.hid
    for deck in range(2):
        P.deck_left[deck] = N_SPECIALISTS
        key_cards(S, deck)
    for card in range(N_CARDS):
        H.deck[card] = IN_DECK
        for seat in range(P.n_seats):
            if T.forced_hand[seat, card] != 0:
                H.deck[card] = RESERVED
                P.deck_left[deck_of(card)] -= 1
    # the cards of the level by key: the deck of k cards is the first k of the 17
    count = T.volcano_cards
    taken = 0
    for i in range(count):
        best = next_volcano_card(taken, H.seed, H.deal, LUCK_VOLCANO)
        taken |= 1 << best
        H.volcano[i] = best
    # the Apocalypse has a luck of its own
    luck = key(H.seed, H.deal, LUCK_APOCALYPSE, 0, 0)
    if T.apocalypse_mode == 0:
        place = below(luck, count + 1)
    elif T.apocalypse_mode == 1:
        half = (count + 1) // 2
        place = count + 1 - half + below(luck, half)
    else:
        place = T.apocalypse_place
    for i in range(count, place, -1):
        H.volcano[i] = H.volcano[i - 1]
    H.volcano[place] = APOCALYPSE
    H.volcano_next = 0
    P.volcano_left = count + 1
