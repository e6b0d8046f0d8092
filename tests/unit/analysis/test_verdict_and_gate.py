"""The words a difference gets, the games that would decide, and gates that want the whole interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pompeii_sim.analysis.gate import Gate, parse_gate
from pompeii_sim.analysis.verdict import games_needed, round_up, verdict
from pompeii_sim.errors import InputError
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import t_mean


def _about(value: float | None, half: float | None = None, **more: float) -> Estimate:
    low = more.get("low", None if value is None or half is None else value - half)
    high = more.get("high", None if value is None or half is None else value + half)
    return Estimate(value=value, low=low, high=high, n=500, level=0.95, method="m", note=None if half else "why not")


@pytest.mark.parametrize(
    ("value", "half", "effect", "word", "why"),
    [
        (0.05, 0.01, 0.01, "higher", "by more than what matters"),
        (0.05, 0.045, 0.01, "higher", "perhaps by less than what matters"),
        (-0.05, 0.04, 0.01, "lower", "by more than what matters"),
        (-0.05, 0.04, None, "lower", "one side of zero"),
        (0.0, 0.01, 0.01, "equivalent", "the difference is less"),
        (0.005, 0.002, 0.01, "equivalent", "though not zero"),
        (0.0, 0.0001, None, "undecided", "no number of games"),
        (0.0, 0.02, 0.01, "undecided", "would do"),
        (0.01, 0.02, None, "undecided", "would do"),
        (0.3, None, 0.01, "undecided", "why not"),
        (None, None, 0.01, "undecided", "why not"),
    ],
)
def test_words(value: float | None, half: float | None, effect: float | None, word: str, why: str) -> None:
    made = verdict(_about(value, half), effect=effect, games=1000)
    assert made.word == word
    assert why in made.why
    assert (made.games is not None) == ("would do" in made.why)


def test_an_end_on_the_effect_is_still_within_it() -> None:
    assert verdict(_about(0.0, 0.01), effect=0.01, games=1).word == "equivalent"
    assert verdict(_about(0.0, low=0.0, high=0.02), effect=0.01, games=1).word == "undecided"


@pytest.mark.parametrize(("truth", "effect"), [(0.05, None), (0.05, 0.01), (0.0, 0.1), (0.02, 0.1)])
def test_the_games_named_decide_four_times_in_five(truth: float, effect: float | None) -> None:
    """Studies of a known difference, each as large as the estimate from a pilot that saw exactly the truth says."""
    pilot, spread = 100, 1.0
    half = float(stats.norm.ppf(0.975)) * spread / np.sqrt(pilot)
    needed = games_needed(_about(truth, half), effect=effect, games=pilot)
    assert needed is not None
    rng = np.random.default_rng(4)
    words = []
    for _ in range(400):
        sample = rng.normal(truth, spread, needed)
        words.append(verdict(t_mean(sample), effect=effect, games=needed).word)
    decided = np.mean([word != "undecided" for word in words])
    assert (0.58 if truth == 0.0 else 0.74) < decided < 0.95
    # with no difference both ends have to come in, which is less likely than one; with a small one either word will do


def test_rounding_up() -> None:
    assert [round_up(x) for x in (1.0, 9.2, 10, 99, 100, 101, 39_001, 40_000)] == [
        1, 10, 10, 99, 100, 110, 40_000, 40_000,
    ]  # fmt: skip
    assert games_needed(_about(0.1, 0.1001), effect=None, games=1000) >= 1000  # type: ignore[operator]


def test_gates_are_read_and_judged() -> None:
    gate = parse_gate(" victory_rate>=0.6")
    assert (gate.metric, gate.op, gate.bound, gate.of_difference) == ("victory_rate", ">=", 0.6, False)
    assert gate.text == "victory_rate >= 0.6"
    of_share = parse_gate("difference.win_share.a < -1e-2")
    assert (of_share.metric, of_share.bound, of_share.of_difference) == ("win_share.a", -0.01, True)
    assert of_share.text == "difference.win_share.a < -0.01"
    assert parse_gate("win_share.greedy[stance=never] <= 0.3").metric == "win_share.greedy[stance=never]"
    assert gate.judge(_about(0.65, 0.05)) == "passed"
    assert gate.judge(_about(0.62, 0.05)) == "undecided"
    assert gate.judge(_about(0.5, 0.05)) == "failed"
    assert gate.judge(_about(None)) == "undecided"
    assert Gate(metric="m", op="<", bound=0.6).judge(_about(0.5, low=0.4, high=0.6)) == "undecided"
    assert Gate(metric="m", op="<=", bound=0.6).judge(_about(0.5, low=0.4, high=0.6)) == "passed"


@pytest.mark.parametrize(
    "text", ["", "victory_rate", "m == 0.6", "m => 0.6", "m >= six", "m >= 60%", "m > inf", ">= 2", "1 < m < 2"]
)
def test_other_gates_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="gate"):
        parse_gate(text)


def test_no_absurd_number_of_games_is_named() -> None:
    tiny = Estimate(value=1e-17, low=-0.1, high=0.1, n=100, level=0.95, method="t")
    assert games_needed(tiny, effect=None, games=100) is None
