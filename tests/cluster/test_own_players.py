"""Plain-Python players of the shipped games: the same games here, in several processes, and below nannies."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

import pompeii_sim
from pompeii_sim import games
from pompeii_sim.engine.prepare import prepare
from pompeii_sim.run import execute
from pompeii_sim.run.play import play_chunk
from pompeii_sim.run.progress import NoProgress
from pompeii_sim.scenario import load_scenario

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from dask_processes import Cluster

GAMES = 6

# see test_dask_cluster
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("nannies") / "log.txt", nanny=True)
    try:
        made.wait()
        yield made
    finally:
        made.close()


class Mindful:
    """Never does the same kind of thing twice in a row where it can; dithers between the others."""

    def __init__(self) -> None:
        self.last = ""

    def choose(self, view: Any) -> str:
        assert view.public.dec_seat == view.seat
        others = [action for action in view.actions if action.partition(":")[0] != self.last] or list(view.actions)
        chosen: str = others[view.random.integers(len(others))]
        self.last = chosen.partition(":")[0]
        return chosen


def table(game: str) -> Any:
    seats = [{"player": "mindful", "skill": 0.8}, {"player": "random"}]
    document = {"game": game, "games": GAMES, "seed": 11, "seats": seats}
    return load_scenario(document, players={"mindful": Mindful})


def fields(row: Any) -> dict[str, Any]:
    """Return a row's fields; the bytes between them mean nothing."""
    return {name: row[name].tolist() for name in row.dtype.names}


@pytest.mark.parametrize("game", games.names())
def test_same_games_for_any_number_of_jobs_and_on_a_cluster(game: str, cluster: Cluster) -> None:
    scenario = table(game)
    one = execute(scenario, jobs=1)
    rows = one.games().collect()
    assert (one.failed, one.failures, rows.height) == (0, [], GAMES)
    assert rows["decisions"].sum() > 20 * GAMES
    assert execute(scenario, jobs=2, chunk=2).games().collect().equals(rows)
    below = execute(scenario, backend="dask", address=cluster.address, part_size=GAMES // 2)
    assert below.games().collect().equals(rows)
    assert below.summary["cells"] == one.summary["cells"]

    prepared = prepare(games.get(game), scenario.cells[0], scenario.seating, scenario.players)
    here = play_chunk(prepared, scenario.seed, 0, GAMES, 0).rows
    assert here["decisions"].tolist() == rows["decisions"].to_list()
    assert here["rounds"].tolist() == rows["rounds"].to_list()

    apart, told = (pompeii_sim.play(scenario, GAMES - 1, timeout=limit) for limit in (60.0, None))
    assert type(apart) is not type(told)
    assert fields(apart.row()) == fields(told.row()) == fields(here[GAMES - 1 :])
    assert (apart.moves, apart.events, apart.story()) == (told.moves, told.events, told.story())


class Slow:
    """Takes its time."""

    def choose(self, view: Any) -> int:
        time.sleep(0.01)
        return int(view.legal[view.luck % 2])


class Killer(NoProgress):
    """Kills a worker in whose processes a player sits, once a part is in; its nanny starts another one."""

    def __init__(self, cluster: Cluster) -> None:
        self.nannies = [psutil.Process(nanny.pid) for nanny in cluster.workers]
        self.orphans: list[psutil.Process] = []

    def update(self, games: int, estimate: str = "") -> None:
        deadline = time.monotonic() + 20
        while not self.orphans and time.monotonic() < deadline:
            for process in (p for nanny in self.nannies for p in nanny.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if "popen_loky" in " ".join(process.cmdline()):
                        worker = process.parent()
                        self.orphans = worker.children(recursive=True)
                        worker.kill()
                        return


def test_a_nanny_starts_a_killed_worker_again_and_nobody_is_left(cluster: Cluster) -> None:
    """Workers of nannies are daemons, which may start no processes, lest these outlive them: ours do not."""
    scenario = load_scenario(
        {"game": "toy", "games": 80, "seats": [{"player": "slow"}, {"player": "eager"}]}, players={"slow": Slow}
    )
    killer = Killer(cluster)
    there = execute(scenario, backend="dask", address=cluster.address, part_size=20, progress=killer)
    assert killer.orphans
    _, alive = psutil.wait_procs(killer.orphans, timeout=5)
    assert [process.cmdline() for process in alive] == []
    assert there.games().collect().equals(execute(scenario, jobs=2).games().collect())
    assert there.failed == 0
