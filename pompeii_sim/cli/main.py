"""The command ``pompeii-sim``: its verbs, its exit codes, and one line for every error a user can cause."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pompeii_sim import __version__
from pompeii_sim.cli import bench, catalog, compare, doctor, players, replay, report, robustness, run, validate
from pompeii_sim.errors import InputError

DONE, SOME_FAILED, WRONG_USE, CHECK_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit codes."""

app = typer.Typer(
    name="pompeii-sim",
    help="Play board games by the million and measure their balance.",
    epilog="Exit codes: 0 done, 1 done but some games failed, 2 wrong use or bad input, 3 a check failed, "
    "130 interrupted (results kept).",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"pompeii-sim {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")


app.command("run", short_help="Play a scenario, keep its games, print estimates.")(run.run)
app.command("report", short_help="Write a report on one or more runs.")(report.report)
app.command("compare", short_help="Tell what differs between runs or settings.")(compare.compare)
app.command("robustness", short_help="Tell in which settings conclusions hold.")(robustness.robustness)
app.command("replay", short_help="Play one game again and tell it.")(replay.replay)
app.command("catalog", short_help="Show a game's data and where they come from.")(catalog.catalog)
app.command("players", short_help="List the built-in players.")(players.players)
app.command("validate", short_help="Check a scenario and list its cells.")(validate.validate)
app.command("bench", short_help="Measure compile time, speed and memory.")(bench.bench)
app.command("doctor", short_help="Check the installation.")(doctor.doctor)


def call(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments
        Words after the command's name; default: this process's.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started the command
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
    try:
        os.getcwd()
    except FileNotFoundError:
        return _error("the current folder is gone; change to another one")
    try:
        result = app(
            args=None if arguments is None else list(arguments), prog_name="pompeii-sim", standalone_mode=False
        )
        sys.stdout.flush()
    except InputError as error:
        return _error(str(error))
    except BrokenPipeError:
        return _closed()
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return _full()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except typer.Abort:
        return INTERRUPTED
    except Exception as error:
        if not hasattr(error, "format_message"):  # not wrong use told by the parser, but a fault of ours
            raise
        return _error(_usage(error))
    return result if isinstance(result, int) else DONE


def _usage(error: Any) -> str:
    text = " ".join(str(error.format_message()).split()).rstrip(".").replace("Value error, ", "")
    text = text.replace("Input should be", "it must be")
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "pompeii-sim")
    return f"{text[:1].lower()}{text[1:]}; see {path} --help"


def _error(text: str) -> int:
    sys.stderr.write("error: " + " ".join(text.split("\n")) + "\n")
    return WRONG_USE


def _closed() -> int:
    """End quietly when the reader of our output has gone."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(null, stream.fileno())
    return DONE


def _full() -> int:
    """Say in one line that the output has no room; what is left of it is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _error("the output cannot be written: no space left on its device")


def main() -> None:
    """Entry point of the command."""
    sys.exit(call())


if __name__ == "__main__":
    main()
