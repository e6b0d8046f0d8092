"""When games end: the risk of each round, and the share ended by each round, for ends that compete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from pompeii_sim.analysis.clock import ANY, Clock, Lives, lives
from pompeii_sim.analysis.study import Study
from pompeii_sim.analysis.tidy import Line, tidy
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.hazard import hazard as hazard_curve
from pompeii_sim.stats.incidence import cumulative_incidence
from pompeii_sim.stats.kaplan_meier import kaplan_meier
from pompeii_sim.stats.wilson import wilson

KEYS = {"end": pl.String, "round": pl.Int64}
MORE = {"at_risk": pl.Int64, "ended": pl.Int64}


def hazard(
    study: Study,
    *,
    since: str | None = None,
    event: str | None = None,
    name: str | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the risk of each round: of the games that reached it, the share in which it happened.

    Parameters
    ----------
    study
        The run.
    since
        Column with the rounds from the start of the clock to the end of the game, the first one included; games in
        which the clock never started are left out. None times the whole game.
    event
        Column with the round of the game in which something happened first, 0 for never, to time it as well.
    name
        What the event is called in the answer.
    cell
        One cell, several, or all.
    level
        Confidence level of each round's interval.

    Returns
    -------
    pl.DataFrame
        Keys ``end`` (each end that is not censored, the event, and ``any``) and ``round`` of the clock, from 1; the
        Estimate, null with a note in rounds nobody reached; ``at_risk`` and ``ended`` are the counts behind. Games
        stopped at a cap count as at risk in their last round.
    """
    clock = Clock(since=since, event=event, name=name)

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            found = lives(study, index, clock)
            for end in (*found.causes, ANY):
                code = found.causes.get(end)
                ended = found.table.all_ends if code is None else found.table.row(code)
                made = hazard_curve(found.table, cause=code, level=level).estimates()
                if study.by_deal:
                    sums = found.by_round[end]
                    made = _ratios(ended, found.table.at_risk, sums.yy, sums.xy, sums.xx, sums.deals, made, level)
                yield from _rounds(index, end, made, found, ended)

    return tidy(study, lines(), KEYS, MORE)


def incidence(
    study: Study,
    *,
    since: str | None = None,
    event: str | None = None,
    name: str | None = None,
    cell: int | Sequence[int] | None = None,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the share of games that have ended in each way by each round; ends compete.

    Parameters
    ----------
    study, since, event, name, cell, level
        As for `hazard`.

    Returns
    -------
    pl.DataFrame
        Keys ``end`` and ``round`` as for `hazard`; the Estimate of the cumulative incidence (``any``: of the share that
        has ended at all). Only games stopped at a cap are censored; another end is none. When the deal is the unit,
        rounds after the first game was stopped have a value without an interval, and a note.
    """
    clock = Clock(since=since, event=event, name=name)

    def lines() -> Iterator[Line]:
        for index in study.chosen(cell):
            found = lives(study, index, clock)
            for end in (*found.causes, ANY):
                code = found.causes.get(end)
                ended = found.table.all_ends if code is None else found.table.row(code)
                if code is None:
                    curve = kaplan_meier(found.table, level=level).estimates()
                    followed = found.table.followed.tolist()
                    made = [replace(_turned(e), n=n) for e, n in zip(curve, followed, strict=True)]
                else:
                    made = cumulative_incidence(found.table, code, level=level).estimates()
                if study.by_deal:
                    made = _incidence_by_deal(found, end, ended, made, level)
                yield from _rounds(index, end, made, found, ended)

    return tidy(study, lines(), KEYS, MORE)


def _rounds(cell: int, end: str, made: Sequence[Estimate], found: Lives, ended: NDArray[np.int64]) -> Iterator[Line]:
    for number, estimate in enumerate(made):
        if number:  # the clock starts with round 1
            more = {"at_risk": int(found.table.at_risk[number]), "ended": int(ended[number])}
            yield Line(cell, {"end": end, "round": number}, estimate, more)


def _turned(survival: Estimate) -> Estimate:
    """Return the share that has ended from the share that has not."""
    if survival.value is None or survival.low is None or survival.high is None:
        return survival
    return replace(survival, value=1 - survival.value, low=1 - survival.high, high=1 - survival.low)


def _incidence_by_deal(
    found: Lives, end: str, ended: NDArray[np.int64], made: Sequence[Estimate], level: float
) -> list[Estimate]:
    sums, table = found.by_round[end], found.table
    size = table.at_risk.size
    everybody = np.full(size, table.n, np.int64)
    units = np.full(size, found.units, np.int64)
    exact = _ratios(np.cumsum(ended), everybody, sums.cc, sums.cm, sums.mm, units, made, level)
    followed = table.followed == table.n
    note = "some games were stopped before: no interval with the deal as the unit"
    return [
        one if whole else replace(curve, low=None, high=None, n=found.units, note=note)
        for one, curve, whole in zip(exact, made, followed.tolist(), strict=True)
    ]


def _ratios(
    y: NDArray[np.int64],
    x: NDArray[np.int64],
    yy: NDArray[np.float64],
    xy: NDArray[np.float64],
    xx: NDArray[np.float64],
    units: NDArray[np.int64],
    plain: Sequence[Estimate],
    level: float,
) -> list[Estimate]:
    """Return ratios of sums over deals with the linearised variance of a cluster sample (Cochran 1977, section 6.3).

    Where no spread between deals was seen, the interval for single games stands, with the number of deals.
    """
    out = []
    for i, curve in enumerate(plain):
        n = int(units[i])
        if x[i] == 0 or n < 2:
            note = "one deal: its spread is unknown, so there is no interval" if x[i] else curve.note
            out.append(replace(curve, n=n, low=None, high=None, note=note))
            continue
        ratio = float(y[i] / x[i])
        spread = float(yy[i] - 2 * ratio * xy[i] + ratio * ratio * xx[i])
        if y[i] in (0, x[i]) or spread <= 1e-9 * float(yy[i]):
            out.append(_few(int(y[i]), int(x[i]), n, level))
            continue
        half = -float(special.stdtrit(n - 1, (1 - level) / 2)) * float(np.sqrt(spread * n / (n - 1))) / float(x[i])
        out.append(
            Estimate(
                value=ratio, low=max(0.0, ratio - half), high=min(1.0, ratio + half), n=n, level=level,
                method="t, deals",
            )
        )  # fmt: skip
    return out


def _few(y: int, x: int, deals: int, level: float) -> Estimate:
    """Return Wilson's interval with the deals as units, where they all agree."""
    made = wilson(round(deals * y / x), deals, level=level)
    return replace(made, value=y / x, method="wilson, deals")
