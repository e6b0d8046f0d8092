"""A run end to end: what is in the folder, and what changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from toy_install import document, scenario

from pompeii_sim.errors import InputError
from pompeii_sim.run import closing_table, execute, metric_records, session
from pompeii_sim.run.summary import cells_of
from pompeii_sim.scenario import load_scenario
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store import open_run

SWEEP = {"rules.target": [2, 3]}


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return what must not depend on how a run was played."""
    files = [p for kind in ("games", "series") for p in (folder / kind).rglob("*") if p.is_file()]
    files += [folder / n for n in ("summary.json", "schema.json", "cells.parquet")]
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def test_folder_holds_what_it_should(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "run"
    result = execute(scenario(games=2500, sweep=SWEEP), out=out, part_size=1000, series_every=50)
    assert sorted(p.name for p in out.iterdir()) == [
        "cells.parquet", "games", "manifest.json", "scenario.toml", "schema.json", "series", "summary.json",
    ]  # fmt: skip
    parts = sorted(p.name for p in (out / "games" / "cell=1").iterdir())
    assert parts == [f"part-{first:012d}.parquet" for first in (0, 1002, 2004)]
    assert pl.read_parquet(out / "games" / "cell=1" / parts[2]).height == 2500 - 2004
    run = open_run(out)
    games = run.games().collect()
    assert games.height == 5000
    assert games["cell"].to_list() == [0] * 2500 + [1] * 2500
    assert games["game"].to_list() == list(range(2500)) * 2
    assert "last_disaster_luck" not in games.columns
    assert set(run.series().collect()["game"]) == set(range(0, 2500, 50))
    assert run.settings() == [{"rules.target": 2}, {"rules.target": 3}]
    assert run.kinds() == [("eager", "careful", "careful")] * 2
    assert run.summary == result.summary == json.loads((out / "summary.json").read_text())
    assert [c["games"] for c in run.summary["cells"]] == [2500, 2500]
    manifest = run.manifest
    assert (manifest.state, manifest.reason, manifest.played) == ("finished", "all games played", 5000)
    assert manifest.provenance[0]["provenance"] == {"stated": 1}
    again = load_scenario(run.scenario_path)
    assert (again.games, again.seed, len(again.cells)) == (2500, 1, 2)


def test_summary_leaves_are_estimates_and_hold_no_clock_or_path(tmp_path: Path) -> None:
    execute(scenario(games=600), out=tmp_path / "run")
    text = (tmp_path / "run" / "summary.json").read_text()
    assert str(tmp_path) not in text
    metrics = json.loads(text)["cells"][0]["metrics"]
    assert set(metrics["victory_rate"]) >= {"value", "low", "high", "n", "level", "method"}
    assert metrics["win_share_by_player"]["careful"]["expected"] == pytest.approx(2 / 3)
    assert "NaN" not in text


@pytest.mark.parametrize("seating", ["rotate", "duplicate", "fixed"])
def test_jobs_and_chunk_change_nothing(tmp_path: Path, seating: str) -> None:
    s = scenario(games=2000, sweep=SWEEP, seating=seating)
    runs = []
    for name, options in enumerate([{"jobs": 1}, {"jobs": 2}, {"jobs": 3, "chunk": 7}, {"jobs": 1, "chunk": 10_000}]):
        execute(s, out=tmp_path / str(name), part_size=600, series_every=9, **options)
        runs.append(bytes_of(tmp_path / str(name)))
    assert runs[0] == runs[1] == runs[2] == runs[3]
    assert len(runs[0]) == 2 * 2 * 4 + 3


def test_memory_and_folder_agree(tmp_path: Path) -> None:
    s = scenario(games=1500, sweep=SWEEP, seating="duplicate")
    kept, stored = execute(s, part_size=700), execute(s, out=tmp_path / "run", part_size=700)
    assert kept.summary == stored.summary
    assert kept.folder is None
    assert kept.games().collect().equals(stored.games().collect())
    assert kept.series().collect().equals(stored.series().collect())
    with pytest.raises(ValueError, match="memory"):
        _ = kept.run


def test_part_size_changes_files_but_no_number(tmp_path: Path) -> None:
    s = scenario(games=1500, seating="duplicate")
    a, b = execute(s, part_size=300), execute(s, part_size=20_000)
    assert a.summary == b.summary


def test_duplicate_plays_each_deal_in_every_arrangement() -> None:
    result = execute(scenario(games=900, seating="duplicate"))
    games = result.games().collect()
    per_deal = games.group_by("deal").agg(pl.col("arrangement").n_unique().alias("n"), pl.len().alias("games"))
    assert per_deal["n"].to_list() == per_deal["games"].to_list() == [3] * 300
    assert result.cells[0].metrics["victory_rate"].n == 300  # type: ignore[union-attr]


def test_full_records(tmp_path: Path) -> None:
    result = execute(scenario(games=100), out=tmp_path / "run", records="full")
    assert "last_disaster_luck" in result.games().collect_schema().names()
    (column,) = [c for c in result.run.schema.columns if c.name == "last_disaster_luck"]
    assert column.records == "full"


def test_closing_table_and_records_hold_the_same_estimates() -> None:
    result = execute(scenario(games=400, sweep=SWEEP))
    columns, records = result.table()
    assert columns[:4] == ["cell", "rules.target", "games", "failed"]
    assert "win_share_by_player.careful" in columns
    assert "cap_rate" not in columns
    assert "cap_rate" in closing_table(result.cells, result.schema, every_metric=True)[0]
    assert all(set(r) == set(columns) for r in records)
    long = metric_records(result.cells)
    for record in records:
        for name in columns[4:]:
            metric, _, label = name.partition(".")
            (row,) = [r for r in long if (r["cell"], r["metric"], r["label"]) == (record["cell"], metric, label)]
            assert isinstance(record[name], Estimate)
            assert (row["value"], row["low"]) == (record[name].value, record[name].low)
    back = cells_of(result.summary)
    assert [c.to_json() for c in back] == result.summary["cells"]


def test_existing_folder_is_refused_and_untouched(tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    with pytest.raises(InputError, match="exists already"):
        execute(scenario(games=10), out=out)
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("part_size", [300, 20_000])
def test_a_rerun_with_fewer_games_says_what_to_do_and_leaves_the_run_alone(tmp_path: Path, part_size: int) -> None:
    out = tmp_path / "run"
    execute(scenario(games=900), out=out, part_size=part_size)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(InputError) as raised:
        execute(scenario(games=300), out=out, part_size=part_size, resume=True)
    assert str(raised.value).startswith(
        f"{out}: cell 0 holds more games (900) than the 300 asked for, and games are never deleted; "
        f"read the run as it is, with pompeii_sim.load('{out}') or report; or ask for as many games or more"
    )
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", 0),
        ("games", -5),
        ("games", 2.5),
        ("jobs", 0),
        ("jobs", 1_000_000),
        ("chunk", 0),
        ("part_size", 0),
        ("series_every", -1),
        ("level", 1.0),
        ("records", "all"),
    ],
)
def test_bad_options_write_nothing(tmp_path: Path, name: str, value: Any) -> None:
    with pytest.raises(InputError, match=name):
        execute(scenario(games=10), out=tmp_path / "run", **{name: value})
    assert list(tmp_path.iterdir()) == []


