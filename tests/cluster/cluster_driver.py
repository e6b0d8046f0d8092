# ruff: noqa: T201 - it talks to the test by lines
"""One run on a cluster in a process of its own: ``ADDRESS OUT JSON``, where JSON holds the scenario and the options."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toy"))
from toy_install import install, scenario

install()

from pompeii_sim.run import Interrupted, execute  # noqa: E402


def main() -> int:
    """Play and return the exit code."""
    warnings.filterwarnings("ignore")
    address, out, text = sys.argv[1:]
    request = json.loads(text)
    try:
        execute(scenario(**request["scenario"]), out=Path(out), backend="dask", address=address, **request["options"])
    except Interrupted as stopped:
        print(stopped, file=sys.stderr)
        return stopped.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
