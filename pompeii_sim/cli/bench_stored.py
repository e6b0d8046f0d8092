"""``bench --stored``: what keeping the games costs beside playing them, how it scales, whether memory stays flat."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pompeii_sim.cli.options import note

if TYPE_CHECKING:
    from pompeii_sim.stats.estimate import Estimate

STORED_SHARE = 0.95
"""Least throughput of a run on one core, as a share of the bare kernel's."""

TWO_JOBS = 1.9
"""Least throughput of a run with two jobs, as a multiple of that with one."""

MEMORY_GROWTH = 1.2
"""Most peak memory of the longest run, as a multiple of the shortest one's."""

LIMITS = {"stored_share": STORED_SHARE, "two_jobs": TWO_JOBS, "memory_growth": MEMORY_GROWTH}


RATIOS = {
    "stored_share": ("stored", "bare"),
    "stored_share_cpu": ("stored_cpu", "bare_cpu"),
    "two_jobs": ("stored_jobs", "stored"),
    "two_threads_bare": ("bare_jobs", "bare"),
    "stored_share_two_jobs": ("stored_jobs", "bare_jobs"),
}
"""Which figure of a round is divided by which."""


def measure(child: Any, document: dict[str, Any], games: int, memory: int, quiet: bool) -> dict[str, Any]:
    """Measure in fresh processes, one after the other.

    Parameters
    ----------
    child
        ``bench.child``: measures in a process of its own.
    document
        The scenario.
    games
        Games of all turns of a kind on one core together.
    memory
        Games of the longest run whose memory is measured; the others have a tenth and a hundredth. 0 for none.
    quiet
        Say nothing.

    Returns
    -------
    dict
        The figures: medians over the rounds, and under ``_low`` and ``_high`` the 95 % interval of each median ratio.
        ``two_threads_bare`` is what the machine itself gives two threads.
    """
    environment = dict(os.environ)
    note("playing in turns, bare and stored, on one core and with two jobs ...", quiet=quiet)
    played, _ = child("stored", document, games, 2, environment)
    rounds = played["rounds"]
    figures: dict[str, Any] = {"rounds": len(rounds), "turn_games": played["games"]}
    for kind, name in (("bare", "bare"), ("stored", "stored"), ("bare_jobs", "bare"), ("stored_jobs", "stored")):
        ending = "_two_jobs" if kind.endswith("_jobs") else ""
        figures[f"{name}_games_per_second{ending}"] = median([r[kind] for r in rounds]).value
    for name, (over, under) in RATIOS.items():
        ratio = median([r[over] / r[under] for r in rounds])
        figures |= {name: ratio.value, f"{name}_low": ratio.low, f"{name}_high": ratio.high}
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


def median(values: list[float]) -> Estimate:
    """Return the median with the interval that holds whatever the shape of the noise."""
    from pompeii_sim.stats.quantile import quantile

    return quantile(values, 0.5)


def failed(figures: dict[str, Any]) -> list[str]:
    """Return what is said of each figure beyond its limit."""
    out = []
    for name in ("stored_share", "two_jobs"):
        if figures[name] < LIMITS[name]:
            told = f" (the bare kernel: {figures['two_threads_bare']:.3f})" if name == "two_jobs" else ""
            out.append(f"{name} is {figures[name]:.3f}, less than {LIMITS[name]}{told}")
    if figures.get("memory_growth", 1.0) > MEMORY_GROWTH:
        out.append(f"memory_growth is {figures['memory_growth']:.3f}, more than {MEMORY_GROWTH}")
    return out
