"""Section: who wins by how it behaves in offerings."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, win_share
from pompeii_sim.figures import frames
from pompeii_sim.figures.dots import win_shares
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.words import against_chance, chances

ADAPTIVE = {"conditional", "free-rider", "calculating"}
"""Stances that pay by what the others do or by how dangerous it is; the rest are fixed."""


def stances(study: Study) -> Section | None:
    """Return the section on win shares by stance, None where kinds of players tell as much."""
    if all(_no_more(study.labels(cell, "stance"), study.kinds[cell]) for cell in study.cells):
        return None
    layout = Layout(study)
    frame = win_share(study, by="stance")
    shares = frame.filter((pl.col("metric") == "win_share") & (pl.col("expected") < 1))
    sentences = []
    for stance in frames.labels(shares, "stance"):
        found = [frames.estimate(r) for r in frames.records(shares, stance=stance)]
        who = f"Stance {stance}"
        sentences.append(against_chance(who, found[0]) if len(found) == 1 else chances(who, found))
    adaptive = [s for s in frames.labels(shares, "stance") if s in ADAPTIVE]
    if adaptive:
        sentences.append(
            f"Adaptive stances ({', '.join(adaptive)}) pay more where it is more dangerous, so that a harder deck can "
            "look easier with them: compare fixed with fixed."
        )
    return Section(
        name="stances",
        title="Who wins, by stance in offerings",
        question="Does it pay to pay?",
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="stance-share",
                figure=win_shares(
                    layout.dress(shares.filter(pl.col("cell").is_in(layout.drawn))),
                    row="setting",
                    label="stance",
                    axis="wins ÷ decided games",
                ),
                caption="Wins of the seats of each stance over decided games; the bar is what equal chances would "
                f"give. {layout.drawn_told}".strip(),
                alternative="Dots with intervals: win share of each stance in each setting beside equal chances; the "
                "numbers are in the table below.",
            ),
        ),
        tables=(
            Table(
                name="stance-share",
                title="Wins by stance",
                frame=layout.table(frame),
                columns={
                    "metric": "win share: wins over decided games; win rate: wins over all games",
                    "wins": "games won; a win shared by k counts 1/k for each",
                    "games": "games it is counted over",
                    "at_table": "seats of that stance at the table",
                },
                percent=True,
            ),
        ),
    )


def _no_more(stance: tuple[str, ...], kinds: tuple[str, ...]) -> bool:
    """Return whether stances part the seats no further and no otherwise than kinds of players do."""
    together = len(set(zip(stance, kinds, strict=True)))
    return len(set(stance)) < 2 or (together == len(set(stance)) == len(set(kinds)))
