"""A real Dask cluster on this machine gives the bytes of a local run, whoever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from toy_install import document, install, scenario

from pompeii_sim.errors import InputError
from pompeii_sim.run import execute
from pompeii_sim.run.cluster import DaskCluster, PlayedPart, RemotePart, play_remote
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.progress import NoProgress
from pompeii_sim.scenario import load_scenario
from pompeii_sim.store import open_run

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from dask_processes import Cluster

SCENARIO: dict[str, Any] = {"games": 15_000, "seating": "duplicate", "sweep": {"rules.target": [2, 3]}}
OPTIONS: dict[str, Any] = {"part_size": 750, "series_every": 20}

# a client that is closed while the cluster changes leaves tasks of its own event loop behind
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask") / "log.txt")
    try:
        made.wait()
        yield made
    finally:
        made.close()


def result_bytes(folder: Path) -> dict[str, bytes]:
    """Return the bytes that must come out equal."""
    files = [p for kind in ("games", "series") for p in (folder / kind).rglob("*") if p.is_file()]
    return {str(p.relative_to(folder)): p.read_bytes() for p in [*files, folder / "summary.json"]}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of an undisturbed run on this machine."""
    install()
    out = tmp_path_factory.mktemp("local") / "run"
    execute(scenario(**SCENARIO), out=out, jobs=2, **OPTIONS)
    return result_bytes(out)


class Killer(NoProgress):
    """Kills a worker when some parts are in, and starts another one."""

    def __init__(self, cluster: Cluster, parts: int) -> None:
        self.cluster = cluster
        self.left = parts
        self.killed: list[subprocess.Popen[bytes]] = []

    def update(self, games: int, estimate: str = "") -> None:
        self.left -= 1
        if self.left == 0:
            victim = self.cluster.workers.pop(0)
            os.kill(victim.pid, signal.SIGKILL)
            self.killed.append(victim)
            self.cluster.workers.append(self.cluster.worker())


