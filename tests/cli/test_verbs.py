"""The verbs in one process, on a stub game: what they print, where, and their exit codes."""

from __future__ import annotations

import csv
import io
import json
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Literal

import pytest

from pompeii_sim.engine.contract import Metric
from pompeii_sim.errors import InputError
from pompeii_sim.run.forecast import Forecast
from pompeii_sim.run.interrupt import Interrupted
from pompeii_sim.run.play import Failure
from pompeii_sim.run.result import RunResult
from pompeii_sim.run.summary import CellResult, build_summary
from pompeii_sim.scenario import Scenario
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import Schema

pytestmark = pytest.mark.usefixtures("game")
Cli = Callable[..., Any]

TEXT = """game = "stub"
games = 50
[[seats]]
[[seats]]
player = "random"
[sweep]
"rules.difficulty" = ["A", "B"]
"""


@pytest.fixture
def scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ladder.toml"
    file.write_text(TEXT)
    return file


class FakeRun:
    """Stands in for playing: remembers what it was asked and answers with made-up estimates."""

    def __init__(self) -> None:
        self.asked: list[tuple[Scenario, dict[str, Any]]] = []
        self.failures: list[Failure] = []
        self.signum = 0
        self.valid: Literal["fixed", "anytime"] = "fixed"

    def __call__(self, scenario: Scenario, **options: Any) -> RunResult:
        self.asked.append((scenario, options))
        share = {
            "greedy": Estimate(value=0.6, low=0.5, high=0.7, n=50, level=0.95, method="wilson", expected=0.5),
            "random": Estimate(value=0.4, low=0.3, high=0.5, n=50, level=0.95, method="wilson", expected=0.5),
        }
        rate = Estimate(value=1 / 3, low=0.3, high=0.37, n=50, level=0.95, method="wilson", valid=self.valid)
        mean = Estimate(value=4.25, low=4.2, high=4.3, n=50, level=0.95, method="t")
        cells = [
            CellResult(
                index=c.index,
                settings=c.settings,
                games=scenario.games,
                failed=len(self.failures),
                metrics={"win_rate": rate, "rounds_mean": mean, "win_share_by_player": dict(share)},
                anytime={},
            )
            for c in scenario.cells
        ]
        summary = build_summary(game="stub", seed=scenario.seed, games=scenario.games, seating="rotate", cells=cells)
        metrics = (
            Metric(name="win_rate", title="won", kind="rate", definition="d", headline=True),
            Metric(name="rounds_mean", title="rounds", kind="mean", definition="d"),
            Metric(
                name="win_share_by_player", title="win share", kind="share", by="player", definition="d", headline=True
            ),
        )
        schema = object.__new__(Schema)
        object.__setattr__(schema, "metrics", metrics)
        object.__setattr__(schema, "columns", (SimpleNamespace(name="error", labels={3: "too many decisions"}),))
        result = RunResult(
            folder=options["out"],
            schema=schema,
            cells=cells,
            summary=summary,
            state="finished",
            reason="all games played",
            played=100,
            seconds=2.0,
            games_per_second=50.0,
            failed=len(self.failures),
            failures=self.failures,
            damaged=[],
        )
        if self.signum:
            raise Interrupted(options["out"], self.signum, result)
        options["out"].mkdir(parents=True, exist_ok=options["resume"])
        return result


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRun:
    import importlib

    stand_in = FakeRun()
    # by the module itself: the name `pompeii_sim.run.execute` is the function once the room is imported
    monkeypatch.setattr(importlib.import_module("pompeii_sim.run.execute"), "execute", stand_in)
    return stand_in


def test_run_prints_one_row_a_cell(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    said = cli("run", scenario)
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].split("  ")[0] == "cell"
    for word in (
        "rules.difficulty",
        "games",
        "won",
        "win share: greedy (chance 50%)",
        "win share: random (chance 50%)",
    ):
        assert word in lines[0]
    assert "failed" not in lines[0]
    assert "rounds" not in lines[0]
    assert len(lines) == 4
    assert "33% [30, 37]" in lines[2]
    assert "60% [50, 70]" in lines[3]
    assert "2 cells x 50 games = 100 games, seed 1" in said.err
    assert "kept in runs/ladder" in said.err
    assert fake.asked[0][1]["out"] == Path("runs/ladder")


