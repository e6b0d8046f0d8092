"""Do the rules hold up? Games that stopped, failed or got stuck, and extreme games, each with how to see it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, settings_columns, tidy
from pompeii_sim.measure.estimate import estimate
from pompeii_sim.measure.tally import Tally, add_up
from pompeii_sim.stats.estimate import Estimate

PER = 100_000
"""Games that troubles are counted by."""


@dataclass(slots=True)
class _Trouble:
    tally: Tally
    games: int = 0
    first: int | None = None


def health(
    study: Study,
    *,
    stuck: Mapping[str, str] | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how many games in 100,000 were stopped, failed, or had something that should not be.

    Parameters
    ----------
    study
        The run.
    stuck
        Columns by what to call the trouble: it happened in a game where the column (an array: its sum over the seats in
        use) is above 0, for example seats without a useful move.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Key ``trouble``: each end of the kind ``censored``, ``failed``, and those of `stuck`; the Estimate **per 100,000
        games played**, failed ones included; ``games`` with the trouble, ``first_game`` of them and the command to
        ``replay`` it, null where there is none.
    """
    ends = {e.name: e.code for e in study.schema.ends if e.kind == "censored"}
    asked = dict(stuck or {})
    columns = {name: column for name, column in asked.items() if study.column(column)}

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            for name, trouble in _troubles(study, index, ends, columns).items():
                made = _per(estimate(trouble.tally, kind="rate", by_deal=study.by_deal, level=level))
                replay = None if trouble.first is None else study.replay(index, trouble.first)
                more = {"games": trouble.games, "first_game": trouble.first, "replay": replay}
                yield Line(index, {"trouble": name}, made, more)

    more = {"games": pl.Int64, "first_game": pl.Int64, "replay": pl.String}
    return tidy(study, lines(), {"trouble": pl.String}, more)


def _troubles(study: Study, cell: int, ends: Mapping[str, int], columns: Mapping[str, str]) -> dict[str, _Trouble]:
    found = {name: _Trouble(Tally()) for name in (*ends, "failed", *columns)}
    names = [n for column in columns.values() for n in study.in_use(cell, column)]
    for rows in study.batches(cell, ["game", "deal", "error", "ended_by", *names]):
        fine = rows["error"].to_numpy() == 0
        deal = rows["deal"].to_numpy() if study.by_deal else None
        flags: dict[str, NDArray[np.bool_]] = {"failed": ~fine}
        flags |= {name: fine & (rows["ended_by"].to_numpy() == code) for name, code in ends.items()}
        for name, column in columns.items():
            flags[name] = fine & (rows.select(study.total(cell, column).alias("t"))["t"].to_numpy() > 0)
        for name, flag in flags.items():
            one = found[name]
            one.tally = one.tally + add_up(flag.astype(np.int64), np.ones(len(flag), np.bool_), deal, 1, 0)
            one.games += int(np.count_nonzero(flag))
            if one.first is None and flag.any():
                one.first = int(rows["game"][int(np.argmax(flag))])
    return found


def _per(made: Estimate) -> Estimate:
    def times(number: float | None) -> float | None:
        return None if number is None else number * PER

    return replace(made, value=times(made.value), low=times(made.low), high=times(made.high))


def outliers(
    study: Study,
    columns: Sequence[str] = ("rounds",),
    *,
    each: int = 3,
    cell: int | Sequence[int] | None = None,
) -> pl.DataFrame:
    """Return the games with the largest and the smallest values, to be looked at one by one.

    Parameters
    ----------
    study
        The run.
    columns
        Columns of the games; arrays are summed over the seats in use.
    each
        How many games at either end.
    cell
        One cell, several, or all.

    Returns
    -------
    pl.DataFrame
        ``cell``, the swept settings, ``column``, ``which`` (``largest`` or ``smallest``), ``place`` (from 1),
        ``value``, ``game``, ``end`` and the command to ``replay`` it. Equal values in the order of the games.
    """
    ends = {e.code: e.name for e in study.schema.ends}
    rows: list[dict[str, object]] = []
    cells: list[int] = []
    for index in study.chosen(cell):
        for column in columns:
            games = study.fine(index).select("game", "ended_by", value=study.total(index, column).cast(pl.Float64))
            for which, descending in (("largest", True), ("smallest", False)):
                ordered = games.sort(["value", "game"], descending=[descending, False]).head(each)
                for place, row in enumerate(ordered.collect(engine="streaming").iter_rows(named=True), start=1):
                    cells.append(index)
                    rows.append(
                        {
                            "column": column, "which": which, "place": place, "value": row["value"],
                            "game": row["game"], "end": ends.get(row["ended_by"], str(row["ended_by"])),
                            "replay": study.replay(index, int(row["game"])),
                        }
                    )  # fmt: skip
    schema = {
        "column": pl.String, "which": pl.String, "place": pl.Int64, "value": pl.Float64, "game": pl.Int64,
        "end": pl.String, "replay": pl.String,
    }  # fmt: skip
    made = pl.DataFrame(rows, schema=schema)
    return pl.DataFrame([pl.Series("cell", cells, pl.Int64), *settings_columns(study, cells), *made.get_columns()])
