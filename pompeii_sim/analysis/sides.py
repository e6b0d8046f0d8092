"""Which cells are set against which: two runs, or the values of one swept setting within a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import setting_text
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.store.linked import along, with_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Two cells to compare.

    Parameters
    ----------
    base, other
        The cell compared with, and the one looked at.
    base_name, other_name
        What tells them apart, in a word or two.
    shared
        The settings that both have, by path.
    """

    base: Place
    other: Place
    base_name: str
    other_name: str
    shared: Mapping[str, Any]

    @property
    def told(self) -> dict[str, str]:
        """The shared settings as people are told them, by path, or by the common name of several that are one."""
        place = self.base if set(self.shared) <= set(self.base.study.settings[self.base.cell]) else self.other
        return {
            name: setting_name(place, path) for name, (path, *_) in place.study.linked.items() if path in self.shared
        }

    @property
    def names(self) -> str:
        """``B against A``, with the shared settings."""
        told = ", ".join(with_value(path, name) for path, name in self.told.items())
        return f"{self.other_name} against {self.base_name}" + (f" ({told})" if told else "")


def setting_name(place: Place, path: str) -> str:
    """Return what a cell's setting is called: its value, or who sits there for a list of seats."""
    value = place.study.settings[place.cell].get(path)
    if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        counted = Counter(place.study.kinds[place.cell])
        return " + ".join(f"{number} {kind}" for kind, number in counted.items())
    return str(setting_text(value))


def two_runs(base: Study, other: Study) -> list[Sides]:
    """Return the cells of two runs that belong together.

    Cells with the same settings do. A run of a single cell is set against every cell of the other one.

    Raises
    ------
    InputError
        When the runs are of two games, or no cell has a partner.
    """
    one, two = base.schema.game, other.schema.game
    if one != two:
        raise InputError(f"a run of {two}, the other is of {one}", where=other.name, hint="compare runs of one game")
    names = _run_names(base, other)
    lone = len(base.cells) == 1 or len(other.cells) == 1
    out = []
    for a in base.cells:
        for b in other.cells:
            mine, theirs = base.settings[a], other.settings[b]
            if not lone and mine != theirs:
                continue
            longer = theirs if len(theirs) > len(mine) else mine
            out.append(
                Sides(
                    base=Place(base, a), other=Place(other, b), base_name=names[0], other_name=names[1], shared=longer
                )
            )
    if not out:
        raise InputError(
            f"no cell has the settings of a cell of {base.name}",
            where=other.name,
            hint="sweep the same settings in both, or compare within one run with --by",
        )
    return out


def _run_names(base: Study, other: Study) -> tuple[str, str]:
    names = [s.name if s.path is None else s.path.resolve().name for s in (base, other)]
    if names[0] == names[1] and base.path is not None and other.path is not None:
        names = [str(base.path), str(other.path)]
    if names[0] == names[1]:
        names = [f"{names[0]} (first)", f"{names[1]} (second)"]
    return names[0], names[1]


def by_setting(run: Study, path: str) -> list[Sides]:
    """Return all pairs of cells of a run that differ in one swept setting and in nothing else, in the sweep's order.

    Settings that have the same value as it in every cell (the stance of several seats, say) go along with it.

    Raises
    ------
    InputError
        When the run does not sweep the setting, or no two cells differ in it alone.
    """
    if path not in run.swept:
        hint = nearest(path, run.swept) if run.swept else "it sweeps nothing"
        raise InputError(f"{path!r} is not swept in this run", where=run.name, hint=hint)
    same = along(run.settings, path)
    groups: dict[str, list[int]] = {}
    for cell in run.cells:
        rest = {key: value for key, value in run.settings[cell].items() if key not in same}
        if path in run.settings[cell]:
            groups.setdefault(repr(sorted(rest.items())), []).append(cell)
    out = []
    for cells in groups.values():
        for a, b in combinations(cells, 2):
            out.append(
                Sides(
                    base=Place(run, a),
                    other=Place(run, b),
                    base_name=setting_name(Place(run, a), path),
                    other_name=setting_name(Place(run, b), path),
                    shared={key: value for key, value in run.settings[a].items() if key not in same},
                )
            )
    if not out:
        raise InputError(f"no two cells differ in {path} alone", where=run.name, hint="a full sweep has such cells")
    return out
