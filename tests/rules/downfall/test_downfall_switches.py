"""Every switch of the rules is seen by a test: with the switch taken out, a test that sets it fails."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import product
from typing import Any

import downfall_table
import pytest
import test_downfall_lava
import test_downfall_settling

from pompeii_sim.games.downfall.rules import Rules

TESTS = [
    function
    for module in (test_downfall_settling, test_downfall_lava)
    for name, function in vars(module).items()
    if name.startswith("test_")
]
ORIGINAL = downfall_table.Table.__init__


def arguments(function: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each case of a test."""
    sets = []
    for mark in getattr(function, "pytestmark", []):
        names = [mark.args[0]] if isinstance(mark.args[0], str) else list(mark.args[0])
        cases = [v if len(names) > 1 else (v,) for v in mark.args[1]]
        sets.append([dict(zip(names, case, strict=True)) for case in cases])
    for combination in product(*sets):
        yield {k: v for part in combination for k, v in part.items()}


@pytest.mark.parametrize("switch", sorted(Rules.model_fields))
def test_a_switch_taken_out_is_seen(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(self: Any, *args: Any, **rules: Any) -> None:
        rules.pop(switch, None)
        ORIGINAL(self, *args, **rules)

    # run_table passes rules on under the name of its keyword arguments, so a test that sets a switch names it
    setting = [t for t in TESTS if f"{switch}=" in inspect.getsource(t)]
    assert setting, f"no test sets {switch}"
    for test in setting:
        for case in arguments(test):
            test(**case)
    monkeypatch.setattr(downfall_table.Table, "__init__", without)
    failed = 0
    for test in setting:
        for case in arguments(test):
            try:
                test(**case)
            except (AssertionError, IndexError, StopIteration):
                failed += 1
    assert failed, f"no test sees that {switch} does nothing"
