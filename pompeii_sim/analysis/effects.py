"""Seats that have something against the same seats without it: counts by table, and the difference in win rate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.analysis.study import Study
from pompeii_sim.errors import InputError
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.multiplicity import benjamini_hochberg

LEAST = 30
"""Fewest seats on either side for an interval and a test."""

MOST_CODES = 1 << 22
"""Largest table of counts for one item."""


class Role(Enum):
    """What an item's code says of a seat."""

    DEALT = "1 + the seat that was dealt it, 0 for nobody: seats of games in which nobody was stand against it"
    USED = "bit mask of the seats that used it: all others stand against them"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatContrast:
    """One item's difference; see `deal_effects` for the fields."""

    difference: Estimate
    with_it: float | None
    without: float | None
    seats_with: int
    seats_without: int
    p_value: float | None
    adjusted: float | None = None
    flagged: bool | None = None
    tested: int = 0
    flags_by_chance: float | None = None
    false_flags: float | None = None


@dataclass(frozen=True, slots=True)
class _Table:
    """The codes of a cell: who sits where in each arrangement, and how codes, arrangements and winners are packed."""

    kinds: NDArray[np.int64]
    codes: int

    @property
    def seats(self) -> int:
        return int(self.kinds.shape[1])

    @property
    def wins(self) -> int:
        return 1 << self.seats

    @property
    def size(self) -> int:
        return self.codes * len(self.kinds) * self.wins

    def pack(
        self, code: NDArray[np.int64], arrangement: NDArray[np.int64], winners: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        return (code * len(self.kinds) + arrangement) * self.wins + winners

    def credit(self) -> NDArray[np.float64]:
        """Return each seat's part in the win by mask of winners, shape ``(wins, seats)``."""
        masks = np.arange(self.wins)
        bits = (masks[:, np.newaxis] >> np.arange(self.seats)) & 1
        return np.asarray(bits / np.maximum(bits.sum(axis=1, keepdims=True), 1), dtype=np.float64)


def seat_contrasts(
    study: Study, cell: int, columns: Sequence[str], role: Role, *, by: str, rate: float, level: float
) -> list[SeatContrast]:
    """Return the contrast of each item of a cell; games are read once, twice when the deal is the unit.

    Win rates are compared within each seat and kind of player, and the differences weighted by how often the seat had
    the item (standardised to those who had it). A game's influence is summed over its seats, so that seats of one game
    count together.
    """
    table = _table(study, cell, by, role)
    counts = np.zeros((len(columns), table.size), np.int64)
    needed = ["deal", "arrangement", "winners", "error", *columns]
    for rows in study.batches(cell, needed):
        rows = rows.filter(pl.col("error") == 0)
        for at, packed in enumerate(_packed(rows, columns, table)):
            counts[at] += np.bincount(packed, minlength=table.size)
    made = [_contrast(counts[at], table, role, level) for at in range(len(columns))]
    if study.by_deal:
        squares, deals = _squares_by_deal(study, cell, needed, columns, table, [pull for _, pull in made])
        found = [_with_error(one, math.sqrt(s), level, deals) for (one, _), s in zip(made, squares, strict=True)]
    else:
        found = [
            _with_error(one, math.sqrt(float(counts[at] @ (pull * pull))), level, None)
            for at, (one, pull) in enumerate(made)
        ]
    return _flag(found, rate)


def _table(study: Study, cell: int, by: str, role: Role) -> _Table:
    seats = len(study.kinds[cell])
    names = [f"seat_spec_{seat}" for seat in range(seats)]
    labels = study.labels(cell, by)
    number = {label: index for index, label in enumerate(dict.fromkeys(labels))}
    sitting = study.fine(cell).select("arrangement", *names).unique().sort("arrangement").collect(engine="streaming")
    last = int(sitting["arrangement"].to_numpy().max(initial=0))
    kinds = np.full((last + 1, seats), -1, np.int64)
    for row in sitting.iter_rows():
        kinds[row[0]] = [number[labels[spec]] if spec >= 0 else -1 for spec in row[1:]]
    table = _Table(kinds, seats + 1 if role is Role.DEALT else 1 << seats)
    if table.size > MOST_CODES:
        raise InputError(
            f"{len(kinds)} arrangements of {seats} seats are too many to count by",
            where=study.name,
            hint="play with seating = 'fixed', or with fewer kinds of seat",
        )
    return table


def _packed(rows: pl.DataFrame, columns: Sequence[str], table: _Table) -> list[NDArray[np.int64]]:
    arrangement = rows["arrangement"].to_numpy().astype(np.int64)
    winners = rows["winners"].to_numpy().astype(np.int64) & (table.wins - 1)
    out = []
    for name in columns:
        code = rows[name].to_numpy().astype(np.int64)
        code = code & (table.codes - 1) if table.codes == table.wins else code
        out.append(table.pack(code, arrangement, winners))
    return out


def _contrast(
    counts: NDArray[np.int64], table: _Table, role: Role, level: float
) -> tuple[SeatContrast, NDArray[np.float64]]:
    """Return an item's difference without its interval, and the influence of a game with each packed code."""
    pull = np.zeros(table.size)
    seen = np.flatnonzero(counts)
    games = counts[seen].astype(np.float64)
    rest, winners = np.divmod(seen, table.wins)
    code, arrangement = np.divmod(rest, len(table.kinds))
    won = table.credit()[winners]
    kinds = table.kinds[arrangement]
    stratum = np.arange(table.seats) * (int(table.kinds.max(initial=0)) + 1) + kinds
    if role is Role.DEALT:
        treated = code[:, np.newaxis] == np.arange(table.seats) + 1
        control = np.broadcast_to((code == 0)[:, np.newaxis], treated.shape)
    else:
        treated = (code[:, np.newaxis] >> np.arange(table.seats)) & 1 == 1
        control = ~treated
    treated, control = treated & (kinds >= 0), control & (kinds >= 0)
    size = table.seats * (int(table.kinds.max(initial=0)) + 1)

    def sums(which: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = np.broadcast_to(games[:, np.newaxis], which.shape) * values
        return np.bincount(stratum[which], weights=weights[which], minlength=size).astype(np.float64)

    one = np.ones(won.shape)
    n1, n0 = sums(treated, one), sums(control, one)
    usable = (n1 > 0) & (n0 > 0)
    p1 = np.divide(sums(treated, won), n1, out=np.zeros(size), where=usable)
    p0 = np.divide(sums(control, won), n0, out=np.zeros(size), where=usable)
    with_it = int(n1[usable].sum())
    base = Estimate(value=None, low=None, high=None, n=with_it, level=level, method="standardised difference")
    blank = SeatContrast(
        difference=replace(base, note="no seat with it, or none without it, to compare"), with_it=None, without=None,
        seats_with=with_it, seats_without=int(n0[usable].sum()), p_value=None,
    )  # fmt: skip
    if with_it == 0:
        return blank, pull
    weight = np.where(usable, n1, 0.0) / with_it
    own = np.divide(weight, n1, out=np.zeros(size), where=usable)
    against = np.divide(weight, n0, out=np.zeros(size), where=usable)
    gain = np.where(treated, (won - p1[stratum]) * own[stratum], 0.0)
    gain -= np.where(control, (won - p0[stratum]) * against[stratum], 0.0)
    pull[seen] = gain.sum(axis=1)
    first, second = float(weight @ p1), float(weight @ p0)
    found = replace(blank, difference=replace(base, value=first - second), with_it=first, without=second)
    return found, pull


def _squares_by_deal(
    study: Study,
    cell: int,
    needed: Sequence[str],
    columns: Sequence[str],
    table: _Table,
    pulls: Sequence[NDArray[np.float64]],
) -> tuple[list[float], int]:
    """Return the sum over deals of the squared influence of all games of a deal, for each item, and the deals."""
    squares, deals = [0.0] * len(columns), 0
    for rows in study.batches(cell, needed):
        rows = rows.filter(pl.col("error") == 0)
        if rows.height == 0:
            continue
        deal = rows["deal"].to_numpy()
        starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
        deals += len(starts)
        for at, packed in enumerate(_packed(rows, columns, table)):
            squares[at] += float((np.add.reduceat(pulls[at][packed], starts) ** 2).sum())
    return squares, deals


def _with_error(one: SeatContrast, error: float, level: float, deals: int | None) -> SeatContrast:
    value = one.difference.value
    if value is None:
        return one
    method = one.difference.method if deals is None else f"{one.difference.method}, deals"
    made = replace(one.difference, method=method)
    fewest = min(one.seats_with, one.seats_without)
    if fewest < LEAST:
        note = f"{fewest} seats on one side: too few for an interval"
        return replace(one, difference=replace(made, note=note))
    if error == 0:
        return replace(one, difference=replace(made, note="no spread was seen, so there is no interval"))
    half = -float(special.ndtri((1.0 - level) / 2.0)) * error
    made = replace(made, low=max(-1.0, value - half), high=min(1.0, value + half))
    return replace(one, difference=made, p_value=float(2.0 * special.ndtr(-abs(value) / error)))


def _flag(found: list[SeatContrast], rate: float) -> list[SeatContrast]:
    """Adjust the p-values of a cell's items for their number."""
    tested = {at: one.p_value for at, one in enumerate(found) if one.p_value is not None}
    if not tested:
        return found
    made = benjamini_hochberg(list(tested.values()), rate=rate)
    out = [
        replace(
            one, tested=len(tested), flags_by_chance=made.expected_by_chance, false_flags=made.expected_false
        )
        for one in found
    ]  # fmt: skip
    for place, at in enumerate(tested):
        out[at] = replace(out[at], adjusted=float(made.adjusted[place]), flagged=bool(made.flagged[place]))
    return out
