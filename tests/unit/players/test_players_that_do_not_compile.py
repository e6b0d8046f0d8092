"""A compiled player with a mistake in it: one clear error, with the nearest valid name where there is one."""

from __future__ import annotations

from typing import Any

import pytest

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.game import GAME

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def misspells(pub: Any, own: Any, tables: Any, weights: Any, luck: Any, acts: Any, n: Any) -> Any:
    return acts[0] if pub.goodz[0, 0] > 0 else acts[n - 1]


def imports(pub: Any, own: Any, tables: Any, weights: Any, luck: Any, acts: Any, n: Any) -> Any:
    import math

    return acts[math.floor(0.5)]


def opens(pub: Any, own: Any, tables: Any, weights: Any, luck: Any, acts: Any, n: Any) -> Any:
    with open("notes") as file:
        return acts[len(file.read())]


def halves(pub: Any, own: Any, tables: Any, weights: Any, luck: Any, acts: Any, n: Any) -> Any:
    return acts[0] / 2


@pytest.mark.parametrize(
    ("player", "told"),
    [
        (misspells, "the player reads 'goodz', no field"),
        (imports, "the player cannot be compiled"),
        (opens, "the player cannot be compiled"),
        (halves, "the player returns float64, not an integer"),
    ],
)
def test_a_mistake_is_told(player: Any, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        GAME.compile_player(player, "bots.py:mine")
    assert "bots.py:mine" in str(caught.value)
    if player is misspells:
        assert "did you mean 'goods'?" in str(caught.value)
