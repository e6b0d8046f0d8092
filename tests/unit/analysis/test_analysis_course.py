"""Tension, courses, events, fairness and health on games whose every round is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from analysis_hand import CAP, DISASTER, VICTORY, game, hand_made, row

from pompeii_sim.analysis import (
    bands,
    fairness,
    first_round,
    gaps,
    health,
    kept_games,
    outliers,
    single_courses,
    tension,
    variance_shares,
)
from pompeii_sim.errors import InputError


def lines(number: int, *rounds: tuple[float, ...]) -> list[dict[str, Any]]:
    """Return series rows of one game: progress of each seat by round; `heads` holds ten times as much."""
    return [
        {"game": number, "time": time, "seat": seat, "progress": p, "heads": int(10 * p)}
        for time, progress in enumerate(rounds, start=1)
        for seat, p in enumerate(progress)
    ]


GAMES = [
    # seat 1 wins from behind: leaders -, 0, 1, 0, 1
    game(VICTORY, 5, 0b010, decisions=30, forced=10),
    game(VICTORY, 3, 0b001, decisions=10, forced=0),  # seat 0 leads all the way
    game(DISASTER, 2, decisions=0, forced=0),
    game(VICTORY, 4, 0b001, error=1),
    game(CAP, 2, decisions=5, forced=5),  # no series
]
SERIES = (
    lines(0, (0.0, 0.0, 0.0), (0.4, 0.2, 0.0), (0.4, 0.5, 0.1), (0.75, 0.5, 0.1), (0.75, 1.0, 0.1))
    + lines(1, (0.2, 0.1, 0.0), (0.5, 0.2, 0.0), (1.0, 0.2, 0.0))
    + lines(2, (0.1, 0.2, 0.0), (0.3, 0.2, 0.0))
    + lines(3, (0.0, 0.9, 0.0))
)


@pytest.fixture
def hand(tmp_path: Path) -> Any:
    return hand_made(tmp_path, GAMES, series=[SERIES])


def test_tension_round_by_round(hand: Any) -> None:
    frame = tension(hand)
    value = {r["metric"]: r["value"] for r in frame.iter_rows(named=True)}
    assert value["lead_changes"] == pytest.approx((3 + 0 + 1) / 3)
    assert value["last_round_behind"] == pytest.approx((4 + 0) / 2)
    assert value["never_behind"] == 0.5
    assert value["largest_deficit"] == pytest.approx(0.25 / 2, abs=1e-5)
    assert value["settled_rounds"] == pytest.approx((1 + 3) / 2)
    assert value["settled_share"] == pytest.approx(4 / 8)
    assert value["real_choice"] == pytest.approx(45 / 60)
    assert row(frame, metric="lead_changes")["n"] == 3  # the failed game is out
    with pytest.raises(InputError, match="did you mean 'progress'"):
        tension(hand, progress="progres")


def test_a_tie_is_no_lead(tmp_path: Path) -> None:
    series = lines(0, (0.5, 0.2, 0.0), (0.5, 0.5, 0.0), (0.5, 0.5, 0.0), (0.5, 0.6, 0.0), (0.5, 0.6, 0.6))
    hand = hand_made(tmp_path, [game(VICTORY, 5, 0b110)], series=[series])
    value = {r["metric"]: r["value"] for r in tension(hand).iter_rows(named=True)}
    assert value["lead_changes"] == 1  # 0, tie, tie, 1, tie
    assert value["settled_rounds"] == 0  # nobody leads alone at the end
    assert value["last_round_behind"] == 1


def test_without_a_series_tension_says_why(tmp_path: Path) -> None:
    frame = tension(hand_made(tmp_path, GAMES))
    row_ = row(frame, metric="lead_changes")
    assert row_["value"] is None
    assert "series" in row_["note"]
    assert row(frame, metric="real_choice")["value"] == pytest.approx(45 / 60)
    assert bands(hand_made(tmp_path / "b", GAMES)).height == 0


def test_bands_and_single_games(hand: Any) -> None:
    frame = bands(hand)
    assert frame["n"].to_list() == [3, 3, 2, 1, 1]
    assert row(frame, time=4)["q50"] == pytest.approx(0.5)
    leaders = bands(hand, of="leader")
    assert row(leaders, time=3)["q95"] == pytest.approx(1.0)
    assert kept_games(hand, 0) == [2, 1, 0]
    one = single_courses(hand, [0], cell=0)
    np.testing.assert_allclose(one["value"].to_numpy(), [0.0, 0.4, 0.5, 0.75, 1.0], rtol=1e-6)
    assert single_courses(hand, [0], cell=0, of="all").height == 15
    with pytest.raises(InputError, match="no column"):
        bands(hand, "happiness")


def test_gaps_between_events(tmp_path: Path) -> None:
    # an event: all three seats together have at least 10 heads; games of 6 and 3 rounds
    def course(number: int, *flags: int) -> list[dict[str, Any]]:
        return lines(number, *((0.5 * f, 0.5 * f, 0.0) for f in flags))

    series = course(0, 1, 0, 0, 1, 1, 0) + course(1, 0, 1, 0) + course(2, 0, 0)
    rows = [game(VICTORY, 6, 1), game(DISASTER, 3), game(CAP, 2)]
    frame = gaps(hand_made(tmp_path, rows, series=[series]), pl.col("heads").sum() >= 10, name="event")
    mean = frame.filter(pl.col("metric") == "mean").row(0, named=True)
    assert mean["value"] == pytest.approx((3 + 1) / 2)
    assert mean["gap"] is None
    risk = frame.filter(pl.col("metric") == "hazard")
    # four events; two are followed (after 1 and 3 rounds), two see the end of the game one round later
    assert dict(zip(risk["gap"], risk["value"], strict=True)) == {1: 1 / 4, 2: 0.0, 3: 1.0}
    assert risk["n"].to_list() == [4, 1, 1]


def test_first_round_of_an_event(tmp_path: Path) -> None:
    rows = [game(VICTORY, 8, 1, decisions=d, forced=f) for d, f in ((3, 7), (3, 0), (8, 4), (8, 5), (5, 6))]
    hand = hand_made(tmp_path, rows)
    frame = first_round(hand, "forced")
    assert row(frame, metric="any")["value"] == 4 / 5
    assert row(frame, metric="median")["value"] == 5
    since = first_round(hand, "forced", since="decisions", name="blow")
    assert row(since, metric="median", event="blow")["value"] == 3  # rounds 2, 3, 4 and 5 of the clock
    assert row(since, metric="p90")["value"] == 5


def test_seats_and_length(tmp_path: Path) -> None:
    rows = [game(VICTORY, 3, 0b001), game(VICTORY, 4, 0b001), game(VICTORY, 8, 0b100), game(VICTORY, 9, 0b010)]
    rows.append(game(DISASTER, 30))
    hand = hand_made(tmp_path, rows)
    frame = fairness(hand, bands=2)
    assert frame["length"].unique(maintain_order=True).to_list() == ["all", "3-4", "5-9"]
    assert row(frame, seat="0", length="all")["value"] == 0.5
    assert row(frame, seat="0", length="3-4")["value"] == 1
    assert row(frame, seat="1", length="5-9")["value"] == 0.5
    assert row(frame, seat="1", length="all")["expected"] == pytest.approx(1 / 3)


def test_seats_counted_from_the_first_player(tmp_path: Path) -> None:
    # `forced` plays the column with the first seat
    rows = [
        game(VICTORY, 3, 1 << ((first + place) % 3), forced=first) for first, place in ((0, 0), (1, 0), (2, 0), (2, 2))
    ]
    frame = fairness(hand_made(tmp_path, rows), start="forced", bands=1)
    assert frame["value"].to_list() == [0.75, 0.0, 0.25]


def test_variance_of_deal_and_arrangement(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    deals, seatings = 3000, 3
    effect = np.array([-2.0, 0.0, 2.0])
    rows = []
    for deal in range(deals):
        luck = rng.normal(0, 6)
        for seating in range(seatings):
            rounds = round(100 + luck + effect[seating] + rng.normal(0, 3))
            rows.append(game(VICTORY, rounds, 1 << seating, deal=deal, arrangement=seating))
    hand = hand_made(tmp_path, rows, seating="duplicate", part=900)
    frame = variance_shares(hand)
    parts = {name: row(frame, outcome="rounds", part=name) for name in ("deal", "arrangement", "rest")}
    total = 36 + 8 / 3 + 9 + 1 / 12  # rounding adds a twelfth
    for name, exact in (("deal", 36), ("arrangement", 8 / 3), ("rest", 9 + 1 / 12)):
        assert parts[name]["low"] < exact / total < parts[name]["high"], name
        assert parts[name]["n"] == deals
    assert sum(p["value"] for p in parts.values()) == pytest.approx(1)
    assert row(frame, outcome="win", part="arrangement")["value"] == pytest.approx(1)  # who sits where decides
    assert row(frame, outcome="decided", part="deal")["note"] == "the outcome never varies"
    single = variance_shares(hand_made(tmp_path / "s", rows[:4]))
    assert "duplicate" in single["note"][0]


def test_health_counts_in_a_hundred_thousand(tmp_path: Path) -> None:
    rows = [game(VICTORY, 3, 1) for _ in range(16)]
    rows[5] = game(CAP, 40)
    rows[9] = game(VICTORY, 3, 1, error=1)
    rows[11] = game(VICTORY, 3, 1, tosses=[0, 1, 0, 9, 0, 0, 0, 0])
    frame = health(hand_made(tmp_path, rows), stuck={"idle": "tosses"})
    assert frame["trouble"].to_list() == ["cap", "failed", "idle"]
    assert frame["value"].to_list() == [100_000 / 16] * 3
    assert frame["first_game"].to_list() == [5, 9, 11]
    assert frame["replay"][0].endswith("--game 5")
    quiet = health(hand_made(tmp_path / "quiet", rows[:4]))
    assert quiet["games"].to_list() == [0, 0]
    assert quiet["replay"].to_list() == [None, None]
    assert quiet["high"][0] > 10_000


def test_outliers_name_games(tmp_path: Path) -> None:
    rows = [game(VICTORY, r, 1) for r in (5, 9, 9, 2)] + [game(DISASTER, 99, error=3)]
    frame = outliers(hand_made(tmp_path, rows, settings=[{"rules.x": 1}]), ["rounds"], each=2)
    assert frame["game"].to_list() == [1, 2, 3, 0]
    assert frame["value"].to_list() == [9, 9, 2, 5]
    assert frame["end"][0] == "victory"
    assert frame.columns[:3] == ["cell", "rules.x", "column"]
