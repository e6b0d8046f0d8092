"""Roots of monotone functions by bisection, for whole arrays at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

STEPS = 200


def bisect(
    inside: Callable[[NDArray[np.float64]], NDArray[np.bool_]],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the far edge of the region that holds `start`, looking towards `end`.

    Parameters
    ----------
    inside
        Whether each point belongs to the region; true from `start` up to one edge, false after it.
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
    for _ in range(STEPS):
        middle = 0.5 * (good + bad)
        if ((middle == good) | (middle == bad) | reached).all():
            break
        belongs = inside(middle)
        good = np.where(belongs, middle, good)
        bad = np.where(belongs, bad, middle)
    return np.where(reached, np.asarray(end, dtype=np.float64), bad)
