"""Section: in which of the other settings an order of values holds, and where it flips."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from pompeii_sim.analysis.conclusion import Conclusion
from pompeii_sim.analysis.ladder import groups
from pompeii_sim.analysis.robustness import robustness as ask
from pompeii_sim.analysis.robustness import survival
from pompeii_sim.analysis.wanted import headline
from pompeii_sim.figures.robustness import robustness as draw
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.ladder import direction
from pompeii_sim.report.view import View
from pompeii_sim.store.linked import short, with_value

MOST_VALUES, MOST_SETTINGS = 7, 64


def asked_of(view: View) -> tuple[str, tuple[str, ...]] | None:
    """Return the first swept setting whose values meet every combination of the others, with its values.

    None where no other setting is swept with it.
    """
    for key in view.layout.linked:
        if key in view.layout.combined:
            continue
        found = groups(view.study, view.layout.linked[key][0])
        values = {group.values for group in found}
        if 2 <= len(found) <= MOST_SETTINGS and len(values) == 1 and len(next(iter(values))) <= MOST_VALUES:
            return key, next(iter(values))
    return None


def robust(view: View) -> Section | None:
    """Return the section on the order of the first setting, None where no other setting is swept with it."""
    asked = asked_of(view)
    return None if asked is None else _section(view, *asked)


def _section(view: View, key: str, values: tuple[str, ...]) -> Section | None:
    numbers = headline(view.study)
    hard = direction(view)
    metric = hard[1] if hard is not None else numbers[0].name if numbers else ""
    if not metric:
        return None
    title, kind = next((m.title, m.kind) for m in view.study.schema.metrics if m.name == metric)
    chains = [values] if len(values) == 2 else [*pairwise(values), values]
    path = view.layout.linked[key][0]
    asked = [
        Conclusion(text=f"{title}: {' < '.join(chain)}", metric=metric, path=path, order=tuple(chain))
        for chain in chains
    ]
    frame = ask(view.study, asked, level=view.level)
    others = [k for k in view.layout.keys if k != key]
    places = [", ".join(with_value(k, view.layout.value(c, k)) for k in others) for c in frame["cell"]]
    if view.layout.full:
        frame = frame.with_columns(pl.Series("setting", places, pl.String))
    counted = survival(frame)
    sentences = [
        f"{row['conclusion']} holds in {row['holds']} of {row['settings']} combinations of the other settings, flips "
        f"in {row['flips']} and is undecided in {row['undecided']}."
        for row in counted.iter_rows(named=True)
    ]
    name = short(key)
    return Section(
        name="robustness",
        title=f"Where the order of {name} holds",
        question=f"Does {title} grow from one value of {name} to the next whatever else is set, and where does that "
        "flip?",
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="matrix",
                figure=draw(frame),
                caption=f"Each column is a statement, each line a combination of the other settings. Holds: {title} "
                "is told to grow; flips: it is told to shrink; undecided: neither, as where nothing changes.",
                alternative="Matrix of statements by settings, marked holds, flips or undecided; the verdicts are in "
                "the table below.",
            ),
        ),
        tables=(
            Table(
                name="verdicts",
                title="Verdicts",
                frame=view.layout.table(frame.rename({"setting": "others"}), key),
                percent=kind != "mean",
                difference=True,
                columns={
                    "conclusion": "the statement",
                    "others": "the other settings",
                    "value": "margin of the weakest step: above 0 where the statement is true",
                    "verdict": "holds, flips or undecided",
                    "step": "which step is the weakest",
                    "cells": "the cells compared",
                },
            ),
        ),
    )
