"""Section: when and how often Vesuvius erupts, and what that costs."""

from __future__ import annotations

import polars as pl

from pompeii_sim import analysis
from pompeii_sim.analysis import Study
from pompeii_sim.analysis.events import gaps
from pompeii_sim.analysis.outcomes import measured
from pompeii_sim.figures import frames
from pompeii_sim.figures.curves import hazard as draw_hazard
from pompeii_sim.figures.curves import incidence as draw_incidence
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.lengths import distributions
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.pompeii.insight.names import data_of, volcano
from pompeii_sim.games.pompeii.insight.told import cells_of
from pompeii_sim.report.words import spread
from pompeii_sim.store.schema import Metric

CLOCK = "awakening_rounds"
FIRST = "first_eruption"
LEAST_AT_RISK = 20
"""Rounds that fewer games reached are not drawn: their intervals would fill the figure."""

NUMBERS = ("any_eruption_rate", "eruptions_mean", "eruption_loss_mean", "awakening_rounds_mean")


def vesuvius(study: Study) -> Section:
    """Return the section on eruptions."""
    layout = Layout(study)
    numbers = analysis.estimate(study, list(NUMBERS))
    spreads = analysis.dispersion(study, "eruptions").filter(pl.col("metric") == "dispersion")

    def of(metric: str) -> pl.DataFrame:
        return numbers.filter(pl.col("metric") == metric)

    any_eruption = spread(
        "The share of games with an eruption (the Apocalypse counts)", cells_of(layout, of(NUMBERS[0])), percent=True
    )
    sentences = [
        any_eruption,
        spread("The mean number of eruptions", cells_of(layout, of(NUMBERS[1]))),
        spread("The value of goods destroyed in a game, all seats together", cells_of(layout, of(NUMBERS[2]))),
        spread("The mean number of Awakening rounds of a game", cells_of(layout, of(NUMBERS[3]))),
        _clusters(spreads),
        *_order(study, layout),
        *_gaps(study, layout),
    ]
    tables = [
        Table(
            name="eruptions",
            title="Eruptions by setting",
            frame=layout.table(pl.concat([numbers.drop("by"), spreads.drop("column")])).with_columns(
                percent=pl.col("metric").str.ends_with("_rate")
            ),
            percent="percent",
            columns={
                "metric": "what is measured; dispersion: variance over mean, 1 for events that come by pure chance"
            },
        )
    ]
    seen = _cards(study, layout)
    if seen is None:
        sentences.append("Which volcano cards hurt is known from runs with --records full only.")
    else:
        tables.append(seen)
    return Section(
        name="vesuvius",
        title="Vesuvius",
        question="How often does the volcano erupt, when for the first time, and what does it cost?",
        sentences=tuple(sentences),
        headline=(any_eruption,),
        pictures=(*_curves(study, layout), _counts(study, layout)),
        tables=tuple(tables),
    )


def _clusters(spreads: pl.DataFrame) -> str:
    every = [frames.estimate(r) for r in spreads.iter_rows(named=True)]
    found = [e for e in every if e.low is not None]
    if not found:
        return (
            "Whether eruptions are spread more unevenly over games than events that come by pure chance cannot be "
            f"told: it takes {analysis.LEAST_SPREAD} games of a setting with an eruption in some."
        )
    more = sum(e.low is not None and e.low > 1 for e in found)
    left = "" if len(found) == len(every) else f"; {len(every) - len(found)} have too few games or no eruption"
    less = sum(e.high is not None and e.high < 1 for e in found)
    return (
        f"Against events that come by pure chance, eruptions are spread more unevenly over games in {more} of "
        f"{len(found)} settings and more evenly in {less}{left}."
    )


def _gaps(study: Study, layout: Layout) -> list[str]:
    """Say how many rounds lie between eruptions; none where no series was kept."""
    erupted = (pl.col("due").max() > 0) & (pl.col("paid").sum() == 0)
    frame = gaps(study, erupted, name="eruption").filter(pl.col("metric") == "mean")
    if frame["value"].is_null().all():
        return []
    return [spread("The mean number of rounds between an eruption and the next", cells_of(layout, frame))]


