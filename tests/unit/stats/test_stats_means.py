"""Means, bootstrap and quantiles against scipy, and their edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from pompeii_sim.stats.bootstrap import ROWS, bootstrap_mean
from pompeii_sim.stats.bounded_mean import bounded_mean
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import t_mean, t_mean_from_sums
from pompeii_sim.stats.quantile import quantile, quantile_from_counts
from pompeii_sim.stats.welch import welch
from pompeii_sim.stats.wilson import wilson

RNG = np.random.default_rng(20_251)
SAMPLE = RNG.gamma(2.0, 3.0, 137)
ROUNDS = RNG.integers(3, 17, 211)


@pytest.mark.parametrize("values", [SAMPLE, ROUNDS, SAMPLE[:2], ROUNDS.astype(np.int16), SAMPLE + 1e9, -ROUNDS])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_t_mean_agrees_with_scipy(values, level: float) -> None:  # type: ignore[no-untyped-def]
    ours = t_mean(values, level=level)
    theirs = stats.ttest_1samp(values.astype(float), 0.0).confidence_interval(level)
    assert ours.value == pytest.approx(values.astype(float).mean(), rel=1e-14)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-10)
    assert (ours.n, ours.method, ours.note) == (values.size, "t", None)


def test_sums_give_what_the_sample_gives() -> None:
    from_sums = t_mean_from_sums(ROUNDS.size, ROUNDS.sum(), (ROUNDS**2).sum(), expected=9.5)
    from_sample = t_mean(ROUNDS.astype(float), expected=9.5)
    assert (from_sums.low, from_sums.high) == pytest.approx((from_sample.low, from_sample.high), rel=1e-13)
    assert from_sums.expected == 9.5
    floats = t_mean_from_sums(SAMPLE.size, SAMPLE.sum(), (SAMPLE**2).sum())
    assert floats.high == pytest.approx(t_mean(SAMPLE).high, rel=1e-12)


def test_whole_sums_lose_nothing() -> None:
    # In float64 the spread of these numbers would vanish beside their squares.
    big = 10**12
    ours = t_mean_from_sums(3, 3 * big, big * big + (big - 1) ** 2 + (big + 1) ** 2)
    assert ours.high is not None
    assert ours.high - big == pytest.approx(stats.t.ppf(0.975, 2) / math.sqrt(3), rel=1e-3)
    assert t_mean(np.array([big - 1, big, big + 1])).note is None


def test_mean_edges() -> None:
    nothing = t_mean([])
    assert (nothing.value, nothing.low, nothing.note) == (None, None, "no units")
    assert t_mean_from_sums(0, 0, 0).note == "no units"
    single = t_mean([4.0])
    assert (single.value, single.low, single.high) == (4.0, None, None)
    assert single.note is not None
    assert "one unit" in single.note
    for constant in (t_mean([0.1] * 7), t_mean([3, 3]), t_mean_from_sums(7, 0.1 * 7, 7 * 0.1**2)):
        assert constant.low == constant.high == constant.value
        assert constant.note is not None
        assert constant.note.startswith("constant sample")
    assert t_mean([3, 3, 4]).note is None
    narrow = 1000.25 + np.array([-0.5, 0.0, 0.5])  # a spread of a ten-millionth of the squares is still a spread
    from_sums = t_mean_from_sums(3, narrow.sum(), (narrow**2).sum())
    assert from_sums.note is None
    assert from_sums.high == pytest.approx(t_mean(narrow).high, rel=1e-9)
    assert t_mean([0.1] * 6 + [0.1 + 1e-9]).note is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((-1, 0, 0), "n must"),
        ((2, math.nan, 1), "total"),
        ((2, 1, math.nan), "squares"),
        ((2, 1, -1), "squares"),
        ((2, 10, 1), "squares is too small"),
        ((3, 1.5, 0.5), "squares is too small"),
        ((0, 1, 1), "must be 0 when n is 0"),
    ],
)
def test_impossible_sums_are_refused(arguments, named) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=named):
        t_mean_from_sums(*arguments)


@pytest.mark.parametrize("function", [t_mean, lambda v: bootstrap_mean(v, seed=1), lambda v: quantile(v, 0.5)])
@pytest.mark.parametrize("bad", [[1.0, math.nan], [1.0, math.inf], [[1.0], [2.0]], [math.inf, -math.inf]])
def test_invalid_samples_are_refused_by_name(function, bad) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="values"):
        function(bad)


@pytest.mark.parametrize(("kind", "theirs"), [("bca", "BCa"), ("percentile", "percentile")])
def test_bootstrap_agrees_with_scipy_up_to_resampling(kind, theirs) -> None:  # type: ignore[no-untyped-def]
    skewed = np.exp(RNG.normal(0.0, 1.2, 60))
    ours = bootstrap_mean(skewed, seed=3, kind=kind, resamples=20_000)
    other = stats.bootstrap(
        (skewed,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(4), batch=1000
    ).confidence_interval
    error = skewed.std() / math.sqrt(60)
    # An end estimated from 20,000 resamples has a standard error near 0.02 standard errors of the mean.
    assert ours.low == pytest.approx(other.low, abs=0.08 * error)
    assert ours.high == pytest.approx(other.high, abs=0.08 * error)
    assert ours.method == f"bootstrap-{kind}"
    # The bias correction matters on this sample, so the two kinds cannot be confused.
    other_kind = bootstrap_mean(skewed, seed=3, kind="percentile" if kind == "bca" else "bca", resamples=20_000)
    assert ours.high is not None
    assert other_kind.high is not None
    assert abs(ours.high - other_kind.high) > 0.1 * error


def test_bootstrap_counts_repeated_values() -> None:
    dice = np.random.default_rng(8).integers(1, 4, 400)
    counted = bootstrap_mean(dice, seed=5, resamples=20_000)
    plain = bootstrap_mean(dice + np.arange(400) * 1e-9, seed=5, resamples=20_000)
    assert counted.low == pytest.approx(plain.low, abs=0.005)
    assert counted.high == pytest.approx(plain.high, abs=0.005)
    assert t_mean(dice).low == pytest.approx(counted.low, abs=0.005)


def test_bootstrap_is_repeatable_and_hands_over_to_t() -> None:
    assert bootstrap_mean(SAMPLE, seed=7) == bootstrap_mean(SAMPLE, seed=7)
    assert bootstrap_mean(SAMPLE, seed=7) != bootstrap_mean(SAMPLE, seed=8)
    large = np.arange(ROWS, dtype=float)
    handed = bootstrap_mean(large, seed=1)
    assert handed.method == "t"
    assert (handed.low, handed.high) == (t_mean(large).low, t_mean(large).high)
    assert handed.note is not None
    assert "100,000" in handed.note


def test_bootstrap_edges() -> None:
    assert bootstrap_mean([], seed=1).note == "no units"
    assert bootstrap_mean([2.0], seed=1).low is None
    constant = bootstrap_mean([2.0, 2.0], seed=1)
    assert (constant.low, constant.high) == (2.0, 2.0)
    assert constant.note is not None
    with pytest.raises(ValueError, match="kind"):
        bootstrap_mean([1.0, 2.0], seed=1, kind="basic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_mean([1.0, 2.0], seed=1, resamples=5)


@pytest.mark.parametrize("n", [1, 5, 6, 40, 41, 1000])
@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile_ranks_are_the_binomial_ones(n: int, q: float) -> None:
    # With values 1..n a value is its own rank.
    ours = quantile(np.arange(1.0, n + 1), q)
    # Straight from the definition: the largest rank with P(fewer at or below) <= 2.5 %, and its mirror image.
    ranks = np.arange(1, n + 1)
    lows = ranks[stats.binom.cdf(ranks - 1, n, q) <= 0.025]
    highs = ranks[stats.binom.sf(ranks - 1, n, q) <= 0.025]
    assert ours.low == (lows[-1] if lows.size else None)
    assert ours.high == (highs[0] if highs.size else None)
    assert ours.value == np.quantile(np.arange(1.0, n + 1), q, method="inverted_cdf")
    assert (ours.note is None) == bool(lows.size and highs.size)


def test_quantile_known_interval_and_forms_agree() -> None:
    # Textbook: for n = 20 the median lies between the 6th and 15th value with 95.9 %.
    ours = quantile(np.arange(1.0, 21), 0.5)
    assert (ours.low, ours.high) == (6.0, 15.0)
    support, counts = np.unique(ROUNDS, return_counts=True)
    for q in (0.1, 0.5, 0.9):
        whole, floats = quantile(ROUNDS, q), quantile(ROUNDS.astype(float), q)
        assert whole == floats == quantile_from_counts(support, counts, q)
    shuffled = RNG.permutation(SAMPLE)
    assert quantile(shuffled, 0.9) == quantile(np.sort(SAMPLE), 0.9)
    assert quantile(np.array([10**15, -(10**15), 3]), 0.5).value == 3.0


def test_quantile_edges() -> None:
    assert quantile([], 0.5).note == "no units"
    assert quantile_from_counts([], [], 0.5).value is None
    single = quantile([7], 0.5)
    assert (single.value, single.low, single.high) == (7.0, None, None)
    assert single.note is not None
    assert "too few" in single.note
    assert quantile([5] * 50, 0.5).low == 5.0
    for q in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="q must"):
            quantile([1.0, 2.0], q)
    with pytest.raises(ValueError, match="increase"):
        quantile_from_counts([2, 1], [1, 1], 0.5)
    with pytest.raises(ValueError, match="counts"):
        quantile_from_counts([1, 2], [1, -1], 0.5)
    with pytest.raises(ValueError, match="shape"):
        quantile_from_counts([1, 2], [1], 0.5)


def test_welch_agrees_with_scipy_and_says_what_it_lacks() -> None:
    rng = np.random.default_rng(5)
    one, two = rng.normal(1.0, 2.0, 40), rng.normal(0.5, 0.3, 9)
    made = welch(one.mean(), one.var(ddof=1), 40, two.mean(), two.var(ddof=1), 9, level=0.9)
    seen = stats.ttest_ind(one, two, equal_var=False).confidence_interval(0.9)
    assert (made.low, made.high) == pytest.approx((seen.low, seen.high))
    assert made.n == 49
    assert welch(1.0, 0.0, 0, 2.0, 1.0, 5).value is None
    for n, variance in ((1, 0.0), (5, 0.0)):
        lone = welch(1.0, variance, n, 2.0, variance, 5)
        assert (lone.value, lone.low) == (-1.0, None)
        assert lone.note
    for bad in ((1.0, -1.0, 5), (float("nan"), 1.0, 5), (1.0, 1.0, 2.5)):
        with pytest.raises(ValueError, match=r"variance|mean|n must"):
            welch(*bad, 0.0, 1.0, 5)


def _about(value: float, half: float) -> Estimate:
    return Estimate(value=value, low=value - half, high=value + half, n=50, level=0.95, method="t")


def test_bounded_mean_solves_its_equation_and_stays_inside() -> None:
    for value, half, least, greatest in [(0.5, 0.9, 0.0, None), (3.0, 1.5, 1.0, 9.0), (0.97, 0.05, 0.0, 1.0)]:
        made = bounded_mean(_about(value, half), least, greatest)
        assert made.method == "t, score"
        for end in (made.low, made.high):
            assert end is not None
            room = 1.0 if greatest is None else (greatest - end) / (greatest - value)
            assert (value - end) ** 2 == pytest.approx(half**2 * (end - least) / (value - least) * room)
            assert end > least
            assert greatest is None or end < greatest


def test_bounded_mean_is_wilson_for_shares_and_student_far_from_bounds() -> None:
    successes, n = 3, 60
    ours = wilson(successes, n)
    z = -float(special.ndtri(0.025))
    share = successes / n
    made = bounded_mean(_about(share, z * math.sqrt(share * (1 - share) / n)), 0.0, 1.0)
    assert (made.low, made.high) == (pytest.approx(ours.low), pytest.approx(ours.high))
    far = _about(16.0, 0.3)
    assert bounded_mean(far, 0.0) is far
    constant = _about(0.0, 0.0)
    assert bounded_mean(constant, 0.0) is constant
