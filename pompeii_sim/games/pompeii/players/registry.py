"""All scripted players by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from pompeii_sim.engine.contract import PlayerSpec
from pompeii_sim.games.pompeii.players import uniform, weights
from pompeii_sim.games.pompeii.players.scripted import play_by_plan

_ABOUT: dict[str, tuple[str, str]] = {
    "greedy": (
        "the best immediate gain in value and progress: prizes goods for their value, makes nearly all it needs itself",
        "baseline of the field; prefers what the rulebook's tips prefer: specialists and workers",
    ),
    "planner": (
        "least work left to victory, worked out from goods, tiles and cards",
        "the rulebook's tips on stacks of dear goods, workers and specialists; effort in worker actions",
    ),
    "specialist": (
        "plans like the planner, trains specialists before anything else",
        "rulebook, Tips & Hints: specialists are more important than owning buildings",
    ),
    "industrialist": (
        "plans like the planner, builds for the owner bonuses, also what it does not need itself",
        "rulebook, Action 3: owners gain a good whenever others use their building",
    ),
    "trader": (
        "plans like the planner, builds little, keeps a stack of dear goods and turns it into others at the Porta",
        "rulebook, Tips & Hints: stacks of value IV and V can be traded for goods of other chains",
    ),
    "recruiter": (
        "plans like the planner, wants wine and new workers to the end",
        "rulebook, Tips & Hints: new workers bring in more than they cost",
    ),
    "minimalist": (
        "plans like the planner, never takes a fourth worker",
        "rulebook, Tips & Hints: winning with three workers is possible",
    ),
    "saboteur": (
        "plans like the planner, plays every card that harms the others",
        "rulebook, City Cards: injured workers, lost workers, covered spaces, stolen goods",
    ),
}


@cache
def players() -> dict[str, PlayerSpec]:
    """Return all players; compiled (or read from the cache) when this is first called."""
    specs = [
        PlayerSpec(
            name="random",
            strategy="a uniform kind of action, then a uniform action of that kind",
            source="baseline of the field",
            function=uniform.play_random,
        )
    ]
    for name, row in weights.PERSONAS.items():
        strategy, source = _ABOUT[name]
        specs.append(PlayerSpec(name=name, strategy=strategy, source=source, function=play_by_plan, weights=row))
    specs.append(
        PlayerSpec(
            name="rollouts",
            strategy="plays each promising worker action out in imagined games and takes the one that wins most",
            source="flat Monte Carlo search on common luck; a yardstick of strength, far too slow for mass runs",
            load=_rollouts,
            weights=weights.ROLLOUTS,
        )
    )
    return {spec.name: spec for spec in specs}


def _rollouts() -> Any:
    """Return the searching player; compiling it takes long, so it waits until somebody asks for it."""
    from pompeii_sim.games.pompeii.players.rollouts import play_rollouts

    return play_rollouts
