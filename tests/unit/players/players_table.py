"""Plays many games of a seat list and returns their rows: what the players' tests look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pompeii_sim.engine.records import allocate, from_array, to_array
from pompeii_sim.engine.seating import SEATINGS, arrangements
from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.game import GAME
from pompeii_sim.games.pompeii.row_types import ROW, SERIES
from pompeii_sim.games.pompeii.rules import MAX_SEATS, Rules, Seat
from pompeii_sim.games.pompeii.tables import build_tables

DATA = load_data(None)


def play(seats: Sequence[Seat], games: int, seed: int = 11, every: int = 0, **rules: Any) -> tuple[Any, Any]:
    """Return the rows of `games` games and the series rows of every `every`-th."""
    specs = GAME.players()
    width = max(len(spec.weights) for spec in specs.values())
    weights = np.zeros((MAX_SEATS, width))
    functions = []
    for i, seat in enumerate(seats):
        functions.append(specs[seat.player].compiled())
        row = [seat.weights.get(name, value) for name, value in specs[seat.player].weights.items()]
        weights[i, : len(row)] = row
    functions += [functions[0]] * (MAX_SEATS - len(functions))
    settings = Rules(**{"difficulty": "B", **rules})
    tables = from_array(build_tables(settings, DATA, seats))
    kinds = [seat.model_dump_json() for seat in seats]
    rows, state = allocate(ROW, games), allocate(GAME.dtypes.state)
    series = allocate(SERIES, games * 40 * MAX_SEATS if every else 1)
    written = GAME.kernel().play_range(
        state, tables, tuple(functions), weights, arrangements(kinds, "rotate", MAX_SEATS), SEATINGS.index("rotate"),
        seed, 0, games, rows, series, every,
    )  # fmt: skip
    return to_array(rows, ROW), to_array(series, SERIES)[:written]


def share_of_first(rows: Any) -> float:
    """Return the share of decided games that the first listed seat won."""
    won = rows[rows["ended_by"] == 0]
    winner = np.log2(won["winners"]).astype(int)
    return float((won["seat_spec"][np.arange(len(won)), winner] == 0).mean())
