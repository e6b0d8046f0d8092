"""Runs made by hand, small enough to count: rows of the toy game in the files of a run folder."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
from toy_install import install

from pompeii_sim import games
from pompeii_sim.analysis import Study, study
from pompeii_sim.run.execute import schema_of
from pompeii_sim.store.reader import Run
from pompeii_sim.store.schema import to_frame

install()
TOY = games.get("toy")
SCHEMA = schema_of(TOY, "full")
VICTORY, DISASTER, CAP = 1, 2, 3
KINDS = ("a", "b", "b")


def game(ended_by: int, rounds: int, winners: int = 0, **more: Any) -> dict[str, Any]:
    return {"ended_by": ended_by, "rounds": rounds, "winners": winners, **more}


def hand_made(
    folder: Path,
    *cells: list[dict[str, Any]],
    settings: list[dict[str, Any]] | None = None,
    kinds: tuple[str, ...] | list[tuple[str, ...]] = KINDS,
    seating: str = "rotate",
    series: list[list[dict[str, Any]]] | None = None,
    part: int = 4,
    seed: int = 1,
) -> Study:
    """Return a study of cells whose games are given; parts hold `part` games (whole deals)."""
    tables = kinds if isinstance(kinds, list) else [kinds] * len(cells)
    for cell, items in enumerate(cells):
        rows = np.zeros(len(items), TOY.dtypes.row)
        rows["game"] = rows["deal"] = np.arange(len(items))
        rows["seat_spec"] = -1
        rows["seat_spec"][:, : len(tables[cell])] = np.arange(len(tables[cell]))
        for at, item in enumerate(items):
            for name, value in item.items():
                rows[name][at] = value
        place = folder / "games" / f"cell={cell}"
        place.mkdir(parents=True)
        for first in range(0, len(items), part):
            to_frame(rows[first : first + part], SCHEMA.columns).write_parquet(place / f"part-{first:012d}.parquet")
    for cell, lines in enumerate(series or []):
        place = folder / "series" / f"cell={cell}"
        place.mkdir(parents=True)
        rows = np.zeros(len(lines), TOY.dtypes.series)
        for at, line in enumerate(lines):
            for name, value in line.items():
                rows[name][at] = value
        to_frame(rows, SCHEMA.series).write_parquet(place / f"part-{0:012d}.parquet")
    chosen = settings or [{} for _ in cells]
    plan = {
        "game": "toy",
        "game_version": 1,
        "seed": seed,
        "seating": seating,
        "cells": [
            {"settings": s, "rules": {}, "seats": [{"player": k, "skill": i / 2} for i, k in enumerate(t)]}
            for s, t in zip(chosen, tables, strict=True)
        ],
    }
    run = Run(folder)
    run.__dict__.update(
        manifest=SimpleNamespace(plan=plan),
        schema=SCHEMA,
        cells=pl.DataFrame({"cell": list(range(len(cells))), "kinds": [list(t) for t in tables]}),
    )
    return study(run)


def row(frame: pl.DataFrame, **keys: Any) -> dict[str, Any]:
    """Return the one row of an answer with these keys."""
    found = frame.filter(*(pl.col(name) == value for name, value in keys.items()))
    assert found.height == 1, found
    return found.row(0, named=True)
