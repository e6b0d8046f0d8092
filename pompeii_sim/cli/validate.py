"""``validate``: check a scenario and show what it would play."""

from __future__ import annotations

from typing import Any

from pompeii_sim.cli.options import (
    FormatOption,
    GamesOption,
    QuietOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    note,
)
from pompeii_sim.cli.output import Format, emit


def validate(
    scenario: ScenarioArgument,
    overrides: SetOption = None,
    games: GamesOption = None,
    seed: SeedOption = None,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Check a scenario and list its cells; exit 0 when it is valid."""
    import pompeii_sim

    checked = pompeii_sim.validate(scenario, overrides or [], games=games, seed=seed)
    emit(cell_records(checked), form, document={"scenario": checked.document, "cells": cell_records(checked)})
    counts = checked.cells[0].data.provenance_counts()
    told = ", ".join(f"{n} {kind}" for kind, n in counts.items() if n)
    note(f"valid: {size(checked)}; data: {told}", quiet=quiet)


def size(scenario: Any, limit: str = "") -> str:
    """Say how much a scenario plays: ``12 cells x 20,000 games = 240,000 games``.

    Parameters
    ----------
    scenario
        A checked scenario.
    limit
        ``at least`` or ``at most``, when the number of games depends on what comes out or on the clock.
    """
    cells, games = len(scenario.cells), scenario.games
    of_each = f"{cells} {'cell' if cells == 1 else 'cells'} x "
    if limit:
        return f"{of_each}{limit} {games:,} games, seed {scenario.seed}"
    return f"{of_each}{games:,} games = {cells * games:,} games, seed {scenario.seed}"


def cell_records(scenario: Any) -> list[dict[str, Any]]:
    """Return one record a cell: its index, what the sweep sets in it, and who sits at the table."""
    return [{"cell": c.index, **c.settings, "seats": list(c.kinds)} for c in scenario.cells]
