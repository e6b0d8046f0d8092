"""``replay``: one game again, event by event."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pompeii_sim.cli.options import ScenarioArgument, SeedOption, SetOption, TimeoutOption, seconds
from pompeii_sim.cli.output import write
from pompeii_sim.errors import InputError

if TYPE_CHECKING:
    from pompeii_sim.engine.stepping import GameInPlay


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
    """Play one game of a scenario or of a run again and tell it: exactly the game that was counted."""
    import pompeii_sim
    from pompeii_sim.run.processes import TIMEOUT

    limit = TIMEOUT if timeout is None else seconds(timeout, "--timeout")
    checked = pompeii_sim.validate(scenario, overrides or [], seed=seed)
    played = pompeii_sim.play(checked, game, cell, to_end=False, timeout=limit)
    try:
        played.play()
    except InputError as error:  # a player failed: tell the game up to there
        tell(played, form)
        raise InputError(error.what, where=error.where, hint=error.hint) from None
    tell(played, form)


def tell(played: GameInPlay, form: ReplayFormat) -> None:
    """Print what has happened in a game."""
    if form is ReplayFormat.jsonl:
        write("".join(json.dumps(e, ensure_ascii=False, allow_nan=False) + "\n" for e in played.events))
    else:
        write(played.story())
