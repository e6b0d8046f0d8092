"""Exact coverage of the intervals for proportions: every possible outcome enumerated, nothing simulated."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy import special, stats

from pompeii_sim.stats.clopper_pearson import clopper_pearson
from pompeii_sim.stats.newcombe import newcombe
from pompeii_sim.stats.tango import tango_bounds
from pompeii_sim.stats.wilson import wilson

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200)
SHARES = np.linspace(0.005, 0.995, 199)
Z = float(stats.norm.ppf(0.975))


@functools.cache
def _coverage(method: str, n: int) -> np.ndarray:
    """Coverage at each of SHARES: the probabilities of the outcomes whose interval holds the share."""
    function = {"wilson": wilson, "clopper-pearson": clopper_pearson}[method]
    intervals = [function(x, n) for x in range(n + 1)]
    low, high = np.array([[e.low, e.high] for e in intervals], dtype=float).T
    probability = stats.binom.pmf(np.arange(n + 1)[:, None], n, SHARES)
    return np.asarray((probability * ((low[:, None] <= SHARES) & (high[:, None] >= SHARES))).sum(axis=0))


# Worked out by hand from the intervals of so few units: the outcomes that hold p, and their probabilities.
# n = 1: Wilson gives [0, .7935] and [.2065, 1], Clopper-Pearson [0, .975] and [.025, 1].
# n = 2: Wilson gives [0, .6576], [.0945, .9055], [.3424, 1]; Clopper-Pearson [0, .8419], [.0126, .9874], [.1581, 1].
# n = 3: Wilson gives [0, .5615], [.0615, .7923], [.2077, .9385], [.4385, 1].
TABLE = [
    ("wilson", 1, 0.10, 0.90),
    ("wilson", 1, 0.20, 0.80),
    ("wilson", 1, 0.50, 1.00),
    ("wilson", 1, 0.85, 0.85),
    ("wilson", 2, 0.05, 0.9025),
    ("wilson", 2, 0.10, 0.99),
    ("wilson", 2, 0.40, 1.00),
    ("wilson", 2, 0.70, 0.91),
    ("wilson", 3, 0.05, 0.857375),
    ("wilson", 3, 0.10, 0.972),
    ("wilson", 3, 0.30, 0.973),
    ("wilson", 3, 0.50, 1.00),
    ("clopper-pearson", 1, 0.02, 0.98),
    ("clopper-pearson", 1, 0.50, 1.00),
    ("clopper-pearson", 2, 0.01, 0.9801),
    ("clopper-pearson", 2, 0.10, 0.99),
    ("clopper-pearson", 2, 0.90, 0.99),
    ("clopper-pearson", 2, 0.50, 1.00),
]


@pytest.mark.parametrize(("method", "n", "share", "coverage"), TABLE)
def test_coverage_agrees_with_the_table(method: str, n: int, share: float, coverage: float) -> None:
    index = int(np.argmin(np.abs(SHARES - share)))
    assert SHARES[index] == pytest.approx(share, abs=1e-12)
    assert _coverage(method, n)[index] == pytest.approx(coverage, abs=1e-12)


def test_clopper_pearson_never_covers_less_than_promised() -> None:
    for n in SIZES:
        assert _coverage("clopper-pearson", n).min() >= 0.95, n


def test_clopper_pearson_is_not_merely_wide() -> None:
    # Each tail errs with at most 2.5 %, and nearly that just outside an end.
    n = 50
    for x in (0, 3, 25, 47):
        high = clopper_pearson(x, n).high
        assert high is not None
        assert stats.binom.cdf(x, n, high) == pytest.approx(0.025, abs=1e-10)


def test_wilson_covers_as_promised_on_average() -> None:
    mean = np.mean([_coverage("wilson", n).mean() for n in SIZES])
    assert 0.94 <= mean <= 0.96
    for n in SIZES:
        assert 0.94 <= _coverage("wilson", n).mean() <= 0.97, n
    # And is the shorter of the two.
    for n in (10, 100):
        assert _coverage("wilson", n).mean() < _coverage("clopper-pearson", n).mean()


def test_newcombe_covers_as_in_the_paper() -> None:
    # Newcombe (1998) reports for method 10 a mean coverage of 0.9602 and a least coverage of 0.8673.
    shares = np.linspace(0.02, 0.98, 33)
    for n, base_n in ((10, 10), (20, 15), (40, 12)):
        cells = [[newcombe(x, n, y, base_n) for y in range(base_n + 1)] for x in range(n + 1)]
        low = np.array([[e.low for e in row] for row in cells], dtype=float)
        high = np.array([[e.high for e in row] for row in cells], dtype=float)
        first = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares)
        second = stats.binom.pmf(np.arange(base_n + 1)[:, None], base_n, shares)
        coverage = np.array(
            [
                [first[:, i] @ ((low <= p - q) & (p - q <= high)) @ second[:, j] for j, q in enumerate(shares)]
                for i, p in enumerate(shares)
            ]
        )
        assert 0.95 <= coverage.mean() <= 0.97, (n, base_n)
        assert coverage.min() >= 0.8673, (n, base_n)


def _paired_coverage(n: int, p10: float, p01: float, kind: str) -> float:
    """Coverage over all outcomes (n10, n01) of n pairs."""
    first, second = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    keep = first + second <= n
    b, c = first[keep], second[keep]
    rest = n - b - c
    logs = special.gammaln(n + 1) - special.gammaln(b + 1) - special.gammaln(c + 1) - special.gammaln(rest + 1)
    logs += special.xlogy(b, p10) + special.xlogy(c, p01) + special.xlogy(rest, 1 - p10 - p01)
    likely = logs > math.log(1e-12)
    b, c, probability = b[likely], c[likely], np.exp(logs[likely])
    if kind == "tango":
        low, high = tango_bounds(b, c, n, Z)
    else:  # the normal interval of the differences
        value = (b - c) / n
        error = np.sqrt(np.maximum((b + c) / n - value**2, 0.0) / n)
        low, high = value - Z * error, value + Z * error
    return float(probability @ ((low <= p10 - p01) & (p10 - p01 <= high)))


def test_tango_keeps_its_promise_when_few_pairs_differ() -> None:
    grid = [(p10, p01) for p10 in (0.002, 0.005, 0.02, 0.1, 0.3) for p01 in (0.002, 0.005, 0.02, 0.1, 0.3)]
    coverage = np.array([_paired_coverage(200, p10, p01, "tango") for p10, p01 in grid])
    assert 0.945 <= coverage.mean() <= 0.965
    assert coverage.min() >= 0.92
    # The interval it replaces collapses there: with no differing pair it has no width at all.
    assert _paired_coverage(200, 0.005, 0.002, "normal") < 0.80
