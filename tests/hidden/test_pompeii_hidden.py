"""What a seat cannot see changes nothing it may do or does, for every built-in player and every stance.

Before each decision everything hidden from the deciding seat is permuted: the cards of a deck among the other hands
and the deck, the order of the decks, the rest of the volcano deck with the Apocalypse, seed and deal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numba
import numpy as np
import pytest
from pompeii_cells import cell

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.luck import again, below, key
from pompeii_sim.games.pompeii import kernel
from pompeii_sim.games.pompeii.codes import APOCALYPSE, D_PAY, D_PLEDGE, N_CARDS, N_SPECIALISTS, N_VOLCANO
from pompeii_sim.games.pompeii.decks import LUCK_SEAT
from pompeii_sim.games.pompeii.players.registry import players
from pompeii_sim.games.pompeii.players.stances import PLAYER
from pompeii_sim.games.pompeii.rules import STANCES
from pompeii_sim.games.pompeii.state import STATE

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="ten thousand decisions a player need the compiler")

DECISIONS = 10_000
advance, decide, OPS = kernel.advance, kernel.decide, kernel.OPS
NOBODY = 9  # whose cards are not in this test: out of the game or open on the table
DECK = 8


@numba.njit(nogil=True)
def permute_deck(S, seat, start, luck):  # type: ignore[no-untyped-def]
    """Deal the cards of a deck that the seat does not see anew among the deck and the other hands."""
    where = np.full(N_CARDS, NOBODY)
    unseen = np.zeros(N_CARDS, np.int64)
    n = 0
    for card in range(start, start + N_SPECIALISTS):
        if S.hid.deck[card] == 1:
            where[card] = DECK
        for other in range(S.pub.n_seats):
            if other != seat and S.own[other].hand[card] != 0:
                where[card] = other
            if other != seat and S.own[other].drawn[card] != 0:
                where[card] = other + 4
        if where[card] != NOBODY:
            unseen[n] = card
            n += 1
    moved = 0
    places = where[unseen[:n]].copy()
    for i in range(n - 1, 0, -1):
        luck = again(luck, i)
        j = below(luck, i + 1)
        places[i], places[j] = places[j], places[i]
    for i in range(n):
        card = unseen[i]
        moved += places[i] != where[card]
        S.hid.deck[card] = 1 if places[i] == DECK else 0
        for other in range(S.pub.n_seats):
            if other != seat:
                S.own[other].hand[card] = 1 if places[i] == other else 0
                S.own[other].drawn[card] = 1 if places[i] == other + 4 else 0
    return moved


@numba.njit(nogil=True)
def permute_volcano(S, luck):  # type: ignore[no-untyped-def]
    """Lay the rest of the volcano deck anew, of all cards not yet turned, the Apocalypse at any place."""
    unseen = np.zeros(N_VOLCANO, np.int64)
    n = 0
    for card in range(N_VOLCANO):
        if S.pub.volcano_seen[card] == 0:
            unseen[n] = card
            n += 1
    for i in range(n - 1, 0, -1):
        luck = again(luck, i)
        j = below(luck, i + 1)
        unseen[i], unseen[j] = unseen[j], unseen[i]
    first = S.hid.volcano_next
    left = S.pub.volcano_left
    last = first + below(again(luck, 99), left)
    moved = S.hid.volcano[last] != APOCALYPSE
    used = 0
    for i in range(first, first + left):
        if i == last:
            S.hid.volcano[i] = APOCALYPSE
        else:
            S.hid.volcano[i] = unseen[used]
            used += 1
    return moved


@numba.njit(nogil=True)
def permute_own(S, seat, luck):  # type: ignore[no-untyped-def]
    """Swap the seat's goods round: something it does see."""
    goods = S.pub.goods[seat]
    for i in range(24, 0, -1):
        luck = again(luck, i)
        j = below(luck, i + 1)
        goods[i], goods[j] = goods[j], goods[i]


