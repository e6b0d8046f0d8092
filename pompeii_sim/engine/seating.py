"""Who sits where: all distinct arrangements of a list of seats."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.jit import entry

SEATINGS = ("rotate", "duplicate", "fixed")
"""``rotate``: deal i in arrangement i mod A; ``duplicate``: every deal in every arrangement; ``fixed``: as listed."""


def arrangements(kinds: Sequence[Hashable], seating: str, width: int) -> NDArray[np.int64]:
    """Return the arrangements a seating uses.

    Parameters
    ----------
    kinds
        What sits in each listed seat; equal kinds are interchangeable (4 arrangements for 1 + 3 alike,
        6 for 2 + 2, 24 for four kinds).
    seating
        One of `SEATINGS`.
    width
        Number of columns (the game's most seats); unused seats hold -1.

    Returns
    -------
    ndarray of int64, shape (arrangements, width)
        Index of the listed seat that sits in each seat. Listed seats of one kind keep their order. For every
        kind and seat the number of arrangements that put the kind there is the same share as the kind has of all.
    """
    n = len(kinds)
    orders: list[tuple[int, ...]] = [tuple(range(n))]
    if seating != "fixed":
        seen: dict[tuple[Hashable, ...], tuple[int, ...]] = {}
        for order in permutations(range(n)):
            seen.setdefault(tuple(kinds[i] for i in order), order)
        orders = list(seen.values())
    out = np.full((len(orders), width), -1, np.int64)
    out[:, :n] = orders
    return out


@entry
def deal_of(game, count, seating):
    """Return the deal of a game index, given the number of arrangements and the seating's number."""
    return game // count if seating == 1 else game


@entry
def arrangement_of(game, count, seating):
    """Return the arrangement of a game index, given the number of arrangements and the seating's number."""
    return 0 if seating == 2 else game % count
