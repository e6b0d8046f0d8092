"""Stopping politely: the first signal ends the chunks in play, the second one kills (but never a notebook's kernel)."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from pompeii_sim.run.progress import in_notebook

if TYPE_CHECKING:
    from pompeii_sim.run.result import RunResult


class Interrupted(Exception):
    """A run was stopped by a signal; everything finished is kept and readable.

    Parameters
    ----------
    folder
        The run folder, or None for a run in memory.
    signum
        The signal: SIGINT or SIGTERM.
    result
        What there is so far.
    """

    def __init__(self, folder: Path | None, signum: int, result: RunResult) -> None:
        self.folder = folder
        self.signum = signum
        self.result = result
        kept = "kept in memory" if folder is None else f"kept in {folder}; go on with --resume"
        super().__init__(f"interrupted after {result.played} games of this session: all finished games are {kept}")

    @property
    def exit_code(self) -> int:
        """130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + self.signum


class Stop:
    """Whether to stop, and which signal asked for it."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.signum = 0

    def ask(self, signum: int = 0) -> None:
        """Ask everybody to stop after the chunk in play."""
        self.signum = self.signum or signum
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()


@contextmanager
def signals(stop: Stop) -> Iterator[None]:
    """Turn SIGINT and SIGTERM into a request to stop while the block runs; a second one acts as usual.

    In a notebook a second one acts as it does on any cell: it raises KeyboardInterrupt and the kernel lives on.
    Outside the main thread, where Python allows no handlers, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}

    def handler(signum: int, frame: FrameType | None) -> None:
        stop.ask(signum)
        for number, old in before.items():
            signal.signal(number, old if old is not None and in_notebook() else signal.SIG_DFL)

    for caught in (signal.SIGINT, signal.SIGTERM):
        before[caught] = signal.signal(caught, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old if old is not None else signal.SIG_DFL)


@contextmanager
def heeded() -> Iterator[None]:
    """Let no Ctrl-C within the block be lost.

    While code is compiled, Python swallows a KeyboardInterrupt that happens to be raised inside a callback of the
    compiler; it is raised again at the end of the block. Outside the main thread nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def handler(signum: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
    if asked:
        raise KeyboardInterrupt
