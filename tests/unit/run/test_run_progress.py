"""Progress: nothing but plain lines off a terminal, JSON for programs, a bar that fits where there is one."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from toy_install import scenario

import pompeii_sim
from pompeii_sim.run import execute, make_progress
from pompeii_sim.run.forecast import forecast
from pompeii_sim.run.progress import BarProgress, JsonProgress, NoProgress, PlainProgress, duration, pace


def test_duration_for_people() -> None:
    assert [duration(s) for s in (-1, 0.4, 59.6, 65, 3599, 7260)] == [
        "0 s", "0 s", "1:00 min", "1:05 min", "59:59 min", "2:01 h",
    ]  # fmt: skip


def test_a_slow_player_has_a_speed() -> None:
    assert [pace(x) for x in (0.0, 0.156, 3.14, 9.96, 1640.4)] == [
        "0 games/s", "0.16 games/s", "3.1 games/s", "10 games/s", "1,640 games/s",
    ]  # fmt: skip


def test_plain_lines_tell_games_speed_time_and_estimate() -> None:
    stream = io.StringIO()
    progress = PlainProgress(stream, every=0.0)
    execute(scenario(games=3000), progress=progress, part_size=1000, jobs=1)
    text = stream.getvalue()
    assert re.search(r"^3000 games to play$", text, re.M)
    assert re.search(r"^\d+ of 3000 games, [\d,.]+ games/s, [^,]+ left", text, re.M)
    assert re.search(r", victory 0\.\d+ \(0\.\d+ to 0\.\d+\)$", text, re.M)
    assert re.search(r"^3000 games in [\d.]+ s, [\d,.]+ games/s$", text, re.M)
    assert re.fullmatch(r"[\x20-\x7e\n]*", text)


def test_a_rule_that_may_stop_before_is_told_as_a_limit() -> None:
    stream, lines = io.StringIO(), io.StringIO()
    rule: dict[str, Any] = {"precision": {"victory_rate": 0.05}, "max_games": 60_000}
    execute(scenario(games=1000), progress=PlainProgress(stream, every=0.0), **rule)
    text = stream.getvalue()
    assert re.search(r"^at most 60000 games to play$", text, re.M)
    assert re.search(r"^\d+ of at most 60000 games, [\d,.]+ games/s, at most [^,]+ left", text, re.M)
    execute(scenario(games=1000), progress=JsonProgress(lines), **rule)
    start = next(e for e in map(json.loads, lines.getvalue().splitlines()) if e["event"] == "start")
    assert start == {"event": "start", "total": 60_000, "done": 0, "at_most": True}


def test_json_lines() -> None:
    stream = io.StringIO()
    execute(scenario(games=2000), progress=JsonProgress(stream, every=0.0), part_size=500, jobs=2)
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert events[0] == {"event": "start", "total": 2000, "done": 0}
    assert events[-1]["event"] == "finish"
    assert [e["done"] for e in events if e["event"] == "progress"][-1] == 2000


def test_kind_follows_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(make_progress("auto"), PlainProgress)  # pytest's stderr is no terminal
    assert isinstance(make_progress("auto", quiet=True), NoProgress)
    assert isinstance(make_progress("none"), NoProgress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(make_progress("auto"), BarProgress)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(make_progress("auto"), PlainProgress)


@pytest.mark.parametrize("columns", [20, 80])
def test_bar_fits_the_window(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    stream = io.StringIO()
    progress = BarProgress()
    progress._console = Console(file=stream, force_terminal=True, width=columns, no_color=True)
    progress.start(1_000_000, 0)
    for _ in range(3):
        progress._last = 0.0
        progress.update(1000, "victory 0.5 (0.49 to 0.51)")
        progress._bar.refresh()
    progress._bar.stop()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    lines = [line for line in re.split(r"[\r\n]+", plain) if line]
    assert lines
    assert max(len(line) for line in lines) <= columns


def test_forecast_is_near_the_truth_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    s = scenario(games=5000, sweep={"rules.target": [2, 3]})
    told = forecast(s, sample=4000, jobs=1)
    assert (told.cells, told.games, told.sample) == (2, 10_000, 4000)
    assert list(tmp_path.iterdir()) == []
    assert told.bytes_core < told.bytes_full
    result = execute(s, out=tmp_path / "run")
    size = sum(p.stat().st_size for k in ("games", "series") for p in (tmp_path / "run" / k).rglob("*.parquet"))
    assert 0.7 * size < told.bytes_core < 1.6 * size
    assert told.seconds > 0
    assert result.state == "finished"


def test_memory_does_not_grow_with_games(tmp_path: Path) -> None:
    """Peak memory of a process that plays 25 times as many games is within 20 %."""
    code = (
        "import sys, resource; sys.path.insert(0, sys.argv[1]); from toy_install import install, scenario; install();"
        "from pathlib import Path; from pompeii_sim.run import execute;"
        "execute(scenario(games=int(sys.argv[2])), out=Path(sys.argv[3]), jobs=2);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    toy = str(Path(__file__).resolve().parents[2] / "toy")
    peaks = []
    for games in (40_000, 1_000_000):
        command = [sys.executable, "-W", "ignore", "-c", code, toy, str(games), str(tmp_path / str(games))]
        root = str(Path(pompeii_sim.__file__).resolve().parents[1])
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": root}
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < 1.2 * peaks[0], peaks
