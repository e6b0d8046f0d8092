"""The state of one game: what everybody sees, what one seat sees, what nobody sees, and what is only counted.

A player function gets `PUBLIC` and its own `OWN`, never the rest.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.pompeii.codes import MAX_GOODS, MAX_SEATS, N_CARDS, N_PLACES

S = MAX_SEATS
STACK = 40
TRACE = 96

PUBLIC = np.dtype(
    [
        ("n_seats", "i4"),
        ("level", "i4"),  # volcano cards: 0 A, 1 B, 2 C
        ("phase", "i4"),
        ("step", "i4"),
        ("rnd", "i4"),
        ("start_seat", "i4"),
        ("offset", "i4"),  # seats served in the current pass, counted from the starting player
        ("turn_seat", "i4"),
        ("turn_at", "i4"),  # place of the worker action being carried out
        ("turn_action", "i4"),  # the worker action being carried out
        ("turn_extra", "i4"),  # 1: as an extra action
        ("seat_spec", "i4", (S,)),  # which listed seat of the scenario sits here
        ("picks", "i4"),  # first red buildings chosen so far
        ("cancelled", "i4"),  # the offering was cancelled by a star card
        ("calm_step", "i4"),  # moves the time marker has made on the calm side
        ("streak", "i4"),  # successes in a row: the place of the time marker on the awakened side
        ("raises", "i4"),
        ("volcano_left", "i4"),  # cards left in the volcano deck, the Apocalypse included
        ("volcano_seen", "i1", (18,)),  # cards of the level turned so far, by number 0..16
        ("goods", "i4", (S, MAX_GOODS)),
        ("workers", "i4", (S,)),  # own workers, injured ones included
        ("ready", "i4", (S,)),  # own workers still to place this round
        ("borrowed", "i4", (S,)),  # workers taken over with C01, still to place
        ("injured", "i4", (S, 3)),  # own workers on C12, C28, C31
        ("placed", "i4", (S, N_PLACES)),  # own workers on each place
        ("used", "i4", (N_PLACES,)),  # workers standing on each place, whoever owns them
        ("turn_place", "i4", (S,)),  # place of the worker of the current turn, -1 before
        ("extra_used", "i4", (S, 21)),  # C17: workers above the limit this round, by building
        ("built", "i4", (21,)),
        ("owner", "i4", (21,)),  # -1: nobody
        ("co_owners", "i4", (21,)),  # bit mask of seats (S27)
        ("tokens", "i4", (21,)),  # C14 tokens
        ("porta_owner", "i4"),
        ("stopped", "i4", (S,)),  # own Castrum stopped by C31, still to finish
        ("army", "i4", (S,)),
        ("active", "i1", (S, N_CARDS)),
        ("discard", "i1", (N_CARDS,)),
        ("deck_left", "i4", (2,)),
        ("hand_size", "i4", (S, 2)),
        ("due", "i4"),  # total required in the current offering
        ("change", "i4"),  # change of the total by star cards
        ("pledge_pass", "i4"),
        ("pledged", "i4", (S,)),
        ("paid", "i4", (S,)),
        ("out", "i4", (S,)),  # C03: stays out of this offering
        ("last_paid", "i4", (S,)),  # 1: paid at least its marker in the last offering (start: 1)
        ("top", "i4"),  # pending things
        ("f_kind", "i4", (STACK,)),
        ("f_seat", "i4", (STACK,)),
        ("f_a", "i4", (STACK,)),
        ("f_b", "i4", (STACK,)),
        ("f_c", "i4", (STACK,)),
        ("dec_kind", "i4"),  # the decision waited for, its seat and its details
        ("dec_seat", "i4"),
        ("dec_a", "i4"),
        ("dec_b", "i4"),
        ("dec_c", "i4"),
        ("ended_by", "i4"),
        ("winner", "i4"),
        ("error", "i4"),
    ],
    align=True,
)
"""What everybody at the table sees."""

OWN = np.dtype([("hand", "i1", (N_CARDS,)), ("drawn", "i1", (N_CARDS,))], align=True)
"""What one seat sees alone: its hand, and cards drawn of which it may keep some."""

HIDDEN = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("deck", "i1", (N_CARDS,)),
        ("card_key", "i8", (N_CARDS,)),
        ("reshuffles", "i4", (2,)),
        ("volcano", "i4", (18,)),  # card numbers 0..16 in order, 99 for the Apocalypse
        ("volcano_next", "i4"),
        ("n_decision", "i4", (S,)),  # decisions of each seat so far: the key of its luck
    ],
    align=True,
)
"""What nobody sees."""

TALLY = np.dtype(
    [
        ("decisions", "i4"),
        ("forced", "i4"),
        ("actions", "i4", (S,)),  # worker actions, extra ones included
        ("choices", "i4", (S,)),  # decisions with two or more legal actions
        ("eruptions", "i4"),
        ("first_eruption", "i4"),
        ("awakening_round", "i4"),
        ("calm_rounds", "i4"),
        ("offerings", "i4"),
        ("offerings_paid", "i4"),
        ("due_sum", "i4"),
        ("paid_sum", "i4", (S,)),
        ("marker_sum", "i4", (S,)),
        ("over_cards", "i4", (S,)),
        ("lost_value", "i4", (S,)),  # value of goods destroyed by eruptions
        ("bonus_goods", "i4", (S,)),
        ("place_use", "i4", (S, N_PLACES)),
        ("kind_use", "i4", (S, 16)),
        ("trained", "i4", (S,)),
        ("activated", "i4", (S,)),
        ("idle", "i4", (S,)),
        ("dealt", "i1", (N_CARDS,)),  # 1 + seat of the first opening deal, 0: not in an opening deal
        ("held", "i1", (N_CARDS,)),  # bit mask of seats that ever held the card
        ("put_out", "i1", (N_CARDS,)),  # bit mask of seats that trained, activated or played it
        ("card_use", "i2", (N_CARDS,)),  # uses of its effect
        ("error_seat", "i4"),
        ("error_action", "i4"),
        ("error_decision", "i4"),
    ],
    align=True,
)
"""Counts for the game record; no rule reads them."""

EVENT = np.dtype(
    [
        ("code", "i4"),
        ("rnd", "i4"),
        ("phase", "i4"),
        ("seat", "i4"),
        ("a", "i4"),
        ("b", "i4"),
        ("c", "i4"),
        ("d", "i4"),
        ("goods", "i2", (S, MAX_GOODS)),  # of every seat, after the event
    ],
    align=True,
)
"""One event of a traced game; the changes of goods are the differences of successive events."""

TRACER = np.dtype([("on", "i4"), ("count", "i4"), ("events", EVENT, (TRACE,))], align=True)

STATE = np.dtype(
    [
        ("pub", PUBLIC),
        ("own", OWN, (S,)),
        ("hid", HIDDEN),
        ("tally", TALLY),
        ("acts", "i8", (1024,)),  # work space: the legal actions of the decision waited for
        ("trace", TRACER),
    ],
    align=True,
)
"""One game in play."""
