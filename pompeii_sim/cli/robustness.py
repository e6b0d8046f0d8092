"""``robustness``: which conclusions hold, flip or stay undecided in the settings of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pompeii_sim.cli.options import FormatOption, QuietOption, note
from pompeii_sim.cli.output import Format, emit
from pompeii_sim.errors import InputError
from pompeii_sim.stats.estimate import Estimate

HINT = "such as 'rounds_mean <= 12' or 'rounds_mean: rules.KEY A < B < C'"


def robustness(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder of a sweep, best of a sampled one.")],
    conclusions: Annotated[
        list[str] | None, typer.Argument(metavar="CONCLUSION...", help=f"Statements on a metric, {HINT}.")
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="A row for each conclusion and setting, with its margin.")
    ] = False,
    level: Annotated[
        float, typer.Option("--level", metavar="NUMBER", help="Confidence level of one conclusion in one setting.")
    ] = 0.95,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Tell in how many settings of a run each conclusion holds, flips or stays undecided.

    A conclusion is a bound on a metric, judged in each cell, or an order along a swept setting, judged wherever the
    other settings are the same. It survives when it holds somewhere and flips nowhere.
    """
    import pompeii_sim
    from pompeii_sim.analysis import robustness as ask
    from pompeii_sim.analysis import survival

    if not conclusions:
        raise InputError("names no conclusion", where="robustness", hint=f"add one, {HINT}")
    if not 0.0 < level < 1.0:
        raise InputError(f"must lie between 0 and 1, got {level:g}", where="--level", hint="for example 0.95")
    frame = ask(pompeii_sim.load(run).study, conclusions, level=level)
    if not each:
        emit(survival(frame).to_dicts(), form)
        note("holds: the whole interval supports it; flips: it contradicts it; --each shows every setting", quiet=quiet)
    elif form in (Format.json, Format.csv):
        emit(frame.to_dicts(), form)
    else:
        emit([_record(row) for row in frame.iter_rows(named=True)], form)
        note("margin: of the weakest step of a conclusion; above 0 where the step is true", quiet=quiet)


def _record(row: dict[str, Any]) -> dict[str, Any]:
    """Return a conclusion in one setting for people."""
    numbers = {name: row[name] for name in ("value", "low", "high", "n", "level", "method", "note")}
    told = {name: row[name] for name in ("conclusion", "setting")}
    return {**told, "verdict": row["verdict"], "weakest step": row["step"], "margin": Estimate(**numbers)}
