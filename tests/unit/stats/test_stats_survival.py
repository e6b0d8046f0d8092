"""Life tables, Kaplan-Meier, hazards, competing ends, restricted means and log-rank against lifelines and by hand."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from lifelines import AalenJohansenFitter, KaplanMeierFitter
from lifelines.statistics import multivariate_logrank_test
from lifelines.utils import restricted_mean_survival_time, survival_table_from_events
from scipy import stats

from pompeii_sim.stats.hazard import hazard
from pompeii_sim.stats.incidence import cumulative_incidence
from pompeii_sim.stats.incidence_difference import paired_incidence_difference
from pompeii_sim.stats.kaplan_meier import kaplan_meier
from pompeii_sim.stats.life_table import life_table, life_table_from_counts
from pompeii_sim.stats.log_rank import log_rank
from pompeii_sim.stats.mean import t_mean
from pompeii_sim.stats.restricted_mean import restricted_mean
from pompeii_sim.stats.tango import tango
from pompeii_sim.stats.wilson import wilson

RNG = np.random.default_rng(77)
N = 350
TIME = RNG.integers(1, 16, N)
CAUSE = RNG.integers(0, 4, N)
TABLE = life_table(TIME, CAUSE)


def test_life_table_agrees_with_lifelines() -> None:
    theirs = survival_table_from_events(TIME, CAUSE > 0)
    rows = theirs.index.to_numpy().astype(int)
    assert (TABLE.at_risk[rows] == theirs["at_risk"].to_numpy()).all()
    assert (TABLE.all_ends[rows] == theirs["observed"].to_numpy()).all()
    assert (TABLE.censored[rows] == theirs["censored"].to_numpy()).all()
    assert TABLE.n == N
    small = life_table([1, 2, 2, 5], [0, 1, 0, 1])
    assert small.at_risk.tolist() == [4, 4, 3, 1, 1, 1]
    assert small.followed.tolist() == [4, 4, 3, 2, 2, 2]
    assert small.survival() == pytest.approx([1, 1, 2 / 3, 2 / 3, 2 / 3, 0])
    assert TABLE.rounds[-1] == TIME.max()


def test_weights_and_counts_give_the_same_table() -> None:
    pairs, weights = np.unique(np.column_stack([TIME, CAUSE]), axis=0, return_counts=True)
    weighted = life_table(pairs[:, 0], pairs[:, 1], weights=weights)
    counted = life_table_from_counts(TABLE.ends, TABLE.censored)
    for other in (weighted, counted):
        assert (other.ends == TABLE.ends).all()
        assert (other.censored == TABLE.censored).all()
        assert (other.at_risk == TABLE.at_risk).all()
        assert other.causes == (1, 2, 3)


def test_life_table_arguments() -> None:
    assert life_table([1, 2], [True, False]).causes == (1,)
    absent = life_table([1, 2], [1, 0], causes=(1, 5))
    assert absent.row(5).sum() == 0
    assert absent.row(1).tolist() == [0, 1, 0]
    assert life_table([], []).n == 0
    assert life_table([4], [1], weights=[0]).n == 0
    for bad, named in (
        (lambda: life_table([1, -2], [1, 0]), "time"),
        (lambda: life_table([1.5, 2], [1, 0]), "time"),
        (lambda: life_table([math.nan, 2], [1, 0]), "time"),
        (lambda: life_table([1, 2], [1, -1]), "cause"),
        (lambda: life_table([1, 2], [1]), "cause"),
        (lambda: life_table([1, 2], [1, 2], causes=(1,)), "not in causes"),
        (lambda: life_table([1, 2], [1, 0], weights=[1]), "weights"),
        (lambda: life_table([10**9], [1]), "time"),
        (lambda: TABLE.row(9), "cause"),
        (lambda: life_table_from_counts([[1, 2]], [1]), "ends"),
        (lambda: life_table_from_counts([1, -2], [1, 0]), "ends"),
        (lambda: life_table_from_counts([1, 2], [1, math.nan]), "censored"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()


def test_kaplan_meier_agrees_with_lifelines() -> None:
    fit = KaplanMeierFitter().fit(TIME, CAUSE > 0)
    rows = np.arange(1, 16)
    ours = kaplan_meier(TABLE, interval="log-log")
    assert ours.value[rows] == pytest.approx(fit.survival_function_.loc[rows].iloc[:, 0].to_numpy(), abs=1e-13)
    theirs = fit.confidence_interval_.loc[rows].to_numpy()
    open_ = (ours.value[rows] > 0) & (ours.value[rows] < 1)
    assert open_.sum() > 10
    assert ours.low[rows][open_] == pytest.approx(theirs[open_, 0], abs=1e-12)
    assert ours.high[rows][open_] == pytest.approx(theirs[open_, 1], abs=1e-12)


def test_kaplan_meier_on_a_textbook_sample() -> None:
    # Freireich et al. (1963), weeks of remission, 6-MP group; Greenwood errors as printed in Klein and Moeschberger.
    weeks = [10, 7, 32, 23, 22, 6, 16, 34, 32, 25, 11, 20, 19, 6, 17, 35, 6, 13, 9, 6, 10]
    ended = [1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0]
    curve = kaplan_meier(life_table(weeks, ended))
    expected = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    errors = {6: 0.076, 7: 0.087, 10: 0.096, 13: 0.107, 16: 0.114, 22: 0.128, 23: 0.135}
    for week, share in expected.items():
        assert curve.at(week).value == pytest.approx(share, abs=5.1e-4)
        assert curve.std_error[week] == pytest.approx(errors[week], abs=5.1e-4)


def test_without_censoring_everything_is_a_plain_proportion() -> None:
    cause = RNG.integers(1, 3, N)
    table = life_table(TIME, cause)
    survival, incidence = kaplan_meier(table), cumulative_incidence(table, 2)
    for t in range(16):
        going, ended = wilson(int((t < TIME).sum()), N), wilson(int(((t >= TIME) & (cause == 2)).sum()), N)
        for curve, plain in ((survival, going), (incidence, ended)):
            ours = curve.at(t)
            assert (ours.value, ours.low, ours.high) == pytest.approx((plain.value, plain.low, plain.high), abs=1e-12)
            assert curve.std_error[t] == pytest.approx(math.sqrt(plain.value * (1 - plain.value) / N), abs=1e-12)
    assert survival.at(99).value == 0.0
    assert incidence.at(99) == incidence.at(15)


def test_curve_ends_where_nobody_is_followed() -> None:
    curve = kaplan_meier(life_table([2, 3, 3], [1, 1, 0]))
    assert curve.at(3).value == pytest.approx(1 / 3)
    later = curve.at(4)
    assert (later.value, later.low, later.note) == (None, None, "nobody was followed that far")
    assert [e.value for e in curve.estimates()] == pytest.approx([1.0, 1.0, 2 / 3, 1 / 3])
    assert curve.at(0).low is not None
    assert curve.at(0).low < 1.0 == curve.at(0).high
    with pytest.raises(ValueError, match="round_"):
        curve.at(-1)
    with pytest.raises(ValueError, match="interval"):
        kaplan_meier(TABLE, interval="plain")  # type: ignore[arg-type]
    empty = life_table([], [])
    for nothing in (kaplan_meier(empty), hazard(empty), cumulative_incidence(empty, 1)):
        assert nothing.at(0).value is None
        assert nothing.estimates() == []
    log_log = kaplan_meier(life_table([2, 3], [1, 1]), interval="log-log").at(3)
    assert (log_log.value, log_log.low, log_log.note) == (0.0, None, "no interval at this round")


def test_hazard_is_ends_over_reached() -> None:
    curve = hazard(TABLE)
    own = hazard(TABLE, cause=2)
    for t in (1, 7, 15):
        plain = wilson(int(((t == TIME) & (CAUSE > 0)).sum()), int((t <= TIME).sum()))
        assert (curve.at(t).value, curve.at(t).low, curve.at(t).high) == pytest.approx(
            (plain.value, plain.low, plain.high), abs=1e-13
        )
        assert own.at(t).value == pytest.approx(((t == TIME) & (CAUSE == 2)).sum() / (t <= TIME).sum())
    assert np.cumprod(1 - curve.value) == pytest.approx(kaplan_meier(TABLE).value, abs=1e-13)
    gap = hazard(life_table_from_counts([0, 2, 0], [0, 0, 0])).at(2)
    assert (gap.value, gap.note, gap.n) == (None, "nobody reached the round", 0)


@pytest.mark.parametrize("cause", [1, 2, 3])
def test_incidence_and_variance_agree_with_lifelines(cause: int) -> None:
    # Ties are broken by a jitter far smaller than a round, which leaves the order of censored units last.
    jittered = TIME + np.where(CAUSE == 0, 1e-6, 0.0)
    fit = AalenJohansenFitter(calculate_variance=True, jitter_level=1e-9, seed=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit.fit(jittered, CAUSE, event_of_interest=cause)
    rounds = np.round(fit.cumulative_density_.index)
    ours = cumulative_incidence(TABLE, cause)
    value = fit.cumulative_density_.iloc[:, 0].groupby(rounds).last().to_numpy()
    variance = fit.variance_.groupby(rounds).last().to_numpy()
    assert ours.value == pytest.approx(value, abs=1e-12)
    # Breaking ties changes the variance a little: within 1 %, and by far less than any wrong formula.
    assert ours.std_error[1:] ** 2 == pytest.approx(variance[1:], rel=0.01)


def test_incidences_of_all_causes_fill_what_survival_leaves() -> None:
    total = sum(cumulative_incidence(TABLE, cause).value for cause in (1, 2, 3))
    assert total == pytest.approx(1.0 - kaplan_meier(TABLE).value, abs=1e-13)
    # With a single cause the two variances are the same thing.
    single = life_table(TIME, CAUSE > 0)
    assert cumulative_incidence(single, 1).std_error == pytest.approx(kaplan_meier(single).std_error, abs=1e-12)


def test_one_minus_kaplan_meier_overstates_a_cause() -> None:
    censored_rivals = kaplan_meier(life_table(TIME, CAUSE == 1))
    excess = 1.0 - censored_rivals.value - cumulative_incidence(TABLE, 1).value
    assert (excess[3:] > 0).all()
    assert excess[-1] > 0.1


def test_restricted_mean_without_censoring_is_the_mean_of_the_minimum() -> None:
    table = life_table(TIME, np.ones(N, dtype=int))
    for cap in (1, 5, 15, 40):
        ours, plain = restricted_mean(table, cap), t_mean(np.minimum(TIME, cap))
        assert ours.mean.value == pytest.approx(plain.value, abs=1e-12)
        if cap > 1:
            assert (ours.mean.low, ours.mean.high) == pytest.approx((plain.low, plain.high), abs=1e-10)
        assert ours.censored.value == pytest.approx((cap < TIME).mean())
    assert restricted_mean(table, 1).mean.note is not None  # every unit counts 1


def test_games_stopped_at_the_cap_count_as_the_cap() -> None:
    stopped = np.minimum(TIME, 9)
    ours = restricted_mean(life_table(stopped, TIME <= 9), 9)
    plain = t_mean(stopped)
    assert (ours.mean.value, ours.mean.low, ours.mean.high) == pytest.approx((plain.value, plain.low, plain.high))
    assert ours.censored == wilson(int((TIME > 9).sum()), N)


def test_restricted_mean_with_censoring_agrees_with_lifelines() -> None:
    fit = KaplanMeierFitter().fit(TIME, CAUSE > 0)
    ours = restricted_mean(TABLE, 12)
    assert ours.mean.value == pytest.approx(restricted_mean_survival_time(fit, t=12), abs=1e-10)
    assert ours.censored.value == pytest.approx(1.0 - ((CAUSE > 0) & (TIME <= 12)).mean())
    assert ours.cap == 12
    assert ours.mean.n == N


def test_restricted_mean_edges() -> None:
    assert restricted_mean(life_table([], []), 5).mean.note == "no units"
    assert restricted_mean(life_table([], []), 5).censored.value is None
    short = restricted_mean(life_table([2, 3], [1, 0]), 5).mean
    assert short.value is None
    assert short.note is not None
    assert "nobody was followed to the cap" in short.note
    single = restricted_mean(life_table([3], [1]), 5).mean
    assert (single.value, single.low) == (3.0, None)
    constant = restricted_mean(life_table([3, 3], [1, 1]), 5).mean
    assert constant.low == constant.high == 3.0
    assert restricted_mean(life_table([0, 0], [1, 1]), 5).mean.value == 0.0
    for cap in (0, -1, 1.5, math.nan):
        with pytest.raises(ValueError, match="cap"):
            restricted_mean(TABLE, cap)  # type: ignore[arg-type]


@pytest.mark.parametrize("groups", [2, 4])
def test_log_rank_agrees_with_lifelines(groups: int) -> None:
    group = RNG.integers(0, groups, N)
    time = TIME + group
    ours = log_rank([life_table(time[group == g], CAUSE[group == g] > 0) for g in range(groups)])
    theirs = multivariate_logrank_test(time, group, CAUSE > 0)
    assert ours.statistic == pytest.approx(theirs.test_statistic, rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.p_value, rel=1e-8)
    assert ours.df == groups - 1
    assert ours.observed.sum() == pytest.approx(ours.expected.sum())


def test_log_rank_edges() -> None:
    same = log_rank([TABLE, TABLE])
    assert same.statistic == pytest.approx(0.0, abs=1e-18)
    assert same.p_value == pytest.approx(1.0)
    nothing = log_rank([life_table([3, 4], [0, 0]), life_table([2], [0])])
    assert (nothing.statistic, nothing.p_value) == (None, None)
    assert nothing.note is not None
    three = log_rank([TABLE, life_table(TIME + 3, CAUSE), life_table([], [])])
    two = log_rank([TABLE, life_table(TIME + 3, CAUSE)])
    assert (three.statistic, three.df) == (pytest.approx(two.statistic), two.df)
    with pytest.raises(ValueError, match="two samples"):
        log_rank([TABLE])


def _paired_sample(censored: bool) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(5)
    time, cause = rng.integers(1, 12, 500), rng.integers(0 if censored else 1, 3, 500)
    changed = rng.random(500) < 0.2
    base_time = np.where(changed, rng.integers(1, 14, 500), time)
    base_cause = np.where(changed, rng.integers(0 if censored else 1, 3, 500), cause)
    return time, cause, base_time, base_cause


def test_paired_difference_without_censoring_is_tango() -> None:
    time, cause, base_time, base_cause = _paired_sample(censored=False)
    curve = paired_incidence_difference(time, cause, base_time, base_cause, of=1)
    for t in range(14):
        first, second = (time <= t) & (cause == 1), (base_time <= t) & (base_cause == 1)
        cells = [
            int((a & b).sum()) for a, b in ((first, second), (first, ~second), (~first, second), (~first, ~second))
        ]
        plain, ours = tango(*cells), curve.at(t)
        assert (ours.value, ours.low, ours.high) == pytest.approx((plain.value, plain.low, plain.high), abs=1e-12)
        difference = first.astype(float) - second
        assert curve.std_error[t] == pytest.approx(difference.std() / math.sqrt(500), abs=1e-12)
    assert curve.at(50) == curve.at(13)


def test_paired_difference_with_censoring_agrees_with_a_jackknife() -> None:
    time, cause, base_time, base_cause = _paired_sample(censored=True)
    curve = paired_incidence_difference(time, cause, base_time, base_cause, of=1)
    a, b = cumulative_incidence(life_table(time, cause), 1), cumulative_incidence(life_table(base_time, base_cause), 1)
    length = curve.rounds.size
    assert curve.value == pytest.approx(a.value[:length] - b.value[:length], abs=1e-13)
    left_out = np.empty((500, length))
    for i in range(500):
        keep = np.arange(500) != i
        one = cumulative_incidence(life_table(time[keep], cause[keep]), 1).value
        two = cumulative_incidence(life_table(base_time[keep], base_cause[keep]), 1).value
        size = min(one.size, two.size)
        left_out[i] = np.resize(one[:size] - two[:size], length)
    jackknife = np.sqrt(499 / 500 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    # The two are equal to first order; at the last rounds few units are left.
    assert curve.std_error[1:9] == pytest.approx(jackknife[1:9], rel=0.02)
    unpaired = np.hypot(a.std_error[:length], b.std_error[:length])
    assert (curve.std_error[2:] < 0.7 * unpaired[2:]).all()
    middle = curve.at(6)
    z = stats.norm.ppf(0.975)
    assert middle.value is not None
    assert middle.low == pytest.approx(middle.value - z * curve.std_error[6])


def test_paired_difference_against_an_independent_sample_adds_the_variances() -> None:
    rng = np.random.default_rng(6)
    time, cause = rng.integers(1, 12, 20_000), rng.integers(0, 3, 20_000)
    order = rng.permutation(20_000)
    curve = paired_incidence_difference(time, cause, time[order], cause[order], of=2)
    one = cumulative_incidence(life_table(time, cause), 2).std_error
    assert curve.std_error[1:] == pytest.approx(math.sqrt(2) * one[1:], rel=0.03)


def test_paired_difference_edges() -> None:
    same = paired_incidence_difference(TIME, CAUSE, TIME, CAUSE, of=1)
    assert (same.value == 0).all()
    assert (same.low < 0).all()  # a run without a differing pair still leaves room for a difference
    empty = paired_incidence_difference([], [], [], [], of=1)
    assert empty.at(0).value is None
    # One setting ends by round 2 for good, the other is followed to round 5 only.
    mixed = paired_incidence_difference([1, 2, 2], [1, 1, 2], [5, 5, 3], [0, 0, 1], of=1)
    assert mixed.rounds[-1] == 5
    assert mixed.at(5).value == pytest.approx(2 / 3 - 1 / 3)
    assert mixed.at(6).value is None
    for bad, named in (
        (lambda: paired_incidence_difference([1], [1], [1, 2], [1, 1], of=1), "base_time"),
        (lambda: paired_incidence_difference([1], [math.nan], [1], [1], of=1), "cause"),
        (lambda: paired_incidence_difference([1], [1], [1], [1], of=0), "of must"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()
