"""One measurement of ``bench`` in a process of its own; prints one JSON object on stdout.

``compile``: plays the first chunk and says how long each function took to compile. ``speed``: plays repeatedly and
says how fast. ``stored``: plays in short turns on the bare kernel and as a run with everything it keeps, on one core
and on two. ``memory``: plays one run and says how much memory it held.

Run as ``python -m pompeii_sim.cli.bench_child MODE SCENARIO-JSON GAMES JOBS``.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pompeii_sim.scenario import Scenario

CHUNK = 200
"""Games in the first chunk."""

LONG = 2000
"""Games in a call of the bare kernel on one core when it is compared with a run."""

TURN = 8.0
"""Seconds of processor time of a turn when the bare kernel and runs take turns."""

ROUNDS = 6
"""Least number of rounds of turns: the fewest whose range covers their median with 95 % confidence."""

REPEATS = 3


@dataclass
class CompileTimes:
    """Adds up compile seconds by function, without those of the functions it calls."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    _open: list[list[float]] = field(default_factory=list)

    def start(self) -> None:
        """A compilation begins."""
        self._open.append([time.perf_counter(), 0.0])

    def end(self, name: str) -> None:
        """The compilation begun last ends."""
        began, inside = self._open.pop()
        spent = time.perf_counter() - began
        self.seconds[name] = self.seconds.get(name, 0.0) + spent - inside
        if self._open:
            self._open[-1][1] += spent

    def install(self) -> None:
        """Listen to the compiler."""
        from numba.core import event

        times = self

        class Listener(event.Listener):
            def on_start(self, item: Any) -> None:
                times.start()

            def on_end(self, item: Any) -> None:
                function = item.data["dispatcher"].py_func
                module = function.__module__.removeprefix("pompeii_sim.")
                times.end(f"{module}.{function.__qualname__}")

        event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]

    def slowest(self, most: int = 10) -> list[dict[str, Any]]:
        """Return the slowest functions, slowest first."""
        ranked = sorted(self.seconds.items(), key=lambda item: -item[1])[:most]
        return [{"function": name, "seconds": round(spent, 3)} for name, spent in ranked]


def peak_memory() -> float:
    """Return the most memory this process ever held, in MB."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3


def measure_compile(document: dict[str, Any]) -> dict[str, Any]:
    """Play the first chunk in a fresh process and return where the time went."""
    began, cpu = time.perf_counter(), time.process_time()
    times = CompileTimes()
    times.install()
    player = Player(document)
    player.play(0, CHUNK)
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - cpu,
        "functions": len(times.seconds),
        "slowest": times.slowest(),
        "peak_memory_mb": peak_memory(),
    }


def measure_speed(document: dict[str, Any], games: int, jobs: int) -> dict[str, Any]:
    """Play on one core, then on all, and return the best of a few repeats."""
    player = Player(document)
    player.play(0, CHUNK)
    one: list[tuple[float, int]] = []
    for repeat in range(REPEATS):
        cpu = time.thread_time()
        decisions = sum(player.play(first, CHUNK) for first in range(repeat * games, (repeat + 1) * games, CHUNK))
        one.append((time.thread_time() - cpu, decisions))
    spent, decisions = min(one)
    played = -(-games // CHUNK) * CHUNK
    walls: list[float] = []
    every = games * jobs
    for repeat in range(REPEATS):
        with ThreadPoolExecutor(jobs) as pool:
            began = time.perf_counter()
            list(pool.map(lambda first: player.play(first, CHUNK), range(repeat * every, (repeat + 1) * every, CHUNK)))
            walls.append(time.perf_counter() - began)
    wall = min(walls)
    on_all = -(-every // CHUNK) * CHUNK
    return {
        "games": played,
        "decisions_per_game": decisions / played,
        "games_per_cpu_second": played / spent,
        "decisions_per_cpu_second": decisions / spent,
        "jobs": jobs,
        "games_per_second_all": on_all / wall,
        "scaling": (on_all / wall) / (played / spent),
        "peak_memory_mb": peak_memory(),
    }


def measure_stored(document: dict[str, Any], games: int, jobs: int) -> dict[str, Any]:
    """Play in turns of some seconds each: what one figure is divided by was measured just before or after it.

    A round is four turns: the bare kernel and a run on one core, both kept there; the bare kernel in `jobs` threads
    and a run with as many jobs, wherever the system puts them. Every other round goes backwards.

    Parameters
    ----------
    document
        The scenario.
    games
        Games of all turns of a kind on one core together: says how many rounds there are.
    jobs
        Threads of the other turns.

    Returns
    -------
    dict
        ``games`` of a turn on one core, and ``rounds``: games a second by kind of turn (``bare``, ``stored``,
        ``bare_jobs``, ``stored_jobs``), and games a second of processor time under ``bare_cpu`` and ``stored_cpu``.
    """
    from pompeii_sim.run.backend import core_numbers
    from pompeii_sim.scenario import load_scenario

    player = Player(document)
    player.play(0, CHUNK)
    scenario = load_scenario(document)  # read before, as the bare kernel's
    stored(scenario, CHUNK, jobs)
    began = time.process_time()
    player.play(0, 5 * CHUNK)
    count = max(CHUNK, round(5 * CHUNK * TURN / (time.process_time() - began)))
    turns: dict[str, tuple[int, Callable[[], object]]] = {
        "bare": (count, lambda: alone(player, count)),
        "stored": (count, lambda: stored(scenario, count, 1)),
        "bare_jobs": (jobs * count, lambda: together(player, jobs * count, jobs)),
        "stored_jobs": (jobs * count, lambda: stored(scenario, jobs * count, jobs)),
    }
    rounds = []
    cores = core_numbers()
    for number in range(max(ROUNDS, round(games / count))):
        figures: dict[str, float] = {}
        for kind in list(turns)[:: 1 if number % 2 == 0 else -1]:
            played, turn = turns[kind]
            one = kind in ("bare", "stored")
            keep_to(cores[number % len(cores) :][:1] if one else cores)
            wall, cpu = time.perf_counter(), time.process_time()
            turn()
            figures[kind] = played / (time.perf_counter() - wall)
            if one:
                figures[f"{kind}_cpu"] = played / (time.process_time() - cpu)
        rounds.append(figures)
    return {"games": count, "rounds": rounds}


def alone(player: Player, games: int) -> None:
    """Play games on the bare kernel in this thread."""
    for first in range(0, games, LONG):
        player.play(first, min(LONG, games - first))


def together(player: Player, games: int, threads: int) -> None:
    """Play games on the bare kernel in several threads."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda first: player.play(first, min(CHUNK, games - first)), range(0, games, CHUNK)))


