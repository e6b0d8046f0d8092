"""Scripted players alone: weights of their own, and how often they win."""

from __future__ import annotations

import numpy as np
import pytest
from players_table import play

import pompeii_sim
from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.players import weights
from pompeii_sim.games.pompeii.rules import Seat


def test_the_planner_alone_wins_most_games_and_greedy_some() -> None:
    won = {}
    for player in ("planner", "greedy", "random"):
        rows, _ = play([Seat(player=player, stance="calculating")], 300, seed=12)
        assert (rows["error"] == 0).all()
        won[player] = (rows["ended_by"] == 0).mean()
    assert won["planner"] > 0.85
    assert 0.1 < won["greedy"] < 0.5
    assert won["random"] < 0.05


def test_every_title_is_won() -> None:
    rows, _ = play([Seat(player="planner")], 1500, seed=13, difficulty="C")
    titles = np.bincount(rows["title"][rows["ended_by"] == 0], minlength=5)
    assert (titles[1:] >= 0.01 * titles.sum()).all(), titles


@pytest.mark.parametrize("name", weights.SOLO)
def test_weights_of_the_other_game_are_refused(name: str) -> None:
    def document(weight: str, seats: int) -> dict[str, object]:
        return {
            "game": "pompeii",
            "seed": 1,
            "games": 1,
            "seats": [{"player": "planner", "weights": {weight: 1.0}}] * seats,
        }

    pompeii_sim.validate(document(name, 4))
    pompeii_sim.validate(document(f"solo_{name}", 1))
    with pytest.raises(InputError, match=f"{name} is not read with one seat.*solo_{name}"):
        pompeii_sim.validate(document(name, 1))
    with pytest.raises(InputError, match=f"solo_{name} is read with one seat, not with 4"):
        pompeii_sim.validate(document(f"solo_{name}", 4))


@pytest.mark.parametrize("name", weights.SOLO)
def test_each_weight_alone_is_read_alone_only(name: str) -> None:
    """A weight that the plan did not copy would change nothing; one read with four seats would change their games."""
    low = {f"solo_{name}": {"spare": 0.0, "trades": 6.0, "share": 0.0, "under": 6.0}[name]}
    alone = [play([Seat(player="planner", weights=w)], 60)[0]["rounds"] for w in ({}, low)]
    assert not np.array_equal(*alone)
    four = [play([Seat(player="planner", weights=w)] * 4, 30)[0]["rounds"] for w in ({}, low)]
    assert np.array_equal(*four)
