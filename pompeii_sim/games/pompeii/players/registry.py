"""All scripted players by name."""

from __future__ import annotations

from functools import cache

from pompeii_sim.engine.contract import PlayerSpec
from pompeii_sim.games.pompeii.players import greedy, uniform


@cache
def players() -> dict[str, PlayerSpec]:
    """Return all players; compiled (or read from the cache) when this is first called."""
    specs = (
        PlayerSpec(
            name="random",
            strategy="a uniform kind of action, then a uniform action of that kind",
            source="baseline of the field",
            function=uniform.play_random,
        ),
        PlayerSpec(
            name="greedy",
            strategy="the best immediate gain in value of needed goods and in steps towards the army and the Castrum",
            source="baseline of the field; prefers what the rulebook's tips prefer: specialists, workers, trade",
            function=greedy.play_greedy,
            weights=greedy.WEIGHTS,
        ),
    )
    return {spec.name: spec for spec in specs}
