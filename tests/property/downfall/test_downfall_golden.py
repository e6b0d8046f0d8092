"""The same games as ever: a content hash of what some hundred games left.

When a change of rules, data or players changes it on purpose, raise the game's version and write the new hash here.
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from downfall_table import document

from pompeii_sim.games.downfall.game import GAME
from pompeii_sim.run.execute import execute
from pompeii_sim.scenario import load_scenario

GOLDEN = {
    "four": "bc2f921defb2cc1d0b2cf296",
    "two": "6b904d1c99e89a10108aca93",
    "web": "cf1492a18d730581a4333756",
}
TABLES: dict[str, Any] = {
    "four": document(("planner", "greedy", "severus", "random"), games=240),
    "two": document(("sealer", "runner"), games=240, rules={"dual_vent": True, "edition": "amigo-2004"}),
    "web": document(
        ("corvus", "aurelia", "proculus"), games=240,
        rules={"relatives_count": "square", "relatives_limit": "square", "way_out_over_vents": True,
               "people": "unlimited", "vents_buried": True, "last_tile": "finish-turn", "start": "random"},
    ),
}  # fmt: skip


def content_hash(frame: Any) -> str:
    """Return the hash of all columns, names and values, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(frame.columns):
        digest.update(name.encode() + b"\0" + ",".join(str(v) for v in frame[name].to_list()).encode() + b"\0")
    return digest.hexdigest()[:24]


@pytest.mark.parametrize("name", TABLES)
def test_games_are_the_same_as_ever(name: str) -> None:
    rows = execute(load_scenario(TABLES[name]), jobs=1, records="full").games().collect()
    assert content_hash(rows) == GOLDEN[name]


def test_version() -> None:
    assert GAME.version == 1
