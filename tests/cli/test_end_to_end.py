"""The whole way from a scenario to results, as processes, on the toy game."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, str(Path(__file__).with_name("toy_command.py"))]
SCENARIO = """game = "toy"
games = 3000
seed = 5
[[seats]]
[[seats]]
[sweep]
"rules.disaster" = [0.0, 0.5]
"""


def words(*arguments: object) -> list[str]:
    return [*COMMAND, *map(str, arguments)]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def start(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(*arguments), cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "toy.toml").write_text(SCENARIO)
    return tmp_path


def test_run_keep_resume_and_refuse(folder: Path) -> None:
    done = start(folder, "run", "toy.toml", "--format", "json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary == json.loads((folder / "runs" / "toy" / "summary.json").read_text())
    assert [c["settings"] for c in summary["cells"]] == [{"rules.disaster": 0.0}, {"rules.disaster": 0.5}]
    assert summary["cells"][0]["metrics"]["disaster_rate"]["value"] == 0
    assert "kept in runs/toy" in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    assert "Warning" not in done.stderr

    more = start(folder, "run", "runs/toy", "--resume", "--games", "4000", "--format", "csv", "--quiet")
    assert more.returncode == 0, more.stderr
    assert more.stderr == ""
    rows = list(csv.DictReader(io.StringIO(more.stdout)))
    assert {r["games"] for r in rows} == {"4000"}
    fresh = start(folder, "run", "toy.toml", "--games", "4000", "--out", "fresh", "--jobs", "1", "-q", "-f", "csv")
    assert fresh.stdout == more.stdout

    refused = start(folder, "run", "toy.toml", "--out", "fresh")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.splitlines()[-1].startswith("error: fresh: exists already")
    other = start(folder, "run", "toy.toml", "--out", "fresh", "--resume", "--seed", "6")
    assert other.returncode == 2
    assert "seed" in other.stderr.splitlines()[-1]


def test_interrupted_and_resumed(folder: Path) -> None:
    running = subprocess.Popen(
        words("run", "toy.toml", "--games", "20000000", "--out", "long", "--progress", "json"),
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not list(folder.glob("long/games/cell=0/part-*")) and time.monotonic() < deadline:
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert out == ""
    events = [json.loads(line) for line in err.splitlines()]
    assert events[-1] == {"event": "message", "text": "go on with: pompeii-sim run long --resume"}
    assert json.loads((folder / "long" / "manifest.json").read_text())["state"] == "interrupted"


def test_closed_pipe(folder: Path) -> None:
    text = " ".join(f"'{w}'" for w in words("run", "toy.toml", "--out", "piped", "--quiet"))
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {text} | true"],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "piped" / "summary.json").is_file()


def test_a_replayed_game_is_the_game_that_was_counted(folder: Path) -> None:
    kept = start(folder, "run", "toy.toml", "--out", "kept", "--games", "40", "-q")
    assert kept.returncode == 0, kept.stderr
    told = start(folder, "replay", "kept", "--game", "17", "--cell", "1", "--format", "jsonl")
    assert told.returncode == 0, told.stderr
    assert all("event" in json.loads(line) for line in told.stdout.splitlines())
    assert told.stdout
    wrong = start(folder, "replay", "kept", "--game", "17", "--cell", "2")
    assert (wrong.returncode, wrong.stderr) == (2, "error: cell: no cell 2; cells are 0 to 1\n")
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tests' / 'toy')!r})\n"
        "from toy_install import install\ninstall()\nimport pompeii_sim\n"
        "rows = pompeii_sim.load('kept').games(1).collect()\n"
        "for number in range(40):\n"
        "    row = pompeii_sim.play('kept', number, 1).row()[0]\n"
        "    for name in ('game', 'deal', 'arrangement', 'rounds', 'ended_by', 'winners', 'decisions'):\n"
        "        assert rows[name][number] == row[name], (number, name)\n"
    )
    same = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (same.returncode, same.stderr) == (0, "")


def test_dry_run_measures_and_writes_nothing(folder: Path) -> None:
    done = start(folder, "run", "toy.toml", "--dry-run", "--format", "json")
    assert done.returncode == 0, done.stderr
    cost = json.loads(done.stdout)["forecast"]
    assert (cost["cells"], cost["games"]) == (2, 6000)
    assert cost["games_per_second"] > 0
    assert 0 < cost["bytes_core"] <= cost["bytes_full"]
    assert "without compiling" in done.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["toy.toml"]


def test_interrupted_while_compiling(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    running = subprocess.Popen(
        words("run", "toy.toml", "--out", "never"),
        cwd=folder,
        env={**ENVIRONMENT, "POMPEII_SIM_CACHE": str(tmp_path_factory.mktemp("cache"))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    told = []
    for line in running.stderr:
        told.append(line)
        if line.startswith("compiling"):
            running.send_signal(signal.SIGINT)
            break
    out, rest = running.communicate(timeout=60)
    assert running.returncode == 130, told + [rest]
    assert out == ""
    assert rest == "interrupted before the first game: nothing was written\n"
    assert sorted(p.name for p in folder.iterdir()) == ["toy.toml"]


def test_failed_games_exit_1_with_a_command_that_shows_them(folder: Path) -> None:
    (folder / "mine.py").write_text("def wrong(P, own, T, weights, luck, acts, n):\n    return 999\n")
    rules = "[rules]\ndisaster = 0.0\n"  # else a few games end before anybody decides
    seats = '[[seats]]\nplayer = "mine.py:wrong"\n[[seats]]\n'
    (folder / "mine.toml").write_text(f'game = "toy"\ngames = 50\n{rules}{seats}')
    done = start(folder, "run", "mine.toml", "--out", "bad", "--format", "json")
    assert done.returncode == 1, done.stderr
    cell = json.loads(done.stdout)["cells"][0]
    assert 0 < cell["failed"] <= 50  # all games in which the seat had anything to decide
    assert cell["metrics"]["victory_rate"]["n"] == 50 - cell["failed"]
    assert f"{cell['failed']} games failed and are in no estimate" in done.stderr
    line = next(line for line in done.stderr.splitlines() if line.startswith("failed: game "))
    command = line.partition("pompeii-sim ")[2]
    assert command.startswith("replay bad --game ")
    told = start(folder, *command.split(), "--format", "jsonl")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout.splitlines()[0])["event"]

    first = start(folder, "run", "mine.toml", "--out", "first", "--games", "100000", "--fail-fast", "-q", "-f", "json")
    assert first.returncode == 1
    assert 0 < json.loads(first.stdout)["cells"][0]["failed"] < 100000


ENDLESS = """
class Endless:
    def choose(self, view):
        print("thinking")
        while True:
            pass

