"""Calibration: what may be changed, when a target is missed, and that the search finds the smallest change."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from pompeii_sim.games.pompeii.data_files import load_data
from pompeii_sim.games.pompeii.insight.calibration import Measure, Number, assumed_numbers, missed, propose, table
from pompeii_sim.games.pompeii.insight.targets import Finding, winners_workers
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.wilson import wilson


def _finding(value: float, low: float, high: float, *, half: float = 0.5) -> Finding:
    made = Estimate(value=value, low=value - half, high=value + half, n=100, level=0.95, method="t")
    return Finding(target="length", table="4", measured=made, low=low, high=high)


@pytest.mark.parametrize(
    ("value", "state"),
    [(40.0, "met"), (35.4, "undecided"), (34.6, "undecided"), (34.4, "missed"), (75.6, "missed"), (74.4, "met")],
)
def test_a_target_is_met_or_missed_by_its_whole_interval(value: float, state: str) -> None:
    assert _finding(value, 35.0, 75.0).state == state


def test_nothing_measured_is_undecided() -> None:
    finding = Finding(target="title", table="1", measured=wilson(0, 0), low=0.01, percent=True)
    assert finding.state == "undecided"
    assert np.isinf(finding.gap)


def test_only_assumed_numbers_may_be_changed() -> None:
    data = load_data(None)
    numbers = assumed_numbers(data)
    by_path = {number.path: number for number in numbers}
    assert {f"costs.army.goods.{good}" for good in ("sword", "gold_coin", "cloth")} <= set(by_path)
    assert {"goods.oil.value", "goods.wine.value", "goods.cloth.value"} <= set(by_path)
    assert "costs.build.red.goods.wood" not in by_path  # its range is one value
    for number in numbers:
        section, _, rest = number.path.partition(".")
        entry = next(e for e in data.entries()[section] if rest.startswith(f"{getattr(e, 'id', '')}."))
        field = rest.removeprefix(f"{getattr(entry, 'id', '')}.").partition(".")[0]
        assert entry.origin(field).provenance == "assumed", number
        assert number.low <= number.value <= number.high


NUMBERS = [
    Number(path="costs.army.goods.sword", value=2, low=1, high=3),
    Number(path="costs.build.blue.goods.planks", value=1, low=1, high=2),
    Number(path="goods.oil.value", value=3, low=2, high=4),
]


def _length(weights: Mapping[str, float], base: float, played: list[dict[str, int]]) -> Measure:
    shipped = {number.path: number.value for number in NUMBERS}

    def play(changes: Mapping[str, int]) -> list[Finding]:
        played.append(dict(changes))
        value = base + sum(weights.get(path, 0.0) * (new - shipped[path]) for path, new in changes.items())
        return [_finding(value, 35.0, 75.0)]

    return play


def test_nothing_is_changed_when_nothing_is_missed() -> None:
    played: list[dict[str, int]] = []
    found = propose(NUMBERS, _length({}, 50.0, played))
    assert found.changes == {}
    assert found.complete
    assert played == [{}]


def test_the_smallest_change_that_meets_the_target_is_proposed() -> None:
    played: list[dict[str, int]] = []
    weights = {"costs.army.goods.sword": 4.0, "costs.build.blue.goods.planks": 1.0}
    found = propose(NUMBERS, _length(weights, 32.0, played))
    assert found.changes == {"costs.army.goods.sword": 3}
    assert found.complete
    two = propose(NUMBERS, _length(weights, 30.0, played))
    assert two.changes == {"costs.army.goods.sword": 3, "costs.build.blue.goods.planks": 2}
    assert two.complete
    assert not missed(two.findings)
    for changes in played:
        for number in NUMBERS:
            assert number.low <= changes.get(number.path, number.value) <= number.high


def test_what_no_change_can_meet_is_told() -> None:
    found = propose(NUMBERS, _length({}, 20.0, []))
    assert found.changes == {}
    assert not found.complete
    text = table(found.findings)
    assert "35 to 75" in text
    assert "missed" in text


def test_the_winners_workers_are_those_of_the_winner() -> None:
    frame = pl.DataFrame(
        {"winners": [1, 8, 2], **{f"workers_{seat}": [3 + seat, 3 + seat, 3 + seat] for seat in range(4)}}
    )
    assert winners_workers(frame).tolist() == [3, 6, 4]
