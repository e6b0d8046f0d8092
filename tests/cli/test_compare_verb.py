"""The verb ``compare``: what it prints in each format, what it says on stderr, and its exit codes."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TOY = Path(__file__).resolve().parents[1] / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

from toy_install import install, uninstall  # noqa: E402

Cli = Callable[..., Any]

TEXT = """game = "toy"
games = 600
{}
[[seats]]
player = "eager"
[[seats]]
player = "careful"
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from pompeii_sim.run import execute
    from pompeii_sim.scenario import load_scenario

    install()
    folder = tmp_path_factory.mktemp("compare")
    for name, more in (("a", ""), ("b", "rules.target = 2"), ("c", 'sweep."rules.target" = [2, 3, 4]')):
        file = folder / f"{name}.toml"
        file.write_text(TEXT.format(more))
        execute(load_scenario(file), out=folder / name, jobs=1)
    yield folder
    uninstall()


def check_refused(said: Any, text: str) -> None:
    """Check that a command was refused with code 2 and one line that holds a text."""
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert text in said.err


def test_table_names_both_runs_and_the_verdict(cli: Cli, place: Path) -> None:
    said = cli("compare", place / "a", place / "b", "--metric", "victory_rate", "--metric", "tosses_mean")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].split() == ["metric", "a", "b", "difference", "diverged", "verdict"]
    assert lines[2].split()[0] == "victory"
    assert lines[2].endswith("higher")
    assert "points" in lines[2]
    assert lines[3].endswith("lower")
    assert "deal by deal" in said.err
    assert "1 point matters" in said.err
    quiet = cli("compare", place / "a", place / "b", "-q")
    assert quiet.err == ""


def test_what_chance_gives_stands_beside_shares_and_a_missing_count_is_told(cli: Cli, place: Path) -> None:
    from pompeii_sim.run import execute
    from pompeii_sim.scenario import load_scenario

    file = place / "d.toml"
    file.write_text(TEXT.format("") + '[[seats]]\nplayer = "careful"\n')
    if not (place / "d").exists():
        execute(load_scenario(file), out=place / "d", jobs=1)
    said = cli("compare", place / "a", place / "d", "--metric", "win_share_by_player.careful")
    (line,) = said.out.splitlines()[2:]
    assert "(chance 50%)" in line
    assert "(chance 66.7%)" in line
    assert "(chance +16.7)" in line
    assert "no pairs" in line
    assert "seats are not arranged alike" in said.err
    alike = cli("compare", place / "a", place / "b", "--metric", "win_share_by_player.careful").out.splitlines()[2]
    assert alike.count("(chance 50%)") == 2
    assert "(chance +" not in alike


def test_settings_that_change_together_are_one_column(cli: Cli, place: Path) -> None:
    file = place / "linked.toml"
    cells = "".join(
        f'[[sweep.cells]]\n"seats.0.player" = "{p}"\n"seats.1.player" = "{p}"\n' for p in ("eager", "careful")
    )
    file.write_text(TEXT.format("") + cells)
    table = cli("run", file, "--out", place / "linked", "--games", 200, "-q").out.splitlines()
    assert table[0].split()[:3] == ["cell", "seats.0,1.player", "games"]
    assert [line.split()[1] for line in table[2:]] == ["eager", "careful"]
    rows = list(
        csv.DictReader(
            io.StringIO(cli("compare", place / "linked", "--by", "seats.1.player", "--format", "csv", "-q").out)
        )
    )
    assert {(row["base"], row["other"]) for row in rows} == {("eager", "careful")}


def test_a_run_under_a_rule_says_why_it_stopped(cli: Cli, place: Path) -> None:
    rule = ("--precision", "victory_rate=0.1", "--progress", "plain")
    said = cli("run", place / "a.toml", "--out", place / "narrow", *rule)
    assert "stopped: precision reached" in said.err.splitlines()
    assert "playing 1 cell x at least 600 games, seed 1" in said.err.splitlines()
    assert "at most 1000000 games to play" in said.err.splitlines()
    said = cli("run", place / "a.toml", "--out", place / "short", "--games", 10**8, "--max-time", "0.1")
    assert "stopped: time is over" in said.err.splitlines()
    said = cli("run", place / "a.toml", "--out", place / "plain")
    assert "stopped" not in said.err


def test_by_a_setting_in_every_format(cli: Cli, place: Path) -> None:
    words = ("compare", place / "c", "--by", "rules.target", "-m", "victory_rate", "--format")
    table = cli(*words, "table").out
    assert [line.split()[1:3] for line in table.splitlines()[2:]] == [["2", "3"], ["2", "4"], ["3", "4"]]
    assert cli(*words, "md").out.startswith("| metric | base | other | base value | other value | difference |")
    rows = list(csv.DictReader(io.StringIO(cli(*words, "csv").out)))
    assert [row["verdict"] for row in rows] == ["lower"] * 3
    document = json.loads(cli(*words, "json").out)
    assert [float(row["value"]) for row in rows] == [c["difference"]["value"] for c in document["comparisons"]]


def test_gates_decide_the_exit_code(cli: Cli, place: Path) -> None:
    said = cli("compare", place / "a", place / "b", "-m", "victory_rate", "--gate", "victory_rate >= 0.1")
    assert said.code == 0
    assert "gates: 1 of 1 passed" in said.err
    gates = ("--gate", "victory_rate >= 0.99", "--gate", "difference.victory_rate <= 0.5", "--gate", "cap_rate<=0")
    said = cli("compare", place / "a", place / "b", "-q", *gates)
    assert said.code == 3
    told = said.err.splitlines()
    assert [line.partition(":")[0] for line in told] == ["gate failed", "gate undecided"]
    assert told[0].startswith("gate failed: victory_rate >= 0.99, ")
    alone = cli("compare", place / "a", "--gate", "victory_rate >= 0.99")
    assert (alone.code, alone.out) == (3, "")
    document = json.loads(cli("compare", place / "a", "--gate", "cap_rate <= 1", "--format", "json").out)
    assert document["gates"][0]["state"] == "passed"


