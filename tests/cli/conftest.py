"""The stub game of the scenario tests, and a command line called in this process."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

_PATH = Path(__file__).parents[1] / "unit" / "scenario" / "stub_game.py"
if "stub_game" not in sys.modules:
    _spec = importlib.util.spec_from_file_location("stub_game", _PATH)
    assert _spec is not None and _spec.loader is not None  # noqa: PT018
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["stub_game"] = _module
    _spec.loader.exec_module(_module)
game = sys.modules["stub_game"].game


class Said(NamedTuple):
    """What a call of the command line left."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    def call(*arguments: Any) -> Said:
        from pompeii_sim.cli.main import call as run

        code = run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call