def test_failed_games_are_listed_and_the_batch_goes_on(tmp_path: Path) -> None:
    seats = [{"player": "cheat", "weights": {"rate": 0.02}}, {"player": "eager"}]
    s = load_scenario({**document(games=800), "seats": seats})
    result = execute(s, out=tmp_path / "run", part_size=300)
    bad = result.games().filter(pl.col("error") != 0).collect()
    assert 0 < bad.height < 400
    assert result.failed == bad.height == result.run.manifest.failed
    assert result.exit_code == 1
    assert [(f.cell, f.game) for f in result.failures] == list(bad.select("cell", "game").iter_rows())[:100]
    assert result.cells[0].metrics["victory_rate"].n == 800 - bad.height  # type: ignore[union-attr]
    resumed = execute(s, out=tmp_path / "run", part_size=300, resume=True)
    assert resumed.failures == result.failures


def test_player_that_raises_costs_only_its_games() -> None:
    seats = [{"player": "raiser", "weights": {"rate": 0.02}}, {"player": "eager"}]
    result = execute(load_scenario({**document(games=800), "seats": seats}), jobs=2, chunk=37)
    games = result.games().collect()
    assert games["game"].to_list() == list(range(800))
    bad = games.filter(pl.col("error") == -1)
    assert 0 < bad.height < 400
    assert result.failed == bad.height
    assert result.failures[0].text == "ValueError: the toy player gives up"
    assert set(bad["arrangement"]) == {0, 1}
    assert bad.filter(pl.col("arrangement") == 1)["seat_spec_0"].unique().to_list() == [1]
    again = execute(load_scenario({**document(games=800), "seats": seats}), jobs=1)
    assert again.summary == result.summary
    assert again.games().collect().equals(games)


def test_fail_fast_stops(tmp_path: Path) -> None:
    seats = [{"player": "cheat", "weights": {"rate": 0.5}}, {"player": "eager"}]
    s = load_scenario({**document(games=50_000), "seats": seats})
    result = execute(s, out=tmp_path / "run", fail_fast=True, chunk=100, jobs=1)
    assert result.state == "interrupted"
    assert "fail-fast" in result.reason
    assert result.failed >= 1
    assert result.played < 5000


def test_reading_needs_no_engine(tmp_path: Path) -> None:
    execute(scenario(games=50), out=tmp_path / "run")
    code = (
        "import sys; from pompeii_sim.store import open_run; r = open_run(sys.argv[1]);"
        "assert r.games().collect().height == 50; assert r.schema.metrics; r.cells; r.summary;"
        "bad = [m for m in sys.modules if m.split('.')[0] == 'numba' or m.startswith('pompeii_sim.games')];"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "run")], check=True)


def _chunks(monkeypatch: pytest.MonkeyPatch, seconds: float, **options: Any) -> list[int]:
    """Play with games that take so long, and return the sizes of the chunks as they began."""
    sizes: list[int] = []
    play = session.play_chunk

    def slowly(prepared: Any, seed: int, first: int, count: int, every: int) -> Any:
        sizes.append(count)
        time.sleep(count * seconds)
        return play(prepared, seed, first, count, every)

    with monkeypatch.context() as patch:
        patch.setattr(session, "play_chunk", slowly)
        execute(**options)
    return sizes


def test_chunks_are_a_second_of_play_and_the_last_ones_short(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = _chunks(monkeypatch, 0.0005, scenario=scenario(games=6000), jobs=1)
    assert len(fast) <= 8  # what a chunk costs besides play is paid a few times only
    assert max(fast) <= 2400
    slow = _chunks(monkeypatch, 0.05, scenario=scenario(games=30), jobs=1)
    assert max(slow) <= 20
    assert slow[0] <= 5  # nothing is known of the pace yet, and a signal waits for the end
    last = _chunks(monkeypatch, 0.0005, scenario=scenario(games=6000), jobs=2)
    assert max(last) > 600
    assert max(last[-2:]) <= 400  # two threads end together
