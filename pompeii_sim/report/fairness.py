"""Section: whether every seat is worth the same, and how much of the outcome is the deal."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis.fairness import fairness as ask
from pompeii_sim.analysis.fairness import variance_shares
from pompeii_sim.figures import frames
from pompeii_sim.figures.dots import win_shares
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import against_chance, chances, told


def fairness(view: View) -> Section:
    """Return the section on seats: win share by seat, by length of the game, and the part of the deal."""
    study, layout = view.study, view.layout
    frame = ask(study, cell=layout.drawn, level=view.level)
    overall = frame.filter(pl.col("length") == "all")
    sentences = []
    for seat in frames.labels(overall, "seat"):
        found = [frames.estimate(r) for r in frames.records(overall, seat=seat)]
        who = f"Seat {seat}"
        sentences.append(against_chance(who, found[0]) if len(found) == 1 else chances(who, found))
    if study.plan["seating"] == "fixed":
        sentences.append("Seats were fixed, so a seat's share is also that of who sits there.")
    first = layout.drawn[0]
    lengths = frame.filter((pl.col("cell") == first) & (pl.col("length") != "all"))
    pictures = [
        Picture(
            name="seats",
            figure=win_shares(layout.dress(overall), row="setting", label="seat", axis="wins ÷ decided games"),
            caption="Wins of each seat over decided games; the bar is an equal share. Numbers are places at the table. "
            f"{layout.drawn_told}".strip(),
            alternative="Dots with intervals: win share of each seat in each setting beside an equal share.",
        )
    ]
    if lengths.height:
        where = f" Setting: {layout.told(first)}." if len(study.cells) > 1 else ""
        pictures.append(
            Picture(
                name="seats-by-length",
                figure=win_shares(layout.dress(lengths), row="length", label="seat", axis="wins ÷ decided games"),
                caption=f"The same by how many {study.schema.time_unit} the game lasted: does an early seat win the "
                f"short games?{where}",
                alternative="Dots with intervals: win share of each seat in short, middle and long games.",
            )
        )
    tables = [
        Table(
            name="seats",
            title="Wins by seat",
            frame=layout.table(frame),
            columns={
                "seat": "place at the table, from 0",
                "length": f"games that lasted so many {study.schema.time_unit}; all: every decided game",
            },
            percent=True,
        )
    ]
    if study.by_deal:
        parts = variance_shares(study, cell=layout.drawn, level=view.level)
        luck = parts.filter((pl.col("cell") == first) & (pl.col("outcome") == "win") & (pl.col("part") == "deal"))
        sentences += [
            f"Of what makes a seat win or lose, the deal alone is {told(frames.estimate(r), percent=True)} "
            f"({layout.told(first)})."
            for r in luck.iter_rows(named=True)
        ]
        tables.append(
            Table(
                name="variance",
                title="How much of the outcome is the deal",
                frame=layout.table(parts),
                columns={
                    "outcome": "win: whether a seat wins; decided: whether anybody does",
                    "part": "deal: the same in all arrangements; arrangement: the same in all deals; rest: what "
                    "becomes of a deal in one arrangement",
                },
                percent=True,
            )
        )
    return Section(
        name="fairness",
        title="Seats",
        question="Is every seat worth the same?",
        sentences=tuple(sentences),
        pictures=tuple(pictures),
        tables=tuple(tables),
    )
