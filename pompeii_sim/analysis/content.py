"""What of a game's content is seen and used, and how it goes together with winning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from pompeii_sim.analysis.effects import Role, seat_contrasts
from pompeii_sim.analysis.outcomes import measured
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.errors import InputError
from pompeii_sim.store.schema import Metric

KEYS = {"item": pl.String, "metric": pl.String}
EFFECT: dict[str, Any] = {
    "with_it": pl.Float64, "without": pl.Float64, "seats_with": pl.Int64, "seats_without": pl.Int64,
    "p_value": pl.Float64, "adjusted": pl.Float64, "flagged": pl.Boolean, "tested": pl.Int64,
    "flags_by_chance": pl.Float64, "false_flags": pl.Float64,
}  # fmt: skip


def content(
    study: Study,
    *,
    shares: Mapping[str, str] | None = None,
    means: Mapping[str, str] | None = None,
    labels: Sequence[str] | None = None,
    where: tuple[str, str, float] | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how often each item of an array column is dealt, put out, used ...

    Parameters
    ----------
    study
        The run.
    shares
        Array columns by what to call them: the share of games in which the item's element is not 0 (a flag, a mask
        of seats, a count). An item that was never used has value 0 and an upper end.
    means
        Array columns by what to call them: the mean of the item's element.
    labels
        Names of the items in order; by default their numbers. Items beyond the last label are left out.
    where
        Only these games: column, comparison, number.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``item`` (label) and ``metric`` (as called); the Estimate.

    Raises
    ------
    InputError
        When the run does not store such a column.
    """
    asked = [("rate", name, column) for name, column in (shares or {}).items()]
    asked += [("mean", name, column) for name, column in (means or {}).items()]
    if not asked:
        raise InputError("nothing is asked for", where="content", hint="give shares= or means=")
    items = _items(study, [column for _, _, column in asked], labels)
    metrics: dict[tuple[int, str], Metric] = {}
    for index in range(len(items)):
        for kind, name, column in asked:
            part = study.column(column)[index]
            told = f"{name} of item {index}"
            metrics[index, name] = Metric(
                name=told, title=told, kind="rate" if kind == "rate" else "mean", column=part, op="!=", where=where,
                definition=told,
            )  # fmt: skip

    def lines() -> Iterator[Line]:
        for number in study.chosen(cell):
            made, _ = measured(study, number, list(metrics.values()), level=level)
            for (index, name), metric in metrics.items():
                yield Line(number, {"item": items[index], "metric": name}, made[metric.name][""])

    return tidy(study, lines(), KEYS)


def _items(study: Study, columns: Sequence[str], labels: Sequence[str] | None) -> list[str]:
    most = min(len(study.column(column)) for column in columns)
    return [str(index) for index in range(most)] if labels is None else list(labels[:most])


def deal_effects(
    study: Study,
    dealt: str,
    *,
    labels: Sequence[str] | None = None,
    by: str = "player",
    cell: int | Sequence[int] | None = None,
    rate: float = 0.05,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return what it does to a seat's chance to win that the opening deal gave it an item: cause and effect.

    The opening deal is the only thing that chance alone hands out. A seat that was dealt the item is held against the
    same seat with the same kind of player in games in which nobody was dealt it.

    Parameters
    ----------
    study
        The run.
    dealt
        Array column: 1 + the seat whose opening deal held the item, 0 for nobody.
    labels
        Names of the items in order; by default their numbers.
    by
        What makes players alike, as for `Study.labels`.
    cell
        One cell, several, or all.
    rate
        False discovery rate of the flags (Benjamini and Hochberg) among the items of a cell.
    level
        Confidence level of each interval on its own.

    Returns
    -------
    pl.DataFrame
        Key ``item``; the Estimate of the difference in win rate over all games, `n` the seats dealt the item;
        ``with_it`` and ``without`` (the two win rates), ``seats_with`` and ``seats_without``, ``p_value``,
        ``adjusted`` (by the false discovery rate), ``flagged``, ``tested`` items of the cell, ``flags_by_chance`` (how
        many items pure chance would put below the rate unadjusted), ``false_flags`` (most of the flags expected false).
    """
    return _effects(study, dealt, Role.DEALT, labels, by, cell, rate, level)


def use_associations(
    study: Study,
    used: str,
    *,
    labels: Sequence[str] | None = None,
    by: str = "player",
    cell: int | Sequence[int] | None = None,
    rate: float = 0.05,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how much more often seats that used an item won: an association, not cause and effect.

    Who is ahead uses more, and who plays longer uses more; `deal_effects` is free of that.

    Parameters
    ----------
    used
        Array column: bit mask of the seats that used the item.
    study, labels, by, cell, rate, level
        As for `deal_effects`.

    Returns
    -------
    pl.DataFrame
        As `deal_effects`; seats that used it against the same seat and kind of player in games where it did not.
    """
    return _effects(study, used, Role.USED, labels, by, cell, rate, level)


def _effects(
    study: Study,
    column: str,
    role: Role,
    labels: Sequence[str] | None,
    by: str,
    cell: int | Sequence[int] | None,
    rate: float,
    level: float,
) -> pl.DataFrame:
    items = _items(study, [column], labels)

    def lines() -> Iterator[Line]:
        for number in study.chosen(cell):
            found = seat_contrasts(
                study, number, study.column(column)[: len(items)], role, by=by, rate=rate, level=level
            )
            for item, one in zip(items, found, strict=True):
                yield Line(number, {"item": item}, one.difference, {name: getattr(one, name) for name in EFFECT})

    return tidy(study, lines(), {"item": pl.String}, EFFECT)
