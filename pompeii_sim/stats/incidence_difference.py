"""Difference of two cumulative incidences seen on the same deals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.checks import check_level, check_whole, normal_quantile
from pompeii_sim.stats.curve import Curve
from pompeii_sim.stats.incidence import incidence_parts
from pompeii_sim.stats.life_table import LifeTable, life_table
from pompeii_sim.stats.tango import tango_bounds

DENSE = 5_000_000


def paired_incidence_difference(
    time: ArrayLike,
    cause: ArrayLike,
    base_time: ArrayLike,
    base_cause: ArrayLike,
    *,
    of: int,
    level: float = 0.95,
) -> Curve:
    """Estimate, by round, the cumulative incidence of an end in one setting minus that in another, pair by pair.

    Parameters
    ----------
    time, cause
        Round and code of the end (0: stopped unseen) in the setting looked at, shape ``(n,)``, one row a deal.
    base_time, base_cause
        The same in the setting compared with; row i is the same deal.
    of
        Code of the end.
    level
        Confidence level of each round's interval.

    Returns
    -------
    Curve
        Method ``paired-aalen-johansen``, `n` the deals. The interval of a round is Tango's as long as no unit was
        stopped before that round in either setting, and where no pair differs; otherwise it is normal with the
        variance of the paired influence values. It ends where one setting is not followed further.

    Raises
    ------
    ValueError
        When arrays differ in shape or hold anything but whole numbers, or `level` is not in (0, 1).

    Notes
    -----
    Influence values of the Aalen-Johansen estimate: Andersen, Borgan, Gill and Keiding (1993), Statistical Models Based
    on Counting Processes, section IV.4; Tango (1998), Statistics in Medicine 17.
    """
    z = normal_quantile(check_level(level))
    names = ("time", "cause", "base_time", "base_cause")
    arrays = [
        check_whole(name, values) for name, values in zip(names, (time, cause, base_time, base_cause), strict=True)
    ]
    n = arrays[0].size
    for name, array in zip(names, arrays, strict=True):
        if array.size != n:
            raise ValueError(f"{name} must have one entry a deal, {n}, got {array.size}")
    if of < 1:
        raise ValueError(f"of must be the code of an end, at least 1, got {of!r}")
    sides = [_Side(arrays[0], arrays[1], of), _Side(arrays[2], arrays[3], of)]
    # A setting in which every unit has ended is known for ever; another only as far as it was followed.
    followed = [side.rows for side in sides if not side.closed]
    length = min(followed) if followed else max(side.rows for side in sides)
    both = sides[0].code * sides[1].cells + sides[1].code
    if sides[0].cells * sides[1].cells <= DENSE:
        counts = np.bincount(both, minlength=1)
        pairs = np.flatnonzero(counts)
        counts = counts[pairs]
    else:
        pairs, counts = np.unique(both, return_counts=True)
    first, second = np.divmod(pairs, sides[1].cells)
    value = np.full(length, np.nan)
    variance, only_first, only_second = (
        np.zeros(length),
        np.zeros(length, dtype=np.int64),
        np.zeros(length, dtype=np.int64),
    )
    complete = np.zeros(length, dtype=np.bool_)
    for t in range(length):
        gap = sides[0].influence(t)[first] - sides[1].influence(t)[second]
        value[t] = sides[0].share(t) - sides[1].share(t)
        variance[t] = counts @ (gap * gap) / n / n
        seen, base_seen = sides[0].ended_by(t)[first], sides[1].ended_by(t)[second]
        only_first[t] = counts @ (seen & ~base_seen)
        only_second[t] = counts @ (base_seen & ~seen)
        complete[t] = all(side.complete(t) for side in sides)
    error = np.sqrt(variance)
    low, high = np.maximum(value - z * error, -1.0), np.minimum(value + z * error, 1.0)
    use = (complete | (variance <= 1e-12 / n)) if n else complete
    if use.any():
        low[use], high[use] = tango_bounds(only_first[use], only_second[use], n, z)
    return Curve(
        rounds=np.arange(length, dtype=np.int64),
        value=value,
        low=low,
        high=high,
        std_error=error,
        n=np.full(length, n, dtype=np.int64),
        level=level,
        method="paired-aalen-johansen",
        beyond=bool(n and all(side.closed for side in sides)),
    )


class _Side:
    """One setting: its life table and the influence of each kind of unit on the incidence at a round."""

    def __init__(self, time: NDArray[np.int64], cause: NDArray[np.int64], of: int) -> None:
        # Three kinds of unit: stopped, ended as asked, ended otherwise.
        kind = np.where(cause == of, 1, np.where(cause == 0, 0, 2))
        self.table: LifeTable = life_table(time, kind, causes=(1, 2))
        self.rows = self.table.at_risk.size
        self.closed = bool(self.rows and self.table.censored[-1] == 0)
        self.cells = 3 * max(self.rows, 1)
        self.code: NDArray[np.int64] = time * 3 + kind
        before, self.own, self.any, self.after = incidence_parts(self.table, 1)
        self.incidence = np.cumsum(before * self.own)
        self.weight = before * self.table.n / np.maximum(self.table.at_risk, 1)
        self.followed = self.table.followed

    def share(self, t: int) -> float:
        return float(self.incidence[min(t, self.rows - 1)])

    def complete(self, t: int) -> bool:
        return int(self.followed[min(t, self.rows - 1)]) == self.table.n

    def ended_by(self, t: int) -> NDArray[np.bool_]:
        """Whether a unit of each kind (3 * round + kind) has ended as asked by round t."""
        out = np.zeros((self.rows, 3), dtype=np.bool_)
        out[: t + 1, 1] = True
        return out.ravel()

    def influence(self, t: int) -> NDArray[np.float64]:
        """Influence of a unit of each kind (3 * round + kind) on the incidence at round t, sum over units 0."""
        last = min(t, self.rows - 1)
        upto = slice(0, last + 1)
        ahead = np.divide(
            self.incidence[last] - self.incidence[upto],
            self.after[upto],
            out=np.zeros(last + 1),
            where=self.after[upto] > 0,
        )
        weight = self.weight[upto]
        drift = np.cumsum(weight * (self.own[upto] - self.any[upto] * ahead))
        out = np.empty((self.rows, 3))
        out[:, :] = -np.concatenate([drift, np.full(self.rows - last - 1, drift[-1])])[:, np.newaxis]
        out[upto, 1] += weight * (1.0 - ahead)
        out[upto, 2] -= weight * ahead
        return out.ravel()
