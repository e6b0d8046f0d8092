"""Wilson, Clopper-Pearson, Newcombe and Tango against other implementations, published values and edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.proportion import confint_proportions_2indep

from pompeii_sim.stats.clopper_pearson import clopper_pearson
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.newcombe import newcombe
from pompeii_sim.stats.tango import tango, tango_bounds
from pompeii_sim.stats.wilson import wilson, wilson_bounds

COUNTS = [(0, 1), (1, 1), (0, 7), (7, 7), (1, 2), (3, 11), (50, 100), (17, 20_000), (9_999_999, 10_000_000)]


@pytest.mark.parametrize(("successes", "n"), COUNTS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilson_and_clopper_pearson_agree_with_scipy(successes: int, n: int, level: float) -> None:
    for function, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        ours = function(successes, n, level=level)
        theirs = stats.binomtest(successes, n).proportion_ci(level, method=method)
        assert ours.value == successes / n
        assert (ours.low, ours.high) == pytest.approx((float(theirs.low), float(theirs.high)), rel=1e-7, abs=1e-12)
        assert (ours.n, ours.level, ours.valid, ours.note) == (n, level, "fixed", None)


def test_names_and_expected_travel_along() -> None:
    ours = wilson(2, 8, expected=0.25)
    assert ours.to_json()["expected"] == 0.25
    assert ours.method == "wilson"
    assert clopper_pearson(2, 8, expected=0.5).expected == 0.5
    assert clopper_pearson(2, 8).method == "clopper-pearson"
    assert Estimate.from_json(ours.to_json()) == ours


def test_ends_are_exact_where_nothing_or_everything_succeeds() -> None:
    for function in (wilson, clopper_pearson):
        for n in (1, 2, 10, 10_000_000):
            assert function(0, n).low == 0.0
            assert function(n, n).high == 1.0
            assert function(0, n).high == pytest.approx(1.0 - function(n, n).low, rel=1e-9)
    assert clopper_pearson(0, 20).high == pytest.approx(1.0 - 0.025 ** (1 / 20), rel=1e-12)
    z = stats.norm.ppf(0.975)
    assert wilson(0, 20).high == pytest.approx(z * z / (20 + z * z), rel=1e-12)


@pytest.mark.parametrize("function", [wilson, clopper_pearson])
def test_no_units_gives_null_with_a_reason(function) -> None:  # type: ignore[no-untyped-def]
    nothing = function(0, 0)
    assert (nothing.value, nothing.low, nothing.high, nothing.n) == (None, None, None, 0)
    assert nothing.note == "no units"


@pytest.mark.parametrize("function", [wilson, clopper_pearson])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((5, 4), "successes"),
        ((-1, 4), "successes"),
        ((1, -4), "n must"),
        ((math.nan, 4), "successes"),
        ((1, math.nan), "n must"),
        ((1.5, 4), "successes"),
        ((1, math.inf), "n must"),
        (("x", 4), "successes"),
    ],
)
def test_invalid_counts_are_refused_by_name(function, arguments, named) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=named):
        function(*arguments)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 95, math.nan])
def test_invalid_levels_are_refused_everywhere(level: float) -> None:
    for call in (
        lambda: wilson(1, 2, level=level),
        lambda: wilson(0, 0, level=level),
        lambda: clopper_pearson(1, 2, level=level),
        lambda: newcombe(1, 2, 1, 2, level=level),
        lambda: tango(1, 1, 1, 1, level=level),
    ):
        with pytest.raises(ValueError, match="level"):
            call()


def test_numpy_counts_and_whole_floats_are_taken() -> None:
    assert wilson(np.int64(3), np.uint32(9)) == wilson(3, 9) == wilson(3.0, 9.0)  # type: ignore[arg-type]


def test_wilson_bounds_is_wilson_for_arrays() -> None:
    successes, n = np.array([0.0, 3.0, 9.0]), np.array([5.0, 9.0, 9.0])
    low, high = wilson_bounds(successes, n, float(stats.norm.ppf(0.975)))
    for i in range(3):
        one = wilson(successes[i], n[i])
        assert (low[i], high[i]) == pytest.approx((one.low, one.high), abs=1e-14)


# Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10.
NEWCOMBE = [
    ((56, 70, 48, 80), (0.0524, 0.3339)),
    ((9, 10, 3, 10), (0.1705, 0.8090)),
    ((6, 7, 2, 7), (0.0582, 0.8062)),
    ((5, 56, 0, 29), (-0.0381, 0.1926)),
    ((0, 10, 0, 20), (-0.1611, 0.2775)),
    ((0, 10, 0, 10), (-0.2775, 0.2775)),
    ((10, 10, 0, 20), (0.6791, 1.0)),
    ((10, 10, 0, 10), (0.6075, 1.0)),
]


@pytest.mark.parametrize(("counts", "published"), NEWCOMBE)
def test_newcombe_agrees_with_the_paper(counts, published) -> None:  # type: ignore[no-untyped-def]
    ours = newcombe(*counts)
    assert (ours.low, ours.high) == pytest.approx(published, abs=5.1e-5)
    assert ours.value == pytest.approx(counts[0] / counts[1] - counts[2] / counts[3], abs=1e-15)
    assert ours.n == counts[1] + counts[3]
    assert ours.method == "newcombe"


@pytest.mark.parametrize("counts", [(3, 9, 5, 14), (0, 4, 3, 3), (700, 1000, 69_000, 100_000), (1, 1, 0, 1)])
def test_newcombe_agrees_with_statsmodels(counts: tuple[int, int, int, int]) -> None:
    theirs = confint_proportions_2indep(*counts, method="newcomb", compare="diff", alpha=0.1)
    ours = newcombe(*counts, level=0.9)
    assert (ours.low, ours.high) == pytest.approx(theirs, abs=1e-12)


def test_newcombe_edges() -> None:
    assert newcombe(0, 0, 1, 2).value is None
    assert newcombe(0, 0, 1, 2).note == "no units in the sample looked at"
    assert newcombe(1, 2, 0, 0).note == "no units in the sample compared with"
    with pytest.raises(ValueError, match="base_successes"):
        newcombe(1, 2, 4, 3)
    with pytest.raises(ValueError, match="base_n"):
        newcombe(1, 2, 0, -3)
    swapped = newcombe(2, 9, 6, 8)
    straight = newcombe(6, 8, 2, 9)
    assert (swapped.low, swapped.high) == pytest.approx((-straight.high, -straight.low), abs=1e-15)  # type: ignore[operator]


def test_tango_agrees_with_values_of_another_package() -> None:
    # R package ratesci documents scoreci.mp(7, 1, 21) of PropCIs; 25 and 28 of 618 at 90 % is quoted from the same.
    one = tango(1, 1, 7, 12)
    assert (one.low, one.high) == pytest.approx((-0.517, -0.026), abs=5.1e-4)
    two = tango(300, 28, 25, 265, level=0.9)
    assert (two.low, two.high) == pytest.approx((-0.0148, 0.0247), abs=5.1e-5)


def _score(n10: int, n01: int, n: int, delta: float) -> float:
    """Score statistic with the restricted maximum found by brute force instead of by formula."""
    if abs(delta) >= 1:
        return math.inf
    low, high = max(0.0, -delta), (1.0 - delta) / 2.0

    def loss(q: float) -> float:
        cells = ((n10, q + delta), (n01, q), (n - n10 - n01, 1.0 - 2.0 * q - delta))
        return -sum(k * math.log(max(p, 1e-300)) for k, p in cells if k)

    best = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    best = min((low, best, high), key=loss)
    return (n10 - n01 - n * delta) / math.sqrt(n * (2.0 * best + delta * (1.0 - delta)))


@pytest.mark.parametrize(
    ("n10", "n01", "n"), [(1, 7, 21), (3, 0, 40), (0, 3, 40), (9, 9, 18), (5, 2, 8), (1, 0, 500), (40, 20, 160)]
)
def test_tango_inverts_the_score_test(n10: int, n01: int, n: int) -> None:
    ours = tango(n - n10 - n01, n10, n01, 0)
    z = stats.norm.ppf(0.975)
    low = optimize.brentq(lambda d: _score(n10, n01, n, d) - z, -1 + 1e-9, (n10 - n01) / n - 1e-9, xtol=1e-13)
    high = optimize.brentq(lambda d: _score(n10, n01, n, d) + z, (n10 - n01) / n + 1e-9, 1 - 1e-9, xtol=1e-13)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=2e-7)


def test_tango_edges() -> None:
    z2 = stats.norm.ppf(0.975) ** 2
    same = tango(3, 0, 0, 7)
    assert same.value == 0.0
    assert same.note == "no pair differs"
    assert (same.low, same.high) == pytest.approx((-z2 / (10 + z2), z2 / (10 + z2)), abs=1e-12)
    all_first = tango(0, 10, 0, 0)
    assert (all_first.low, all_first.high) == pytest.approx(((10 - z2) / (10 + z2), 1.0), abs=1e-12)
    assert tango(0, 0, 10, 0).low == -1.0
    single = tango(0, 1, 0, 0)
    assert single.high == 1.0
    assert single.low is not None
    assert single.low < 0
    nothing = tango(0, 0, 0, 0)
    assert (nothing.value, nothing.low, nothing.note) == (None, None, "no pairs")
    huge = tango(5_000_000, 5, 3, 5_000_000)
    assert huge.low is not None
    assert huge.high is not None
    assert huge.low < 2 / 10_000_008 < huge.high
    with pytest.raises(ValueError, match="n01"):
        tango(1, 1, -1, 1)
    with pytest.raises(ValueError, match="n00"):
        tango(1, 1, 1, math.nan)  # type: ignore[arg-type]


def test_tango_is_symmetric_and_its_array_form_agrees() -> None:
    first, second = np.array([3, 0, 12]), np.array([8, 0, 1])
    low, high = tango_bounds(first, second, 50, float(stats.norm.ppf(0.975)))
    back_low, back_high = tango_bounds(second, first, 50, float(stats.norm.ppf(0.975)))
    assert low == pytest.approx(-back_high, abs=1e-13)
    assert high == pytest.approx(-back_low, abs=1e-13)
    assert tango(0, 3, 8, 39).low == pytest.approx(low[0], abs=1e-15)


def test_tango_does_not_collapse_when_few_pairs_differ() -> None:
    # The normal interval of the differences would be (0.0, 0.0) without and tiny with a single differing pair.
    one = tango(500, 1, 0, 499)
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0 < 0.003 < one.high
