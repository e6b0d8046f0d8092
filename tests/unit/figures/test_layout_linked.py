"""Settings that change together, such as the stance of three seats, are one setting for people."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pompeii_sim.analysis.ladder import groups
from pompeii_sim.figures.layout import COMBINATION, Layout


def _study(linked: bool) -> Any:
    settings = [
        {"seats.0.stance": a, "seats.1.stance": a if linked else b, "rules.level": level}
        for a in ("pays", "never")
        for b in (("pays",) if linked else ("pays", "never"))
        for level in ("A", "B")
    ]
    return SimpleNamespace(
        settings=settings, cells=range(len(settings)), swept=tuple(settings[0]), kinds=[("x", "y")] * len(settings)
    )


def test_linked_settings_are_one_key_and_a_full_product() -> None:
    layout = Layout(_study(linked=True))
    assert layout.keys == ("seats.0.stance", "rules.level")
    assert layout.linked["seats.0.stance"] == ("seats.1.stance",)
    assert layout.full
    assert layout.labels == ["pays, A", "pays, B", "never, A", "never, B"]


def test_free_settings_stay_apart() -> None:
    layout = Layout(_study(linked=False))
    assert layout.keys == ("seats.0.stance", "seats.1.stance", "rules.level")
    assert layout.linked["seats.0.stance"] == ()


def test_a_ladder_takes_linked_settings_along() -> None:
    linked = groups(_study(linked=True), "seats.0.stance")
    assert [group.cells for group in linked] == [(0, 2), (1, 3)]
    free = groups(_study(linked=False), "seats.0.stance")
    assert [group.cells for group in free] == [(0, 4), (1, 5), (2, 6), (3, 7)]


def _sample(draws: int, numbers: int) -> Any:
    """A sample: each draw has numbers of its own and is played with both levels."""
    settings = [
        {"rules.level": level, **{f"data.n{k}": (draw * (k + 3)) % (4 + k % 3) for k in range(numbers)}}
        for draw in range(draws)
        for level in ("A", "B")
    ]
    return SimpleNamespace(
        settings=settings, cells=range(len(settings)), swept=tuple(settings[0]), kinds=[("x",)] * len(settings)
    )


def test_the_numbers_of_a_sample_are_one_key_beside_what_is_swept_in_full() -> None:
    layout = Layout(_sample(draws=5, numbers=40))
    assert layout.keys == ("rules.level", COMBINATION)
    assert "rules.level" not in layout.combined
    assert layout.values(COMBINATION) == ["1", "2", "3", "4", "5"]
    assert layout.labels[2:4] == ["A, 2", "B, 2"]
    assert layout.combinations_told()[1].startswith("2: n0 3, n1 4, n2 5, n3 2")
    assert layout.full  # though the product of all values has more members than there are atoms


def test_one_setting_that_differs_alone_is_told_by_itself() -> None:
    study = _sample(draws=3, numbers=1)
    layout = Layout(study)
    assert layout.keys == ("rules.level", "data.n0")
    assert layout.combined == ()
    one = SimpleNamespace(settings=[{}], cells=range(1), swept=(), kinds=[("x",)])
    assert (Layout(one).keys, Layout(one).full) == ((), True)
