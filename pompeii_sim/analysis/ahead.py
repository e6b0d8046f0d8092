"""Reading the next part while the caller works on this one: decoding needs no interpreter, so both go on at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Place = TypeVar("Place")
Content = TypeVar("Content")


def ahead(read: Callable[[Place], Content], places: Iterable[Place]) -> Iterator[Content]:
    """Yield what is read of each place, in order; meanwhile a thread reads one more, and never more than one.

    Parameters
    ----------
    read
        Called in the thread; what it raises is raised when its turn comes.
    places
        Such as the paths of a cell's parts.
    """
    with ThreadPoolExecutor(1, "ahead") as thread:
        waiting: Future[Content] | None = None
        for place in places:
            coming = thread.submit(read, place)
            if waiting is not None:
                yield waiting.result()
            waiting = coming
        if waiting is not None:
            yield waiting.result()
