"""All scripted players by name."""

from __future__ import annotations

from functools import cache

from pompeii_sim.engine.contract import PlayerSpec
from pompeii_sim.games.downfall.players import greedy, planner, uniform, web

WEB_APP = {
    "corvus": (2.0, 1.0, 1.0),
    "graecus": (1.0, 2.0, 1.0),
    "cassia": (1.0, 1.0, 2.0),
    "severus": (3.0, 2.0, 0.0),
    "aurelia": (0.0, 3.0, 2.0),
    "proculus": (2.0, 0.0, 3.0),
}
"""Traits cautious, social, chaotic of the web app's six players."""


@cache
def players() -> dict[str, PlayerSpec]:
    """Return all players; compiled (or read from the cache) when this is first called."""
    six = [
        PlayerSpec(
            name=name,
            strategy=f"web app player: cautious {traits[0]:g}, social {traits[1]:g}, chaotic {traits[2]:g} of 3",
            source="web app BrianRedd/Pompeii, traits and what they weigh",
            function=web.play_web,
            weights=dict(zip(web.TRAITS, traits, strict=True)),
        )
        for name, traits in WEB_APP.items()
    ]
    own = [
        PlayerSpec(
            name="random",
            strategy="a uniform kind of action, then a uniform action of that kind",
            source="baseline of the field",
            function=uniform.play_random,
        ),
        PlayerSpec(
            name="greedy",
            strategy="most people now, near gates; most rivals under lava; the run that gains most",
            source="baseline of the field",
            function=greedy.play_greedy,
            weights=greedy.WEIGHTS,
        ),
        PlayerSpec(
            name="runner",
            strategy="runs by distances to gates, crowds and lava nearby; lava where most rivals stand",
            source="our own; one run of look-ahead",
            function=planner.play_planner,
            weights=planner.RUNNER,
        ),
        PlayerSpec(
            name="sealer",
            strategy="lays lava to cut rivals off from the gates; runs what gains most steps",
            source="our own; one tile of look-ahead",
            function=planner.play_planner,
            weights=planner.SEALER,
        ),
        PlayerSpec(
            name="planner",
            strategy="looks one tile and one run ahead at the worth of everybody they touch",
            source="our own; weights by hand, see tests for how it does against the web app's players",
            function=planner.play_planner,
            weights=planner.PLANNER,
        ),
    ]
    return {spec.name: spec for spec in own + six}
