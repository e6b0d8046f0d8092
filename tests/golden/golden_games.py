"""The small fixed runs whose rows must never change unawares, and the fingerprint of their rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import pompeii_sim
from pompeii_sim.run.execute import execute

EXPECTED = Path(__file__).resolve().parent / "expected.json"
GAMES = 24
"""Games of each run."""
SHORT = ("rules.round_cap=12", "rules.calm_steps=0", "rules.goods_start=6", "rules.workers_start=4")
"""Settings that make a game short and let it see the Awakening: a game that plain Python can play too."""

SHORT_SOLO = ("rules.solo_lower_deck=2", "rules.solo_upper_deck=5", "rules.goods_start=6", "rules.workers_start=4")
"""The same for one seat."""

SWITCHES: dict[str, Any] = {
    "difficulty": "C",
    "volcano_cards": "all",
    "apocalypse": "bottom-half",
    "tempio_amount": "whole-stack",
    "trade_up_reach": "one-step",
    "reclaim_workers": "own",
    "injure_unplaced": True,
    "freed_worker_acts": True,
    "extra_space": "second-worker",
    "army_without_workers": True,
    "calm_steps": 3,
    "round_cap": 25,
}
"""Rules away from the rulebook's, all at once."""


def _document(players: list[dict[str, Any]], rules: dict[str, Any], seating: str = "rotate") -> dict[str, Any]:
    return {"game": "pompeii", "seed": 7, "games": GAMES, "seating": seating, "rules": rules, "seats": players}


DOCUMENTS: dict[str, dict[str, Any]] = {
    "two-greedy": _document([{"player": "greedy"}] * 2, {"difficulty": "B"}),
    "three-mixed": _document(
        [{"player": "greedy"}, {"player": "random"}, {"player": "greedy", "stance": "never"}], {"difficulty": "A"}
    ),
    "four-greedy": _document([{"player": "greedy"}] * 4, {"difficulty": "B"}),
    "four-random": _document([{"player": "random"}] * 4, {"difficulty": "C"}, "fixed"),
    "four-stances": _document(
        [
            {"player": "greedy", "stance": "generous", "skill": 0.8},
            {"player": "planner", "stance": "free-rider"},
            {"player": "greedy", "stance": "conditional", "forbid": ["trade", "produce:7"]},
            {"player": "random", "stance": "calculating"},
        ],
        {"apocalypse": "top"},
        "duplicate",
    ),
    "solo-greedy": _document([{"player": "greedy", "skill": 0.9}], {"difficulty": "C"}),
    "solo-planner": _document([{"player": "planner", "stance": "calculating"}], {"difficulty": "B"}),
    "solo-random": _document(
        [{"player": "random", "stance": "player"}], {"title_counts_apocalypse": True, "solo_offering_deck": "city"}
    ),
    "two-switches": _document([{"player": "greedy"}, {"player": "random"}], SWITCHES),
    "three-switches": _document([{"player": "random"}, {"player": "greedy"}, {"player": "random"}], SWITCHES),
}
"""The runs, by name."""


def short(name: str) -> tuple[str, ...]:
    """Return the settings that make the games of a run short."""
    return SHORT_SOLO if len(DOCUMENTS[name]["seats"]) == 1 else SHORT


def frame(
    name: str,
    games: int = GAMES,
    jobs: int = 1,
    chunk: int | None = None,
    part_size: int = 20_000,
    overrides: Iterable[str] = (),
) -> pl.DataFrame:
    """Play a run with full records and return its rows."""
    scenario = pompeii_sim.validate(DOCUMENTS[name], overrides, games=games)
    result = execute(scenario, jobs=jobs, chunk=chunk, part_size=part_size, records="full", series_every=0)
    return result.games().sort("cell", "game").collect()


def fingerprint(rows: pl.DataFrame) -> str:
    """Return the hash of names, types and values of all columns: the same wherever the rows are the same."""
    digest = hashlib.sha256()
    for name in sorted(rows.columns):
        values = np.ascontiguousarray(rows[name].to_numpy())
        values = values.astype(values.dtype.newbyteorder("<")) if values.dtype.kind in "iuf" else values.astype("S")
        digest.update(f"{name}:{values.dtype.str}".encode() + b"\0" + values.tobytes())
    return digest.hexdigest()[:32]


def expected(which: str) -> dict[str, str]:
    """Return the kept fingerprints of ``all`` games of each run, or of two ``short`` games of each."""
    kept: dict[str, dict[str, str]] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return kept[which]


def fingerprints(which: str) -> dict[str, str]:
    """Play the runs and return their fingerprints: of ``all`` games, or of two ``short`` games of each."""
    if which == "all":
        return {name: fingerprint(frame(name)) for name in DOCUMENTS}
    return {name: fingerprint(frame(name, games=2, jobs=2, chunk=1, overrides=short(name))) for name in DOCUMENTS}
