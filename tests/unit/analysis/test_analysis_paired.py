"""Differences pair by pair, against the same worked out from the raw pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from analysis_hand import CAP, DISASTER, VICTORY, game, hand_made

from pompeii_sim.analysis import paired_difference, wanted
from pompeii_sim.errors import InputError
from pompeii_sim.stats.mean import t_mean
from pompeii_sim.stats.tango import tango

FIRST = [(VICTORY, 5), (VICTORY, 7), (DISASTER, 3), (VICTORY, 6), (CAP, 9), (VICTORY, 4), (DISASTER, 5)]
BASE = [(VICTORY, 6), (DISASTER, 7), (DISASTER, 2), (VICTORY, 6), (VICTORY, 8), (VICTORY, 4), (DISASTER, 5), (CAP, 9)]


def rows(pairs: list[tuple[int, int]]) -> list[dict[str, object]]:
    return [game(end, rounds, 1 if end == VICTORY else 0) for end, rounds in pairs]


def test_rates_are_tangos_on_common_deals(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, rows(FIRST), rows(BASE), part=3)
    made = paired_difference(hand, 0, hand, 1, "victory_rate")
    assert made.difference == tango(3, 1, 1, 2)
    assert made.deals == 7
    assert made.first.value == 4 / 7
    assert made.base.value == 4 / 7
    assert made.diverged.value == 4 / 7
    assert paired_difference(hand, 0, hand, 1, "win_rate.0").difference == tango(3, 1, 1, 2)


def test_means_are_students_on_the_differences(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, rows(FIRST), rows(BASE), part=3)
    exact = t_mean([a[1] - b[1] for a, b in zip(FIRST, BASE, strict=False)])
    made = paired_difference(hand, 0, hand, 1, "rounds_mean").difference
    assert exact.low is not None
    for name in ("value", "low", "high", "n"):
        assert getattr(made, name) == pytest.approx(getattr(exact, name))
    assert made.method == "paired t"


def test_failed_games_drop_their_deal_visibly(tmp_path: Path) -> None:
    first = rows(FIRST)
    first[1]["error"] = 1
    hand = hand_made(tmp_path, first, rows(BASE), part=3)
    made = paired_difference(hand, 0, hand, 1, "victory_rate")
    assert (made.deals, made.dropped) == (6, 1)
    assert made.difference == tango(3, 0, 1, 2)


def test_a_cell_against_itself_differs_by_nothing(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, rows(FIRST))
    rate = paired_difference(hand, 0, hand, 0, "victory_rate")
    assert rate.difference.value == 0
    assert rate.difference.note == "no pair differs"
    assert rate.diverged.value == 0
    assert rate.gain is None
    mean = paired_difference(hand, 0, hand, 0, "rounds_mean").difference
    assert mean.value == 0
    assert "no pair differs" in mean.note  # type: ignore[operator]


def test_conditional_means_are_ratios_over_deals(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    a = [(VICTORY if rng.random() < 0.7 else DISASTER, int(rng.integers(3, 9))) for _ in range(400)]
    b = [(end if rng.random() < 0.8 else DISASTER, rounds + int(rng.integers(0, 2))) for end, rounds in a]
    hand = hand_made(tmp_path, rows(a), rows(b), part=100)
    made = paired_difference(hand, 0, hand, 1, "rounds_to_victory_mean")

    def ratio(pairs: np.ndarray) -> float:
        won = pairs[..., 0] == VICTORY
        return float((pairs[..., 1] * won).sum() / won.sum())

    x, y = np.array(a), np.array(b)
    assert made.difference.value == pytest.approx(ratio(x) - ratio(y))
    resampled = []
    for _ in range(2000):
        pick = rng.integers(0, 400, 400)
        resampled.append(ratio(x[pick]) - ratio(y[pick]))
    half = (made.difference.high - made.difference.low) / 2  # type: ignore[operator]
    assert half == pytest.approx(1.966 * np.std(resampled), rel=0.08)
    assert made.gain is not None
    assert made.gain > 1


def test_duplicate_deals_are_one_unit(tmp_path: Path) -> None:
    def deals(values: list[tuple[int, int]]) -> list[dict[str, object]]:
        out = []
        for deal, pair in enumerate(values):
            out += [game(VICTORY, r, 1, deal=deal, arrangement=i) for i, r in enumerate(pair)]
        return out

    first, base = [(3, 5), (4, 4), (9, 7), (2, 2)], [(3, 4), (4, 2), (9, 9), (1, 2)]
    hand = hand_made(tmp_path, deals(first), deals(base), seating="duplicate", part=2)
    exact = t_mean([(sum(a) - sum(b)) / 2 for a, b in zip(first, base, strict=True)])
    made = paired_difference(hand, 0, hand, 1, "rounds_mean").difference
    for name in ("value", "low", "high", "n"):
        assert getattr(made, name) == pytest.approx(getattr(exact, name))


def test_other_deals_are_refused(tmp_path: Path) -> None:
    one = hand_made(tmp_path / "one", rows(FIRST))
    other = hand_made(tmp_path / "other", rows(FIRST), seed=2)
    with pytest.raises(InputError, match="another seed"):
        paired_difference(one, 0, other, 0, "victory_rate")
    again = hand_made(tmp_path / "again", rows(BASE), part=5)
    assert paired_difference(one, 0, again, 0, "victory_rate").difference == tango(3, 1, 1, 2)


def test_names_of_numbers(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, rows(FIRST))
    assert wanted(hand, "win_share_by_player.a").label == "a"
    assert wanted(hand, "tosses").metric.kind == "mean"
    with pytest.raises(InputError, match=r"win_share_by_player\.a"):
        wanted(hand, "win_share_by_player")
    with pytest.raises(InputError, match="nobody of that name"):
        paired_difference(hand, 0, hand, 0, "win_rate.7")
