"""Real processes are killed at random moments; resuming gives the bytes of a run that was never disturbed."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from toy_install import scenario

import pompeii_sim
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.store import open_run

SCENARIO: dict[str, Any] = {"games": 6000, "seating": "duplicate", "sweep": {"rules.target": [2, 3]}}
OPTIONS: dict[str, Any] = {"part_size": 300, "series_every": 20, "chunk": 60}
ROOT = Path(pompeii_sim.__file__).resolve().parents[1]


class Driver:
    """Sends requests to the forking process."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        self.log = folder / "log.txt"
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("kill_driver.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert json.loads(self._line())["ready"]

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(
        self, out: Path, *, kill: float | None = None, signum: int = signal.SIGKILL, parts: int = 0, **options: Any
    ) -> dict[str, Any]:
        """Run in a fresh process and return how it ended."""
        run = {"out": str(out), "scenario": SCENARIO, **OPTIONS, **options}
        assert self.process.stdin is not None
        self.process.stdin.write(
            json.dumps({"run": run, "kill": kill, "signal": int(signum), "parts": parts, "log": str(self.log)}) + "\n"
        )
        self.process.stdin.flush()
        answer = json.loads(self._line())
        answer["text"] = self.log.read_text()
        assert isinstance(answer, dict)
        return answer


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = Driver(tmp_path_factory.mktemp("driver"))
    yield made
    assert made.process.stdin is not None
    made.process.stdin.close()
    assert made.process.wait(20) == 0
    assert made.process.stdout is not None
    made.process.stdout.close()


def result_bytes(folder: Path) -> dict[str, bytes]:
    """Return the bytes that must come out equal."""
    files = [p for kind in ("games", "series") for p in (folder / kind).rglob("*") if p.is_file()]
    files += [folder / "summary.json", folder / "schema.json", folder / "cells.parquet", folder / "scenario.toml"]
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


@pytest.fixture(scope="module")
def unbroken(driver: Driver, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], float]:
    """An undisturbed run's bytes, and how long it took."""
    out = tmp_path_factory.mktemp("unbroken") / "run"
    answer = driver.ask(out, jobs=1)
    assert answer["code"] == 0, answer["text"]
    return result_bytes(out), answer["seconds"]


def test_killed_at_25_random_moments(driver: Driver, unbroken: tuple[dict[str, bytes], float], tmp_path: Path) -> None:
    wanted, seconds = unbroken
    dice = random.Random(20)
    unfinished = 0
    for moment in range(25):
        out = tmp_path / str(moment)
        jobs = 1 + moment % 2
        killed = driver.ask(out, jobs=jobs, kill=dice.uniform(0.02, seconds))
        if killed["code"] == 0:  # it was faster than the blow
            assert result_bytes(out) == wanted
            continue
        assert killed["code"] == -signal.SIGKILL, killed["text"]
        unfinished += not (out / "summary.json").exists()
        if moment % 5 == 4 and out.exists():
            again = driver.ask(out, jobs=jobs, resume=True, kill=dice.uniform(0.02, seconds / 2))
            assert again["code"] in (0, -signal.SIGKILL), again["text"]
        answer = driver.ask(out, jobs=3 - jobs, resume=True)
        assert answer["code"] == 0, answer["text"]
        assert result_bytes(out) == wanted, moment
        assert not list(out.rglob("*.tmp"))
        assert not (out / "lock.json").exists()
        shutil.rmtree(out)
    assert unfinished >= 8


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_leaves_a_readable_run(
    driver: Driver, unbroken: tuple[dict[str, bytes], float], tmp_path: Path, signum: int, code: int
) -> None:
    wanted, _ = unbroken
    out = tmp_path / "run"
    answer = driver.ask(out, jobs=2, kill=0.0, signum=signum, parts=6)
    assert answer["code"] == code, answer["text"]
    assert answer["text"].count("\n") == 1
    assert "--resume" in answer["text"]
    run = open_run(out)
    assert run.manifest.state == "interrupted"
    games = run.games().collect()
    assert 0 < games.height < 12_000
    assert sum(c["games"] for c in run.summary["cells"]) == games.height
    assert games.select("cell", "game").is_unique().all()
    assert run.series().collect().height > 0
    assert not psutil.pid_exists(answer["pid"])
    assert driver.ask(out, jobs=2, resume=True)["code"] == 0
    assert result_bytes(out) == wanted


