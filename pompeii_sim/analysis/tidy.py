"""From Estimates to a tidy frame: keys first, then the Estimate's own columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from pompeii_sim.analysis.study import Study
from pompeii_sim.stats.estimate import Estimate

ESTIMATE: dict[str, Any] = {
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "level": pl.Float64,
    "method": pl.String,
    "valid": pl.String,
    "expected": pl.Float64,
    "note": pl.String,
}
"""Columns of an Estimate and their types; the same in every answer."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of an answer.

    Parameters
    ----------
    cell
        Which cell it is about.
    keys
        What it is about within the cell (``player``, ``round`` ...); the same keys in every line of an answer.
    estimate
        The number.
    more
        Further columns after the Estimate's.
    """

    cell: int
    keys: Mapping[str, Any]
    estimate: Estimate
    more: Mapping[str, Any] = field(default_factory=dict)


def columns_of(estimate: Estimate) -> dict[str, Any]:
    """Return an Estimate as a mapping of its columns."""
    return {name: getattr(estimate, name) for name in ESTIMATE}


def tidy(
    study: Study, lines: Iterable[Line], keys: Mapping[str, Any], more: Mapping[str, Any] | None = None
) -> pl.DataFrame:
    """Return an answer as a frame.

    Parameters
    ----------
    study
        Whose cells the lines are about.
    lines
        The rows, in order.
    keys, more
        Names and types of the key columns within a cell and of the columns after the Estimate's.

    Returns
    -------
    pl.DataFrame
        ``cell``, the swept settings under their full paths, `keys`, the columns of `ESTIMATE`, `more`.
    """
    rows = list(lines)
    settings = settings_columns(study, [line.cell for line in rows])
    columns: list[pl.Series] = [pl.Series("cell", [line.cell for line in rows], pl.Int64), *settings]
    columns += [pl.Series(name, [line.keys[name] for line in rows], kind) for name, kind in keys.items()]
    columns += [
        pl.Series(name, [getattr(line.estimate, name) for line in rows], kind) for name, kind in ESTIMATE.items()
    ]
    columns += [pl.Series(name, [line.more.get(name) for line in rows], kind) for name, kind in (more or {}).items()]
    return pl.DataFrame(columns)


def settings_columns(study: Study, cells: Sequence[int]) -> list[pl.Series]:
    """Return the swept settings of each row's cell; values of one type keep it, mixed ones become text."""
    out = []
    for path in study.swept:
        everywhere = [settings.get(path) for settings in study.settings]
        values = [everywhere[cell] for cell in cells]
        types = {type(value) for value in everywhere if value is not None}
        if types <= {int, float} and types:
            kind: Any = pl.Float64 if float in types else pl.Int64
        elif types == {bool}:
            kind = pl.Boolean
        else:
            kind, values = pl.String, [setting_text(value) for value in values]
        out.append(pl.Series(path, values, kind))
    return out


def setting_text(value: Any) -> str | None:
    """Return a setting as text: as written in a scenario, None where the cell does not set it."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