def spinning(pub, own, tables, weights, luck, acts, n):
    x = luck
    while x != 7:
        x = x * 2 + 2
    return acts[0]
"""


def test_a_player_that_never_answers_hangs_neither_replay_nor_dry_run(folder: Path) -> None:
    (folder / "mine.py").write_text(ENDLESS)
    for name in ("Endless", "spinning"):
        seats = f'[[seats]]\nplayer = "mine.py:{name}"\n[[seats]]\n'
        (folder / f"{name}.toml").write_text(f'game = "toy"\ngames = 50\n{seats}')
    known = r"the player of seat \d \(mine\.py:{}\) did not answer within the game's 1 s; it could choose of toss"
    told = start(folder, "replay", "Endless.toml", "--game", "3", "--timeout", "1s", "--format", "jsonl")
    assert told.returncode == 2
    line = rf"^error: game 3, decision \d+: {known.format('Endless')}"
    assert re.search(line, told.stderr, re.MULTILINE), told.stderr
    assert json.loads(told.stdout.splitlines()[0])["event"]  # what was printed by the player is elsewhere
    dry = start(folder, "run", "spinning.toml", "--dry-run", "--timeout", "1")
    assert (dry.returncode, dry.stdout) == (2, "")
    line = rf"^error: game \d, decision \d+: {known.format('spinning')}"
    assert re.search(line, dry.stderr, re.MULTILINE), dry.stderr


def test_replay_tells_seats_and_random_choices(folder: Path) -> None:
    seats = '[[seats]]\nplayer = "mine.py:Last"\nskill = 0.3\n[[seats]]\n'
    (folder / "mine.py").write_text("class Last:\n    def choose(self, view):\n        return view.legal[-1]\n")
    (folder / "erring.toml").write_text(f'game = "toy"\ngames = 50\n{seats}')
    told = start(folder, "replay", "erring.toml", "--game", "3")
    assert (told.returncode, told.stderr) == (0, "")
    lines = told.stdout.splitlines()
    assert lines[0].startswith("Seat 0: eager, skill 1 (seats.1 of the scenario)")
    assert lines[1].startswith("Seat 1: mine.py:Last, skill 0.3 (seats.0 of the scenario)")
    assert sum(line.startswith("  Seat 1 errs (skill 0.3): ") for line in lines) >= 2
    assert not any(line.startswith("  Seat 0 errs") for line in lines)
    events = [
        json.loads(line)
        for line in start(folder, "replay", "erring.toml", "--game", "3", "-f", "jsonl").stdout.splitlines()
    ]
    assert events[0]["event"] == "seats"
    assert sum(e["event"] == "chance" for e in events) == sum(" errs " in line for line in lines)


def test_json_progress_is_json_whatever_is_told(folder: Path) -> None:
    words = ["--games", "60", "--progress", "json"]
    for arguments in (
        ["run", "toy.toml", *words, "--dry-run"],
        ["run", "toy.toml", *words, "--resume", "--out", "new"],
        ["compare", "one.toml", "one.toml", "--sequential", "--max-games", "60", "--progress", "json"],
    ):
        (folder / "one.toml").write_text(SCENARIO.partition("[sweep]")[0])
        done = start(folder, *arguments)
        assert done.returncode == 0, done.stderr
        told = [json.loads(line)["event"] for line in done.stderr.splitlines()]
        assert "message" in told
