"""The summary of a run, and its closing table: both from the same Estimates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pompeii_sim.measure import Measures, Sums, estimates
from pompeii_sim.measure.anytime import anytime_now
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.store.schema import VERSION, Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """One cell's numbers.

    Parameters
    ----------
    index, settings
        Which cell.
    games, failed
        Games played, and how many of them failed (they are in no metric).
    metrics
        An Estimate by metric name, or one by label for a metric that is split by player or seat.
    anytime
        Headline metrics that are not split, with intervals that hold at every look: the ones to quote when the
        number of games was chosen while looking (a run that was stopped, or went on with more games).
    """

    index: int
    settings: dict[str, Any]
    games: int
    failed: int
    metrics: dict[str, Estimate | dict[str, Estimate]]
    anytime: dict[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """Return the cell as it stands in ``summary.json``."""
        metrics = {
            name: value.to_json() if isinstance(value, Estimate) else {k: e.to_json() for k, e in value.items()}
            for name, value in self.metrics.items()
        }
        return {
            "index": self.index,
            "settings": self.settings,
            "games": self.games,
            "failed": self.failed,
            "metrics": metrics,
            "anytime": {name: value.to_json() for name, value in self.anytime.items()},
        }


def cell_result(index: int, settings: Mapping[str, Any], sums: Sums, measures: Measures, level: float) -> CellResult:
    """Return one cell's Estimates from its sums."""
    return CellResult(
        index=index,
        settings=dict(settings),
        games=sums.games,
        failed=sums.failed,
        metrics=estimates(sums, measures, level=level),
        anytime={
            m.name: anytime_now(sums.tallies[m.name][""], m, by_deal=measures.by_deal, level=level)
            for m in measures.metrics
            if m.headline and m.kind != "share" and m.name in sums.tallies
        },
    )


def build_summary(
    *,
    game: str,
    seed: int,
    games: int,
    seating: str,
    cells: Sequence[CellResult],
    stopping: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return ``summary.json``'s document; it holds no clock, no path and no NaN.

    Parameters
    ----------
    game, seed, games, seating
        Of the scenario; `games` is asked for in each cell.
    cells
        Each cell's Estimates.
    stopping
        The stopping rule, its checkpoints and verdicts, for a run that had one.
    """
    out: dict[str, Any] = {"schema": VERSION, "game": game, "seed": seed, "games_per_cell": games, "seating": seating}
    if stopping is not None:
        out["stopping"] = dict(stopping)
    out["cells"] = [cell.to_json() for cell in cells]
    return out


def cells_of(summary: Mapping[str, Any]) -> list[CellResult]:
    """Rebuild each cell's Estimates from ``summary.json``'s document."""

    def back(value: Mapping[str, Any]) -> Estimate | dict[str, Estimate]:
        if "method" in value and "value" in value and not isinstance(value["value"], Mapping):
            return Estimate.from_json(dict(value))
        return {k: Estimate.from_json(dict(e)) for k, e in value.items()}

    return [
        CellResult(
            index=c["index"],
            settings=dict(c["settings"]),
            games=c["games"],
            failed=c["failed"],
            metrics={name: back(value) for name, value in c["metrics"].items()},
            anytime={name: Estimate.from_json(dict(e)) for name, e in c["anytime"].items()},
        )
        for c in summary["cells"]
    ]


def closing_table(
    cells: Iterable[CellResult], schema: Schema, *, every_metric: bool = False
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the closing table: one record a cell with its settings and its headline metrics.

    Parameters
    ----------
    cells
        Each cell's Estimates.
    schema
        Says which metrics are headlines and what they are called.
    every_metric
        All metrics instead of the headlines.

    Returns
    -------
    columns, records
        Names in order, and one mapping a cell: ``cell``, the swept paths (values as set), ``games``, ``failed``, and
        an Estimate by metric name; a metric that is split has one column ``name.label`` for each label.
    """
    cells = list(cells)
    wanted = [m.name for m in schema.metrics if m.headline or every_metric] or [m.name for m in schema.metrics]
    columns: dict[str, None] = {"cell": None}
    columns.update(dict.fromkeys(path for c in cells for path in c.settings))
    columns.update(dict.fromkeys(("games", "failed")))
    records = []
    for c in cells:
        record: dict[str, Any] = {"cell": c.index, **c.settings, "games": c.games, "failed": c.failed}
        for name in wanted:
            value = c.metrics.get(name)
            if value is None:
                continue  # not measured with so many seats
            if not isinstance(value, Estimate) and len(value) == 1 and not every_metric:
                continue  # one kind of player alone: its share of the wins says nothing
            split = {name: value} if isinstance(value, Estimate) else {f"{name}.{k}": e for k, e in value.items()}
            record.update(split)
            columns.update(dict.fromkeys(split))
        records.append(record)
    return list(columns), records


def metric_records(cells: Iterable[CellResult]) -> list[dict[str, Any]]:
    """Return all numbers in long form: one mapping a cell, metric and label, with the Estimate's own fields.

    For CSV and JSON: full precision, ``label`` is empty for a metric that is not split.
    """
    out: list[dict[str, Any]] = []
    for c in cells:
        for name, value in c.metrics.items():
            split = {"": value} if isinstance(value, Estimate) else value
            for label, e in split.items():
                out.append(
                    {
                        "cell": c.index,
                        **c.settings,
                        "games": c.games,
                        "failed": c.failed,
                        "metric": name,
                        "label": label,
                        "value": e.value,
                        "low": e.low,
                        "high": e.high,
                        "n": e.n,
                        "level": e.level,
                        "method": e.method,
                        "valid": e.valid,
                        "expected": e.expected,
                        "note": e.note,
                    }
                )
    return out
