# ruff: noqa: T201 - it talks to the test by lines
"""One run with a slow plain-Python player, two jobs, in a process of its own: ``OUT GAMES RESUME``."""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toy"))

from toy_install import document, install

install()

from pompeii_sim.run import Interrupted, execute  # noqa: E402
from pompeii_sim.scenario import load_scenario  # noqa: E402


class Slow:
    """Takes its time; one that thinks of Ctrl-C would be ended by it."""

    def choose(self, view: Any) -> int:
        time.sleep(0.002)
        return int(view.random.choice(view.legal))


def main() -> int:
    """Play and return the exit code."""
    warnings.filterwarnings("ignore")
    out, games, resume = sys.argv[1:]
    seats = [{"player": "slow"}, {"player": "eager"}]
    table = load_scenario({**document(games=int(games)), "seats": seats}, players={"slow": Slow})
    try:
        execute(table, out=Path(out), jobs=2, part_size=20, chunk=5, series_every=5, resume=resume == "resume")
    except Interrupted as stopped:
        print(stopped, file=sys.stderr)
        return stopped.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
