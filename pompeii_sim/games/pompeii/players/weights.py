"""The weight row of the scripted players: what each number means, and its default.

Efforts and gains are in worker actions: 1 is what one collected good costs.
"""

from __future__ import annotations

import numpy as np

NAMES: tuple[str, ...] = (
    "spare", "partial", "trades", "share", "reserve", "recruits", "under", "recruiting", "training", "cards",
    "owning", "foro", "attack", "unplanned", "over", "rounds", "temple", "haste", "point",
    "rivals", "wary", "ready",
    "solo_spare", "solo_trades", "solo_share", "solo_under",
)  # fmt: skip
"""Names of the weights, in the order of the row; with one seat those that begin with ``solo_`` stand in for others."""

(
    SPARE, PARTIAL, TRADES, SHARE, RESERVE, RECRUITS, UNDER, RECRUITING, TRAINING, CARDS,
    OWNING, FORO_BONUS, ATTACK, UNPLANNED, OVER, ROUNDS, TEMPLES, FORO_HASTE, POINT,
    RIVALS, WARY, READY,
    SOLO_SPARE, SOLO_TRADES, SOLO_SHARE, SOLO_UNDER,
) = range(len(NAMES))  # fmt: skip

PLANNER: dict[str, float] = {
    "spare": 0.06,  # a point of value in goods the plan does not need
    "partial": 0.6,  # doing a part of a conversion or trade, as a share of the whole
    "trades": 1.5,  # effort of a trade; 0: never plans a trade
    "share": 0.6,  # share of a building's effort the seat charges itself; others may build it, and owners get bonuses
    "reserve": 1.0,  # rounds of offerings put aside
    "recruits": 12.0,  # value of goods missing for the goals above which new workers are wanted
    "under": 6.0,  # most workers wanted
    "recruiting": 0.6,  # a new worker, a round left
    "training": 0.85,  # what a specialist promises
    "cards": 1.0,  # what a city card promises
    "owning": 0.5,  # owning a building, before it is used by others
    "foro": 2.5,  # the builder's extra cards at the Foro
    "attack": 0.5,  # a card that harms others
    "unplanned": 0.0,  # building what the plan does not ask for
    "over": 1.0,  # points offered above the marker when rich, where the stance leaves it to the player
    "rounds": 1.0,  # how far ahead new workers and cards are judged, as a share of the rounds left
    "temple": 1.0,  # what a temple card promises
    "haste": 0.5,  # a step towards the Foro once it is nearly open
    "point": 0.15,  # a point more to pay offerings with, while they are short
    "rivals": 25.0,  # value of goods missing to the nearest rival below which no new workers are wanted
    "wary": 8.0,  # own markers that the others' goods should be worth before the seat opens the Foro
    "ready": 5.0,  # worker actions left at which it opens the Foro all the same
    "solo_spare": 0.3,  # spare alone: whatever is at hand pays the offering or waits out what is blocked
    "solo_trades": 2.5,  # trades alone: there is one space at the Porta a round
    "solo_share": 0.6,  # share alone: nobody else builds, and there are no owners
    "solo_under": 3.0,  # under alone: wine and the Anfiteatro do not come back in eighteen rounds
}
"""The planner's row; other personas change a few."""

SOLO: tuple[str, ...] = tuple(name.removeprefix("solo_") for name in NAMES if name.startswith("solo_"))
"""Weights that are not read with one seat, as their ``solo_`` twins are."""

GREEDY: dict[str, float] = PLANNER | {
    "spare": 0.3, "trades": 4.0, "reserve": 0.0, "share": 0.3, "recruits": 20.0, "rivals": 0.0, "training": 1.0,
    "solo_share": 0.3,
}  # fmt: skip
"""Prizes goods for their value, makes nearly all it needs itself, puts nothing aside."""

ROLLOUTS: dict[str, float] = PLANNER | {
    "playouts": 200.0,  # imagined games a decision, shared among the options
    "promising": 8.0,  # options that are played out
}
"""The searching player's row: how the planner orders the options, then the search."""
PLAYOUTS, PROMISING = len(NAMES), len(NAMES) + 1

PERSONAS: dict[str, dict[str, float]] = {
    "greedy": GREEDY,
    "planner": PLANNER,
    "specialist": PLANNER | {"training": 1.8, "cards": 1.2},
    "industrialist": PLANNER | {"owning": 1.0, "unplanned": 0.3, "share": 0.3},
    "trader": PLANNER | {"trades": 0.7, "share": 0.9, "reserve": 3.0},
    "recruiter": PLANNER | {"recruits": 6.0, "recruiting": 1.2, "rivals": 0.0, "solo_under": 6.0},
    "minimalist": PLANNER | {"under": 3.0},
    "saboteur": PLANNER | {"attack": 3.0, "cards": 1.2},
}
"""Weight rows of the scripted personas, by name."""

BY_PLAN = frozenset({*PERSONAS, "rollouts"})
"""Players whose weight row begins with the planner's names, so that stances can judge their payments by it."""

STANCE_ROW = np.array(list(PLANNER.values()))
"""The row by which stances judge payments of seats that are played by no persona."""
STANCE_ROW.setflags(write=False)
