"""Compiled types of the kernel's functions and arguments.

The large parts of the rules are called through pointers of these types: a function that calls another directly is
optimised together with all that the other calls, again at every level, which trebles the compile time.
"""

from __future__ import annotations

from numba import from_dtype, types

from pompeii_sim.games.pompeii.codes import MAX_SEATS
from pompeii_sim.games.pompeii.players.signature import PLAYER
from pompeii_sim.games.pompeii.row_types import ROW, SERIES
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.table_types import TABLES

I = types.int64  # noqa: E741
VOID = types.void
_STATE = from_dtype(STATE)
_TABLES = from_dtype(TABLES)
_ROW = from_dtype(ROW)
INTS = types.Array(I, 1, "C")

SETUP = VOID(_STATE, _TABLES, INTS, I, I)
RUN_ON = I(_STATE, _TABLES)
LEGAL = I(_STATE, _TABLES, INTS)
APPLY = VOID(_STATE, _TABLES, I)
RECORD = VOID(_STATE, _TABLES, _ROW, I, I, I)

OPS_TYPE = types.Tuple([types.FunctionType(s) for s in (SETUP, RUN_ON, LEGAL, APPLY, RECORD, PLAYER)])
"""Set up, run on, legal actions, apply, record, and the player that stances ask."""
PLAYERS_TYPE = types.UniTuple(types.FunctionType(PLAYER), MAX_SEATS)
STATES = types.Array(_STATE, 1, "C")
TABLE_ARRAY = types.Array(_TABLES, 1, "C")
ROWS = types.Array(_ROW, 1, "C")
SERIES_ROWS = types.Array(from_dtype(SERIES), 1, "C")
WEIGHTS = types.Array(types.float64, 2, "C")
SEATINGS_TABLE = types.Array(I, 2, "C")
