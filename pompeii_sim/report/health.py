"""Section: games that went wrong or were stopped, and games worth a look, with the commands to see them."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis.health import health as ask
from pompeii_sim.analysis.health import outliers
from pompeii_sim.figures import frames
from pompeii_sim.figures.section import Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.stats.rounding import person

EACH = 2
"""Games shown at either end of each column."""


def health(view: View) -> Section:
    """Return the section on failed, stopped and extreme games."""
    study, layout = view.study, view.layout
    frame = ask(study, level=view.level)
    sentences = []
    for trouble in frames.labels(frame, "trouble"):
        rows = frame.filter(pl.col("trouble") == trouble)
        name, games = trouble.replace("_", " "), int(rows["games"].sum())
        worst = max((frames.estimate(r) for r in rows.iter_rows(named=True)), key=lambda e: e.high or 0.0)
        what = "No game failed" if trouble == "failed" else f"No game was stopped by {name}"
        some = f"{games:,} games failed and are in no estimate" if trouble == "failed" else f"{games:,} games: {name}"
        sentences.append(f"{some if games else what}; at worst {person(worst)} in 100,000 in a setting.")
    columns = ["rounds", *(["decisions"] if study.has("decisions") else [])]
    extreme = outliers(study, columns, each=EACH, cell=layout.drawn[:1] if len(study.cells) > 1 else None)
    where = f" ({layout.told(layout.drawn[0])})" if len(study.cells) > 1 else ""
    return Section(
        name="health",
        title="Health of the run, and games to look at",
        question="Did every game come to an end by the rules, and which are worth a replay?",
        sentences=tuple(sentences),
        tables=(
            Table(
                name="troubles",
                title="Failed and stopped games, per 100,000",
                frame=layout.table(frame.with_columns(pl.col("trouble").str.replace_all("_", " "))),
                columns={
                    "trouble": "what should not be, or stopped the game",
                    "games": "games with it",
                    "first_game": "the first of them",
                    "replay": "command to see it",
                },
            ),
            Table(
                name="extremes",
                title=f"The longest and the shortest games{where}",
                frame=layout.table(extreme),
                columns={
                    "column": "what is largest or smallest",
                    "place": "1 is the most extreme",
                    "amount": "its value",
                    "replay": "command to see the game move by move",
                },
            ),
        ),
    )
