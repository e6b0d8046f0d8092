"""The toy game for these tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOY = Path(__file__).resolve().parents[1] / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

from toy_install import install, uninstall  # noqa: E402


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    install()
    yield
    uninstall()