def test_nothing_differs(cli: Cli, place: Path) -> None:
    said = cli("compare", place / "a", place / "a")
    assert said.code == 0
    assert all(line.endswith("no game differs") for line in said.out.splitlines()[2:])
    assert "not one game took another course" in said.err


def test_undecided_names_the_games(cli: Cli, place: Path, tmp_path: Path) -> None:
    from pompeii_sim.run import execute
    from pompeii_sim.scenario import load_scenario

    other = tmp_path / "d.toml"
    other.write_text(TEXT.format("rules.disaster = 0.052\nseed = 9"))
    execute(load_scenario(other), out=tmp_path / "d", jobs=1)
    said = cli("compare", place / "a", tmp_path / "d", "-m", "victory_rate")
    assert "games would do" in said.out
    assert "cannot be told apart at this n" in said.err
    assert "separate games: another seed" in said.err


def test_sequential(cli: Cli, place: Path) -> None:
    words = ("compare", place / "a.toml", place / "b.toml", "--sequential")
    said = cli(*words, "--alpha", "0.05", "--effect", "0.01", "--jobs", 1)
    assert said.code == 0
    assert said.out.splitlines()[0].split()[:3] == ["metric", "a.toml", "b.toml"]
    assert "higher" in said.out
    assert "stopped: told apart" in said.err
    document = json.loads(cli(*words, "--format", "json", "-m", "rounds_mean", "--max-games", 2000).out)
    assert document["metric"] == "rounds_mean"
    assert document["difference"]["valid"] == "anytime"
    (row,) = csv.DictReader(io.StringIO(cli(*words, "--format", "csv").out))
    assert row["verdict"] == "higher"
    same = cli("compare", place / "a.toml", place / "a.toml", "--sequential", "--set", "rules.cap=9")
    assert "exactly zero" in same.err
    assert same.out.splitlines()[0].split()[1:5] == ["a.toml", "(first)", "a.toml", "(second)"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a"], "nothing to compare with"),
        (["a", "b", "--by", "rules.target"], "within one run"),
        (["a.toml", "b.toml"], "add --sequential"),
        (["a", "b", "--alpha", "0.1"], "add --sequential"),
        (["a", "b", "--set", "rules.target=2"], "add --sequential"),
        (["a.toml", "--sequential"], "needs two scenarios"),
        (["a.toml", "b.toml", "--sequential", "--gate", "victory_rate > 0"], "neither --by nor --gate"),
        (["a.toml", "b.toml", "--sequential", "-m", "victory_rate", "-m", "cap_rate"], "one --metric"),
        (["a.toml", "b.toml", "--sequential", "--effect", "rounds_mean=1"], "--effect"),
        (["a", "b", "--effect", "small"], "SIZE"),
        (["a", "b", "--effect", "=1"], "names no metric"),
        (["a", "nowhere"], "nowhere: no such run folder; a run folder is what 'run' made"),
        (["a", "bb"], "bb: no such run folder; did you mean 'b'?"),
        (["a", "."], ".: not a run folder: it has no manifest.json; runs in it: a, b"),
        (["a", "a/games"], "a/games: not a run folder: it has no manifest.json; a run folder is what"),
        (["a", "a.toml/x"], "a.toml/x: a.toml is a file, not a run folder"),
    ],
)
def test_wrong_use_is_one_line_and_code_2(
    cli: Cli, place: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    monkeypatch.chdir(place)
    check_refused(cli("compare", *words), text)


def test_robustness_counts_settings_and_shows_each(cli: Cli, place: Path) -> None:
    order, bound = "rounds_mean: rules.target 2 < 3 < 4", "victory_rate >= 0.99"
    said = cli("robustness", place / "c", order, bound)
    assert said.code == 0
    assert [line.split()[-5:] for line in said.out.splitlines()[2:]] == [
        ["1", "1", "0", "0", "yes"],
        ["3", "0", "3", "0", "no"],
    ]
    assert "--each shows every setting" in said.err
    each = cli("robustness", place / "c", order, bound, "--each", "--quiet")
    assert each.err == ""
    lines = each.out.splitlines()
    assert len(lines) == 6
    assert lines[2].startswith(order)
    assert [line.count("flips") for line in lines[2:]] == [0, 1, 1, 1]
    rows = list(csv.DictReader(io.StringIO(cli("robustness", place / "c", bound, "--each", "-f", "csv").out)))
    assert [row["verdict"] for row in rows] == ["flips"] * 3
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) < 0 for row in rows)
    assert json.loads(cli("robustness", place / "c", order, "-f", "json").out)[0]["survives"] is True


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["c"], "names no conclusion; add one, such as 'rounds_mean <= 12'"),
        (["c", "nonsense"], "conclusion 'nonsense': is no conclusion; write it like 'METRIC >= 0.6' or 'METRIC: rules"),
        (["c", "victory_rat >= 0.5"], "did you mean"),
        (["c", "victory_rate >= 0.5", "--level", "2"], "--level: must lie between 0 and 1, got 2"),
        (["a", "victory_rate: rules.x A < B"], "'rules.x' is not swept in this run; it sweeps nothing"),
        (["c.toml", "victory_rate >= 0.5"], "is a file, not a run folder"),
    ],
)
def test_robustness_says_what_is_wrong(
    cli: Cli, place: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], text: str
) -> None:
    monkeypatch.chdir(place)
    check_refused(cli("robustness", *words), text)
