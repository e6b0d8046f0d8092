"""The command as a process: start-up, pipes, imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "pompeii_sim"]

ENTRY = "from pompeii_sim.cli.main import main; main()"


def start(*arguments: str, code: str | None = None) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", code] if code is not None else [*COMMAND, *arguments]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_wrong_use() -> None:
    done = start("run", "no-such-file.toml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "error: no-such-file.toml: no such file\n"


def test_package_is_started_as_the_command_is() -> None:
    """What the command's entry point does, ``-m`` does."""
    done = start("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == start(code="import sys; sys.argv[1:] = ['--help']\n" + ENTRY).stdout
    assert done.stdout.split()[:2] == ["Usage:", "pompeii-sim"]
    assert start("validate", "--nonsense").stderr.endswith("see pompeii-sim validate --help\n")


def test_version_needs_neither_compiler_nor_frames() -> None:
    code = (
        "import sys\nfrom pompeii_sim.cli.main import call\ncode = call(['--version'])\n"
        "slow = {'numba', 'polars', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "assert not slow, slow\nsys.exit(code)"
    )
    done = start(code=code)
    assert done.returncode == 0, done.stderr


def test_reading_a_run_imports_no_compiler() -> None:
    code = (
        "import sys, pompeii_sim\n"
        "try:\n    pompeii_sim.load('no-such-run')\nexcept pompeii_sim.InputError as error:\n    print(error)\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = start(code=code)
    assert done.returncode == 0, done.stderr
    assert "no such run folder" in done.stdout


def test_the_function_run_survives_the_room_run() -> None:
    code = (
        "import pompeii_sim\nimport pompeii_sim.run.plan\nfrom pompeii_sim import run\n"
        "assert pompeii_sim.run.plan.PART_SIZE > 0\n"
        "try:\n    run('no-such.toml')\nexcept pompeii_sim.InputError:\n    print('called')\n"
    )
    assert start(code=code).stdout == "called\n"


def test_closed_pipe_ends_quietly() -> None:
    text = " ".join(f"'{w}'" for w in [*COMMAND, "doctor"])
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {text} | true"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode in (0, 3)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
def test_a_full_device_is_told_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "catalog", "city"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: no space left on its device\n"


def test_closed_streams_end_nothing() -> None:
    for stream in ("1>&-", "2>&-"):
        text = " ".join(f"'{w}'" for w in [*COMMAND, "players", "--game", "downfall"])
        done = subprocess.run(
            ["bash", "-c", f"{text} {stream}"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert bool(done.stdout) == (stream == "2>&-")


def test_a_current_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    text = " ".join(f"'{w}'" for w in [*COMMAND, "players", "--game", "downfall"])
    done = subprocess.run(
        ["bash", "-c", f"cd '{gone}' && rmdir '{gone}' && {text}"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == "error: the current folder is gone; change to another one"
