"""A user's own player in a run: its source is copied, is part of the plan, and its folder may move."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from toy_install import document

from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.scenario import load_scenario
from pompeii_sim.store import open_run

SOURCE = "def shy(P, own, T, weights, luck, acts, n):\n    return acts[{}]\n"


def test_source_is_copied_and_part_of_the_plan(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "mine.py").write_text(SOURCE.format("n - 1"))
    text = 'game = "toy"\ngames = 300\nseed = 3\n[[seats]]\nplayer = "mine.py:shy"\n[[seats]]\nplayer = "eager"\n'
    (home / "table.toml").write_text(text)
    out = tmp_path / "run"
    result = execute(load_scenario(home / "table.toml"), out=out)
    waits = result.games().collect()
    assert result.failed == 0
    assert waits.filter(waits["seat_spec_0"] == 0)["tosses_0"].sum() == 0  # it always takes the last action: wait
    assert (out / "players" / "mine.py").read_text() == SOURCE.format("n - 1")
    manifest = (out / "manifest.json").read_text()
    assert str(tmp_path) not in manifest
    assert "mine.py" not in manifest

    moved = tmp_path / "moved"
    shutil.move(out, moved)
    shutil.rmtree(home)
    again = execute(load_scenario(moved / "scenario.toml", games=500), out=moved, resume=True)
    assert again.played == 500
    assert open_run(moved).games().collect().head(300).equals(waits)

    (moved / "players" / "mine.py").write_text(SOURCE.format("0"))
    with pytest.raises(InputError, match=r"seats\.0\.player: 'source "):
        execute(load_scenario(moved / "scenario.toml"), out=moved, resume=True)


def test_anytime_intervals_stand_beside_the_fixed_ones() -> None:
    result = execute(load_scenario(document(games=600)), jobs=1)
    cell = result.summary["cells"][0]
    assert set(cell["anytime"]) == {"victory_rate", "disaster_rate", "rounds_mean"}
    wide, narrow = cell["anytime"]["victory_rate"], cell["metrics"]["victory_rate"]
    assert (wide["valid"], narrow["valid"]) == ("anytime", "fixed")
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]
