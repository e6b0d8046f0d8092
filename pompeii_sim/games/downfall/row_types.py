"""Record types of a finished game and of the series (one row a turn and seat)."""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.downfall.codes import MAX_BUILDINGS, MAX_GATES, MAX_SEATS, MAX_SQUARES, MAX_TILES

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
        ("decisions", "i4"),
        ("forced", "i4"),
        ("error", "i4"),
        ("error_seat", "i1"),
        ("error_action", "i4"),
        ("start_seat", "i1"),
        ("quiet_turns", "i4"),
        ("seething_turns", "i4"),
        ("settling_turns", "i4"),
        ("eruption_turns", "i4"),
        ("running_turns", "i4"),
        ("lava_turns", "i4"),
        ("first_ad79", "i4"),
        ("second_ad79", "i4"),
        ("omens", "i4"),
        ("tiles_placed", "i4"),
        ("tiles_unplaced", "i4"),
        ("buried", "i4"),
        ("shut_gates", "i4"),
        ("margin", "i4"),
        ("choices", "i4", (S,)),
        ("saved", "i4", (S,)),
        ("casualties", "i4", (S,)),
        ("lost_omen", "i4", (S,)),
        ("lost_lava", "i4", (S,)),
        ("lost_enclosed", "i4", (S,)),
        ("lost_left", "i4", (S,)),
        ("placed", "i4", (S,)),
        ("by_card", "i4", (S,)),
        ("by_wild", "i4", (S,)),
        ("by_relative", "i4", (S,)),
        ("discards", "i4", (S,)),
        ("runs", "i4", (S,)),
        ("gate_saved", "i4", (MAX_GATES,)),
        # full records
        ("home_placed", "i2", (MAX_BUILDINGS,)),
        ("home_saved", "i2", (MAX_BUILDINGS,)),
        ("square_placed", "i2", (MAX_SQUARES,)),
        ("square_lost", "i2", (MAX_SQUARES,)),
        ("square_lava", "i2", (MAX_SQUARES,)),
        ("turn_saved", "i2", (MAX_TILES + 1,)),
        ("turn_lost", "i2", (MAX_TILES + 1,)),
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
        ("people", "i2"),
        ("saved", "i2"),
        ("casualties", "i2"),
    ],
    align=True,
)
"""One seat at the end of one turn."""