def test_formats_come_from_the_same_estimates(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    as_json = json.loads(cli("run", scenario, "--format", "json", "-o", "a").out)
    assert as_json["cells"][1]["settings"] == {"rules.difficulty": "B"}
    assert as_json["cells"][1]["metrics"]["win_rate"]["value"] == 1 / 3
    rows = list(csv.DictReader(io.StringIO(cli("run", scenario, "--format", "csv", "-o", "b").out)))
    assert len(rows) == 8
    assert float(rows[0]["value"]) == 1 / 3
    assert {r["label"] for r in rows if r["metric"] == "win_share_by_player"} == {"greedy", "random"}
    assert cli("run", scenario, "--format", "md", "-o", "c").out.startswith("| cell |")


def test_quiet_says_nothing_but_results(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    said = cli("run", scenario, "--quiet")
    assert said.err == ""
    assert said.out


def test_options_reach_the_run(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    said = cli(
        "run", scenario, "--games", 9, "--seed", 0, "--jobs", 2, "--records", "full", "--series-every", 0,
        "--set", "rules.difficulty=C", "--set", "seats.0.stance=never", "--out", "x/y", "--resume",
    )  # fmt: skip
    assert said.code == 0
    checked, options = fake.asked[0]
    assert (checked.games, checked.seed, len(checked.cells)) == (9, 0, 1)
    assert checked.cells[0].kinds == ("greedy", "random")
    assert checked.cells[0].seats[0].stance == "never"  # type: ignore[attr-defined]
    assert options["out"] == Path("x/y")
    assert (options["jobs"], options["resume"], options["records"], options["series_every"]) == (2, True, "full", 0)


def test_stopping_options(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    said = cli(
        "run", scenario, "--precision", "win_rate=0.01", "--precision", "rounds_mean=0.5", "--max-time", "2m",
        "--max-games", 9000, "--allocate", "contenders", "--joint", "--fail-fast",
    )  # fmt: skip
    assert said.code == 0
    options = fake.asked[0][1]
    assert options["precision"] == {"win_rate": 0.01, "rounds_mean": 0.5}
    assert (options["max_time"], options["max_games"], options["allocate"]) == (120.0, 9000, "contenders")
    assert (options["joint"], options["fail_fast"]) == (True, True)
    for wrong in ("win_rate", "win_rate=", "win_rate=x", "=0.1", "win_rate=0", "win_rate=nan"):
        said = cli("run", scenario, "--precision", wrong)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert "--precision" in said.err
    for wrong in ("x", "0", "-3", "5d", ""):
        assert cli("run", scenario, f"--max-time={wrong}").code == 2


def test_without_out_every_run_gets_its_own_folder(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    cli("run", scenario)
    cli("run", scenario)
    cli("run", scenario, "--resume")
    assert [str(o["out"]) for _, o in fake.asked[:2]] == ["runs/ladder", "runs/ladder-2"]
    assert str(fake.asked[-1][1]["out"]) == "runs/ladder-2"


def test_a_run_folder_stands_for_its_scenario(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    folder = scenario.parent / "kept"
    folder.mkdir()
    (folder / "scenario.toml").write_text(TEXT)
    assert cli("validate", folder).code == 0
    fake.signum = signal.SIGINT
    cli("run", folder, "--resume")
    assert fake.asked[0][1]["out"] == folder
    (folder / "scenario.toml").unlink()
    said = cli("validate", folder)
    assert said.code == 2
    assert "a folder without scenario.toml" in said.err


def test_interrupted_says_how_to_go_on(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    for signum, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        fake.signum = signum
        said = cli("run", scenario, "-o", "here", "-q")
        assert said.code == code
        assert said.out == ""
        assert "go on with: pompeii-sim run here --resume" in said.err


def test_failed_games_are_told_with_a_replay_command(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    fake.failures = [Failure(cell=1, game=17, error=3, text="")]
    said = cli("run", scenario, "-o", "here")
    assert said.code == 1
    assert "game 17 of cell 1: too many decisions; see it with: pompeii-sim replay here --game 17 --cell 1" in said.err
    assert "failed" in said.out.splitlines()[0]


def test_intervals_valid_at_every_look_are_marked(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    assert "every look" not in cli("run", scenario, "-o", "one").out
    fake.valid = "anytime"
    said = cli("run", scenario, "-o", "two", "-f", "md", "--quiet").out
    assert "| won * |" in said
    assert "33% [30, 37]" in said  # still in percent
    assert said.splitlines()[-1].startswith("* interval valid at every look")
    assert "\n* " not in cli("run", scenario, "-o", "three", "-f", "csv").out


def test_cluster_and_timeout_reach_the_run(cli: Cli, scenario: Path, fake: FakeRun) -> None:
    assert cli("run", scenario, "--backend", "dask", "--address", "tcp://here:1", "--timeout", "2m").code == 0
    options = fake.asked[-1][1]
    assert (options["backend"], options["address"], options["timeout"]) == ("dask", "tcp://here:1", 120.0)
    assert cli("run", scenario, "--timeout", "soon").err.startswith("error: --timeout: 'soon' is no time")


def test_dry_run_plays_and_writes_nothing(
    cli: Cli, scenario: Path, fake: FakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def forecast(checked: Scenario, **options: Any) -> Forecast:
        asked.append(options)
        return Forecast(
            cells=2,
            games=100,
            games_per_second=1234.5,
            seconds=71.0,
            bytes_core=4_560,
            bytes_full=12_300_000,
            sample=40,
        )

    monkeypatch.setattr("pompeii_sim.run.forecast.forecast", forecast)
    said = cli("run", scenario, "--dry-run", "--jobs", 2, "--series-every", 7, "--timeout", "2m")
    assert said.code == 0
    assert asked == [{"jobs": 2, "series_every": 7, "timeout": 120.0}]
    assert said.err.splitlines() == [
        "would play 2 cells x 50 games = 100 games, seed 1",
        "time: about 1:11 min without compiling (1,234 games/s on one core, measured on 40 games)",
        "disk: about 4.56 kB with core records, 12.3 MB with full records",
    ]
    document = json.loads(cli("run", scenario, "--dry-run", "--format", "json").out)
    assert document["forecast"]["seconds"] == 71.0
    assert [c["cell"] for c in document["cells"]] == [0, 1]
    more = cli("run", scenario, "--dry-run", "--precision", "win_rate=0.01", "--max-games", 9000)
    assert more.err.splitlines() == [
        "would play 2 cells x at least 50 games, seed 1",
        "time: at least about 1:11 min without compiling (1,234 games/s on one core, measured on 40 games)",
        "disk: at least about 4.56 kB with core records, 12.3 MB with full records",
        "cells go on until the precision is reached, at most 9,000 games a cell",
    ]
    open_end = cli("run", scenario, "--dry-run", "--precision", "win_rate=0.01")
    assert open_end.err.splitlines()[-1].endswith("at most 1,000,000 games a cell")
    timed = cli("run", scenario, "--dry-run", "--max-time", "5m")
    assert timed.err.splitlines()[0] == "would play 2 cells x at most 50 games, seed 1"
    assert fake.asked == []
    assert [line.split()[:2] for line in said.out.splitlines()[2:]] == [["0", "A"], ["1", "B"]]
    assert sorted(p.name for p in scenario.parent.iterdir()) == ["ladder.toml", "shipped"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "rules.difficulty=D"], "rules.difficulty: 'D' is not valid; valid: A, B, C"),
        (["--set", "seats.0.player=gredy"], "did you mean 'greedy'?"),
        (["--set", "rules.dificulty=A"], "did you mean 'difficulty'?"),
        (["--set", "seats=[{},{},{},{},{}]"], "5 seats at the table; Stub seats 1 to 4"),
        (["--games", "0"], "games: 0 is not valid"),
        (["--games", "-3"], "games: -3 is not valid"),
        (["--games", "x"], "--games"),
        (["--jobs", "0"], "--jobs"),
        (["--records", "ful"], "'--records': 'ful' is not one of 'core', 'full'; see"),
        (["--series-every", "-1"], "'--series-every': it must be greater than or equal to 0; see"),
        (["--seed", "99999999999999999999"], "64 bits"),
        (["--format", "xml"], "xml"),
        (["--gmaes", "3"], "--games"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    cli: Cli, scenario: Path, fake: FakeRun, arguments: list[str], words: str
) -> None:
    said = cli("run", scenario, *arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert words in said.err
    assert fake.asked == []
    assert not (scenario.parent / "runs").exists()


def test_an_unknown_verb_or_no_verb(cli: Cli) -> None:
    said = cli("rum")
    assert said.code == 2
    assert "'run'" in said.err
    said = cli()
    assert said.code == 0
    listed = said.out.partition("Commands:")[2].partition("Exit codes")[0].strip().splitlines()
    assert [line.split()[0] for line in listed] == [
        "run", "report", "compare", "robustness", "replay", "catalog", "players", "validate", "bench", "doctor",
    ]  # fmt: skip
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)
    assert cli("--version").out.startswith("pompeii-sim ")


def test_validate_lists_cells(cli: Cli, scenario: Path) -> None:
    said = cli("validate", scenario, "--set", 'sweep.stance=["never","cooperative"]')
    assert said.code == 0
    assert len(said.out.splitlines()) == 6
    assert "4 cells x 50 games" in said.err
    assert "1 stated" in said.err
    document = json.loads(cli("validate", scenario, "-f", "json").out)
    assert document["scenario"]["games"] == 50
    assert document["cells"][1]["rules.difficulty"] == "B"


def test_catalog(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("catalog", "--game", "stub").out.splitlines()[2].split() == ["costs", "2", "2"]
    assert "army" in cli("catalog", "costs", "--game", "stub").out
    entries = json.loads(cli("catalog", "--game", "stub", "-f", "json").out)["entries"]
    assert entries[0] == {
        "section": "costs", "id": "army", "name": "army", "fields": {"goods": {"sword": 2, "shield": 1}},
        "provenance": "stated", "note": "",
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(cli("catalog", "costs", "--game", "stub", "-f", "csv").out)))
    assert [r["id"] for r in rows] == ["army", "build.red"]
    said = cli("catalog", "cost", "--game", "stub")
    assert (said.code, said.out) == (2, "")
    assert "did you mean 'costs'" in said.err
    said = cli("catalog", "export", "mine", "--game", "stub")
    assert said.out == "mine\n"
    assert (tmp_path / "mine" / "costs.toml").is_file()
    assert 'data = "mine"' in said.err
    said = cli("catalog", "export", "mine", "--game", "stub")
    assert said.code == 2
    assert "exists already" in said.err
    assert cli("catalog", "export", "--game", "stub").code == 2
    assert cli("catalog", "--data", "nowhere", "--game", "stub").code == 2
    assert "army" in cli("catalog", "costs", "--data", "mine", "--game", "stub").out


def test_players(cli: Cli) -> None:
    said = cli("players", "--game", "stub", "-f", "json")
    assert [p["player"] for p in json.loads(said.out)] == ["greedy", "random"]
    assert json.loads(said.out)[0]["weights"] == {"value": 1.0}
    assert cli("players", "--game", "stib").code == 2


def test_replay(cli: Cli, scenario: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class One:
        events: ClassVar = [{"event": "setup", "goods": {"0": {"fish": 1}}}, {"event": "game_end"}]

        def play(self) -> One:
            if asked[-1][1] == 4:
                raise InputError("the player of seat 1 failed: ZeroDivisionError", where="game 4, decision 7")
            return self

        def story(self) -> str:
            return "It began.\nIt ended."

    def play(checked: Scenario, game: int, cell: int, *, to_end: bool, timeout: float) -> One:
        assert not to_end
        assert timeout == 30.0
        asked.append((checked.seed, game, cell))
        return One()

    monkeypatch.setattr("pompeii_sim.play", play)
    said = cli("replay", scenario, "--game", 17, "--cell", 1, "--format", "jsonl")
    assert [json.loads(line)["event"] for line in said.out.splitlines()] == ["setup", "game_end"]
    assert cli("replay", scenario, "--game", 3, "--seed", 9).out == "It began.\nIt ended.\n"
    assert asked == [(1, 17, 1), (9, 3, 0)]
    failed = cli("replay", scenario, "--game", 4)
    assert (failed.code, failed.out) == (2, "It began.\nIt ended.\n")
    assert failed.err == "error: game 4, decision 7: the player of seat 1 failed: ZeroDivisionError\n"
    assert cli("replay", scenario).code == 2
    assert cli("replay", scenario, "--game", -1).code == 2
    assert cli("replay", scenario, "--game", 49).err == ""
    assert cli("replay", scenario, "--game", 50).err == (
        "the scenario has games 0 to 49 in each cell; this is one it would play with more games\n"
    )
    folder = scenario.parent / "kept"
    folder.mkdir()
    (folder / "scenario.toml").write_text(TEXT)
    assert cli("replay", folder, "--game", 60, "--seed", 2).err == (
        "not a game of this run: played with other settings\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["run", "ladder.toml", "--out", "ladder.toml/x"],
        ["run", "ladder.toml", "--out", "ladder.toml/x/y", "--resume"],
        ["catalog", "export", "ladder.toml/x", "--game", "stub"],
        ["bench", "ladder.toml", "--out", "ladder.toml/x"],
    ],
)
def test_a_file_in_the_place_of_a_folder_is_named(cli: Cli, scenario: Path, words: list[str]) -> None:
    said = cli(*words)
    assert said.code == 2
    assert "ladder.toml is a file, not a folder; choose another place" in said.err.splitlines()[-1]


def test_faults_of_ours_are_not_dressed_up(cli: Cli, monkeypatch: pytest.MonkeyPatch, scenario: Path) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pompeii_sim.validate", broken)
    with pytest.raises(ZeroDivisionError):
        cli("validate", scenario)


def test_api_checks_like_the_command_line(scenario: Path) -> None:
    import pompeii_sim

    checked = pompeii_sim.validate(scenario)
    assert pompeii_sim.validate(checked) is checked
    assert pompeii_sim.validate(checked, ["rules.difficulty=C"], games=3).games == 3
    with pytest.raises(InputError, match="exists"):
        pompeii_sim.export_data(scenario, "stub")
