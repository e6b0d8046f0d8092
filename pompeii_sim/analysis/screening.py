"""Which doubtful number turns a conclusion round: Morris screening, with the luck of the draw stated."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.conclusion import Conclusion, Judged, conclusion, judged
from pompeii_sim.analysis.joint import common
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.wanted import wanted
from pompeii_sim.errors import InputError, nearest

_BOOTSTRAPS = 1000


@dataclass(frozen=True, eq=False, kw_only=True)
class MorrisDesign:
    """Settings along random paths that change one doubtful number at a time.

    Parameters
    ----------
    ranges
        Path of each number and its range: ``{low, high}`` or a list of choices in their order.
    unit
        Points in 0..1, shape ``(trajectories, numbers + 1, numbers)``.
    levels
        Number of values a number takes.
    """

    ranges: Mapping[str, Any]
    unit: NDArray[np.float64]
    levels: int

    @property
    def step(self) -> float:
        """How far a number moves in a step, as a share of its range."""
        return self.levels / (2.0 * (self.levels - 1))

    def settings(self, trajectory: int, point: int) -> dict[str, Any]:
        """Return one point's settings; whole numbers and choices take the nearest one."""
        position = self.unit[trajectory, point]
        return {path: _scaled(u, spec) for u, (path, spec) in zip(position.tolist(), self.ranges.items(), strict=True)}

    @property
    def cells(self) -> list[dict[str, Any]]:
        """All distinct settings, for ``[sweep] cells`` of a scenario."""
        every = [self.settings(t, p) for t in range(self.unit.shape[0]) for p in range(self.unit.shape[1])]
        return list({_key(one): one for one in every}.values())

    def scenario(self, source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
        """Return a scenario (a TOML file, or a mapping) with this design in the place of its sample.

        The product of its sweep is kept.
        """
        document = _read(source)
        sweep = {key: value for key, value in document.get("sweep", {}).items() if key not in ("sample", "cells")}
        return {**document, "sweep": {**sweep, "cells": self.cells}}


def _scaled(u: float, spec: Any) -> Any:
    if isinstance(spec, list):
        return spec[round(u * (len(spec) - 1))]
    low, high = spec["low"], spec["high"]
    if isinstance(low, int) and isinstance(high, int):
        return low + round(u * (high - low))
    return float(low + u * (high - low))


def _key(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, sort_keys=True)


def _read(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    from pompeii_sim.scenario.document import read

    return source if isinstance(source, Mapping) else read(Path(source))


def sample_ranges(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Return the ranges of a scenario's ``[sweep.sample]``, with ``plausible`` ones filled in from its data.

    Raises
    ------
    InputError
        When it cannot be read or samples nothing.
    """
    from pompeii_sim import games
    from pompeii_sim.scenario.document import flatten_ranges
    from pompeii_sim.scenario.plausible import fill

    document = _read(source)
    where = "scenario" if isinstance(source, Mapping) else str(source)
    sample = document.get("sweep", {}).get("sample", {})
    ranges = sample.get("ranges")
    if not ranges:
        raise InputError("has no [sweep.sample]", where=where, hint="name the doubtful numbers and their ranges there")
    folder = games.get(document["game"]).data_dir
    if isinstance(document.get("data"), str):
        base = Path() if isinstance(source, Mapping) else Path(source).resolve().parent
        folder = base / document["data"]
    return fill(flatten_ranges(ranges), folder, f"{where}: sweep.sample.ranges")


def morris_design(ranges: Mapping[str, Any], *, trajectories: int = 10, levels: int = 4, seed: int = 1) -> MorrisDesign:
    """Draw a design for `screening`.

    Parameters
    ----------
    ranges
        Path of each doubtful number and its range, see `sample_ranges`.
    trajectories
        Random paths; each costs one setting more than there are numbers.
    levels
        Number of values a number takes, even.
    seed
        Seed of the paths.

    Raises
    ------
    InputError
        When an option is out of range or nothing varies.

    Notes
    -----
    Morris (1991), Factorial sampling plans for preliminary computational experiments. Technometrics 33.
    """
    from SALib.sample import morris

    if not ranges:
        raise InputError("nothing varies", where="ranges")
    for name, value, least in (("trajectories", trajectories, 2), ("levels", levels, 2)):
        if value < least or (name == "levels" and value % 2):
            even = "an even " if name == "levels" else "a "
            raise InputError(f"{value} does not do", where=name, hint=f"{even}number of at least {least}")
    problem = _problem(ranges)
    unit = np.asarray(morris.sample(problem, trajectories, num_levels=levels, seed=seed), np.float64)
    return MorrisDesign(
        ranges=dict(ranges), unit=unit.reshape(trajectories, len(ranges) + 1, len(ranges)), levels=levels
    )


def _problem(ranges: Mapping[str, Any]) -> dict[str, Any]:
    return {"num_vars": len(ranges), "names": list(ranges), "bounds": [[0.0, 1.0]] * len(ranges)}


def screening(
    study: Study, design: MorrisDesign, said: str | Conclusion, *, level: float = 0.95, seed: int = 1
) -> pl.DataFrame:
    """Return which doubtful number moves a conclusion's margin most, and which turns it round.

    Parameters
    ----------
    study
        A run of the design: its cells are the design's, times the values of the conclusion's setting.
    design
        From `morris_design`.
    said
        The conclusion.
    level
        Confidence level of the intervals, over the random paths (bootstrap).
    seed
        Seed of the bootstrap.

    Returns
    -------
    pl.DataFrame
        One row a number, the most important first: ``conclusion``, ``number`` (its path), ``low``, ``high`` (its
        range); ``mu_star`` with ``mu_star_low`` and ``mu_star_high`` (mean size of what a move over the whole range
        changes in the margin, in the metric's unit), ``mu`` (the same with its sign), ``sigma`` with ``sigma_low`` and
        ``sigma_high`` (spread of these changes: the number acts together with others, or not in a straight line);
        ``noise`` (the mu_star that the luck of the games alone would show), ``above_noise`` (whether mu_star_low
        exceeds it); ``moves``, and of these ``flips``: how many turned the verdict from holds to flips or back.

    Raises
    ------
    InputError
        When the run lacks a setting of the design or has several of them.
    """
    from SALib.analyze import morris

    one = conclusion(said)
    found = _by_point(study, design, one, level)
    shape = design.unit.shape
    points = [[found[_key(design.settings(t, p))] for p in range(shape[1])] for t in range(shape[0])]
    margin = np.array([[_value(study, point) for point in path] for path in points])
    effects, errors, flips = _moves(study, design, one, points, margin)
    made = morris.analyze(
        _problem(design.ranges),
        design.unit.reshape(-1, shape[2]),
        margin.reshape(-1),
        num_levels=design.levels,
        conf_level=level,
        num_resamples=2,
        seed=seed,
    )
    sizes = np.abs(effects)
    draws = np.random.default_rng(seed).integers(0, shape[0], (_BOOTSTRAPS, shape[0]))
    ends = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    star = np.quantile(sizes[draws].mean(axis=1), ends, axis=0)
    sigma = np.quantile(effects[draws].std(axis=1, ddof=1), ends, axis=0)
    noise = np.sqrt(2.0 / math.pi) * np.sqrt((errors**2).mean(axis=0))
    ranges = [_ends(spec) for spec in design.ranges.values()]
    table = pl.DataFrame(
        {
            "conclusion": [one.text] * shape[2],
            "number": list(design.ranges),
            "low": [str(low) for low, _ in ranges],
            "high": [str(high) for _, high in ranges],
            "mu_star": np.asarray(made["mu_star"], np.float64),
            "mu_star_low": star[0],
            "mu_star_high": star[1],
            "mu": np.asarray(made["mu"], np.float64),
            "sigma": np.asarray(made["sigma"], np.float64),
            "sigma_low": sigma[0],
            "sigma_high": sigma[1],
            "noise": noise,
            "above_noise": star[0] > noise,
            "moves": np.full(shape[2], shape[0], np.int64),
            "flips": flips,
        }
    )
    return table.sort("mu_star", descending=True, maintain_order=True)


def _ends(spec: Any) -> tuple[Any, Any]:
    return (spec[0], spec[-1]) if isinstance(spec, list) else (spec["low"], spec["high"])


def _by_point(study: Study, design: MorrisDesign, one: Conclusion, level: float) -> dict[str, Judged]:
    """Return what becomes of a conclusion at each point of a design."""
    for path in design.ranges:
        if path not in study.swept:
            raise InputError(f"the run does not vary {path}", where=study.name, hint=nearest(path, study.swept))
    found: dict[str, Judged] = {}
    for judgement in judged(study, one, level=level):
        settings = study.settings[judgement.cells[0]]
        key = _key({path: settings[path] for path in design.ranges})
        if key in found:
            others = [path for path in study.swept if path not in design.ranges and path != one.path]
            raise InputError(
                f"the run has several settings of the doubtful numbers ({', '.join(others)} varies, too)",
                where=study.name,
                hint="screen one value of it at a time",
            )
        found[key] = judgement
    missing = [cell for cell in design.cells if _key(cell) not in found]
    if missing:
        raise InputError(f"{len(missing)} settings of the design are not in the run", where=study.name)
    return found


def _value(study: Study, point: Judged) -> float:
    value = point.weakest.margin.value
    if value is None:
        raise InputError(
            f"nothing to count in cell {point.cells[0]}, so that its margin is unknown",
            where=study.name,
            hint="play more games, or screen another metric",
        )
    return value


_Moves = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]


def _moves(
    study: Study,
    design: MorrisDesign,
    one: Conclusion,
    points: Sequence[Sequence[Judged]],
    margin: NDArray[np.float64],
) -> _Moves:
    """Return what each move changed per range, its standard error from the games, and the moves that turned it round.

    The first two have the shape ``(trajectories, numbers)``, the last ``(numbers,)``.
    """
    paths, count = len(points), design.unit.shape[2]
    effects, errors = np.zeros((paths, count)), np.zeros((paths, count))
    flips = np.zeros(count, np.int64)
    for t, path in enumerate(points):
        for p in range(count):
            change = design.unit[t, p + 1] - design.unit[t, p]
            number = int(np.argmax(np.abs(change)))
            effects[t, number] = (margin[t, p + 1] - margin[t, p]) / change[number]
            errors[t, number] = _error(study, one, path[p], path[p + 1]) / design.step
            flips[number] += {path[p].state, path[p + 1].state} == {"holds", "flips"}
    return effects, errors, flips


def _error(study: Study, one: Conclusion, before: Judged, after: Judged) -> float:
    """Return the standard error of the change of the margin between two points, from the deals they share."""
    weights: dict[int, float] = {}
    for sign, point in ((-1.0, before), (1.0, after)):
        step = point.weakest
        weights[step.plus] = weights.get(step.plus, 0.0) + sign * step.sign
        if step.minus is not None:
            weights[step.minus] = weights.get(step.minus, 0.0) - sign * step.sign
    cells = sorted(cell for cell, weight in weights.items() if weight)
    if len(cells) < 2:  # the two points are one and the same
        return 0.0
    (joint,) = common([Place(study, cell) for cell in cells], [wanted(study, one.metric)]).numbers
    _, covariance = joint.ratios()
    weight = np.array([weights[cell] for cell in cells])
    variance = float(weight @ covariance @ weight)
    return math.sqrt(variance) if variance > 0 else 0.0
