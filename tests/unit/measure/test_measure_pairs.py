"""Differences between two settings, against what can be counted and computed from the raw rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from toy_install import install

from pompeii_sim import games
from pompeii_sim.measure import (
    Measures,
    RunningDifference,
    measure,
    measure_pairs,
    paired_difference,
    unpaired_difference,
)
from pompeii_sim.measure.difference import SAME
from pompeii_sim.measure.pairs import PairTally
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.newcombe import newcombe
from pompeii_sim.stats.paired_sequence import anytime_paired
from pompeii_sim.stats.tango import tango
from pompeii_sim.store.schema import Metric

install()
TOY = games.get("toy")
VICTORY, DISASTER = 1, 2
N = 600

RATE = Metric(name="won", title="won", kind="rate", definition="d", column="ended_by", value=VICTORY)
MEAN = Metric(name="length", title="length", kind="mean", definition="d", column="rounds")
BOUNDED = Metric(name="short", title="short", kind="mean", definition="d", column="rounds", bounds=(1.0, 9.0))
OF_WON = Metric(
    name="to_win", title="to win", kind="mean", definition="d", column="rounds", where=("ended_by", "==", VICTORY)
)
SHARE = Metric(name="share", title="share", kind="share", definition="d", by="player")
METRICS = (RATE, MEAN, BOUNDED, OF_WON, SHARE)


def _measures(*, by_deal: bool = False, kinds: tuple[str, ...] = ("a", "b", "b")) -> Measures:
    return Measures(
        metrics=METRICS,
        ends={VICTORY: "decided", DISASTER: "lost"},
        kinds=kinds,
        per_seat=frozenset({"score", "tosses", "rank"}),
        time_unit="round",
        by_deal=by_deal,
    )


def _rows(seed: int, base: NDArray[Any] | None = None, changed: float = 0.2, each: int = 1) -> NDArray[Any]:
    """Return games made up at random; with `base`, the same ones but for a share that is drawn anew."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(N, TOY.dtypes.row)
    rows["game"] = np.arange(N)
    rows["deal"] = rows["game"] // each
    rows["arrangement"] = rows["game"] % 3
    rows["seat_spec"] = [0, 1, 2, -1, -1, -1, -1, -1]
    rows["ended_by"] = rng.integers(1, 3, N)
    rows["rounds"] = rng.integers(1, 10, N)
    rows["winners"] = np.where(rows["ended_by"] == VICTORY, rng.integers(1, 8, N), 0)
    if base is not None:
        kept = rng.random(N) >= changed
        rows[kept] = base[kept]
    return rows


def _paired(a: NDArray[Any], b: NDArray[Any], metric: Metric, label: str = "", **more: Any) -> Estimate:
    measures = _measures(**more)
    sums = measure_pairs(a, b, measures, measures)
    return paired_difference(sums.tallies[metric.name][label], metric, by_deal=measures.by_deal)


A = _rows(1)
B = _rows(2, A)


def test_rate_is_tangos_on_the_counts() -> None:
    one, two = A["ended_by"] == VICTORY, B["ended_by"] == VICTORY
    counts = [int((x & y).sum()) for x, y in ((two, one), (two, ~one), (~two, one), (~two, ~one))]
    assert counts[1] != counts[2]
    assert _paired(A, B, RATE) == tango(*counts)


def test_mean_is_student_on_the_differences() -> None:
    made = _paired(A, B, MEAN)
    seen = stats.ttest_rel(B["rounds"].astype(float), A["rounds"].astype(float)).confidence_interval(0.95)
    assert (made.low, made.high) == pytest.approx((seen.low, seen.high))
    assert made.n == N


def test_conditional_mean_and_share_are_differences_of_ratios() -> None:
    """The linearised interval agrees with the bootstrap of whole pairs."""
    rng = np.random.default_rng(3)
    draws = rng.integers(0, N, (4000, N))
    won_a, won_b = A["ended_by"] == VICTORY, B["ended_by"] == VICTORY

    def credit(rows: NDArray[Any]) -> NDArray[np.float64]:
        seats = np.stack([(rows["winners"] >> s) & 1 for s in range(3)])
        return np.where(seats[0] == 1, 1.0 / np.maximum(seats.sum(axis=0), 1), 0.0)

    for metric, label, ya, yb in (
        (OF_WON, "", A["rounds"] * won_a, B["rounds"] * won_b),
        (SHARE, "a", credit(A) * won_a, credit(B) * won_b),
    ):
        made = _paired(A, B, metric, label)
        ratio = yb[draws].sum(axis=1) / won_b[draws].sum(axis=1) - ya[draws].sum(axis=1) / won_a[draws].sum(axis=1)
        assert made.value == pytest.approx(yb.sum() / won_b.sum() - ya.sum() / won_a.sum())
        assert made.value is not None
        assert made.low is not None
        assert made.value - made.low == pytest.approx(1.96 * ratio.std(), rel=0.06)
        assert made.n == int((won_a | won_b).sum())


