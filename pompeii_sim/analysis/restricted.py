"""What a change costs: cells held against a base cell, deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from pompeii_sim.analysis.ladder import smallest
from pompeii_sim.analysis.paired import paired_differences
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.analysis.verdict import verdict
from pompeii_sim.analysis.wanted import headline, wanted

KEYS = {"base": pl.Int64, "metric": pl.String}
MORE = {
    "cell_value": pl.Float64, "base_value": pl.Float64, "diverged": pl.Float64, "gain": pl.Float64,
    "verdict": pl.String, "why": pl.String, "games_needed": pl.Int64, "dropped": pl.Int64,
}  # fmt: skip


def restricted(
    study: Study,
    *,
    base: int = 0,
    cell: int | Sequence[int] | None = None,
    metrics: Sequence[str] | None = None,
    listed: int = 0,
    effect: float | dict[str, float] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return what each cell changes against a base cell: the price of forbidding something, where cells forbid it.

    Parameters
    ----------
    study
        The run.
    base
        The cell without the restriction.
    cell
        The cells to hold against it; all others by default.
    metrics
        Names as for `wanted`; by default what the restricted seat wins in all games, and the headline metrics.
    listed
        Place in the scenario's list of the seat that is restricted.
    effect
        Smallest difference that matters, as for `ladder`.
    level
        Confidence level of each interval on its own.

    Returns
    -------
    pl.DataFrame
        Keys ``base`` and ``metric``; the Estimate of the cell's number minus the base's on common deals; both numbers,
        the share of games that ``diverged`` (null where seats are not arranged alike), ``gain`` (how many times
        as many unpaired games it would take), ``verdict``, ``why``, ``games_needed``, ``dropped`` deals with a failed
        game.
    """
    names = metrics if metrics is not None else [f"win_rate.{listed}", *(w.name for w in headline(study))]
    numbers = [wanted(study, name) for name in names]

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            if index == base:
                continue
            for number, made in zip(
                numbers, paired_differences(study, index, study, base, numbers, level), strict=True
            ):
                judged = verdict(made.difference, effect=smallest(number, effect), games=made.games)
                more = {
                    "cell_value": made.first.value, "base_value": made.base.value, "diverged": made.diverged.value,
                    "gain": made.gain, "verdict": judged.word, "why": judged.why, "games_needed": judged.games,
                    "dropped": made.dropped,
                }  # fmt: skip
                yield Line(index, {"base": base, "metric": number.name}, made.difference, more)

    return tidy(study, lines(), KEYS, MORE)
