"""Conclusions over sampled settings, and the screening of doubtful numbers, against the toy game's exact answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from toy_exact import exact
from toy_install import document, scenario

from pompeii_sim.analysis import Study, study
from pompeii_sim.analysis.conclusion import conclusion
from pompeii_sim.analysis.robustness import robustness, survival
from pompeii_sim.analysis.screening import MorrisDesign, morris_design, sample_ranges, screening
from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.scenario import load_scenario

GAMES = 400
RANGES = {
    "rules.disaster": {"low": 0.01, "high": 0.3},
    "rules.heads": {"low": 0.3, "high": 0.7},
    "rules.cap": {"low": 300, "high": 400},  # no game is that long: a number that cannot matter
}
TOSS = [1.0, 0.5]


def _play(doc: Mapping[str, Any]) -> Study:
    return study(execute(load_scenario(doc), jobs=1, series_every=0))


def _chance(settings: Mapping[str, Any], target: int = 3) -> float:
    rules = {path.rpartition(".")[2]: value for path, value in settings.items()}
    return exact(TOSS, heads=rules["heads"], disaster=rules["disaster"], target=rules.get("target", target)).victory


@pytest.fixture(scope="module")
def sampled() -> Study:
    from toy_install import install

    install()
    sample = {"n": 12, "ranges": RANGES}
    return _play(document("eager", "careful", games=GAMES, sweep={"sample": sample, "rules.target": [2, 3, 4]}))


def test_orders_hold_in_every_setting_and_reversed_ones_flip(sampled: Study) -> None:
    frame = robustness(
        sampled, ["victory_rate: rules.target 4 < 3 < 2", "victory_rate: rules.target 2 < 3", "rounds_mean <= 1000"]
    )
    by = {name: rows["verdict"].to_list() for (name,), rows in frame.group_by("conclusion", maintain_order=True)}
    assert by["victory_rate: rules.target 4 < 3 < 2"] == ["holds"] * 12
    assert by["victory_rate: rules.target 2 < 3"] == ["flips"] * 12
    assert by["rounds_mean <= 1000"] == ["holds"] * 36
    first = frame.row(0, named=True)
    assert first["cells"] == [2, 1, 0]
    assert first["step"] in ("3 - 4", "2 - 3")
    assert first["level"] == pytest.approx(0.975)  # two steps share the risk
    assert first["setting"].startswith("disaster 0.")
    assert "target" not in first["setting"]
    assert frame.columns[:3] == ["cell", "rules.disaster", "rules.heads"]
    table = survival(frame)
    assert table["survives"].to_list() == [True, False, True]
    assert table.row(1, named=True) == {
        "conclusion": "victory_rate: rules.target 2 < 3",
        "settings": 12, "holds": 0, "flips": 12, "undecided": 0, "survives": False,
    }  # fmt: skip


def test_a_bound_is_judged_by_the_exact_answer(sampled: Study) -> None:
    frame = robustness(sampled, ["victory_rate >= 0.6"], level=0.999)
    states = set()
    for row in frame.iter_rows(named=True):
        truth = _chance({path: row[path] for path in ("rules.disaster", "rules.heads", "rules.target")})
        assert row["verdict"] in ("undecided", "holds" if truth >= 0.6 else "flips")
        assert row["low"] < truth - 0.6 < row["high"]
        states.add(row["verdict"])
    assert states == {"holds", "flips", "undecided"}
    upper = robustness(sampled, ["victory_rate < 0.6"], level=0.999)
    turned = {"holds": "flips", "flips": "holds", "undecided": "undecided"}
    assert upper["verdict"].to_list() == [turned[state] for state in frame["verdict"]]
    assert upper["value"].to_list() == pytest.approx([-v for v in frame["value"]])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "victory_rate",
        "difference.victory_rate > 0",
        "victory_rate: 2 < 3",
        "victory_rate: rules.target 2 < 3 > 4",
        "victory_rate: rules.target 2 <",
        "victory_rate: rules.target 2 < 2",
    ],
)
def test_other_texts_are_no_conclusions(text: str) -> None:
    with pytest.raises(InputError, match=r"conclusion|gate"):
        conclusion(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("victory: rules.target 2 < 3", "did you mean 'victory_rate'"),
        ("victory_rate: rules.targt 2 < 3", "did you mean 'rules.target'"),
        ("victory_rate: rules.target 2 < 9", "no cell has"),
    ],
)
def test_conclusions_about_something_else_are_refused(sampled: Study, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        robustness(sampled, [text])


def _exact_screening(design: MorrisDesign, target: int) -> dict[str, tuple[float, float]]:
    """Return mu* and sigma of the true chances."""
    effects: dict[str, list[float]] = {path: [] for path in design.ranges}
    for t in range(design.unit.shape[0]):
        for p in range(design.unit.shape[2]):
            change = design.unit[t, p + 1] - design.unit[t, p]
            number = int(np.argmax(np.abs(change)))
            a, b = (_chance(design.settings(t, at), target) for at in (p, p + 1))
            effects[list(design.ranges)[number]].append((b - a) / change[number])
    return {path: (float(np.abs(e).mean()), float(np.std(e, ddof=1))) for path, e in effects.items()}


@pytest.fixture(scope="module")
def screened() -> tuple[MorrisDesign, Study]:
    from toy_install import install

    install()
    design = morris_design(RANGES, trajectories=8, seed=3)
    return design, _play(design.scenario(document("eager", "careful", games=4000)))


def test_screening_finds_what_the_exact_answers_show(screened: tuple[MorrisDesign, Study]) -> None:
    design, played = screened
    table = screening(played, design, "victory_rate >= 0.5")
    truth = _exact_screening(design, 3)
    assert table["number"].to_list() == sorted(truth, key=lambda path: -truth[path][0])
    for row in table.iter_rows(named=True):
        star, sigma = truth[row["number"]]
        assert abs(row["mu_star"] - star) < 3 * row["noise"] + 1e-12
        assert abs(row["sigma"] - sigma) < 5 * row["noise"] + 1e-12
        assert row["mu_star_low"] <= row["mu_star"] <= row["mu_star_high"]
        assert row["sigma_low"] <= row["sigma_high"]
    by = {row["number"]: row for row in table.iter_rows(named=True)}
    dead = by["rules.cap"]
    assert (dead["mu_star"], dead["sigma"], dead["noise"], dead["above_noise"], dead["flips"]) == (0, 0, 0, False, 0)
    assert by["rules.disaster"]["above_noise"]
    assert by["rules.disaster"]["mu"] < 0 < by["rules.heads"]["mu"]
    assert by["rules.disaster"]["flips"] > 0
    assert by["rules.disaster"]["moves"] == 8


def test_noise_is_that_of_the_games(screened: tuple[MorrisDesign, Study]) -> None:
    """Four times fewer games double it."""
    design, played = screened
    fewer = _play(design.scenario(document("eager", "careful", games=1000)))
    a, b = (screening(s, design, "victory_rate >= 0.5").sort("number")["noise"].to_numpy() for s in (played, fewer))
    assert b[1:] == pytest.approx(2 * a[1:], rel=0.15)


def test_an_order_is_screened_by_its_weakest_step() -> None:
    design = morris_design({k: RANGES[k] for k in ("rules.disaster", "rules.cap")}, trajectories=3, seed=2)
    doc = design.scenario(document("eager", "careful", games=600, sweep={"rules.target": [2, 3, 4]}))
    table = screening(_play(doc), design, "victory_rate: rules.target 4 < 3 < 2")
    assert table["number"].to_list() == ["rules.disaster", "rules.cap"]
    assert table["flips"].to_list() == [0, 0]
    assert table["noise"][0] > table["noise"][1] == 0


def test_design_moves_one_number_at_a_time_and_rounds_whole_ones() -> None:
    ranges = {**RANGES, "rules.target": ["x", "y"]}
    design = morris_design(ranges, trajectories=6)
    assert (np.count_nonzero(np.diff(design.unit, axis=1), axis=2) == 1).all()
    assert design.step == pytest.approx(2 / 3)
    for cell in design.cells:
        assert isinstance(cell["rules.cap"], int)
        assert cell["rules.target"] in ("x", "y")
    assert len(design.cells) <= 6 * 5
    again = morris_design(ranges, trajectories=6)
    assert again.cells == design.cells
    for wrong in ({"trajectories": 1}, {"levels": 3}):
        with pytest.raises(InputError):
            morris_design(RANGES, **wrong)
    with pytest.raises(InputError, match="nothing varies"):
        morris_design({})


def test_ranges_come_from_the_scenario(tmp_path: Path) -> None:
    doc = document(sweep={"sample": {"n": 2, "ranges": {"rules": {"heads": {"low": 0.3, "high": 0.7}}}}})
    assert sample_ranges(doc) == {"rules.heads": {"low": 0.3, "high": 0.7}}
    with pytest.raises(InputError, match=r"sweep\.sample"):
        sample_ranges(document())
    file = tmp_path / "doubtful.toml"
    file.write_text('game = "toy"\n[sweep]\n"rules.target" = [2]\n[sweep.sample.ranges]\n"rules.cap" = ["a", "b"]\n')
    ranges = sample_ranges(file)
    assert ranges == {"rules.cap": ["a", "b"]}
    made = morris_design(ranges, trajectories=2).scenario(file)
    assert set(made["sweep"]) == {"rules.target", "cells"}
    assert {cell["rules.cap"] for cell in made["sweep"]["cells"]} == {"a", "b"}


def test_runs_of_something_else_are_refused(sampled: Study) -> None:
    design = morris_design(RANGES, trajectories=2)
    with pytest.raises(InputError, match="several settings"):
        screening(sampled, design, "victory_rate >= 0.5")
    with pytest.raises(InputError, match="not in the run"):
        screening(sampled, design, "victory_rate: rules.target 4 < 3")
    plain = study(execute(scenario(games=30), jobs=1))
    with pytest.raises(InputError, match="does not vary"):
        screening(plain, design, "victory_rate >= 0.5")


def test_the_matrix_can_be_drawn(sampled: Study) -> None:
    from pompeii_sim.figures.robustness import robustness as draw

    frame = robustness(sampled, ["victory_rate >= 0.6"])
    assert draw(frame).axes
    assert frame.schema["cells"] == pl.List(pl.Int64)


def test_a_cell_that_has_not_been_played_is_undecided(tmp_path: Path) -> None:
    sweep = {"rules.disaster": [0.0, 0.9], "rules.target": [2, 3]}
    execute(load_scenario(document("eager", "careful", games=50, sweep=sweep)), out=tmp_path / "run", jobs=1)
    for part in (tmp_path / "run").glob("games/cell=3/*"):
        part.unlink()
    frame = robustness(study(tmp_path / "run"), ["victory_rate <= 1", "victory_rate: rules.target 3 < 2"])
    assert frame["verdict"].to_list()[3] == "undecided"
    assert frame["verdict"].to_list()[5] == "undecided"
    assert frame["value"].to_list()[3] is None
