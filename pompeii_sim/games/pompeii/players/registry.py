"""All scripted players by name."""

from __future__ import annotations

from functools import cache

from pompeii_sim.engine.contract import PlayerSpec
from pompeii_sim.games.pompeii.players import uniform, weights
from pompeii_sim.games.pompeii.players.scripted import play_by_plan


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
            strategy="the best immediate gain: makes all it needs itself, trades only what it has too much of",
            source="baseline of the field; prefers what the rulebook's tips prefer: specialists and workers",
            function=play_by_plan,
            weights=weights.GREEDY,
        ),
        PlayerSpec(
            name="planner",
            strategy="least work left to victory, worked out anew from goods, tiles and cards at every decision",
            source="the rulebook's tips on stacks of dear goods, workers and specialists; effort in worker actions",
            function=play_by_plan,
            weights=weights.PLANNER,
        ),
    )
    return {spec.name: spec for spec in specs}
