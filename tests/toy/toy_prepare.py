"""Stand-in for the engine's prepare."""

from dataclasses import dataclass
from typing import Any
import numpy as np
from pompeii_sim.engine.seating import SEATINGS, arrangements


@dataclass(frozen=True)
class Prepared:
    game: Any
    kernel: Any
    tables: Any
    players: tuple
    weights: Any
    arrangements: Any
    seating: int
    series_capacity_per_game: int


def prepare(game, cell, seating):
    specs = game.players()
    chosen = [specs[s.player] for s in cell.seats]
    weights = np.zeros((game.max_seats, max(1, *(len(s.weights) for s in specs.values()))))
    for i, (spec, seat) in enumerate(zip(chosen, cell.seats)):
        for j, (name, value) in enumerate(spec.weights.items()):
            weights[i, j] = seat.weights.get(name, value)
    players = [s.function for s in chosen]
    players += [players[0]] * (game.max_seats - len(players))
    return Prepared(
        game,
        game.kernel(),
        game.tables(cell.rules, cell.data, cell.seats),
        tuple(players),
        weights,
        arrangements(cell.kinds, seating, game.max_seats),
        SEATINGS.index(seating),
        game.series_rows(cell.rules),
    )
