"""Checkpoints: the numbers of units after which a growing run is looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.checks import check_whole


def check_checkpoints(checkpoints: ArrayLike, size: int) -> NDArray[np.int64]:
    """Return checkpoints as int64 after checking that they increase and stay within 0..`size`."""
    looks = check_whole("checkpoints", checkpoints)
    if (np.diff(looks) <= 0).any():
        raise ValueError("checkpoints must increase")
    if looks.size and looks[-1] > size:
        raise ValueError(f"checkpoints must not exceed the {size} units there are, got {looks[-1]}")
    return looks
