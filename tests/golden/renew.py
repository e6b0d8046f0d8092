"""Renew the kept fingerprints: ``python -m tests.golden.renew``, after a change that is meant to change games.

``--print short`` (or ``all``) prints those of this process instead and keeps nothing; the tests use it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from golden_games import EXPECTED, fingerprints


def main(arguments: list[str]) -> None:
    """Print or keep the fingerprints."""
    if arguments[:1] == ["--print"]:
        sys.stdout.write(json.dumps(fingerprints(arguments[1])))
        return
    EXPECTED.write_text(
        json.dumps({which: fingerprints(which) for which in ("all", "short")}, indent=2) + "\n", encoding="utf-8"
    )
    sys.stdout.write(f"kept in {EXPECTED.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
