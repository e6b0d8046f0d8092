"""The game for one: open specialists, volcano cards that block goods, the last round, titles. [Solo Play]

What the flow of a game does otherwise with one seat; everything else is the game of the other tables.
"""

from __future__ import annotations

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.cards import discard
from pompeii_sim.games.pompeii.codes import (
    APOCALYPSE,
    AWAKENING,
    CITY_DECK,
    DRAW_OPEN,
    END_APOCALYPSE,
    END_VICTORY,
    EV_BLOCK,
    EV_ERUPTION,
    EV_PHASE,
    FORO,
    N_SPECIALISTS,
    SPECIALIST_DECK,
    STEP_HOME,
)
from pompeii_sim.games.pompeii.decks import deal, draw, to_hand
from pompeii_sim.games.pompeii.goods import emit, take_away, turn_up


@jit
def deal_open(S, T):
    """Lay out the specialists of the first round, those forced by the scenario among them. [Solo Setup]"""
    for _ in range(T.solo_open):
        deal(S, T, 0, SPECIALIST_DECK)


@jit
def open_specialists(S, T):
    """Draw the specialists of the next round; the pile is reshuffled when the deck runs out. [Solo, The Calm]"""
    for _ in range(T.solo_open):
        card = draw(S, 0, SPECIALIST_DECK, DRAW_OPEN)
        if card >= 0:
            to_hand(S, 0, card)


@jit
def end_solo_round(S, T):
    """Clear the open specialists away and, where no offering comes first, turn a card; whether the round is over."""
    P = S.pub
    for card in range(N_SPECIALISTS):
        if P.active[0, card] != 0:
            take_away(P, 0, card)
            discard(S, 0, card)
    if P.rnd >= T.last_round:  # the Apocalypse lay open already
        P.ended_by = END_APOCALYPSE
        S.tally.eruptions += 1
        if S.tally.first_eruption == 0:
            S.tally.first_eruption = P.rnd
        emit(S, EV_ERUPTION, -1, turn_card(S), S.hid.volcano_next, 0, 0)
        return True
    P.step = STEP_HOME
    P.blocked = 0
    if P.volcano_left == 1:  # only the Apocalypse: no offering, nothing to turn
        return True
    if P.phase == AWAKENING:
        return False
    block_goods(S, T, turn_card(S))
    return True


@jit
def turn_card(S):
    """Turn the top card of the volcano deck and return it."""
    P = S.pub
    card = S.hid.volcano[S.hid.volcano_next]
    S.hid.volcano_next += 1
    P.volcano_left -= 1
    if card != APOCALYPSE:
        P.volcano_seen[card] = 1
    return card


@jit
def block_goods(S, T, card):
    """Block the goods of a card for the next round. [Solo, Collect resources and Produce goods]"""
    P = S.pub
    P.blocked = 0
    for g in range(T.n_goods):
        if T.volcano_goods[card, g] != 0:
            P.blocked |= 1 << g
            S.tally.blocked_rounds[g] += 1
            S.tally.blocked_value += T.value[g]
    emit(S, EV_BLOCK, -1, card, S.hid.volcano_next, 0, 0)


@jit
def awaken_solo(S, T):
    """The lower deck is empty: the Foro stands free of charge and city cards come to the hand. [Solo, The Awakening]"""
    P = S.pub
    P.phase = AWAKENING
    P.streak = 0
    turn_up(P, FORO, -1)
    S.tally.awakening_round = P.rnd
    emit(S, EV_PHASE, -1, AWAKENING, 0, 0, 0)
    for _ in range(T.city_dealt):
        deal(S, T, 0, CITY_DECK)


@jit
def title_of(P, T):
    """Return the title of a solo victory: 0 for none, else its number from the lowest up. [Titles of Achievement]"""
    if P.n_seats != 1 or P.ended_by != END_VICTORY:
        return 0
    left = P.volcano_left - 1 + T.title_apocalypse
    title = 0
    while title < T.n_titles and left >= T.title_above[title]:
        title += 1
    return title
