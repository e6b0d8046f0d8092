"""Ladders and restricted play on made-up deals with known steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from analysis_hand import DISASTER, VICTORY, game, hand_made, row

from pompeii_sim.analysis import ladder, ladder_shape, paired_difference, restricted
from pompeii_sim.errors import InputError
from pompeii_sim.stats.simultaneous import critical_value

SETTINGS = [{"rules.x": x, "rules.y": y} for y in (1, 2) for x in ("A", "B", "C")]


def games(rates: list[float], n: int = 600, seed: int = 4) -> list[list[dict[str, Any]]]:
    """Return cells on common luck: a deal is won where its luck lies below the cell's rate."""
    luck = np.random.default_rng(seed).random(n)
    noise = np.random.default_rng(seed + 1).random((len(rates), n))
    out = []
    for number, rate in enumerate(rates):
        own = np.where(noise[number] < 0.2, noise[number] * 5, luck)
        won = own < rate
        out.append([game(VICTORY if w else DISASTER, 4 + int(8 * u), int(w)) for w, u in zip(won, luck, strict=True)])
    return out


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Any:
    rates = [0.8, 0.6, 0.4, 0.5, 0.9, 0.5]
    return hand_made(tmp_path_factory.mktemp("ladder"), *games(rates), settings=SETTINGS, part=250)


def test_steps_are_the_paired_differences(hand: Any) -> None:
    frame = ladder(hand, "rules.x", metrics=["victory_rate"])
    assert frame.columns[:4] == ["cell", "rules.x", "rules.y", "base"]
    step = row(frame, cell=1, base=0, scale="plain")
    own = paired_difference(hand, 1, hand, 0, "victory_rate").difference
    assert step["value"] == own.value
    assert step["contrast"] == "B - A"
    assert own.low is not None
    assert step["low"] < own.low  # holds together with the others, so it is wider
    assert step["rules.x"] == "B"
    second = row(frame, cell=2, base=0, scale="plain")
    assert second["kind"] == "step difference"
    assert second["value"] == pytest.approx(row(frame, cell=2, base=1, scale="plain")["value"] - step["value"])


def test_the_intervals_use_the_true_covariance(hand: Any) -> None:
    """Against the sample covariance of the deals' outcomes."""
    won = np.stack([(hand.games(c).collect()["ended_by"] == VICTORY).to_numpy() for c in (0, 1, 2)]).astype(float)
    covariance = np.cov(won) / won.shape[1]
    rows = np.array([[-1, 1, 0], [0, -1, 1], [1, -2, 1]])
    matrix = rows @ covariance @ rows.T
    error = np.sqrt(np.diag(matrix))
    width = critical_value(matrix / np.outer(error, error))
    second = row(ladder(hand, "rules.x", metrics=["victory_rate"]), cell=2, base=0, scale="plain")
    assert (second["high"] - second["low"]) / 2 == pytest.approx(width * error[2])
    share = won.mean(axis=1)
    slope = 1 / (share * (1 - share))
    logit = np.log(share / (1 - share))
    matrix = rows @ (covariance * np.outer(slope, slope)) @ rows.T
    error = np.sqrt(np.diag(matrix))
    width = critical_value(matrix / np.outer(error, error))
    step = row(ladder(hand, "rules.x", metrics=["victory_rate"]), cell=1, base=0, scale="logit")
    assert step["value"] == pytest.approx(logit[1] - logit[0])
    assert (step["high"] - step["low"]) / 2 == pytest.approx(width * error[0])


def test_shape_names_direction_and_spacing(hand: Any) -> None:
    shape = ladder_shape(ladder(hand, "rules.x", metrics=["victory_rate"], effect=0.2))
    plain = shape.filter(pl.col("scale") == "plain")
    assert plain["direction"].to_list() == ["falling", "not monotone"]
    assert plain["spacing"].to_list() == ["even", "uneven"]
    assert plain["rules.y"].to_list() == [1, 2]
    turned = ladder_shape(ladder(hand, "rules.x", order=["C", "B", "A"], metrics=["victory_rate"]))
    assert turned["direction"][0] == "rising"
    assert turned["spacing"][0] == "undecided"


