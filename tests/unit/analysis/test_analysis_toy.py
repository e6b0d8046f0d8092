"""The toy game played for real: answers worked out on paper, from memory and from a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from analysis_hand import row
from scipy.stats import binom
from toy_exact import exact
from toy_install import document, scenario

import pompeii_sim
from pompeii_sim.analysis import (
    bands,
    fairness,
    hazard,
    incidence,
    ladder,
    ladder_shape,
    length,
    outcomes,
    restricted,
    study,
    tension,
    win_share,
)
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute

GAMES = 30_000
SPREAD = 4.5
"""Standard errors that a right answer may be off (about one time in 150,000)."""


def near(estimate: dict[str, Any], truth: float) -> None:
    error = np.sqrt(max(truth * (1 - truth), 1e-9) / estimate["n"])
    assert abs(estimate["value"] - truth) < SPREAD * error, (estimate, truth)


@pytest.fixture(scope="module")
def played() -> Any:
    from toy_install import install

    install()
    return execute(scenario("eager", "careful", "careful", games=GAMES), jobs=1, series_every=10)


def test_the_risk_of_the_disaster_is_the_same_every_round(played: Any) -> None:
    risk = hazard(study(played)).filter(pl.col("end") == "disaster", pl.col("at_risk") > 300)
    assert risk.height >= 10
    for one in risk.iter_rows(named=True):
        near(one, 0.05)
    inside = risk.filter(pl.col("low") <= 0.05, pl.col("high") >= 0.05).height
    assert inside >= risk.height - 4


def test_the_incidence_of_victory_by_round(played: Any) -> None:
    rounds = np.arange(41)
    reached = np.array([binom.sf(2, rounds, 0.5 * t) for t in (1.0, 0.5, 0.5)])
    nobody = np.prod(1 - reached, axis=0)
    won = np.cumsum(0.95 ** rounds[1:] * (nobody[:-1] - nobody[1:]))
    for one in incidence(study(played)).filter(pl.col("end") == "victory").iter_rows(named=True):
        near(one, float(won[one["round"] - 1]))


def test_shares_lengths_and_seats(played: Any) -> None:
    truth = exact([1.0, 0.5, 0.5])
    hand = study(played)
    near(row(outcomes(hand), end="victory"), truth.victory)
    shares = win_share(hand)
    near(row(shares, player="eager", metric="win_share"), truth.share[0])
    near(row(shares, player="eager", metric="win_rate"), truth.share[0] * truth.victory)
    assert row(length(hand), column="rounds", end="any", metric="restricted_mean")["value"] == pytest.approx(
        truth.rounds, abs=0.1
    )
    for one in fairness(hand, bands=1).iter_rows(named=True):
        near(one, 1 / 3)  # seats rotate, and the toy knows no order of play


def test_the_summary_says_the_same(played: Any) -> None:
    made = row(outcomes(study(played)), end="victory")
    kept = played.cells[0].metrics["victory_rate"]
    assert (made["value"], made["low"], made["high"], made["n"]) == (kept.value, kept.low, kept.high, kept.n)


def test_progress_settles_games(played: Any) -> None:
    frame = tension(study(played))
    assert row(frame, metric="lead_changes")["n"] == GAMES / 10
    assert row(frame, metric="real_choice")["value"] == pytest.approx(1.0)
    made = bands(study(played))
    assert made["n"][0] == GAMES / 10
    assert (made["q05"] <= made["q50"]).all()


SWEPT = {"sweep": {"rules.disaster": [0.02, 0.08, 0.2]}}


def test_a_run_in_a_folder_says_the_same_as_in_memory(tmp_path: Path) -> None:
    made = document(games=400, **SWEPT)
    memory = study(pompeii_sim.run(made, jobs=1, part_size=90, series_every=5))
    pompeii_sim.run(made, out=tmp_path / "run", jobs=1, part_size=90, series_every=5)
    loaded = pompeii_sim.load(tmp_path / "run")
    for question in (outcomes, win_share, hazard, length, tension, bands, fairness):
        assert question(loaded.study).equals(question(memory)), question
    steps = ladder(memory, "rules.disaster", metrics=["victory_rate", "rounds_mean"])
    assert steps.equals(ladder(loaded.study, "rules.disaster", metrics=["victory_rate", "rounds_mean"]))
    assert ladder_shape(steps).filter(pl.col("scale") == "plain")["direction"].to_list() == ["falling", "falling"]
    worse = row(restricted(loaded.study, cell=2), metric="victory_rate")
    assert worse["verdict"] == "lower"
    assert worse["gain"] > 1
    assert loaded.study.replay(2, 7) == f"pompeii-sim replay {tmp_path / 'run'} --game 7 --cell 2"


def test_a_loaded_run_answers_estimate(tmp_path: Path) -> None:
    pompeii_sim.run(document(games=300, **SWEPT), out=tmp_path / "run", jobs=1)
    loaded = pompeii_sim.load(tmp_path / "run")
    frame = loaded.estimate("victory_rate")
    assert frame.columns[:4] == ["cell", "rules.disaster", "metric", "by"]
    kept = [cell["metrics"]["victory_rate"]["value"] for cell in loaded.summary["cells"]]
    assert frame["value"].to_list() == kept
    assert loaded.estimate("rounds", cell=1, where="rounds >= 3")["value"][0] > 3
    assert loaded.estimate("win_share_by_player", cell=0, by="player")["by"].to_list() == ["eager", "careful"]
    pandas = frame.to_pandas()
    assert list(pandas["value"]) == kept
    with pytest.raises(InputError, match="did you mean 'victory_rate'"):
        loaded.estimate("victory_rat")


def test_games_that_failed_are_out_of_everything(tmp_path: Path) -> None:
    result = pompeii_sim.run(document("cheat", "eager", games=400), out=tmp_path / "run", jobs=1)
    assert result.failed
    hand = study(result)
    counted = outcomes(hand)
    assert set(counted["n"]) == {400 - result.failed}
    assert set(counted["failed"]) == {result.failed}
    assert hazard(hand).filter(pl.col("end") == "any", pl.col("round") == 1)["at_risk"][0] == 400 - result.failed
