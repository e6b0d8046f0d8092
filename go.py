#!/usr/bin/env python3
"""Set up and go, on a machine with Python 3.11 or newer and pip.

    python3 go.py sweep [OPTION ...]    play the difficulty sweep; options go to `pompeii-sim run`
    python3 go.py test [OPTION ...]     style, types, layers, tests; options go to `pytest`

Both make a virtual environment (.venv beside this file, or the folder that POMPEII_SIM_VENV names), install what is
needed in the versions of constraints.txt, and use it again the next time. Needs the standard library only.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)
EXTRAS = {"sweep": "", "test": "[test]"}
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def main(words: list[str]) -> int:
    """Do what the command says and return its exit code."""
    if not words or words[0] not in EXTRAS:
        sys.stderr.write(__doc__ or "")
        return 0 if words[:1] in (["-h"], ["--help"]) else 2
    if sys.version_info < OLDEST:
        sys.stderr.write(f"error: Python {sys.version.split()[0]} is too old; use 3.11 or newer\n")
        return 2
    job, options = words[0], words[1:]
    try:
        folder = environment(job)
        return sweep(folder, options) if job == "sweep" else test(folder, options)
    except subprocess.CalledProcessError as failed:
        sys.stderr.write(f"error: {shown(failed.cmd)} failed (exit {failed.returncode})\n")
        return 1
    except KeyboardInterrupt:
        return 130


def environment(job: str) -> Path:
    """Return the folder of the virtual environment's commands, made and filled where it is not."""
    chosen = os.environ.get("POMPEII_SIM_VENV")
    venv = Path(chosen).resolve() if chosen else ROOT / ".venv"
    commands = venv / SCRIPTS
    python = commands / ("python.exe" if os.name == "nt" else "python")
    mark = venv / f"ready-{job}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + (ROOT / "constraints.txt").read_bytes())
    wanted.update(f"{sys.version} {ROOT}".encode())
    if mark.is_file() and mark.read_text() == wanted.hexdigest() and python.exists():
        return commands
    say(f"setting up {venv}, once (a minute or two)")
    if not works(python):
        if venv.exists() and any(venv.iterdir()) and not (venv / "pyvenv.cfg").is_file():
            raise SystemExit(f"error: {venv}: exists and is no virtual environment; nothing was changed")
        run([sys.executable, "-m", "venv", "--clear", venv])
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-input"]
    run([*pip, "--constraint", ROOT / "constraints.txt", "--editable", f"{ROOT}{EXTRAS[job]}"])
    for one in EXTRAS if EXTRAS[job] else (job,):  # who has the tests' packages has the others, too
        (venv / f"ready-{one}").write_text(wanted.hexdigest())
    return commands


def works(python: Path) -> bool:
    """Return whether an environment's Python is there, is of this version, and has pip."""
    code = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return python.exists() and subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def sweep(commands: Path, options: list[str]) -> int:
    """Play the difficulty sweep."""
    words = [str(commands / "pompeii-sim"), "run", str(ROOT / "scenarios" / "difficulty.toml"), *options]
    say(shown(words))
    if os.name == "nt":
        return subprocess.run(words, check=False).returncode
    os.execv(words[0], words)  # takes this process's place, signals and exit code included


def test(commands: Path, options: list[str]) -> int:
    """Check style, types and layers, then run the tests."""
    began = time.monotonic()
    for words in (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
        ["pytest", *options],
    ):
        say(shown(words))
        run([commands / words[0], *words[1:]], cwd=ROOT)
    say(f"all checks passed in {time.monotonic() - began:.0f} s")
    return 0


def run(words: list[object], cwd: Path | None = None) -> None:
    """Run a command that must succeed, without input."""
    subprocess.run([str(w) for w in words], cwd=cwd, stdin=subprocess.DEVNULL, check=True)


def shown(words: list[object]) -> str:
    """Return a command as a person would type it, without the folders of its first word."""
    return " ".join([Path(str(words[0])).name, *map(str, words[1:])])


def say(text: str) -> None:
    """Say what comes next, on stderr."""
    sys.stderr.write(f"-- {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
