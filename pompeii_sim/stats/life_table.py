"""Counts a round of who is still going, who ends and why, and who is stopped unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.checks import check_whole

LONGEST = 1_000_000
"""Largest round taken; the table has one row a round."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LifeTable:
    """Counts for rounds 0, 1, ..., T. A unit stopped at a round still counts as at risk in it.

    Parameters
    ----------
    causes
        Codes of the ends, in the order of the rows of `ends`.
    ends
        Ends by cause and round, int64, shape ``(len(causes), T + 1)``.
    censored
        Units stopped at each round without an end, int64, shape ``(T + 1,)``.
    at_risk
        Units that have neither ended nor been stopped before the round, int64, shape ``(T + 1,)``.
    """

    causes: tuple[int, ...]
    ends: NDArray[np.int64]
    censored: NDArray[np.int64]
    at_risk: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Number of units."""
        return int(self.at_risk[0]) if self.at_risk.size else 0

    @property
    def rounds(self) -> NDArray[np.int64]:
        """Rounds 0..T."""
        return np.arange(self.at_risk.size, dtype=np.int64)

    @property
    def all_ends(self) -> NDArray[np.int64]:
        """Ends of any cause by round, int64, shape ``(T + 1,)``."""
        return np.asarray(self.ends.sum(axis=0), dtype=np.int64)

    @property
    def followed(self) -> NDArray[np.int64]:
        """Units not stopped before each round (ended ones count), int64, shape ``(T + 1,)``."""
        return np.asarray(self.n - (np.cumsum(self.censored) - self.censored), dtype=np.int64)

    def survival(self) -> NDArray[np.float64]:
        """Return the Kaplan-Meier share that has not ended by each round, shape ``(T + 1,)``."""
        kept = (self.at_risk - self.all_ends) / np.maximum(self.at_risk, 1)
        return np.asarray(np.cumprod(kept), dtype=np.float64)

    def row(self, cause: int) -> NDArray[np.int64]:
        """Return the ends of one cause by round.

        Raises
        ------
        ValueError
            When `cause` is not among the causes.
        """
        if cause not in self.causes:
            raise ValueError(f"cause must be one of {self.causes}, got {cause!r}")
        return np.asarray(self.ends[self.causes.index(cause)])


def life_table(
    time: ArrayLike, cause: ArrayLike, *, weights: ArrayLike | None = None, causes: Sequence[int] | None = None
) -> LifeTable:
    """Count ends and stopped units by round.

    Parameters
    ----------
    time
        Round in which the unit ended or was stopped, whole numbers, shape ``(n,)``.
    cause
        0 where the unit was stopped unseen (censored), else the code of its end, shape ``(n,)``. True and False will do
        when there is one kind of end.
    weights
        How many units each row stands for (whole numbers), or None for one each.
    causes
        Codes to tabulate, when some of them may be absent; by default those present.

    Returns
    -------
    LifeTable
        Rounds 0 up to the last one that any unit reached.

    Raises
    ------
    ValueError
        When an array holds anything but whole numbers of at least 0, shapes differ, a code is not in `causes`,
        or a round exceeds a million.

    Notes
    -----
    Kaplan and Meier (1958), Nonparametric estimation from incomplete observations. JASA 53, section 3.
    """
    when, why = check_whole("time", time), check_whole("cause", cause)
    if why.shape != when.shape:
        raise ValueError(f"cause must have the shape of time, got {why.shape} and {when.shape}")
    counts: NDArray[np.int64] | None = None
    if weights is not None:
        counts = check_whole("weights", weights)
        if counts.shape != when.shape:
            raise ValueError(f"weights must have the shape of time, got {counts.shape} and {when.shape}")
        alive = counts > 0
        when, why, counts = when[alive], why[alive], counts[alive]
    length = int(when.max()) + 1 if when.size else 0
    kinds = int(why.max()) + 1 if why.size else 1
    if length > LONGEST + 1:
        raise ValueError(f"time must not exceed {LONGEST:,} rounds, got {length - 1:,}")
    if kinds > 1000:
        raise ValueError(f"cause must be a code below 1000, got {kinds - 1}")
    cells = _count(when * kinds + why, counts, length * kinds).reshape(length, kinds).T
    present = [code for code in range(1, kinds) if cells[code].any()]
    if causes is None:
        codes = tuple(present) or (1,)
    else:
        codes = tuple(int(code) for code in causes)
        if 0 in codes or len(set(codes)) != len(codes):
            raise ValueError(f"causes must be distinct and not 0, got {codes}")
        if not set(present) <= set(codes):
            raise ValueError(f"cause holds a code that is not in causes: {sorted(set(present) - set(codes))}")
    empty = np.zeros(length, dtype=np.int64)
    ends = np.stack([cells[code] if code < kinds else empty for code in codes])
    return life_table_from_counts(ends, cells[0], causes=codes)


def life_table_from_counts(ends: ArrayLike, censored: ArrayLike, *, causes: Sequence[int] | None = None) -> LifeTable:
    """Make a life table of counts already taken.

    Parameters
    ----------
    ends
        Ends by cause and round, shape ``(k, T + 1)``, or ``(T + 1,)`` for one kind of end.
    censored
        Units stopped at each round, shape ``(T + 1,)``.
    causes
        Codes of the rows of `ends`; by default 1, 2, ..., k.

    Returns
    -------
    LifeTable
        The table.

    Raises
    ------
    ValueError
        When counts are negative or not whole, or shapes do not fit.
    """
    stopped = check_whole("censored", censored)
    array = np.asarray(ends)
    rows = array[np.newaxis] if array.ndim == 1 else array
    if rows.ndim != 2 or rows.shape[1] != stopped.size:
        raise ValueError(f"ends must have shape (k, {stopped.size}), got {array.shape}")
    table = check_whole("ends", rows.ravel()).reshape(rows.shape)
    codes = tuple(range(1, rows.shape[0] + 1)) if causes is None else tuple(int(code) for code in causes)
    if len(codes) != rows.shape[0]:
        raise ValueError(f"causes must name {rows.shape[0]} rows, got {len(codes)}")
    leaving = table.sum(axis=0) + stopped
    at_risk = np.cumsum(leaving[::-1])[::-1].astype(np.int64)
    return LifeTable(causes=codes, ends=table, censored=stopped, at_risk=at_risk)


def _count(codes: NDArray[np.int64], weights: NDArray[np.int64] | None, size: int) -> NDArray[np.int64]:
    if weights is None:
        return np.bincount(codes, minlength=size).astype(np.int64)
    out = np.zeros(size, dtype=np.int64)
    np.add.at(out, codes, weights)
    return out
