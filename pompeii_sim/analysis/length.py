"""How long games last: in rounds, by phase, in decisions or any other count, and apart for each end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from pompeii_sim.analysis.clock import ANY, Clock, lives
from pompeii_sim.analysis.outcomes import measured
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.quantile import quantile_from_counts
from pompeii_sim.stats.restricted_mean import restricted_mean
from pompeii_sim.store.schema import Metric

QUANTILES = {"p10": 0.1, "median": 0.5, "p90": 0.9}


def length(
    study: Study,
    columns: Sequence[str] = ("rounds", "decisions"),
    *,
    cap: int | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return how long games last.

    Parameters
    ----------
    study
        The run.
    columns
        What to measure length by: ``rounds``, the rounds of a phase, ``decisions``, any count; arrays are summed.
    cap
        Rounds after which time no longer counts in the restricted mean; by default the longest seen in any cell, so
        that cells compare.
    cell
        One cell, several, or all.
    level
        Confidence level.

    Returns
    -------
    pl.DataFrame
        Keys ``column``, ``end`` (``any`` or the end's name) and ``metric``: ``mean``, ``p10``, ``median``, ``p90`` over
        the games of that end; of ``rounds`` over all games also ``restricted_mean`` (of min(rounds, cap)) and
        ``censored_share`` (games not seen to end by then). ``cap`` where it applies. Means over all games count games
        stopped at a cap up to there.
    """
    chosen = study.chosen(cell)
    limit = cap or _longest(study, chosen)
    ends = {ANY: None, **{e.name: e.code for e in study.schema.ends if e.kind != "censored"}}

    def lines() -> Iterator[Line]:
        for index in chosen:
            metrics = {(column, end): _mean(column, end, code) for column in columns for end, code in ends.items()}
            made, _ = measured(study, index, list(metrics.values()), level=level)
            for column in columns:
                table = study.count(index, end=pl.col("ended_by"), value=study.total(index, column))
                for end, code in ends.items():
                    keys = {"column": column, "end": end}
                    yield Line(index, {**keys, "metric": "mean"}, made[metrics[column, end].name][""])
                    for name, q in QUANTILES.items():
                        estimate = _quantile(study, index, column, code, table, q, level)
                        yield Line(index, {**keys, "metric": name}, estimate)
                if column == "rounds":
                    keys = {"column": column, "end": ANY}
                    for name, estimate in _restricted(study, index, limit, level).items():
                        yield Line(index, {**keys, "metric": name}, estimate, {"cap": limit})

    return tidy(study, lines(), {"column": pl.String, "end": pl.String, "metric": pl.String}, {"cap": pl.Int64})


def _mean(column: str, end: str, code: int | None) -> Metric:
    where = None if code is None else ("ended_by", "==", float(code))
    return Metric(name=f"{column} {end}", title="", kind="mean", column=column, where=where, definition="")


def _longest(study: Study, cells: Sequence[int]) -> int:
    found = [study.fine(index).select(pl.col("rounds").max()).collect(engine="streaming").item() for index in cells]
    return max([1, *(int(rounds) for rounds in found if rounds is not None)])


def _quantile(
    study: Study, cell: int, column: str, code: int | None, table: pl.DataFrame, q: float, level: float
) -> Estimate:
    if code is not None:
        table = table.filter(pl.col("end") == code)
    table = table.group_by("value").agg(pl.col("games").sum()).sort("value")
    support, games = table["value"].to_numpy(), table["games"].to_numpy()
    plain = quantile_from_counts(support, games, q, level=level)
    if not study.by_deal or plain.value is None:
        return plain
    # Woodruff (1952): the interval of the share at or below the quantile, with the deal as the unit, read back.
    where = None if code is None else ("ended_by", "==", float(code))
    below = Metric(
        name="b", title="", kind="rate", column=column, op="<=", value=plain.value, where=where, definition=""
    )
    share = measured(study, cell, [below], level=level)[0]["b"][""]
    note = "too few deals for an interval"
    if share.low is None or share.high is None or share.value is None:
        return replace(plain, low=None, high=None, n=share.n, method="woodruff, deals", note=note)
    down, up = q - (share.value - share.low), q + (share.high - share.value)
    low = quantile_from_counts(support, games, down, level=level).value if down > 0 else None
    high = quantile_from_counts(support, games, up, level=level).value if up < 1 else None
    missing = low is None or high is None
    return replace(plain, low=low, high=high, n=share.n, method="woodruff, deals", note=note if missing else None)


def _restricted(study: Study, cell: int, cap: int, level: float) -> dict[str, Estimate]:
    table = lives(study, cell, Clock()).table
    made = restricted_mean(table, cap, level=level)
    if not study.by_deal:
        return {"restricted_mean": made.mean, "censored_share": made.censored}
    stopped = [e.code for e in study.schema.ends if e.kind == "censored"]
    metrics = [Metric(name="mean", title="", kind="mean", column="rounds", definition="")]
    metrics += [
        Metric(name=str(code), title="", kind="rate", column="ended_by", value=code, definition="") for code in stopped
    ]
    found, _ = measured(study, cell, metrics, level=level)
    mean = found["mean"][""]
    whole = int(table.censored[:cap].sum()) == 0 and int(table.at_risk.size) - 1 <= cap
    if not whole:
        note = "no interval with the deal as the unit where games go on beyond the cap or are stopped before it"
        mean = replace(made.mean, low=None, high=None, n=mean.n, note=note)
    censored = replace(made.censored, n=mean.n, low=None, high=None, note="see the ends' shares for intervals by deal")
    if len(stopped) == 1:
        censored = found[str(stopped[0])][""]
    return {"restricted_mean": replace(mean, method="restricted-mean, deals"), "censored_share": censored}
