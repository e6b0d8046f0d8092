"""--set and [sweep]: paths, values, products, lists, Latin hypercubes."""

from __future__ import annotations

from typing import Any

import pytest

from pompeii_sim.errors import InputError
from pompeii_sim.scenario import load_scenario
from pompeii_sim.scenario.document import parse_override
from pompeii_sim.scenario.paths import split

pytestmark = pytest.mark.usefixtures("game")

SEATS: list[dict[str, Any]] = [{"player": "greedy"}, {"player": "random"}]


def scenario(sweep: Any = None, overrides: Any = (), **more: Any) -> Any:
    document = {"game": "stub", "seats": SEATS, **more}
    return load_scenario(document if sweep is None else {**document, "sweep": sweep}, overrides)


def error(sweep: Any = None, overrides: Any = (), **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        scenario(sweep, overrides, **more)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b=3", ("a.b", 3)),
        ("a = 0.5", ("a", 0.5)),
        ("a=true", ("a", True)),
        ("a=bottom", ("a", "bottom")),
        ('a="bottom"', ("a", "bottom")),
        ("a=bottom-half", ("a", "bottom-half")),
        ("a=mine.py:clever", ("a", "mine.py:clever")),
        ('a=["A", 2]', ("a", ["A", 2])),
        ("a={x=1}", ("a", {"x": 1})),
        ("a=b=c", ("a", "b=c")),
        ("a=-1", ("a", -1)),
    ],
)
def test_override_values(text: str, expected: Any) -> None:
    assert parse_override(text) == expected
    assert type(parse_override(text)[1]) is type(expected[1])


@pytest.mark.parametrize("text", ["a", "=3", "a=", "a=[1", 'a="x', "a=1\nb=2", "a=nan", "a=2020-01-01"])
def test_override_faults(text: str) -> None:
    with pytest.raises(InputError, match="--set"):
        parse_override(text)


def test_split() -> None:
    assert split('weights."a.b".c', "") == ("weights", "a.b", "c")
    for bad in ("a..b", "", "a.", '"a', '"a"b'):
        with pytest.raises(InputError, match="is not a path"):
            split(bad, "here")


def test_overrides_reach_every_place() -> None:
    s = scenario(None, ["rules.difficulty=C", 'rules.deal.hands.0=["S1"]', "skill=0.5", "seats.1.stance=never"])
    cell = s.cells[0]
    assert cell.rules.difficulty == "C"
    assert cell.rules.deal.hands == {"0": ["S1"]}
    assert [x.skill for x in cell.seats] == [0.5, 0.5]
    assert [x.stance for x in cell.seats] == ["cooperative", "never"]
    assert len(scenario(None, ["seats=[{player='random'}]"]).cells[0].seats) == 1


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("rule.difficulty=A", "did you mean 'rules'"),
        ("rules.dificulty=A", "did you mean 'difficulty'"),
        ("seats.2.skill=1", "seats are 0 to 1"),
        ("seats.0=1", "no field"),
        ("seats.0.skil=1", "did you mean 'skill'"),
        ("rules.cap.x=1", "whole number"),
        ("rules.difficulty=D", "valid: A, B, C"),
        ("games=0", "at least 1"),
        ("game=stib", "did you mean 'stub'"),
    ],
)
def test_override_paths_that_lead_nowhere(override: str, words: str) -> None:
    assert words in error(None, [override])


def test_full_product_last_path_fastest() -> None:
    s = scenario({"rules.difficulty": ["A", "B"], "stance": ["cooperative", "never"], "rules.cards": [9, "all"]})
    assert len(s.cells) == 8
    assert [c.index for c in s.cells] == list(range(8))
    assert s.cells[1].settings == {"rules.difficulty": "A", "stance": "cooperative", "rules.cards": "all"}
    assert s.cells[6].settings == {"rules.difficulty": "B", "stance": "never", "rules.cards": 9}
    assert s.cells[6].rules.difficulty == "B"
    assert [x.stance for x in s.cells[6].seats] == ["never", "never"]
    assert s.swept == ("rules.difficulty", "stance", "rules.cards")


