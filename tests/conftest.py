"""The order of the suites: quick ones and those that find most first, long ones last.

Compiled code is shipped without bounds checks; all tests run with them (one golden test runs as shipped).
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["NUMBA_BOUNDSCHECK"] = "1"  # read when numba is imported, here and in every process the tests start

import pytest

FIRST = ("architecture", "unit", "toy", "cli", "rules", "docs")
LAST = ("referee", "property", "golden", "oracle", "statistical", "kill", "cluster", "notebooks")
HERE = Path(__file__).parent


def place(path: Path) -> int:
    """Return where a test file's suite stands in the order."""
    suite = path.relative_to(HERE).parts[0] if path.is_relative_to(HERE) else ""
    if suite in FIRST:
        return FIRST.index(suite)
    return len(FIRST) + 1 + LAST.index(suite) if suite in LAST else len(FIRST)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: place(item.path))  # stable: within a suite as collected
