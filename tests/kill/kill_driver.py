# ruff: noqa: T201 - it talks to the test by lines
"""Compile once, then fork a real process for every run: each can be killed, and none pays for compiling again.

Reads one JSON request a line: ``{"run": {...}, "kill": seconds or null, "signal": number, "parts": number}`` (the
seconds count from the moment so many parts are there); answers with one JSON
line: how the process ended. Nothing that starts threads is used before forking.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toy"))

from toy_install import install, scenario

install()

import joblib  # noqa: E402, F401 - imported before forking, to be quick afterwards

from pompeii_sim import games  # noqa: E402
from pompeii_sim.engine.prepare import prepare  # noqa: E402
from pompeii_sim.errors import InputError  # noqa: E402
from pompeii_sim.run import Interrupted, execute  # noqa: E402
from pompeii_sim.run.play import play_range  # noqa: E402


def play(request: dict[str, Any]) -> int:
    """Play in this process; return its exit code."""
    options = dict(request)
    out = Path(options.pop("out"))
    wanted = scenario(**options.pop("scenario"))
    try:
        execute(wanted, out=out, **options)
    except Interrupted as stopped:
        print(stopped, file=sys.stderr)
        return stopped.exit_code
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def main() -> None:
    """Serve requests until stdin ends."""
    ready = scenario(games=10)
    for cell in ready.cells:
        play_range(prepare(games.get("toy"), cell, "rotate"), 1, 0, 10, 1)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            with open(request["log"], "w") as log:
                os.dup2(log.fileno(), 2)
            os._exit(play(request["run"]))
        if request.get("kill") is not None:
            folder = Path(request["run"]["out"]) / "games"
            while len(list(folder.rglob("*.parquet"))) < request.get("parts", 0):
                time.sleep(0.002)
            time.sleep(request["kill"])
            os.kill(pid, request.get("signal", signal.SIGKILL))
        _, status = os.waitpid(pid, 0)
        answer = {"code": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - began, "pid": pid}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