def test_a_ladder_of_means_and_one_that_never_moves(tmp_path: Path) -> None:
    flat = games([0.5, 0.5, 0.5], n=200)
    hand = hand_made(tmp_path, flat[0], flat[0], flat[0], settings=SETTINGS[:3], part=200)
    frame = ladder(hand, "rules.x", metrics=["victory_rate", "rounds_mean"], effect={"rounds_mean": 0.5})
    rate = frame.filter(pl.col("metric") == "victory_rate", pl.col("scale") == "plain")
    assert rate["value"].to_list() == [0, 0, 0]
    assert rate["low"].null_count() == 0  # Tango's interval, and for the difference of steps the steps' own
    assert set(frame.filter(pl.col("metric") == "rounds_mean")["scale"]) == {"plain"}


def test_failed_deals_are_dropped_and_said(tmp_path: Path) -> None:
    cells = games([0.7, 0.5], n=100)
    cells[1][7]["error"] = 2
    hand = hand_made(tmp_path, *cells, settings=[{"rules.x": "A"}, {"rules.x": "B"}], part=40)
    frame = ladder(hand, "rules.x", metrics=["victory_rate"])
    assert set(frame["dropped"]) == {1}
    assert set(frame["n"]) == {99}
    assert frame.filter(pl.col("kind") == "step difference").height == 0
    assert ladder_shape(frame)["spacing"].to_list() == [None, None]


def test_a_cell_without_games_leaves_nothing_to_compare(tmp_path: Path) -> None:
    hand = hand_made(tmp_path, games([0.5], n=50)[0], [], settings=[{"rules.x": "A"}, {"rules.x": "B"}], part=50)
    frame = ladder(hand, "rules.x", metrics=["victory_rate", "rounds_mean"])
    assert set(frame["value"]) == {None}
    assert None not in set(frame["note"])
    assert set(frame["verdict"]) == {"undecided"}
    assert set(restricted(hand)["value"]) == {None}


def test_wrong_settings_are_refused(hand: Any) -> None:
    with pytest.raises(InputError, match=r"rules\.x"):
        ladder(hand, "rules.xx")
    with pytest.raises(InputError, match="no cell has"):
        ladder(hand, "rules.x", order=["A", "Z"])


def test_restricted_play_against_a_base_with_other_arrangements(tmp_path: Path) -> None:
    """The base has four alike (one arrangement), the other cell one that is handicapped (three)."""
    rng = np.random.default_rng(2)
    base, weak = [], []
    for deal in range(300):
        winner = int(rng.integers(0, 3))
        base.append(game(VICTORY, 5, 1 << winner))
        sitting = [[0, 1, 2], [1, 0, 2], [1, 2, 0]][deal % 3]  # listed seat 0 sits in seat 0, 1, 2 in turn
        if sitting[winner] == 0 and rng.random() < 0.5:
            winner = (winner + 1) % 3
        spec = [*sitting, -1, -1, -1, -1, -1]
        weak.append(game(VICTORY, 5, 1 << winner, arrangement=deal % 3, seat_spec=spec))
    hand = hand_made(
        tmp_path, base, weak, settings=[{"seats.0.forbid": []}, {"seats.0.forbid": ["toss"]}],
        kinds=[("p", "p", "p"), ("p[forbid=toss]", "p", "p")], part=60,
    )  # fmt: skip
    frame = restricted(hand)
    cost = row(frame, metric="win_rate.0")
    one = hand.games(0).collect()
    two = hand.games(1).collect()

    def wins(frame: pl.DataFrame) -> float:
        rows = frame.iter_rows(named=True)
        return float(
            np.mean([sum((r["winners"] >> s & 1) and r[f"seat_spec_{s}"] == 0 for s in range(3)) for r in rows])
        )

    assert cost["value"] == pytest.approx(wins(two) - wins(one))
    assert cost["verdict"] == "lower"
    assert cost["base_value"] == pytest.approx(wins(one))
    assert cost["diverged"] is None
    assert frame["seats.0.forbid"][0] == '["toss"]'
    assert row(frame, metric="victory_rate")["value"] == 0
