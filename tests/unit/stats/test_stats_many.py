"""Several claims at once: Holm, Benjamini-Hochberg and simultaneous intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from statsmodels.stats.multitest import multipletests

from pompeii_sim.stats.multiplicity import benjamini_hochberg, holm
from pompeii_sim.stats.simultaneous import critical_value, simultaneous

RNG = np.random.default_rng(12)


@pytest.mark.parametrize("m", [1, 2, 7, 60])
def test_adjusted_p_values_agree_with_statsmodels(m: int) -> None:
    p = RNG.random(m) ** 3
    p[0] = 0.0
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-15)
    ours = benjamini_hochberg(p, rate=0.1)
    flags, adjusted = multipletests(p, alpha=0.1, method="fdr_bh")[:2]
    assert ours.adjusted == pytest.approx(adjusted, abs=1e-15)
    assert (ours.flagged == flags).all()


def test_flags_by_chance_are_counted() -> None:
    table = benjamini_hochberg(np.concatenate([np.full(6, 1e-9), np.full(54, 0.7)]), rate=0.05)
    assert table.flagged.sum() == 6
    assert table.expected_by_chance == pytest.approx(3.0)
    assert table.expected_false == pytest.approx(0.3)


def test_multiplicity_edges() -> None:
    assert holm([]).size == 0
    assert benjamini_hochberg([]).expected_by_chance == 0.0
    assert holm([0.03, 0.03]) == pytest.approx([0.06, 0.06])
    for function in (holm, benjamini_hochberg):
        for bad in ([0.2, math.nan], [-0.1], [1.1]):
            with pytest.raises(ValueError, match="p_values"):
                function(bad)
    with pytest.raises(ValueError, match="rate"):
        benjamini_hochberg([0.2], rate=0.0)


def _all_pairs(k: int) -> np.ndarray:
    """Correlations of all pairwise differences of k independent means of one variance."""
    rows = [np.eye(k)[i] - np.eye(k)[j] for i in range(k) for j in range(i)]
    matrix = np.array(rows) / math.sqrt(2)
    return matrix @ matrix.T


@pytest.mark.parametrize(("df", "level"), [(None, 0.8), (None, 0.95), (5, 0.95), (30, 0.99)])
def test_all_pairs_of_three_give_tukeys_value(df: float | None, level: float) -> None:
    tukey = stats.studentized_range.ppf(level, 3, 1e7 if df is None else df) / math.sqrt(2)
    assert critical_value(_all_pairs(3), df=df, level=level) == pytest.approx(tukey, abs=2e-6)


def test_more_dimensions_are_good_to_their_stated_error() -> None:
    tukey = stats.studentized_range.ppf(0.95, 5, 1e7) / math.sqrt(2)
    assert critical_value(_all_pairs(5)) == pytest.approx(tukey, abs=0.001)
    independent = stats.norm.ppf((1 + 0.95 ** (1 / 6)) / 2)
    assert critical_value(np.eye(6)) == pytest.approx(independent, abs=0.001)
    dunnett = np.full((4, 4), 0.5) + 0.5 * np.eye(4)

    def covered(c: float) -> float:  # four treatments against a control, as an integral over the control
        root = math.sqrt(2) * c
        inside = lambda x: stats.norm.pdf(x) * (stats.norm.cdf(root + x) - stats.norm.cdf(x - root)) ** 4  # noqa: E731
        return float(integrate.quad(inside, -9, 9)[0])

    exact = optimize.brentq(lambda c: covered(c) - 0.95, 1.5, 4.0)
    assert exact == pytest.approx(2.44, abs=0.005)  # as in Dunnett's table
    assert critical_value(dunnett) == pytest.approx(exact, abs=0.001)


def test_simple_factors_and_their_order() -> None:
    matrix = _all_pairs(4)
    k = 6
    bonferroni = critical_value(matrix, method="bonferroni")
    sidak = critical_value(matrix, method="sidak")
    assert bonferroni == pytest.approx(stats.norm.ppf(1 - 0.025 / k))
    assert sidak == pytest.approx(stats.norm.ppf((1 + 0.95 ** (1 / k)) / 2))
    assert critical_value(matrix) < sidak < bonferroni
    assert critical_value(matrix, method="sidak", df=9) == pytest.approx(stats.t.ppf((1 + 0.95 ** (1 / k)) / 2, 9))
    z = stats.norm.ppf(0.975)
    assert critical_value([[1.0]]) == pytest.approx(z)
    assert critical_value(np.ones((4, 4))) == pytest.approx(z, abs=1e-6)  # one and the same estimate four times
    assert critical_value([[1.0, -1.0], [-1.0, 1.0]]) == pytest.approx(z, abs=1e-6)


def test_simultaneous_intervals_of_a_ladder() -> None:
    # Three independent settings A, B, C; the steps B-A, C-B and the difference of the steps.
    variances = np.array([4e-5, 5e-5, 6e-5])
    contrasts = np.array([[-1, 1, 0], [0, -1, 1], [1, -2, 1]])
    covariance = contrasts @ np.diag(variances) @ contrasts.T
    values = contrasts @ np.array([0.2, 0.3, 0.45])
    out = simultaneous(values, covariance, n=30_000)
    correlation = covariance / np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    factor = critical_value(correlation)
    assert stats.norm.ppf(0.975) < factor < critical_value(correlation, method="sidak")
    for estimate, value, variance in zip(out, values, np.diag(covariance), strict=True):
        assert estimate.value == pytest.approx(value)
        assert estimate.high == pytest.approx(value + factor * math.sqrt(variance))
        assert estimate.low == pytest.approx(value - factor * math.sqrt(variance))
        assert (estimate.method, estimate.n) == ("simultaneous-max-t", 30_000)
    assert simultaneous(values, covariance, n=30_000) == out


def test_simultaneous_edges() -> None:
    assert simultaneous([], np.zeros((0, 0)), n=0) == []
    still, moving = simultaneous([1.0, 2.0], np.diag([0.0, 1.0]), n=9)
    assert still.low == still.high == 1.0
    assert still.note is not None
    assert moving.high == pytest.approx(2.0 + stats.norm.ppf(0.975))  # the constant one costs nothing
    for covariance, named in (
        ([[1.0, 0.0]], "shape"),
        ([[1.0, 0.5], [0.2, 1.0]], "symmetric"),
        ([[1.0, 2.0], [2.0, 1.0]], "semidefinite"),
        ([[1.0, math.nan], [math.nan, 1.0]], "NaN"),
        ([[-1.0, 0.0], [0.0, 1.0]], "semidefinite"),
    ):
        with pytest.raises(ValueError, match=named):
            simultaneous([0.0, 0.0], covariance, n=5)
    with pytest.raises(ValueError, match="values"):
        simultaneous([math.nan], [[1.0]], n=5)
    with pytest.raises(ValueError, match="n must"):
        simultaneous([0.0], [[1.0]], n=-5)
    with pytest.raises(ValueError, match="df"):
        critical_value(np.eye(2), df=0)
    with pytest.raises(ValueError, match="method"):
        critical_value(np.eye(2), method="scheffe")  # type: ignore[arg-type]
