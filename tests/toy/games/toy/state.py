"""Record types of the toy game."""

from __future__ import annotations

import numpy as np

MAX_SEATS = 8

PUBLIC = np.dtype(
    [
        ("n_seats", "i4"),
        ("rnd", "i4"),
        ("turn", "i4"),  # seat whose decision is due, -1 for nobody's
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
        ("tosses", "i4", (MAX_SEATS,)),
    ],
    align=True,
)
"""What nobody sees, and counts for the record."""

STATE = np.dtype([("public", PUBLIC), ("own", OWN, (MAX_SEATS,)), ("hidden", HIDDEN)], align=True)

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