def test_short_part_of_an_interruption_is_kept_and_replaced(driver: Driver, tmp_path: Path) -> None:
    """One part larger than the run can finish: what was played of it is kept in whole deals."""
    big = {"scenario": {**SCENARIO, "games": 3_000_000}, "part_size": 3_000_000, "chunk": 300}
    out = tmp_path / "run"
    answer = driver.ask(out, jobs=2, kill=3.0, signum=signal.SIGINT, **big)
    assert answer["code"] == 130, answer["text"]
    first = open_run(out).games(0).collect()
    assert 0 < first.height < 3_000_000
    assert first.height % 3 == 0
    assert first["game"].to_list() == list(range(first.height))
    answer = driver.ask(out, jobs=2, kill=2.0, signum=signal.SIGINT, resume=True, **big)
    assert answer["code"] == 130
    assert open_run(out).games(0).collect().height >= first.height


@pytest.fixture
def finished(tmp_path: Path) -> tuple[Path, dict[str, bytes]]:
    out = tmp_path / "run"
    execute(scenario(**SCENARIO), out=out, jobs=1, **OPTIONS)
    return out, result_bytes(out)


@pytest.mark.parametrize("kind", ["games", "series"])
def test_broken_parts_are_named_and_played_again(finished: tuple[Path, dict[str, bytes]], kind: str) -> None:
    out, wanted = finished
    parts = sorted((out / kind / "cell=1").iterdir())
    parts[0].write_bytes(parts[0].read_bytes()[:-1])
    parts[3].write_bytes(b"")
    data = bytearray(parts[4].read_bytes())
    data[len(data) // 3] ^= 0xFF
    parts[4].write_bytes(data)
    parts[5].unlink()
    shutil.copy(parts[1], parts[6])
    temporary = parts[2].with_name(parts[2].name + ".4711.tmp")
    temporary.write_bytes(b"half a part")
    result = execute(scenario(**SCENARIO), out=out, resume=True, jobs=2, **OPTIONS)
    named = set(result.damaged)
    broken = {str(parts[i].relative_to(out)) for i in (0, 3, 4, 6)} | {str(temporary.relative_to(out))}
    assert named == broken | ({str(parts[5].relative_to(out))} if kind == "series" else set())
    assert set(open_run(out).manifest.damaged) == named
    assert result.played == 5 * 300
    assert result_bytes(out) == wanted


def test_nothing_missing_plays_nothing(finished: tuple[Path, dict[str, bytes]]) -> None:
    out, wanted = finished
    before = {p: p.stat().st_mtime_ns for p in (out / "games").rglob("*.parquet")}
    assert execute(scenario(**SCENARIO), out=out, resume=True, **OPTIONS).played == 0
    assert {p: p.stat().st_mtime_ns for p in (out / "games").rglob("*.parquet")} == before
    assert result_bytes(out) == wanted
    assert open_run(out).manifest.sessions == 2


def test_more_games_give_the_bytes_of_a_long_run(tmp_path: Path) -> None:
    out, other = tmp_path / "grown", tmp_path / "long"
    for games in (100, 301, 950, 950):
        result = execute(scenario(**{**SCENARIO, "games": games}), out=out, resume=True, jobs=2, **OPTIONS)
    assert result.played == 0
    execute(scenario(**{**SCENARIO, "games": 950}), out=other, jobs=1, **OPTIONS)
    grown, long = result_bytes(out), result_bytes(other)
    assert grown == long
    with pytest.raises(InputError, match="holds more"):
        execute(scenario(**{**SCENARIO, "games": 301}), out=out, resume=True, **OPTIONS)
    assert result_bytes(out).keys() == result_bytes(other).keys()


def test_another_plan_is_refused_with_the_difference(finished: tuple[Path, dict[str, bytes]]) -> None:
    out, wanted = finished
    manifest = (out / "manifest.json").read_bytes()
    for change, told in (
        ({"seed": 2}, "seed: 1 -> 2"),
        ({"rules": {"heads": 0.6}}, "rules.heads: 0.5 -> 0.6"),
        ({"sweep": {"rules.target": [2, 4]}}, "cells.1.rules.target: 3 -> 4"),
        ({"seating": "rotate"}, "seating: 'duplicate' -> 'rotate'"),
    ):
        with pytest.raises(InputError, match=told.replace(".", r"\.")):
            execute(scenario(**{**SCENARIO, **change}), out=out, resume=True, **OPTIONS)
    with pytest.raises(InputError, match="part_size: 300 -> 400"):
        execute(scenario(**SCENARIO), out=out, resume=True, **{**OPTIONS, "part_size": 400})
    assert (out / "manifest.json").read_bytes() == manifest
    assert result_bytes(out) == wanted


def test_strange_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("mine")
    with pytest.raises(InputError, match=r"'todo\.txt'"):
        execute(scenario(games=10), out=tmp_path / "notes", resume=True)
    assert [p.name for p in (tmp_path / "notes").iterdir()] == ["todo.txt"]
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="not a folder"):
        execute(scenario(games=10), out=tmp_path / "file", resume=True)


