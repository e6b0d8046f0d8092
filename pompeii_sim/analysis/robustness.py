"""Which conclusions survive what is not known: every conclusion in every setting of a sampled sweep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from pompeii_sim.analysis.conclusion import Conclusion, conclusion, judged
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, setting_text, tidy
from pompeii_sim.store.linked import with_value

KEYS = {"conclusion": pl.String, "setting": pl.String}
MORE = {"verdict": pl.String, "step": pl.String, "cells": pl.List(pl.Int64)}


def robustness(study: Study, conclusions: Iterable[str | Conclusion], *, level: float = 0.95) -> pl.DataFrame:
    """Return whether each conclusion holds in each setting of a run.

    Parameters
    ----------
    study
        A run of a sampled sweep (or of any sweep).
    conclusions
        As for `conclusion`: ``victory_rate >= 0.6``, or ``rounds_mean: rules.level A < B < C``.
    level
        Probability that all steps of one conclusion are judged rightly in one setting.

    Returns
    -------
    pl.DataFrame
        One row a conclusion and setting: ``cell`` (the first it is about, with its swept settings), ``conclusion``,
        ``setting`` (its settings in a text); the Estimate of the margin of the weakest step, which is above 0 where the
        step is true; ``verdict`` (``holds``, ``flips``, ``undecided``), ``step`` (which one is the weakest),
        ``cells``.

    Raises
    ------
    InputError
        When a conclusion cannot be read, or the run lacks its metric, setting or values.
    """
    said = [conclusion(one) for one in conclusions]

    def lines() -> Iterator[Line]:
        for one in said:
            for found in judged(study, one, level=level):
                keys = {"conclusion": one.text, "setting": setting_name(study, found.cells[0], one.path)}
                more = {"verdict": found.state, "step": found.weakest.text, "cells": list(found.cells)}
                yield Line(found.cells[0], keys, found.weakest.margin, more)

    return tidy(study, lines(), KEYS, MORE)


def survival(frame: pl.DataFrame) -> pl.DataFrame:
    """Return in how many settings each conclusion holds, flips or stays undecided.

    Parameters
    ----------
    frame
        What `robustness` returned.

    Returns
    -------
    pl.DataFrame
        One row a conclusion: ``conclusion``, ``settings``, ``holds``, ``flips``, ``undecided`` (counts), ``survives``
        (true where it flips nowhere and is not undecided everywhere).
    """
    counts = [(pl.col("verdict") == word).sum().cast(pl.Int64).alias(word) for word in ("holds", "flips", "undecided")]
    table = frame.group_by("conclusion", maintain_order=True).agg(pl.len().cast(pl.Int64).alias("settings"), *counts)
    return table.with_columns(survives=(pl.col("flips") == 0) & (pl.col("holds") > 0))


def setting_name(study: Study, cell: int, but: str = "") -> str:
    """Return a cell's swept settings in a text, short names first, without one path."""
    told = [
        with_value(name, _short(study.settings[cell][path]))
        for name, (path, *others) in study.linked.items()
        if path in study.settings[cell] and but not in (path, *others)
    ]
    return ", ".join(told) or "as written"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(setting_text(value))
