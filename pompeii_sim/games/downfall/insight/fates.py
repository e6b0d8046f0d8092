"""Section: what becomes of the people: saved, or lost to an omen, to lava, enclosed, or left behind."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, ratio
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import grouped_bars
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.insight.names import left_out, shown, told_cells
from pompeii_sim.report.words import spread

FATES = {
    "saved": "saved",
    "lost_omen": "lost to an omen",
    "lost_lava": "lost under lava",
    "lost_enclosed": "lost enclosed",
    "lost_left": "left behind",
}
"""What can become of somebody who settled, by the column that counts it; together they are everybody."""


def fates_by_player(study: Study, *, level: float = 0.95) -> pl.DataFrame:
    """Return what share of the people settled by each kind of player met each fate.

    Returns
    -------
    pl.DataFrame
        Keys ``fate`` and ``player``; the Estimate; ``top`` (people of that fate) and ``bottom`` (people settled). The
        shares of a cell and player add up to 1.
    """
    frames_ = [
        ratio(study, column, "placed", by="player", share=True, level=level).with_columns(fate=pl.lit(name))
        for column, name in FATES.items()
    ]
    table = pl.concat(frames_).rename({"by": "player"}).drop("column")
    keys = ["cell", *study.swept, "fate", "player"]
    return table.select(*keys, *(c for c in table.columns if c not in keys)).sort("cell", maintain_order=True)


def fates(study: Study) -> Section:
    """Return the section on fates."""
    layout = Layout(study)
    frame = fates_by_player(study)
    everybody = pl.concat(
        [ratio(study, c, "placed", share=True).with_columns(fate=pl.lit(n)) for c, n in FATES.items()]
    )
    sentences = [
        spread(
            f"The share of all people settled that is {name}",
            told_cells(layout, everybody.filter(pl.col("fate") == name)),
            percent=True,
        )
        for name in FATES.values()
    ]
    cells = shown(layout)
    kinds = frames.labels(frame, "player")
    if len(kinds) > 1:
        drawn = frame.filter(pl.col("cell") == cells[0])
        group, told = "player", f"Setting: {layout.told(cells[0])}." if len(study.cells) > 1 else ""
    else:
        drawn, group, told = frame.filter(pl.col("cell").is_in(cells)), "setting", left_out(layout)
    return Section(
        name="fates",
        title="Who is saved, who is lost, and how",
        question="What becomes of the people who settle?",
        sentences=tuple(sentences),
        headline=(sentences[0],),
        pictures=(
            Picture(
                name="fates",
                figure=grouped_bars(layout.dress(drawn), group=group, label="fate", axis="share of people settled"),
                caption="What became of the people settled, by who settled them or by setting; the bars of a group "
                f"add up to everybody. {told}".strip(),
                alternative="Bars with intervals: shares of people saved, lost to omens, under lava, enclosed and "
                "left behind; the numbers are in the table.",
            ),
        ),
        tables=(
            Table(
                name="fates",
                title="Fates by player",
                frame=layout.table(frame),
                columns={
                    "fate": "what became of them",
                    "value": "people of that fate ÷ people settled by that kind of player",
                    "top": "people of that fate, all games",
                    "bottom": "people settled, all games",
                },
                percent=True,
            ),
        ),
    )
