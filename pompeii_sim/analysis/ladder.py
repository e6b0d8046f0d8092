"""Steps of an ordered setting: does each one matter, all in one direction, and are they alike?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.compare import EFFECT
from pompeii_sim.analysis.joint import Joint, common
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, setting_text, tidy
from pompeii_sim.analysis.verdict import verdict
from pompeii_sim.analysis.wanted import Wanted, headline, wanted
from pompeii_sim.errors import InputError, nearest
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.simultaneous import critical_value
from pompeii_sim.store.linked import along

KEYS = {"base": pl.Int64, "metric": pl.String, "contrast": pl.String, "kind": pl.String, "scale": pl.String}
MORE = {"verdict": pl.String, "why": pl.String, "games_needed": pl.Int64, "dropped": pl.Int64}


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that differ in one setting only, in its order."""

    cells: tuple[int, ...]
    values: tuple[str, ...]


def groups(study: Study, by: str, order: Sequence[Any] | None = None) -> list[Group]:
    """Return the cells along a setting, one group for each combination of the other settings.

    Settings that have the same value as it in every cell (the stance of several seats, say) go along with it.

    Parameters
    ----------
    study
        The run.
    by
        Path of the setting.
    order
        Its values in order; by default that of the cells.

    Raises
    ------
    InputError
        When the run does not sweep that setting, or has no cell with a value of `order`.
    """
    if by not in study.swept:
        hint = nearest(by, study.swept) if study.swept else "it sweeps nothing"
        raise InputError(f"{by!r} is not swept in this run", where="by", hint=hint)
    there = list(dict.fromkeys(setting_text(s.get(by)) or "" for s in study.settings))
    wanted_order = there if order is None else [setting_text(value) or "" for value in order]
    unknown = [value for value in wanted_order if value not in there]
    if unknown:
        raise InputError(f"no cell has {by} = {unknown[0]}", where="order", hint=nearest(unknown[0], there))
    same = along(study.settings, by)
    found: dict[str, dict[str, int]] = {}
    for cell, settings in enumerate(study.settings):
        rest = json.dumps({k: v for k, v in settings.items() if k not in same}, sort_keys=True, default=str)
        found.setdefault(rest, {}).setdefault(setting_text(settings.get(by)) or "", cell)
    out = []
    for cells in found.values():
        values = tuple(value for value in wanted_order if value in cells)
        if len(values) > 1:
            out.append(Group(tuple(cells[value] for value in values), values))
    return out


