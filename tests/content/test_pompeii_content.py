"""Everything in the box comes into play: cards, volcano cards, buildings and places over many mixed games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pompeii_cells import Seats, cell, play

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.action_text import ActionText
from pompeii_sim.games.pompeii.data_files import load_data

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="a hundred thousand games need the compiler")

CARDS = tuple(f"S{n:02d}" for n in range(1, 53)) + tuple(f"C{n:02d}" for n in range(1, 53))
HURRY: dict[str, Any] = {"calm_steps": 1, "workers_start": 5, "round_cap": 16}
"""A short game that soon awakens, for players without a plan."""

NEVER: dict[str, str] = {"player": "greedy", "stance": "never"}
TABLES: tuple[tuple[Seats, dict[str, Any], int], ...] = (
    (["random"] * 2, HURRY | {"difficulty": "A"}, 30_000),
    (["random"] * 2, HURRY | {"difficulty": "B"}, 30_000),
    (["random"] * 2, HURRY | {"difficulty": "C"}, 26_000),
    (["random"] * 3, HURRY | {"difficulty": "A"}, 5_000),
    (["random"] * 4, HURRY | {"difficulty": "B"}, 2_000),
    (["greedy", "random"], {"difficulty": "C"}, 3_000),
    (["greedy", "greedy", "random"], {"difficulty": "B"}, 2_000),
    (["greedy"] * 2, {"difficulty": "A"}, 1_000),
    (["greedy"] * 4, {"difficulty": "B"}, 1_000),
    ([NEVER, "random", NEVER], {"difficulty": "A", "volcano_cards": "all"}, 400),
)

DEALT_NEVER: dict[str, str] = {}
OUT_NEVER: dict[str, str] = {}
USED_NEVER: dict[str, str] = {}
"""Cards that are never dealt, trained or activated, or used, with the reason (none)."""

PLACE_NEVER = {
    "building:20": "nobody works in the Castrum: the army that enters ends the game",
    "space:C12": "workers are moved here by C12, none is placed",
    "space:C28": "workers are moved here by C28, none is placed",
    "space:C31": "workers are moved here by C31, none is placed",
}


@pytest.fixture(scope="module")
def counts() -> dict[str, np.ndarray[Any, Any]]:
    """Number of games in which each thing came into play, over all tables."""
    out: dict[str, Any] = {}
    games = 0
    seen = np.zeros((3, 18), np.int64)
    for seats, rules, number in TABLES:
        prepared = cell(seats, rules)
        for first in range(0, number, 5000):
            rows = play(prepared, min(5000, number - first), first)
            games += len(rows)
            assert not rows["error"].any()
            for name in ("dealt", "held", "put_out", "card_use", "place_use", "built"):
                out[name] = out.get(name, 0) + (rows[name] != 0).sum(axis=0)
            seen["ABC".index(rules["difficulty"])] += (rows["volcano_seen"] != 0).sum(axis=0)
    out["games"] = np.array(games)
    out["volcano"] = seen
    return out


def test_there_are_enough_games(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert counts["games"] > 100_000


def missing(counts: Any, names: Any) -> set[str]:
    """Return the names of what never happened."""
    return {name for name, count in zip(names, counts, strict=True) if count == 0}


def test_every_card_is_dealt(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert missing(counts["dealt"], CARDS) == set(DEALT_NEVER)
    assert missing(counts["held"], CARDS) == set(DEALT_NEVER)


def test_every_card_is_trained_activated_or_played(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert missing(counts["put_out"], CARDS) == set(OUT_NEVER)


def test_every_card_is_used(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert missing(counts["card_use"], CARDS) == set(USED_NEVER)


def test_every_volcano_card_is_turned(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert (counts["volcano"][:, : c.N_VOLCANO] > 0).all()


def test_every_building_is_built(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    assert (counts["built"][1:] > 0).all()


def test_every_place_is_used(counts: dict[str, np.ndarray[Any, Any]]) -> None:
    text = ActionText(load_data(None))
    assert missing(counts["place_use"], [text.place(p) for p in range(c.N_PLACES)]) == set(PLACE_NEVER)
