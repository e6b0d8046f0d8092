"""Numbers that may be looked at while a run grows."""

from __future__ import annotations

import numpy as np
import pytest

from pompeii_sim.measure.anytime import Watched, anytime_now, half_width
from pompeii_sim.measure.tally import Tally, add_up
from pompeii_sim.stats.asymptotic_sequence import anytime_mean_asymptotic
from pompeii_sim.stats.mean_sequence import BoundedSums, anytime_mean
from pompeii_sim.stats.rate_sequence import anytime_rate
from pompeii_sim.store.schema import Metric

RATE = Metric(name="r", title="r", kind="rate", definition="d")
MEAN = Metric(name="m", title="m", kind="mean", definition="d")
BOUND = Metric(name="b", title="b", kind="mean", definition="d", bounds=(0.0, 10.0))
VALUES = np.random.default_rng(4).integers(0, 11, 3000)


def _blocks(values: np.ndarray, size: int, per_deal: int = 0) -> list[Tally]:
    out = []
    for at in range(0, len(values), size):
        piece = values[at : at + size].astype(np.int64)
        deal = np.arange(at, at + len(piece)) // per_deal if per_deal else None
        out.append(add_up(piece, np.ones(len(piece), bool), deal, 1, 0))
    return out


def _watch(metric: Metric, blocks: list[Tally], by_deal: bool = False) -> Watched:
    watched = Watched(metric=metric, label="", by_deal=by_deal, level=0.95)
    for block in blocks:
        watched.add(block)
    return watched


def test_rate_is_the_beta_mixture_and_needs_counts_only() -> None:
    flags = VALUES > 6
    made = _watch(RATE, _blocks(flags, 500)).estimate()
    assert made == anytime_rate(int(flags.sum()), 3000)
    assert made == anytime_now(sum(_blocks(flags, 700), Tally()), RATE, by_deal=False, level=0.95)


def test_bounded_mean_is_empirical_bernstein_block_by_block() -> None:
    sums = BoundedSums(low=0.0, high=10.0)
    for at in range(0, 3000, 500):
        piece = VALUES[at : at + 500]
        sums = sums.add_block(500, float(piece.sum()), float((piece**2).sum()))
    assert _watch(BOUND, _blocks(VALUES, 500)).estimate() == anytime_mean(sums)


def test_unbounded_mean_is_labelled_asymptotic_and_right() -> None:
    made = _watch(MEAN, _blocks(VALUES, 500)).estimate()
    direct = anytime_mean_asymptotic(3000, int(VALUES.sum()), int((VALUES**2).sum()))
    assert made.method == "asymptotic-sequence"
    assert (made.value, made.low, made.high) == pytest.approx((direct.value, direct.low, direct.high))


def test_whole_deals_are_units_of_their_means() -> None:
    sums = BoundedSums(low=0.0, high=10.0)
    for at in range(0, 3000, 600):
        means = VALUES[at : at + 600].reshape(-1, 3).mean(axis=1)
        sums = sums.add_block(200, float(means.sum()), float((means**2).sum()))
    made, wanted = _watch(BOUND, _blocks(VALUES, 600, 3), by_deal=True).estimate(), anytime_mean(sums)
    assert made.n == 1000
    assert (made.low, made.high) == pytest.approx((wanted.low, wanted.high))


def test_uneven_deals_fall_back_to_a_ratio_that_says_so() -> None:
    made = _watch(BOUND, _blocks(VALUES[:2999], 600, 3), by_deal=True).estimate()
    assert made.method == "asymptotic-sequence"
    assert made.value == pytest.approx(VALUES[:2999].mean())


def test_nothing_yet() -> None:
    empty = Watched(metric=RATE, label="", by_deal=False, level=0.95).estimate()
    assert empty.value is None
    assert half_width(empty) is None
    assert anytime_now(Tally(), MEAN, by_deal=True, level=0.9).n == 0
