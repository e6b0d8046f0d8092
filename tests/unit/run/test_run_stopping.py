"""Stopping at a precision: the same for any number of jobs, across interruptions, and true to its word."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from toy_exact import exact
from toy_install import scenario

from pompeii_sim.errors import InputError
from pompeii_sim.measure.anytime import half_width
from pompeii_sim.run import execute
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.progress import NoProgress
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store import open_run

SMALL: dict[str, Any] = {"part_size": 3000, "series_every": 50}


def _bytes(folder: Path) -> dict[str, bytes]:
    files = [p for kind in ("games", "series") for p in (folder / kind).rglob("*") if p.is_file()]
    return {str(p.relative_to(folder)): p.read_bytes() for p in [*files, folder / "summary.json"]}


@pytest.mark.parametrize("seating", ["rotate", "duplicate"])
@pytest.mark.parametrize("metric", ["victory_rate", "rounds_mean", "win_share_by_player.eager", "tosses_mean"])
def test_stops_at_the_first_checkpoint_that_is_narrow_enough(tmp_path: Path, seating: str, metric: str) -> None:
    width = {"victory_rate": 0.012, "rounds_mean": 0.15, "win_share_by_player.eager": 0.014, "tosses_mean": 0.12}[
        metric
    ]
    if metric == "rounds_mean":
        width *= 40  # the declared bounds reach to 1000 rounds, and the method promises for all of them
    s = scenario(games=1000, seating=seating)
    runs = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        result = execute(s, out=out, jobs=jobs, precision={metric: width}, max_games=60_000, **SMALL)
        runs.append(_bytes(out))
    assert runs[0] == runs[1]
    (cell,) = result.summary["stopping"]["cells"]
    assert cell["reason"] == result.reason == "precision reached"
    assert result.cells[0].games == cell["games"] < 60_000
    assert cell["games"] % 3000 in (0, 1002, 2004)
    *before, last = cell["sequence"]
    wide = [half_width(Estimate.from_json(look[metric])) for look in before]
    assert half_width(Estimate.from_json(last[metric])) <= width  # type: ignore[operator]
    assert all(w is None or w > width for w in wide)
    assert last[metric]["valid"] == "anytime"
    method = {"victory_rate": "beta-mixture" if seating == "rotate" else "empirical-bernstein"}
    method |= {"tosses_mean": "asymptotic-sequence"}
    if seating == "duplicate":  # a share of decided games, whose number differs from deal to deal: a ratio
        method |= {"win_share_by_player.eager": "asymptotic-sequence"}
    assert last[metric]["method"] == method.get(metric, "empirical-bernstein")
    name, _, label = metric.partition(".")
    (shown,) = result.cells
    final = shown.metrics[name]
    closing = final if isinstance(final, Estimate) else final[label]
    assert (closing.low, closing.valid) == (last[metric]["low"], "anytime")
    other = shown.metrics["cap_rate"]
    assert isinstance(other, Estimate)
    assert "chosen while running" in str(other.note)
    games = open_run(tmp_path / "1").games().collect()
    assert games["game"].to_list() == list(range(cell["games"]))
    series = open_run(tmp_path / "1").series().collect()
    assert series["game"].unique().sort().to_list() == list(range(0, cell["games"], 50))


def test_all_precisions_are_reached_and_least_and_most_hold() -> None:
    s = scenario(games=4000)
    result = execute(s, precision={"victory_rate": 0.5, "disaster_rate": 0.5}, **SMALL)
    assert result.cells[0].games == 4002  # one look after the other: the first at or after the least number
    result = execute(s, precision={"victory_rate": 0.5, "disaster_rate": 0.02}, **SMALL)
    wide = execute(s, precision={"victory_rate": 0.02, "disaster_rate": 0.02}, joint=True, max_games=50_000, **SMALL)
    assert wide.cells[0].games >= result.cells[0].games
    assert wide.summary["stopping"]["rule"]["level"] == pytest.approx(0.975)
    capped = execute(s, precision={"victory_rate": 1e-6}, max_games=7000, **SMALL)
    assert capped.cells[0].games == 6999
    assert capped.reason == "most games played"


def test_resume_after_the_stop_plays_nothing_and_a_finer_one_plays_on(tmp_path: Path) -> None:
    s, out = scenario(games=1000), tmp_path / "run"
    first = execute(s, out=out, precision={"victory_rate": 0.02}, **SMALL)
    before = _bytes(out)
    again = execute(s, out=out, precision={"victory_rate": 0.02}, resume=True, **SMALL)
    assert again.played == 0
    assert _bytes(out) == before
    finer = execute(s, out=out, precision={"victory_rate": 0.01}, resume=True, jobs=2, **SMALL)
    assert finer.cells[0].games > first.cells[0].games
    execute(s, out=tmp_path / "direct", precision={"victory_rate": 0.01}, **SMALL)
    assert _bytes(out) == _bytes(tmp_path / "direct")


@pytest.mark.parametrize("jobs", [1, 2])
def test_little_is_played_beyond_the_stop(jobs: int) -> None:
    """A part is 20,000 games; the rule stops inside it, and so does the play."""
    result = execute(scenario(games=1000), jobs=jobs, precision={"victory_rate": 0.05}, series_every=50)
    assert result.cells[0].games == 1002
    assert result.played <= 1002 + 1000
    longer = execute(scenario(games=1000), jobs=jobs, precision={"victory_rate": 0.01}, series_every=50)
    assert 10_000 < longer.cells[0].games < 40_000
    assert longer.played <= 1.3 * longer.cells[0].games


def test_a_stop_inside_a_part_gives_the_bytes_of_whole_parts_cut_there(tmp_path: Path) -> None:
    """However the chunks lie; the longer run's part, cut, is the part of the one that stopped."""
    rule = {"victory_rate": 0.02}
    for name, chunk, jobs in (("small", 7, 2), ("large", 9000, 1)):
        execute(scenario(games=1000), out=tmp_path / name, precision=rule, chunk=chunk, jobs=jobs, series_every=50)
    assert _bytes(tmp_path / "small") == _bytes(tmp_path / "large")
    stopped = open_run(tmp_path / "small").games().collect()
    whole = execute(scenario(games=stopped.height), out=tmp_path / "whole", series_every=50)
    assert whole.cells[0].games == stopped.height % 20_000
    assert open_run(tmp_path / "whole").games().collect().equals(stopped)


