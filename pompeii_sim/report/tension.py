"""Section: how long the outcome stays open, and how far seats are round by round."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis.courses import bands, kept_games, single_courses
from pompeii_sim.analysis.tension import tension as ask
from pompeii_sim.figures.fan import fan
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import spread

PROGRESS = "progress"
RATES = ("never_behind", "settled_share", "real_choice")

TOLD = {
    "lead_changes": "The mean number of changes of the lead in a game",
    "never_behind": "The share of decided games whose winner was never behind",
    "settled_share": "The part of a decided game in which the winner led alone to the end",
    "real_choice": "The share of decisions with two or more legal options",
}


def tension(view: View) -> Section | None:
    """Return the section on tension, None when no series was kept or it does not say how far seats are."""
    study, layout = view.study, view.layout
    if PROGRESS not in {name for column in study.schema.series for name in column.stored}:
        return None
    frame = ask(study, progress=PROGRESS, level=view.level)
    kept = [e.n for _, e in view.cells(frame.filter(pl.col("metric") == "lead_changes"))]
    least, most = min(kept), max(kept)
    unit = "deals" if study.by_deal else "games"
    told = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    sentences = [f"The course of {told} {unit} a setting was kept; all but the last number below are of these."]
    for metric, words in TOLD.items():
        cells = view.cells(frame.filter(pl.col("metric") == metric))
        sentences.append(spread(words, cells, percent=metric in RATES))
    table = frame.with_columns(share=pl.col("metric").is_in(RATES), metric=pl.col("metric").str.replace_all("_", " "))
    return Section(
        name="tension",
        title="How open games stay",
        question="Does the lead change, can one come from behind, and how early is it settled?",
        sentences=tuple(sentences),
        pictures=tuple(_fan(view)),
        tables=(
            Table(
                name="tension",
                title="Tension by setting",
                frame=layout.table(table),
                columns={
                    "metric": f"from the order in progress at the end of each {view.unit}, in games whose series was "
                    "kept. last round behind: last one in which the winner was not ahead or level; largest deficit: "
                    "of the winner, in progress; settled: from when on the winner led alone to the end; real choice: "
                    "decisions with two or more legal options over all decisions"
                },
                percent="share",
            ),
        ),
    )


def _fan(view: View) -> list[Picture]:
    study, layout = view.study, view.layout
    cell = layout.drawn[0]
    frame = bands(study, PROGRESS, of="leader", cell=cell)
    if frame.is_empty():
        return []
    games = kept_games(study, cell)
    singles = single_courses(study, games, PROGRESS, cell=cell, of="leader")
    singles = singles.with_columns(name=pl.lit("game ") + pl.col("game").cast(pl.String))
    last = frame.filter(pl.col("n") >= 0.02 * _most(frame))["time"]
    shown = frame.filter(pl.col("time").is_in(last.implode()))
    setting = f" Setting: {layout.told(cell)}." if len(study.cells) > 1 else ""
    told = "; ".join(study.replay(cell, game) for game in games)
    return [
        Picture(
            name="progress",
            figure=fan(shown, singles, name="name", axis=f"{PROGRESS} of the leading seat", clock=view.unit),
            caption="How far the leading seat is, over the games that still go on; dark: the middle half, light: nine "
            f"tenths of them. Over it a short, a middle and a long game.{setting} To see them move by move: {told}",
            alternative=f"Bands of the leading seat's progress rising over {view.unit}s, with the courses of single "
            "games drawn over them.",
        )
    ]


def _most(frame: pl.DataFrame) -> int:
    return int(frame["n"].to_numpy().max())
