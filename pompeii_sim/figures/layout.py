"""How the cells of a run are laid out in figures and tables: what a cell is called, what makes lines and panels."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import polars as pl

from pompeii_sim.analysis.study import Study
from pompeii_sim.figures import frames
from pompeii_sim.store.linked import short, with_value

MOST_LINES = 7
"""Lines of one panel that can be told apart."""

MOST_PANELS = 6

MOST_KEYS = 8
"""More settings that are no full product are told by the number of their combination."""

COMBINATION = "combination"
"""The key of settings that change together without being one, such as the numbers of a sample: it counts them."""


class Layout:
    """The cells of a run for people.

    Parameters
    ----------
    study
        The run.
    """

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What makes cells differ, in the order of the sweep; one key for several settings that change together.

        Settings that are no full product, such as a sample's, are `COMBINATION`, beside those that are swept in full
        over it.
        """
        keys = tuple(self.linked)
        if not self.combined:
            return keys
        return (*(k for k in keys if k not in self.combined), COMBINATION)

    @cached_property
    def linked(self) -> dict[str, tuple[str, ...]]:
        """By name, what differs between cells: a setting, or several that have the same value in every cell."""
        return {key: paths for key, paths in self.study.linked.items() if len(set(self._told[key])) > 1}

    @cached_property
    def combined(self) -> tuple[str, ...]:
        """Settings that only their combination tells: no full product, and too many, or beside others that are swept.

        Empty where each setting is told by itself.
        """
        keys = tuple(self.linked)
        if self._is_product([self._told[k] for k in keys]):
            return ()
        apart = tuple(k for k in keys if not self._is_crossed(k))
        return apart if len(apart) < len(keys) or len(keys) > MOST_KEYS else ()

    def _is_crossed(self, key: str) -> bool:
        """Whether every value of a setting meets every combination of the others."""
        others = [self._told[k] for k in self.linked if k != key]
        return self._is_product([self._told[key], list(zip(*others, strict=True))])

    def _is_product(self, labels: Sequence[Sequence[object]]) -> bool:
        """Whether every combination of some labels is there once; `labels` has one list a setting, one label a cell."""
        cells = range(len(self.study.cells))
        points = {tuple(one[cell] for one in labels) for cell in cells}
        return prod(len(set(one)) for one in labels) == len(cells) == len(points)

    @cached_property
    def _told(self) -> dict[str, tuple[str, ...]]:
        """By name of a setting, or of linked ones, the label of its value in each cell."""
        return {
            key: tuple(self._label(cell, path) for cell in self.study.cells)
            for key, (path, *_) in self.study.linked.items()
        }

    def combinations_told(self) -> list[str]:
        """Return what each combination is, in their order: ``1: calm steps 4, cap 10``."""
        return [
            f"{number}: {', '.join(with_value(k, value) for k, value in zip(self.combined, values, strict=True))}"
            for values, number in self._combinations.items()
        ]

    @cached_property
    def _combinations(self) -> dict[tuple[str, ...], str]:
        """The number of each combination of the `combined` settings, from 1 in the order of the cells."""
        seen = dict.fromkeys(zip(*(self._told[k] for k in self.combined), strict=True))
        return {combination: str(number) for number, combination in enumerate(seen, start=1)}

    def values(self, key: str) -> list[str]:
        """Return the labels of a setting's values in the order of their first appearance."""
        return list(dict.fromkeys(self.value(cell, key) for cell in self.study.cells))

    def value(self, cell: int, key: str) -> str:
        """Return the label of a setting in a cell; a list of seats is told by who sits there."""
        if key == COMBINATION:
            return self._combinations[tuple(self._told[k][cell] for k in self.combined)]
        return self._told[key][cell]

    def _label(self, cell: int, key: str) -> str:
        value = self.study.settings[cell].get(key)
        if value is None:
            return "as listed"
        if isinstance(value, list) and any(isinstance(v, dict) for v in value):
            counted = Counter(self.study.kinds[cell])
            return frames.label(" + ".join(f"{n} {kind}" for kind, n in counted.items()))
        if isinstance(value, dict | list):
            return frames.label(json.dumps(value, ensure_ascii=False))
        return frames.label(value)

    @cached_property
    def full(self) -> bool:
        """Whether every combination of the keys' values is there once."""
        return self._is_product([[self.value(cell, k) for cell in self.study.cells] for k in self.keys])

    def _point(self, cell: int) -> tuple[str, ...]:
        return tuple(self.value(cell, k) for k in self.keys)

    @cached_property
    def labels(self) -> list[str]:
        """What each cell is called: the values of its keys, or its number where that would be too long."""
        made = [", ".join(self._point(cell)) for cell in self.study.cells]
        usable = self.keys and len(set(made)) == len(made) and max(map(len, made)) <= frames.LONGEST
        return made if usable else [f"cell {cell}" for cell in self.study.cells]

    def told(self, cell: int) -> str:
        """Return what a cell is called in a sentence: ``difficulty A, spaces 4``."""
        if not self.keys or len(self.keys) > 4:
            return f"cell {cell}" if len(self.study.cells) > 1 else "this setting"
        return ", ".join(with_value(k, self.value(cell, k)) for k in self.keys)

    @cached_property
    def order(self) -> str:
        """What the labels of cells hold, for an axis."""
        return ", ".join(map(short, self.keys)) if self.labels[0] != "cell 0" else "cell"

    @cached_property
    def line(self) -> str:
        """The setting that makes lines: the first key of a full product, else the cell's own label."""
        return self.keys[0] if self.full and self.keys and len(self.values(self.keys[0])) <= MOST_LINES else "setting"

    @cached_property
    def panel(self) -> str:
        """The setting that makes panels: the next key of a full product; empty without one."""
        others = [k for k in self.keys if k != self.line and len(self.values(k)) <= MOST_PANELS]
        return others[0] if self.line != "setting" and others else ""

    @cached_property
    def drawn(self) -> list[int]:
        """Cells that a figure of lines and panels shows: all other settings are as in cell 0; at most a few cells."""
        if self.line == "setting":
            step = -(-len(self.study.cells) // MOST_LINES)
            return list(self.study.cells)[::step]
        fixed = [k for k in self.keys if k not in (self.line, self.panel)]
        return [c for c in self.study.cells if all(self.value(c, k) == self.value(0, k) for k in fixed)]

    @cached_property
    def drawn_told(self) -> str:
        """A sentence about what `drawn` leaves out, empty when it is nothing."""
        if len(self.drawn) == len(self.study.cells):
            return ""
        if self.line == "setting":
            return f"Drawn: {len(self.drawn)} of {len(self.study.cells)} cells."
        fixed = [k for k in self.keys if k not in (self.line, self.panel)]
        return f"Drawn with {', '.join(with_value(k, self.value(0, k)) for k in fixed)}."

    def dress(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return an answer with its settings as labels and the cell's own label as the column ``setting``.

        Settings that do not differ between cells are left out; the number of the cell stays.
        """
        cells = frame["cell"].to_list()
        labels = [pl.Series("setting", [self.labels[c] for c in cells], pl.String)]
        settings = [pl.Series(k, [self.value(c, k) for c in cells], pl.String) for k in self.keys]
        kept = [c for c in frame.columns if c != "cell" and c not in self.study.swept]
        return pl.DataFrame([frame["cell"], *settings, *labels, *(frame[c] for c in kept)])

    def table(self, frame: pl.DataFrame, *leave_out: str) -> pl.DataFrame:
        """Return an answer for a table: as `dress`, without the cell's own label where its settings stand there."""
        dressed = self.dress(frame)
        drop = ["setting", *leave_out] + (["cell"] if len(self.study.cells) == 1 else [])
        return dressed.drop(*(c for c in drop if c in dressed.columns))


def base_cell(layout: Layout) -> int:
    """Return the cell that stands for a run where only one can: the first."""
    return int(layout.study.cells[0])


def mapped(frame: pl.DataFrame, column: str, names: dict[Any, str]) -> pl.DataFrame:
    """Return a frame with the codes of a column replaced by names."""
    values = [names.get(v, frames.label(v)) for v in frame[column]]
    return frame.with_columns(pl.Series(column, values, pl.String))