class _Impatient(NoProgress):
    """Asks to stop after some chunks, as a signal would."""

    def __init__(self, chunks: int, stop: Stop) -> None:
        self.left, self.stop = chunks, stop

    def update(self, games: int, estimate: str = "") -> None:
        self.left -= 1
        if self.left == 0:
            self.stop.ask(2)


def test_interrupted_rule_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pompeii_sim.run import Interrupted, session

    s, rule = scenario(games=1000, sweep={"rules.target": [2, 3]}), {"victory_rate": 0.011}
    execute(s, out=tmp_path / "whole", precision=rule, **SMALL)
    for chunks in (3, 40, 77):
        stop = Stop()
        monkeypatch.setattr(session, "Stop", lambda stop=stop: stop)
        monkeypatch.setattr(session.Session.__dataclass_fields__["stop"], "default_factory", lambda stop=stop: stop)
        out = tmp_path / str(chunks)
        sessions = _Impatient(chunks, stop)
        original = session.Session.__init__

        def start(self: Any, *args: Any, original: Any = original, stop: Stop = stop, **options: Any) -> None:
            original(self, *args, **options)
            self.stop = stop

        with monkeypatch.context() as patch:
            patch.setattr(session.Session, "__init__", start)
            with pytest.raises(Interrupted):
                execute(s, out=out, precision=rule, progress=sessions, chunk=150, jobs=2, **SMALL)
        assert open_run(out).manifest.state == "interrupted"
        execute(s, out=out, precision=rule, resume=True, **SMALL)
        assert _bytes(out) == _bytes(tmp_path / "whole")


def test_contenders_get_the_games_and_twins_are_never_told_apart() -> None:
    s = scenario(games=1000, sweep={"rules.disaster": [0.05, 0.050000001, 0.3]})
    result = execute(s, precision={"victory_rate": 0.004}, allocate="contenders", max_games=30_000, **SMALL)
    cells = result.summary["stopping"]["cells"]
    assert cells[2]["reason"] == "told apart from all others"
    assert cells[2]["games"] < cells[0]["games"] == cells[1]["games"]
    assert result.summary["stopping"]["not_told_apart"] == [[0, 1]]


def test_time_is_a_limit(tmp_path: Path) -> None:
    result = execute(scenario(games=5_000_000), out=tmp_path / "run", max_time=0.2, **SMALL)
    assert result.reason == "time is over"
    assert 0 < result.cells[0].games < 5_000_000
    assert result.cells[0].games % 3000 in (0, 1002, 2004)
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["stopping"]["seconds"] == 0.2


def test_time_stops_slow_games_inside_a_part_and_takes_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pompeii_sim.run import session

    play = session.play_chunk

    def slowly(prepared: Any, seed: int, first: int, count: int, every: int) -> Any:
        time.sleep(count / 4000)
        return play(prepared, seed, first, count, every)

    monkeypatch.setattr(session, "play_chunk", slowly)
    s, out = scenario(games=20_000, sweep={"rules.target": [2, 3]}), tmp_path / "run"
    began = time.monotonic()
    result = execute(s, out=out, jobs=1, max_time=0.6)
    assert time.monotonic() - began < 4  # a part takes five seconds
    assert result.reason == "time is over"
    assert result.cells[1].games == 1002
    assert 2000 < result.cells[0].games < 6000
    assert result.cells[0].games % 1002 == 0
    again = execute(s, out=out, jobs=1, resume=True, max_time=0.01)
    assert [cell.games for cell in again.cells] == [result.cells[0].games, 1002]
    assert open_run(out).games().collect().height == sum(cell.games for cell in again.cells)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"precision": {"victory_rat": 0.1}}, "victory_rate"),
        ({"precision": {"win_share_by_player.egar": 0.1}}, r"win_share_by_player\.eager"),
        ({"precision": {"victory_rate": 0.0}}, "above 0"),
        ({"precision": {"victory_rate": 0.1}, "max_games": 10}, "least"),
        ({"max_time": -1.0}, "max_time"),
        ({"allocate": "contenders"}, "allocate"),
        ({"precision": {"victory_rate": 0.1}, "allocate": "best"}, "allocate"),
    ],
)
def test_bad_rules_are_refused(tmp_path: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        execute(scenario(games=100), out=tmp_path / "run", **options)
    assert list(tmp_path.iterdir()) == []


def test_interval_covers_at_every_look() -> None:
    """Over many seeds the true rate leaves the sequence, at any look, in at most the promised share of runs."""
    truth = exact([1.0, 0.5, 0.5]).victory
    missed = 0
    for seed in range(40):
        result = execute(
            scenario(games=9000, seed=seed), jobs=1, precision={"victory_rate": 1e-9}, max_games=9000, **SMALL
        )
        looks = result.summary["stopping"]["cells"][0]["sequence"]
        missed += any(not x["victory_rate"]["low"] <= truth <= x["victory_rate"]["high"] for x in looks)
    assert missed <= 6  # more than 6 of 40 happens less than once in two hundred at 5 %
