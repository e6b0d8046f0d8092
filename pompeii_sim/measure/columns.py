"""The columns a metric reads, from stored rows or from a kernel's record rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray


class Columns:
    """Looks up one game's columns in a batch of rows, flat or by seat.

    Parameters
    ----------
    rows
        A frame with flat columns (``rank_0``, ``rank_1`` ...) as stored, or a structured array.
    """

    def __init__(self, rows: pl.DataFrame | NDArray[Any]) -> None:
        self._flat: dict[str, NDArray[Any]] = {}
        if isinstance(rows, pl.DataFrame):
            self.n = rows.height
            self._flat = {name: rows[name].to_numpy() for name in rows.columns}
        else:
            self.n = len(rows)
            for name in rows.dtype.names or ():
                values = rows[name]
                if values.ndim == 1:
                    self._flat[name] = values
                else:
                    for index in range(values.shape[1]):
                        self._flat[f"{name}_{index}"] = values[:, index]

    @property
    def names(self) -> tuple[str, ...]:
        """Stored names of all columns."""
        return tuple(self._flat)

    def flat(self, name: str) -> NDArray[Any]:
        """Return a column by its stored name, shape ``(n,)``; KeyError names it when it is missing."""
        try:
            return self._flat[name]
        except KeyError:
            raise KeyError(f"no column {name!r} in these rows; there are: {', '.join(self._flat)}") from None

    def value(self, name: str, seats: int | None = None) -> NDArray[Any]:
        """Return what a metric means by a column name, shape ``(n,)``.

        Parameters
        ----------
        name
            A stored name, or the name of an array column, whose elements are summed.
        seats
            Sum only so many elements (the seats in use) of a per-seat column; None for all.
        """
        if name in self._flat:
            return self._flat[name]
        parts: list[NDArray[Any]] = []
        while (seats is None or len(parts) < seats) and f"{name}_{len(parts)}" in self._flat:
            parts.append(self._flat[f"{name}_{len(parts)}"])
        if not parts:
            return self.flat(name)
        kind = np.float64 if any(p.dtype.kind == "f" for p in parts) else np.int64
        total = np.zeros(self.n, kind)
        for part in parts:
            total += part
        return total
