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

TABLES = np.dtype(
    [
        # rules
        ("n_seats", "i4"),
        ("n_goods", "i4"),
        ("level", "i4"),
        ("cap", "i4"),
        ("workers_start", "i4"),
        ("workers_most", "i4"),
        ("goods_start", "i4"),
        ("start_buildings", "i4"),
        ("calm_steps", "i4"),
        ("specialists_dealt", "i4"),
        ("city_dealt", "i4"),
        ("foro_city", "i4"),
        ("foro_specialists", "i4"),
        ("offering_base", "i4"),
        ("raise_after", "i4"),
        ("raise_by", "i4"),
        ("over_cards", "i4"),
        ("over_keep", "i4"),
        ("trade_down", "i4"),
        ("trade_same", "i4"),
        ("trade_up", "i4"),
        ("trade_pearl", "i4"),
        ("up_one_step", "i4"),
        ("owner_bonus", "i4"),
        ("reclaim_own", "i4"),
        ("tempio_whole", "i4"),
        ("injure_unplaced", "i4"),
        ("freed_acts", "i4"),
        ("second_worker", "i4"),
        ("army_idle", "i4"),
        ("round_cap", "i4"),
        ("decision_cap", "i4"),
        ("volcano_cards", "i4"),
        ("apocalypse_mode", "i4"),  # 0 shuffled, 1 bottom half, 2 a fixed place
        ("apocalypse_place", "i4"),  # 0-based place in the deck for mode 2
        ("spaces", "i4", (N_PLACES,)),
        # goods
        ("value", "i4", (MAX_GOODS,)),
        ("cards_only", "i4", (MAX_GOODS,)),
        ("field_good", "i4", (N_FIELDS,)),
        # buildings, by number
        ("colour", "i4", (21,)),
        ("recipe", "i4", (21,)),  # -1: makes no goods
        ("cost", "i4", (21, MAX_GOODS)),
        ("army_cost", "i4", (MAX_GOODS,)),
        ("recruit_good", "i4"),
        ("recruit_most", "i4"),
        ("release_cost", "i4", (4, MAX_GOODS)),  # C12, C28, C31, C14 token
        # conversions
        ("n_recipes", "i4"),
        ("r_n_in", "i4", (N_RECIPES,)),
        ("r_in", "i4", (N_RECIPES, 6)),
        ("r_qty", "i4", (N_RECIPES, 6)),
        ("r_out", "i4", (N_RECIPES,)),
        ("r_out_qty", "i4", (N_RECIPES,)),
        # cards
        ("mark", "i4", (N_CARDS,)),
        ("place", "i4", (N_CARDS,)),
        ("op", "i4", (N_CARDS,)),
        ("arg_a", "i4", (N_CARDS,)),
        ("arg_b", "i4", (N_CARDS,)),
        ("arg_c", "i4", (N_CARDS,)),
        ("card_recipe", "i4", (N_CARDS,)),
        ("card_goods", "i4", (N_CARDS, MAX_GOODS)),
        ("card_cost", "i4", (N_CARDS, MAX_GOODS)),
        ("op_count", "i4", (len(OPS),)),
        ("op_cards", "i4", (len(OPS), 32)),
        ("n_use", "i4"),
        ("use_cards", "i4", (N_CARDS,)),  # always-cards with a place, except those that waive a good
        ("forced_hand", "i1", (MAX_SEATS, N_CARDS)),  # forced opening deals
        ("volcano_goods", "i4", (N_VOLCANO, MAX_GOODS)),
        # seats, by their place in the scenario's list
        ("skill", "f8", (MAX_SEATS,)),
        ("stance", "i4", (MAX_SEATS,)),
        ("forbid_kind", "i1", (MAX_SEATS, N_KINDS)),
        ("forbid", "i1", (MAX_SEATS, N_KINDS, FORBID_TARGETS)),
        # derived, for players
        ("goal", "i4", (3, MAX_GOODS)),  # goods needed for the Terme, the Castrum, the army
        ("goal_value", "i4"),
    ],
    align=True,
)
"""Record type of one cell's tables."""

assert N_SPECIALISTS * 2 == N_CARDS
