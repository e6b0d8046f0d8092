"""The game's own sections: their numbers are those of the rows, and what a run has not kept is said."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import pompeii_sim
from pompeii_sim import games
from pompeii_sim.analysis import Study, dispersion, study
from pompeii_sim.figures.section import Section
from pompeii_sim.games.pompeii import codes
from pompeii_sim.games.pompeii.insight import names, sections
from pompeii_sim.games.pompeii.insight.vesuvius import _clusters
from pompeii_sim.report.build import build_report

SCENARIO = {
    "game": "pompeii",
    "seed": 5,
    "games": 40,
    "seats": [{"player": "greedy", "stance": s} for s in ("cooperative", "never", "never")],
    "sweep": {"rules.difficulty": ["A", "C"]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("insight") / "run"
    pompeii_sim.run(SCENARIO, out=path, records="full", series_every=4)
    return path


@pytest.fixture(scope="module")
def full(folder: Path) -> dict[str, Section]:
    return {s.name: s for s in sections(study(folder))}


def raw(folder: Path, cell: int) -> pl.DataFrame:
    return pompeii_sim.load(folder).games(cell).collect()


def test_the_game_names_this_room_and_reports_hold_its_sections(folder: Path) -> None:
    assert games.get("pompeii").insight == "pompeii_sim.games.pompeii.insight"
    (chapter,) = build_report([folder]).chapters
    assert {"vesuvius", "offerings", "cards", "places"} <= {s.name for s in chapter.sections}
    assert any("share of offerings that succeed" in sentence for sentence in chapter.headline)


def test_offerings_are_those_of_the_rows(folder: Path, full: dict[str, Section]) -> None:
    tables = {t.name: t.frame for t in full["offerings"].tables}
    for cell in (0, 1):
        rows = raw(folder, cell)
        held = tables["held"].filter((pl.col("cell") == cell) & (pl.col("metric") == "offerings"))
        assert held["value"].item() == pytest.approx(rows["offerings"].mean())
        payer = pl.lit(0)
        asked = pl.lit(0)
        for seat in range(3):
            mine = pl.col(f"seat_spec_{seat}") == 0
            payer += pl.when(mine).then(pl.col(f"paid_{seat}")).otherwise(0)
            asked += pl.when(mine).then(pl.col(f"marker_{seat}")).otherwise(0)
        sums = rows.select(paid=payer.sum(), asked=asked.sum())
        found = tables["by-stance"].filter(
            (pl.col("cell") == cell) & (pl.col("what") == "paid of its marker") & (pl.col("stance") == "cooperative")
        )
        assert found["value"].item() == pytest.approx(sums["paid"].item() / sums["asked"].item())


def test_eruptions_and_losses_are_those_of_the_rows(folder: Path, full: dict[str, Section]) -> None:
    table = full["vesuvius"].tables[0].frame
    rows = raw(folder, 1)
    found = table.filter((pl.col("cell") == 1) & (pl.col("metric") == "eruptions_mean"))["value"].item()
    assert found == pytest.approx(rows["eruptions"].mean())
    spread = table.filter((pl.col("cell") == 1) & (pl.col("metric") == "dispersion"))["value"].item()
    assert spread == pytest.approx(float(rows["eruptions"].var()) / float(rows["eruptions"].mean()))  # type: ignore[arg-type]
    cards = full["vesuvius"].tables[1].frame.filter(pl.col("cell") == 1)
    assert cards.height == codes.N_VOLCANO
    lost = pl.sum_horizontal("lost_value_0", "lost_value_1", "lost_value_2")
    for row in cards.head(3).iter_rows(named=True):
        number = int(row["card"][2:4]) - 1
        assert row["card"].startswith("VC")
        seen = rows.filter(pl.col(f"volcano_seen_{number}") == 1)
        assert row["n"] == seen.height
        assert row["value"] == pytest.approx(seen.select(lost.mean()).item())


def test_how_eruptions_are_spread_is_told_from_a_stated_number_of_games_on(folder: Path, tmp_path: Path) -> None:
    enough = dispersion(study(folder), "eruptions").filter(pl.col("metric") == "dispersion")
    assert enough["low"].null_count() == 0
    assert "of 2 settings" in _clusters(enough)
    few = pompeii_sim.run({**SCENARIO, "games": 2}, out=tmp_path / "few", series_every=0)
    assert few.folder is not None
    spread = dispersion(study(few.folder), "eruptions").filter(pl.col("metric") == "dispersion")
    assert spread["low"].null_count() == 2
    assert _clusters(spread).endswith("cannot be told: it takes 30 games of a setting with an eruption in some.")


def test_places_and_buildings_are_those_of_the_rows(folder: Path, full: dict[str, Section]) -> None:
    tables = {t.name: t.frame for t in full["places"].tables}
    rows = raw(folder, 0)
    used = tables["places"].filter(pl.col("cell") == 0)
    assert used["item"].n_unique() == codes.N_PLACES
    foro = used.filter(pl.col("item").str.starts_with(f"{codes.FORO} "))["value"].item()
    assert foro == pytest.approx(rows[f"place_use_{codes.BUILDING_0 + codes.FORO}"].mean())
    built = tables["built"].filter((pl.col("cell") == 0) & pl.col("item").str.starts_with(f"{codes.CASTRUM} "))
    assert built["value"].item() == pytest.approx(rows[f"built_{codes.CASTRUM}"].mean())


def test_cards_have_all_names_and_effects_apart_from_associations(full: dict[str, Section]) -> None:
    tables = {t.name: t for t in full["cards"].tables}
    assert tables["effects"].frame.height == tables["associations"].frame.height == codes.N_CARDS
    assert tables["effects"].frame["item"][0].startswith("S01 ")
    assert "association" in tables["associations"].title
    assert any("chance alone would flag" in s for s in full["cards"].sentences)


def test_core_records_say_what_they_lack(tmp_path: Path) -> None:
    pompeii_sim.run({**SCENARIO, "games": 8}, out=tmp_path / "core", series_every=0)
    found = {s.name: s for s in sections(study(tmp_path / "core"))}
    for name in ("cards", "places"):
        assert found[name].tables == ()
        assert "--records full" in found[name].sentences[0]
    assert "--records full" in found["vesuvius"].sentences[-1]


def test_stances_are_told_only_where_players_do_not_tell_as_much(tmp_path: Path, full: dict[str, Section]) -> None:
    assert "stances" not in full  # the kinds greedy and greedy[stance=never] part the seats alike
    seats = [{"player": "greedy"}, {"player": "planner"}, {"player": "greedy", "stance": "conditional"}]
    pompeii_sim.run({**SCENARIO, "games": 8, "seats": seats}, out=tmp_path / "run")
    found = {s.name: s for s in sections(study(tmp_path / "run"))}
    assert any("Adaptive stances (conditional)" in s for s in found["stances"].sentences)


def test_names_come_from_the_runs_own_data(folder: Path, tmp_path: Path) -> None:
    data = names.data_of(study(folder))
    assert len(names.places(data)) == codes.N_PLACES
    assert len(names.cards(data)) == codes.N_CARDS
    edited = pompeii_sim.export_data(tmp_path / "edited")
    file = edited / "buildings.toml"
    text = file.read_text("utf-8")
    name = data.building(1).name
    file.write_text(text.replace(f'name = "{name}"', 'name = "Renamed"', 1), "utf-8")
    pompeii_sim.run({**SCENARIO, "games": 2, "data": str(edited)}, out=tmp_path / "run")
    assert names.building(names.data_of(study(tmp_path / "run")), 1) == "1 Renamed"


def test_a_study_of_one_cell_works(tmp_path: Path) -> None:
    one = {k: v for k, v in SCENARIO.items() if k != "sweep"} | {"games": 6}
    pompeii_sim.run(one, out=tmp_path / "one", records="full", series_every=2)
    made: Study = study(tmp_path / "one")
    assert all(section.sentences for section in sections(made))
