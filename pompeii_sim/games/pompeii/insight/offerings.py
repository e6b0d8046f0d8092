"""Section: what offerings ask for, who pays, and who could have."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, estimate
from pompeii_sim.analysis.ratio import ratio
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import grouped_bars
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.pompeii.insight.told import cells_of
from pompeii_sim.report.words import spread, told

BY_STANCE = {
    "paid of its marker": ("paid", "marker", False),
    "pledged of its marker": ("pledged", "marker", False),
    "refused when it could pay": ("refused", "could_pay", True),
    "pivotal of its refusals": ("pivotal", "refused", True),
}
"""Ratios by stance: column over column, both one a seat, and whether the first is a part of the second."""

MEANS = {"markers": "marker", "paid": "paid", "cards for over-offering": "over_cards"}
"""Means of a seat by stance."""


def offerings(study: Study) -> Section:
    """Return the section on offerings."""
    layout = Layout(study)
    success = ratio(study, "offerings_paid", "offerings", share=True)
    held = estimate(study, ["offerings", "offerings_paid", "due", "paid", "raises"])
    shares = pl.concat(
        [
            ratio(study, top, bottom, by="stance", share=share).with_columns(what=pl.lit(name))
            for name, (top, bottom, share) in BY_STANCE.items()
        ]
    )
    means = pl.concat([ratio(study, c, by="stance").with_columns(what=pl.lit(n)) for n, c in MEANS.items()])
    first = spread("The share of offerings that succeed", cells_of(layout, success), percent=True)
    sentences = [
        first,
        spread(
            "The mean number of offerings in a game",
            cells_of(layout, held.filter(pl.col("metric") == "offerings")),
        ),
        spread("The mean value asked for in a game", cells_of(layout, held.filter(pl.col("metric") == "due"))),
        spread("The mean value paid in a game", cells_of(layout, held.filter(pl.col("metric") == "paid"))),
        *_by_stance(study, layout, shares),
    ]
    return Section(
        name="offerings",
        title="Offerings",
        question="How much is asked, how much is paid, who carries whom, and which refusals decided an offering?",
        sentences=tuple(sentences),
        headline=(first,),
        pictures=tuple(_pictures(layout, shares, means)),
        tables=(
            Table(
                name="held",
                title="Offerings by setting",
                frame=layout.table(held.drop("by")),
                columns={
                    "metric": "mean of a game: offerings held and paid; due: sum of the totals required; paid: value "
                    "of goods paid, all seats; raises: raises of all markers after three successes"
                },
            ),
            Table(
                name="by-stance",
                title="Payments by stance",
                frame=layout.table(_tidied(shares)),
                columns={
                    "what": "paid and pledged, over the seat's own marker; refusals, over offerings the seat could "
                    "have paid; pivotal refusals (the missing share would have saved the offering), over refusals",
                    "stance": "of the seats that are counted",
                    "top": "sum above the line",
                    "bottom": "sum below the line",
                },
                percent=True,
            ),
            Table(
                name="means-by-stance",
                title="Amounts by stance",
                frame=layout.table(_tidied(means)),
                columns={
                    "what": "mean of a seat and game: sum of its markers, value paid, cards drawn for over-offering",
                    "top": "sum over games and seats",
                    "bottom": "games times seats",
                },
            ),
        ),
    )


def _tidied(frame: pl.DataFrame) -> pl.DataFrame:
    """Put what is told in front and give the label its name."""
    rest = [c for c in frame.columns if c not in ("column", "by", "what", "cell")]
    at = rest.index("value")
    return frame.rename({"by": "stance"}).select("cell", *rest[:at], "what", "stance", *rest[at:])


def _by_stance(study: Study, layout: Layout, shares: pl.DataFrame) -> list[str]:
    """Say how much of its own marker each stance pays, over all settings."""
    out = []
    for what in BY_STANCE:
        part = shares.filter((pl.col("what") == what) & pl.col("value").is_not_null())
        for stance in frames.labels(part, "by"):
            rows = part.filter(pl.col("by") == stance)
            if rows.height == 0 or frames.top(rows) == 0 or what == "pledged of its marker":
                continue
            name = {
                "paid of its marker": f"Of what its marker asks, a {stance} seat pays",
                "refused when it could pay": f"Of the offerings it could pay, a {stance} seat refuses",
                "pivotal of its refusals": f"Of its refusals, those of a {stance} seat decided the offering in",
            }[what]
            cells = cells_of(layout, rows)
            if len(cells) == 1:
                out.append(f"{name} {told(cells[0][1], percent=True)}.")
            else:
                low, high = _ends(rows)
                out.append(f"{name} {low}." if low == high else f"{name} {low} to {high}, by setting.")
    return out


def _ends(rows: pl.DataFrame) -> tuple[str, str]:
    found = sorted((frames.estimate(r) for r in rows.iter_rows(named=True)), key=lambda e: e.value or 0.0)
    return told(found[0], percent=True), told(found[-1], percent=True)


def _pictures(layout: Layout, shares: pl.DataFrame, means: pl.DataFrame) -> list[Picture]:
    cells = _few(layout)
    paid = layout.dress(means.filter(pl.col("cell").is_in(cells) & pl.col("what").is_in(["markers", "paid"])))
    paid = paid.with_columns(label=pl.col("by") + pl.lit(": ") + pl.col("what").replace("markers", "asked"))
    refused = layout.dress(shares.filter(pl.col("cell").is_in(cells) & (pl.col("what") == "refused when it could pay")))
    made = [
        Picture(
            name="asked-and-paid",
            figure=grouped_bars(
                paid.sort("by", "what", maintain_order=True),
                group="setting",
                label="label",
                percent=False,
                axis="value in a game and seat",
            ),
            caption="What the markers of a seat ask for over a game, and what it pays, by stance. Who pays more than "
            "it is asked carries the others; failed offerings ask and take nothing.",
            alternative="Bars with intervals: value asked from and paid by a seat in each setting, by stance; the "
            "numbers are in the table of amounts.",
        )
    ]
    if refused["value"].is_not_null().any() and frames.top(refused) > 0:
        made.append(
            Picture(
                name="refused",
                figure=grouped_bars(
                    refused.filter(pl.col("value").is_not_null()),
                    group="setting",
                    label="by",
                    axis="refused when it could pay",
                ),
                caption="Of the offerings in which a seat held goods worth its marker, the share in which it pledged "
                "less.",
                alternative="Bars with intervals: share of refusals by stance in each setting; the numbers are in the "
                "table of payments.",
            )
        )
    return made


def _few(layout: Layout, most: int = 6) -> list[int]:
    """Return at most so many cells for bars: along the first setting, all others as in cell 0."""
    if layout.line == "setting":
        return layout.drawn[:most]
    others = [k for k in layout.keys if k != layout.line]
    same = [c for c in layout.drawn if all(layout.value(c, k) == layout.value(0, k) for k in others)]
    return same[:most]
