"""The record type of a cell's tables: board, cards, tiles, switches, seats."""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.downfall.codes import (
    MAX_BUILDINGS,
    MAX_GATES,
    MAX_PLACES,
    MAX_SEATS,
    MAX_SQUARES,
    MAX_SYMBOLS,
    N_KINDS,
)

Q = MAX_SQUARES

SWITCHES = (
    "relatives", "count_square", "limit_unit", "relatives_optional", "omen_any", "omen_mandatory", "omen_own",
    "supply_draws", "full_draws", "dual_both", "lava_on_vents", "way_over_vents", "vents_buried", "lava_on_buried",
    "run_free", "free_tiles", "finish_turn", "runs", "alone_at_run", "run_returns", "tie_shared", "left_counts",
    "start_phase", "populate", "start_seat", "ad79_mode", "ad79_place",
)  # fmt: skip
"""Rules as numbers, one field each."""

TABLES = np.dtype(
    [
        ("n_seats", "i4"),
        ("n_cells", "i4"),
        ("n_columns", "i4"),
        ("inside", "i4", (Q,)),
        ("nbr", "i4", (Q, 4)),  # neighbours inside the wall: north, east, south, west; -1 for none
        ("n_nbr", "i4", (Q,)),  # how many there are; they stand first
        ("vent_of", "i4", (Q,)),  # symbol of the vent on the square, -1 for none
        ("near_vent", "i4", (Q,)),
        ("gate", "i4", (Q,)),  # gate of the square, -1 for none
        ("spaces", "i4", (Q,)),
        ("building", "i4", (Q,)),  # 0 for none; neutral houses from NEUTRAL_0
        ("part", "i4", (Q,)),  # -1 for none
        ("colour", "i4", (Q,)),  # 0..3, NEUTRAL, -1 for none
        ("start_dist", "i4", (Q,)),
        ("n_at", "i4", (MAX_BUILDINGS,)),  # squares of each building
        ("at", "i4", (MAX_BUILDINGS, MAX_PLACES)),
        ("n_housed", "i4"),  # squares with spaces
        ("housed", "i4", (Q,)),
        ("all_spaces", "i4"),
        ("cards", "i4", (MAX_BUILDINGS,)),
        ("omens", "i4"),
        ("piles", "i4"),
        ("pile", "i4"),
        ("top_piles", "i4"),
        ("zone", "i4"),
        ("people_each", "i4"),
        ("n_symbols", "i4"),
        ("vent", "i4", (MAX_SYMBOLS,)),
        ("tiles", "i4", (MAX_SYMBOLS,)),
        ("n_duals", "i4"),
        ("dual_a", "i4", (8,)),
        ("dual_b", "i4", (8,)),
        ("dual_tiles", "i4", (8,)),
        ("n_gates", "i4"),
        ("gate_square", "i4", (MAX_GATES,)),
        *((name, "i4") for name in SWITCHES),
        ("skill", "f8", (MAX_SEATS,)),  # by listed seat
        ("forbids", "i4", (MAX_SEATS,)),  # 1: the listed seat forbids something
        ("forbid", "i1", (MAX_SEATS, N_KINDS, 128)),  # by kind and target: a building, a square or a gate
    ],
    align=True,
)
"""All that the compiled code reads of rules, data and seats."""
