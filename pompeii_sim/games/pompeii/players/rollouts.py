"""A searching player, the yardstick of strength: it plays each promising worker action out, many times.

From what the seat sees a whole game is imagined: the cards nobody showed are dealt to hands and decks by the seat's
own luck, and the volcano deck is shuffled as the rules in force allow. Each promising action is tried in the same
imagined games, planners in all seats, and the one that wins most often is taken. Far too slow for mass runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pompeii_sim.engine.jit import JIT_DISABLED, jit
from pompeii_sim.engine.luck import again, below, key
from pompeii_sim.engine.records import allocate, clear, copy_record
from pompeii_sim.games.pompeii.codes import (
    APOCALYPSE,
    D_PLACE,
    END_VICTORY,
    F_DISCARD,
    N_CARDS,
    N_SPECIALISTS,
    N_VOLCANO,
)
from pompeii_sim.games.pompeii.decks import IN_DECK, LUCK_SEAT, OUT, key_cards, next_card, next_volcano_card
from pompeii_sim.games.pompeii.kernel import MOST_ACTIONS, apply_op, legal_op, run_on_op
from pompeii_sim.games.pompeii.players.appraise import best_trade, option_gain
from pompeii_sim.games.pompeii.players.plan import make_plan
from pompeii_sim.games.pompeii.players.scripted import mark, play_by_plan
from pompeii_sim.games.pompeii.players.signature import player
from pompeii_sim.games.pompeii.players.weights import PLAYOUTS, PROMISING, STANCE_ROW
from pompeii_sim.games.pompeii.state import STATE

SURE = 400.0  # gain above which an action is taken without a search: it wins, or buys the army
LONGEST = 4000  # decisions after which an imagined game counts as lost
LUCK_HAND = 11  # first parts of the keys of imagined games
LUCK_VOLCANO = 12

if JIT_DISABLED:

    def new_state() -> Any:
        """Return an array of one cleared game."""
        return allocate(STATE)

    def copy_public(S: Any, P: Any) -> None:
        """Copy the public record into a game."""
        copy_record(S.pub, P)

else:

    @jit
    def new_state():
        """Return an array of one cleared game."""
        return np.zeros(1, STATE)

    @jit
    def copy_public(S, P):
        """Copy the public record into a game."""
        S.pub = P


@jit
def imagine(P, O, S, T, luck):  # noqa: E741
    """Fill a cleared game with what a seat sees and, by its luck, with what it does not."""
    seat = P.dec_seat
    copy_public(S, P)
    H = S.hid
    H.seed = luck
    for card in range(N_CARDS):
        S.own[seat].hand[card] = O.hand[card]
        S.own[seat].drawn[card] = O.drawn[card]
        H.deck[card] = IN_DECK
        if O.hand[card] != 0 or O.drawn[card] != 0 or P.discard[card] != 0:
            H.deck[card] = OUT
        if card < N_SPECIALISTS and P.spent[card] != 0:
            H.deck[card] = OUT
        for other in range(P.n_seats):
            if P.active[other, card] != 0:
                H.deck[card] = OUT
    for i in range(P.top):  # one-time cards in play lie on the table until they are discarded
        if P.f_kind[i] == F_DISCARD:
            H.deck[P.f_a[i]] = OUT
    for deck in range(2):
        key_cards(S, deck)
        for other in range(P.n_seats):
            if other != seat:
                for _ in range(P.hand_size[other, deck]):
                    give_unseen(S, other, deck)
    imagine_volcano(P, S, T, luck)


@jit
def give_unseen(S, seat, deck):
    """Put the unseen card with the smallest key into a hand."""
    H = S.hid
    best = next_card(S, deck, LUCK_HAND + seat)
    if best >= 0:
        H.deck[best] = OUT
        S.own[seat].hand[best] = 1


@jit
def imagine_volcano(P, S, T, luck):
    """Lay out the cards not turned yet by the seat's luck, the Apocalypse where the rules in force allow it."""
    H = S.hid
    count = T.volcano_cards
    turned = count + 1 - P.volcano_left
    H.volcano_next = turned
    if T.apocalypse_mode == 2:
        place = T.apocalypse_place
    else:
        first = turned if T.apocalypse_mode == 0 else max(turned, count + 1 - (count + 1) // 2)
        place = first + below(key(luck, LUCK_VOLCANO, 0, 0, 0), count + 1 - first)
    taken = 0
    for card in range(N_VOLCANO):
        if P.volcano_seen[card] != 0:
            taken |= 1 << card
    for i in range(turned, count + 1):
        if i == place:
            H.volcano[i] = APOCALYPSE
            continue
        best = next_volcano_card(taken, luck, LUCK_VOLCANO, 1)
        taken |= 1 << best
        H.volcano[i] = best


@jit
def play_out(S, T, acts):
    """Play an imagined game to its end, planners in all seats; return the winner, -1 for none."""
    P = S.pub
    H = S.hid
    for _ in range(LONGEST):
        if run_on_op(S, T) == 0:
            break
        n = legal_op(S, T, acts)
        if n == 0:
            P.top -= 1
            continue
        action = acts[0]
        if n > 1:
            seat = P.dec_seat
            luck = key(H.seed, H.deal, LUCK_SEAT, seat, H.n_decision[seat])
            H.n_decision[seat] += 1
            action = play_by_plan(P, S.own[seat], T, STANCE_ROW, luck, acts, n)
        apply_op(S, T, action)
    return P.winner if P.ended_by == END_VICTORY else -1


@jit
def promising(P, T, W, plan, seat, acts, n, chosen):
    """Write the actions that the planner thinks most of, best first; return how many, 1 when nothing needs a search."""
    make_plan(P, T, W, plan, seat)
    mark(P, plan)
    traded = best_trade(P, T, plan, seat)[0]
    gains = np.empty(n)
    for i in range(n):
        gains[i] = option_gain(P, T, plan, seat, traded, acts[i])
    most = min(n, max(1, int(W[PROMISING])))
    for k in range(most):
        best = 0
        for i in range(1, n):
            if gains[i] > gains[best]:
                best = i
        if k == 0 and gains[best] > SURE:
            most = 1
        chosen[k] = acts[best]
        gains[best] = -1.0e18
        if most == 1:
            break
    return most


@player
def play_rollouts(pub, own, tables, weights, luck, acts, n):
    """Take the promising action that wins most of the imagined games; other choices as the planner."""
    if pub.dec_kind != D_PLACE:
        return play_by_plan(pub, own, tables, weights, luck, acts, n)
    chosen = np.empty(n, np.int64)
    options = promising(pub, tables, weights, own.plan, pub.dec_seat, acts, n, chosen)
    if options == 1:
        return chosen[0]
    zero = new_state()
    start = new_state()
    game = new_state()
    space = np.zeros(MOST_ACTIONS, np.int64)
    score = np.zeros(options)
    for i in range(max(1, int(weights[PLAYOUTS]) // options)):
        clear(start, zero)
        imagine(pub, own, start[0], tables, again(luck, 1000 + i))
        for k in range(options):
            clear(game, start)
            apply_op(game[0], tables, chosen[k])
            if play_out(game[0], tables, space) == pub.dec_seat:
                score[k] += 1.0
    best = 0
    for k in range(1, options):
        if score[k] > score[best]:
            best = k
    game[0].pub.top = 0  # keeps the arrays alive until here
    start[0].pub.top = 0
    zero[0].pub.top = 0
    return chosen[best]
