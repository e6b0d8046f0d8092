"""The game's own sections of a report, against sums over the raw rows of a small run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import pompeii_sim
from pompeii_sim.analysis import Study, study
from pompeii_sim.figures.section import Section
from pompeii_sim.games.downfall.insight import sections
from pompeii_sim.games.downfall.insight.board import from_homes, squares, standing
from pompeii_sim.games.downfall.insight.buildings import homes, survival_by_home
from pompeii_sim.games.downfall.insight.fates import FATES, fates_by_player
from pompeii_sim.games.downfall.insight.gates import saved_by_gate
from pompeii_sim.games.downfall.insight.names import data_of
from pompeii_sim.games.downfall.insight.survival import survival_by_turn
from pompeii_sim.run import execute
from pompeii_sim.scenario import load_scenario

GAMES = 40


def _play(records: Any = "full", *players: str, **more: Any) -> Study:
    seats = [{"player": player} for player in players or ("greedy", "random", "random")]
    document = {"game": "downfall", "games": GAMES, "seed": 3, "seats": seats, **more}
    return study(execute(load_scenario(document), jobs=1, records=records, series_every=0))


@pytest.fixture(scope="module")
def played() -> Study:
    return _play(sweep={"rules.edition": ["mayfair-2013", "amigo-2004"]})


def _rows(played: Study, cell: int = 0) -> pl.DataFrame:
    return played.games(cell).collect()


def _by_kind(rows: pl.DataFrame, column: str, kind: int) -> int:
    """Return the sum of a per-seat column over the seats of a kind: listed seat 0, or the others."""
    total = 0
    for seat in range(3):
        spec = rows[f"seat_spec_{seat}"].to_numpy()
        mine = spec == 0 if kind == 0 else spec > 0
        total += int(rows[f"{column}_{seat}"].to_numpy()[mine].sum())
    return total


def test_fates_are_the_sums_of_the_rows_and_everybody_has_one(played: Study) -> None:
    frame, rows = fates_by_player(played), _rows(played, 1)
    for number, player in enumerate(("greedy", "random")):
        mine = frame.filter((pl.col("cell") == 1) & (pl.col("player") == player))
        assert mine["value"].sum() == pytest.approx(1.0)
        placed = _by_kind(rows, "placed", number)
        for column, fate in FATES.items():
            (row,) = mine.filter(pl.col("fate") == fate).to_dicts()
            assert (row["top"], row["bottom"]) == (_by_kind(rows, column, number), placed)
            assert row["value"] == pytest.approx(row["top"] / placed)
            assert row["n"] == GAMES


def test_gates_share_the_saved(played: Study) -> None:
    frame, rows = saved_by_gate(played).filter(pl.col("cell") == 0), _rows(played)
    assert frame["gate"].to_list() == [gate.name for gate in data_of(played).gates]
    assert frame["value"].sum() == pytest.approx(1.0)
    for number, row in enumerate(frame.to_dicts()):
        assert row["top"] == rows[f"gate_saved_{number}"].sum()


def test_buildings_are_everybody_and_houses_are_one(played: Study) -> None:
    frame, rows = survival_by_home(played).filter(pl.col("cell") == 0), _rows(played)
    assert frame.height == len(data_of(played).buildings) + 1
    assert frame["bottom"].sum() == sum(rows[f"placed_{seat}"].sum() for seat in range(3))
    assert frame["top"].sum() == sum(rows[f"saved_{seat}"].sum() for seat in range(3))
    named = homes(data_of(played))
    for row in frame.to_dicts():
        assert row["top"] == sum(rows[f"home_saved_{i}"].sum() for i in named[row["building"]])


def test_survival_begins_with_omens_and_ends_with_nobody(played: Study) -> None:
    frame, rows = survival_by_turn(played, cell=[0]), _rows(played)
    wide = frame.pivot(on="state", index="turn", values="value")
    assert (wide["saved"] + wide["lost"] + wide["on the board"]).to_numpy() == pytest.approx(np.ones(wide.height))
    placed = sum(rows[f"placed_{seat}"].sum() for seat in range(3))
    omens = sum(rows[f"lost_omen_{seat}"].sum() for seat in range(3))
    first, last = wide.row(0, named=True), wide.row(-1, named=True)
    assert (first["turn"], first["saved"], first["lost"]) == (0, 0.0, pytest.approx(omens / placed))
    assert last["on the board"] == 0.0
    assert last["saved"] == pytest.approx(sum(rows[f"saved_{seat}"].sum() for seat in range(3)) / placed)
    assert wide["saved"].is_sorted()
    assert wide["on the board"].is_sorted(descending=True)


def test_deals_are_units_of_survival_in_duplicate_play() -> None:
    frame = survival_by_turn(_play("full", "greedy", "random", seating="duplicate"))
    assert set(frame["n"]) == {GAMES // 2}


def test_squares_are_where_the_board_has_them(played: Study) -> None:
    frame, rows, data = squares(played, 0), _rows(played), data_of(played)
    deaths = frame.filter(pl.col("metric") == "deaths")
    assert deaths["square"].to_list() == [square.id for square in data.squares]
    for row in deaths.to_dicts():
        number = row["row"] * data.columns + row["column"]
        assert row["value"] == pytest.approx(rows[f"square_lost_{number}"].mean())
    every = sum(rows[f"casualties_{seat}"].mean() for seat in range(3))
    assert deaths["value"].sum() == pytest.approx(every)
    escapes = frame.filter(pl.col("metric") == "escapes")
    assert escapes["square"].to_list() == [gate.square for gate in data.gates]
    assert escapes["value"].sum() == pytest.approx(sum(rows[f"saved_{seat}"].mean() for seat in range(3)))
    lava = frame.filter(pl.col("metric") == "lava")
    assert lava["value"].min() >= 0
    assert lava["value"].max() <= 1
    told = {square.id: standing(data, square) for square in data.squares}
    assert all("gate" in told[gate.square] for gate in data.gates)
    assert all(told[symbol.vent].startswith(symbol.id) for symbol in data.symbols)


def test_squares_of_a_building_show_its_survival(played: Study) -> None:
    shown = from_homes(played, 0)
    by_name = {r["building"]: r["value"] for r in survival_by_home(played).filter(pl.col("cell") == 0).to_dicts()}
    parts = shown.filter(pl.col("what").str.starts_with("1a"))
    assert parts.height >= 1
    first = next(name for name in by_name if name.startswith("1 "))
    assert parts["value"].to_list() == [by_name[first]] * parts.height
    streets = shown.filter(pl.col("what") == "")
    assert streets["value"].null_count() == streets.height


def _check(made: list[Section]) -> None:
    assert len({section.name for section in made}) == len(made)
    for section in made:
        assert section.sentences or section.pictures
        for sentence in section.sentences:
            assert sentence.endswith(".")
            assert "nan" not in sentence.lower()
        for picture in section.pictures:
            assert picture.figure.axes
            assert picture.alternative
            assert picture.caption.endswith(".")
        for table in section.tables:
            assert set(table.columns) <= set(table.frame.columns)


def test_sections_of_several_settings_and_of_one(played: Study) -> None:
    _check(sections(played))
    one = _play("full", "greedy", "greedy")
    made = sections(one)
    _check(made)
    assert [section.name for section in made] == ["fates", "survival", "gates", "buildings", "board", "clock"]


def test_core_records_say_what_they_lack() -> None:
    made = {section.name: section for section in sections(_play("core"))}
    for name in ("survival", "buildings", "board"):
        assert "--records full" in made[name].sentences[0]
        assert not made[name].pictures
    assert made["fates"].pictures
    assert made["gates"].pictures


def test_a_report_on_several_numbers_of_players_has_them(tmp_path: Path) -> None:
    lists = [[{"player": "greedy"}] * 2, [{"player": "greedy"}] * 3]
    document = {"game": "downfall", "games": 20, "seats": lists[0], "sweep": {"seats": lists}}
    execute(load_scenario(document), out=tmp_path / "run", jobs=1, records="full", series_every=5)
    text = pompeii_sim.write_report([tmp_path / "run"], tmp_path / "report.md").read_text("utf-8")
    for title in ("Who is saved, who is lost, and how", "Survival", "Gates", "Buildings", "The board"):
        assert f"## {title}\n" in text
    assert "3 greedy" in text