def test_deals_are_units_where_each_is_played_in_every_arrangement() -> None:
    a = _rows(1, each=3)
    b = _rows(2, a, each=3)
    for metric, ya, yb in ((RATE, a["ended_by"] == 1, b["ended_by"] == 1), (MEAN, a["rounds"], b["rounds"])):
        made = _paired(a, b, metric, by_deal=True)
        one, two = (y.astype(float).reshape(-1, 3).mean(axis=1) for y in (ya, yb))
        seen = stats.ttest_rel(two, one).confidence_interval(0.95)
        assert (made.low, made.high) == pytest.approx((seen.low, seen.high))
        assert (made.n, made.method) == (N // 3, "paired t, deals")


def test_batches_add_up_and_failed_pairs_count_nowhere() -> None:
    a, b = A.copy(), B.copy()
    a["error"][5], b["error"][7], b["error"][5] = 1, 2, 3
    measures = _measures()
    whole = measure_pairs(a, b, measures, measures)
    parts = measure_pairs(a[:200], b[:200], measures, measures) + measure_pairs(a[200:], b[200:], measures, measures)
    assert whole == parts
    assert (whole.games, whole.failed) == (N, 2)
    fine = np.ones(N, np.bool_)
    fine[[5, 7]] = False
    again = measure_pairs(a[fine], b[fine], measures, measures)
    assert again.tallies == whole.tallies
    assert again.diverged == whole.diverged


def test_share_of_games_that_took_another_course() -> None:
    measures = _measures()
    changed = A.copy()
    changed["tosses"][3, 1] += 1
    changed["last_disaster_luck"][9] = np.nan
    sums = measure_pairs(A, changed, measures, measures)
    assert sums.diverged == 2
    assert measure_pairs(changed, changed, measures, measures).diverged == 0


def test_other_games_and_other_units_are_refused() -> None:
    measures = _measures()
    with pytest.raises(ValueError, match="not of the same games"):
        measure_pairs(A[:9], A[1:10], measures, measures)
    with pytest.raises(ValueError, match="deal"):
        measure_pairs(A, A, measures, _measures(by_deal=True))


def test_labels_that_only_one_setting_has_are_left_out() -> None:
    sums = measure_pairs(A, B, _measures(), _measures(kinds=("c", "b", "b")))
    assert list(sums.tallies["share"]) == ["b"]


def test_nothing_differs() -> None:
    same = _paired(A, A, RATE)
    assert same.value == 0
    assert same.low is not None
    assert same.low < 0
    assert same.note == SAME
    bounded, free = _paired(A, A, BOUNDED), _paired(A, A, MEAN)
    assert bounded.high == pytest.approx(8 * (1 - 0.025 ** (1 / N)))
    assert (free.value, free.low, free.note) == (0.0, None, SAME)
    nobody = A.copy()
    nobody["ended_by"] = DISASTER
    assert _paired(A, nobody, OF_WON).value is None


def test_separate_games_get_newcombe_or_welch() -> None:
    measures = _measures()
    a, b = measure(A, measures).tallies, measure(B[:400], measures).tallies
    won = int((A["ended_by"] == VICTORY).sum()), int((B["ended_by"][:400] == VICTORY).sum())
    assert unpaired_difference(a["won"][""], b["won"][""], RATE, by_deal=False) == newcombe(won[1], 400, won[0], N)
    seen = stats.ttest_ind(B["rounds"][:400], A["rounds"], equal_var=False).confidence_interval(0.95)
    made = unpaired_difference(a["length"][""], b["length"][""], MEAN, by_deal=False)
    assert (made.low, made.high) == pytest.approx((seen.low, seen.high))
    half = unpaired_difference(a["share"]["a"], b["share"]["a"], SHARE, by_deal=False)
    assert half.method == "welch"  # wins are shared


def _run(metric: Metric, a: NDArray[Any], b: NDArray[Any], step: int = 60, **more: Any) -> list[Estimate]:
    measures, out = _measures(**more), []
    running = RunningDifference(metric=metric, by_deal=measures.by_deal, level=0.95)
    for at in range(0, N, step):
        block = measure_pairs(a[at : at + step], b[at : at + step], measures, measures).tallies[metric.name]
        running.add(block[next(iter(block))])
        out.append(running.estimate())
    return out


def test_running_difference_has_the_right_method_and_value() -> None:
    last = _run(RATE, A, B)[-1]
    one, two = A["ended_by"] == VICTORY, B["ended_by"] == VICTORY
    counts = [int((x & y).sum()) for x, y in ((two, one), (two, ~one), (~two, one), (~two, ~one))]
    assert last == anytime_paired(*counts)
    for metric, method in (
        (BOUNDED, "empirical-bernstein"),
        (MEAN, "asymptotic-sequence"),
        (OF_WON, "asymptotic-sequence"),
        (SHARE, "asymptotic-sequence"),
    ):
        made = _run(metric, A, B)[-1]
        label = "a" if metric is SHARE else ""
        fixed = _paired(A, B, metric, label)
        assert made.value == pytest.approx(fixed.value)
        assert made.low is not None
        assert fixed.low is not None
        assert made.low < fixed.low  # the promise over all looks costs width
        assert (made.method, made.valid) == (method, "anytime")
    deals = _run(RATE, _rows(1, each=3), _rows(2, _rows(1, each=3), each=3), by_deal=True)[-1]
    assert (deals.method, deals.n) == ("empirical-bernstein", N // 3)


def test_running_difference_of_the_same_games_is_zero_and_says_so() -> None:
    for metric in METRICS:
        made = _run(metric, A, A)[-1]
        assert (made.value, made.note, made.valid) == (0.0, SAME, "anytime")
    assert RunningDifference(metric=RATE, by_deal=False, level=0.95).estimate().value is None
    running = RunningDifference(metric=RATE, by_deal=False, level=0.95)
    running.add(PairTally())
    assert running.estimate().value is None


def test_running_difference_of_a_share_counts_decided_games_only() -> None:
    """All games of one setting are decided, few of the other: undecided ones are no losses."""
    a = A.copy()
    a["ended_by"], a["winners"] = VICTORY, np.where(a["winners"] == 0, 1, a["winners"])
    made = _run(SHARE, a, B)[-1]
    assert made.value == pytest.approx(_paired(a, B, SHARE, "a").value)
    assert made.method == "asymptotic-sequence"
