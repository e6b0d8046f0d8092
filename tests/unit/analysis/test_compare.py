"""Comparing runs: which cells meet, paired or not, what is said, and gates."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from toy_install import scenario

import pompeii_sim
from pompeii_sim.analysis import paired_difference, study
from pompeii_sim.analysis.compare import Compared, Comparison, compare_runs
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.stats.newcombe import newcombe
from pompeii_sim.stats.rounding import person_difference

GAMES = 600


def _run(out: Path | None = None, games: int = GAMES, **more: Any) -> Any:
    players = more.pop("players", ())
    return execute(scenario(*players, games=games, **more), out=out, jobs=1, part_size=250, series_every=0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from toy_install import install

    install()
    base = tmp_path_factory.mktemp("runs")
    out = {name: base / name for name in ("base", "other", "fresh", "sweep", "sweep2")}
    _run(out["base"])
    _run(out["other"], games=500, rules={"target": 2})
    _run(out["fresh"], seed=7, rules={"target": 2})
    _run(out["sweep"], sweep={"rules.target": [2, 3, 4], "rules.disaster": [0.05, 0.1]})
    _run(out["sweep2"], rules={"cap": 7}, sweep={"rules.target": [3, 4], "rules.disaster": [0.1, 0.2]})
    return out


def _line(made: Comparison, metric: str) -> Compared:
    (line,) = [line for line in made.lines if line.metric == metric]
    return line


def test_runs_that_share_deals_are_paired_on_the_common_ones(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["base"], runs["other"])
    line = _line(made, "victory_rate")
    alone = paired_difference(study(runs["other"]), 0, study(runs["base"]), 0, "victory_rate")
    assert line.paired
    assert line.difference == alone.difference
    assert (line.difference.n, line.difference.method) == (500, "tango")  # of 600 and 500 games
    assert (line.sides.base_name, line.sides.other_name, line.verdict.word) == ("base", "other", "higher")
    assert line.diverged is not None
    assert line.diverged.value is not None
    assert 0.2 < line.diverged.value <= 1
    assert line.gain is not None
    assert [line.metric for line in made.lines] == [
        "victory_rate", "disaster_rate", "rounds_mean", "win_share_by_player.eager", "win_share_by_player.careful",
    ]  # fmt: skip


def test_other_seeds_are_not_paired_and_say_why(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["base"], runs["fresh"])
    line = _line(made, "victory_rate")
    a, b = (pompeii_sim.load(runs[name]).summary["cells"][0]["metrics"]["victory_rate"] for name in ("base", "fresh"))
    wins = [round(e["value"] * e["n"]) for e in (b, a)]
    assert line.difference == newcombe(wins[0], GAMES, wins[1], GAMES)
    assert (line.paired, line.diverged, line.note) == (False, None, "separate games: another seed: 1 and 7")
    assert _line(made, "rounds_mean").difference.method == "welch"
    assert line.base.to_json() == a


def test_cells_of_the_same_settings_meet(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["sweep"], runs["sweep2"], metrics=["rounds_mean"])
    assert [(line.sides.base.cell, line.sides.other.cell) for line in made.lines] == [(3, 0), (5, 2)]
    assert made.frame["rules.target"].to_list() == ["3", "4"]
    lone = compare_runs(runs["base"], runs["sweep2"], metrics=["rounds_mean"])
    assert [line.sides.other.cell for line in lone.lines] == [0, 1, 2, 3]
    with pytest.raises(InputError, match="no cell has the settings"):
        compare_runs(runs["sweep"], _run(games=9, sweep={"rules.target": [8, 9]}))


def test_values_of_a_setting_meet_where_all_else_is_equal(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["sweep"], by="rules.target", metrics=["victory_rate"])
    met = [(line.sides.base_name, line.sides.other_name, line.sides.shared["rules.disaster"]) for line in made.lines]
    assert met == [(a, b, d) for d in (0.05, 0.1) for a, b in (("2", "3"), ("2", "4"), ("3", "4"))]
    assert all(line.paired and line.verdict.word == "lower" for line in made.lines)
    frame = made.frame
    assert frame.columns[:6] == ["metric", "rules.disaster", "base", "other", "base_cell", "other_cell"]
    assert frame["verdict"].to_list() == ["lower"] * 6
    differences = (frame["other_value"] - frame["base_value"]).to_list()
    assert frame["value"].to_list() == pytest.approx(differences)


def test_the_same_run_twice_differs_in_nothing_and_says_so(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["base"], runs["base"])
    for line in made.lines:
        assert line.difference.value == 0.0
        assert line.diverged is not None
        assert line.diverged.value == 0.0
        assert line.verdict.why == "not one of 600 games took another course"
    assert _line(made, "rounds_mean").sides.base_name.endswith("(first)")
    assert _line(made, "victory_rate").verdict.word == "equivalent"
    assert _line(made, "rounds_mean").verdict.word == "undecided"  # of means nothing is equivalent without an effect
    enough = compare_runs(runs["base"], runs["base"], metrics=["rounds_mean"], effect={"rounds_mean": 10.0})
    assert _line(enough, "rounds_mean").verdict.word == "equivalent"


def test_deals_are_the_units_of_duplicate_play() -> None:
    base, other = (_run(seating="duplicate", games=300, rules={"target": t}) for t in (3, 2))
    line = _line(compare_runs(base, other), "victory_rate")
    assert (line.difference.n, line.difference.method) == (100, "paired t, deals")
    both = compare_runs(base, _run(seating="rotate"))
    assert "duplicate" in both.lines[0].note


def test_effects_by_metric(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["base"], runs["other"], effect={"rounds_mean": 0.5, "victory_rate": 0.9})
    assert {line.metric: line.effect for line in made.lines} == {
        "victory_rate": 0.9, "disaster_rate": 0.01, "rounds_mean": 0.5,
        "win_share_by_player.eager": 0.01, "win_share_by_player.careful": 0.01,
    }  # fmt: skip
    assert _line(made, "victory_rate").verdict.word == "equivalent"
    assert _line(compare_runs(runs["base"], runs["other"], effect=0), "victory_rate").effect is None


def test_undecided_names_the_games_that_would_do(runs: dict[str, Path]) -> None:
    made = compare_runs(runs["base"], _run(seed=3, rules={"disaster": 0.052}), metrics=["victory_rate"])
    (line,) = made.lines
    assert line.verdict.word == "undecided"
    assert line.verdict.games is not None
    assert line.verdict.games > GAMES
    assert f"about {line.verdict.games:,} games would do" in line.text
    assert made.frame["games_needed"].to_list() == [line.verdict.games]


def test_gates_want_the_whole_interval(runs: dict[str, Path]) -> None:
    line = _line(compare_runs(runs["base"], runs["other"]), "victory_rate")
    low, high = line.difference.low, line.difference.high
    assert low is not None
    assert high is not None
    made = compare_runs(
        runs["base"],
        runs["other"],
        metrics=["rounds_mean"],
        gates=[
            f"difference.victory_rate > {low - 1e-6}",
            f"difference.victory_rate > {low + 1e-6}",
            f"difference.victory_rate > {high + 1e-6}",
            "cap_rate < 0.05",
        ],
    )
    assert [gate.state for gate in made.gates] == ["passed", "undecided", "failed", "passed"]
    assert not made.passed
    assert made.gates[3].estimate.n == 500  # of the run looked at, not of the base
    assert "points" in made.gates[0].text
    every = compare_runs(runs["sweep"], gates=["victory_rate >= 0.01"])
    assert [gate.where.partition(" (")[0] for gate in every.gates] == [f"cell {k}" for k in range(6)]
    assert every.passed
    assert every.lines == ()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "nothing to compare with"),
        ({"by": "rules.targt"}, "did you mean 'rules.target'"),
        ({"by": "rules.target", "metrics": ["victory"]}, "did you mean 'victory_rate'"),
        ({"by": "rules.target", "effect": {"victory": 0.1}}, "did you mean 'victory_rate'"),
        ({"by": "rules.target", "effect": -1.0}, "effect"),
        ({"by": "rules.target", "level": 1.0}, "level"),
        ({"by": "rules.target", "gates": ["victory_rate"]}, "is no gate"),
        ({"by": "rules.target", "gates": ["victory >= 1"]}, "did you mean"),
        ({"gates": ["difference.victory_rate >= 1"]}, "no difference in one run"),
        ({"other": "base", "by": "rules.target"}, "within one run"),
    ],
)
def test_wrong_use_is_told(runs: dict[str, Path], options: dict[str, Any], text: str) -> None:
    if "other" in options:
        options = {**options, "other": runs["base"]}
    with pytest.raises(InputError, match=text):
        compare_runs(runs["sweep"], **options)


def test_labels_that_only_one_side_has() -> None:
    base, other = _run(players=("eager", "careful")), _run(players=("eager", "cheat"))
    assert "win_share_by_player.eager" in {line.metric for line in compare_runs(base, other).lines}
    assert not any(line.metric.endswith(("careful", "cheat")) for line in compare_runs(base, other).lines)
    with pytest.raises(InputError, match="nobody of that name"):
        compare_runs(base, other, metrics=["win_share_by_player.cheat"])


def test_lists_of_seats_are_called_by_who_sits_there() -> None:
    lists = [[{"player": "eager"}] * 2, [{"player": "eager"}, {"player": "careful"}, {"player": "careful"}]]
    (line,) = compare_runs(_run(sweep={"seats": lists}), by="seats", metrics=["victory_rate"]).lines
    assert (line.sides.base_name, line.sides.other_name) == ("2 eager", "1 eager + 2 careful")
    assert line.paired
    assert line.diverged is None


def test_shares_of_other_line_ups_stand_beside_what_chance_gives() -> None:
    """Two careful seats alone win every game that is won; two of three seats win two thirds by chance."""
    alone, mixed = _run(players=("careful", "careful")), _run(players=("eager", "careful", "careful"))
    made = compare_runs(alone, mixed, metrics=["win_share_by_player.careful"])
    (line,) = made.lines
    assert (line.base.value, line.base.expected) == (1.0, 1.0)
    assert line.other.expected == pytest.approx(2 / 3)
    assert line.difference.expected == pytest.approx(-1 / 3)
    assert "chance alone gives -33.3 points" in made.verdicts[0]
    (row,) = made.frame.to_dicts()
    assert (row["base_expected"], row["other_expected"]) == (1.0, pytest.approx(2 / 3))
    assert row["expected"] == pytest.approx(-1 / 3)
    assert line.diverged is None
    assert line.note == (
        "how many games diverged is not known: seats are not arranged alike, so single games have no counterpart"
    )
    same = compare_runs(mixed, _run(rules={"target": 2}), metrics=["win_share_by_player.careful"]).lines[0]
    assert same.difference.expected is None
    assert "chance" not in same.text


def test_failed_games_are_left_out_and_counted() -> None:
    made = compare_runs(_run(players=("eager", "cheat")), _run(players=("eager", "cheat"), rules={"target": 2}))
    line = _line(made, "victory_rate")
    assert "in which a game failed" in line.note
    assert line.difference.n < GAMES


def test_the_public_function_is_the_same_and_json_holds_everything(runs: dict[str, Path]) -> None:
    made = pompeii_sim.compare(runs["base"], runs["other"], gates=["victory_rate > 0"])
    assert made.to_json() == compare_runs(runs["base"], runs["other"], gates=["victory_rate > 0"]).to_json()
    with pytest.raises(FrozenInstanceError):
        made.level = 0.5  # type: ignore[misc]
    document = json.loads(json.dumps(made.to_json(), allow_nan=False))
    assert document["comparisons"][0]["verdict"] == "higher"
    assert document["gates"][0]["state"] == "passed"
    assert len(made.verdicts) == len(made.lines)
    assert made.verdicts[0].startswith("victory, other against base: higher by ")


def test_differences_for_people() -> None:
    from pompeii_sim.stats.estimate import Estimate

    def about(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
        return Estimate(value=value, low=low, high=high, n=9, level=0.95, method="m")

    assert person_difference(about(-0.1, -0.13, -0.07), rate=True) == "-10 points [-13, -7]"
    assert person_difference(about(-0.1, -0.13, -0.07), rate=True, signed=False) == "10 points [7, 13]"
    assert person_difference(about(0.4512, 0.33, 0.57), rate=False) == "+0.45 [0.33, 0.57]"
    assert person_difference(about(0.0, -0.01, 0.01), rate=True) == "0.0 points [-1.0, 1.0]"
    assert person_difference(about(-0.03, -0.06, -0.003), rate=True) == "-3.0 points [-6.0, -0.3]"
    assert person_difference(about(0.25), rate=False) == "+0.250"
    # rounding neither doubles a difference nor takes it away while the interval's next digit could tell it
    assert person_difference(about(0.052, -0.2, 0.3), rate=False) == "+0.05 [-0.20, 0.30]"
    assert person_difference(about(-0.0006, -0.013, 0.0118), rate=True) == "-0.06 points [-1.30, 1.18]"
    assert person_difference(about(0.26, -0.1, 0.6), rate=False) == "+0.3 [-0.1, 0.6]"
    assert person_difference(about(-0.01, -0.03, 0.01), rate=True) == "-1 point [-3, 1]"
    assert person_difference(about(None), rate=True) == "none"
