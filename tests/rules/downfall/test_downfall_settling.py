"""The first half by the rules: placing, wild cards, relatives, omens, the two AD 79."""

from __future__ import annotations

import pytest
from downfall_table import Table


def squares(options: list[str], kind: str) -> set[str]:
    return {o.partition(":")[2] for o in options if o.startswith(f"{kind}:")}


def test_card_places_in_any_part_and_square_of_its_building() -> None:
    table = Table()
    table.hand(0, [6, 6, 8, 1])
    assert squares(table.legal(), "place") == {
        "6@3_2", "6@4_2", "6@3_3", "6@4_3", "8@3_6", "8@4_6", "1@1_0", "1@1_1",
    }  # fmt: skip
    table.stack([5])
    table.do("place:6@4_2")
    assert table.people("4_2") == [1, 0, 0, 0]
    assert table.pub["supply"][0] == 24
    assert table.pub["turn_seat"] == 1
    assert table.state["own"]["hand"][0, 0, 5] == 1
    assert "6@4_2" not in squares(table.legal(), "place")  # one space only


def test_wild_card_only_when_the_whole_building_is_full() -> None:
    table = Table()
    table.hand(0, [8, 8, 8, 8])
    table.put({"3_6": {1: 3}, "4_6": {1: 1}})
    assert squares(table.legal(), "place") == {"8@4_6"}
    assert not squares(table.legal(), "wild")
    table.put({"4_6": {2: 1}})
    wild = squares(table.legal(), "wild")
    assert len(wild) == 36 - 2  # every square with a space but the two of building 8
    assert {"8@0_1", "8@1_3", "8@3_10"} <= wild  # neutral ones too
    assert not squares(table.legal(), "place")


def test_wild_card_brings_no_relatives() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [7] * 4)
    table.stack([5])
    table.put({"4_5": {1: 3}, "2_8": {1: 3}})
    table.do("wild:7@2_8")
    assert not table.pub["kin_left"]
    assert table.pub["turn_seat"] == 1


def test_no_relatives_before_the_first_ad79() -> None:
    table = Table()
    table.hand(0, [5] * 4)
    table.stack([5])
    table.put({"2_8": {1: 3}})
    table.do("place:5@2_8")
    assert table.pub["turn_seat"] == 1


def test_relatives_count_the_part_not_the_square() -> None:
    """Two squares of one temple are one part: three people there bring three relatives."""
    for unit, expected in (("part", 3), ("square", 1)):
        table = Table(relatives_count=unit)
        table.seethe()
        table.hand(0, [6] * 4)
        table.put({"3_3": {1: 2}, "4_3": {0: 1}, "3_2": {1: 1}})
        table.do("place:6@4_3")
        assert table.pub["kin_left"] == expected


def test_relatives_go_to_the_colour_other_parts_and_neutral_houses() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 2}})
    options = table.do("place:8@3_6")
    grey = {"1_0", "1_1", "2_5", "2_6", "4_6"}
    neutral = {"0_1", "0_6", "1_3", "1_7", "2_0", "2_4", "3_1", "3_7", "3_9", "3_10", "5_1", "5_3", "5_7"}
    assert squares(options, "relative") == grey | neutral
    assert "stop" in options


def test_one_relative_a_building() -> None:
    table = Table()
    table.seethe()
    table.stack([5])
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 2}})
    table.do("place:8@3_6")
    options = table.do("relative:2_5")
    assert not {"2_5", "2_6"} & squares(options, "relative")  # both are building 4
    assert "4_6" in squares(options, "relative")  # the other part of the own building is still free
    table.do("relative:1_3")
    assert table.pub["turn_seat"] == 1  # two people brought two relatives, no more
    assert len(table.named("placed")) == 3


@pytest.mark.parametrize(("limit", "open_square"), [("part", "2_6"), ("square", "2_6")])
def test_relative_limit_switch(limit: str, open_square: str) -> None:
    table = Table(relatives_limit=limit)
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 2}})
    table.do("place:8@3_6")
    options = table.do("relative:2_5")
    assert open_square in squares(options, "relative")


def test_limit_by_square_lets_two_into_one_part() -> None:
    for limit, expected in (("part", False), ("square", True)):
        table = Table(relatives_limit=limit)
        table.seethe()
        table.hand(0, [8] * 4)
        table.put({"3_6": {1: 2}})
        table.do("place:8@3_6")
        assert ("1_1" in squares(table.do("relative:1_0"), "relative")) is expected


