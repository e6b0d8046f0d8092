"""Players of a user's own, compiled or not, play in processes: one that never answers or dies takes one game with it.

Each thread of the run has a process of its own. A chunk whose process dies is played again game by game, each game with
all the time that a chunk may take.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import queue
import re
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib.externals.loky.process_executor import ProcessPoolExecutor

from pompeii_sim.errors import InputError
from pompeii_sim.run.interrupt import Stop
from pompeii_sim.run.play import Chunk, failed_game, joined
from pompeii_sim.run.recipe import Recipe, play_there, prepared_there
from pompeii_sim.store.schema import DIED, TIMED_OUT

if TYPE_CHECKING:
    from pompeii_sim.engine.prepare import Prepared

TIMEOUT = 30.0
"""Seconds a chunk of games with a user's player may take, and a single game after that."""

_LOOK = 0.1
_PATIENCE = 2.0
"""Seconds a chunk in play is waited for after a signal."""


class Died(Exception):
    """The process ended at its work.

    Parameters
    ----------
    code, text
        `TIMED_OUT` or `DIED`, and what there is to say beside.
    """

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class _Stopped(Exception):
    """The run is stopping; the chunk was given up."""


class Processes:
    """Plays chunks in processes of their own; called from the run's threads.

    Parameters
    ----------
    recipe
        What the processes prepare.
    prepared
        The cells by number, prepared here.
    jobs
        Number of processes.
    timeout
        Seconds for a chunk, and for one game.
    stop
        Whether to stop.
    """

    def __init__(self, recipe: Recipe, prepared: Mapping[int, Prepared], jobs: int, timeout: float, stop: Stop) -> None:
        self._recipe = recipe
        self._prepared = prepared
        self._timeout = timeout
        self._stop = stop
        self._folder = tempfile.TemporaryDirectory(prefix="players-")
        self._idle: queue.LifoQueue[_Child] = queue.LifoQueue()
        self._children = [_Child(Path(self._folder.name) / f"{number}.txt", stop) for number in range(jobs)]
        for child in self._children:
            self._idle.put(child)

    def play(self, cell: int, first: int, count: int) -> Chunk | None:
        """Play a chunk; None when the run was stopped meanwhile.

        Returns
        -------
        Chunk or None
            Complete: a game that was not played to its end has a row with the reason as its error code.
        """
        child = self._idle.get()
        try:
            return self._play(child, cell, first, count)
        except _Stopped:
            return None
        finally:
            self._idle.put(child)

    def _play(self, child: _Child, cell: int, first: int, count: int) -> Chunk:
        try:
            chunk: Chunk = child.call(self._recipe, cell, self._timeout, play_there, self._recipe, cell, first, count)
            return chunk
        except Died as died:
            if count == 1:
                return failed_game(self._prepared[cell], first, died.code, died.text)
        singles = [self._play(child, cell, game, 1) for game in range(first, first + count)]
        return joined(singles, self._prepared[cell])

    def call(self, cell: int, work: Callable[..., Any], *arguments: Any, watched: bool = True) -> Any:
        """Call a function in a process that has a cell ready.

        Parameters
        ----------
        cell
            Number of the cell.
        work, arguments
            What is called: a function of a module.
        watched
            Whether it has only as much time as a chunk.

        Raises
        ------
        Died
            When the process ended before the function did, because time was over or by itself.
        """
        child = self._idle.get()
        try:
            return child.call(self._recipe, cell, self._timeout if watched else 0.0, work, *arguments)
        finally:
            self._idle.put(child)

    def close(self) -> None:
        """End all processes."""
        for child in self._children:
            child.kill()
        self._folder.cleanup()


class _Child:
    """One process, started when it is needed, and again when it died.

    Parameters
    ----------
    note
        File in which the process says that time was over.
    stop
        Whether to stop.
    """

    def __init__(self, note: Path, stop: Stop) -> None:
        self._note = note
        self._stop = stop
        self._pool: ProcessPoolExecutor | None = None
        self._ready: set[int] = set()

    def call(self, recipe: Recipe, cell: int, timeout: float, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function there, once the cell is ready; for as long as it takes with a timeout of 0.

        Raises
        ------
        Died
            When the process ended before the function did.
        _Stopped
            When a signal came and the function took too long after that.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(max_workers=1, initializer=_begin, initargs=(os.getpid(),))
            self._ready.clear()
        if cell not in self._ready:
            try:
                self._wait(_prepare, recipe, cell)
            except Died as died:
                raise InputError(f"a process that plays cannot start ({died.text})", where="players") from died
            self._ready.add(cell)
        if timeout == 0:
            return self._wait(work, *arguments)
        return self._wait(_within, timeout, str(self._note), work, *arguments)

    def _wait(self, work: Callable[..., Any], *arguments: Any) -> Any:
        assert self._pool is not None
        asked: float | None = None
        try:
            future: Future[Any] = self._pool.submit(work, *arguments)
            while True:
                try:
                    return future.result(_LOOK)
                except NotYet:
                    if future.done():
                        raise  # the work itself raised it
                if self._stop.signum:
                    asked = asked or time.monotonic()
                    if time.monotonic() - asked > _PATIENCE:
                        self.kill()
                        raise _Stopped
        except BrokenExecutor as error:
            self.kill()
            if self._stop.signum:  # it came before the process had learnt to leave a Ctrl-C to its parent
                raise _Stopped from error
            raise self._reason(error) from error

    def _reason(self, error: Exception) -> Died:
        with contextlib.suppress(FileNotFoundError):
            if self._note.read_text(errors="replace").startswith("Timeout"):
                self._note.unlink()
                return Died(TIMED_OUT, "")
        codes = re.search(r"\{(.*?)\}", str(error))
        return Died(DIED, codes.group(1) if codes else "")

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=True)
            self._pool = None


# in the process


def _begin(parent: int) -> None:
    """Get ready: a Ctrl-C is the parent's business, prints go to stderr, and nobody outlives the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _prepare(recipe: Recipe, cell: int) -> None:
    prepared_there(recipe, cell)
    play_there(recipe, cell, 0, 0)


def _within(timeout: float, note: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function; when time is over, the interpreter's own watchdog ends the process, whatever code is running."""
    with open(note, "w") as file:
        faulthandler.dump_traceback_later(timeout, exit=True, file=file)
        try:
            return work(*arguments)
        finally:
            faulthandler.cancel_dump_traceback_later()
