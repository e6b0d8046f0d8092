"""Comparing while playing: when it stops, what it says, and that jobs never change it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from toy_exact import exact
from toy_install import scenario

from pompeii_sim.analysis.sequential import SequentialResult, sequential
from pompeii_sim.errors import InputError
from pompeii_sim.run import contrast as contrast_room
from pompeii_sim.run import execute
from pompeii_sim.run.contrast import contrast
from pompeii_sim.run.interrupt import Stop


def _compare(base: Any, other: Any, **more: Any) -> SequentialResult:
    return sequential(base, other, jobs=1, **more)


def test_a_real_difference_is_found_and_is_the_one_two_runs_show() -> None:
    base, other = scenario(), scenario(rules={"target": 2})
    made = _compare(base, other)
    assert (made.state, made.verdict.word, made.name) == ("told apart", "higher", "victory_rate")
    rates = [
        execute(replace(s, games=made.games), jobs=1).cells[0].metrics["victory_rate"].value for s in (base, other)
    ]
    assert (made.base.value, made.other.value) == tuple(rates)
    assert made.difference.value == pytest.approx(rates[1] - rates[0])
    assert made.difference.valid == made.base.valid == made.other.valid == "anytime"
    assert 0 < made.diverged <= made.games
    toss = [1.0, 0.5, 0.5]
    truth = exact(toss, target=2).victory - exact(toss).victory
    assert made.difference.low is not None
    assert made.difference.high is not None
    assert made.difference.low < truth < made.difference.high


def test_the_other_way_round_is_lower() -> None:
    assert _compare(scenario(rules={"target": 2}), scenario()).verdict.word == "lower"


@pytest.mark.parametrize("seating", ["rotate", "duplicate"])
@pytest.mark.parametrize("metric", ["victory_rate", "rounds_mean", "tosses_mean", "win_share_by_player.eager"])
def test_jobs_never_change_it(seating: str, metric: str) -> None:
    base, other = scenario(seating=seating), scenario(seating=seating, rules={"disaster": 0.07})
    one, two = (
        sequential(base, other, metric=metric, jobs=jobs, max_games=8000, effect=0.02).to_json() for jobs in (1, 3)
    )
    assert one == two
    assert one["games"] % 1002 == 0 or one["games"] == 7998
    assert one["looks"][-1]["games"] == one["games"]


@pytest.mark.parametrize("metric", ["victory_rate", "win_share_by_player.careful", "rounds_mean"])
def test_identical_settings_give_exactly_zero_and_say_so(metric: str) -> None:
    made = _compare(scenario(), scenario(), metric=metric, max_games=3000)
    assert (made.difference.value, made.diverged, made.difference.note) == (0.0, 0, "no pair differs")
    assert made.verdict.word in ("equivalent", "undecided")
    assert made.verdict.why == f"not one of {made.games:,} games took another course"
    assert made.verdict.games is None
    chance = pytest.approx(2 / 3) if "careful" in metric else None
    assert (made.base.expected, made.other.expected) == (chance, chance)


def test_it_stops_when_equivalent_or_at_the_most() -> None:
    base, other = scenario(), scenario(rules={"disaster": 0.0505})
    near = _compare(base, other)
    assert (near.state, near.verdict.word) == ("equivalent", "equivalent")
    capped = _compare(base, other, effect=0.0001, max_games=2000)
    assert (capped.state, capped.verdict.word, capped.games) == ("most games played", "undecided", 1998)
    assert capped.verdict.games is not None
    assert capped.verdict.games > 2000


def test_failed_pairs_count_nowhere_and_show() -> None:
    made = _compare(scenario("eager", "cheat"), scenario("eager", "cheat", rules={"target": 2}), max_games=2000)
    assert made.failed > 0
    assert made.exit_code == 1
    assert made.difference.n == made.games - made.failed


def test_an_interruption_keeps_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop()
    seen = contrast_room.measure_pairs
    calls = []

    def counting(*args: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            stop.ask(2)
        return seen(*args)

    monkeypatch.setattr(contrast_room, "measure_pairs", counting)
    monkeypatch.setattr("pompeii_sim.analysis.sequential.Stop", lambda: stop)
    made = _compare(scenario(), scenario(rules={"disaster": 0.0505}), effect=0.0001)
    assert (made.state, made.exit_code) == ("interrupted", 130)
    assert made.games in (2004, 3006)


@pytest.mark.parametrize(
    ("other", "place"),
    [
        ({"seed": 2}, "seed"),
        ({"seating": "fixed"}, "seating"),
        ({"players": ("eager", "eager", "careful")}, "seats"),
        ({"sweep": {"rules.target": [2, 3]}}, "sweep"),
    ],
)
def test_settings_without_common_deals_are_refused(other: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as error:
        contrast(scenario(), scenario(*other.pop("players", ()), **other))
    assert error.value.where == place


@pytest.mark.parametrize(
    "wrong",
    [{"metric": "victory"}, {"effect": 0.0}, {"alpha": 1.0}, {"max_games": 0}, {"metric": "win_share_by_player"}],
)
def test_wrong_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as error:
        _compare(scenario(), scenario(), **wrong)
    assert error.value.where in wrong