def _order(study: Study, layout: Layout) -> list[str]:
    """Say when the first eruption comes."""
    since = analysis.incidence(study, since=CLOCK, event=FIRST, name="first eruption")
    rows = since.filter((pl.col("end") == "first eruption") & (pl.col("round") == 3))
    if rows.is_empty():
        return []
    return [
        spread(
            "The share of games that see their first eruption within three Awakening rounds",
            cells_of(layout, rows),
            percent=True,
        )
    ]


def _curves(study: Study, layout: Layout) -> list[Picture]:
    risk = analysis.hazard(study, since=CLOCK, event=FIRST, name="first eruption", cell=layout.drawn)
    risk = risk.filter(
        (pl.col("end") == "first eruption") & pl.col("value").is_not_null() & (pl.col("at_risk") >= LEAST_AT_RISK)
    )
    by_round = analysis.incidence(study, since=CLOCK, cell=layout.drawn).filter(pl.col("value").is_not_null())
    lost = by_round.filter(pl.col("end") == "apocalypse")
    made = [
        Picture(
            name="risk",
            figure=draw_hazard(
                layout.dress(risk),
                line=layout.line,
                panel=layout.panel,
                axis="risk of the first eruption",
                clock="round of the Awakening",
            ),
            caption="Of the games that reached a round of the Awakening without an eruption, the share that see their "
            f"first one in it. A flat line is the same danger in every round. Rounds that fewer than {LEAST_AT_RISK} "
            f"such games reached are left out. {layout.drawn_told}".strip(),
            alternative="Step lines with bands: risk of the first eruption in each round of the Awakening, a line for "
            "each setting.",
        )
    ]
    if frames.top(lost) > 0:
        made.append(
            Picture(
                name="apocalypse",
                figure=draw_incidence(
                    layout.dress(lost),
                    line=layout.line,
                    panel=layout.panel,
                    axis="games lost to the Apocalypse",
                    clock="round of the Awakening",
                ),
                caption="Share of games lost to the Apocalypse by each round of the Awakening; games won before stay "
                f"below and count as won, not as unknown. {layout.drawn_told}".strip(),
                alternative="Rising curves: share of games lost to the Apocalypse by each round of the Awakening, a "
                "line for each setting.",
            )
        )
    return made


def _counts(study: Study, layout: Layout) -> Picture:
    frame = analysis.counts(study, "eruptions", cell=layout.drawn)
    return Picture(
        name="counts",
        figure=distributions(layout.dress(frame), x="count", row="setting", axis="eruptions of a game"),
        caption=f"How many eruptions a game sees, the Apocalypse included. {layout.drawn_told}".strip(),
        alternative="Distributions of the number of eruptions in a game, one line for each setting, with medians.",
    )


def _cards(study: Study, layout: Layout) -> Table | None:
    """Return what is lost in games in which a volcano card was turned, by level; None without full records."""
    if not study.has("volcano_seen"):
        return None
    data = data_of(study)
    rows = []
    for cell in layout.drawn:
        level = str(study.plan["cells"][cell]["rules"]["difficulty"])
        names = volcano(data, level)
        metrics = [
            Metric(
                name=name,
                title=name,
                kind="mean",
                column="lost_value",
                where=(f"volcano_seen_{i}", "==", 1),
                definition="",
            )
            for i, name in enumerate(names)
        ]
        made, _ = measured(study, cell, metrics)
        for name in names:
            e = made[name][""]
            rows.append(
                {
                    "cell": cell,
                    "setting": layout.labels[cell],
                    "card": name,
                    "value": e.value,
                    "low": e.low,
                    "high": e.high,
                }
                | {"n": e.n, "level": e.level, "method": e.method, "valid": e.valid, "note": e.note}
            )
    frame = pl.DataFrame(rows, infer_schema_length=None).sort("value", descending=True, nulls_last=True)
    return Table(
        name="volcano-cards",
        title="Which volcano cards go with losses",
        frame=frame,
        columns={
            "value": "value lost to all eruptions of the games in which the card was turned, all seats together",
            "card": "the card and the goods it takes; which goods is assumed in the data",
        },
    )
