"""Settings that change together, such as the stance of three seats, are one setting for people."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pompeii_sim.analysis.aligned import Place
from pompeii_sim.analysis.compare import cell_name
from pompeii_sim.analysis.ladder import groups
from pompeii_sim.analysis.sides import by_setting
from pompeii_sim.figures.layout import COMBINATION, Layout
from pompeii_sim.store.linked import linked, short, with_value


def _stand_in(settings: list[dict[str, Any]], kinds: tuple[str, ...]) -> Any:
    """Return what a Layout reads of a study."""
    cells = range(len(settings))
    swept = tuple(settings[0])
    return SimpleNamespace(
        settings=settings, cells=cells, swept=swept, linked=linked(settings), kinds=[kinds] * len(cells)
    )


def _study(together: bool) -> Any:
    settings = [
        {"seats.0.stance": a, "seats.1.stance": a if together else b, "rules.level": level}
        for a in ("pays", "never")
        for b in (("pays",) if together else ("pays", "never"))
        for level in ("A", "B")
    ]
    return _stand_in(settings, ("x", "y"))


def test_linked_settings_are_one_key_and_a_full_product() -> None:
    layout = Layout(_study(together=True))
    assert layout.keys == ("seats.0,1.stance", "rules.level")
    assert layout.linked["seats.0,1.stance"] == ("seats.0.stance", "seats.1.stance")
    assert layout.full
    assert layout.labels == ["pays, A", "pays, B", "never, A", "never, B"]


def test_free_settings_stay_apart() -> None:
    layout = Layout(_study(together=False))
    assert layout.keys == ("seats.0.stance", "seats.1.stance", "rules.level")
    assert layout.linked["seats.0.stance"] == ("seats.0.stance",)


@pytest.mark.parametrize(
    ("paths", "name", "told"),
    [
        (["rules.level"], "rules.level", "level"),
        (["seats.0.stance"], "seats.0.stance", "stance of seat 0"),
        (["seats.0.stance", "seats.1.stance"], "seats.0,1.stance", "stance of seats 0 and 1"),
        (["seats.0.stance", "seats.1.stance", "seats.2.stance"], "seats.0-2.stance", "stance of seats 0-2"),
        (["seats.0.skill", "seats.2.skill", "seats.3.skill"], "seats.0,2,3.skill", "skill of seats 0, 2 and 3"),
        (
            ["seats.0.weights.bold", "seats.1.weights.bold", "rules.hand_size"],
            "seats.0,1.weights.bold = rules.hand_size",
            "bold of seats 0 and 1 and hand size",
        ),
    ],
)
def test_linked_settings_have_one_name(paths: list[str], name: str, told: str) -> None:
    found = linked([dict.fromkeys(paths, value) for value in (1, 2)])
    assert found == {name: tuple(paths)}
    assert short(name) == told
    joined = " = " if told[-1].isdigit() else " "
    assert with_value(name, 0.7) == f"{told}{joined}0.7"
    assert with_value(name, "A") == f"{told} A"


def test_compare_takes_linked_settings_along_and_tells_them_once() -> None:
    study = _study(together=True)
    study.linked = linked(study.settings)
    first = by_setting(study, "seats.1.stance")
    assert [(pair.base.cell, pair.other.cell) for pair in first] == [(0, 2), (1, 3)]
    assert first[0].names == "never against pays (level A)"
    second = by_setting(study, "rules.level")
    assert second[0].names == "B against A (stance of seats 0 and 1 pays)"
    assert cell_name(Place(study, 2)) == 'cell 2 (seats.0,1.stance "never", rules.level "A")'


def test_a_ladder_takes_linked_settings_along() -> None:
    linked = groups(_study(together=True), "seats.0.stance")
    assert [group.cells for group in linked] == [(0, 2), (1, 3)]
    free = groups(_study(together=False), "seats.0.stance")
    assert [group.cells for group in free] == [(0, 4), (1, 5), (2, 6), (3, 7)]


def _sample(draws: int, numbers: int) -> Any:
    """A sample: each draw has numbers of its own and is played with both levels."""
    settings = [
        {"rules.level": level, **{f"data.n{k}": (draw * (k + 3)) % (4 + k % 3) for k in range(numbers)}}
        for draw in range(draws)
        for level in ("A", "B")
    ]
    return _stand_in(settings, ("x",))


def test_the_numbers_of_a_sample_are_one_key_beside_what_is_swept_in_full() -> None:
    layout = Layout(_sample(draws=5, numbers=40))
    assert layout.keys == ("rules.level", COMBINATION)
    assert "rules.level" not in layout.combined
    assert layout.values(COMBINATION) == ["1", "2", "3", "4", "5"]
    assert layout.labels[2:4] == ["A, 2", "B, 2"]
    assert layout.combinations_told()[1].startswith("2: n0 and n12 and n24 and n36 = 3, n1 and n16 and n31 = 4, ")
    assert layout.full  # though the product of all values has more members than there are atoms


def test_one_setting_that_differs_alone_is_told_by_itself() -> None:
    study = _sample(draws=3, numbers=1)
    layout = Layout(study)
    assert layout.keys == ("rules.level", "data.n0")
    assert layout.combined == ()
    one = _stand_in([{}], ("x",))
    assert (Layout(one).keys, Layout(one).full) == ((), True)
