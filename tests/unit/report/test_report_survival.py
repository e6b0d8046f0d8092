"""What a report says of a sample: which conclusions hold in how many of its settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim.analysis import robustness, study, survival
from pompeii_sim.report.build import build_report
from pompeii_sim.report.survival import survives
from pompeii_sim.report.view import View


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two levels of disaster, each in twelve games that a sample of eight or more numbers makes."""
    sweep = {
        "rules.disaster": [0.2, 0.01],
        "sample": {
            "n": 12,
            "seed": 3,
            "ranges": {"rules.heads": {"low": 0.3, "high": 0.9}, "rules.target": {"low": 1, "high": 6}},
        },
    }
    folder = tmp_path_factory.mktemp("sample") / "run"
    pompeii_sim.run(document("eager", "careful", games=400, sweep=sweep), out=folder)
    return folder


def test_each_sentence_counts_what_the_analysis_counts(run: Path) -> None:
    one = study(pompeii_sim.load(run))
    said = survives(View(one, 0.01))
    (order,) = (s for s in said if s.startswith("disaster"))
    frame = robustness(one, ["disaster_rate: rules.disaster 0.01 < 0.2", "victory_rate > 0.5"])
    down, bound = survival(frame).iter_rows(named=True)
    assert f"holds in {down['holds']} of 12 combinations of the other settings, flips in {down['flips']}" in order
    assert down["holds"] > 8
    (half,) = (s for s in said if "more than half of all games" in s)
    assert f"holds in {bound['holds']} of 24 settings, flips in {bound['flips']} " in half
    assert 0 < bound["flips"] < 24


def test_each_kind_that_sits_once_is_held_against_its_share(run: Path) -> None:
    said = [s for s in survives(View(study(pompeii_sim.load(run)), 0.01)) if "one game in 2" in s]
    assert [s.partition(" winning")[0] for s in said] == ["eager", "careful"]


def test_a_sample_is_told_by_combinations(run: Path) -> None:
    (chapter,) = build_report([run]).chapters
    told = dict(chapter.facts)["Swept"]
    assert told.endswith("2 settings together: 12 combinations, see the scenario")
    assert dict(chapter.facts)["Games"].startswith("400 a cell")
    (ladder,) = (s for s in chapter.sections if s.name == "ladder")
    assert {t.name for t in ladder.tables} == {"steps-rules-disaster"}
