"""Section: when the mountain erupts, how long each phase lasts, and whether it pays to play first."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, counts, fairness, length
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import grouped_bars
from pompeii_sim.figures.dots import win_shares
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.lengths import distributions
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.insight.names import left_out, shown, told_cells
from pompeii_sim.report.words import against_chance, chances, spread

PHASES = {
    "quiet_turns": "settling up to the first AD 79",
    "seething_turns": "settling with relatives",
    "eruption_turns": "lava without runs",
    "running_turns": "lava with runs",
}
"""Columns of turns by phase, in order; together they are the whole game."""


def clock(study: Study) -> Section:
    """Return the section on time and seats."""
    layout = Layout(study)
    cells = shown(layout)
    phases = length(study, list(PHASES)).filter((pl.col("end") == "any") & (pl.col("metric") == "mean"))
    phases = phases.with_columns(phase=pl.col("column").replace_strict(PHASES)).drop("column", "end", "metric", "cap")
    second = counts(study, "second_ad79", cell=cells)
    halves = length(study, ["settling_turns", "lava_turns"]).filter(pl.col("end") == "any")
    settling = halves.filter((pl.col("column") == "settling_turns") & (pl.col("metric") == "mean"))
    seats = fairness(study, start="start_seat", bands=1)
    first = [frames.estimate(r) for r in frames.records(seats, seat="0")]
    who = "The seat that plays first"
    sentences = [
        spread("The mean number of turns up to the second AD 79", told_cells(layout, settling)),
        against_chance(who, first[0]) if len(first) == 1 else chances(who, first),
    ]
    dressed = layout.dress(phases.filter(pl.col("cell").is_in(cells)))
    return Section(
        name="clock",
        title="Phases and seats",
        question="When does the mountain erupt, how long is each phase, and does it pay to play first?",
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="second-ad79",
                figure=distributions(layout.dress(second), x="count", row="setting", axis="turn of the second AD 79"),
                caption=f"The turn in which the second AD 79 is drawn. {left_out(layout)}".strip(),
                alternative="Distributions of the turn of the second AD 79, one line for each setting, with medians.",
            ),
            Picture(
                name="phases",
                figure=grouped_bars(dressed, group="setting", label="phase", percent=False, axis="turns"),
                caption=f"Mean number of turns of each phase. {left_out(layout)}".strip(),
                alternative="Bars: mean turns of the four phases in each setting; the numbers are in the table.",
            ),
            Picture(
                name="seats",
                figure=win_shares(
                    layout.dress(seats.filter(pl.col("cell").is_in(cells))),
                    row="setting",
                    label="seat",
                    axis="wins ÷ decided games",
                ),
                caption="Win share of each seat, counted from the one that plays first, beside equal chances. "
                f"{left_out(layout)}".strip(),
                alternative="Dots with intervals: win share by place after the first player; the numbers are in the "
                "table.",
            ),
        ),
        tables=(
            Table(
                name="phases",
                title="Turns by phase",
                frame=layout.table(phases),
                columns={"value": "mean number of turns of all games"},
            ),
            Table(
                name="halves",
                title="Turns of both halves",
                frame=layout.table(halves.drop("end", "cap")),
                columns={"column": "settling: cards; lava: tiles", "metric": "mean, median, or quantile"},
            ),
            Table(
                name="seats",
                title="Wins by seat",
                frame=layout.table(seats.drop("rounds_from", "rounds_to", "length")),
                columns={"seat": "places after the first player", "value": "wins ÷ decided games"},
                percent=True,
            ),
        ),
    )
