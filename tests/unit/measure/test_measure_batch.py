"""Metrics on rows made by hand, where every number can be counted."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from toy_install import install

from pompeii_sim import games
from pompeii_sim.measure import Measures, Sums, estimates, measure
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import Tally
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.wilson import wilson
from pompeii_sim.store.schema import Metric, Schema, to_frame

install()
TOY = games.get("toy")
VICTORY, DISASTER, CAP = 1, 2, 3


def _rows(items: list[dict[str, Any]]) -> NDArray[Any]:
    rows = np.zeros(len(items), TOY.dtypes.row)
    rows["game"] = np.arange(len(items))
    rows["deal"] = rows["game"]
    rows["seat_spec"] = [0, 1, 2, -1, -1, -1, -1, -1]
    for at, item in enumerate(items):
        for name, value in item.items():
            rows[name][at] = value
    return rows


def _measures(*metrics: Metric, kinds: tuple[str, ...] = ("a", "b", "b"), by_deal: bool = False) -> Measures:
    return Measures(
        metrics=metrics,
        ends={VICTORY: "decided", DISASTER: "lost", CAP: "censored"},
        kinds=kinds,
        per_seat=frozenset({"score", "tosses", "rank"}),
        time_unit="round",
        by_deal=by_deal,
    )


def _metric(name: str = "m", kind: Any = "rate", **more: Any) -> Metric:
    return Metric(name=name, title=name, kind=kind, definition="d", **more)


def _one(rows: Any, metric: Metric, **more: Any) -> Any:
    measures = _measures(metric, **more)
    return estimates(measure(rows, measures), measures)[metric.name]


ROWS = _rows(
    [
        {"ended_by": VICTORY, "winners": 0b001, "rounds": 4, "score": [3, 1, 1, 9, 0, 0, 0, 0]},
        {"ended_by": VICTORY, "winners": 0b110, "rounds": 6, "score": [0, 3, 3, 0, 0, 0, 0, 0]},
        {"ended_by": DISASTER, "winners": 0, "rounds": 2, "score": [0.5, 0, 0, 0, 0, 0, 0, 0]},
        {"ended_by": CAP, "winners": 0, "rounds": 40},
        {"ended_by": VICTORY, "winners": 0b011, "rounds": 7, "score": [3, 3, 0, 0, 0, 0, 0, 0]},
        {"ended_by": VICTORY, "winners": 0b001, "rounds": 900, "error": 5, "score": np.nan},
    ]
)


@pytest.mark.parametrize(
    ("op", "value", "count"), [("==", 6, 1), ("!=", 6, 4), (">=", 6, 3), (">", 6, 2), ("<=", 6, 3), ("<", 6, 2)]
)
def test_rate_counts_games_that_did_not_fail(op: Any, value: float, count: int) -> None:
    assert _one(ROWS, _metric(column="rounds", op=op, value=value)) == wilson(count, 5)


def test_failed_games_are_counted_apart() -> None:
    sums = measure(ROWS, _measures(_metric(column="rounds")))
    assert (sums.games, sums.failed) == (6, 1)


def test_mean_keeps_capped_games_and_says_so() -> None:
    made = _one(ROWS, _metric(kind="mean", column="rounds", unit="rounds"))
    values = [4, 6, 2, 40, 7]
    assert made.value == pytest.approx(np.mean(values))
    half = 2.7764451 * np.std(values, ddof=1) / np.sqrt(5)
    assert half > made.value  # Student's interval would begin below zero
    assert 0 < made.low < made.value < made.value + half < made.high
    assert (made.n, made.method) == (5, "t, score")
    assert made.note == "1 of 5 games was cut short, and counted up to there"
    assert _one(ROWS, _metric(kind="mean", column="rounds", unit="points")).note is None


def test_a_mean_that_can_be_negative_keeps_students_interval() -> None:
    rows = _rows([{"ended_by": VICTORY, "score": [value, 0, 0, 0, 0, 0, 0, 0]} for value in (-3, 1, 2, 5)])
    made = _one(rows, _metric(kind="mean", column="score"))
    half = 3.1824463 * np.std([-3, 1, 2, 5], ddof=1) / 2
    assert made.method == "t"
    assert (made.low, made.high) == (pytest.approx(1.25 - half), pytest.approx(1.25 + half))
    sums = measure(rows, _measures(_metric(kind="mean", column="score")))
    assert sums.tallies["m"][""].negative == 1
    assert (sums - sums).tallies["m"][""].negative == 0
    assert _one(rows[1:], _metric(kind="mean", column="score")).method == "t, score"


def test_where_restricts_the_games() -> None:
    made = _one(ROWS, _metric(kind="mean", column="rounds", unit="round", where=("ended_by", "==", VICTORY)))
    assert made.value == pytest.approx(17 / 3)
    assert made.note == "no game was cut short"
    assert _one(ROWS, _metric(column="rounds", where=("rounds", ">", 1e6))).value is None


def test_per_seat_column_is_summed_over_seats_in_use() -> None:
    """Seat 3 is empty in a game of three, so its 9 does not count; halves are exact."""
    made = _one(ROWS, _metric(kind="mean", column="score"))
    assert made.value == (5 + 6 + 0.5 + 0 + 6) / 5
    assert _one(ROWS, _metric(kind="mean", column="score_1")).value == 7 / 5


def test_not_a_number_in_a_good_game_is_an_error() -> None:
    bad = ROWS.copy()
    bad["score"][1] = np.nan
    with pytest.raises(ValueError, match=r"'m'.*'score'"):
        _one(bad, _metric(kind="mean", column="score"))


def test_win_share_splits_joint_wins_and_knows_what_to_expect() -> None:
    made = _one(ROWS, _metric(kind="share", by="player"))
    assert {k: e.value for k, e in made.items()} == {"a": pytest.approx(0.5), "b": pytest.approx(0.5)}
    assert [made[k].expected for k in "ab"] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert {e.n for e in made.values()} == {3}
    seats = _one(ROWS, _metric(kind="share", by="seat"))
    assert [seats[s].value for s in "012"] == pytest.approx([1.5 / 3, 1 / 3, 0.5 / 3])


def test_win_share_without_joint_wins_is_wilson() -> None:
    rows = _rows([{"ended_by": VICTORY, "winners": 1 << (g % 3)} for g in range(30)])
    rows["seat_spec"][::2, :3] = [2, 0, 1]
    made = _one(rows, _metric(kind="share", by="player"))
    wins = sum(int(row["seat_spec"][game % 3] == 0) for game, row in enumerate(rows))
    assert made["a"] == wilson(wins, 30, expected=1 / 3)
    assert made["b"] == wilson(30 - wins, 30, expected=2 / 3)


def test_nobody_wins() -> None:
    made = _one(_rows([{"ended_by": DISASTER}] * 3), _metric(kind="share", by="seat"))
    assert [e.value for e in made.values()] == [None] * 3
    assert all(e.n == 0 and e.note for e in made.values())


def test_frame_and_records_measure_alike_in_any_pieces() -> None:
    rng = np.random.default_rng(3)
    rows = _rows([{}] * 500)
    rows["ended_by"] = rng.integers(1, 4, 500)
    rows["winners"] = rng.integers(1, 8, 500)
    rows["rounds"] = rng.integers(1, 41, 500)
    rows["score"][:, :3] = rng.random((500, 3))
    rows["error"] = rng.random(500) < 0.05
    metrics = (
        _metric("r", column="ended_by", value=1),
        _metric("s", "share", by="player"),
        _metric("f", "mean", column="score"),
    )
    from pompeii_sim.run.execute import schema_of

    schema: Schema = schema_of(TOY, "full")
    for by_deal in (False, True):
        rows["deal"] = np.arange(500) // 5 if by_deal else np.arange(500)
        measures = _measures(*metrics, by_deal=by_deal)
        whole = measure(rows, measures)
        assert measure(to_frame(rows, schema.columns), measures) == whole
        pieces = [measure(rows[at : at + 35], measures) for at in range(0, 500, 35)]
        for order in (pieces, pieces[::-1], sorted(pieces, key=lambda s: s.tallies["r"][""].y)):
            total = Sums()
            for piece in order:
                total = total + piece
            assert total == whole


def test_huge_values_do_not_overflow() -> None:
    rows = _rows([{"ended_by": VICTORY}] * 4)
    rows["rounds"] = 2**31 - 1
    rows["rounds"][0] = 2**31 - 5
    made = _one(rows, _metric(kind="mean", column="rounds"))
    assert made.value == 2**31 - 2
    assert made.high - made.low == pytest.approx(2 * 3.1824463 * 1.0)


def test_missing_column_is_named() -> None:
    with pytest.raises(KeyError, match="lava"):
        _one(pl.DataFrame({"error": [0], "ended_by": [1], "winners": [0]}), _metric(column="lava"))


def _paired(share: list[float], arrangements: int = 4) -> NDArray[Any]:
    """Deals whose games are all won with the deal's own probability: games of a deal are alike."""
    rows = _rows([{"ended_by": DISASTER}] * (len(share) * arrangements))
    rows["deal"] = np.arange(len(rows)) // arrangements
    won = np.concatenate([np.arange(arrangements) < round(p * arrangements) for p in share])
    rows["ended_by"] = np.where(won, VICTORY, DISASTER)
    return rows


