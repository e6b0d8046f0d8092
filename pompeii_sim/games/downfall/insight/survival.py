"""Section: how long people survive once the mountain has erupted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis import Study
from pompeii_sim.analysis.ratio import ratio_estimate
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.figures.curves import incidence
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.insight.names import FULL, shown, told_cells
from pompeii_sim.measure.tally import Tally, dot
from pompeii_sim.report.words import spread

ASK = "How long does a piece survive once the lava flows?"


def survival_by_turn(study: Study, *, cell: list[int] | None = None, level: float = 0.95) -> pl.DataFrame:
    """Return what has become of the people settled by the end of each lava turn; needs full records.

    Returns
    -------
    pl.DataFrame
        Keys ``turn`` (lava turn; 0 is before the first one, when omens have taken some) and ``state`` (``saved``,
        ``lost``, ``on the board``); the Estimate of the share of all people settled. The three shares of a turn add up
        to 1.
    """

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            for state, tallies in _tallies(study, index).items():
                for turn, tally in enumerate(tallies):
                    yield Line(
                        index, {"turn": turn, "state": state}, ratio_estimate(tally, study.by_deal, level, share=True)
                    )

    return tidy(study, lines(), {"turn": pl.Int64, "state": pl.String})


def _tallies(study: Study, cell: int) -> dict[str, list[Tally]]:
    """Return the sums over units of the people in each state after each turn, and of the people settled."""
    saved, lost = study.in_use(cell, "turn_saved"), study.in_use(cell, "turn_lost")
    placed = study.in_use(cell, "placed")
    totals: dict[str, list[Tally]] = {}
    for rows in study.batches(cell, ["deal", "error", *saved, *lost, *placed]):
        fine = rows.filter(pl.col("error") == 0)
        if fine.height == 0:
            continue
        settled = fine.select(placed).to_numpy().astype(np.int64).sum(axis=1)
        gone = {name: fine.select(part).to_numpy().astype(np.int64).cumsum(axis=1)
                for name, part in (("saved", saved), ("lost", lost))}  # fmt: skip
        gone["on the board"] = settled[:, np.newaxis] - gone["saved"] - gone["lost"]
        if study.by_deal:
            deal = fine["deal"].to_numpy()
            starts = np.flatnonzero(np.diff(deal, prepend=deal[0] - 1))
            settled = np.add.reduceat(settled, starts)
            gone = {name: np.add.reduceat(part, starts, axis=0) for name, part in gone.items()}
        for name, part in gone.items():
            made = [_tally(part[:, turn], settled) for turn in range(part.shape[1])]
            before = totals.get(name)
            totals[name] = made if before is None else [a + b for a, b in zip(before, made, strict=True)]
    return {name: part[: _last(totals) + 1] for name, part in totals.items()}


def _tally(y: NDArray[np.int64], x: NDArray[np.int64]) -> Tally:
    y, x = np.ascontiguousarray(y), np.ascontiguousarray(x)
    return Tally(
        units=int(np.count_nonzero(x)), y=int(y.sum()), x=int(x.sum()), yy=dot(y, y), xy=dot(x, y), xx=dot(x, x)
    )


def _last(totals: dict[str, list[Tally]]) -> int:
    """Return the first turn after which nobody is on the board in any game."""
    left = [tally.y for tally in totals["on the board"]]
    return next((turn for turn, people in enumerate(left) if people == 0), len(left) - 1)


def survival(study: Study) -> Section:
    """Return the section on survival."""
    layout = Layout(study)
    if not study.has("turn_saved", "turn_lost"):
        return Section(name="survival", title="Survival", question=ASK, sentences=(FULL,))
    frame = survival_by_turn(study, cell=shown(layout))
    sentences = []
    for turn in (6, 12, 18):
        rows = frame.filter((pl.col("turn") == turn) & (pl.col("state") == "on the board"))
        if not rows.is_empty():
            sentences.append(
                spread(
                    f"The share of all people settled that is still on the board after lava turn {turn}",
                    told_cells(layout, rows),
                    percent=True,
                )
            )
    return Section(
        name="survival",
        title="Survival",
        question=ASK,
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="survival",
                figure=incidence(
                    layout.dress(frame),
                    line="state",
                    x="turn",
                    panel="setting" if len(shown(layout)) > 1 else "",
                    axis="share of people settled",
                    clock="lava turn",
                ),
                caption="Of all people settled, the shares that have been saved or lost by the end of each lava turn, "
                "and that are still on the board. Turn 0 is before the first tile: omens have taken some.",
                alternative="Three lines by lava turn: saved and lost rise, on the board falls to nothing; the numbers "
                "are in the table.",
            ),
        ),
        tables=(
            Table(
                name="survival",
                title="State of the people by lava turn",
                frame=layout.table(frame),
                columns={"turn": "lava turn, 0 before the first", "value": "share of all people settled"},
                percent=True,
            ),
        ),
    )