@numba.njit(nogil=True)
def copy_bytes(target, source):  # type: ignore[no-untyped-def]
    """Copy a record by its bytes: assigning a record of this size takes the compiler a minute."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@numba.njit(nogil=True)
def compare(OPS, A, B, a, b, TA, players, W, arrangements, want, offerings, visible):  # type: ignore[no-untyped-def]
    """Play games and decide everything twice more, with hidden things permuted; return counts.

    Returns
    -------
    tuple of int
        Decisions with two or more actions (pledges and payments only, when `offerings`), differing lists of legal
        actions, differing actions, cards and Apocalypses moved, games.
    """
    acts = np.zeros(1024, np.int64)
    other = np.zeros(1024, np.int64)
    S = A[0]
    X = B[0]
    T = TA[0]
    compared = 0
    lists = 0
    differ = 0
    moved = 0
    deal = 0
    while compared < want:
        for i in range(a.shape[0]):
            a[i] = 0
        OPS[0](S, T, arrangements[deal % arrangements.shape[0]], 1, deal)
        deal += 1
        while True:
            n = advance(OPS, S, T, acts)
            if n == 0:
                break
            if n == 1:
                OPS[3](S, T, acts[0])
                continue
            P = S.pub
            seat = P.dec_seat
            spec = P.seat_spec[seat]
            stance = T.stance[spec] != PLAYER and (P.dec_kind == D_PLEDGE or P.dec_kind == D_PAY)
            luck = key(S.hid.seed, S.hid.deal, LUCK_SEAT, seat, S.hid.n_decision[seat])
            noise = key(17, deal, compared, seat, n)
            copy_bytes(b, a)
            action = decide(OPS, S, T, players, W, acts, n)
            if stance or P.dec_kind == D_PLEDGE or P.dec_kind == D_PAY or not offerings:
                if visible:
                    permute_own(X, seat, noise)
                else:
                    moved += permute_deck(X, seat, 0, noise) + permute_deck(X, seat, N_SPECIALISTS, again(noise, 1))
                    moved += permute_volcano(X, again(noise, 2))
                    for card in range(N_CARDS):
                        X.hid.card_key[card] = again(noise, 1000 + card)
                if not visible:
                    m = OPS[2](X, T, other)
                    if m != n:
                        lists += 1
                    for i in range(min(m, n)):
                        lists += other[i] != acts[i]
                # first with seed and deal as they are, through the whole way of a decision
                copy_bytes(other, acts)
                if decide(OPS, X, T, players, W, other, n) != action:
                    differ += 1
                # then with another seed and deal; the luck of the decision is all a player may know of them
                X.hid.seed = again(noise, 3)
                X.hid.deal = again(noise, 4)
                copy_bytes(other, acts)
                if stance:
                    if decide(OPS, X, T, players, W, other, n) != action:
                        differ += 1
                elif players[spec](X.pub, X.own[seat], T, W[spec], luck, other, n) != action:
                    differ += 1
                compared += 1
            OPS[3](S, T, action)
    return compared, lists, differ, moved, deal


def counts(
    player: str, stances: Sequence[str], offerings: bool, want: int, visible: bool = False
) -> tuple[int, int, int, int, int]:
    """Return the counts of `compare` for a table of one player with these stances, the Awakening soon on."""
    rules = {"calm_steps": 1, "volcano_cards": "all"} if len(stances) > 1 else {"solo_lower_deck": 3}
    few = {"weights": {"playouts": 4.0, "promising": 2.0}} if player == "rollouts" else {}
    table = cell(
        [{"player": player, "stance": stance, **few} for stance in stances], rules | {"workers_start": 4}, "fixed"
    )
    state, twin = np.zeros(1, STATE), np.zeros(1, STATE)
    raw = state.view(np.uint8), twin.view(np.uint8)
    seats = table.tables, table.players, table.weights, table.arrangements
    compared, lists, differ, moved, games = compare(OPS, state, twin, *raw, *seats, want, offerings, visible)
    return int(compared), int(lists), int(differ), int(moved), int(games)


@pytest.mark.parametrize("player", sorted(players()))
def test_hidden_things_change_no_action(player: str) -> None:
    """Every player, 10,000 decisions of all kinds, every stance at its tables."""
    wanted = DECISIONS // (20 if player == "rollouts" else 2)  # a search is slow
    for stances in (STANCES[:4], STANCES[3:]):
        compared, lists, differ, moved, games = counts(player, stances, False, wanted)
        assert compared >= wanted
        assert games >= 1
        assert moved > 10 * compared, "the permutation must really move cards"
        assert (lists, differ) == (0, 0)


@pytest.mark.parametrize("player", sorted(players()))
def test_hidden_things_change_no_action_of_one_alone(player: str) -> None:
    """Every player in the game for one: the order of both decks and of the volcano cards, seed and deal."""
    wanted = DECISIONS // (10 if player == "rollouts" else 4)
    compared, lists, differ, moved, games = counts(player, ["calculating"], False, wanted)
    assert compared >= wanted
    assert games > 3
    assert moved > compared / 4, "the Apocalypse and the volcano cards must really move"
    assert (lists, differ) == (0, 0)


@pytest.mark.parametrize("stance", STANCES)
def test_hidden_things_change_no_pledge(stance: str) -> None:
    """Every stance, 10,000 pledges and payments."""
    compared, lists, differ, _, _ = counts("greedy", [stance] * 3, True, DECISIONS)
    assert compared >= DECISIONS
    assert (lists, differ) == (0, 0)


@pytest.mark.parametrize("player", ["greedy", "planner"])
def test_the_comparison_sees_what_a_player_does_use(player: str) -> None:
    """Control: with its own goods swapped round, a player acts differently often."""
    compared, _, differ, _, _ = counts(player, ["cooperative"] * 4, False, 500, visible=True)
    assert differ > compared / 10
