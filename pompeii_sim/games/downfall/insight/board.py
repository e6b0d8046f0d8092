"""Section: the board as a map: where people die, where they get out, where lava comes."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from pompeii_sim.analysis import Study
from pompeii_sim.analysis.content import content
from pompeii_sim.figures.board import board_map
from pompeii_sim.figures.layout import Layout, base_cell
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.downfall.data_files import DownfallData
from pompeii_sim.games.downfall.data_models import Square
from pompeii_sim.games.downfall.insight.buildings import homes, survival_by_home
from pompeii_sim.games.downfall.insight.names import FULL, data_of

ASK = "Where on the board do people die, and from where do they get out?"


def squares(study: Study, cell: int) -> pl.DataFrame:
    """Return what happens on each square; needs full records.

    Returns
    -------
    pl.DataFrame
        Keys ``square``, ``row``, ``column``, ``what`` (what stands there) and ``metric``: ``deaths`` and ``settled``
        (people in a game), ``lava`` (share of games in which it is covered at the end), ``escapes`` (people who leave
        through the square's gate in a game); the Estimate.
    """
    data = data_of(study)
    count = data.rows * data.columns
    numbers = [str(number) for number in range(count)]
    made = content(
        study,
        means={"deaths": "square_lost", "settled": "square_placed"},
        shares={"lava": "square_lava"},
        labels=numbers,
        cell=cell,
    )
    gates = {str(number): gate.square for number, gate in enumerate(data.gates)}
    out = content(study, means={"escapes": "gate_saved"}, labels=list(gates), cell=cell)
    there = {str(data.index(square.id)): square for square in data.squares}
    by_id = {square.id: square for square in data.squares}
    inside = _placed(data, made.filter(pl.col("item").is_in(list(there))), lambda item: there[item])
    return pl.concat([inside, _placed(data, out, lambda item: by_id[gates[item]])])


def _placed(data: DownfallData, frame: pl.DataFrame, find: Callable[[str], Square]) -> pl.DataFrame:
    found = [find(item) for item in frame["item"]]
    keys = pl.DataFrame(
        {
            "cell": frame["cell"],
            "square": [square.id for square in found],
            "row": [square.place[0] for square in found],
            "column": [square.place[1] for square in found],
            "what": [standing(data, square) for square in found],
            "metric": frame["metric"],
        }
    )
    values = ("value", "low", "high", "n", "level", "method", "valid", "expected", "note")
    return pl.concat([keys, frame.select(values)], how="horizontal")


def standing(data: DownfallData, square: Square) -> str:
    """Return in a word what stands on a square: a building's part, a house, a vent's symbol, a gate, or nothing."""
    vents = {symbol.vent: symbol.id for symbol in data.symbols}
    gates = {gate.square for gate in data.gates}
    what = square.part or ("house" if square.spaces else vents.get(square.id, ""))
    return f"{what} gate".strip() if square.id in gates else what


def from_homes(study: Study, cell: int) -> pl.DataFrame:
    """Return for each square of a building the share saved of the people who came to that building."""
    data = data_of(study)
    homes_ = homes(data)
    by_number = {number: name for name, items in homes_.items() if len(items) == 1 for number in items}
    table = {row["building"]: row for row in survival_by_home(study).filter(pl.col("cell") == cell).to_dicts()}
    rows = []
    for square in data.squares:
        name = by_number.get(square.building or 0, "neutral houses" if square.spaces else "")
        found = table.get(name, {})
        rows.append(
            {"row": square.place[0], "column": square.place[1], "what": standing(data, square)}
            | {key: found.get(key) for key in ("value", "low", "high", "n")}
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def board(study: Study) -> Section:
    """Return the section of maps."""
    layout = Layout(study)
    if not study.has("square_lost", "square_placed", "square_lava", "home_saved"):
        return Section(name="board", title="The board", question=ASK, sentences=(FULL,))
    cell = base_cell(layout)
    frame = squares(study, cell)
    where = f"Setting: {layout.told(cell)}." if len(study.cells) > 1 else ""

    def metric(name: str) -> pl.DataFrame:
        return frame.filter(pl.col("metric") == name)

    out = metric("escapes")
    rest = metric("deaths").join(out.select("square"), on="square", how="anti")
    doors = pl.concat([out, rest.with_columns(value=pl.lit(None, pl.Float64))])
    return Section(
        name="board",
        title="The board",
        question=ASK,
        pictures=(
            _picture(metric("deaths"), "deaths", "people who die on the square in a game",
                     "Casualties of all causes on each square in a game: omens, lava, enclosure, and those left "
                     f"behind. {where}"),
            _picture(doors, "escapes", "people who get out here in a game",
                     f"People who leave through the gate of the square in a game. {where}"),
            _picture(from_homes(study, cell), "saved-from", "saved of those who came to the building",
                     "Of the people who came to a building, the share saved, on all its squares; neutral houses are "
                     f"one. {where}", percent=True),
            _picture(metric("lava"), "lava", "games in which lava covers the square",
                     f"Share of games in which the square is under lava, or buried, at the end. {where}", percent=True),
        ),
        tables=(
            Table(
                name="squares",
                title="Squares",
                frame=frame.drop("cell"),
                columns={
                    "square": "row and column from the north-west",
                    "what": "building and part, house, vent or gate",
                    "metric": "deaths, settled, escapes: people in a game; lava: share of games",
                },
            ),
        ),
    )  # fmt: skip


def _picture(frame: pl.DataFrame, name: str, axis: str, caption: str, *, percent: bool = False) -> Picture:
    return Picture(
        name=name,
        figure=board_map(frame, name="what", percent=percent, axis=axis),
        caption=caption.strip(),
        alternative=f"Map of the board with a number on each square: {axis}; the numbers are in the tables.",
    )
