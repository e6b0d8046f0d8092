"""Record types of a finished game and of the series (one row a round and seat)."""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.pompeii.codes import MAX_GOODS, MAX_SEATS, N_CARDS, N_PLACES

S = MAX_SEATS

ROW = np.dtype(
    [
        ("game", "i8"),
        ("deal", "i8"),
        ("arrangement", "i4"),
        ("seat_spec", "i1", (S,)),
        ("ended_by", "i1"),
        ("winners", "i4"),
        ("rank", "i1", (S,)),
        ("score", "f4", (S,)),
        ("rounds", "i4"),
        ("calm_rounds", "i4"),
        ("awakening_rounds", "i4"),
        ("decisions", "i4"),
        ("forced", "i4"),
        ("error", "i4"),
        ("error_seat", "i1"),
        ("error_action", "i4"),
        ("start_seat", "i1"),
        ("worker_actions", "i4", (S,)),
        ("choices", "i4", (S,)),
        ("workers", "i1", (S,)),
        ("army", "i1", (S,)),
        ("eruptions", "i4"),
        ("first_eruption", "i4"),
        ("offerings", "i4"),
        ("offerings_paid", "i4"),
        ("raises", "i4"),
        ("due", "i4"),
        ("paid", "i4", (S,)),
        ("marker", "i4", (S,)),
        ("pledged", "i4", (S,)),
        ("could_pay", "i4", (S,)),
        ("refused", "i4", (S,)),
        ("pivotal", "i4", (S,)),
        ("over_cards", "i4", (S,)),
        ("lost_value", "i4", (S,)),
        ("bonus_goods", "i4", (S,)),
        ("trained", "i4", (S,)),
        ("activated", "i4", (S,)),
        ("idle", "i4", (S,)),
        ("title", "i1"),
        ("open_used", "i4"),
        ("blocked_value", "i4"),
        ("goods_value", "i4", (S,)),
        ("castrum_owner", "i1"),
        ("foro_owner", "i1"),
        # full records
        ("place_use", "i2", (N_PLACES,)),
        ("built", "i1", (21,)),
        ("owner", "i1", (21,)),
        ("dealt", "i1", (N_CARDS,)),
        ("held", "i1", (N_CARDS,)),
        ("put_out", "i1", (N_CARDS,)),
        ("card_use", "i2", (N_CARDS,)),
        ("volcano_seen", "i1", (18,)),
        ("blocked_rounds", "i1", (MAX_GOODS,)),
        ("goods", "i1", (S * 32,)),
    ],
    align=True,
)
"""One finished game."""

SERIES = np.dtype(
    [
        ("game", "i8"),
        ("time", "i4"),
        ("seat", "i1"),
        ("phase", "i1"),
        ("progress", "f4"),
        ("workers", "i1"),
        ("goods_value", "i4"),
        ("active_cards", "i2"),
        ("due", "i2"),
        ("pledged", "i2"),
        ("paid", "i2"),
        ("could_pay", "i1"),
        ("pivotal", "i1"),
    ],
    align=True,
)
"""One seat at the end of one round."""
