"""Section: which building numbers pay: who settles where, and who of them gets out."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, ratio
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import use
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.codes import MAX_BUILDINGS, NEUTRAL_0
from pompeii_sim.games.downfall.data_files import DownfallData
from pompeii_sim.games.downfall.insight.names import FULL, data_of, left_out, shown
from pompeii_sim.report.words import told

ASK = "Which building numbers pay?"


def homes(data: DownfallData) -> dict[str, list[int]]:
    """Return the buildings by name, with their elements in the columns; all neutral houses are one."""
    made = {f"{b.number} {b.colour}": [b.number] for b in data.buildings}
    return {**made, "neutral houses": list(range(NEUTRAL_0, MAX_BUILDINGS))}


def survival_by_home(study: Study, *, level: float = 0.95) -> pl.DataFrame:
    """Return the share of the people who came to each building that was saved; needs full records.

    Returns
    -------
    pl.DataFrame
        Key ``building``; the Estimate; ``top`` (people saved) and ``bottom`` (people who came there).
    """
    made = [
        ratio(
            study, [f"home_saved_{i}" for i in items], [f"home_placed_{i}" for i in items], share=True, level=level
        ).with_columns(building=pl.lit(name))
        for name, items in homes(data_of(study)).items()
    ]
    table = pl.concat(made).drop("column", "by")
    keys = ["cell", *study.swept, "building"]
    return table.select(*keys, *(c for c in table.columns if c not in keys)).sort("cell", maintain_order=True)


def buildings(study: Study) -> Section:
    """Return the section on buildings."""
    layout = Layout(study)
    if not study.has("home_placed", "home_saved"):
        return Section(name="buildings", title="Buildings", question=ASK, sentences=(FULL,))
    frame = survival_by_home(study)
    cells = shown(layout)
    known = frame.filter((pl.col("cell") == cells[0]) & pl.col("value").is_not_null()).sort("value", descending=True)
    where = f" ({layout.told(cells[0])})" if len(study.cells) > 1 else ""
    named = [f"{r['building']} {told(frames.estimate(r), percent=True)}" for r in known.iter_rows(named=True)]
    sentences = ["Nobody settled."] if not named else [
        f"Of the people who came to a building, most are saved{where} from: {'; '.join(named[:3])}.",
        f"Fewest are saved{where} from: {'; '.join(named[::-1][:3])}.",
    ]  # fmt: skip
    return Section(
        name="buildings",
        title="Buildings",
        question=ASK,
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="buildings",
                figure=use(
                    layout.dress(frame.filter(pl.col("cell").is_in(cells))),
                    label="building",
                    group="setting" if len(cells) > 1 else "",
                    percent=True,
                    axis="saved of those who came there",
                ),
                caption=f"Of the people who came to a building, the share that was saved. {left_out(layout)}".strip(),
                alternative="Points with intervals: share saved of the people who came to each building; the numbers "
                "are in the table.",
            ),
        ),
        tables=(
            Table(
                name="buildings",
                title="People saved by the building they came to",
                frame=layout.table(frame),
                columns={
                    "building": "number and colour",
                    "value": "people saved ÷ people who came there",
                    "top": "people saved, all games",
                    "bottom": "people who came there, all games",
                },
                percent=True,
            ),
        ),
    )
