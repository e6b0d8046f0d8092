"""What a run folder already holds: whole parts are kept, short and broken ones are played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pompeii_sim.errors import InputError
from pompeii_sim.measure import Sums, measure
from pompeii_sim.run.plan import PartPlan, Plan
from pompeii_sim.run.play import KEEP_FAILURES, CellKit, Failure, failures_of, sampled
from pompeii_sim.store.folder import RunFolder
from pompeii_sim.store.parts import DamagedPart, read_tag


@dataclass(kw_only=True)
class Survey:
    """What is there.

    Parameters
    ----------
    kept
        Cell and first game of each part that is kept.
    totals
        Their sums, by cell.
    short
        Games in each part that is whole but shorter than planned, with its sums.
    blocks
        What a stopping rule needs of each kept and each short part.
    failures
        Failed games in the kept parts.
    damaged
        Names of broken parts and left-over temporary files.
    """

    kept: set[tuple[int, int]] = field(default_factory=set)
    totals: dict[int, Sums] = field(default_factory=dict)
    short: dict[tuple[int, int], Sums] = field(default_factory=dict)
    blocks: dict[tuple[int, int], tuple[Sums, ...]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def check_enough(folder: RunFolder, plan: Plan, games: Sequence[int]) -> None:
    """Refuse to go on with fewer games than there are; looks at names and footers only, writes nothing.

    Raises
    ------
    InputError
        When a part holds games beyond the number asked for, or belongs to no part of the plan.
    """
    for cell, total in enumerate(games):
        there = 0
        for first in folder.firsts(cell):
            path = folder.part_path("games", cell, first)
            if first % plan.part_games[cell]:
                raise InputError("no part of this run's plan", where=str(path), hint="move it elsewhere")
            there = max(there, first + _games_of(path))
        if there > total:
            raise _too_many(folder, cell, there, total)


def _games_of(path: Path) -> int:
    """Return how many games a part says it holds; at least one, which its name promises."""
    try:
        return max(1, read_tag(path).games)
    except DamagedPart:  # told, and played again, when parts are read
        return 1


def _too_many(folder: RunFolder, cell: int, there: int, asked: int) -> InputError:
    return InputError(
        f"cell {cell} holds more games ({there:,}) than the {asked:,} asked for, and games are never deleted",
        where=str(folder.path),
        hint=f"read the run as it is, with pompeii_sim.load({str(folder.path)!r}) or report; or ask for as many games "
        "or more; or play in another folder",
    )


def survey(
    folder: RunFolder,
    plan: Plan,
    games: Sequence[int],
    *,
    kits: Sequence[CellKit],
    tell: Callable[[str], None],
) -> Survey:
    """Read every part once: check it against its hash and its plan, and add it up.

    Parameters
    ----------
    folder
        The run folder, locked.
    plan, games
        What is planned: games of each cell.
    kits
        How each cell is stored and measured.
    tell
        Called with one line for each broken part.

    Returns
    -------
    Survey
        What can be kept.

    Raises
    ------
    InputError
        When a part holds more games than planned there.
    """
    found = Survey()
    for name in folder.sweep_temporaries():
        found.damaged.append(name)
        tell(f"left over from a run that was killed, removed: {name}")
    for part in plan.parts(games):
        if not folder.part_path("games", part.cell, part.first).exists():
            continue  # the series is written first, so one on its own does not count
        try:
            _keep(found, folder, part, kits[part.cell])
        except DamagedPart as error:
            name = str(error.path.relative_to(folder.path))
            found.damaged.append(name)
            tell(f"broken part, played again: {name} ({error.reason})")
    return found


def _keep(found: Survey, folder: RunFolder, part: PartPlan, kit: CellKit) -> None:
    key = (part.cell, part.first)
    columns = [name for column in kit.schema.columns for name in column.stored]
    there = folder.read(part.cell, part.first, plan=kit.plan, columns=columns)
    if sampled(part.first, there.games, kit.series_every):
        folder.check_series(there, plan=kit.plan)
    if there.games > part.games:
        raise _too_many(folder, part.cell, part.first + there.games, part.first + part.games)
    sums = measure(there.rows, kit.measures)
    if kit.watch is not None:
        found.blocks[key] = kit.blocks(there.rows)
    if there.games < part.games:
        found.short[key] = sums
        return
    found.kept.add(key)
    found.totals[part.cell] = found.totals.get(part.cell, Sums()) + sums
    found.failures.extend(failures_of(part.cell, there.rows)[: max(0, KEEP_FAILURES - len(found.failures))])
