"""Where chunks are played: threads of this process, through joblib."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from joblib import Parallel, delayed

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


def core_numbers() -> list[int]:
    """Return the numbers of the cores this process may use; none where the system does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def cores() -> int:
    """Return how many cores this process may use, at least 1."""
    return len(core_numbers()) or os.cpu_count() or 1


@dataclass(frozen=True)
class Threads:
    """joblib's threads; kernels run without the GIL, so they scale, and nothing is pickled.

    Parameters
    ----------
    jobs
        Number of threads.
    """

    jobs: int
    name: ClassVar[str] = "threads"

    def map(self, work: Callable[[Task], Outcome], tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield ``work(task)`` for every task, in the order they end."""
        pool = Parallel(
            n_jobs=self.jobs,
            backend="threading",
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch=2 * self.jobs,
        )
        yield from pool(delayed(work)(task) for task in tasks)

    def close(self) -> None:
        """Nothing to do: the threads end with the work."""
