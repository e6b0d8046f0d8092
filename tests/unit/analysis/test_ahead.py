"""Reading one part ahead: the order, how far ahead, errors, and an early end."""

from __future__ import annotations

import threading

import pytest

from pompeii_sim.analysis.ahead import ahead


def test_order_and_how_far_ahead() -> None:
    begun: list[int] = []

    def read(place: int) -> int:
        begun.append(place)
        return 10 * place

    seen = []
    for at, content in enumerate(ahead(read, range(6))):
        seen.append(content)
        assert len(begun) <= at + 2
    assert seen == [0, 10, 20, 30, 40, 50]
    assert list(ahead(read, ())) == []


def test_the_next_is_read_while_the_caller_works() -> None:
    second = threading.Event()

    def read(place: int) -> int:
        if place == 1:
            second.set()
        return place

    contents = ahead(read, range(3))
    assert next(contents) == 0
    assert second.wait(10)
    contents.close()  # type: ignore[attr-defined]
    assert [t for t in threading.enumerate() if t.name.startswith("ahead")] == []


def test_error_is_raised_in_its_turn() -> None:
    def read(place: int) -> float:
        return 1 / (2 - place)

    contents = ahead(read, range(4))
    assert [next(contents), next(contents)] == [0.5, 1.0]
    with pytest.raises(ZeroDivisionError):
        next(contents)
