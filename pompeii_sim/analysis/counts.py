"""How often something happens in a game: its distribution, and whether it comes in clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.analysis.outcomes import measured
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import Metric

LEAST_SPREAD = 30
"""Fewer units give no interval of a variance: that they are alike may be chance, and the method is one for many."""


def counts(
    study: Study,
    column: str,
    *,
    cell: int | Sequence[int] | None = None,
    where: tuple[str, str, float] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the distribution of a whole-numbered column.

    Parameters
    ----------
    study
        The run.
    column
        What is counted in a game; an array is summed.
    cell
        One cell, several, or all.
    where
        Only these games: column, comparison, number.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``column`` and ``count`` (every whole number from the least to the most seen); the Estimate of the share of
        games with that count, ``expected`` under a Poisson law of the same mean; ``games`` with it.
    """

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            seen = study.count(index, value=study.total(index, column))
            if seen.height == 0:
                continue
            least, most = int(seen["value"].min()), int(seen["value"].max())  # type: ignore[arg-type]
            metrics = [
                Metric(name=str(k), title="", kind="rate", column=column, value=k, where=where, definition="")
                for k in range(least, most + 1)
            ]
            mean = Metric(name="mean", title="", kind="mean", column=column, where=where, definition="")
            made, sums = measured(study, index, [*metrics, mean], level=level)
            centre = made["mean"][""].value
            for count, metric in zip(range(least, most + 1), metrics, strict=True):
                law = None if centre is None else _poisson(count, centre)
                more = {"games": sums.tallies[metric.name][""].y}
                estimate = replace(made[metric.name][""], expected=law)
                yield Line(index, {"column": column, "count": count}, estimate, more)

    return tidy(study, lines(), {"column": pl.String, "count": pl.Int64}, {"games": pl.Int64})


def _poisson(count: int, mean: float) -> float | None:
    if count < 0 or mean < 0:
        return None
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) if mean > 0 else float(count == 0)


def dispersion(
    study: Study, column: str, *, cell: int | Sequence[int] | None = None, level: float = 0.95
) -> pl.DataFrame:
    """Return mean and variance of a count, and their ratio against that of a Poisson law.

    Parameters
    ----------
    study
        The run.
    column
        What is counted in a game; an array is summed.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``column`` and ``metric``: ``mean``, ``variance``, ``dispersion`` (variance ÷ mean; ``expected`` 1: above
        it what is counted comes in clusters, or games differ in how much of it they have; below it is more even than
        chance). Intervals of the last two by linearisation (the delta method), from `LEAST_SPREAD` units on.
    """

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            mean = Metric(name="mean", title="", kind="mean", column=column, definition="")
            made, _ = measured(study, index, [mean], level=level)
            yield Line(index, {"column": column, "metric": "mean"}, made["mean"][""])
            for name, estimate in zip(("variance", "dispersion"), _spread(study, index, column, level), strict=True):
                yield Line(index, {"column": column, "metric": name}, estimate)

    return tidy(study, lines(), {"column": pl.String, "metric": pl.String})


def _spread(study: Study, cell: int, column: str, level: float) -> tuple[Estimate, Estimate]:
    table = study.count(cell, value=study.total(cell, column).cast(pl.Float64))
    values, games = table["value"].to_numpy(), table["games"].to_numpy()
    n = int(games.sum())
    method = "delta, deals" if study.by_deal else "delta"
    common: dict[str, Any] = {"level": level, "method": method, "n": n}
    if n < 2:
        nothing = Estimate(value=None, low=None, high=None, note="fewer than two games", **common)
        return nothing, replace(nothing, expected=1.0)
    mean = float(values @ games) / n
    deviations = (values - mean) ** 2
    variance = float(deviations @ games) / (n - 1)
    pull = deviations - variance  # influence of a game on the variance
    units, error = _error(study, cell, column, values, games, pull)
    common["n"] = units
    first = _normal(variance, error, common)
    if mean == 0:
        return first, Estimate(value=None, low=None, high=None, expected=1.0, note="it never happened", **common)
    pull = pull / mean - variance * (values - mean) / mean**2
    _, error = _error(study, cell, column, values, games, pull)
    return first, replace(_normal(variance / mean, error, common), expected=1.0)


def _normal(value: float, error: float | None, common: dict[str, Any]) -> Estimate:
    if error is None or common["n"] < LEAST_SPREAD:
        few = f"fewer than {LEAST_SPREAD} units: no interval of a variance"
        return Estimate(value=value, low=None, high=None, note=few, **common)
    half = -float(special.stdtrit(common["n"] - 1, (1.0 - common["level"]) / 2.0)) * error
    note = "constant: every game gave the same, so the interval has no width" if half == 0 else None
    return Estimate(value=value, low=max(0.0, value - half), high=value + half, note=note, **common)


def _error(
    study: Study,
    cell: int,
    column: str,
    values: NDArray[np.float64],
    games: NDArray[np.int64],
    pull: NDArray[np.float64],
) -> tuple[int, float | None]:
    """Return the number of units and the standard error of a mean of influences, games of one deal taken together."""
    n = int(games.sum())
    if not study.by_deal:
        return n, math.sqrt(float(games @ (pull * pull))) / n
    of_value = pl.lit(0.0)
    for value, part in zip(values.tolist(), pull.tolist(), strict=True):
        of_value = pl.when(pl.col("value") == value).then(part).otherwise(of_value)
    deals = (
        study.fine(cell)
        .select("deal", value=study.total(cell, column).cast(pl.Float64))
        .select("deal", pull=of_value)
        .group_by("deal")
        .agg(pl.col("pull").sum())
        .select(units=pl.len(), squares=(pl.col("pull") ** 2).sum())
        .collect(engine="streaming")
    )
    units, squares = int(deals["units"][0]), float(deals["squares"][0])
    return units, None if units < 2 else math.sqrt(squares * units / (units - 1)) / n
