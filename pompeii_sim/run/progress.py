"""Progress: a bar on a terminal or in a notebook, plain lines elsewhere, JSON lines for programs, or nothing."""

from __future__ import annotations

import html
import importlib
import json
import os
import sys
import time
from typing import Any, Literal, Protocol, TextIO

Kind = Literal["auto", "bar", "plain", "json", "none"]

_EVERY = 5.0
"""Seconds between two plain lines."""


class Progress(Protocol):
    """What a run tells while it runs; all calls come one at a time."""

    def compiling(self) -> None:
        """The first game needs compiling: say so, once."""

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Games are to be played: `total` over all (or fewer with `at_most`), of which `done` are kept from earlier."""

    def update(self, games: int, estimate: str = "") -> None:
        """So many more games are played; `estimate` is the main Estimate so far, when there is a new one."""

    def message(self, text: str) -> None:
        """Say something in a line of its own."""

    def finish(self, text: str) -> None:
        """The run is over."""


class NoProgress:
    """Says nothing."""

    def compiling(self) -> None:
        """Say nothing."""

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Say nothing."""

    def update(self, games: int, estimate: str = "") -> None:
        """Say nothing."""

    def message(self, text: str) -> None:
        """Say nothing."""

    def finish(self, text: str) -> None:
        """Say nothing."""


def duration(seconds: float) -> str:
    """Return seconds for people: ``42 s``, ``3:05 min``, ``2:15 h``."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"


def pace(games_per_second: float) -> str:
    """Return a speed for people: ``1,640 games/s``, ``0.16 games/s``; slow players need the digits."""
    return f"{games_per_second:,.0f} games/s" if games_per_second >= 10 else f"{games_per_second:.2g} games/s"


class _Counter:
    """Counts games and tells speed and time left."""

    def __init__(self) -> None:
        self.total = self.done = self.kept = 0
        self.began = time.monotonic()
        self.estimate = ""
        self.limit = ""

    def start(self, total: int, done: int, at_most: bool) -> None:
        self.total, self.done, self.kept = total, done, done
        self.limit = "at most " if at_most else ""
        self.began = time.monotonic()

    def update(self, games: int, estimate: str) -> None:
        self.done += games
        self.estimate = estimate or self.estimate

    @property
    def speed(self) -> float:
        passed = time.monotonic() - self.began
        return (self.done - self.kept) / passed if passed > 0 else 0.0

    @property
    def left(self) -> float | None:
        return (self.total - self.done) / self.speed if self.speed > 0 else None


class PlainProgress:
    """Whole lines without any control character, every few seconds.

    Parameters
    ----------
    stream
        Where to, stderr by default.
    every
        Seconds between two lines.
    """

    def __init__(self, stream: TextIO | None = None, every: float = _EVERY) -> None:
        self._stream = stream
        self._every = every
        self._count = _Counter()
        self._last = 0.0

    def _say(self, text: str) -> None:
        print(text, file=self._stream or sys.stderr, flush=True)

    def compiling(self) -> None:
        """Print the line."""
        self._say("compiling, once (kept for later runs)")

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Print how much there is to do."""
        self._count.start(total, done, at_most)
        self._last = time.monotonic()
        games = f"{self._count.limit}{total} games"
        self._say(f"{games} to play" if not done else f"{games}, {done} kept from earlier")

    def update(self, games: int, estimate: str = "") -> None:
        """Print a line when the last one is a few seconds old."""
        self._count.update(games, estimate)
        if time.monotonic() - self._last < self._every:
            return
        self._last = time.monotonic()
        c = self._count
        left = f", {c.limit}{duration(c.left)} left" if c.left is not None else ""
        main = f", {c.estimate}" if c.estimate else ""
        self._say(f"{c.done} of {c.limit}{c.total} games, {pace(c.speed)}{left}{main}")

    def message(self, text: str) -> None:
        """Print the line."""
        self._say(text)

    def finish(self, text: str) -> None:
        """Print the line."""
        self._say(text)


