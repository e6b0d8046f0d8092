"""From a sweep to the settings of each cell: full product, listed cells, or a Latin hypercube.

Given together, every listed cell (or every draw of the sample) is played with every combination of the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any, TypeGuard

import numpy as np

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.scenario.document import SWEEP_PARTS, flatten_ranges
from pompeii_sim.scenario.paths import canonical, covers

MAX_CELLS = 10_000
"""Most cells of one scenario."""

SWEEPABLE = ("rules", "seats", "data")


def expand(sweep: Mapping[str, Any], seat_fields: Iterable[str], where: str) -> list[dict[str, Any]]:
    """Return the settings of each cell, in playing order (the last path varies fastest).

    Parameters
    ----------
    sweep
        The flat sweep table, its sample already drawn into ``cells``; see `draw`.
    seat_fields
        Names of a seat's fields.
    where
        Place for errors.

    Raises
    ------
    InputError
        For paths that cannot be swept, two paths that set the same thing, empty or repeated values, too many cells.
    """
    fields = list(seat_fields)
    axes = {key: values for key, values in sweep.items() if key not in SWEEP_PARTS}
    for key, values in axes.items():
        if not isinstance(values, list) or not values:
            raise InputError(
                f"{key!r} needs a list of values", where=where, hint=f'write "{key}" = [first, second, ...]'
            )
        _distinct(values, f"{where}.{key}")
    listed: list[dict[str, Any]] = [dict(c) for c in sweep.get("cells", [{}])]
    if not listed:
        raise InputError("no cells listed", where=f"{where}.cells")
    _distinct(listed, f"{where}.cells")
    for cell in listed:
        _check_paths([*cell, *axes], fields, where)
    count = len(listed) * prod(len(v) for v in axes.values())
    if count > MAX_CELLS:
        raise InputError(f"{count} cells are too many", where=where, hint=f"at most {MAX_CELLS}")
    combinations = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    return [{**cell, **combination} for cell in listed for combination in combinations]


def draw(sample: Any, seat_fields: Iterable[str], where: str) -> list[dict[str, Any]]:
    """Draw a Latin hypercube: each path's range is cut into `n` equal slices and each slice is used once.

    Parameters
    ----------
    sample
        ``n`` (draws, at least 1), ``seed`` (default 1) and ``ranges``: path -> ``{low, high}`` (whole numbers when
        both ends are whole, ends included) or a list of choices.
    seat_fields
        Names of a seat's fields.
    where
        Place for errors.

    Returns
    -------
    list of dict
        One table of settings a draw. Draws that whole numbers or choices make equal are kept once.

    Notes
    -----
    McKay, Beckman and Conover (1979), "A comparison of three methods for selecting values of input variables".
    """
    if not isinstance(sample, dict):
        raise InputError("must be a table", where=where, hint="write [sweep.sample]")
    for key in sample:
        if key not in ("n", "seed", "ranges"):
            raise InputError(f"unknown key {key!r}", where=where, hint=nearest(key, ("n", "seed", "ranges")))
    n, seed = sample.get("n"), sample.get("seed", 1)
    if not _whole(n) or not 1 <= n <= MAX_CELLS:
        raise InputError(
            f"{n!r} is not a number of draws", where=f"{where}.n", hint=f"a whole number from 1 to {MAX_CELLS}"
        )
    if not _whole(seed) or seed < 0:
        raise InputError(f"{seed!r} is not a seed for a sample", where=f"{where}.seed", hint="a whole number from 0")
    table = sample.get("ranges")
    if not isinstance(table, dict) or not table:
        raise InputError("no ranges", where=f"{where}.ranges", hint='for example "rules.name" = { low = 1, high = 5 }')
    ranges = flatten_ranges(table)
    _check_paths(list(ranges), list(seat_fields), f"{where}.ranges")
    for key, spec in ranges.items():
        _check_range(spec, f"{where}.ranges.{key}")

    from scipy.stats import qmc  # slow to import, and few scenarios sample

    unit = qmc.LatinHypercube(d=len(ranges), seed=np.random.default_rng(seed)).random(n)
    draws = [{key: _scale(float(u), spec) for u, (key, spec) in zip(row, ranges.items(), strict=True)} for row in unit]
    return list({repr(d): d for d in draws}.values())


def _scale(u: float, spec: Any) -> Any:
    if isinstance(spec, list):
        return spec[min(int(u * len(spec)), len(spec) - 1)]
    low, high = spec["low"], spec["high"]
    if _whole(low) and _whole(high):
        return low + min(int(u * (high - low + 1)), high - low)
    return float(low + u * (high - low))


def _check_range(spec: Any, where: str) -> None:
    if isinstance(spec, list):
        if not spec:
            raise InputError("no choices", where=where)
        _distinct(spec, where)
        return
    if not isinstance(spec, dict) or set(spec) != {"low", "high"}:
        raise InputError(
            f"{spec!r} is not a range", where=where, hint="write { low = 1, high = 5 } or a list of choices"
        )
    low, high = spec["low"], spec["high"]
    if any(isinstance(v, bool) or not isinstance(v, int | float) for v in (low, high)):
        raise InputError("low and high must be numbers", where=where, hint="give choices as a list")
    if not low < high:
        raise InputError(f"low {low!r} is not below high {high!r}", where=where)


def _check_paths(keys: list[str], fields: list[str], where: str) -> None:
    whole: dict[str, tuple[str, ...]] = {}
    for key in keys:
        path = canonical(key, fields, where)
        if path[0] not in SWEEPABLE or (path[0] != "seats" and len(path) == 1):
            raise InputError(
                f"{key!r} cannot be swept", where=where, hint="sweep rules.<name>, seats.<n>.<name> or data.<entry>"
            )
        for other, taken in whole.items():
            if covers(path, taken) or covers(taken, path):
                raise InputError(f"{key!r} and {other!r} set the same thing", where=where, hint="keep one of them")
        whole[key] = path


def _distinct(values: list[Any], where: str) -> None:
    seen: set[str] = set()
    for value in values:
        text = repr(value)
        if text in seen:
            raise InputError(f"{value!r} stands there twice", where=where, hint="keep it once")
        seen.add(text)


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
