"""Who wins: win shares beside what equal chances would give, and win rates over all games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from pompeii_sim.analysis.study import Study, everything_decided
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.measure import estimates
from pompeii_sim.measure.tally import SHARE_SCALE
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import Metric


def win_share(
    study: Study,
    *,
    by: str = "player",
    cell: int | Sequence[int] | None = None,
    where: tuple[str, str, float] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return who wins, in decided games and in all games.

    Parameters
    ----------
    study
        The run.
    by
        ``player`` (kinds of listed seat), ``seat`` (place at the table), ``listed`` (place in the scenario's list), or
        any field of the seats.
    cell
        One cell, several, or all.
    where
        Only these games: column, comparison, number.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Key `by` (label) and ``metric``: ``win_share`` (wins ÷ decided games; ``expected`` is the label's seats ÷ all
        seats) or ``win_rate`` (wins ÷ all games). ``wins`` (a win shared by k counts 1/k for each), ``games`` they
        are counted over, ``at_table`` the label has. The wins of a cell add up to its decided games.
    """
    metric = Metric(
        name="w", title="win share", kind="share", by="seat" if by == "seat" else "player", where=where,
        definition="wins over decided games",
    )  # fmt: skip

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            decided = study.measures(index, [metric], by="player" if by == "seat" else by)
            over = {"win_share": decided, "win_rate": everything_decided(decided)}
            for (name, measures), sums in zip(over.items(), study.sums(index, *over.values()), strict=True):
                made = estimates(sums, measures, level=level)["w"]
                assert not isinstance(made, Estimate)
                for label, value in made.items():
                    tally = sums.tallies.get("w", {}).get(label)
                    more = {
                        "wins": 0.0 if tally is None else tally.y / SHARE_SCALE,
                        "games": 0 if tally is None else tally.x,
                        "at_table": 1 if by == "seat" else measures.kinds.count(label),
                    }
                    if name == "win_rate":
                        value = replace(value, expected=None)
                    elif len(made) == 1 and value.note is None:
                        value = replace(value, note="one kind alone: it wins every decided game")
                    yield Line(index, {by: label, "metric": name}, value, more)

    more = {"wins": pl.Float64, "games": pl.Int64, "at_table": pl.Int64}
    return tidy(study, lines(), {by: pl.String, "metric": pl.String}, more)
