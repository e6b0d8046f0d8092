"""Ends, win shares, counts, life tables and lengths of games counted by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from analysis_hand import CAP, DISASTER, KINDS, VICTORY, game, hand_made, row

from pompeii_sim.analysis import (
    counts,
    dispersion,
    estimate,
    hazard,
    incidence,
    length,
    outcomes,
    study,
    win_share,
)
from pompeii_sim.errors import InputError
from pompeii_sim.stats.bounded_mean import bounded_mean
from pompeii_sim.stats.life_table import life_table
from pompeii_sim.stats.mean import t_mean
from pompeii_sim.stats.quantile import quantile
from pompeii_sim.stats.restricted_mean import restricted_mean
from pompeii_sim.stats.wilson import wilson

GAMES = [
    game(VICTORY, 4, 0b001, tosses=[1, 2, 0, 9, 0, 0, 0, 0]),
    game(VICTORY, 6, 0b010, seat_spec=[1, 2, 0, -1, -1, -1, -1, -1]),
    game(VICTORY, 6, 0b110, seat_spec=[2, 0, 1, -1, -1, -1, -1, -1]),
    game(DISASTER, 2),
    game(DISASTER, 6),
    game(CAP, 9),
    game(VICTORY, 3, 0b001, error=1),
]
"""Six good games and a failed one; wins: listed seat 0 one, seat 2 one, seats 0 and 1 half each."""


@pytest.fixture
def hand(tmp_path: Path):  # type: ignore[no-untyped-def]
    return hand_made(tmp_path, GAMES, settings=[{"rules.disaster": 0.1}])


def test_outcomes_add_up_and_show_the_failed_game(hand) -> None:  # type: ignore[no-untyped-def]
    frame = outcomes(hand)
    assert frame.columns[:4] == ["cell", "rules.disaster", "end", "kind"]
    assert frame["value"].to_list() == [3 / 6, 2 / 6, 1 / 6]
    assert frame["kind"].to_list() == ["decided", "lost", "censored"]
    assert set(frame["games"]) == {7}
    assert set(frame["failed"]) == {1}
    assert set(frame["rules.disaster"]) == {0.1}
    exact = wilson(3, 6)
    assert row(frame, end="victory")["low"] == exact.low
    assert row(frame, end="victory")["n"] == 6


def test_win_share_reconciles_with_the_rows(hand) -> None:  # type: ignore[no-untyped-def]
    kinds = win_share(hand)
    assert row(kinds, player="a", metric="win_share")["value"] == 1.5 / 3
    assert row(kinds, player="a", metric="win_share")["expected"] == 1 / 3
    assert row(kinds, player="b", metric="win_share")["wins"] == 1.5
    assert row(kinds, player="a", metric="win_rate")["value"] == 1.5 / 6
    assert row(kinds, player="a", metric="win_rate")["expected"] is None
    for by in ("player", "seat", "listed", "skill"):
        shares = win_share(hand, by=by).filter(pl.col("metric") == "win_share")
        assert shares["wins"].sum() == 3
        assert set(shares["games"]) == {3}
        assert shares["expected"].sum() == pytest.approx(1)
    assert win_share(hand, by="listed").filter(pl.col("metric") == "win_share")["wins"].to_list() == [1.5, 0.5, 1.0]
    assert win_share(hand, by="seat").filter(pl.col("metric") == "win_share")["wins"].to_list() == [1.0, 1.5, 0.5]


def test_win_share_without_a_decided_game_says_so(tmp_path: Path) -> None:
    lost = hand_made(tmp_path, [game(DISASTER, 2), game(CAP, 3)])
    one = row(win_share(lost), player="a", metric="win_share")
    assert one["value"] is None
    assert one["n"] == 0
    assert one["note"] == "no games to count"
    assert row(win_share(lost), player="a", metric="win_rate")["value"] == 0


def test_no_games_at_all_is_null_with_a_reason(tmp_path: Path) -> None:
    empty = hand_made(tmp_path, [])
    assert outcomes(empty)["value"].to_list() == [None] * 3
    assert set(outcomes(empty)["note"]) == {"no games to count"}
    assert counts(empty, "rounds").height == 0
    assert hazard(empty).height == 0
    means = length(empty)
    assert set(means["value"]) == {None}
    assert None not in set(means["note"])


def test_unknown_names_are_refused_with_the_nearest(hand) -> None:  # type: ignore[no-untyped-def]
    for call, what in (
        (lambda: outcomes(hand, cell=3), "no cell 3"),
        (lambda: win_share(hand, by="skil"), "did you mean 'skill'"),
        (lambda: counts(hand, "round"), "did you mean 'rounds'"),
        (lambda: estimate(hand, "victory_rat"), "did you mean 'victory_rate'"),
        (lambda: estimate(hand, "rounds", where="rounds 3"), "compares nothing"),
        (lambda: estimate(hand, "rounds", where="rounds > x"), "is no number"),
        (lambda: study("/nowhere/at/all"), "no such run folder"),
    ):
        with pytest.raises(InputError, match=what):
            call()


def test_estimate_reads_metrics_and_columns(hand) -> None:  # type: ignore[no-untyped-def]
    assert estimate(hand, "victory_rate")["value"].to_list() == [0.5]
    assert estimate(hand, "tosses")["value"].to_list() == [3 / 6]  # of the three seats in use
    assert estimate(hand, "rounds", where="rounds >= 6")["value"].to_list() == [27 / 4]
    split = estimate(hand, "rounds", by="ended_by")
    assert dict(zip(split["by"], split["value"], strict=True)) == {"victory": 16 / 3, "disaster": 4.0, "cap": 9.0}
    seats = estimate(hand, "tosses", by="player")
    assert dict(zip(seats["by"], seats["value"], strict=True)) == {"a": 1 / 6, "b": 2 / 12}
    assert seats.columns == split.columns
    both = estimate(hand, ["victory_rate", "win_share_by_player"])
    assert both["by"].to_list() == ["", "a", "b"]
    assert both["metric"].to_list() == ["victory_rate", "win_share_by_player", "win_share_by_player"]


def test_counts_and_dispersion(hand) -> None:  # type: ignore[no-untyped-def]
    frame = counts(hand, "rounds")
    assert frame["count"].to_list() == list(range(2, 10))
    assert frame["games"].to_list() == [1, 0, 1, 0, 3, 0, 0, 1]
    assert frame["value"].sum() == pytest.approx(1)
    mean = 33 / 6
    assert row(frame, count=6)["expected"] == pytest.approx(math.exp(-mean) * mean**6 / 720)
    sample = np.array([4, 6, 6, 2, 6, 9])
    spread = dispersion(hand, "rounds")
    assert row(spread, metric="variance")["value"] == pytest.approx(sample.var(ddof=1))
    index = row(spread, metric="dispersion")
    assert index["value"] == pytest.approx(sample.var(ddof=1) / mean)
    assert index["expected"] == 1
    assert (index["low"], index["high"]) == (None, None)  # too few to say anything of a variance
    assert index["note"] == "fewer than 30 units: no interval of a variance"
    never = row(dispersion(hand, "decisions"), metric="dispersion")
    assert never["value"] is None
    assert never["note"] == "it never happened"


def test_dispersion_covers_a_poisson_count(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    inside = 0
    for study_ in range(40):
        games = [game(VICTORY, 1, 1, decisions=int(k)) for k in rng.poisson(2.0, 200)]
        index = row(dispersion(hand_made(tmp_path / str(study_), games, part=200), "decisions"), metric="dispersion")
        inside += index["low"] <= 1 <= index["high"]
    assert inside >= 34


def test_hazard_and_incidence_against_the_life_table(hand) -> None:  # type: ignore[no-untyped-def]
    risk = hazard(hand)
    assert set(risk["end"]) == {"victory", "disaster", "any"}
    assert row(risk, end="victory", round=4)["value"] == 1 / 5
    assert row(risk, end="victory", round=6)["value"] == 2 / 4
    assert row(risk, end="disaster", round=6)["at_risk"] == 4
    last = row(risk, end="any", round=9)
    assert (last["value"], last["at_risk"], last["ended"]) == (0.0, 1, 0)  # the capped game: at risk, never an end
    assert risk.filter(pl.col("round") == 0).height == 0
    share = incidence(hand)
    assert row(share, end="victory", round=9)["value"] == pytest.approx(3 / 6)
    assert row(share, end="disaster", round=6)["value"] == pytest.approx(2 / 6)
    assert row(share, end="any", round=9)["value"] == pytest.approx(5 / 6)


def test_a_clock_that_starts_later_and_an_event(tmp_path: Path) -> None:
    # `decisions` plays the rounds since the start of the clock, `forced` the round of the first event
    hand = hand_made(
        tmp_path,
        [
            game(VICTORY, 8, 1, decisions=3, forced=7),  # clock from round 6 on: the event in its round 2
            game(VICTORY, 8, 1, decisions=3, forced=0),
            game(DISASTER, 5, decisions=0, forced=0),  # the clock never started
            game(VICTORY, 9, 1, decisions=2, forced=4),  # the event came before the clock started
            game(CAP, 9, decisions=4, forced=0),
        ],
    )
    risk = hazard(hand, since="decisions", event="forced", name="event")
    assert row(risk, end="event", round=2)["value"] == 1 / 3
    assert row(risk, end="victory", round=3)["value"] == 1 / 2
    assert row(risk, end="event", round=1)["at_risk"] == 3
    assert row(incidence(hand, since="decisions"), end="victory", round=3)["value"] == pytest.approx(0.75)


def test_length_by_end_and_restricted(hand) -> None:  # type: ignore[no-untyped-def]
    frame = length(hand, ("rounds", "decisions"))
    rounds = [4, 6, 6, 2, 6, 9]
    for name, q in (("p10", 0.1), ("median", 0.5), ("p90", 0.9)):
        assert row(frame, column="rounds", end="any", metric=name)["value"] == quantile(rounds, q).value
    exact = bounded_mean(t_mean([4, 6, 6]), 0.0)
    mean = row(frame, column="rounds", end="victory", metric="mean")
    assert (mean["value"], mean["low"], mean["n"]) == (exact.value, pytest.approx(exact.low), 3)
    cut = restricted_mean(life_table(rounds, [1, 1, 1, 1, 1, 0]), 9)
    assert row(frame, column="rounds", end="any", metric="restricted_mean")["value"] == pytest.approx(cut.mean.value)
    assert cut.mean.value == pytest.approx(5.5)
    assert row(frame, column="rounds", end="any", metric="censored_share")["value"] == 1 / 6
    short = length(hand, ("rounds",), cap=5)
    assert row(short, end="any", metric="restricted_mean")["value"] == pytest.approx((4 + 2 + 5 * 4) / 6)
    assert row(short, end="any", metric="restricted_mean")["cap"] == 5


def duplicate(tmp_path: Path, games: int = 30):  # type: ignore[no-untyped-def]
    """Three arrangements of each deal; how a deal goes hardly depends on the arrangement."""
    rng = np.random.default_rng(3)
    rows = []
    for deal in range(games):
        luck = rng.random()
        for arrangement in range(3):
            won = luck + 0.1 * rng.random() > 0.5
            rounds = 3 + int(4 * luck)
            kind = VICTORY if won else DISASTER
            rows.append(game(kind, rounds, int(won), deal=deal, arrangement=arrangement, decisions=rounds))
    return hand_made(tmp_path, rows, seating="duplicate", part=9)


def test_the_deal_is_the_unit_of_duplicate_play(tmp_path: Path) -> None:
    hand = duplicate(tmp_path)
    single = hand_made(tmp_path / "single", hand.games().collect().select("ended_by", "rounds", "winners").to_dicts())
    for question in (
        outcomes,
        lambda s: hazard(s).filter(pl.col("ended") > 0, pl.col("ended") < pl.col("at_risk")),
        lambda s: incidence(s).filter(pl.col("value") > 0.1, pl.col("value") < 0.95),
        lambda s: dispersion(s, "rounds"),
        lambda s: length(s, ("rounds",)).filter(pl.col("metric") == "mean"),
    ):
        deals, games = question(hand), question(single)
        joined = deals.join(games, on=[c for c in deals.columns if c in ("end", "round", "metric")], suffix="_games")
        assert joined.height == games.filter(pl.col("value").is_not_null()).height or joined.height > 0
        np.testing.assert_allclose(joined["value"].to_numpy(), joined["value_games"].to_numpy())
        wide = joined.filter(pl.col("value") > 0, pl.col("low").is_not_null())
        ratio = (wide["high"] - wide["low"]).to_numpy() / (wide["high_games"] - wide["low_games"]).to_numpy()
        assert np.median(ratio) > 1.3  # three alike games tell hardly more than one
        assert int(deals["n"].max()) <= 30  # type: ignore[arg-type]


def test_incidence_by_deal_equals_the_measured_rate(tmp_path: Path) -> None:
    hand = duplicate(tmp_path)
    victory = row(outcomes(hand), end="victory")
    last = incidence(hand).filter(pl.col("end") == "victory").sort("round").tail(1).row(0, named=True)
    for name in ("value", "low", "high", "n"):
        assert last[name] == pytest.approx(victory[name])


def test_labels_and_cells(hand) -> None:  # type: ignore[no-untyped-def]
    assert hand.labels(0, "player") == KINDS
    assert hand.labels(0, "listed") == ("0", "1", "2")
    assert hand.labels(0, "skill") == ("0.0", "0.5", "1.0")
    assert hand.replay(0, 5).endswith("--game 5")


def test_settings_keep_their_type_or_become_text(tmp_path: Path) -> None:
    settings = [{"rules.x": 9, "rules.y": 1, "rules.z": True}, {"rules.x": "all", "rules.y": 2, "rules.z": False}]
    frame = outcomes(hand_made(tmp_path, GAMES, GAMES, settings=settings))
    assert frame.schema["rules.x"] == pl.String
    assert frame.schema["rules.y"] == pl.Int64
    assert frame.schema["rules.z"] == pl.Boolean
    assert frame["rules.x"].unique(maintain_order=True).to_list() == ["9", "all"]
