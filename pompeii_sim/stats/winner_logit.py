"""Strength of each kind of competitor with the seat taken into account: a conditional logit of the winner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.conditional_logit import LogitFit, conditional_logit


def winner_logit(
    kinds: ArrayLike,
    winners: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    base: int | None = None,
    level: float = 0.95,
) -> LogitFit:
    """Fit the log odds of winning by kind, against a base kind, and by seat, against seat 0.

    Millions of units cost little: equal seatings with equal winners are counted first.

    Parameters
    ----------
    kinds
        Code of the kind in each seat, 0 or more, -1 for an empty seat, shape ``(n, seats)``.
    winners
        Seat that won, -1 for nobody, shape ``(n,)``; or who won, bool, shape ``(n, seats)``, where a win shared by k
        counts 1/k for each.
    names
        Names of the kinds by code; the code itself by default.
    base
        Kind whose strength is 0; the smallest code present by default.
    level
        Confidence level.

    Returns
    -------
    LogitFit
        Names ``kind:<name>`` and ``seat:<i>`` (0-based). Where seatings do not rotate, kind and seat cannot be told
        apart and `aliased` says so; kinds that never or always win are `separated`.

    Raises
    ------
    ValueError
        When shapes do not fit, a winner's seat is empty, a kind has no name, or `base` does not occur.

    Notes
    -----
    McFadden (1974), Conditional logit analysis of qualitative choice behavior. A shared win enters as the average of
    its possible outcomes, so that ties favour nobody.
    """
    seating = np.asarray(kinds)
    if seating.ndim != 2 or (seating.size and seating.dtype.kind not in "iu"):
        raise ValueError(f"kinds must be whole numbers of shape (n, seats), got {seating.shape} {seating.dtype}")
    if seating.size and seating.min() < -1:
        raise ValueError("kinds must be codes of at least 0, or -1 for an empty seat")
    codes, won = _compress(seating.astype(np.int64, copy=False), winners)
    arrangements, who, weight = _rows(*codes, won)
    present = arrangements >= 0
    found = np.unique(arrangements[present])
    if base is None:
        base = int(found[0]) if found.size else 0
    elif base not in found:
        raise ValueError(f"base must be a kind that occurs, got {base!r}")
    if names is not None and found.size and found[-1] >= len(names):
        raise ValueError(f"names must name every kind, got {len(names)} names for code {found[-1]}")
    others = [int(code) for code in found if code != base]
    seats = arrangements.shape[1]
    by_kind = [arrangements == code for code in others]
    by_seat = [np.broadcast_to(np.arange(seats) == i, arrangements.shape) for i in range(1, seats)]
    columns = by_kind + by_seat
    shape = (*arrangements.shape, len(columns))
    features = np.stack(columns, axis=2).astype(np.float64) if columns else np.zeros(shape)
    labels = [f"kind:{names[code] if names is not None else code}" for code in others]
    labels += [f"seat:{i}" for i in range(1, seats)]
    return conditional_logit(features, who, present=present, weights=weight, names=labels, level=level)


def _compress(
    seating: NDArray[np.int64], winners: ArrayLike
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]:
    """Return distinct (seating, winners) rows with counts."""
    n, seats = seating.shape
    array = np.asarray(winners)
    if array.shape == (n,) and array.dtype.kind in "iu":
        if n and (array.min() < -1 or array.max() >= seats):
            raise ValueError(f"winners must lie in -1..{seats - 1}")
        mask = np.where(array >= 0, np.int64(1) << np.maximum(array, 0).astype(np.int64), 0)
    elif array.shape == (n, seats) and array.dtype.kind == "b":
        mask = array @ (np.int64(1) << np.arange(seats, dtype=np.int64))
    else:
        raise ValueError(f"winners must be seats of shape ({n},) or bool of shape ({n}, {seats}), got {array.shape}")
    # One number a row; the mixed base fits into int64 for any sane table, else whole rows are compared.
    size = int(seating.max()) + 2 if seating.size else 1
    if size**seats < 2 ** (62 - seats):
        key = np.zeros(n, dtype=np.int64)
        for i in range(seats):
            key = key * size + seating[:, i] + 1
        key = (key << seats) | mask
        if n and size**seats << seats <= 10_000_000:
            times = np.bincount(key)
            distinct = np.flatnonzero(times)
            times = times[distinct]
        else:
            distinct, times = np.unique(key, return_counts=True)
        mask, key = distinct & ((1 << seats) - 1), distinct >> seats
        rows = np.empty((distinct.size, seats), dtype=np.int64)
        for i in reversed(range(seats)):
            key, rest = np.divmod(key, size)
            rows[:, i] = rest - 1
    else:
        full, times = np.unique(np.column_stack([seating, mask]), axis=0, return_counts=True)
        rows, mask = full[:, :-1], full[:, -1]
    won = (mask[:, np.newaxis] >> np.arange(seats)) & 1 == 1
    return (rows, times.astype(np.int64)), won


def _rows(
    rows: NDArray[np.int64], times: NDArray[np.int64], won: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return one row a winner, weighted by its share of the win; rows without a winner keep -1."""
    shared = won.sum(axis=1)
    index, seat = np.nonzero(won)
    none = np.flatnonzero(shared == 0)
    index_all = np.concatenate([index, none])
    who = np.concatenate([seat, np.full(none.size, -1)]).astype(np.int64)
    weight = times[index_all] / np.maximum(shared[index_all], 1)
    return rows[index_all], who, weight.astype(np.float64)
