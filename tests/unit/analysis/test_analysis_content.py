"""Use of content, effects of the opening deal and associations, against sums worked out seat by seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from analysis_hand import DISASTER, VICTORY, game, hand_made, row

from pompeii_sim.analysis import content, deal_effects, ratio, use_associations
from pompeii_sim.errors import InputError

# the toy's column `tosses` (eight elements) plays the items: 1 + the seat that was dealt it
ITEMS = 6


def table(n: int, seed: int, *, strong: int = 0, alike: int = 1) -> list[dict[str, Any]]:
    """Return games in which a seat that was dealt the item `strong` wins more often."""
    rng = np.random.default_rng(seed)
    out = []
    for at in range(n):
        deal, arrangement = divmod(at, alike) if alike > 1 else (at, at % 3)
        if alike == 1 or arrangement == 0:
            dealt = [int(x) for x in rng.integers(0, 4, ITEMS)] + [0, 0]
            luck = rng.random()
        weight = np.array([1.0, 1.5, 0.7])
        if dealt[strong]:
            weight[dealt[strong] - 1] *= 3
        winner = int(np.searchsorted(np.cumsum(weight / weight.sum()), luck))
        won = rng.random() < 0.8 if alike == 1 else luck < 0.9
        spec = np.roll([0, 1, 2], arrangement).tolist()
        out.append(
            game(VICTORY if won else DISASTER, 5, (1 << winner) if won else 0, tosses=dealt, deal=deal,
                 arrangement=arrangement, seat_spec=[*spec, -1, -1, -1, -1, -1])
        )  # fmt: skip
    return out


def by_hand(rows: list[dict[str, Any]], item: int) -> tuple[float, float]:
    """Return the standardised difference and its standard error by brute force over games and seats."""
    kinds = {0: "a", 1: "b", 2: "b"}
    strata: dict[tuple[int, str], list[tuple[int, bool, bool]]] = {}
    for number, one in enumerate(rows):
        for seat in range(3):
            code = one["tosses"][item]
            if code not in (0, seat + 1):
                continue
            key = (seat, kinds[one["seat_spec"][seat]])
            strata.setdefault(key, []).append((number, code != 0, bool(one["winners"] >> seat & 1)))
    total = sum(treated for cells in strata.values() for _, treated, _ in cells)
    value, pull = 0.0, np.zeros(len(rows))
    for cells in strata.values():
        with_it = [won for _, treated, won in cells if treated]
        without = [won for _, treated, won in cells if not treated]
        weight = len(with_it) / total
        value += weight * (np.mean(with_it) - np.mean(without))
        for number, treated, won in cells:
            sample = with_it if treated else without
            pull[number] += (1 if treated else -1) * weight * (won - np.mean(sample)) / len(sample)
    return value, float(np.sqrt((pull**2).sum()))


def test_effects_of_the_deal_by_brute_force(tmp_path: Path) -> None:
    rows = table(900, 1)
    frame = deal_effects(hand_made(tmp_path, rows, part=200), "tosses", labels=[f"card {i}" for i in range(ITEMS)])
    assert frame.height == ITEMS
    for item in range(ITEMS):
        value, error = by_hand(rows, item)
        one = row(frame, item=f"card {item}")
        assert one["value"] == pytest.approx(value)
        assert (one["high"] - one["low"]) / 2 == pytest.approx(1.959963985 * error)
    strong = row(frame, item="card 0")
    assert strong["flagged"]
    assert strong["value"] > 0.1
    assert strong["tested"] == ITEMS
    assert strong["flags_by_chance"] == pytest.approx(0.05 * ITEMS)
    assert strong["with_it"] - strong["without"] == pytest.approx(strong["value"])
    assert strong["adjusted"] >= strong["p_value"]


def test_games_that_failed_do_not_count(tmp_path: Path) -> None:
    rows = table(300, 2)
    broken = [dict(one, error=1, winners=7) for one in rows[:50]]
    frame = deal_effects(hand_made(tmp_path, rows + broken, part=350), "tosses", labels=["x"])
    assert frame["value"][0] == pytest.approx(by_hand(rows, 0)[0])


def test_the_intervals_cover_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    rows = table(400, 3, strong=0)
    inside = flagged = 0
    for seed in range(12):
        rows = table(400, 100 + seed)
        frame = deal_effects(hand_made(tmp_path / str(seed), rows, part=400), "tosses", labels=list("abcdef"))
        dull = frame.filter(pl.col("item") != "a")
        inside += dull.filter(pl.col("low") <= 0, pl.col("high") >= 0).height
        flagged += int(dull["flagged"].sum())
    assert inside >= 52  # of 60, about 57 expected
    assert flagged <= 4


def test_the_deal_is_the_unit_in_duplicate_play(tmp_path: Path) -> None:
    rows = table(900, 5, alike=3)
    made = hand_made(tmp_path, rows, seating="duplicate", part=90)
    frame = deal_effects(made, "tosses", labels=["card 0"])
    kinds = {0: "a", 1: "b", 2: "b"}
    assert set(kinds.values()) == {"a", "b"}
    value, error = by_hand(rows, 0)
    assert frame["value"][0] == pytest.approx(value)
    half = (frame["high"][0] - frame["low"][0]) / 2
    assert half > 1.3 * 1.96 * error  # the three games of a deal tell almost the same
    assert frame["method"][0].endswith("deals")


def test_too_few_and_none(tmp_path: Path) -> None:
    rows = table(40, 6)
    for one in rows:
        one["tosses"] = [0, 1, 0, 0, 0, 0, 0, 0]
    rows[0]["tosses"] = [1, 1, 0, 0, 0, 0, 0, 0]
    frame = deal_effects(hand_made(tmp_path, rows, part=40), "tosses", labels=["once", "always", "never"])
    once, always, never = frame.iter_rows(named=True)
    assert once["value"] is not None
    assert "too few" in once["note"]
    for one in (always, never):
        assert one["value"] is None
        assert one["p_value"] is None
        assert one["note"].startswith("no seat with it, or none without it")


def test_associations_are_kept_apart(tmp_path: Path) -> None:
    rows = table(400, 7)
    for one in rows:
        one["tosses"] = [one["winners"], 0b101, 0, 0, 0, 0, 0, 0]  # winners used item 0; seats 0 and 2 always item 1
    frame = use_associations(hand_made(tmp_path, rows, part=100), "tosses", labels=["won", "fixed", "never"])
    first = row(frame, item="won")
    assert first["value"] == pytest.approx(1.0)
    assert row(frame, item="fixed")["value"] is None  # never a seat with and without it
    assert row(frame, item="never")["value"] is None


def test_content_counts_items(tmp_path: Path) -> None:
    rows = [game(VICTORY, 3, 1, tosses=[0, 2, 0, 0, 0, 0, 0, 0]), game(DISASTER, 3, tosses=[0, 1, 3, 0, 0, 0, 0, 0])]
    hand = hand_made(tmp_path, rows)
    frame = content(hand, shares={"used": "tosses"}, means={"uses": "tosses"}, labels=["a", "b", "c"])
    assert frame.height == 6
    assert row(frame, item="a", metric="used")["value"] == 0
    assert row(frame, item="a", metric="used")["high"] > 0.5  # never seen in two games says little
    assert row(frame, item="b", metric="uses")["value"] == 1.5
    assert row(frame, item="c", metric="used")["value"] == 0.5
    only = content(hand, shares={"used": "tosses"}, labels=["a", "b", "c"], where=("ended_by", "==", VICTORY))
    assert row(only, item="c", metric="used")["value"] == 0
    with pytest.raises(InputError, match="--records full"):
        content(hand, shares={"used": "cards"})
    with pytest.raises(InputError, match="nothing is asked for"):
        content(hand)


def test_ratios_by_label(tmp_path: Path) -> None:
    rows = [
        game(VICTORY, 4, 1, tosses=[4, 1, 0, 9, 0, 0, 0, 0]),
        game(DISASTER, 2, tosses=[2, 2, 1, 9, 0, 0, 0, 0], seat_spec=[1, 0, 2, -1, -1, -1, -1, -1]),
        game(DISASTER, 9, tosses=[5, 5, 5, 9, 0, 0, 0, 0], error=1),
    ]
    hand = hand_made(tmp_path, rows)
    assert ratio(hand, "tosses", "rounds")["value"].to_list() == [10 / 6]
    assert ratio(hand, "tosses")["value"].to_list() == [5.0]
    by_kind = ratio(hand, "tosses", "rounds", by="player")
    assert dict(zip(by_kind["by"], by_kind["value"], strict=True)) == {"a": 6 / 6, "b": 4 / 6}
    each = ratio(hand, "tosses", by="player")
    assert dict(zip(each["by"], each["value"], strict=True)) == {"a": 3.0, "b": 1.0}
    assert ratio(hand, "tosses", "rounds", by="seat")["top"].to_list() == [6, 3, 1]
    assert ratio(hand, "tosses", where="victory")["value"].to_list() == [5.0]
    with pytest.raises(InputError, match="no end"):
        ratio(hand, "tosses", where="peace")
    none = ratio(hand, "tosses", "decisions")
    assert none["value"][0] is None
    assert none["note"][0] == "no games to count"


def test_a_share_stays_within_what_is_possible_and_has_a_width_at_its_ends(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, [game(DISASTER, 9, tosses=[k, 0, 0, 9, 0, 0, 0, 0]) for k in (0, 0, 0, 0, 1)])
    (row,) = ratio(hand, "rounds", "rounds", share=True).iter_rows(named=True)
    assert row["value"] == 1.0 == row["high"]
    assert 0.0 < row["low"] < 1.0
    (free,) = ratio(hand, "tosses", "rounds").iter_rows(named=True)
    (kept,) = ratio(hand, "tosses", "rounds", share=True).iter_rows(named=True)
    assert free["value"] == kept["value"]
    assert free["method"] == kept["method"] == "t, ratio, score"  # Student's would begin below zero
    assert 0.0 < free["low"] < free["value"] < kept["high"] < free["high"]
    assert kept["low"] > 0.0


def test_a_ratio_has_the_interval_of_a_ratio(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    pairs = [(int(x), int(x) + int(rng.integers(0, 4))) for x in rng.integers(1, 9, 300)]
    hand = hand_made(tmp_path, [game(DISASTER, b, tosses=[a, 0, 0, 0, 0, 0, 0, 0]) for a, b in pairs], part=70)
    made = ratio(hand, "tosses", "rounds").row(0, named=True)
    x = np.array(pairs, float)
    resampled = []
    for _ in range(2000):
        pick = x[rng.integers(0, 300, 300)]
        resampled.append(pick[:, 0].sum() / pick[:, 1].sum())
    assert (made["high"] - made["low"]) / 2 == pytest.approx(1.968 * np.std(resampled), rel=0.08)
