"""Record types of the toy game."""

from __future__ import annotations

import numpy as np

MAX_SEATS = 8

PUBLIC = np.dtype(
    [
        ("n_seats", "i4"),
        ("rnd", "i4"),
        ("dec_seat", "i4"),  # seat whose decision is due; -1 before a round, n_seats after it
        ("heads", "i4", (MAX_SEATS,)),
        ("ended_by", "i4"),
        ("winners", "i4"),
        ("error", "i4"),
    ],
    align=True,
)
"""What everybody sees."""

OWN = np.dtype([("tosses", "i4")], align=True)
"""What a seat knows of itself: how often it has tossed."""

HIDDEN = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("arrangement", "i4"),
        ("seat_spec", "i4", (MAX_SEATS,)),
        ("decisions", "i4"),
        ("forced", "i4"),
        ("made", "i4", (MAX_SEATS,)),
    ],
    align=True,
)
"""What nobody sees, and counts for the record."""

EVENT = np.dtype([("code", "i4"), ("rnd", "i4"), ("seat", "i4"), ("heads", "i4")], align=True)
TRACER = np.dtype([("on", "i4"), ("count", "i4"), ("events", EVENT, (64,))], align=True)
"""Events since the trace was last emptied; only kept while ``on``."""

STATE = np.dtype([("pub", PUBLIC), ("own", OWN, (MAX_SEATS,)), ("hid", HIDDEN), ("trace", TRACER)], align=True)

TABLES = np.dtype(
    [
        ("heads", "f8"),
        ("disaster", "f8"),
        ("target", "i4"),
        ("cap", "i4"),
        ("may_wait", "i4"),
        ("n_seats", "i4"),
        ("skill", "f8", (MAX_SEATS,)),  # by listed seat
        ("forbid", "i4", (MAX_SEATS,)),  # bit mask of actions, by listed seat
    ],
    align=True,
)

ROW = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i8"),
        ("arrangement", "i4"),
        ("seat_spec", "i1", (MAX_SEATS,)),
        ("ended_by", "i1"),
        ("winners", "i4"),
        ("rank", "i1", (MAX_SEATS,)),
        ("score", "f4", (MAX_SEATS,)),
        ("rounds", "i4"),
        ("decisions", "i4"),
        ("forced", "i4"),
        ("error", "i4"),
        ("tosses", "i4", (MAX_SEATS,)),
        ("last_disaster_luck", "f4"),
    ],
    align=True,
)

SERIES = np.dtype([("game", "i8"), ("time", "i4"), ("seat", "i1"), ("heads", "i4"), ("progress", "f4")], align=True)

VICTORY, DISASTER, CAP = 1, 2, 3
TOSS, WAIT = 0, 1
ILLEGAL = 1
EV_SETUP, EV_TOSS, EV_WAIT, EV_END = 1, 2, 3, 4
