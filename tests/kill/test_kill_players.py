"""Runs whose players play in processes: nobody outlives the run, and it is resumed like any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import pompeii_sim

GAMES = 160


def start(out: Path, *, games: int = GAMES, resume: bool = False) -> subprocess.Popen[str]:
    """Start a run in a process group of its own, as a shell does."""
    root = Path(pompeii_sim.__file__).resolve().parents[1]
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("player_driver.py")), str(out), str(games), "resume" * resume],
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONWARNINGS": "ignore"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def result_bytes(folder: Path) -> dict[str, bytes]:
    files = [p for kind in ("games", "series") for p in (folder / kind).rglob("*") if p.is_file()]
    return {str(p.relative_to(folder)): p.read_bytes() for p in [*files, folder / "summary.json"]}


def lives(process: psutil.Process) -> bool:
    """Return whether a process still does anything (one that ended may wait for a parent that is gone)."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("unbroken") / "run"
    run = start(out)
    _, text = run.communicate(timeout=200)
    assert run.returncode == 0, text
    return result_bytes(out)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nobody_outlives_a_run_and_it_goes_on(unbroken: dict[str, bytes], tmp_path: Path, signum: int) -> None:
    out = tmp_path / "run"
    run = start(out, games=GAMES)
    deadline = time.monotonic() + 120
    while len(list(out.glob("games/*/*.parquet"))) < 2:
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.01)
    children = psutil.Process(run.pid).children(recursive=True)
    assert sum("popen_loky" in " ".join(child.cmdline()) for child in children) == 2
    if signum == signal.SIGINT:
        os.killpg(run.pid, signum)  # a Ctrl-C reaches everybody in the terminal's foreground
    else:
        run.send_signal(signum)
    _, text = run.communicate(timeout=30)
    ended = time.monotonic()
    assert run.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(signum, -signum), text
    assert "Traceback" not in text
    while (alive := [child for child in children if lives(child)]) and time.monotonic() < ended + 3:
        time.sleep(0.05)
    assert [child.cmdline() for child in alive] == []
    again = start(out, resume=True)
    _, text = again.communicate(timeout=200)
    assert again.returncode == 0, text
    assert result_bytes(out) == unbroken
