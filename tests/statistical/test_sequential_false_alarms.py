"""A comparison that may stop at any look calls a difference that is none at most as often as it says.

A thousand contrasts that truly diverge: both sides play the same
rules, but on fresh seeds, or with the seats' names exchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray

TOY = Path(__file__).resolve().parents[1] / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

from toy_install import install, scenario, uninstall  # noqa: E402

from pompeii_sim.analysis.sequential import SequentialResult, decide  # noqa: E402
from pompeii_sim.measure import PairSums, measure_pairs  # noqa: E402
from pompeii_sim.run.contrast import Contrast, contrast  # noqa: E402
from pompeii_sim.run.play import play_range  # noqa: E402

ALPHA = 0.05


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    install()
    yield
    uninstall()


def _decide(ready: Contrast, name: str, label: str = "", most: int = 3000) -> SequentialResult:
    metric = next(m for m in ready.measures[0].metrics if m.name == name)
    return decide(ready, metric, label, effect=1e-9, alpha=ALPHA, most=most, jobs=1)


@dataclass(frozen=True, kw_only=True)
class Played(Contrast):
    """Two settings whose games were played before, so that a thousand comparisons take seconds."""

    base: NDArray[Any]
    other: NDArray[Any]

    def blocks(self, most: int, *, metrics: Sequence[str], **_: Any) -> Iterator[PairSums]:
        measures = [replace(m, metrics=tuple(x for x in m.metrics if x.name in metrics)) for m in self.measures]
        for first in range(0, most, self.step):
            part = slice(first, first + self.step)
            yield measure_pairs(self.base[part], self.other[part], *measures)


def _studies(players: tuple[str, str], number: int, *, seeds: tuple[int, int], most: int = 3000) -> Iterator[Played]:
    """Yield comparisons, each of games that no other one has."""
    like = contrast(scenario(*players), scenario(*players), step=250)
    known = {name: getattr(like, name) for name in Contrast.__dataclass_fields__}
    for first in range(0, number * most, most * 50):
        rows = [play_range(like.prepared[0], seed, first, 50 * most, 0).rows for seed in seeds]
        for at in range(0, 50 * most, most):
            yield Played(**known, base=rows[0][at : at + most], other=rows[1][at : at + most])


def _check(results: list[SequentialResult]) -> None:
    assert all(r.diverged > 0.2 * r.games for r in results)
    assert sum(r.state == "told apart" for r in results) <= ALPHA * len(results)


@pytest.mark.parametrize(("name", "number"), [("victory_rate", 400), ("tosses_mean", 250), ("rounds_mean", 100)])
def test_false_alarms_on_fresh_seeds(name: str, number: int) -> None:
    _check([_decide(one, name) for one in _studies(("eager", "careful"), number, seeds=(11, 12))])


def test_false_alarms_on_relabelled_seats() -> None:
    """The same games twice; the second time seats 0 and 1 have exchanged their names."""
    results = []
    for one in _studies(("eager", "eager"), 250, seeds=(13, 13)):
        mask = one.base["winners"].copy()
        one.other["winners"] = ((mask & 1) << 1) | ((mask >> 1) & 1)
        one.other["score"][:, :2] = one.base["score"][:, 1::-1]
        results.append(_decide(one, "win_share_by_seat", "0"))
    _check(results)


def test_the_alarm_can_ring() -> None:
    """The same machinery finds a difference of four points; without it the tests above would show nothing."""
    ready = contrast(scenario("eager", "careful"), scenario("eager", "careful", rules={"disaster": 0.06}), step=250)
    results = [_decide(replace(ready, seeds=(i, i)), "victory_rate") for i in range(20)]
    assert sum(r.verdict.word == "lower" for r in results) > 16


def test_false_alarms_in_a_real_game() -> None:
    from pompeii_sim.scenario import load_scenario

    real = load_scenario(Path(__file__).resolve().parents[2] / "scenarios" / "quickstart.toml")
    ready = contrast(real, real, step=250)
    results = [_decide(replace(ready, seeds=(2 * i, 2 * i + 1)), "victory_rate", most=500) for i in range(12)]
    assert all(r.diverged > 0.9 * r.games for r in results)
    assert sum(r.state == "told apart" for r in results) <= 2  # more than 2 of 12 at 5 %: 2 in a hundred