def test_resume_may_come_first_and_may_follow_an_early_death(tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    (out / "lock.json").write_text("{}")
    (out / "scenario.toml").write_text("half")
    execute(scenario(games=50), out=out, resume=True)
    execute(scenario(games=50), out=tmp_path / "new", resume=True)
    assert result_bytes(out) == result_bytes(tmp_path / "new")


def test_second_run_in_one_folder_is_refused(driver: Driver, tmp_path: Path) -> None:
    execute(scenario(games=10))  # compiled here, too, before the clock runs
    out = tmp_path / "run"
    request = {"run": {"out": str(out), "scenario": {"games": 4_000_000}, "jobs": 1, "series_every": 0}}
    assert driver.process.stdin is not None
    driver.process.stdin.write(
        json.dumps({**request, "kill": 5.0, "signal": int(signal.SIGTERM), "log": str(driver.log)}) + "\n"
    )
    driver.process.stdin.flush()
    deadline = time.monotonic() + 4.5
    while not (out / "manifest.json").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    with pytest.raises(InputError, match="another run is working"):
        execute(scenario(games=4_000_000), out=out, resume=True, series_every=0)
    with pytest.raises(InputError, match="exists already"):
        execute(scenario(games=4_000_000), out=out, series_every=0)
    assert json.loads(driver._line())["code"] == 143
    assert open_run(out).manifest.state == "interrupted"


def test_full_disk_keeps_finished_parts(tmp_path: Path, finished: tuple[Path, dict[str, bytes]]) -> None:
    """The limit on file sizes stands in for a full disk: the system refuses the write."""
    _, wanted = finished
    out = tmp_path / "full"
    small = {**SCENARIO, "games": 900}
    execute(scenario(**small), out=out, **OPTIONS)
    before = {p: p.read_bytes() for p in (out / "games").rglob("*.parquet")}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, hard))
    try:
        with pytest.raises(InputError, match="cannot write: File too large") as caught:
            execute(scenario(**SCENARIO), out=out, resume=True, **OPTIONS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "\n" not in str(caught.value)
    assert {p: p.read_bytes() for p in before} == before
    assert open_run(out).manifest.state in ("failed", "finished")
    execute(scenario(**SCENARIO), out=out, resume=True, **OPTIONS)
    assert result_bytes(out) == wanted
