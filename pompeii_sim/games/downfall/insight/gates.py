"""Section: through which gates people get out."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study, ratio
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import use
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.insight.names import data_of, left_out, shown
from pompeii_sim.report.words import told


def saved_by_gate(study: Study, *, level: float = 0.95) -> pl.DataFrame:
    """Return the share of all people saved that left through each gate.

    Returns
    -------
    pl.DataFrame
        Key ``gate`` (name); the Estimate; ``top`` (people) and ``bottom`` (people saved). The shares of a cell add up
        to 1.
    """
    made = [
        ratio(study, f"gate_saved_{number}", "saved", share=True, level=level).with_columns(gate=pl.lit(gate.name))
        for number, gate in enumerate(data_of(study).gates)
    ]
    table = pl.concat(made).drop("column", "by")
    keys = ["cell", *study.swept, "gate"]
    return table.select(*keys, *(c for c in table.columns if c not in keys)).sort("cell", maintain_order=True)


def gates(study: Study) -> Section:
    """Return the section on gates."""
    layout = Layout(study)
    frame = saved_by_gate(study)
    cells = shown(layout)
    drawn = layout.dress(frame.filter(pl.col("cell").is_in(cells)))
    first = frame.filter(pl.col("cell") == cells[0]).sort("value", descending=True, nulls_last=True)
    where = f" ({layout.told(cells[0])})" if len(study.cells) > 1 else ""
    sentences = [
        f"{word} used gate{where}: {row['gate']}, {told(frames.estimate(row), percent=True)} of the people saved."
        for word, row in (("Most", first.row(0, named=True)), ("Least", first.row(-1, named=True)))
    ]
    return Section(
        name="gates",
        title="Gates",
        question="Through which gates do people get out?",
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="gates",
                figure=use(
                    drawn,
                    label="gate",
                    group="setting" if len(cells) > 1 else "",
                    percent=True,
                    axis="share of people saved",
                ),
                caption=f"Of all people saved, the share that left through each gate. {left_out(layout)}".strip(),
                alternative="Points with intervals: share of the people saved through each gate; the numbers are in "
                "the table.",
            ),
        ),
        tables=(
            Table(
                name="gates",
                title="People saved by gate",
                frame=layout.table(frame),
                columns={
                    "value": "people saved through the gate ÷ people saved",
                    "top": "people through the gate, all games",
                    "bottom": "people saved, all games",
                },
                percent=True,
            ),
        ),
    )
