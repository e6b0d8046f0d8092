"""Options that several verbs share, and what goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from pompeii_sim.cli.output import Format
from pompeii_sim.errors import InputError

FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How results are printed.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="PATH=VALUE", help="Override any key, such as rules.difficulty=B. Repeatable."),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed of all chance, over the scenario's.")]
GamesOption = Annotated[int | None, typer.Option("--games", "-n", help="Games per cell, over the scenario's.")]
GameOption = Annotated[str | None, typer.Option("--game", help="Name of the game [default: the main one].")]
ScenarioArgument = Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario (TOML) or a run folder.")]

TimeoutOption = Annotated[
    str | None,
    typer.Option("--timeout", metavar="TIME", help="Most a game with a player of your own may take [default: 30 s]."),
]


def seconds(text: str, option: str) -> float:
    """Read a time: seconds, or a number followed by s, m or h."""
    factor = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:])
    try:
        amount = float(text[:-1] if factor else text) * (factor or 1.0)
    except ValueError:
        amount = 0.0
    if not 0 < amount < float("inf"):
        raise InputError(f"{text!r} is no time", where=option, hint="write 90, 90s, 5m or 2h")
    return amount


def note(text: str, *, quiet: bool = False) -> None:
    """Say something on stderr."""
    if not quiet:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def teller(*, as_json: bool, quiet: bool) -> Callable[..., None]:
    """Return what says something on stderr (``always``: also when quiet): a line, or a JSON object of one."""

    def tell(text: str, *, always: bool = False) -> None:
        if as_json:
            text = json.dumps({"event": "message", "text": text}, ensure_ascii=False)
        note(text, quiet=quiet and not always)

    return tell
