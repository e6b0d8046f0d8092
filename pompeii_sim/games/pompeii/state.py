"""The state of one game: what everybody sees, what one seat sees, what nobody sees, and what is only counted.

A player function gets `PUBLIC` and its own `OWN`, never the rest.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.pompeii.codes import MAX_GOODS, MAX_SEATS, N_CARDS, N_PLACES, N_SPECIALISTS
from pompeii_sim.games.pompeii.players.plan_record import PLAN

S = MAX_SEATS
STACK = 40
TRACE = 160  # a whole deck drawn and discarded in one offering, and the end of the round

PUBLIC = np.dtype(
    [
        ("n_seats", "i8"),
        ("level", "i8"),  # volcano cards: 0 A, 1 B, 2 C
        ("phase", "i8"),
        ("step", "i8"),
        ("rnd", "i8"),
        ("start_seat", "i8"),
        ("first_seat", "i8"),  # starting player of the first round
        ("offset", "i8"),  # seats served in the current pass, counted from the starting player
        ("turn_seat", "i8"),
        ("n_actions", "i8"),  # worker actions so far
        ("turn_at", "i8"),  # place of the worker action being carried out
        ("turn_action", "i8"),  # the worker action being carried out
        ("turn_extra", "i8"),  # 1: as an extra action
        ("seat_spec", "i8", (S,)),  # which listed seat of the scenario sits here
        ("picks", "i8"),  # first red buildings chosen so far
        ("cancelled", "i8"),  # the offering was cancelled by a star card
        ("calm_step", "i8"),  # moves the time marker has made on the calm side
        ("streak", "i8"),  # successes in a row: the place of the time marker on the awakened side
        ("raises", "i8"),
        ("volcano_left", "i8"),  # cards left in the volcano deck, the Apocalypse included
        ("volcano_seen", "i1", (18,)),  # cards of the level turned so far, by number 0..16
        ("blocked", "i8"),  # solo: bit mask of goods that cannot be collected or produced in this round
        ("goods", "i8", (S, MAX_GOODS)),
        ("workers", "i8", (S,)),  # own workers, injured ones included
        ("ready", "i8", (S,)),  # own workers still to place this round
        ("borrowed", "i8", (S,)),  # workers taken over with C01, still to place
        ("injured", "i8", (S, 3)),  # own workers on C12, C28, C31
        ("placed", "i8", (S, N_PLACES)),  # own workers on each place
        ("used", "i8", (N_PLACES,)),  # workers standing on each place, whoever owns them
        ("turn_place", "i8", (S,)),  # place of the worker of the current turn, -1 before
        ("extra_used", "i8", (S, 21)),  # C17: workers above the limit this round, by building
        ("built", "i8", (21,)),
        ("owner", "i8", (21,)),  # -1: nobody
        ("co_owners", "i8", (21,)),  # bit mask of seats (S27)
        ("tokens", "i8", (21,)),  # C14 tokens
        ("porta_owner", "i8"),
        ("stopped", "i8", (S,)),  # own Castrum stopped by C31, still to finish
        ("army", "i8", (S,)),
        ("tile_changes", "i8"),  # times a tile was turned up or destroyed
        ("card_changes", "i8", (S,)),  # times a card was laid out before a seat or taken away
        ("active", "i1", (S, N_CARDS)),  # with one seat, specialists that lie open for one use
        ("discard", "i1", (N_CARDS,)),
        ("spent", "i1", (N_SPECIALISTS,)),  # solo: specialists used, out of the game
        ("deck_left", "i8", (2,)),
        ("hand_size", "i8", (S, 2)),
        ("due", "i8"),  # total required in the current offering
        ("change", "i8"),  # change of the total by star cards
        ("pledge_pass", "i8"),
        ("pledged", "i8", (S,)),
        ("paid", "i8", (S,)),
        ("out", "i8", (S,)),  # C03: stays out of this offering
        ("last_paid", "i8", (S,)),  # 1: paid at least its marker in the last offering (start: 1)
        ("top", "i8"),  # pending things
        ("f_kind", "i8", (STACK,)),
        ("f_seat", "i8", (STACK,)),
        ("f_a", "i8", (STACK,)),
        ("f_b", "i8", (STACK,)),
        ("f_c", "i8", (STACK,)),
        ("dec_kind", "i8"),  # the decision waited for, its seat and its details
        ("dec_seat", "i8"),
        ("dec_a", "i8"),
        ("dec_b", "i8"),
        ("dec_c", "i8"),
        ("ended_by", "i8"),
        ("winner", "i8"),
        ("error", "i8"),
    ],
    align=True,
)
"""What everybody at the table sees."""

OWN = np.dtype([("hand", "i1", (N_CARDS,)), ("drawn", "i1", (N_CARDS,)), ("plan", PLAN)], align=True)
"""What one seat sees alone: its hand, cards drawn of which it may keep some, and the plan it made last."""

HIDDEN = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("deck", "i1", (N_CARDS,)),
        ("card_key", "i8", (N_CARDS,)),
        ("reshuffles", "i8", (2,)),
        ("volcano", "i8", (18,)),  # card numbers 0..16 in order, 99 for the Apocalypse
        ("volcano_next", "i8"),
        ("n_decision", "i8", (S,)),  # decisions of each seat so far: the key of its luck
    ],
    align=True,
)
"""What nobody sees."""

TALLY = np.dtype(
    [
        ("decisions", "i8"),
        ("forced", "i8"),
        ("actions", "i8", (S,)),  # worker actions, extra ones included
        ("choices", "i8", (S,)),  # decisions with two or more legal actions
        ("eruptions", "i8"),
        ("first_eruption", "i8"),
        ("awakening_round", "i8"),
        ("offerings", "i8"),
        ("offerings_paid", "i8"),
        ("due_sum", "i8"),
        ("paid_sum", "i8", (S,)),
        ("pledged_sum", "i8", (S,)),
        ("could_pay", "i8", (S,)),  # offerings in which the seat held its marker's worth
        ("refused", "i8", (S,)),  # of these, offerings in which it pledged less than its marker
        ("pivotal", "i8", (S,)),  # of these, failed ones that its missing share would have saved
        ("offer_round", "i8"),  # round of the last offering, and what it showed of each seat
        ("offer_could", "i8", (S,)),
        ("offer_pivotal", "i8", (S,)),
        ("marker_sum", "i8", (S,)),
        ("over_cards", "i8", (S,)),
        ("lost_value", "i8", (S,)),  # value of goods destroyed by eruptions
        ("bonus_goods", "i8", (S,)),
        ("place_use", "i8", (S, N_PLACES)),
        ("kind_use", "i8", (S, 16)),
        ("trained", "i8", (S,)),
        ("activated", "i8", (S,)),
        ("idle", "i8", (S,)),
        ("open_used", "i8"),  # solo: open specialists used
        ("blocked_value", "i8"),  # solo: value of the goods shown on cards that blocked them
        ("blocked_rounds", "i8", (MAX_GOODS,)),  # solo: rounds in which each good was blocked
        ("dealt", "i1", (N_CARDS,)),  # 1 + seat of the first opening deal, 0: not in an opening deal
        ("held", "i1", (N_CARDS,)),  # bit mask of seats that ever held the card
        ("put_out", "i1", (N_CARDS,)),  # bit mask of seats that trained, activated or played it
        ("card_use", "i2", (N_CARDS,)),  # uses of its effect
        ("error_seat", "i8"),
        ("error_action", "i8"),
        ("error_decision", "i8"),
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
        ("trace", TRACER),
    ],
    align=True,
)
"""One game in play."""
