"""Whole parts on a running Dask cluster, through joblib's Dask backend.

Workers send a part's bytes back and this process writes them: only one process holds the folder's lock, and workers
need no folder in common with it.
"""

from __future__ import annotations

import multiprocessing
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed, parallel_config

from pompeii_sim.errors import InputError
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.plan import PartPlan
from pompeii_sim.run.play import CellKit, DonePart, OpenPart, piece_of
from pompeii_sim.run.processes import Processes
from pompeii_sim.run.recipe import CHUNK, Recipe, play_part_there, prepared_there
from pompeii_sim.run.stopping import CellWatch

_CONNECT = 15
_WORKERS = 60
"""Seconds the scheduler, and then a first worker, are waited for."""

_LOOK = 0.1
_PATIENCE = 1.5
"""Seconds parts in play are waited for after a signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePart:
    """A part for a worker; pickled with every task, and small.

    Parameters
    ----------
    recipe
        The run.
    part, kit
        Which games, and how they are stored and measured.
    watch
        The cell under a stopping rule, as it is before this part; None without a rule.
    timeout
        Seconds for a chunk with a user's player; 0 when there is none.
    """

    recipe: Recipe
    part: PartPlan
    kit: CellKit
    watch: CellWatch | None
    timeout: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPart:
    """What became of a part: the part itself, or the error to raise."""

    done: DonePart | None = None
    error: Exception | None = None


def play_remote(task: RemotePart) -> PlayedPart:
    """Play one part on a worker; errors come back as values, because the backend waits for ever for others."""
    try:
        part = OpenPart(task.part, task.kit, task.watch)
        if task.timeout:
            return PlayedPart(done=_in_process(task, part))
        return PlayedPart(done=play_part_there(task.recipe, part))
    except InputError as error:
        return PlayedPart(error=InputError(error.what, where=error.where, hint=error.hint))
    except Exception as error:  # noqa: BLE001 - raised again where the run is
        return PlayedPart(error=RuntimeError(f"{type(error).__name__}: {error}"))


def _in_process(task: RemotePart, part: OpenPart) -> DonePart:
    """Play a part with a user's player in a process below the worker, as on one machine."""
    # A nanny's worker is a daemon, which may start no processes, lest they outlive it; ours end with it by themselves.
    multiprocessing.current_process().daemon = False
    cell = task.part.cell
    players = Processes(task.recipe, {cell: prepared_there(task.recipe, cell)}, 1, task.timeout, Stop())
    try:
        count = 1
        while (given := part.give(count)) is not None:
            began = time.perf_counter()
            chunk = players.play(cell, *given)
            assert chunk is not None  # nobody stops it
            part.add(given[0], piece_of(chunk, task.kit.schema))
            faster = time.perf_counter() - began < 0.5
            count = min(CHUNK, 2 * count) if faster else max(1, count // 2)
        return part.done()
    finally:
        players.close()


class DaskCluster:
    """A running Dask cluster; it is used and left as it is.

    Parameters
    ----------
    address
        Of its scheduler, such as ``tcp://host:8786``.

    Raises
    ------
    InputError
        When Dask is not installed or nobody answers.
    """

    name = "dask"

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError("needs Dask", where="backend dask", hint="pip install 'pompeii-sim[cluster]'") from None
        self.address = address
        try:
            connect: Any = distributed.Client
            self._client: Any = connect(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no Dask scheduler answers ({type(error).__name__})",
                where=f"--address {address}",
                hint="such as tcp://host:8786; see that it runs and can be reached",
            ) from None

    @property
    def jobs(self) -> int:
        """Threads of all workers together, at least 1."""
        return max(1, int(sum(self._client.nthreads().values())))

    def play(self, parts: Iterable[RemotePart], stop: Stop) -> Iterator[PlayedPart]:
        """Yield every part in the order they end; a dead worker's parts are played elsewhere.

        Parameters
        ----------
        parts
            Taken as workers become free.
        stop
            After a signal, parts in play are given up.

        Raises
        ------
        InputError
            When the cluster gives up on a part.
        """
        backend = _heard(self._client)
        played: queue.Queue[PlayedPart | Exception | None] = queue.Queue()

        def work() -> None:
            try:
                with parallel_config(backend=backend):
                    pool = Parallel(n_jobs=-1, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
                    for one in pool(delayed(play_remote)(part) for part in parts):
                        played.put(one)
                played.put(None)
            except Exception as error:  # noqa: BLE001 - raised again in the main thread
                played.put(error)

        # joblib's generator cannot be left while it waits, so it waits in a thread of its own
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        asked: float | None = None
        try:
            while True:
                try:
                    one = played.get(timeout=_LOOK)
                except queue.Empty:
                    if stop.signum:
                        asked = asked or time.monotonic()
                        if time.monotonic() - asked > _PATIENCE:
                            return
                    continue
                if one is None:
                    return
                if isinstance(one, Exception):
                    raise InputError(
                        f"the cluster gave up on a part: {str(one).splitlines()[0] or type(one).__name__}",
                        where=f"--address {self.address}",
                        hint="finished parts are kept; see the workers' logs, and go on with --resume",
                    ) from one
                yield one
        finally:
            backend.give_up()
            thread.join(_PATIENCE)

    def close(self) -> None:
        """Leave the cluster; it goes on without us."""
        self._client.close()


class _GivenUp(Exception):
    """Nobody waits for the outcome any more."""


def _heard(client: Any) -> Any:
    """Return joblib's Dask backend for a client, mended in one point.

    As it is, a task that fails on the cluster (its workers died again and again) is never reported, and the run waits
    for ever.
    """
    from joblib._dask import DaskDistributedBackend

    class Heard(DaskDistributedBackend):  # type: ignore[misc]
        waiting: set[Any]

        def submit(self, func: Any, callback: Any = None) -> Any:
            future = super().submit(func, callback)
            self.waiting.add(future)

            def ended(done: Any) -> None:
                self.waiting.discard(done)
                if (error := done.exception()) is not None and callback is not None:
                    callback(_Failed(error))

            future.add_done_callback(ended)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, _Failed):
                raise out.error
            return super().retrieve_result_callback(out)

        def give_up(self) -> None:
            """Cancel what is still played, and tell whoever waits."""
            running = list(self._results)
            self.abort_everything()
            client.cancel(running, force=True)
            for future in list(self.waiting):
                future.set_exception(_GivenUp())

    made = Heard(client=client, wait_for_workers_timeout=_WORKERS)
    made.waiting = set()
    return made


@dataclass(frozen=True, slots=True)
class _Failed:
    """A task's error, on its way through a callback that is meant for results."""

    error: BaseException
