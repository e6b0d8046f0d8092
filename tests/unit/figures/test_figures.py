"""Figures: what is drawn, with interval and n, in one style, leaving matplotlib as it was."""

from __future__ import annotations

import re
from collections.abc import Callable

import matplotlib
import polars as pl
import pytest
from figure_frames import number, over_rounds, shares
from matplotlib.figure import Figure

from pompeii_sim.figures import style
from pompeii_sim.figures.bars import grouped_bars, use
from pompeii_sim.figures.curves import hazard, incidence
from pompeii_sim.figures.dots import forest, win_shares
from pompeii_sim.figures.fan import fan
from pompeii_sim.figures.heat import fingerprint, heat_map
from pompeii_sim.figures.ladder import ladder
from pompeii_sim.figures.lengths import distributions
from pompeii_sim.figures.robustness import robustness
from pompeii_sim.report.drawing import to_png, to_svg
from pompeii_sim.store.linked import short

COUNTS = pl.DataFrame(
    [{"setting": s, "count": k, **number(v)} for s in ("A", "B") for k, v in ((3, 0.25), (4, 0.5), (9, 0.25))]
)
BANDS = pl.DataFrame(
    [{"time": t, "q05": 0.1, "q25": 0.2, "q50": 0.3, "q75": 0.4, "q95": 0.5, "n": 40 - t} for t in range(1, 9)]
)
SINGLES = pl.DataFrame([{"time": t, "game": "game 17", "value": 0.1 * t} for t in range(1, 6)])
VERDICTS = pl.DataFrame(
    [
        {"conclusion": c, "setting": s, "verdict": v}
        for c, s, v in [("a < b", "1", "holds"), ("a < b", "2", "flips"), ("b < c", "1", "undecided")]
    ]
)

FIGURES: dict[str, Callable[[], Figure]] = {
    "win shares": lambda: win_shares(shares(), row="setting", label="player"),
    "forest": lambda: forest(shares(), label="player", reference=0.5),
    "heat map": lambda: heat_map(shares(), row="player", column="setting", axis="wins"),
    "heat map with panels": lambda: heat_map(over_rounds(), row="round", column="level", panel="where"),
    "fingerprint": lambda: fingerprint(shares(), row="player", column="setting"),
    "hazard": lambda: hazard(over_rounds(), line="level", panel="where"),
    "incidence": lambda: incidence(over_rounds().filter(pl.col("where") == "far"), line="level"),
    "distributions": lambda: distributions(COUNTS, x="count", row="setting", axis="rounds"),
    "grouped bars": lambda: grouped_bars(shares(), group="setting", label="player"),
    "use": lambda: use(shares().filter(pl.col("setting") == "A"), label="player"),
    "use in groups": lambda: use(shares(), label="player", group="setting"),
    "ladder": lambda: ladder(shares(), step="setting", line="player"),
    "fan": lambda: fan(BANDS, SINGLES),
    "fan without single games": lambda: fan(BANDS),
    "robustness": lambda: robustness(VERDICTS),
}


@pytest.fixture(params=list(FIGURES))
def make(request: pytest.FixtureRequest) -> Callable[[], Figure]:
    return FIGURES[request.param]


def test_leaves_matplotlib_as_it_was(make: Callable[[], Figure]) -> None:
    import matplotlib.pyplot as plt

    before = dict(matplotlib.rcParams)
    figure = make()
    assert isinstance(figure, Figure)
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == []
    assert figure.get_size_inches()[0] == style.WIDTH


def test_same_frame_same_drawing_and_texts_stay_texts(make: Callable[[], Figure]) -> None:
    first = to_svg(make(), "one", "what it shows")
    assert first == to_svg(make(), "one", "what it shows")
    assert "<text" in first
    assert first.startswith("<svg viewBox=")
    assert '<title id="one-title">what it shows</title>' in first
    assert not re.search(r"<(script|image|b)\b|https?:|xlink", first.replace('xmlns="http:', ""))


def test_every_colour_is_the_pages_or_a_shade_of_a_map(make: Callable[[], Figure]) -> None:
    drawn = to_svg(make(), "one", "")
    for own in (style.INK, style.MUTED, style.GRID, *style.SERIES):
        assert own not in drawn
    ids = re.findall(r'\bid="([^"]*)"', drawn)
    assert all(i.startswith("one-") for i in ids)
    assert len(ids) == len(set(ids))
    assert {i for i in re.findall(r'(?:href="|url\()#([^")]*)', drawn)} <= set(ids)


