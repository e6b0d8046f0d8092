"""``report``: one page that tells what runs have found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pompeii_sim.cli.options import QuietOption, note
from pompeii_sim.cli.output import write


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, a chapter each.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.html|.md", help="File to write [default: reports/<first run>.html]."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Title [default: the game and the first run's name].")] = "",
    effect: Annotated[
        float,
        typer.Option(
            "--effect", metavar="SHARE", min=0.0, max=1.0, help="Smallest difference of a share that matters [0.01]."
        ),
    ] = 0.01,
    force: Annotated[bool, typer.Option("--force", help="Write over a report that is there.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Write a report on one or more runs: one HTML file that opens anywhere, or Markdown with figures beside it.

    The path of the report goes to stdout.
    """
    import pompeii_sim

    target = out if out is not None else Path("reports") / f"{runs[0].resolve().name}.html"
    note(f"reading {', '.join(map(str, runs))}", quiet=quiet)
    write(str(pompeii_sim.write_report(runs, target, title=title, effect=effect, force=force)))
