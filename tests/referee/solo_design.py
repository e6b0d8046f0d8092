"""A fixed, seeded design of tables for one: rules, players, forced cards, data."""

from __future__ import annotations

import random
from typing import Any

from pompeii_sim.games.pompeii.rules import SOLO, STANCES, Rules, Seat
from referee.design import FORBIDS, LOUD, SWITCHES, Table

SOLO_SWITCHES: dict[str, list[Any]] = {
    "solo_open_specialists": [5, 0, 2, 12],
    "solo_lower_deck": [9, 9, 1, 2, 4],
    "solo_upper_deck": [8, 8, 0, 1, 3],
    "solo_final_rounds": [1, 1, 2, 3],
    "solo_city_dealt": [5, 0, 2, 12],
    "solo_offering_deck": ["either", "city"],
    "title_counts_apocalypse": [False, True],
    "round_cap": [40, 40, 40, 6, 12],
}
LOUD_SPECIALISTS = ["S05", "S06", "S25", "S27", "S35", "S49", "S52", "S30", "S14", "S29", "S24", "S31"]


def table(number: int) -> Table:
    """Return one cell of the design by its number."""
    luck = random.Random(f"solo referee {number}")
    chosen: dict[str, Any] = {}
    share = luck.choice([0.0, 0.2, 0.5])
    for name, values in (SWITCHES | SOLO_SWITCHES).items():
        if name not in SOLO:
            chosen[name] = luck.choice(values) if luck.random() < share or name == "difficulty" else values[0]
    chosen["workers_start"] = min(chosen["workers_start"], chosen["workers_most"])
    chosen["goods_start"] = min(chosen["goods_start"], chosen["cap"])
    deal: dict[str, dict[int, list[str]]] = {}
    for kind, loud, most in (
        ("city", LOUD, chosen["solo_city_dealt"]),
        ("specialists", LOUD_SPECIALISTS, chosen["solo_open_specialists"]),
    ):
        if luck.random() < 0.5:
            deal[kind] = {0: luck.sample(loud, min(4, most))}
    chosen["deal"] = deal
    seat = Seat(
        player=luck.choice(["greedy", "planner", "random", "random"]),
        stance=luck.choice([*STANCES, "player", "cooperative"]),
        skill=luck.choice([1.0, 0.8, 0.3]),
        forbid=luck.choice(FORBIDS) if luck.random() < share else [],
    )
    return Table(Rules(**chosen), (seat,), luck.random() < 0.6)
