"""A run folder opened for a notebook: any metric over the cells, as numbers and as a figure of the same numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim.errors import InputError
from pompeii_sim.figures.loaded import LoadedRun


@pytest.fixture
def run(tmp_path: Path) -> LoadedRun:
    scenario = {**document(games=300), "sweep": {"rules.target": [2, 3, 4]}}
    pompeii_sim.run(scenario, out=tmp_path / "run", jobs=1)
    return pompeii_sim.load(tmp_path / "run")


def test_plot_draws_the_estimates_of_every_cell(run: LoadedRun) -> None:
    (axes,) = run.plot("victory_rate").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["2", "3", "4"]
    (drawn, *_) = axes.containers[0]
    assert list(drawn.get_xdata()) == run.estimate("victory_rate")["value"].to_list()
    assert "n = 300" in axes.get_xlabel()
    assert axes.xaxis.get_major_formatter()(0.5, 0) == "50%"


def test_plot_splits_by_colour_or_by_line(run: LoadedRun) -> None:
    many = run.plot("win_share_by_player")
    assert len(many.axes[0].containers) == 2  # eager and careful
    one = run.plot("win_share_by_player", cell=1)
    assert [label.get_text() for label in one.axes[0].get_yticklabels()] == ["eager", "careful"]
    means = run.plot("rounds", where="rounds >= 2")
    assert axes_percent(means) is False


def axes_percent(figure: object) -> bool:
    return str(figure.axes[0].xaxis.get_major_formatter()(1.0, 0)).endswith("%")  # type: ignore[attr-defined]


def test_plot_names_the_nearest_metric(run: LoadedRun) -> None:
    with pytest.raises(InputError, match="victory_rat"):
        run.plot("victory_rat")