def test_names_are_escaped_and_no_formula() -> None:
    drawn = to_svg(win_shares(shares(), row="setting", label="player"), "one", '<i>&"')
    assert "&lt;b&gt;one&lt;/b&gt; $x$" in drawn
    assert '<title id="one-title">&lt;i&gt;&amp;"</title>' in drawn


def test_intervals_chance_and_n_are_drawn() -> None:
    (ax,) = win_shares(shares(), row="setting", label="player").axes
    assert "n = 400" in ax.get_xlabel()
    assert [t.get_text() for t in ax.get_yticklabels()] == ["A", "B", "C"]
    lines = [c for c in ax.containers if c.get_label() == "two"]
    (bars,) = lines[0].lines[2]  # type: ignore[attr-defined]
    ends = [tuple(round(float(x), 3) for x in segment[:, 0]) for segment in bars.get_segments()]
    assert ends == [(0.55, 0.65), (0.4, 0.5), (0.45, 0.55)]
    assert any(list(c.get_offsets()[:, 0]) == [0.5, 0.5, 0.5] for c in ax.collections if len(c.get_offsets()) == 3)


def test_forest_is_sorted_and_filled_by_the_interval() -> None:
    frame = pl.DataFrame([{"card": f"c{i}", **number(v)} for i, v in enumerate((0.5, 0.8, 0.51, 0.1))])
    (ax,) = forest(frame, label="card", reference=0.5, most=3).axes
    assert [t.get_text() for t in ax.get_yticklabels()] == ["c1", "c2", "c3"]
    told = {str(c.get_label()): [float(y) for y in c.lines[0].get_ydata()] for c in ax.containers}  # type: ignore[attr-defined]
    assert told == {"told from no effect": [0.0, 2.0], "not told from no effect": [1.0]}


def test_heat_map_writes_value_and_half_width_readably() -> None:
    figure = heat_map(shares(), row="player", column="setting", axis="wins")
    texts = {t.get_text(): t.get_color() for t in figure.axes[0].texts}
    assert "40\n±5" in texts
    assert "–" in texts
    assert texts["40\n±5"] == style.ON_DARK  # the least value is the darkest
    assert texts["60\n±5"] == style.ON_LIGHT


def test_curves_of_all_panels_fit() -> None:
    frame = over_rounds().with_columns(
        value=pl.when(pl.col("where") == "far").then(pl.col("value") * 2).otherwise(pl.col("value"))
    )
    figure = incidence(frame, line="level", panel="where")
    assert all(ax.get_ylim()[1] >= 0.7 for ax in figure.axes)
    assert all(ax.get_ylim()[0] == 0 for ax in figure.axes)


def test_distributions_put_the_long_tail_together() -> None:
    tail = [{"setting": "A", "count": k, **number(v)} for k, v in ((1, 0.9), (2, 0.0995), (50, 0.0005))]
    (ax,) = distributions(pl.DataFrame(tail), x="count", row="setting", axis="rounds").axes
    assert "2 and more together" in ax.get_xlabel()
    (whole,) = distributions(pl.DataFrame(tail[:2]), x="count", row="setting", axis="rounds").axes
    assert "together" not in whole.get_xlabel()


def test_single_games_carry_their_numbers() -> None:
    figure = fan(BANDS, SINGLES)
    assert "game 17" in [t.get_text() for t in figure.legends[0].get_texts()]


@pytest.mark.parametrize(
    ("path", "told"), [("rules.some_key", "some key"), ("seats.2.stance", "stance of seat 2"), ("seats", "seats")]
)
def test_short_names(path: str, told: str) -> None:
    assert short(path) == told


def test_png_is_the_same_each_time(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for name in ("a", "b"):
        to_png(fan(BANDS, SINGLES), tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_board_map_has_a_number_on_each_square_and_none_where_nothing_is_known() -> None:
    from pompeii_sim.figures.board import board_map

    frame = pl.DataFrame(
        {
            "row": [0, 0, 1],
            "column": [0, 2, 1],
            "what": ["gate", "", "house"],
            "value": [0.25, None, 0.5],
            "low": [0.2, None, 0.4],
            "high": [0.3, None, 0.6],
            "n": [9, None, 9],
        }
    )
    figure = board_map(frame, name="what", percent=True, axis="shares")
    (ax,) = figure.axes
    texts = {text.get_position(): text.get_text() for text in ax.texts if text.get_text()}
    assert texts == {(0, 0): "gate\n25%", (1, 1): "house\n50%"}
    assert figure.get_suptitle() == "shares (n = 9)"
