"""Scripted players: they finish games, in the length people need, and the stronger win more."""

from __future__ import annotations

import numpy as np
import pytest
from players_table import play, share_of_first

from pompeii_sim.games.pompeii.game import GAME
from pompeii_sim.games.pompeii.players import weights
from pompeii_sim.games.pompeii.rules import Seat


def test_every_persona_says_how_it_plays_and_where_that_comes_from() -> None:
    specs = GAME.players()
    assert set(specs) == {"random", "rollouts", *weights.PERSONAS}
    for name, spec in specs.items():
        assert spec.name == name
        assert len(spec.strategy) > 20
        assert spec.source
    rows = [tuple(spec.weights)[: len(weights.NAMES)] for spec in specs.values() if spec.weights]
    assert set(rows) == {weights.NAMES}, "a weight row has another order than the indices"
    assert len({tuple(row.values()) for row in weights.PERSONAS.values()}) == len(weights.PERSONAS)


def test_indices_follow_the_names() -> None:
    assert weights.NAMES[weights.SPARE] == "spare"
    assert weights.NAMES[weights.TRADES] == "trades"
    assert weights.NAMES[weights.POINT] == "point"


def test_four_greedies_finish_in_the_length_people_need() -> None:
    rows, _ = play([Seat(player="greedy")] * 4, 400)
    assert (rows["error"] == 0).all()
    assert (rows["ended_by"] == 0).mean() > 0.9
    assert 40 <= rows["worker_actions"].mean() <= 65
    assert rows["calm_rounds"].mean() < 8.5, "the Foro waits"


def test_four_planners_finish_sooner_than_four_greedies() -> None:
    planners, _ = play([Seat(player="planner")] * 4, 400)
    assert (planners["error"] == 0).all()
    assert (planners["ended_by"] == 0).mean() > 0.85
    assert 40 <= planners["worker_actions"][planners["ended_by"] == 0].mean() <= 65


@pytest.mark.parametrize(
    ("player", "other", "least"), [("greedy", "random", 0.8), ("planner", "random", 0.95), ("planner", "greedy", 0.4)]
)
def test_the_stronger_wins_more(player: str, other: str, least: float) -> None:
    rows, _ = play([Seat(player=player), *[Seat(player=other)] * 3], 600)
    assert (rows["ended_by"] == 0).mean() >= 0.45
    assert share_of_first(rows) >= least


@pytest.mark.parametrize("player", sorted(weights.PERSONAS))
def test_every_persona_plays_legal_games_with_two_and_three_seats(player: str) -> None:
    for seats in (2, 3):
        rows, _ = play([Seat(player=player)] * seats, 30)
        assert (rows["error"] == 0).all()


def test_the_minimalist_stays_with_three_workers_but_for_cards() -> None:
    three, _ = play([Seat(player="minimalist")] * 4, 200)
    more, _ = play([Seat(player="recruiter")] * 4, 200)
    assert three["workers"].mean() < 3.5
    assert more["workers"].mean() > three["workers"].mean() + 0.2


def test_a_forbidden_castrum_is_left_to_others_and_the_foro_is_built_soon() -> None:
    seats = [Seat(player="greedy", stance="never", forbid=["build:20"])] * 4
    rows, _ = play(seats, 200, volcano_cards="all", apocalypse="bottom")
    assert (rows["eruptions"] == 18).all()
    assert (rows["ended_by"] == 1).all()
    assert rows["rounds"].max() <= 40
    assert np.quantile(rows["calm_rounds"], 0.95) <= 10


def test_win_share_grows_with_skill_in_a_race() -> None:
    """The race of ``scenarios/skill_ladder.toml``: no volcano ends it, so that low skills can show."""
    race = {"offering_base": -6, "raise_by": 0, "round_cap": 200}
    shares = []
    for skill in (0.25, 0.5, 0.75):
        # the stance, which changes nothing here, keeps the first seat apart from the others when skills are equal
        seats = [Seat(player="planner", skill=skill, stance="never"), *[Seat(player="planner", skill=0.5)] * 3]
        rows, _ = play(seats, 200, **race)
        assert (rows["ended_by"] == 0).mean() > 0.9
        shares.append(share_of_first(rows))
    assert shares[0] < 0.12
    assert 0.15 < shares[1] < 0.4
    assert shares[2] > 0.7