def keep_to(cores: list[int]) -> None:
    """Let every thread of this process run on these cores only, threads that libraries keep for themselves included."""
    if not cores:
        return
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.sched_setaffinity(int(task.name), cores)


def measure_memory(document: dict[str, Any], games: int, jobs: int) -> dict[str, Any]:
    """Play one run and return the most memory this process held."""
    from pompeii_sim.scenario import load_scenario

    began = time.perf_counter()
    stored(load_scenario(document), games, jobs)
    return {"peak_memory_mb": peak_memory(), "seconds": time.perf_counter() - began}


def stored(scenario: Scenario, games: int, jobs: int) -> None:
    """Play a run with parts, series, progress and summary into a folder of its own."""
    from pompeii_sim.run import execute
    from pompeii_sim.run.progress import JsonProgress

    with tempfile.TemporaryDirectory(prefix="bench-") as folder, open(os.devnull, "w") as nowhere:
        execute(scenario, out=Path(folder) / "run", games=games, jobs=jobs, progress=JsonProgress(nowhere))


class Player:
    """Plays ranges of the first cell of a scenario on the bare kernel.

    Parameters
    ----------
    document
        The scenario as a mapping.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        from pompeii_sim import games
        from pompeii_sim.engine.prepare import prepare
        from pompeii_sim.scenario import load_scenario

        scenario = load_scenario(document)
        self.seed = scenario.seed
        self.prepared = prepare(games.get(scenario.game), scenario.cells[0], scenario.seating)

    def play(self, first: int, count: int) -> int:
        """Play games and return how many decisions they took, forced ones left out."""
        from pompeii_sim.run.play import play_range

        rows = play_range(self.prepared, self.seed, first, count, 0).rows
        return int(rows["decisions"].sum())


MEASURES = {"speed": measure_speed, "stored": measure_stored, "memory": measure_memory}


def main() -> None:
    """Measure what the arguments ask for."""
    mode, text, games, jobs = sys.argv[1:5]
    document = json.loads(text)
    if mode == "compile":
        result = measure_compile(document)
    else:
        result = MEASURES[mode](document, int(games), int(jobs))
    sys.stdout.write(json.dumps({**result, "pid": os.getpid()}) + "\n")


if __name__ == "__main__":
    main()
