"""Confidence sequences: against the definition by brute force, forms that must agree, and edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import integrate, optimize, stats

from pompeii_sim.stats.asymptotic_sequence import anytime_mean_asymptotic
from pompeii_sim.stats.bernstein import bernstein_radius
from pompeii_sim.stats.mean import t_mean
from pompeii_sim.stats.mean_sequence import BoundedSums, anytime_mean, mean_sequence
from pompeii_sim.stats.paired_sequence import anytime_paired, paired_sequence
from pompeii_sim.stats.rate_sequence import anytime_rate, rate_bounds, rate_sequence
from pompeii_sim.stats.roots import bisect
from pompeii_sim.stats.wilson import wilson

RNG = np.random.default_rng(99)


@pytest.mark.parametrize(("successes", "n"), [(0, 30), (30, 30), (3, 10), (40, 50), (250, 1000)])
def test_rate_interval_is_where_the_mixture_martingale_is_small(successes: int, n: int) -> None:
    ours = anytime_rate(successes, n, level=0.9)
    for end in (ours.low, ours.high):
        assert end is not None
        if 0 < end < 1:
            # Likelihood of q against that of the end p, mixed over q ~ beta(50 p, 50 (1 - p)), integrated numerically.
            prior = stats.beta(50 * end, 50 * (1 - end))
            likelihood = stats.binom(n, end).pmf(successes)
            mixed = integrate.quad(
                lambda q, prior=prior: prior.pdf(q) * stats.binom.pmf(successes, n, q),
                0,
                1,
                points=[end, successes / n],
                limit=500,
            )[0]
            assert mixed / likelihood == pytest.approx(10.0, rel=1e-6)
    assert (ours.valid, ours.method) == ("anytime", "beta-mixture")


def test_rates_kept_form_one_interval() -> None:
    # The ends are searched by bisection, which needs the martingale to grow away from the observed rate.
    grid = np.linspace(1e-4, 1 - 1e-4, 4001)
    for n in (1, 2, 5, 20, 100, 1000, 100_000):
        for successes in {0, 1, n // 10, n // 3, n // 2, n}:
            mixed = stats.betabinom.logpmf(successes, n, 50 * grid, 50 * (1 - grid))
            steps = np.diff(mixed - stats.binom.logpmf(successes, n, grid))
            turns = np.diff(np.sign(steps[np.abs(steps) > 1e-7]))
            assert (turns != 0).sum() <= 1
            assert (turns >= 0).all()


def test_rate_edges_and_price() -> None:
    assert anytime_rate(0, 0).note == "no units"
    assert anytime_rate(0, 0).valid == "anytime"
    assert anytime_rate(0, 50).low == 0.0
    assert anytime_rate(50, 50).high == 1.0
    assert (anytime_rate(0, 1).low, anytime_rate(0, 1).high) == (0.0, 1.0)  # one unit rules nothing out
    assert anytime_rate(0, 10_000_000).high < 1e-6
    for n in (10, 1000, 100_000):
        fixed, anytime = wilson(n // 4, n), anytime_rate(n // 4, n)
        assert None not in (fixed.low, fixed.high, anytime.low, anytime.high)
        assert anytime.low < fixed.low  # type: ignore[operator]
        assert fixed.high < anytime.high  # type: ignore[operator]
        assert (anytime.high - anytime.low) < 2.0 * (fixed.high - fixed.low)  # type: ignore[operator]
    for bad, named in (
        (lambda: anytime_rate(3, 2), "successes"),
        (lambda: anytime_rate(-1, 2), "successes"),
        (lambda: anytime_rate(1, math.nan), "n must"),  # type: ignore[arg-type]
        (lambda: anytime_rate(1, 2, level=1.0), "level"),
        (lambda: rate_sequence([0, 1, 2], [1]), "outcomes"),
        (lambda: rate_sequence([0, 1], [1, 1]), "checkpoints"),
        (lambda: rate_sequence([0, 1], [3]), "checkpoints"),
        (lambda: rate_sequence([0, 1], [-1]), "checkpoints"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()


def test_sequences_at_checkpoints_are_the_single_looks() -> None:
    outcomes = RNG.random(3000) < 0.3
    looks = [0, 1, 10, 999, 3000]
    for look, estimate in zip(looks, rate_sequence(outcomes, looks, expected=0.25), strict=True):
        assert estimate == anytime_rate(int(outcomes[:look].sum()), look, expected=0.25)
    differences = RNG.integers(-1, 2, 3000)
    for look, estimate in zip(looks, paired_sequence(differences, looks), strict=True):
        part = differences[:look]
        first, second = int((part == 1).sum()), int((part == -1).sum())
        assert estimate == anytime_paired(look - first - second, first, second, 0)
    values = RNG.integers(3, 18, 3000).astype(float)
    for look, estimate in zip(looks, mean_sequence(values, looks, bounds=(0, 40)), strict=True):
        alone = anytime_mean(BoundedSums(low=0, high=40).add(values[:look]))
        assert (estimate.value, estimate.n) == (alone.value, alone.n)
        assert estimate.low == pytest.approx(alone.low)
        assert estimate.high == pytest.approx(alone.high)


def test_variation_is_measured_against_the_mean_so_far() -> None:
    values = RNG.random(50) * 3 - 1
    variation, total = 0.0, 0.0
    for i, value in enumerate(values):
        variation += (value - (total + 0.5) / (i + 1)) ** 2  # the middle of -1..2 counts as one unit
        total += value
    sums = BoundedSums(low=-1, high=2).add(values)
    assert sums.variation == pytest.approx(variation, rel=1e-12)
    assert sums.total == pytest.approx(total, rel=1e-12)
    parts = BoundedSums(low=-1, high=2).add(values[:7]).add(values[7:7]).add(values[7:])
    assert parts.variation == pytest.approx(variation, rel=1e-12)
    assert parts.n == 50


def test_blocks_need_sums_only_and_cost_little() -> None:
    values = RNG.integers(0, 11, 20_000)
    sums = BoundedSums(low=0, high=10)
    for block in values.reshape(40, 500):
        prediction = (sums.total + 5.0) / (sums.n + 1)
        before = sums.variation
        sums = sums.add_block(500, block.sum(), (block**2).sum())
        assert sums.variation - before == pytest.approx(((block - prediction) ** 2).sum(), rel=1e-9)
    by_block, by_unit = anytime_mean(sums), anytime_mean(BoundedSums(low=0, high=10).add(values))
    assert by_block.value == pytest.approx(by_unit.value)
    assert by_block.high == pytest.approx(by_unit.high, abs=1e-3)
    assert sums.add_block(0, 0, 0) == sums


@pytest.mark.parametrize(("variation", "n", "tuning"), [(0.0, 30, 2.0), (4.0, 100, 5.0), (900.0, 40_000, 5.0)])
def test_bernstein_radius_solves_the_mixture_equation(variation: float, n: int, tuning: float) -> None:
    radius = float(bernstein_radius(np.array([variation]), np.array([n]), 0.95, tuning)[0])

    # Integrate exp(lambda s - psi(lambda) v) over the gamma-shaped mixing density of lambda, by its definition:
    # density proportional to (1 - lambda)^(tuning - 1) exp(-tuning (1 - lambda)).
    def density(x: float) -> float:
        return (1 - x) ** (tuning - 1) * math.exp(-tuning * (1 - x))

    def log_martingale(x: float, total: float) -> float:
        return x * total - (-math.log1p(-x) - x) * variation

    norm = integrate.quad(density, 0, 1)[0]

    def excess(total: float) -> float:
        best = optimize.minimize_scalar(lambda x: -log_martingale(x, total), bounds=(0, 1 - 1e-9), method="bounded").x
        top = log_martingale(best, total)
        area = integrate.quad(
            lambda x: density(x) * math.exp(log_martingale(x, total) - top), 0, 1 - 1e-12, points=[best], limit=400
        )[0]
        return top + math.log(area / norm) - math.log(40)

    assert excess(radius * n) == pytest.approx(0.0, abs=1e-5)


def test_mean_edges_and_price() -> None:
    bounds = BoundedSums(low=0, high=40)
    assert anytime_mean(bounds).note == "no units"
    one = anytime_mean(bounds.add([7.0]))
    assert (one.value, one.low, one.high) == (7.0, 0.0, 40.0)
    assert one.note is not None
    assert one.note.startswith("too few")
    constant = anytime_mean(bounds.add(np.full(10_000, 7.0)))
    assert constant.low is not None
    assert constant.high is not None
    assert 0 < constant.low < 7.0 < constant.high < 7.1  # unlike a fixed-n interval it keeps a width
    values = RNG.normal(14, 3, 100_000).round().clip(1, 40)
    fixed, anytime = t_mean(values), anytime_mean(bounds.add(values))
    assert (anytime.high - anytime.low) < 2.0 * (fixed.high - fixed.low)  # type: ignore[operator]
    assert anytime.low < fixed.low  # type: ignore[operator]
    for bad, named in (
        (lambda: bounds.add([41.0]), "values"),
        (lambda: bounds.add([-1.0]), "values"),
        (lambda: bounds.add([math.nan]), "values"),
        (lambda: bounds.add_block(2, 100, 9000), "total"),
        (lambda: bounds.add_block(2, 40, 100), "squares"),
        (lambda: bounds.add_block(-2, 40, 100), "n must"),
        (lambda: BoundedSums(low=1, high=1), "low"),
        (lambda: BoundedSums(low=math.nan, high=1), "low"),
        (lambda: mean_sequence([1.0], [1], bounds=(2, 3)), "values"),
        (lambda: anytime_mean(bounds, level=2), "level"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()


def test_paired_edges() -> None:
    assert anytime_paired(0, 0, 0, 0).note == "no pairs"
    same = anytime_paired(600, 0, 0, 400)
    assert same.note == "no pair differs"
    assert same.low is not None
    assert same.high is not None
    assert same.low == pytest.approx(-same.high)
    assert 0 < same.high < 0.01
    assert anytime_paired(0, 1, 0, 0).high == 1.0
    few, many = anytime_paired(9_000, 60, 40, 900), anytime_paired(5_000, 2_510, 2_490, 0)
    assert few.value == many.value
    assert few.high < 0.4 * many.high  # type: ignore[operator]
    mirrored = anytime_paired(9_000, 40, 60, 900)
    assert (few.low, few.high) == pytest.approx((-mirrored.high, -mirrored.low))  # type: ignore[operator]
    for bad, named in (
        (lambda: paired_sequence([0, 2], [1]), "differences"),
        (lambda: paired_sequence([0.5], [1]), "differences"),
        (lambda: anytime_paired(1, -1, 0, 0), "n10"),
        (lambda: anytime_paired(1, 1, 0, 0, level=0), "level"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()


def test_asymptotic_sequence_by_its_formula() -> None:
    values = RNG.gamma(2, 5, 5_000)
    n, total, squares = 5_000, float(values.sum()), float((values**2).sum())
    ours = anytime_mean_asymptotic(n, total, squares, tuned_for=2_000)
    rho2 = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 2_000
    radius = values.std() * math.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * math.log(math.sqrt(n * rho2 + 1) / 0.05))
    assert ours.value is not None
    assert ours.high == pytest.approx(ours.value + radius, rel=1e-9)
    assert ours.low == pytest.approx(ours.value - radius, rel=1e-9)
    assert (ours.valid, ours.method) == ("anytime", "asymptotic-sequence")
    assert ours.note is not None
    assert "asymptotic" in ours.note
    # Tightest in standard errors near the number it is tuned for.
    widths = [
        math.sqrt(m) * anytime_mean_asymptotic(m, 0, m, tuned_for=2_000).high  # type: ignore[operator]
        for m in (20, 200, 2_000, 20_000, 200_000)
    ]
    assert min(widths) == widths[2]
    assert anytime_mean_asymptotic(0, 0, 0).note == "no units"
    assert anytime_mean_asymptotic(1, 3, 9).low is None
    assert anytime_mean_asymptotic(2, 6, 18).note is not None
    with pytest.raises(ValueError, match="tuned_for"):
        anytime_mean_asymptotic(2, 6, 19, tuned_for=0)
    assert stats.norm.ppf(0.975) < min(widths)


def test_few_and_many_bounds_are_searched_to_the_same_ends() -> None:
    """Few regions are cut into sections, many into halves."""
    n = np.tile(np.array([1, 7, 100, 5000, 10**7]), 40)
    successes = (n * np.linspace(0.0, 1.0, n.size)).astype(np.int64)
    low, high = rate_bounds(successes, n, 0.95)
    for k in range(n.size):
        one = rate_bounds(successes[k : k + 1], n[k : k + 1], 0.95)
        assert one[0][0] == pytest.approx(low[k], rel=1e-10, abs=1e-300)
        assert one[1][0] == pytest.approx(high[k], rel=1e-10)


def test_few_regions_take_few_steps() -> None:
    looks = 0

    def inside(p: NDArray[np.float64]) -> NDArray[np.bool_]:
        nonlocal looks
        looks += 1
        return np.asarray(p * p < 2.0)

    (edge,) = bisect(inside, np.array([0.0]), np.array([2.0]))
    assert edge == pytest.approx(2.0**0.5, rel=1e-15)
    assert edge * edge >= 2.0
    assert looks <= 18