def test_nested_and_dotted_sweep_keys_are_one() -> None:
    nested = scenario({"rules": {"difficulty": ["A", "B"]}, "seats": {"0": {"stance": ["never", "cooperative"]}}})
    dotted = scenario({"rules.difficulty": ["A", "B"], "seats.0.stance": ["never", "cooperative"]})
    assert nested.document == dotted.document
    assert [c.settings for c in nested.cells] == [c.settings for c in dotted.cells]


def test_listed_cells_times_product() -> None:
    s = scenario(
        {"cells": [{"rules": {"cap": 5}, "seats.0.player": "random"}, {"rules.cap": 6}], "rules.difficulty": ["A", "C"]}
    )
    assert [(c.rules.cap, c.rules.difficulty, c.seats[0].player) for c in s.cells] == [
        (5, "A", "random"), (5, "C", "random"), (6, "A", "greedy"), (6, "C", "greedy"),
    ]  # fmt: skip


def test_number_of_seats_can_be_swept() -> None:
    s = scenario({"seats": [[{}], [{}, {}], [{}, {}, {}]]})
    assert [len(c.seats) for c in s.cells] == [1, 2, 3]


def test_data_can_be_swept() -> None:
    s = scenario({"data.costs.army.goods.sword": [1, 2, 3]})
    assert [c.data.content["costs"]["cost"][0]["goods"]["sword"] for c in s.cells] == [1, 2, 3]
    assert len({c.data.content_hash for c in s.cells}) == 3
    one = scenario({"rules.cap": [5, 6]})
    assert one.cells[0].data is one.cells[1].data


def test_override_fixes_a_swept_path() -> None:
    sweep = {"rules.difficulty": ["A", "B"], "stance": ["cooperative", "never"]}
    s = scenario(sweep, ["rules.difficulty=C"])
    assert [c.rules.difficulty for c in s.cells] == ["C", "C"]
    assert "rules.difficulty" not in s.document["sweep"]
    assert len(scenario(sweep, ["stance=never", "rules.difficulty=C"]).cells) == 1
    assert "sets 'stance' after this" in error(sweep, ["seats.0.stance=never"])
    assert "set by each cell" in error({"cells": [{"rules.cap": 5}]}, ["rules.cap=6"])
    assert len(scenario(sweep, ['sweep.rules.difficulty=["A","B","C"]']).cells) == 6
    assert len(scenario(sweep, ["sweep={}"]).cells) == 1
    assert [c.rules.cap for c in scenario(None, ["sweep={rules={cap=[4,5]}}"]).cells] == [4, 5]


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ({"rules.difficulty": "A"}, "needs a list"),
        ({"rules.difficulty": []}, "needs a list"),
        ({"rules.difficulty": ["A", "A"]}, "stands there twice"),
        ({"rules.difficulty": ["A", "D"]}, "rules.difficulty (cell 1: rules.difficulty = 'D')"),
        ({"rules.dificulty": ["A", "B"]}, "did you mean 'difficulty'"),
        ({"rulse.difficulty": ["A"]}, "did you mean 'rules'"),
        ({"games": [1, 2]}, "cannot be swept"),
        ({"rules": [1, 2]}, "cannot be swept"),
        ({"stance": ["never"], "seats.0.stance": ["never"]}, "set the same thing"),
        ({"rules.cap": [4], "cells": [{"rules.cap": 5}]}, "set the same thing"),
        ({"cells": 3}, "[[sweep.cells]]"),
        ({"cells": []}, "no cells"),
        ({"cells": [{"rules.cap": 5}, {"rules.cap": 5}]}, "twice"),
        ({"rules.cap": list(range(3, 13)), "seats.0.skill": [i / 2000 for i in range(2000)]}, "20000 cells"),
        ([], "must be a table"),
        ({"sample": 3}, "must be a table"),
        ({"sample": {"n": 0, "ranges": {"rules.cap": [4, 5]}}}, "sample.n"),
        ({"sample": {"n": 3}}, "no ranges"),
        ({"sample": {"n": 3, "rnges": {}}}, "did you mean 'ranges'"),
        ({"sample": {"n": 3, "ranges": {"rules.cap": {"low": 5, "high": 5}}}}, "not below"),
        ({"sample": {"n": 3, "ranges": {"rules.cap": {"low": 5}}}}, "not a range"),
        ({"sample": {"n": 3, "ranges": {"rules.cap": 5}}}, "not a range"),
        ({"sample": {"n": 3, "ranges": {"rules.cap": {"low": "a", "high": "b"}}}}, "must be numbers"),
        ({"sample": {"n": 3, "ranges": {"rules.cap": [4]}}, "cells": [{}]}, "exclude each other"),
        ({"sample": {"n": 3, "seed": -1, "ranges": {"rules.cap": [4]}}}, "sample.seed"),
    ],
)
def test_sweep_faults(sweep: Any, words: str) -> None:
    assert words in error(sweep)


