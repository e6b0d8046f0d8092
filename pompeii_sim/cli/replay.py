"""``replay``: one game again, event by event."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pompeii_sim.cli.options import ScenarioArgument, SeedOption, SetOption, TimeoutOption, note, seconds
from pompeii_sim.cli.output import write
from pompeii_sim.errors import InputError

if TYPE_CHECKING:
    from pompeii_sim.run.replay import Replay


class ReplayFormat(StrEnum):
    """How a game is told."""

    text = "text"
    jsonl = "jsonl"


def replay(
    scenario: ScenarioArgument,
    game: Annotated[int, typer.Option("--game", min=0, help="Number of the game in its cell, from 0.")],
    cell: Annotated[int, typer.Option("--cell", min=0, help="Number of the cell, from 0.")] = 0,
    seed: SeedOption = None,
    overrides: SetOption = None,
    timeout: TimeoutOption = None,
    form: Annotated[
        ReplayFormat, typer.Option("--format", "-f", help="A story, or one JSON event a line.")
    ] = ReplayFormat.text,
) -> None:
    """Play one game of a scenario or of a run again and tell it: exactly the game that was counted.

    It is told who sits where, and which choices were random because a seat's skill is below 1.
    """
    import pompeii_sim
    from pompeii_sim.run.processes import TIMEOUT

    limit = TIMEOUT if timeout is None else seconds(timeout, "--timeout")
    checked = pompeii_sim.validate(scenario, overrides or [], seed=seed)
    of_a_run = scenario.is_dir() and not overrides and seed is None
    played = pompeii_sim.play(scenario if of_a_run else checked, game, cell, to_end=False, timeout=limit)
    if not of_a_run and scenario.is_dir():
        note("not a game of this run: played with other settings")
    elif not of_a_run and game >= checked.games:
        note(f"the scenario has games 0 to {checked.games - 1} in each cell; this is one it would play with more games")
    try:
        played.play()
    except InputError as error:  # a player failed: tell the game up to there
        tell(played, form)
        raise InputError(error.what, where=error.where, hint=error.hint) from None
    tell(played, form)


def tell(played: Replay, form: ReplayFormat) -> None:
    """Print what has happened in a game."""
    if form is ReplayFormat.jsonl:
        write("".join(json.dumps(e, ensure_ascii=False, allow_nan=False) + "\n" for e in played.events))
    else:
        write(played.story())
