"""The record that holds all rules, data and seat settings of a cell; changing them never recompiles anything."""

from __future__ import annotations

import numpy as np

from pompeii_sim.games.pompeii.codes import (
    MAX_GOODS,
    MAX_SEATS,
    N_CARDS,
    N_FIELDS,
    N_KINDS,
    N_PLACES,
    N_SPECIALISTS,
    N_VOLCANO,
    OPS,
)

N_RECIPES = 96
FORBID_TARGETS = 128
TITLES = 18

TABLES = np.dtype(
    [
        # rules
        ("n_seats", "i8"),
        ("n_goods", "i8"),
        ("level", "i8"),
        ("cap", "i8"),
        ("workers_start", "i8"),
        ("workers_most", "i8"),
        ("goods_start", "i8"),
        ("start_buildings", "i8"),
        ("calm_steps", "i8"),
        ("specialists_dealt", "i8"),
        ("city_dealt", "i8"),
        ("foro_city", "i8"),
        ("foro_specialists", "i8"),
        ("offering_base", "i8"),
        ("raise_after", "i8"),
        ("raise_by", "i8"),
        ("over_cards", "i8"),
        ("over_keep", "i8"),
        ("trade_down", "i8"),
        ("trade_up", "i8"),
        ("price", "i2", (MAX_GOODS, MAX_GOODS)),  # of one good taken (row) in goods given (column), 0: not allowed
        ("rate", "f8", (MAX_GOODS, MAX_GOODS)),  # the same, for sums with fractions
        ("least_rate", "i2", (MAX_GOODS,)),  # the lowest of a good given, 0: it cannot be given
        ("owner_bonus", "i8"),
        ("reclaim_own", "i8"),
        ("tempio_whole", "i8"),
        ("injure_unplaced", "i8"),
        ("freed_acts", "i8"),
        ("second_worker", "i8"),
        ("army_idle", "i8"),
        ("round_cap", "i8"),
        ("decision_cap", "i8"),
        ("volcano_cards", "i8"),
        ("apocalypse_mode", "i8"),  # 0 shuffled, 1 bottom half, 2 a fixed place
        ("apocalypse_place", "i8"),  # 0-based place in the deck for mode 2
        ("spaces", "i8", (N_PLACES,)),
        # one seat
        ("solo_open", "i8"),
        ("solo_lower", "i8"),
        ("last_round", "i8"),
        ("either_deck", "i8"),
        ("title_above", "i8", (TITLES,)),  # volcano cards that must be left for each title, the lowest title first
        ("n_titles", "i8"),
        ("title_apocalypse", "i8"),
        # goods
        ("value", "i8", (MAX_GOODS,)),
        ("cards_only", "i8", (MAX_GOODS,)),
        ("points", "f8", (MAX_GOODS,)),  # the value, for sums with fractions
        ("field_good", "i8", (N_FIELDS,)),
        # buildings, by number
        ("colour", "i8", (21,)),
        ("recipe", "i8", (21,)),  # -1: makes no goods
        ("cost", "i8", (21, MAX_GOODS)),
        ("army_cost", "i8", (MAX_GOODS,)),
        ("recruit_good", "i8"),
        ("recruit_most", "i8"),
        ("release_cost", "i2", (4, MAX_GOODS)),  # C12, C28, C31, C14 token
        # conversions
        ("n_recipes", "i8"),
        ("r_n_in", "i8", (N_RECIPES,)),
        ("r_in", "i8", (N_RECIPES, 6)),
        ("r_qty", "i8", (N_RECIPES, 6)),
        ("r_out", "i8", (N_RECIPES,)),
        ("r_out_qty", "i8", (N_RECIPES,)),
        # cards
        ("mark", "i8", (N_CARDS,)),
        ("place", "i8", (N_CARDS,)),
        ("op", "i8", (N_CARDS,)),
        ("arg_a", "i8", (N_CARDS,)),
        ("arg_b", "i8", (N_CARDS,)),
        ("arg_c", "i8", (N_CARDS,)),
        ("card_recipe", "i8", (N_CARDS,)),
        ("card_goods", "i2", (N_CARDS, MAX_GOODS)),
        ("card_cost", "i2", (N_CARDS, MAX_GOODS)),
        ("op_count", "i8", (len(OPS),)),
        ("op_cards", "i8", (len(OPS), 32)),
        ("n_use", "i8"),
        ("use_cards", "i8", (N_CARDS,)),  # always-cards with a place, except those that waive a good
        ("forced_hand", "i1", (MAX_SEATS, N_CARDS)),  # forced opening deals
        ("volcano_goods", "i2", (N_VOLCANO, MAX_GOODS)),
        # seats, by their place in the scenario's list
        ("skill", "f8", (MAX_SEATS,)),
        ("stance", "i8", (MAX_SEATS,)),
        ("forbids", "i8", (MAX_SEATS,)),  # 1: the seat has a forbid list
        ("forbid_kind", "i1", (MAX_SEATS, N_KINDS)),
        ("forbid", "i1", (MAX_SEATS, N_KINDS, FORBID_TARGETS)),
        # derived, for players
        ("plans", "i8", (MAX_SEATS,)),  # 1: a persona with a weight row, by which its stance judges payments
        ("order", "i8", (MAX_GOODS,)),  # goods from low to high value
        ("cost_n", "i8", (21,)),  # costs of buildings as lists
        ("cost_good", "i8", (21, MAX_GOODS)),
        ("card_cost_n", "i8", (N_CARDS,)),  # costs and goods of cards as lists
        ("card_cost_good", "i8", (N_CARDS, MAX_GOODS)),
        ("card_goods_n", "i8", (N_CARDS,)),
        ("card_goods_good", "i8", (N_CARDS, MAX_GOODS)),
        ("goal", "i8", (3, MAX_GOODS)),  # goods needed for the Terme, the Castrum, the army
        ("n_goal_goods", "i8"),
        ("goal_goods", "i8", (MAX_GOODS,)),  # goods of these goals
        ("goal_value", "i8"),
    ],
    align=True,
)
"""Record type of one cell's tables."""

assert N_SPECIALISTS * 2 == N_CARDS
