"""The state of one game: what everybody sees, what one seat sees, what nobody sees, and what is only counted.

A player function gets `PUBLIC` and its own `OWN`, never the rest.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.downfall.codes import (
    MAX_BUILDINGS,
    MAX_GATES,
    MAX_PARTS,
    MAX_PEOPLE,
    MAX_SEATS,
    MAX_SQUARES,
    MAX_STACK,
    MAX_SYMBOLS,
    MAX_TILES,
    MAX_TURNS,
)

S = MAX_SEATS
Q = MAX_SQUARES
TRACE = 320

PUBLIC = np.dtype(
    [
        ("n_seats", "i4"),
        ("start_seat", "i4"),
        ("phase", "i4"),
        ("step", "i4"),
        ("turn", "i4"),  # turns begun, from 1
        ("turn_seat", "i4"),
        ("dec_seat", "i4"),  # the decision waited for and its seat
        ("dec_kind", "i4"),
        ("seat_spec", "i4", (S,)),  # which listed seat of the scenario sits here
        ("people", "i4", (Q, S)),  # people of each seat on each square
        ("crowd", "i4", (Q,)),  # people of all seats on each square
        ("lava", "i4", (Q,)),  # bit mask of symbols, PLAIN for buried squares, 0 for none
        ("dist", "i4", (Q,)),  # steps to be outside, FAR for no way; empty vents block
        ("dist_vents", "i4", (Q,)),  # the same with empty vents walkable
        ("on_board", "i4", (S,)),
        ("supply", "i4", (S,)),
        ("saved", "i4", (S,)),
        ("lost", "i4", (S,)),  # casualties
        ("free_spaces", "i4"),
        ("stack_left", "i4"),  # cards in the draw stack
        ("omens_seen", "i4"),
        ("discarded", "i4", (MAX_BUILDINGS,)),  # cards of each number in the discard pile
        ("tiles_left", "i4"),
        ("tiles_drawn", "i4"),
        ("tiles_placed", "i4"),
        ("drawn", "i4", (MAX_SYMBOLS,)),  # tiles drawn that show the symbol, a dual tile for both of its
        ("opened", "i4", (MAX_SYMBOLS,)),  # 1 once the symbol's first tile is laid
        ("tile_a", "i4"),  # symbols of the tile in hand, tile_b = -1 for a plain one
        ("tile_b", "i4"),
        ("kin_left", "i4"),  # relatives still to bring
        ("kin_square", "i4"),  # where the person stands that brings them
        ("kin_building", "i4", (MAX_BUILDINGS,)),  # 1: a relative of this move went there
        ("kin_part", "i4", (MAX_PARTS,)),
        ("kin_seen", "i4", (Q,)),
        ("runs_done", "i4"),
        ("moved", "i4"),  # square where the person of the last run stands, -1 for none or saved
        ("moved_again", "i4"),  # 1: that person may run a second time because it was alone
        ("run_from", "i4"),  # the run being chosen: its square and its steps
        ("run_steps", "i4"),
        ("ended_by", "i4"),
        ("error", "i4"),
    ],
    align=True,
)
"""What everybody at the table sees."""

OWN = np.dtype([("hand", "i4", (MAX_BUILDINGS,))], align=True)
"""What one seat sees alone: its cards of each number."""

HIDDEN = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("stack", "i4", (MAX_STACK,)),  # numbers, OMEN, AD79; the top first
        ("stack_next", "i4"),
        ("stack_end", "i4"),
        ("tiles", "i4", (MAX_TILES,)),  # symbol, or MAX_SYMBOLS + number of the dual tile; in the order of draws
        ("tiles_end", "i4"),
        ("n_decision", "i4", (S,)),  # decisions of each seat so far: the key of its luck
        ("sort_key", "i8", (MAX_STACK,)),  # work space of shuffles
        ("queue", "i4", (Q,)),  # work space of searches
        ("mark", "i4", (Q,)),
    ],
    align=True,
)
"""What nobody sees, and work space."""

TALLY = np.dtype(
    [
        ("decisions", "i4"),
        ("forced", "i4"),
        ("choices", "i4", (S,)),
        ("first_ad79", "i4"),  # turn in which it was drawn, 0 for never
        ("second_ad79", "i4"),
        ("settling_turns", "i4"),
        ("quiet_turns", "i4"),
        ("lava_turns", "i4"),
        ("running_turns", "i4"),
        ("placed", "i4", (S, 4)),  # by how it came: card, wild, relative, start
        ("lost", "i4", (S, 4)),  # by cause: omen, lava, enclosed, left
        ("discards", "i4", (S,)),  # cards that placed nobody
        ("runs", "i4", (S,)),
        ("gate_saved", "i4", (MAX_GATES,)),
        ("buried", "i4"),
        ("unplaced", "i4"),
        ("shut_gates", "i4"),
        # one line a person, in the order of arrival; no rule reads it
        ("n_people", "i4"),
        ("who_seat", "i2", (MAX_PEOPLE,)),
        ("who_square", "i2", (MAX_PEOPLE,)),  # -1: gone
        ("who_home", "i2", (MAX_PEOPLE,)),  # building it came to
        ("home_placed", "i4", (MAX_BUILDINGS,)),
        ("home_saved", "i4", (MAX_BUILDINGS,)),
        ("square_lost", "i4", (Q,)),
        ("square_placed", "i4", (Q,)),
        ("square_lava", "i4", (Q,)),  # turn of the lava half in which lava came, 0 for never
        ("turn_saved", "i4", (MAX_TILES + 1,)),  # people saved in each turn of the lava half
        ("turn_lost", "i4", (MAX_TILES + 1,)),
        # the standing of every seat at the end of each turn, kept while `watch` is 1 (games with a series)
        ("watch", "i4"),
        ("end_phase", "i1", (MAX_TURNS + 1,)),
        ("end_progress", "f4", (MAX_TURNS + 1, S)),
        ("end_people", "i2", (MAX_TURNS + 1, S)),
        ("end_saved", "i2", (MAX_TURNS + 1, S)),
        ("end_lost", "i2", (MAX_TURNS + 1, S)),
        ("error_seat", "i4"),
        ("error_action", "i4"),
    ],
    align=True,
)
"""Counts for the game record; no rule reads them."""

EVENT = np.dtype(
    [("code", "i4"), ("turn", "i4"), ("phase", "i4"), ("seat", "i4"),
     ("a", "i4"), ("b", "i4"), ("c", "i4"), ("d", "i4"), ("e", "i4"), ("f", "i4")],
    align=True,
)  # fmt: skip
"""One event of a traced game."""

TRACER = np.dtype([("on", "i4"), ("count", "i4"), ("events", EVENT, (TRACE,))], align=True)

STATE = np.dtype(
    [
        ("pub", PUBLIC),
        ("own", OWN, (S,)),
        ("hid", HIDDEN),
        ("tally", TALLY),
        ("acts", "i8", (1024,)),
        ("trace", TRACER),
    ],
    align=True,
)
"""One game in play; ``acts`` is work space for the legal actions of the decision waited for."""
