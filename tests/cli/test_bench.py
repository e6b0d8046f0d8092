"""``bench``: what it prints and keeps, and when it fails; the measuring processes are stood in for."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any

import pytest

from pompeii_sim.cli import bench_child
from pompeii_sim.cli.bench_child import CompileTimes
from pompeii_sim.run.backend import core_numbers

pytestmark = pytest.mark.usefixtures("game")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    calls: list[Any] = []

    def child(mode: str, document: Any, games: int, jobs: int, environment: dict[str, str]) -> Any:
        calls.append((mode, document, games, jobs, environment["POMPEII_SIM_CACHE"]))
        if mode == "compile":
            slow = [{"function": "kernel.play", "seconds": 3.5}]
            seconds = 20.0 if len(calls) == 1 else 0.5
            return {
                "seconds": 30.0,
                "cpu_seconds": seconds,
                "functions": 9,
                "slowest": slow,
                "peak_memory_mb": 300.0,
            }, 0.9
        return {
            "decisions_per_game": 250.0,
            "games_per_cpu_second": 4000.0,
            "decisions_per_cpu_second": 1e6,
            "games_per_second_all": 7600.0,
            "scaling": 1.9,
            "peak_memory_mb": 200.0,
        }, 9.0

    monkeypatch.setattr("pompeii_sim.cli.bench.child", child)
    return calls


def test_figures_and_file(cli: Callable[..., Any], asked: list[Any], tmp_path: Path) -> None:
    kept = tmp_path / "new" / "bench.json"
    said = cli("bench", "--game", "stub", "--out", kept, "--jobs", 2, "--format", "json")
    assert said.code == 0
    document = json.loads(said.out)
    assert document == json.loads(kept.read_text())
    assert document["figures"]["cold_compile_cpu_seconds"] == 20.0
    assert document["figures"]["warm_start_seconds"] == 0.9
    assert document["figures"]["games_per_cpu_second"] == 4000.0
    assert document["slowest_to_compile"][0]["function"] == "kernel.play"
    assert [a[0] for a in asked] == ["compile", "compile", "speed"]
    assert len(asked[0][1]["seats"]) == 4
    assert len({a[4] for a in asked}) == 1
    assert not Path(asked[0][4]).exists()
    said = cli("bench", "--game", "stub", "--out", kept)
    assert said.code == 2
    assert "exists already" in said.err
    assert len(asked) == 3


def test_slow_compilation_fails(
    cli: Callable[..., Any], asked: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pompeii_sim.cli.bench.COLD_LIMIT", 19.9)
    said = cli("bench", "--game", "stub", "--out", tmp_path / "b.json")
    assert said.code == 3
    assert "20 s of processor time" in said.err
    assert json.loads((tmp_path / "b.json").read_text())["passed"] is False
    assert "compile kernel.play" in said.out


def test_a_sweep_is_benched_by_its_first_cell(cli: Callable[..., Any], asked: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('game = "stub"\n[[seats]]\n[sweep]\n"rules.difficulty" = ["B", "C"]\n"rules.place" = [3]\n')
    assert cli("bench", file, "--set", "rules.cap=7").code == 0
    assert asked[0][1]["rules"] == {"difficulty": "B", "place": 3, "cap": 7}
    assert "sweep" not in asked[0][1]


def test_compile_times_leave_out_the_functions_called() -> None:
    times = CompileTimes()
    times.start()
    time.sleep(0.02)
    times.start()
    time.sleep(0.05)
    times.end("inner")
    times.end("outer")
    assert times.seconds["inner"] >= 0.05
    assert 0.02 <= times.seconds["outer"] < 0.05
    assert [s["function"] for s in times.slowest(1)] == ["inner"]


@pytest.fixture
def whole_runs(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What the measuring processes of ``--stored`` would find, in six rounds on a machine that is ever busier."""
    found = {"bare": 1000.0, "stored": 960.0, "bare_jobs": 1980.0, "stored_jobs": 1850.0, "first": 200.0, "last": 210.0}

    def child(mode: str, document: Any, games: int, jobs: int, environment: dict[str, str]) -> Any:
        assert jobs == 2
        if mode == "memory":
            held = found["last"] if games == 1_000_000 else found["first"]
            return {"peak_memory_mb": held, "seconds": 1.0}, 1.0
        kinds = ("bare", "stored", "bare_jobs", "stored_jobs")
        rounds = [{kind: found[kind] / (1 + n) for kind in kinds} for n in range(6)]
        rounds[5]["stored"] /= 2  # disturbed
        for one in rounds:
            one |= {"bare_cpu": 1000.0, "stored_cpu": 970.0}
        return {"games": 800, "rounds": rounds}, 9.0

    monkeypatch.setattr("pompeii_sim.cli.bench.child", child)
    return found


