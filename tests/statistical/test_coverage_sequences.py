"""Confidence sequences must cover at every look at once; a fixed-n interval looked at as often must not.

Rates and paired differences are followed exactly: the probability of each state of a run that has never
been outside its interval is carried from look to look. Means are simulated.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from pompeii_sim.stats.asymptotic_sequence import anytime_mean_asymptotic
from pompeii_sim.stats.bernstein import bernstein_radius
from pompeii_sim.stats.mean import t_mean_from_sums
from pompeii_sim.stats.mean_sequence import mean_sequence
from pompeii_sim.stats.paired_sequence import TUNING, anytime_paired
from pompeii_sim.stats.rate_sequence import rate_bounds
from pompeii_sim.stats.wilson import wilson_bounds


@functools.cache
def _rate_ends(method: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    wins, total = np.arange(n + 1), np.full(n + 1, n)
    if method == "wilson":
        return wilson_bounds(wins.astype(float), total.astype(float), 1.959963984540054)
    return rate_bounds(wins, total, 0.5 if method == "half" else 0.95)


def _rate_coverage(share: float, method: str, looks: int) -> float:
    """Exact probability that the interval holds `share` after each of 1, 2, ..., `looks` units."""
    state = np.ones(1)
    for n in range(1, looks + 1):
        moved = np.zeros(n + 1)
        moved[:-1] += state * (1 - share)
        moved[1:] += state * share
        low, high = _rate_ends(method, n)
        state = np.where((low <= share) & (share <= high), moved, 0.0)
    return float(state.sum())


@pytest.mark.parametrize("share", [0.001, 0.02, 0.25, 0.5, 0.8])
def test_rate_sequence_covers_at_every_look(share: float) -> None:
    coverage = _rate_coverage(share, "beta-mixture", 300)
    assert coverage >= 0.95


def test_looking_often_at_a_fixed_interval_breaks_it() -> None:
    assert _rate_coverage(0.25, "wilson", 300) < 0.75


def test_rate_sequence_is_not_merely_wide() -> None:
    # A level of one half must be missed by many runs: its coverage stays well below that of 95 %.
    assert 0.5 <= _rate_coverage(0.3, "half", 150) < 0.85


@pytest.mark.parametrize(("p10", "p01"), [(0.02, 0.02), (0.3, 0.25), (0.2, 0.01), (0.004, 0.0)])
def test_paired_sequence_covers_at_every_look(p10: float, p01: float) -> None:
    looks = 160
    truth = p10 - p01
    state = np.zeros((looks + 1, looks + 1))  # pairs better first, pairs better second
    state[0, 0] = 1.0
    # The radius depends on the number of differing pairs alone; that `anytime_paired` uses it is checked first.
    one = anytime_paired(100, 20, 10, 30)
    assert one.high == pytest.approx(0.0625 + bernstein_radius(np.array([30.0]), np.array([160]), 0.95, TUNING)[0])
    for n in range(1, looks + 1):
        moved = state * (1 - p10 - p01)
        moved[1:] += state[:-1] * p10
        moved[:, 1:] += state[:, :-1] * p01
        radius = bernstein_radius(np.arange(n + 1.0), np.full(n + 1, n), 0.95, TUNING)
        first, second = np.meshgrid(np.arange(looks + 1), np.arange(looks + 1), indexing="ij")
        differing = np.minimum(first + second, n)
        state = np.where(np.abs((first - second) / n - truth) <= radius[differing] + 1e-15, moved, 0.0)
    assert state.sum() >= 0.95


CHECKPOINTS = np.unique(np.geomspace(10, 4000, 40).astype(int))
MEANS = {
    "rounds": (lambda rng, size: np.clip(np.round(rng.normal(14.0, 3.0, size)), 1, 40), (1.0, 40.0)),
    "rare": (lambda rng, size: (rng.random(size) < 0.03) * 40.0, (0.0, 40.0)),
    "skewed": (lambda rng, size: np.minimum(rng.geometric(0.2, size), 40).astype(float), (0.0, 40.0)),
}


def _true_mean(kind: str) -> float:
    if kind == "rare":
        return 1.2
    if kind == "skewed":
        return sum(0.8**k for k in range(40))
    # Clipping at 1 and 40 is more than four deviations away; counted all the same.
    edges = (np.arange(1, 40) + 0.5 - 14.0) / 3.0
    above = np.array([0.5 * math.erfc(e / math.sqrt(2)) for e in edges])
    return float(1.0 + above.sum())


@pytest.mark.parametrize("kind", list(MEANS))
def test_mean_sequence_covers_at_every_look(kind: str) -> None:
    draw, bounds = MEANS[kind]
    truth, rng, runs = _true_mean(kind), np.random.default_rng(1234), 800
    held = fixed_held = 0
    for _ in range(runs):
        values = draw(rng, CHECKPOINTS[-1])
        estimates = mean_sequence(values, CHECKPOINTS, bounds=bounds)
        held += all(e.low <= truth <= e.high for e in estimates)  # type: ignore[operator]
        if kind == "rounds":
            sums, squares = np.cumsum(values)[CHECKPOINTS - 1], np.cumsum(values**2)[CHECKPOINTS - 1]
            looks = zip(CHECKPOINTS.tolist(), sums.tolist(), squares.tolist(), strict=True)
            fixed = [t_mean_from_sums(*look) for look in looks]
            fixed_held += all(e.low <= truth <= e.high for e in fixed)  # type: ignore[operator]
    assert held / runs >= 0.95
    if kind == "rounds":
        assert fixed_held / runs < 0.85


def test_mean_sequence_at_a_low_level_is_missed() -> None:
    draw, bounds = MEANS["rounds"]
    truth, rng, held = _true_mean("rounds"), np.random.default_rng(4321), 0
    for _ in range(400):
        estimates = mean_sequence(draw(rng, CHECKPOINTS[-1]), CHECKPOINTS, bounds=bounds, level=0.3)
        held += all(e.low <= truth <= e.high for e in estimates)  # type: ignore[operator]
    assert 0.3 <= held / 400 < 0.95


def test_asymptotic_sequence_covers_at_late_looks() -> None:
    rng, runs, held = np.random.default_rng(55), 800, 0
    looks = np.unique(np.geomspace(200, 8000, 40).astype(int))
    for _ in range(runs):
        values = rng.gamma(2.0, 5.0, looks[-1])
        sums, squares = np.cumsum(values)[looks - 1], np.cumsum(values**2)[looks - 1]
        held += all(
            e.low <= 10.0 <= e.high  # type: ignore[operator]
            for e in (
                anytime_mean_asymptotic(n, total, square, tuned_for=2_000)
                for n, total, square in zip(looks.tolist(), sums.tolist(), squares.tolist(), strict=True)
            )
        )
    assert held / runs >= 0.95
