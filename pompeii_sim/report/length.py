"""Section: how long games last, and when they end."""

from __future__ import annotations

import polars as pl

from pompeii_sim import analysis
from pompeii_sim.figures import frames
from pompeii_sim.figures.curves import incidence as draw_incidence
from pompeii_sim.figures.lengths import distributions
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import spread


def length(view: View) -> Section:
    """Return the section on length: distribution, restricted mean, quantiles, and ends by round."""
    study, layout, unit = view.study, view.layout, view.study.schema.time_unit
    frame = analysis.length(study, level=view.level)
    rounds = frame.filter(pl.col("column") == "rounds")

    def of(metric: str, end: str = "any") -> pl.DataFrame:
        return rounds.filter((pl.col("metric") == metric) & (pl.col("end") == end))

    cap = int(frames.top(rounds, "cap"))
    sentences = [
        spread(f"The mean length up to {cap} {unit}", view.cells(of("restricted_mean")), unit=unit),
        spread("The median length", view.cells(of("median")), unit=unit),
    ]
    censored = of("censored_share")
    if censored.height and frames.top(censored) > 0:
        sentences.append(spread("The share of games not seen to end", view.cells(censored), percent=True))
    for end in [e for e in study.schema.ends if e.kind != "censored"]:
        part = of("mean", end.name)
        if part["value"].is_not_null().any():
            sentences.append(
                spread(f"The mean number of {unit} to {end.name.replace('_', ' ')}", view.cells(part), unit=unit)
            )
    return Section(
        name="length",
        title="How long games last",
        question=f"How many {unit} does a game take, and when does it end in which way?",
        sentences=tuple(sentences),
        headline=tuple(sentences[:1]),
        pictures=(_distribution(view), *_ends(view)),
        tables=(
            Table(
                name="length",
                title="Length by setting",
                frame=layout.table(frame.with_columns(share=pl.col("metric") == "censored_share")),
                columns={
                    "column": "what length is measured by",
                    "end": "only games that end so; any: all games",
                    "metric": "restricted mean: of the length cut at the cap, over all games; censored share: games "
                    "not seen to end; p10, median, p90: quantiles",
                    "cap": f"{unit} after which time no longer counts",
                },
                percent="share",
            ),
        ),
    )


def _distribution(view: View) -> Picture:
    layout, unit = view.layout, view.study.schema.time_unit
    frame = analysis.counts(view.study, "rounds", cell=layout.drawn, level=view.level)
    return Picture(
        name="distribution",
        figure=distributions(layout.dress(frame), x="count", row="setting", axis=unit),
        caption=f"How many {unit} games last, as shares of games; games stopped at a cap count where they stopped. "
        f"Look at the width, not only at the middle. {layout.drawn_told}".strip(),
        alternative=f"Distributions of the length of games in {unit}, a line for each setting, with medians; the table "
        "below has medians and quantiles.",
    )


def _ends(view: View) -> list[Picture]:
    layout, study = view.layout, view.study
    frame = analysis.incidence(study, cell=layout.drawn, level=view.level)
    frame = frame.filter(pl.col("value").is_not_null())
    names = {e.name: e.name.replace("_", " ") for e in study.schema.ends}
    pictures = []
    for end in [e for e in study.schema.ends if e.kind != "censored"]:
        part = frame.filter(pl.col("end") == end.name)
        if frames.top(part) <= 0:
            continue
        pictures.append(
            Picture(
                name=f"incidence-{end.name}".replace("_", "-"),
                figure=draw_incidence(
                    _until_flat(layout.dress(part)),
                    line=layout.line,
                    panel=layout.panel,
                    clock=view.unit,
                    axis=names[end.name],
                ),
                caption=f"Share of games ended with {names[end.name]} by each {view.unit}. Other ends compete: a "
                f"game that ended otherwise stays below. {layout.drawn_told}".strip(),
                alternative=f"Rising curves: share of games ended with {names[end.name]} by each {view.unit}, a "
                "line for each setting; the last value is the share in the table of endings.",
            )
        )
    return pictures


def _until_flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Cut off the rounds in which hardly anything happens any more in any setting."""
    top = frame.group_by("cell").agg(last=pl.col("value").max())
    moving = frames.top(frame.join(top, on="cell").filter(pl.col("value") < 0.995 * pl.col("last")), "round")
    return frame.filter(pl.col("round") <= moving + 2)
