"""Roots of monotone functions by bisection, for whole arrays at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

STEPS = 200

SECTIONS = 16
"""Into how many sections a few regions are cut at a time: as fast as halves there, and a quarter of the steps."""

FEW = 64
"""So many regions at most are few; for more of them halves cost least."""


def bisect(
    inside: Callable[[NDArray[np.float64]], NDArray[np.bool_]],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the far edge of the region that holds `start`, looking towards `end`.

    Parameters
    ----------
    inside
        Whether each point belongs to the region; true from `start` up to one edge, false after it. Takes the shape of
        `start`, or that with one axis more in front.
    start
        Points taken to belong to the region.
    end
        Where the search ends (either side of `start`); returned where it still belongs to the region.

    Returns
    -------
    ndarray
        Last point outside, next to the edge (so an interval made of it covers the region), float64.
    """
    good = np.array(start, dtype=np.float64)
    bad = np.array(end, dtype=np.float64)
    reached = inside(bad)
    sections = SECTIONS if good.size <= FEW else 2
    parts = (np.arange(1, sections) / sections).reshape(-1, *([1] * good.ndim))
    for _ in range(STEPS):
        points = good + (bad - good) * parts
        points[sections // 2 - 1] = 0.5 * (good + bad)
        if ((points == good) | (points == bad) | reached).all():
            break
        belongs = inside(points)
        # everything before the first point outside is inside
        first = np.where(belongs.all(axis=0), len(points), np.argmin(belongs, axis=0))
        rows = np.concatenate([good[None], points, bad[None]])
        good = np.take_along_axis(rows, first[None], axis=0)[0]
        bad = np.take_along_axis(rows, first[None] + 1, axis=0)[0]
    return np.where(reached, np.asarray(end, dtype=np.float64), bad)