def test_relatives_bring_no_relatives_and_may_be_declined() -> None:
    table = Table()
    table.seethe()
    table.stack([5])
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 1}, "2_6": {1: 3}})
    table.do("place:8@3_6")
    table.do("relative:2_6")
    assert table.pub["turn_seat"] == 1
    table = Table(relatives_optional=False)
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 1}})
    assert "stop" not in table.do("place:8@3_6")
    table = Table()
    table.seethe()
    table.stack([5])
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 1}})
    table.do("place:8@3_6")
    table.do("stop")
    assert table.pub["turn_seat"] == 1


def test_relatives_switched_off() -> None:
    table = Table(relatives=False)
    table.seethe()
    table.stack([5])
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 2}})
    table.do("place:8@3_6")
    assert table.pub["turn_seat"] == 1


def test_square_reading_bars_the_square_not_the_part() -> None:
    table = Table(relatives_count="square", relatives_limit="square")
    table.seethe()
    table.hand(0, [1] * 4)
    table.put({"1_0": {1: 1}})
    assert "relative:1_1" in table.do("place:1@1_0")
    table = Table()
    table.seethe()
    table.hand(0, [1] * 4)
    table.put({"1_0": {1: 1}})
    assert "relative:1_1" not in table.do("place:1@1_0")


def test_no_relative_beyond_the_supply() -> None:
    table = Table(people=3)
    table.seethe()
    table.stack([5])
    table.hand(0, [8] * 4)
    table.put({"3_6": {1: 2}, "2_6": {0: 1}})
    table.do("place:8@3_6")
    table.do("relative:1_3")
    assert table.pub["supply"][0] == 0
    assert table.pub["turn_seat"] == 1


def test_supply_empty() -> None:
    table = Table(people=1)
    table.hand(0, [8, 8, 7, 7])
    table.stack([5])
    table.put({"3_6": {0: 1}})
    assert table.legal() == ["discard:7", "discard:8"]
    table.do("discard:8")
    assert table.pub["turn_seat"] == 1
    assert table.pub["discarded"][8] == 1
    table = Table(people=1, supply_empty="draw-only")
    table.hand(0, [8, 8, 7, 7])
    table.stack([5])
    table.put({"3_6": {0: 1}})
    table.legal()
    assert table.pub["turn_seat"] == 1
    assert list(table.state["own"]["hand"][0, 0, [5, 7, 8]]) == [0, 2, 2]
    assert table.pub["discarded"][5] == 1


@pytest.mark.parametrize("switch", ["play", "draw-only"])
def test_board_full(switch: str) -> None:
    table = Table(people="unlimited", board_full=switch)
    for square in table.data.squares:
        if square.spaces:
            table.put({square.id: {1: square.spaces}})
    table.hand(0, [8, 8, 7, 7])
    table.stack([5, 5])
    options = table.legal()
    if switch == "play":
        assert options == ["discard:7", "discard:8"]
    else:  # everybody only turns up cards, until the stack is out
        assert table.pub["discarded"][5] == 2
        assert list(table.state["own"]["hand"][0, 0, [7, 8]]) == [2, 2]
        assert table.pub["phase"] == 2


def test_first_ad79_is_replaced_and_omens_work_from_then_on() -> None:
    table = Table()
    table.hand(0, [8] * 4)
    table.put({"2_8": {2: 2}, "0_4": {0: 1}})
    table.stack(["ad79", "omen", 5, 5])
    options = table.do("place:8@3_6")
    assert table.pub["phase"] == 1
    assert options == ["omen:2@2_8"]  # not the own person
    table.do("omen:2@2_8")
    assert table.people("2_8") == [0, 0, 1, 0]
    assert table.pub["lost"][2] == 1
    assert table.pub["turn_seat"] == 1
    assert table.state["own"]["hand"][0, 0, 5] == 1
    assert table.named("lost")[0]["cause"] == "omen"
    assert table.tally["first_ad79"] == 1


def test_omens_in_a_row() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"2_8": {2: 2}})
    table.stack(["omen", "omen", 5])
    table.do("place:8@3_6")
    table.do("omen:2@2_8")
    table.do("omen:2@2_8")
    assert table.pub["lost"][2] == 2
    assert table.pub["omens_seen"] == 2
    assert table.pub["turn_seat"] == 1


