"""A replay's choices by chance are those that the games' kernels draw, stances and forced choices left out."""

from __future__ import annotations

from typing import Any

import pytest

import pompeii_sim
from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.luck import again, key, unit
from pompeii_sim.games.downfall import codes as downfall
from pompeii_sim.games.pompeii.decks import LUCK_SEAT

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plays too many games for plain Python")

PLAYERS = [
    {"player": "greedy", "stance": "cooperative", "skill": 0.7},
    {"player": "planner", "stance": "player", "skill": 0.4},
    {"player": "random", "stance": "never", "skill": 0.9},
    {"player": "planner", "stance": "conditional"},
]


@pytest.mark.parametrize(
    ("game", "part", "seats"),
    [
        ("pompeii", LUCK_SEAT, PLAYERS),
        ("pompeii", LUCK_SEAT, PLAYERS[:1]),
        ("downfall", downfall.LUCK_SEAT, [{"player": "greedy", "skill": 0.5}, {"player": "planner"}]),
    ],
)
def test_choices_by_chance_are_those_the_kernel_draws(game: str, part: int, seats: list[dict[str, Any]]) -> None:
    for number in range(2):
        one = pompeii_sim.play({"game": game, "seed": 3, "seats": seats}, number, to_end=False)
        hidden = one._state["hid"]
        found = 0
        while True:
            before = hidden["n_decision"][0].copy()
            move = one.step()
            if move is None:
                break
            asked = int(hidden["n_decision"][0, move.seat] - before[move.seat])  # not where a stance pledges
            luck = key(one.seed, one.deal, part, move.seat, int(before[move.seat]))
            errs = asked and one.skills[move.seat] < 1 and unit(again(luck, 7)) >= one.skills[move.seat]
            assert move.by_chance == bool(errs)
            assert len(set(move.options)) == len(move.options)
            found += move.by_chance
        assert found > 5
        lines = one.story().splitlines()
        assert sum(" errs (skill " in line for line in lines) == found
        plain = one._events.story([e for e in one.events if e["event"] not in ("seats", "chance")]).splitlines()
        assert [line for line in lines if " errs (skill " not in line][len(seats) + 1 :] == plain
