"""A fixed, seeded design of mixed tables: rule switches, seats, players, skills, stances, forbids, deals, data."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pompeii_sim.games.pompeii.rules import SPACE_PLACES, STANCES, Rules, Seat

SWITCHES: dict[str, list[Any]] = {
    "difficulty": ["A", "B", "C"],
    "volcano_cards": [9, "all", 1, 3, 17],
    "apocalypse": ["shuffled", "bottom", "top", "bottom-half", 1, 2],
    "workers_start": [3, 1, 2, 4, 5, 6],
    "workers_most": [6, 6, 5],
    "goods_start": [1, 0, 2, 3, 10],
    "start_buildings": [1, 0, 2],
    "specialists_dealt": [6, 0, 3, 12],
    "city_dealt": [6, 0, 3, 12],
    "foro_city": [1, 0, 2],
    "foro_specialists": [1, 0, 2],
    "cap": [10, 3, 5, 20],
    "spaces": [None, 1, 2, 5, 8],
    "owner_bonus": [1, 0, 2, 5],
    "tempio_amount": ["any", "whole-stack"],
    "trade_down": [1, 2],
    "trade_same": [2, 1, 3],
    "trade_up": [4, 2, 1],
    "trade_pearl": [1, 2],
    "trade_up_reach": ["any", "one-step"],
    "calm_steps": [1, 0, 2, 3],
    "foro_needs_track": [True, False],
    "offering_base": [0, -6, -1, 2, 8],
    "raise_after": [3, 1, 2, 5],
    "raise_by": [1, 0, 3],
    "over_offering_cards": [1, 0, 2],
    "over_offering_keep": [1, 0, 2],
    "reclaim_workers": ["all", "own"],
    "injure_unplaced": [False, True],
    "freed_worker_acts": [False, True],
    "extra_space": ["above-limit", "second-worker"],
    "army_without_workers": [False, True],
    "round_cap": [8, 12, 5, 16, 24],
}
"""Values of every switch that changes play, the first one taken most often; what names a solo title is left out."""

FORBIDS = [[], [], ["trade"], ["collect"], ["build:20"], ["produce:7", "train"], ["activate:C31", "swap"], ["use"],
           ["collect", "trade", "swap", "train", "produce", "use", "build"], ["build:17", "release"], ["army"],
           ["recruit", "uncover", "activate:C25"]]  # fmt: skip
LOUD = ["C01", "C11", "C12", "C14", "C17", "C22", "C25", "C26", "C28", "C29", "C30", "C31", "C34", "C35", "C40", "C42",
        "C47", "C48", "C50", "C52", "C02", "C03", "C23", "C21", "C04", "C38", "C49"]  # fmt: skip
"""City cards worth forcing into hands: those that touch other players or have a rule of their own."""
LOUD_SPECIALISTS = ["S05", "S06", "S25", "S27", "S35", "S49", "S52", "S30", "S14", "S29"]

CHEAP = {
    "costs.toml": [
        ("sword = 2, gold_coin = 2, cloth = 2", "fish = 1, gold_coin = 1"),
        ("planks = 1, column = 1, bread = 1, meat = 1, oil = 1, wine = 1", "planks = 1, grass = 1"),
        ("planks = 1, column = 1, oil = 1", "planks = 1"),
    ],
    "buildings.toml": [("inputs = { wine = 1 }", "inputs = { grain = 1 }")],
}
"""Edits that make army, Terme, Castrum and workers cheap, so that many games see a Castrum, C31, C28 and a victory."""


@dataclass(frozen=True)
class Table:
    """One cell of the design."""

    rules: Rules
    seats: tuple[Seat, ...]
    cheap: bool


def cheap_folder(shipped: Path, target: Path) -> Path:
    """Return a copy of the data with cheap victories."""
    shutil.copytree(shipped, target)
    for name, edits in CHEAP.items():
        text = (target / name).read_text("utf-8")
        for old, new in edits:
            assert text.count(old) == 1, f"{name}: {old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        if name == "costs.toml":  # plausible ranges speak of the goods that are gone
            text = "\n".join(line for line in text.split("\n") if not line.startswith("range"))
        (target / name).write_text(text, "utf-8")
    return target


def table(number: int) -> Table:
    """Return one cell of the design by its number."""
    luck = random.Random(f"referee {number}")
    count = luck.choice([2, 3, 4])
    chosen: dict[str, Any] = {}
    share = luck.choice([0.1, 0.3, 0.6])
    for name, values in SWITCHES.items():
        chosen[name] = luck.choice(values) if luck.random() < share else values[0]
    if luck.random() < 0.15:
        chosen["calm_steps"], chosen["round_cap"] = 7, 16
    chosen["workers_start"] = min(chosen["workers_start"], chosen["workers_most"])
    chosen["goods_start"] = min(chosen["goods_start"], chosen["cap"])
    deck = 17 if chosen["volcano_cards"] == "all" else chosen["volcano_cards"]
    if isinstance(chosen["apocalypse"], int):
        chosen["apocalypse"] = luck.randint(1, deck + 1)
    if luck.random() < share:
        chosen["spaces_at"] = {p: luck.randint(1, 3) for p in luck.sample(SPACE_PLACES, 3)}
    deal: dict[str, dict[int, list[str]]] = {}
    for kind, loud, dealt in (("city", LOUD, "city_dealt"), ("specialists", LOUD_SPECIALISTS, "specialists_dealt")):
        if luck.random() < 0.5 and chosen[dealt] >= 2:
            cards = luck.sample(loud, 2 * count if chosen[dealt] > 2 else count)
            deal[kind] = {s: cards[s::count] for s in range(count) if luck.random() < 0.8}
    chosen["deal"] = deal
    stances = luck.choice(
        [[*STANCES], ["cooperative"], ["cooperative", "never"], ["cooperative", "player"], ["player"], ["never"]]
    )
    seats = tuple(
        Seat(
            player=luck.choice(["greedy", "random"]),
            stance=luck.choice(stances),
            skill=luck.choice([1.0, 0.8, 0.3]),
            forbid=luck.choice(FORBIDS) if luck.random() < share else [],
        )
        for _ in range(count)
    )
    return Table(Rules(**chosen), seats, luck.random() < 0.5)