def test_deal_is_the_unit_when_deals_are_repeated() -> None:
    """With whole deals the interval is Student's on the deals' means."""
    share = [0.0, 0.25, 1.0, 1.0, 0.75, 0.0, 0.5, 1.0]
    made = _one(_paired(share), _metric(column="ended_by", value=VICTORY), by_deal=True)
    assert made.value == pytest.approx(np.mean(share))
    assert made.n == 8
    assert made.method == "t, deals"
    half = 2.3646243 * np.std(share, ddof=1) / np.sqrt(8)
    assert (made.low, made.high) == (pytest.approx(made.value - half), pytest.approx(min(1.0, made.value + half)))


def test_unfinished_last_deal_weighs_less() -> None:
    rows = _paired([0.0, 1.0, 0.5])[:-2]
    made = _one(rows, _metric(column="ended_by", value=VICTORY), by_deal=True)
    assert made.value == pytest.approx(6 / 10)
    y, x = np.array([0, 4, 2]), np.array([4, 4, 2])
    se = np.sqrt(3 / 2 * np.sum((y - 0.6 * x) ** 2)) / 10
    assert made.high == 1.0 < 0.6 + 4.3026527 * se
    tight = Tally(units=3, y=6, x=10, yy=20, xy=20, xx=36, negative=1)  # values that may lie below 0
    made = estimate(tight, kind="mean", by_deal=True)
    assert made.high == pytest.approx(0.6 + 4.3026527 * se)