def test_second_ad79_after_an_omen_ends_the_half_at_once() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"2_8": {2: 2}})
    table.stack(["omen", "ad79", 5])
    table.do("place:8@3_6")
    table.do("omen:2@2_8")
    assert table.pub["phase"] == 2
    assert table.pub["turn_seat"] == 1  # the next seat draws the first tile
    assert table.named("tile")[0]["seat"] == 1
    assert table.pub["lost"][0] == 0  # who is not on the board is no casualty


def test_omen_switches() -> None:
    table = Table(omen_target="any", omen_mandatory=False)
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"2_8": {2: 1}})
    table.stack(["omen", 5])
    assert set(table.do("place:8@3_6")) == {"omen:2@2_8", "omen:0@3_6", "stop"}
    table.do("stop")
    assert table.pub["lost"].sum() == 0
    assert table.pub["turn_seat"] == 1


def test_omen_without_an_opponent_on_the_board() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [8] * 4)
    table.stack(["omen", 5])
    table.do("place:8@3_6")
    assert table.pub["turn_seat"] == 1
    assert table.pub["lost"].sum() == 0
    table = Table(omen_without_target="own")
    table.seethe()
    table.hand(0, [8] * 4)
    table.stack(["omen", 5])
    assert table.do("place:8@3_6") == ["omen:0@3_6"]


@pytest.mark.parametrize(("seats", "edition", "people"), [
    (2, "mayfair-2013", 30), (3, "mayfair-2013", 30), (4, "mayfair-2013", 25),
    (2, "amigo-2004", 36), (3, "amigo-2004", 30), (4, "amigo-2004", 25),
])  # fmt: skip
def test_people(seats: int, edition: str, people: int) -> None:
    table = Table(seats, edition=edition)
    assert list(table.pub["supply"]) == [people] * seats + [0] * (4 - seats)


@pytest.mark.parametrize(("seats", "zone"), [(2, 15), (3, 15), (4, 10)])
def test_stack(seats: int, zone: int) -> None:
    places = set()
    table = Table(seats)
    for deal in range(150):
        table.kernel.setup_at(table.state, table.tables, table.prepared.arrangements, 0, 1, deal)
        stack = list(table.state["hid"]["stack"][0, :42])
        assert table.state["hid"]["stack_end"][0] == 42
        first, second = (i for i, card in enumerate(stack) if card == 31)
        assert first == 8
        places.add(41 - second)
        assert sum(card == 30 for card in stack) == 7
        assert sum(card == 30 for card in stack[:8]) == 0
        hands = table.state["own"]["hand"][0, :seats]
        assert (hands.sum(axis=1) == 4).all()
        used = hands.sum(axis=0) + [stack.count(n) for n in range(32)]
        cards = table.tables["cards"][0]
        assert (used[:16] <= cards[:16]).all()
        assert used[:16].sum() == 4 * seats + 8 + 25
    assert places == set(range(zone + 1))


def test_second_ad79_switch() -> None:
    for place in (0, 5, 32):
        table = Table(second_ad79=place)
        stack = list(table.state["hid"]["stack"][0, :42])
        assert [i for i, card in enumerate(stack) if card == 31] == [8, 41 - place]
    places = set()
    for deal in range(100):
        table = Table(second_ad79="never-topmost", deal=deal)
        _, second = (i for i, card in enumerate(table.state["hid"]["stack"][0, :42]) if card == 31)
        places.add(41 - second)
    assert places == set(range(10))


def test_start_phases_and_populating() -> None:
    table = Table(start_phase=2)
    assert table.pub["phase"] == 1
    assert table.pub["stack_left"] == 33
    assert table.pub["on_board"].sum() > 0
    assert (table.pub["crowd"] <= table.tables["spaces"][0]).all()
    table = Table(start_phase=3, run_free=0)
    assert (table.pub["crowd"][table.tables["spaces"][0] > 0] >= 1).all()  # rounded up
    table.legal()
    assert table.pub["phase"] == 3  # the surprise: nobody waits six tiles
    table = Table(populate=True)
    assert table.pub["phase"] == 0
    assert table.pub["on_board"].sum() > 0


def test_start_seat() -> None:
    assert Table(start=2).pub["turn_seat"] == 2
    assert {int(Table(start="random", deal=d).pub["turn_seat"]) for d in range(30)} == {0, 1, 2, 3}


def test_forbid_gives_way_only_when_nothing_is_left() -> None:
    table = Table(forbid=["place:8"])
    table.hand(0, [8, 8, 8, 7])
    assert table.legal() == ["place:7@4_5"]
    table.hand(0, [8] * 4)
    assert squares(table.legal(), "place") == {"8@3_6", "8@4_6"}
