"""The small fixed runs whose rows must never change unawares, and the fingerprint of their rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import pompeii_sim
from pompeii_sim.run.execute import execute

EXPECTED = Path(__file__).resolve().parent / "expected.json"
GAMES = 24
"""Games of each run."""
FEW = 1
"""Games of each run that are also played by the plain Python source."""

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
    "two-switches": _document([{"player": "greedy"}, {"player": "random"}], SWITCHES),
    "three-switches": _document([{"player": "random"}, {"player": "greedy"}, {"player": "random"}], SWITCHES),
}
"""The runs, by name."""


def frame(
    name: str, games: int = GAMES, jobs: int = 1, chunk: int | None = None, part_size: int = 20_000
) -> pl.DataFrame:
    """Play a run with full records and return its rows."""
    scenario = pompeii_sim.validate(DOCUMENTS[name], games=games)
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


def expected() -> dict[str, dict[str, str]]:
    """Return the kept fingerprints: ``all`` games and the ``few`` first ones, by run."""
    kept: dict[str, dict[str, str]] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return kept


def fingerprints(which: str = "both") -> dict[str, dict[str, str]]:
    """Play the runs and return their fingerprints: ``all`` games, the ``few`` first ones, or ``both``."""
    out: dict[str, dict[str, str]] = {}
    for name in DOCUMENTS:
        out[name] = {}
        if which != "few":
            out[name]["all"] = fingerprint(frame(name))
        if which != "all":
            out[name]["few"] = fingerprint(frame(name, games=FEW))
    return out