def ladder(
    study: Study,
    by: str,
    *,
    order: Sequence[Any] | None = None,
    metrics: Sequence[str] | None = None,
    effect: float | Mapping[str, float] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the steps between neighbouring values of a setting and how they differ, on common deals.

    Parameters
    ----------
    study
        The run.
    by
        Path of the swept setting, such as ``rules.level``.
    order
        Its values in order; by default that of the cells.
    metrics
        Names as for `wanted`; the headline metrics that are not split by default.
    effect
        Smallest difference that matters: one number for all rates and shares (one point by default), or numbers by
        metric. Means have none unless one is named.
    level
        Probability that all intervals of one group, metric and scale hold together.

    Returns
    -------
    pl.DataFrame
        One row a contrast: ``cell`` (the upper one, with its settings), ``base`` (the lower one), ``metric``,
        ``contrast`` (``B - A``), ``kind`` (``step``, or ``step difference`` for a step minus the one before), ``scale``
        (``plain``, for shares also ``logit``); the Estimate, `n` the common deals; ``verdict`` (``higher``,
        ``lower``, ``equivalent``, ``undecided``), ``why``, ``games_needed`` to decide, ``dropped`` deals with a failed
        game.
    """
    numbers = headline(study) if metrics is None else [wanted(study, name) for name in metrics]

    def lines() -> Iterator[Line]:
        for group in groups(study, by, order):
            found = common([Place(study, cell) for cell in group.cells], numbers)
            for joint in found.numbers:
                least = smallest(joint.wanted, effect)
                for contrast, estimate in _contrasts(joint, group, level):
                    matters = least if contrast.scale == "plain" else None
                    judged = verdict(estimate, effect=matters, games=found.games)
                    keys = {
                        "base": contrast.base, "metric": joint.wanted.name, "contrast": contrast.text,
                        "kind": contrast.kind, "scale": contrast.scale,
                    }  # fmt: skip
                    more = {
                        "verdict": judged.word, "why": judged.why, "games_needed": judged.games,
                        "dropped": found.dropped,
                    }  # fmt: skip
                    yield Line(contrast.cell, keys, estimate, more)

    return tidy(study, lines(), KEYS, MORE)


def smallest(number: Wanted, effect: float | Mapping[str, float] | None) -> float | None:
    """Return the smallest difference of a number that matters, None for a mean for which none was named."""
    if isinstance(effect, Mapping):
        named = effect.get(number.name, effect.get(number.metric.name))
        if named is not None:
            return float(named)
        effect = None
    return None if number.metric.kind == "mean" else EFFECT if effect is None else float(effect)


@dataclass(frozen=True, slots=True)
class _Contrast:
    cell: int
    base: int
    text: str
    kind: Literal["step", "step difference"]
    scale: Literal["plain", "logit"]


def _contrasts(joint: Joint, group: Group, level: float) -> Iterator[tuple[_Contrast, Estimate]]:
    value, covariance = joint.ratios()
    yield from _scaled(joint, group, value, covariance, "plain", level)
    if joint.wanted.metric.kind != "mean":
        inside = (value > 0) & (value < 1)
        slope = np.divide(1.0, value * (1.0 - value), out=np.full(len(value), np.nan), where=inside)
        logit = np.where(inside, special.logit(np.where(inside, value, 0.5)), np.nan)
        yield from _scaled(joint, group, logit, covariance * np.outer(slope, slope), "logit", level)


def _scaled(
    joint: Joint,
    group: Group,
    value: NDArray[np.float64],
    covariance: NDArray[np.float64],
    scale: Literal["plain", "logit"],
    level: float,
) -> Iterator[tuple[_Contrast, Estimate]]:
    """Yield all contrasts of a group on one scale, with intervals that hold together."""
    k = len(group.cells)
    step = np.diff(np.eye(k), axis=0)
    rows = np.vstack([step, np.diff(step, axis=0)])
    with np.errstate(invalid="ignore"):
        centre, matrix = rows @ np.nan_to_num(value), rows @ np.nan_to_num(covariance) @ rows.T
    known = [bool(np.isfinite(np.where(row != 0, value, 0.0)).all()) for row in rows]
    error = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    error = np.where(error > 1e-9 * np.sqrt(np.max(np.nan_to_num(np.diag(covariance)), initial=0.0)), error, 0.0)
    moving = (error > 0) & np.array(known)
    correlation = matrix[np.ix_(moving, moving)] / np.outer(error[moving], error[moving])
    width = critical_value(correlation, level=level) if moving.any() else -float(special.ndtri((1 - level) / 2))
    alone = 1.0 - 2.0 * float(special.ndtr(-width))
    steps: list[Estimate] = []
    for i in range(len(rows)):
        at = i if i < k - 1 else i - (k - 1)
        names = group.values[at : at + 3]
        if i < k - 1:
            contrast = _Contrast(group.cells[at + 1], group.cells[at], f"{names[1]} - {names[0]}", "step", scale)
        else:
            text = f"({names[2]} - {names[1]}) - ({names[1]} - {names[0]})"
            contrast = _Contrast(group.cells[at + 2], group.cells[at], text, "step difference", scale)
        if contrast.kind == "step" and scale == "plain":
            made = joint.difference(at, at + 1, alone)
            steps.append(replace(made, level=level, method=f"{made.method}, simultaneous"))
            yield contrast, steps[-1]
            continue
        made = _normal(joint, known[i], float(centre[i]), float(error[i]), width, scale, level)
        if made.value is not None and made.low is None and scale == "plain":
            made = _from_steps(made, steps[at], steps[at + 1])
        yield contrast, made


def _normal(joint: Joint, known: bool, value: float, error: float, width: float, scale: str, level: float) -> Estimate:
    units = joint.pair(0, 1).units
    method = "simultaneous-max-t"
    if not known:
        note = "a share of 0 or 1 has no logit" if scale == "logit" else "nothing to count in one of the cells"
        return Estimate(value=None, low=None, high=None, n=units, level=level, method=method, note=note)
    if error == 0 or units < 2:
        note = "no spread between deals was seen, so there is no interval"
        return Estimate(value=value, low=None, high=None, n=units, level=level, method=method, note=note)
    half = width * error
    return Estimate(value=value, low=value - half, high=value + half, n=units, level=level, method=method)


def _from_steps(made: Estimate, first: Estimate, second: Estimate) -> Estimate:
    """Bound a difference of steps by their own intervals, which hold together, where no spread was seen."""
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return made
    low, high = second.low - first.high, second.high - first.low
    return replace(made, low=low, high=high, method="simultaneous, from steps", note="bounded by the steps' intervals")


def ladder_shape(steps: pl.DataFrame) -> pl.DataFrame:
    """Sum up a ladder: one direction? even steps?

    Parameters
    ----------
    steps
        What `ladder` returned.

    Returns
    -------
    pl.DataFrame
        One row a group, metric and scale, under the settings of the group's last cell: ``direction`` (``rising``,
        ``falling``, ``flat``: every step less than what matters, ``not monotone``, ``undecided``) and ``spacing``
        (``even``: all differences of steps less than what matters, ``uneven``, ``undecided``; null for two values).
    """
    out: list[dict[str, Any]] = []
    runs: list[list[dict[str, Any]]] = []
    for row in steps.iter_rows(named=True):
        if row["kind"] == "step" and (not runs or not _goes_on(runs[-1], row)):
            runs.append([])
        runs[-1].append(row)
    keys = [*steps.columns[1 : steps.columns.index("base")], "metric", "scale"]
    for rows in runs:
        words = [r["verdict"] for r in rows if r["kind"] == "step"]
        uneven = [r["verdict"] for r in rows if r["kind"] == "step difference"]
        last = [r for r in rows if r["kind"] == "step"][-1]
        summed = {"cell": last["cell"], **{name: last[name] for name in keys}}
        out.append({**summed, "direction": _direction(words), "spacing": _spacing(uneven)})
    kinds: dict[str, Any] = {
        "cell": pl.Int64,
        **{n: steps.schema[n] for n in keys},
        "direction": pl.String,
        "spacing": pl.String,
    }
    return pl.DataFrame(out, schema=kinds)


def _goes_on(rows: list[dict[str, Any]], row: dict[str, Any]) -> bool:
    """Return whether a step belongs to the same group, metric and scale as the rows before it."""
    last = rows[-1]
    same = all(last[name] == row[name] for name in ("metric", "scale"))
    return bool(same and last["kind"] == "step" and last["cell"] == row["base"])


def _direction(words: Sequence[str]) -> str:
    if all(word == "higher" for word in words):
        return "rising"
    if all(word == "lower" for word in words):
        return "falling"
    if all(word == "equivalent" for word in words):
        return "flat"
    if "higher" in words and "lower" in words:
        return "not monotone"
    return "undecided"


def _spacing(words: Sequence[str]) -> str | None:
    if not words:
        return None
    if all(word == "equivalent" for word in words):
        return "even"
    return "uneven" if any(word in ("higher", "lower") for word in words) else "undecided"
