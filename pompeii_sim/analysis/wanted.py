"""A metric by its written name, so that one number of a game can be compared between cells."""

from __future__ import annotations

from dataclasses import dataclass

from pompeii_sim.analysis.study import Study, everything_decided
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.measure import Measures
from pompeii_sim.measure.declare import applies
from pompeii_sim.store.schema import Metric

LISTED = {"win_share": "wins of listed seat {} over decided games", "win_rate": "wins of listed seat {} over all games"}
"""Besides the run's metrics: what the k-th seat of the scenario's list wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One number of a cell.

    Parameters
    ----------
    name
        As written.
    metric, label, by
        The metric, its label where it is split, and what it is split by.
    all_games
        Whether a share is taken over all games instead of decided ones.
    """

    name: str
    metric: Metric
    label: str = ""
    by: str = "player"
    all_games: bool = False

    def measures(self, study: Study, cell: int) -> Measures:
        """Return what to measure in a cell; InputError when the cell has nobody of that label."""
        made = study.measures(cell, [self.metric], by=self.by)
        labels = made.labels(self.metric)
        if self.label not in labels:
            raise InputError(
                f"{self.name}: nobody of that name in cell {cell}",
                where=study.name,
                hint=nearest(f"{self.metric.name}.{self.label}", [f"{self.metric.name}.{label}" for label in labels]),
            )
        return everything_decided(made) if self.all_games else made


def wanted(study: Study, name: str) -> Wanted:
    """Return the number a name stands for.

    Parameters
    ----------
    study
        The run.
    name
        A metric of the run, ``metric.label`` for one that is split by player or seat, a column for its mean,
        ``win_share.k`` or ``win_rate.k`` for what the k-th listed seat wins in decided or in all games.

    Raises
    ------
    InputError
        When the run has nothing of that name.
    """
    metrics = {m.name: m for m in study.schema.metrics}
    head, dot, label = name.partition(".")
    if name not in metrics and head in LISTED and head not in metrics and label.isdecimal():
        text = LISTED[head].format(label)
        metric = Metric(name=head, title=text, kind="share", by="player", definition=text)
        return Wanted(name=name, metric=metric, label=label, by="listed", all_games=head == "win_rate")
    if dot and head in metrics and metrics[head].kind == "share":
        return Wanted(name=name, metric=metrics[head], label=label)
    metric = study.metric(name)
    if metric.kind == "share":
        labels = dict.fromkeys(k for cell in study.cells for k in study.measures(cell).labels(metric))
        raise InputError(
            f"{name} is split by {metric.by}", where="metric", hint=f"for example {name}.{next(iter(labels))}"
        )
    return Wanted(name=name, metric=metric)


def headline(study: Study) -> list[Wanted]:
    """Return the run's headline metrics that are not split and that every cell has."""
    chosen = [m for m in study.schema.metrics if m.headline and m.kind != "share"]
    chosen = [m for m in chosen if all(applies(m, len(kinds)) for kinds in study.kinds)]
    return [Wanted(name=m.name, metric=m) for m in chosen]
