"""docs/rulings.md names tests, settings and data files that exist."""

from __future__ import annotations

import re
from pathlib import Path

from pompeii_sim.games.pompeii.data_files import DATA_DIR
from pompeii_sim.games.pompeii.rules import SOLO_ONLY, Rules, Seat

HERE = Path(__file__).resolve().parent
TEXT = (HERE.parents[1] / "docs" / "rulings.md").read_text(encoding="utf-8")


def test_every_test_named_exists() -> None:
    tests = {
        name
        for file in HERE.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 100
    assert named <= tests, named - tests


def test_every_setting_named_exists() -> None:
    other = {"cards_only", "catalog", "round_cap", "release"}
    for part in re.findall(r"Change: (.*?)(?:Test:|\n\n)", TEXT, re.DOTALL):
        for name in re.findall(r"`([a-z_]+)(?: = [^`]*)?`", part):
            assert name in {*Rules.model_fields, *Seat.model_fields, *other, "army"}, name
    for file in set(re.findall(r"`(\w+\.toml)`", TEXT)):
        assert (DATA_DIR / file).exists(), file


def test_every_switch_of_a_reading_is_named() -> None:
    for name in ("trade_up_reach", "reclaim_workers", "tempio_amount", "injure_unplaced", "freed_worker_acts",
                 "extra_space", "army_without_workers", "foro_needs_track", *SOLO_ONLY):  # fmt: skip
        assert f"`{name}" in TEXT


def test_rulings_are_numbered_without_a_gap() -> None:
    numbers = [int(n) for n in re.findall(r"^(\d+)\. \*\*", TEXT, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