class JsonProgress:
    """One JSON object a line: ``event`` is compiling, start, progress, message or finish.

    Parameters
    ----------
    stream
        Where to, stderr by default.
    every
        Seconds between two ``progress`` lines.
    """

    def __init__(self, stream: TextIO | None = None, every: float = 1.0) -> None:
        self._stream = stream
        self._every = every
        self._count = _Counter()
        self._last = 0.0

    def _say(self, event: str, **fields: Any) -> None:
        print(json.dumps({"event": event, **fields}), file=self._stream or sys.stderr, flush=True)

    def compiling(self) -> None:
        """Print the event."""
        self._say("compiling")

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Print the event."""
        self._count.start(total, done, at_most)
        self._last = time.monotonic()
        self._say("start", total=total, done=done, **({"at_most": True} if at_most else {}))

    def update(self, games: int, estimate: str = "") -> None:
        """Print the event when the last one is old enough."""
        self._count.update(games, estimate)
        if time.monotonic() - self._last < self._every:
            return
        self._last = time.monotonic()
        c = self._count
        left = None if c.left is None else round(c.left, 1)
        self._say(
            "progress",
            total=c.total,
            done=c.done,
            games_per_second=round(c.speed, 3),
            seconds_left=left,
            estimate=c.estimate,
        )

    def message(self, text: str) -> None:
        """Print the event."""
        self._say("message", text=text)

    def finish(self, text: str) -> None:
        """Print the event."""
        self._say("finish", text=text)


class BarProgress:
    """A moving bar for a terminal, with games, games/s, time left and the main Estimate."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._count = _Counter()
        self._bar: Any = None
        self._task: Any = None
        self._last = 0.0

    def compiling(self) -> None:
        """Print the line."""
        self._console.print("compiling, once (kept for later runs)", highlight=False)

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Show the bar."""
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress
        from rich.table import Column

        self._count.start(total, done, at_most)
        columns: list[Any] = [TextColumn("{task.completed:.0f}/" + self._count.limit + "{task.total:.0f}")]
        if self._console.width >= 60:
            columns.append(BarColumn(bar_width=None))
        columns.append(TextColumn("{task.fields[text]}", table_column=Column(no_wrap=True, overflow="ellipsis")))
        self._bar = RichProgress(*columns, console=self._console, transient=True, refresh_per_second=5)
        self._task = self._bar.add_task("games", total=total, completed=done, text="")
        self._bar.start()

    def update(self, games: int, estimate: str = "") -> None:
        """Move the bar."""
        self._count.update(games, estimate)
        now = time.monotonic()
        if self._bar is None or now - self._last < 0.1:
            return
        self._last = now
        c = self._count
        left = f", {c.limit}{duration(c.left)} left" if c.left is not None else ""
        main = f", {c.estimate}" if c.estimate else ""
        self._bar.update(self._task, completed=c.done, text=f"{pace(c.speed)}{left}{main}")

    def message(self, text: str) -> None:
        """Print the line above the bar."""
        self._console.print(text, highlight=False, markup=False)

    def finish(self, text: str) -> None:
        """Take the bar away and print the line."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self._console.print(text, highlight=False, markup=False)


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook; nothing is imported to find out."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """One bar below the cell that moves in place, and becomes the closing line when the run is over."""

    def __init__(self) -> None:
        self._count = _Counter()
        self._lines: list[str] = []
        self._output: Any = None
        self._last = 0.0

    def _show(self, text: str, bar: str = "") -> None:
        page = "<br>".join(html.escape(line) for line in (*self._lines, text))
        data = {"text/plain": "\n".join((*self._lines, text)), "text/html": bar + page}
        if self._output is None:
            self._output = importlib.import_module("IPython.display").display(data, raw=True, display_id=True)
        else:
            self._output.update(data, raw=True)

    def compiling(self) -> None:
        """Show the line."""
        self._show("compiling, once (kept for later runs)")

    def start(self, total: int, done: int, *, at_most: bool = False) -> None:
        """Show the bar."""
        self._count.start(total, done, at_most)
        self._move()

    def _move(self) -> None:
        c = self._count
        left = f", {pace(c.speed)}, {c.limit}{duration(c.left)} left" if c.left is not None else ""
        main = f", {c.estimate}" if c.estimate else ""
        self._show(
            f"{c.done} of {c.limit}{c.total} games{left}{main}",
            f'<progress value="{c.done}" max="{c.total}" style="width:20em"></progress> ',
        )

    def update(self, games: int, estimate: str = "") -> None:
        """Move the bar, a few times a second."""
        self._count.update(games, estimate)
        if time.monotonic() - self._last >= 0.2:
            self._last = time.monotonic()
            self._move()

    def message(self, text: str) -> None:
        """Show the line above the bar from now on."""
        self._lines.append(text)
        self._move()

    def finish(self, text: str) -> None:
        """Put the closing line in the place of the bar."""
        self._show(text)


def make_progress(kind: Kind = "auto", *, quiet: bool = False) -> Progress:
    """Return the progress display for this process.

    Parameters
    ----------
    kind
        ``auto``: a bar in a notebook and on a terminal that can move its cursor, plain lines elsewhere.
    quiet
        Nothing at all, whatever `kind`.
    """
    if quiet or kind == "none":
        return NoProgress()
    if kind == "json":
        return JsonProgress()
    if kind == "auto" and in_notebook():
        return NotebookProgress()
    able = sys.stderr.isatty() and os.environ.get("TERM", "") not in ("dumb", "")
    if kind == "bar" or (kind == "auto" and able):
        return BarProgress()
    return PlainProgress()
