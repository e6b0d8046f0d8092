"""The public facts on length and reach that assumed data must meet, each measured with its interval.

The rulebook says about 30 minutes a player, that three workers can win, and which solo titles there are. Nothing else
is a target: who wins, how often Vesuvius erupts and which deck is harder are results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.columns import TITLE_LABELS
from pompeii_sim.run.execute import execute
from pompeii_sim.scenario import load_scenario
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import t_mean
from pompeii_sim.stats.wilson import wilson

ACTIONS = (35.0, 75.0)
"""About 30 minutes a player [rulebook, Tips & Hints], read as so many worker actions of 24 to 51 seconds."""

LEAST_TITLE = 0.01
"""Least share of solo victories that every title must have to count as within reach."""

PLAYERS = ("greedy", "planner")
"""Who sits at tables of four. They pay every offering, so that the deck hardly matters; it is B."""

SOLO_PLAYER = "planner"
"""Who plays alone: titles are about winning, and a greedy player hardly ever wins alone."""

SOLO_SEEDS = 1000
"""How far the seeds of solo games lie from those of tables."""

SEATS = 4
FEW = 3
"""Workers at the start; a seat that never takes a fourth."""

State = Literal["met", "missed", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One target as measured.

    Parameters
    ----------
    target
        What is asked.
    table
        Who played it.
    measured
        The number with its interval.
    low, high
        Bounds that the target sets; None for none.
    percent
        Whether the number is a share.
    """

    target: str
    table: str
    measured: Estimate
    low: float | None = None
    high: float | None = None
    percent: bool = False

    @property
    def state(self) -> State:
        """``met`` when the whole interval lies within the bounds, ``missed`` when it lies wholly outside."""
        made = self.measured
        if made.value is None:
            return "undecided"
        least = made.value if made.low is None else made.low
        most = made.value if made.high is None else made.high
        if (self.low is None or least > self.low) and (self.high is None or most < self.high):
            return "met"
        outside = (self.low is not None and most < self.low) or (self.high is not None and least > self.high)
        return "missed" if outside else "undecided"

    @property
    def gap(self) -> float:
        """How far the measured value lies outside the bounds, 0 within; infinite when nothing could be measured."""
        value = self.measured.value
        if value is None:
            return np.inf
        below = 0.0 if self.low is None else self.low - value
        above = 0.0 if self.high is None else value - self.high
        return max(0.0, below, above)


def measure(*, games: int, seed: int, data: Mapping[str, int] | None = None, jobs: int | None = None) -> list[Finding]:
    """Play what the targets are about and return each target with its interval.

    Parameters
    ----------
    games
        Games of each table, and of each solo deck.
    seed
        Of all chance; each solo deck has a seed of its own, so that its games are independent of the others'.
    data
        Changes of the data, path below ``data.`` -> value.
    jobs
        Threads; never changes results.

    Returns
    -------
    list of Finding
        For each of the `PLAYERS`, four alike that pay every offering: worker actions a player; the share of victories
        with three workers where nobody takes a fourth; how many rounds more these need than the same deals with more
        workers. For the solo player: the share of each title, decks A to C together.
    """
    found: list[Finding] = []
    for player in PLAYERS:
        free = _victories([{"player": player}] * SEATS, "B", games, seed, data, jobs)
        few = _victories([{"player": player, "weights": {"under": float(FEW)}}] * SEATS, "B", games, seed, data, jobs)
        found += [*_length(free, player), *_few_workers(free, few, player)]
    alone = [
        _victories([{"player": SOLO_PLAYER}], deck, games, seed + SOLO_SEEDS + at, data, jobs)
        for at, deck in enumerate("ABC")
    ]
    return [*found, *_titles(pl.concat(alone), SOLO_PLAYER)]


def _victories(
    seats: list[dict[str, Any]], deck: str, games: int, seed: int, data: Mapping[str, int] | None, jobs: int | None
) -> pl.DataFrame:
    """Return the games of a table that end in victory."""
    document = {
        "game": "pompeii",
        "seed": seed,
        "games": games,
        "rules": {"difficulty": deck},
        "seats": seats,
        "data_overrides": dict(data or {}),
    }
    frame = execute(load_scenario(document), jobs=jobs, series_every=0).games().collect()
    return frame.filter((pl.col("ended_by") == c.END_VICTORY) & (pl.col("error") == 0)).sort("game")


def _length(free: pl.DataFrame, player: str) -> Iterator[Finding]:
    actions = pl.mean_horizontal([f"worker_actions_{seat}" for seat in range(SEATS)])
    yield Finding(
        target="worker actions a player, games won",
        table=f"4 {player}",
        measured=t_mean(free.select(actions).to_series().to_numpy()),
        low=ACTIONS[0],
        high=ACTIONS[1],
    )


def winners_workers(frame: pl.DataFrame) -> NDArray[np.int64]:
    """Return the workers of each victory's winner at the end."""
    masks = frame["winners"].to_numpy()
    workers = frame.select([f"workers_{seat}" for seat in range(SEATS)]).to_numpy()
    seat = np.array([int(mask).bit_length() - 1 for mask in masks], np.int64)
    return np.asarray(workers[np.arange(len(seat)), seat], np.int64)


def _few_workers(free: pl.DataFrame, few: pl.DataFrame, player: str) -> Iterator[Finding]:
    table = f"4 {player}, at most 3 workers each"
    happens = wilson(int((winners_workers(few) == FEW).sum()), few.height)
    yield Finding(target="victories with three workers", table=table, measured=happens, low=0.0, percent=True)
    both = few.join(free, on="game", suffix="_free", maintain_order="left")
    later = (both["rounds"].cast(pl.Int64) - both["rounds_free"].cast(pl.Int64)).to_numpy()
    yield Finding(target="rounds later than with more workers", table=table, measured=t_mean(later), low=0.0)


def _titles(solo: pl.DataFrame, player: str) -> Iterator[Finding]:
    for code, name in sorted(TITLE_LABELS.items(), reverse=True):
        if code:
            share = wilson(int((solo["title"] == code).sum()), solo.height)
            yield Finding(
                target=f"solo title {name}",
                table=f"1 {player}, decks A to C",
                measured=share,
                low=LEAST_TITLE,
                percent=True,
            )
