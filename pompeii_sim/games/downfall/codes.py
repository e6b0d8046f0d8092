"""Numbers behind the names: sizes, phases, decisions, actions, events, causes, ends and errors."""

from __future__ import annotations

MAX_SEATS = 4
MAX_SQUARES = 96  # cells of the grid, those outside the wall included
MAX_BUILDINGS = 32  # numbered ones by their number, neutral houses from NEUTRAL_0
NEUTRAL_0 = 16
MAX_NEUTRAL = MAX_BUILDINGS - NEUTRAL_0
MAX_PLACES = 6  # squares of one building
MAX_PARTS = 48
MAX_GATES = 8
MAX_SYMBOLS = 6
MAX_SPACES = 120
MAX_PEOPLE = 160  # people that can ever stand on the board: spaces, and one more for each omen
MAX_STACK = 96
MAX_TILES = 64
MAX_TURNS = MAX_STACK + MAX_TILES
FAR = 99  # distance of a square without a way out
NEUTRAL = 4  # colour of neutral houses; 0..3 as in COLOURS
PLAIN = 1 << MAX_SYMBOLS  # lava without a symbol: buried squares

# cards in stack and hand: building numbers 1..15, and these
OMEN = 30
AD79 = 31

# phases
QUIET, SEETHING, ERUPTION, RUNNING = range(4)
PHASES = ("quiet", "seething", "eruption", "running")

# where the flow of a game stands; D_ steps wait for a decision
S_DRAW, S_NEXT, S_TILE, S_AFTER, S_CLOSE, S_OVER = range(6)
D_CARD, D_RELATIVE, D_OMEN, D_LAVA, D_RUNNER, D_TARGET = range(10, 16)
DECISION_NAMES = {
    D_CARD: "card", D_RELATIVE: "relative", D_OMEN: "omen", D_LAVA: "lava", D_RUNNER: "runner", D_TARGET: "target",
}  # fmt: skip

# actions: kind * ARG + argument; a square stands in the low seven bits of the argument
ARG = 4096
SQ = 128
PLACE, WILD, DISCARD, RELATIVE, TAKE, LAVA, RUN, TO, EXIT, STOP = range(10)
KIND_NAMES = ("place", "wild", "discard", "relative", "omen", "lava", "run", "to", "exit", "stop")
N_KINDS = len(KIND_NAMES)

# how a person came to the board, and how it left
BY_CARD, BY_WILD, BY_RELATIVE, BY_START = range(4)
PLACED_NAMES = ("card", "wild", "relative", "start")
BY_OMEN, BY_LAVA, BY_ENCLOSURE, BY_END = range(4)
CAUSE_NAMES = ("omen", "lava", "enclosed", "left")

# events
(
    EV_SETUP, EV_CARD, EV_PLACED, EV_DRAW, EV_LOST, EV_PHASE, EV_TILE, EV_LAVA, EV_BURIED, EV_RUN, EV_SAVED, EV_TURN,
    EV_END,
) = range(13)  # fmt: skip

# how a game ends
END_NONE, END_LAST_TILE, END_EMPTY = 0, 1, 2

# errors
ERR_NONE, ERR_ILLEGAL, ERR_TRACE = 0, 1, 2

# first part of a key of luck
LUCK_CARD, LUCK_MIX, LUCK_AD79, LUCK_TILE, LUCK_START, LUCK_POPULATE, LUCK_OWNER, LUCK_SEAT = range(1, 9)
