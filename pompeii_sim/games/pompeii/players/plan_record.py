"""The record of a plan, which a seat keeps beside its cards."""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.pompeii.codes import CASTRUM, MAX_GOODS
from pompeii_sim.games.pompeii.players.weights import NAMES

PLAN = np.dtype(
    [
        ("need", "i4", (MAX_GOODS,)),  # goods wanted in store, those already there included
        ("how", "i4", (MAX_GOODS,)),  # 0 nothing to do or collect, r + 1 by recipe r, BY_CARD + card by a card at a
        # field, -1 - s by trade from good s
        ("give", "i4", (MAX_GOODS,)),  # part of the need that is there to be traded away
        ("aside", "i4", (MAX_GOODS,)),  # part of the need put aside for offerings
        ("recipe", "i4", (MAX_GOODS,)),  # recipe that makes the good, plus 1
        ("at", "i4", (MAX_GOODS,)),  # its building, 0 for a field
        ("field", "i4", (MAX_GOODS,)),  # active card that gives the good at a field, plus 1
        ("unit", "f8", (MAX_GOODS,)),  # effort of one more of the good, in worker actions
        ("stock", "f8", (MAX_GOODS,)),  # while ways are sought: what is there beyond the need
        ("conversion", "f8", (MAX_GOODS,)),  # then: 1 where trading it away asks for a conversion more
        ("effort", "f8", (MAX_GOODS,)),  # then: effort of trading it for the good looked at
        ("todo", "i4", (CASTRUM + 1,)),  # 1: a building on the list
        ("work", "i8"),  # worker actions left, counted coarsely
        ("rounds", "f8"),  # rounds that this work takes, as far as the seat looks ahead
        ("points", "i8"),  # points still to be found for the next offerings
        ("poor", "i8"),  # 1: the others hold too little for offerings to succeed
        ("wanted", "i8"),  # new workers wanted, -1 before anybody asked
        ("spares", "i8"),  # number of goods in `spare`
        ("spare", "i4", (MAX_GOODS,)),  # goods of which some are to spare, in their order
        ("w", "f8", (len(NAMES),)),  # the seat's weight row
        ("tiles", "i8"),  # changes of tiles, and of the own cards, when `recipe`, `at`, `field` and `unit` were written
        ("cards", "i8"),
        ("ready", "i8"),  # own workers to place, this one included, when a good was collected by this plan; else 0
        ("round", "i8"),  # then: the round,
        ("crew", "i8"),  # own workers less injured ones,
        ("held", "i4", (MAX_GOODS,)),  # and goods, what was to be collected included
        ("made", "i8"),  # 1 + worker actions of the game when it was made to place a worker, else 0
        ("paying", "i8"),  # 1 + round in which it was made to pay an offering, else 0
    ],
    align=True,
)
"""Record of a plan; the first fields are by good, `todo` by building."""