def test_cluster_gives_the_bytes_of_a_local_run(cluster: Cluster, local: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = execute(scenario(**SCENARIO), out=out, backend="dask", address=cluster.address, **OPTIONS)
    assert (result.played, result.state) == (30_000, "finished")
    assert open_run(out).manifest.backend == "dask"
    assert result_bytes(out) == local


def test_a_rule_stops_on_the_workers_too(cluster: Cluster, tmp_path: Path) -> None:
    """A part is 20,000 games; a worker that stops where the rule does plays little beyond."""
    rule: dict[str, Any] = {"precision": {"victory_rate": 0.03}, "series_every": 20}
    asked = scenario(**{**SCENARIO, "games": 1000})
    execute(asked, out=tmp_path / "here", jobs=2, **rule)
    there = execute(asked, out=tmp_path / "there", backend="dask", address=cluster.address, **rule)
    assert there.reason == "precision reached"
    assert there.played == sum(cell.games for cell in there.cells) < 20_000
    assert result_bytes(tmp_path / "there") == result_bytes(tmp_path / "here")


@pytest.mark.parametrize("parts", [1, 7, 20])
def test_worker_killed_in_mid_run(cluster: Cluster, local: dict[str, bytes], tmp_path: Path, parts: int) -> None:
    out = tmp_path / "run"
    killer = Killer(cluster, parts)
    execute(scenario(**SCENARIO), out=out, backend="dask", address=cluster.address, progress=killer, **OPTIONS)
    assert [worker.wait(10) for worker in killer.killed] == [-signal.SIGKILL]
    assert result_bytes(out) == local
    cluster.wait()


def start(cluster: Cluster, out: Path, **more: Any) -> subprocess.Popen[str]:
    """Start a run in a process of its own."""
    request = {"scenario": {**SCENARIO, **more}, "options": OPTIONS}
    command = [sys.executable, str(Path(__file__).with_name("cluster_driver.py")), cluster.address, str(out)]
    return subprocess.Popen([*command, json.dumps(request)], env=cluster.environment, stderr=subprocess.PIPE, text=True)


def wait_for_parts(out: Path, parts: int, run: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while len(list(out.glob("games/*/*.parquet"))) < parts:
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.005)


@pytest.mark.parametrize("parts", [1, 12])
def test_killed_and_resumed(cluster: Cluster, local: dict[str, bytes], tmp_path: Path, parts: int) -> None:
    out = tmp_path / "run"
    run = start(cluster, out)
    wait_for_parts(out, parts, run)
    run.kill()
    assert run.wait(10) == -signal.SIGKILL
    assert run.stderr is not None
    run.stderr.close()
    assert not (out / "summary.json").exists()
    result = execute(scenario(**SCENARIO), out=out, resume=True, backend="dask", address=cluster.address, **OPTIONS)
    assert 0 < result.played < 30_000
    assert result_bytes(out) == local


def test_ctrl_c_keeps_finished_parts_and_leaves_the_cluster_alone(
    cluster: Cluster, local: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    run = start(cluster, out, games=3_000_000)
    wait_for_parts(out, 6, run)
    children = psutil.Process(run.pid).children(recursive=True)
    run.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, text = run.communicate(timeout=20)
    assert time.monotonic() - began < 6
    assert run.returncode == 130
    assert "--resume" in text
    time.sleep(max(0.0, 3 - (time.monotonic() - began)))
    assert [child for child in children if child.is_running()] == []
    assert open_run(out).manifest.state == "interrupted"
    assert open_run(out).games().collect().height >= 6 * 750
    assert [worker.poll() for worker in cluster.workers] == [None, None]
    again = tmp_path / "again"  # the workers are free for others
    execute(scenario(**SCENARIO), out=again, backend="dask", address=cluster.address, **OPTIONS)
    assert result_bytes(again) == local


class Leaving:
    """Ends its process now and then."""

    def choose(self, view: Any) -> int:
        if view.luck % 397 == 5:
            os._exit(1)
        return int(view.legal[view.luck % 2])


def test_own_players_play_below_the_workers(cluster: Cluster) -> None:
    """A player that ends its process ends no worker."""
    seats = [{"player": "leaving"}, {"player": "eager"}]
    table = load_scenario({**document(games=40, seating="fixed"), "seats": seats}, players={"leaving": Leaving})
    here = execute(table, jobs=1)
    there = execute(table, backend="dask", address=cluster.address)
    assert here.failed > 0
    assert there.failures == here.failures
    assert there.games().collect().equals(here.games().collect())
    assert [worker.poll() for worker in cluster.workers] == [None, None]


def test_worker_with_another_player_file_refuses(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes after the plan was made, as if the worker saw an older copy."""
    (tmp_path / "mine.py").write_text("def choose(view):\n    return 0\n")
    seats = [{"player": "mine.py:choose"}, {"player": "eager"}]
    table = load_scenario({**document(games=50, seating="fixed"), "seats": seats}, base=tmp_path)

    class Changing(NoProgress):
        def start(self, total: int, done: int, *, at_most: bool = False) -> None:
            (tmp_path / "mine.py").write_text("def choose(view):\n    return 1\n")

    with pytest.raises(InputError, match="other data, player files or games"):
        execute(table, backend="dask", address=cluster.address, progress=Changing())


class OnlyHere:
    """No worker can import this module."""


def test_task_the_cluster_gives_up_on_ends_the_run(cluster: Cluster) -> None:
    """Left alone, joblib's backend waits for ever for it."""
    place = DaskCluster(cluster.address)
    try:
        with pytest.raises(InputError, match="the cluster gave up on a part: Error during deserialization"):
            list(place.play([OnlyHere()], Stop()))  # type: ignore[list-item]
    finally:
        place.close()


def test_errors_come_back_as_values() -> None:
    """The backend would wait for ever for a task that raises."""
    broken = RemotePart(recipe=None, part=None, kit=None, watch=None, timeout=0.0)  # type: ignore[arg-type]
    played = play_remote(broken)
    assert isinstance(played, PlayedPart)
    assert isinstance(played.error, RuntimeError)


def test_nobody_answers_and_wrong_options() -> None:
    with pytest.raises(InputError, match="address"):
        execute(scenario(games=10), backend="dask")
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        execute(scenario(games=10), backend="dask", address="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="backend"):
        execute(scenario(games=10), backend="ray")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="only a cluster has an address"):
        execute(scenario(games=10), address="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="jobs"):
        execute(scenario(games=10), backend="dask", address="tcp://127.0.0.1:9", jobs=2)
