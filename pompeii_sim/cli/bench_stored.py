"""``bench --stored``: what keeping the games costs beside playing them, how it scales, whether memory stays flat."""

from __future__ import annotations

import os
from typing import Any

from pompeii_sim.cli.options import note

STORED_SHARE = 0.95
"""Least throughput of a run on one core, as a share of the bare kernel's."""

TWO_JOBS = 1.9
"""Least throughput of a run with two jobs, as a multiple of that with one."""

MEMORY_GROWTH = 1.2
"""Most peak memory of the longest run, as a multiple of the shortest one's."""

LIMITS = {"stored_share": STORED_SHARE, "two_jobs": TWO_JOBS, "memory_growth": MEMORY_GROWTH}


def measure(child: Any, document: dict[str, Any], games: int, memory: int, quiet: bool) -> dict[str, Any]:
    """Measure in fresh processes, one after the other.

    Parameters
    ----------
    child
        ``bench.child``: measures in a process of its own.
    document
        The scenario.
    games
        Games of one repeat.
    memory
        Games of the longest run whose memory is measured; the others have a tenth and a hundredth. 0 for none.
    quiet
        Say nothing.

    Returns
    -------
    dict
        The figures; ``stored_share_cpu`` is by processor time and holds on a busy machine, too.
    """
    environment = dict(os.environ)
    note("playing on one core, bare and stored ...", quiet=quiet)
    one, _ = child("stored", document, games, 1, environment)
    note("playing with two jobs ...", quiet=quiet)
    two, _ = child("stored", document, games, 2, environment)
    figures = {
        "bare_games_per_second": games / one["bare_wall"],
        "stored_games_per_second": games / one["stored_wall"],
        "stored_share": one["bare_wall"] / one["stored_wall"],
        "stored_share_cpu": one["bare_cpu"] / one["stored_cpu"],
        "stored_games_per_second_two_jobs": games / two["stored_wall"],
        "two_jobs": one["stored_wall"] / two["stored_wall"],
    }
    peaks = []
    for size in (memory // 100, memory // 10, memory) if memory else ():
        note(f"memory of {size:,} games ...", quiet=quiet)
        held, _ = child("memory", document, size, 2, environment)
        figures[f"peak_memory_{size}_games_mb"] = held["peak_memory_mb"]
        figures[f"wall_{size}_games_seconds"] = held["seconds"]
        peaks.append(held["peak_memory_mb"])
    if peaks:
        figures["memory_growth"] = max(peaks) / peaks[0]
    return figures


def failed(figures: dict[str, Any]) -> list[str]:
    """Return what is said of each figure beyond its limit."""
    out = []
    for name in ("stored_share", "two_jobs"):
        if figures[name] < LIMITS[name]:
            out.append(f"{name} is {figures[name]:.3f}, less than {LIMITS[name]}")
    if figures.get("memory_growth", 1.0) > MEMORY_GROWTH:
        out.append(f"memory_growth is {figures['memory_growth']:.3f}, more than {MEMORY_GROWTH}")
    return out
