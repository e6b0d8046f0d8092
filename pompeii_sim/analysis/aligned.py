"""The same deals in several cells, side by side, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from pompeii_sim.analysis.study import Study
from pompeii_sim.errors import InputError


@dataclass(frozen=True, slots=True)
class Place:
    """A cell of a run."""

    study: Study
    cell: int


def not_shared(places: Sequence[Place]) -> str | None:
    """Return why the cells' deals are not the same, None when they are and can be compared pair by pair."""
    first = places[0].study
    for place in places[1:]:
        for key, what in (("game", "game"), ("game_version", "version of the game"), ("seed", "seed")):
            one, other = first.plan[key], place.study.plan[key]
            if one != other:
                return f"another {what}: {one} and {other}"
        if first.by_deal != place.study.by_deal:
            return "one is played in duplicate, the other is not"
    return None


def check_shared(places: Sequence[Place]) -> None:
    """Raise InputError when the cells' deals are not the same."""
    why = not_shared(places)
    if why is not None:
        raise InputError(f"deals are not shared, {why}", where=places[-1].study.name, hint="compare them unpaired")


def aligned(places: Sequence[Place], columns: Sequence[Sequence[str]]) -> Iterator[list[pl.DataFrame]]:
    """Yield batches of the cells that hold the same deals, in order; deals that a cell has not are left out.

    Parameters
    ----------
    places
        The cells.
    columns
        Stored names of the columns wanted of each.
    """
    wanted = [["deal", *(n for n in names if n != "deal")] for names in columns]
    sources = [p.study.batches(p.cell, names) for p, names in zip(places, wanted, strict=True)]
    waiting: list[pl.DataFrame | None] = [None] * len(sources)
    while True:
        ready: list[pl.DataFrame] = []
        for at, source in enumerate(sources):
            held = waiting[at]
            while held is None or held.height == 0:
                held = next(source, None)
                if held is None:
                    return
            ready.append(held)
        upto = min(int(frame["deal"][-1]) for frame in ready)
        cuts = [int(frame["deal"].search_sorted(upto, side="right")) for frame in ready]
        waiting = [frame.slice(cut) for frame, cut in zip(ready, cuts, strict=True)]
        parts = [frame.head(cut) for frame, cut in zip(ready, cuts, strict=True)]
        if all(part["deal"].equals(parts[0]["deal"]) for part in parts[1:]):
            if parts[0].height:
                yield parts
            continue
        common = parts[0]["deal"].unique()
        for part in parts[1:]:
            common = common.filter(common.is_in(part["deal"].unique().implode()))
        kept = [part.filter(pl.col("deal").is_in(common.implode())) for part in parts]
        if kept[0].height:
            yield kept
