"""Set-up of a game. [Game Components, Game Setup]"""

from __future__ import annotations

from collections import Counter

from table import CARDS, FIELDS, Table, check, check_each


def _volcano(table: Table) -> list[int]:
    """Return the volcano deck from the top, 99 for the Apocalypse."""
    return [int(n) for n in table.hidden("volcano")[: table.get("volcano_left")]]


@check_each("seats", [2, 3, 4])
def test_each_player_starts_with_the_printed_things(seats: int) -> None:
    t = Table(seats, "setup")
    for seat in range(seats):
        assert t.store(seat) == dict.fromkeys(FIELDS, 1)
        assert t.array("workers")[seat] == 3
        assert t.marker(seat) == 3
        assert len(t.cards(seat)) == 6
        assert all(card[0] == "S" for card in t.cards(seat))
        assert t.array("army")[seat] == 0
    assert t.get("phase") == 0
    assert not any(t.is_built(n) for n in range(1, 21))


@check
def test_start_goods_are_ten_coins_on_ten_goods() -> None:
    assert sum(Table(2, "setup").store(0).values()) == 10


@check
def test_city_cards_are_not_dealt_before_the_foro() -> None:
    t = Table(4, "setup")
    assert t.array("deck_left").tolist() == [52 - 24, 52]
    assert t.array("hand_size").tolist() == [[6, 0]] * 4


@check_each("seats", [2, 3, 4])
def test_first_red_tiles_counter_clockwise_starting_player_last(seats: int) -> None:
    t = Table(seats, "setup")
    start = t.get("start_seat")
    order = []
    for number in (7, 2, 5, 9)[:seats]:
        kind, seat = t.decision()
        assert kind == "start"
        order.append(seat)
        before = t.store(seat)
        t.choose(f"start:{number}")
        assert t.is_built(number)
        assert t.array("owner")[number] == seat
        assert t.store(seat) == before, "the first tile is free"
    assert order == [(start - 1 - i) % seats for i in range(seats)]
    assert order[-1] == start
    assert t.decision() == ("place", start)
    assert t.get("rnd") == 1


@check
def test_first_tiles_are_red_and_still_unbuilt() -> None:
    t = Table(2, "setup")
    assert t.legal() == [f"start:{n}" for n in range(1, 11)]
    t.choose("start:4")
    assert t.legal() == [f"start:{n}" for n in range(1, 11) if n != 4]


@check
def test_no_first_tile() -> None:
    t = Table(2, "setup", start_buildings=0)
    assert t.decision()[0] == "place"


@check
def test_two_first_tiles_go_round_twice() -> None:
    t = Table(2, "setup", start_buildings=2)
    start = t.get("start_seat")
    seats = []
    for number in (1, 2, 3, 4):
        seats.append(t.decision()[1])
        t.choose(f"start:{number}")
    assert seats == [1 - start, start, 1 - start, start]
    assert t.decision()[0] == "place"


@check
def test_starting_player_is_chance() -> None:
    starts = Counter(Table(4, "setup", deal=deal).get("start_seat") for deal in range(200))
    assert set(starts) == {0, 1, 2, 3}
    assert min(starts.values()) > 20


@check
def test_numbers_of_the_set_up_are_settings() -> None:
    t = Table(2, "setup", workers_start=4, goods_start=3, specialists_dealt=2)
    assert t.array("workers")[:2].tolist() == [4, 4]
    assert t.store(0) == dict.fromkeys(FIELDS, 3)
    assert len(t.cards(1)) == 2
    for number in (1, 2):
        t.choose(f"start:{number}")
    assert t.array("ready")[:2].tolist() == [4, 4]


# the volcano deck


@check
def test_nine_of_the_seventeen_cards_and_the_apocalypse() -> None:
    for deal in range(30):
        deck = _volcano(Table(2, "setup", deal=deal))
        assert len(deck) == 10
        assert deck.count(99) == 1
        assert len(set(deck)) == 10
        assert set(deck) - {99} <= set(range(17))


@check
def test_the_small_deck_is_the_first_cards_of_the_large_one() -> None:
    small = [n for n in _volcano(Table(2, "setup", volcano_cards=4)) if n != 99]
    large = [n for n in _volcano(Table(2, "setup", volcano_cards="all")) if n != 99]
    assert len(small) == 4
    assert len(large) == 17
    assert large[:4] == small


@check
def test_all_cards_of_the_level() -> None:
    deck = _volcano(Table(2, "setup", volcano_cards="all"))
    assert sorted(deck) == [*range(17), 99]


@check
def test_shuffled_apocalypse_lies_anywhere() -> None:
    places = Counter(_volcano(Table(2, "setup", deal=deal)).index(99) for deal in range(600))
    assert set(places) == set(range(10))
    assert min(places.values()) > 25


@check_each("apocalypse, place", [("bottom", 9), ("top", 0), (1, 0), (4, 3), (10, 9)])
def test_apocalypse_at_a_place(apocalypse: str | int, place: int) -> None:
    for deal in range(5):
        assert _volcano(Table(2, "setup", deal=deal, apocalypse=apocalypse)).index(99) == place


@check
def test_apocalypse_in_the_bottom_half() -> None:
    places = {_volcano(Table(2, "setup", deal=deal, apocalypse="bottom-half")).index(99) for deal in range(200)}
    assert places == {5, 6, 7, 8, 9}


@check
def test_apocalypse_at_the_bottom_of_all_cards() -> None:
    assert _volcano(Table(2, "setup", volcano_cards="all", apocalypse="bottom"))[17] == 99


# hands


@check
def test_hands_differ_by_deal_and_share_no_card() -> None:
    hands = [tuple(sorted(Table(4, "setup", deal=deal).cards(0))) for deal in range(20)]
    assert len(set(hands)) == 20
    t = Table(4, "setup")
    dealt = [card for seat in range(4) for card in t.cards(seat)]
    assert len(set(dealt)) == 24
    assert set(dealt) <= set(CARDS[:52])


@check
def test_forced_hands_leave_the_deck_before_any_draw() -> None:
    forced = {"specialists": {"0": ["S30", "S05"], "1": ["S25"]}, "city": {"1": ["C31"]}}
    for deal in range(25):
        t = Table(3, "setup", deal=deal, hands=forced)
        assert {"S30", "S05"} <= t.cards(0)
        assert "S25" in t.cards(1)
        assert [len(t.cards(seat)) for seat in range(3)] == [6, 6, 6]
        assert not t.in_deck("C31")
        assert t.array("deck_left").tolist() == [52 - 18, 51]


@check
def test_forced_city_cards_come_with_the_foro() -> None:
    t = Table(2, "calm", calm_steps=0, hands={"city": {"1": ["C31", "C03"]}})
    t.hidden("deck")[52 + 30] = t.hidden("deck")[52 + 2] = 2
    t.array("deck_left")[1] = 50
    t.goods(0, planks=1, column=1).act("build:17")
    assert {"C31", "C03"} <= t.cards(1)
    assert t.array("hand_size")[1, 1] == 6
