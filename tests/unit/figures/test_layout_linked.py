"""Settings that change together, such as the stance of three seats, are one setting for people."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pompeii_sim.analysis.ladder import groups
from pompeii_sim.figures.layout import Layout


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
