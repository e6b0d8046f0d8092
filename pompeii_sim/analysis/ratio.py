"""How much of one thing for each of another, over all games: by kind of seat where columns have one value a seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.errors import InputError
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import FLOAT_SCALE, Tally, dot
from pompeii_sim.stats.estimate import Estimate

ALL = "all"
"""Label where nothing is split."""


def ratio(
    study: Study,
    top: str | Sequence[str],
    bottom: str | Sequence[str] | None = None,
    *,
    by: str | None = None,
    where: str | None = None,
    share: bool = False,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the sum of some columns over all games, divided by that of others.

    Parameters
    ----------
    study
        The run.
    top, bottom
        Columns, added up when several; arrays are summed over the seats in use. Without `bottom` the answer is a mean
        for each game, or with `by` for each game and seat of the label.
    by
        ``seat``, ``player``, ``listed`` or a field of the seats: then columns of one value a seat are added up over the
        seats of each label, and other columns count for every label.
    where
        Only games of this end (its name).
    share
        The top is a part of the bottom, so that the interval stays within 0 and 1 and has a width at either.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``column`` (as asked) and ``by`` (label); the Estimate with the interval of a ratio of sums over games, or
        over deals when the deal is the unit; ``top`` and ``bottom``, the two sums.
    """
    above, below = _list(top), _list(bottom)
    name = "+".join(above) + (f"/{'+'.join(below)}" if below else "")
    code = None if where is None else _end(study, where)

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            for label, tally in _tallies(study, index, above, below, by, code).items():
                more = {"top": tally.y / tally.scale, "bottom": float(tally.x)}
                made = ratio_estimate(tally, study.by_deal, level, share=share)
                yield Line(index, {"column": name, "by": label}, made, more)

    return tidy(study, lines(), {"column": pl.String, "by": pl.String}, {"top": pl.Float64, "bottom": pl.Float64})


def ratio_estimate(tally: Tally, by_deal: bool, level: float, *, share: bool = False) -> Estimate:
    """Return y over x from sums over units, with the interval of a ratio of sums; a share's stays within 0 and 1."""
    made = estimate(tally, kind="mean", by_deal=True, bounds=(0.0, 1.0) if share else None, level=level)
    if by_deal:
        return made
    note = None if made.note is None else made.note.replace("deal", "game")
    return replace(made, method=made.method.replace(", deals", ", ratio"), note=note)


def _list(columns: str | Sequence[str] | None) -> list[str]:
    return [] if columns is None else [columns] if isinstance(columns, str) else list(columns)


def _end(study: Study, name: str) -> int:
    codes = {e.name: e.code for e in study.schema.ends}
    if name not in codes:
        raise InputError(f"no end {name!r}", where="where", hint=", ".join(codes))
    return codes[name]


def _tallies(
    study: Study, cell: int, above: Sequence[str], below: Sequence[str], by: str | None, code: int | None
) -> dict[str, Tally]:
    seats = len(study.kinds[cell])
    specs = study.labels(cell, by) if by not in (None, "seat") else tuple(str(seat) for seat in range(seats))
    labels = [ALL] if by is None else list(dict.fromkeys(specs))
    whole = all(c.dtype.startswith(("int", "uint")) for c in study.schema.columns if c.name in above)
    scale = 1 if whole else FLOAT_SCALE
    names = [n for column in (*above, *below, "seat_spec") for n in study.in_use(cell, column)]
    totals = dict.fromkeys(labels, Tally(scale=scale))
    for rows in study.batches(cell, ["deal", "error", "ended_by", *names]):
        fine = rows.filter(pl.col("error") == 0)
        fine = fine if code is None else fine.filter(pl.col("ended_by") == code)
        if fine.height == 0:
            continue
        deal = fine["deal"].to_numpy()
        for number, label in enumerate(labels):
            mine = [_mine(fine, seat, specs, by, label) for seat in range(seats)]
            y = _sum(study, cell, fine, above, mine, by)
            if below:
                x = np.rint(_sum(study, cell, fine, below, mine, by)).astype(np.int64)
            elif by is None:
                x = np.ones(fine.height, np.int64)
            else:
                x = np.sum(mine, axis=0).astype(np.int64)
            totals[labels[number]] += _add(np.rint(y * scale).astype(np.int64), x, deal, study.by_deal, scale)
    return totals


def _mine(rows: pl.DataFrame, seat: int, specs: Sequence[str], by: str | None, label: str) -> NDArray[np.bool_]:
    """Return in which games a seat has the label."""
    if by is None:
        return np.ones(rows.height, np.bool_)
    if by == "seat":
        return np.full(rows.height, str(seat) == label)
    wanted = np.array([spec == label for spec in specs] + [False])  # nobody has spec -1, the last
    return np.asarray(wanted[rows[f"seat_spec_{seat}"].to_numpy()])


def _sum(
    study: Study,
    cell: int,
    rows: pl.DataFrame,
    columns: Sequence[str],
    mine: Sequence[NDArray[np.bool_]],
    by: str | None,
) -> NDArray[np.float64]:
    total = np.zeros(rows.height)
    for column in columns:
        stored = study.in_use(cell, column)
        split = by is not None and any(c.per_seat for c in study.schema.columns if c.name == column)
        for seat, name in enumerate(stored):
            values = rows[name].to_numpy().astype(np.float64)
            total += np.where(mine[seat], values, 0.0) if split else values
    return total


def _add(y: NDArray[np.int64], x: NDArray[np.int64], deal: NDArray[np.int64], by_deal: bool, scale: int) -> Tally:
    """Return the sums over units of y and x."""
    if by_deal:
        starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
        y, x = np.add.reduceat(y, starts), np.add.reduceat(x, starts)
    return Tally(
        units=int(np.count_nonzero(x)), y=int(y.sum()), x=int(x.sum()), yy=dot(y, y), xy=dot(x, y), xx=dot(x, x),
        scale=scale, negative=int(np.count_nonzero(y < 0)),
    )  # fmt: skip
