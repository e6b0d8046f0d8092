"""``players``: who can be given a seat."""

from __future__ import annotations

from pompeii_sim.cli.options import FormatOption, GameOption
from pompeii_sim.cli.output import Format, emit


def players(game: GameOption = None, form: FormatOption = Format.table) -> None:
    """List the built-in players: how each plays, where the idea comes from, its weights."""
    import pompeii_sim

    emit(
        [
            {"player": p.name, "strategy": p.strategy, "source": p.source, "weights": dict(p.weights)}
            for p in pompeii_sim.players(game).values()
        ],
        form,
    )
