"""What a run folder already holds: whole parts are kept, short and broken ones are played again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pompeii_sim.errors import InputError
from pompeii_sim.measure import Sums, measure
from pompeii_sim.run.plan import PartPlan, Plan
from pompeii_sim.run.play import KEEP_FAILURES, CellKit, Failure, failures_of, sampled
from pompeii_sim.store.folder import RunFolder
from pompeii_sim.store.parts import DamagedPart


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
    """Refuse to go on with fewer games than there are; looks at names only, writes nothing.

    Raises
    ------
    InputError
        When a part begins at or after the number of games asked for, or belongs to no part of the plan.
    """
    for cell, total in enumerate(games):
        for first in folder.firsts(cell):
            path = folder.part_path("games", cell, first)
            if first % plan.part_games[cell]:
                raise InputError("no part of this run's plan", where=str(path), hint="move it elsewhere")
            if first >= total:
                raise InputError(
                    f"cell {cell} holds more than {total} games already",
                    where=str(folder.path),
                    hint="games are never deleted; ask for as many or more (--games)",
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
        raise InputError(
            f"cell {part.cell} holds more games than are asked for now",
            where=str(folder.path),
            hint="games are never deleted; ask for as many or more (--games)",
        )
    sums = measure(there.rows, kit.measures)
    if kit.watch is not None:
        found.blocks[key] = kit.blocks(there.rows)
    if there.games < part.games:
        found.short[key] = sums
        return
    found.kept.add(key)
    found.totals[part.cell] = found.totals.get(part.cell, Sums()) + sums
    found.failures.extend(failures_of(part.cell, there.rows)[: max(0, KEEP_FAILURES - len(found.failures))])