def test_deals_without_spread() -> None:
    metric = _metric(column="ended_by", value=VICTORY)
    never = _one(_paired([0.0] * 6), metric, by_deal=True)
    plain: Estimate = wilson(0, 6)
    assert (never.low, never.high, never.n, never.method) == (0.0, plain.high, 6, "wilson, deals")
    constant = _one(_paired([0.5] * 6), metric, by_deal=True)
    assert constant.low == constant.high == 0.5
    assert "constant" in constant.note
    alone = _one(_paired([0.5]), metric, by_deal=True)
    assert (alone.value, alone.low, alone.n) == (0.5, None, 1)


def test_a_metric_with_a_range_of_seats_is_measured_with_those_only() -> None:
    from pompeii_sim.measure import measures_of
    from pompeii_sim.run.execute import schema_of

    schema = schema_of(TOY, "core")
    metrics = (_metric("any"), _metric("one", seats=(1, 1)), _metric("more", seats=(2, 4)))
    stored = dataclasses.replace(schema, metrics=metrics)
    names = [tuple(m.name for m in measures_of(stored, ["a"] * seats, by_deal=False).metrics) for seats in (1, 2, 4, 5)]
    assert names == [("any", "one"), ("any", "more"), ("any", "more"), ("any",)]
    asked = measures_of(stored, ["a"], by_deal=False, metrics=metrics[2:])
    assert asked.metrics == metrics[2:], "who asks for a metric by name gets it"
