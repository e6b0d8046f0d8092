"""Sentences: what the interval says is what is said, whichever way it goes."""

from __future__ import annotations

from typing import Any

import pytest

from pompeii_sim.report.words import (
    Step,
    against_chance,
    assumed,
    chances,
    points,
    share,
    spread,
    step,
    steps,
    told,
    whole_ladder,
)
from pompeii_sim.stats.estimate import Estimate


def est(value: float | None, low: float | None = None, high: float | None = None, **more: Any) -> Estimate:
    fields: dict[str, Any] = {"n": 1000, "level": 0.95, "method": "wilson"} | more
    return Estimate(value=value, low=low, high=high, **fields)


HARDER = est(0.05, 0.03, 0.07)
EASIER = est(-0.05, -0.07, -0.03)
SAME = est(0.002, -0.004, 0.008)
OPEN = est(0.02, -0.01, 0.05)
WEAK = est(0.012, 0.002, 0.022)


@pytest.mark.parametrize(
    ("difference", "loss", "win"),
    [
        (
            HARDER,
            "Level C is harder than level B: everybody loses 5 points [3, 7] more of the games.",
            "Level C is easier than level B: somebody wins 5 points [3, 7] more of the games.",
        ),
        (
            EASIER,
            "Level C is easier than level B: everybody loses 5 points [3, 7] fewer of the games.",
            "Level C is harder than level B: somebody wins 5 points [3, 7] fewer of the games.",
        ),
    ],
)
def test_harder_and_easier_follow_the_sign(difference: Estimate, loss: str, win: str) -> None:
    found = Step("", difference, 1000)
    assert step("level C", "level B", found, "loss") == loss
    assert step("level C", "level B", found, "win") == win


def test_an_open_difference_is_called_so_with_the_games_that_would_do() -> None:
    said = step("level C", "level B", Step("cap 4", OPEN, 1000), "loss")
    assert said.startswith(
        "Level C and level B with cap 4 cannot be told apart at this n (difference 2 points [-1, 5]; "
    )
    assert "games of each would do" in said
    assert "harder" not in said
    nothing = step("level C", "level B", Step("", est(None, note="no games"), 0), "loss")
    assert "cannot be told apart" in nothing


def test_a_small_difference_is_no_step_even_when_it_is_certain() -> None:
    assert step("C", "B", Step("", SAME, 1000), "loss").startswith("C is as hard as B: the difference is 0.2 points")
    certain = step("C", "B", Step("", est(0.004, 0.002, 0.006), 10**6), "loss")
    assert certain.startswith("C is as hard as B")
    assert "less than the 1 point that matter" in certain
    assert "perhaps by less than what matters" in step("C", "B", Step("", WEAK, 1000), "loss")
    assert "is harder than" in step("C", "B", Step("", est(0.004, 0.002, 0.006), 10**6), "loss", effect=0.001)


def test_steps_count_the_combinations() -> None:
    found = [Step(str(i), e, 1000) for i, e in enumerate([HARDER, HARDER, EASIER, SAME, OPEN])]
    said = steps("C", "B", found, "loss")
    assert said.startswith(
        "Compared with B, C is harder in 2 of 5 combinations of the other settings (by 5.0 points), "
    )
    assert "easier in 1 of 5 (by 5.0 points)" in said
    assert "as hard in 1 of 5" in said
    assert "not to be told apart in 1 of 5; up to " in said
    turned = steps("C", "B", [Step(s.where, s.difference, s.games) for s in found], "win")
    assert "harder in 1 of 5 combinations of the other settings (by 5.0 points), easier in 2 of 5" in turned
    assert steps("C", "B", found[:1], "loss") == step("C", "B", found[0], "loss")


def test_a_ladder_needs_every_step() -> None:
    def ladder(*chains: list[Estimate]) -> str:
        return whole_ladder("level", ["A", "B", "C"], [[Step("", e, 1000) for e in c] for c in chains], "loss")

    assert ladder([HARDER, HARDER]) == "Along level (A, B, C) the game is harder at every step."
    assert ladder([EASIER, EASIER]) == "Along level (A, B, C) the game is easier at every step."
    assert "harder at some steps and easier at others" in ladder([HARDER, EASIER])
    assert "undecided at some steps" in ladder([HARDER, OPEN])
    assert "harder at some steps and as hard at others" in ladder([HARDER, SAME])
    assert ladder([HARDER, HARDER], [HARDER, HARDER], [SAME, SAME]) == (
        "Along level (A, B, C) the game is harder at every step in 2 of 3 combinations of the other settings, "
        "as hard at every step in 1 of 3."
    )


def test_against_equal_chances() -> None:
    assert "more than the 25% of equal chances" in against_chance("x", est(0.3, 0.28, 0.32, expected=0.25))
    assert "less than the 25%" in against_chance("x", est(0.2, 0.18, 0.22, expected=0.25))
    assert "cannot be told from" in against_chance("x", est(0.26, 0.24, 0.28, expected=0.25))
    assert against_chance("x", est(None, note="no games", expected=0.25)) == "x: none (no games) of decided games."
    many = [est(v, v - 0.02, v + 0.02, expected=0.25) for v in (0.4, 0.3, 0.25, 0.1)]
    assert chances("x", many) == (
        "x wins more than equal chances would give in 2 of 4 settings, wins less than equal chances would give in 1 of "
        "4 settings, cannot be told from equal chances in 1 of 4 settings."
    )
    assert chances("x", many[:2]) == "x wins more than equal chances would give in all 2 settings."


def test_spread_names_both_ends() -> None:
    low, high = est(0.1, 0.07, 0.13), est(0.4, 0.37, 0.43)
    assert spread("losses", [("B", high), ("A", low)], percent=True) == (
        "Losses goes from 10% [7, 13] (A) to 40% [37, 43] (B)."
    )
    assert spread("x", [("A", low), ("B", est(0.11, 0.09, 0.13))]).endswith("even these two intervals overlap.")
    assert spread("x", [("A", low)]) == "X: 0.10 [0.07, 0.13]."
    assert spread("x", [("A", low), ("B", low)]) == "X is the same in all 2 settings: 0.10 [0.07, 0.13]."
    assert spread("x", [("A", est(None, note="no games"))]) == "X: nothing known (no games)."
    assert "(A)" in spread("x", [("A", low), ("B", est(None)), ("C", high)])


def test_numbers_are_rounded_by_their_error() -> None:
    assert told(est(0.31239, 0.3061, 0.3189), percent=True) == "31.2% [30.6, 31.9]"
    assert told(est(12.0, 12.0, 13.0), unit="rounds") == "12 [12, 13] rounds"
    assert told(est(1.0, 1.0, 1.0), percent=True) == "100% throughout"
    assert told(est(None)) == "none"
    assert points(est(-0.052, -0.071, -0.033)) == "5.2 points [3.3, 7.1]"
    assert points(est(0.052, None, None)) == "5.200 points"
    assert share("victory", est(0.5, 0.4, 0.6)) == "Victory: 50% [40, 60] of games."


def test_how_much_is_assumed() -> None:
    assert assumed({"stated": 6, "assumed": 3, "calibrated": 1}).startswith("4 of 10 data entries (40%) are assumed")
    assert "no data" in assumed({})
