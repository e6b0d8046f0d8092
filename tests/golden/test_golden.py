"""The same games on every way of playing them, and the same as when the fingerprints were kept.

After a change that is meant to change games: ``python -m tests.golden.renew``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from golden_games import DOCUMENTS, GAMES, expected, fingerprint, frame, short

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RENEW = "games changed; if that was meant: python -m tests.golden.renew"


def in_another_process(which: str, **environment: str) -> dict[str, Any]:
    """Return the fingerprints that another interpreter computes."""
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    strict = ["-W", "error", "-W", "ignore:First-class function"]
    done = subprocess.run(
        [sys.executable, *strict, "-m", "tests.golden.renew", "--print", which],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_every_run_has_a_kept_fingerprint() -> None:
    assert set(expected("all")) == set(expected("short")) == set(DOCUMENTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_games_are_the_kept_ones(name: str) -> None:
    assert fingerprint(frame(name)) == expected("all")[name], RENEW


@pytest.mark.parametrize("name", ["four-greedy", "three-mixed", "two-switches"])
def test_jobs_chunks_and_parts_change_nothing(name: str) -> None:
    kept = expected("all")[name]
    for jobs, chunk, part_size in ((2, None, 20_000), (1, 1, 20_000), (2, 5, 20_000), (2, 3, 6)):
        assert fingerprint(frame(name, jobs=jobs, chunk=chunk, part_size=part_size)) == kept, (jobs, chunk, part_size)


def test_the_first_games_do_not_depend_on_how_many_follow() -> None:
    long = frame("four-greedy")
    short = frame("four-greedy", games=GAMES // 2)
    assert long.head(GAMES // 2).equals(short)
    assert fingerprint(short) != fingerprint(long)


def test_a_fingerprint_sees_one_changed_number() -> None:
    rows = frame("two-greedy", games=4)
    other = rows.with_columns(rounds=rows["rounds"] + (rows["game"] == 2).cast(rows["rounds"].dtype))
    assert fingerprint(rows) != fingerprint(other)


def test_the_order_of_sets_changes_nothing() -> None:
    """Another process with another hash seed; this process has one of its own."""
    assert in_another_process("short", PYTHONHASHSEED="4242") == expected("short")


def test_code_as_shipped_plays_the_same_games() -> None:
    """All other tests run with bounds checks on; the package is shipped without."""
    assert in_another_process("short", NUMBA_BOUNDSCHECK="0") == expected("short")


def test_plain_python_plays_the_same_games() -> None:
    """The source without the compiler: a fault of the compiler, or of types only it has, would show."""
    assert in_another_process("short", NUMBA_DISABLE_JIT="1", PYTHONHASHSEED="0") == expected("short")


def test_the_short_games_see_the_awakening() -> None:
    """Those that plain Python plays hold offerings, so the whole of the rules is compared."""
    assert sum(frame(name, games=2, overrides=short(name))["offerings"][0] > 0 for name in DOCUMENTS) >= 4