def test_latin_hypercube_uses_every_slice_once() -> None:
    sample = {
        "n": 40,
        "seed": 3,
        "ranges": {
            "rules": {"cap": {"low": 5, "high": 14}},
            "skill": {"low": 0.0, "high": 1.0},
            "rules.difficulty": ["A", "B"],
            "data.costs.army.goods.sword": {"low": 1, "high": 4},
        },
    }
    s = scenario({"sample": sample, "rules.open_hands": [True, False]})
    assert len(s.cells) == 80
    draws = [c.settings for c in s.cells[::2]]
    assert sorted(int(d["skill"] * 40) for d in draws) == list(range(40))
    assert sorted(d["rules.cap"] for d in draws) == sorted(list(range(5, 15)) * 4)
    assert sorted(d["rules.difficulty"] for d in draws) == ["A"] * 20 + ["B"] * 20
    assert sorted(d["data.costs.army.goods.sword"] for d in draws) == sorted([1, 2, 3, 4] * 10)
    assert "sample" not in s.document["sweep"]
    again = scenario({"sample": sample, "rules.open_hands": [True, False]})
    assert [c.settings for c in again.cells] == [c.settings for c in s.cells]
    other = scenario({"sample": {**sample, "seed": 4}, "rules.open_hands": [True, False]})
    assert [c.settings for c in other.cells] != [c.settings for c in s.cells]


def test_plausible_ranges_come_from_the_data() -> None:
    def drawn(ranges: Any) -> set[tuple[str, ...]]:
        s = scenario({"sample": {"n": 12, "ranges": ranges}})
        return {tuple(sorted(c.settings)) for c in s.cells}

    sword, stone = "data.costs.army.goods.sword", "data.costs.build.red.goods.stone"
    assert drawn({"data.costs.*": "plausible"}) == {(sword, stone)}
    assert drawn({"data": {"*": "plausible"}}) == {(sword, stone)}
    assert drawn({stone: "plausible", "rules.cap": [5, 6]}) == {(stone, "rules.cap")}
    s = scenario({"sample": {"n": 12, "ranges": {"data.*": "plausible", sword: {"low": 7, "high": 8}}}})
    assert {c.settings[sword] for c in s.cells} == {7, 8}
    assert {c.settings[stone] for c in s.cells} == {2, 3, 4, 5}
    shield = "data.costs.army.goods.shield"
    assert "no plausible range" in error({"sample": {"n": 2, "ranges": {shield: "plausible"}}})
    text = error({"sample": {"n": 2, "ranges": {"data.costs.army.goods.swrd": "plausible"}}})
    assert "did you mean 'data.costs.army.goods.sword'" in text
    assert "nothing there" in error({"sample": {"n": 2, "ranges": {"data.cost.*": "plausible"}}})
    assert "no plausible range" in error({"sample": {"n": 2, "ranges": {"rules.cap": "plausible"}}})
    assert "not a range" in error({"sample": {"n": 2, "ranges": {"rules.cap": "plausibel"}}})