def test_whole_runs_against_the_bare_kernel(cli: Callable[..., Any], whole_runs: dict[str, float]) -> None:
    words = ("bench", "--game", "stub", "--stored", "--memory", 1_000_000, "-n", 5000, "-f", "json")
    said = cli(*words)
    assert said.code == 0
    figures = json.loads(said.out)["figures"]
    assert (figures["rounds"], figures["turn_games"]) == (6, 800)
    assert figures["stored_share"] == pytest.approx(0.96)
    assert (figures["stored_share_low"], figures["stored_share_high"]) == pytest.approx((0.48, 0.96))
    assert figures["stored_share_cpu"] == pytest.approx(0.97)
    assert figures["two_jobs"] == pytest.approx(1850 / 960)
    assert figures["two_threads_bare"] == pytest.approx(1.98)
    assert figures["stored_share_two_jobs"] == pytest.approx(1850 / 1980)
    assert figures["bare_games_per_second"] == pytest.approx(1000 / 4)  # the lower one of the two in the middle
    assert figures["memory_growth"] == pytest.approx(1.05)
    assert {"peak_memory_10000_games_mb", "peak_memory_100000_games_mb"} <= set(figures)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stored": 940.0}, "stored_share is 0.940"),
        ({"stored_jobs": 1800.0}, "two_jobs is 1.875, less than 1.9 (the bare kernel: 1.980)"),
        ({"last": 241.0}, "memory_growth"),
    ],
)
def test_each_limit_fails_the_bench(
    cli: Callable[..., Any], whole_runs: dict[str, float], change: dict[str, float], told: str
) -> None:
    whole_runs.update(change)
    said = cli("bench", "--game", "stub", "--stored", "--memory", 1_000_000)
    assert said.code == 3
    assert told in said.err


def test_turns_are_played_and_kept_to_their_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real turns, with a kernel and runs that only take time."""
    where: list[tuple[str, set[int]]] = []
    every = set(core_numbers())
    clock, lock = [0.0], Lock()

    class Player:
        def __init__(self, document: Any) -> None:
            self.document = document

        def play(self, first: int, count: int) -> int:
            with lock:
                clock[0] += 1e-3 * count
            where.append(("bare", os.sched_getaffinity(0)))
            return 0

    def stored(scenario: Any, games: int, jobs: int) -> None:
        with ThreadPoolExecutor(1) as pool:  # threads made in a turn, too
            where.append((f"stored {jobs}", pool.submit(os.sched_getaffinity, 0).result()))
        clock[0] += 2e-3 * games / jobs

    told = SimpleNamespace(perf_counter=lambda: clock[0], process_time=lambda: clock[0])
    monkeypatch.setattr(bench_child, "time", told)
    monkeypatch.setattr(bench_child, "Player", Player)
    monkeypatch.setattr(bench_child, "stored", stored)
    monkeypatch.setattr("pompeii_sim.scenario.load_scenario", lambda document: document)
    idle = ThreadPoolExecutor(1)  # such as a library keeps
    idle.submit(time.sleep, 0).result()
    try:
        played = bench_child.measure_stored({}, 72_000, 2)
        assert played["games"] == 8000
        assert len(played["rounds"]) == 9
        speeds = {"bare": 1000, "stored": 500, "bare_cpu": 1000, "stored_cpu": 500, "stored_jobs": 1000}
        for one in played["rounds"]:
            assert one == pytest.approx({**speeds, "bare_jobs": 1000})
        assert {len(cores) for kind, cores in where if kind == "stored 1"} == {1}
        assert [cores for kind, cores in where if kind == "stored 2"] == [every] * 10
        assert len(bench_child.measure_stored({}, 200, 2)["rounds"]) == bench_child.ROUNDS
        bench_child.keep_to(sorted(every)[:1])
        assert idle.submit(os.sched_getaffinity, 0).result() == set(sorted(every)[:1])
    finally:
        bench_child.keep_to(sorted(every))
        idle.shutdown()


def test_memory_is_measured_of_whole_runs(cli: Callable[..., Any]) -> None:
    assert "--stored" in cli("bench", "--game", "stub", "--memory", 1000).err
