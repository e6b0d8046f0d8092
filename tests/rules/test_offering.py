"""The offering and what Vesuvius does. [Offerings; City Cards, star cards]"""

from __future__ import annotations

from table import DATA, GOODS, TEXT, VALUE, Table, check, check_each

VOLCANO = {
    "A": ["grain flour", "grass planks", "clay sheep", "grapes coal", "wood column", "reed pottery", "olives flour",
          "deer planks", "fish sheep", "stone coal", "grain column", "grass pottery", "clay flour", "grapes planks",
          "wood sheep", "reed coal", "olives column"],
    "B": ["deer sheep bread", "fish planks oil", "stone flour pearl", "grain pottery meat", "grass column wine",
          "clay coal bread", "grapes sheep oil", "wood planks pearl", "reed flour meat", "olives pottery wine",
          "deer column bread", "fish coal oil", "stone sheep pearl", "grain planks meat", "grass flour wine",
          "clay pottery bread", "grapes column oil"],
    "C": ["wood coal meat gold", "reed column pearl cloth", "olives pottery oil sword", "deer flour bread iron",
          "fish planks wine gold_coin", "stone sheep meat gold", "grain coal pearl cloth", "grass column oil sword",
          "clay pottery bread iron", "grapes flour wine gold_coin", "wood planks meat gold", "reed sheep pearl cloth",
          "olives coal oil sword", "deer column bread iron", "fish pottery wine gold_coin", "stone flour meat gold",
          "grain planks pearl cloth"],
}  # fmt: skip


def _round(t: Table) -> Table:
    return t.start().end_round()


# 1. the value


@check
def test_markers_three_four_six_make_thirteen() -> None:
    t = Table(3).workers(1, 4).workers(2, 6)
    for seat in range(3):
        t.all_goods(seat, 1)
    assert [t.marker(s) for s in range(3)] == [3, 4, 6]
    _round(t)
    assert t.get("due") == 13


@check
def test_workers_on_the_three_spaces_count() -> None:
    t = Table(2).all_goods(0, 1).start()
    t.array("injured")[0] = [1, 1, 1]
    t.array("ready")[0] = 0
    assert _round(t).get("due") == 6


@check_each("base", [-1, 2])
def test_the_base_is_a_setting(base: int) -> None:
    assert _round(Table(2, offering_base=base).all_goods(0, 1)).get("due") == 6 + 2 * base


@check
def test_a_marker_never_goes_below_nothing() -> None:
    t = Table(2, offering_base=-5).workers(1, 6).goods(0, grain=5).goods(1, grain=5)
    _round(t)
    assert t.get("due") == 1, "3 - 5 is nothing, 6 - 5 is one"
    t.pledge(0, 1)
    assert t.decision()[0] == "place", "who gives nothing draws nothing"
    assert t.get("streak") == 1


# 2. pledges


@check
def test_pledges_go_round_from_the_starting_player() -> None:
    t = Table(3).put(start_seat=1)
    for seat in range(3):
        t.goods(seat, grain=5)
    _round(t)
    seats = []
    for _ in range(3):
        kind, seat = t.decision()
        assert kind == "pledge"
        seats.append(seat)
        assert t.legal() == [f"pledge:{n}" for n in range(6)], "nobody is obliged, and only goods in store count"
        t.choose("pledge:3")
    assert seats == [1, 2, 0]


@check
def test_pledges_reach_the_whole_value_of_the_store() -> None:
    t = _round(Table(2).goods(0, sword=2, gold=1, grain=1))
    assert t.legal()[-1] == "pledge:15"


@check
def test_a_success_takes_the_goods_pledged() -> None:
    t = _round(Table(2).goods(0, grain=5).goods(1, sword=1))
    t.pledge(3, 3)
    assert t.store(0) == {"grain": 2}
    assert t.store(1) == {}, "no change is given"
    assert t.decision()[0] in ("place", "deck")


@check
def test_a_good_counts_with_its_value() -> None:
    for good in GOODS:
        t = _round(Table(2).goods(0, **{good: 1, "grain": 10 if good == "grain" else 9}))
        t.choose(f"pledge:{VALUE[good]}" if VALUE[good] >= 6 else "pledge:6")
        assert t.decision() == ("pay", 0) or good == "grain"
        if good != "grain":
            t.pay(good, *["grain"] * max(0, 6 - VALUE[good]))
            assert t.store(0) == {"grain": 9 - max(0, 6 - VALUE[good])}
            assert t.array("paid")[0] == max(6, VALUE[good])


@check
def test_a_shortfall_goes_round_once_more_and_pledges_only_rise() -> None:
    t = _round(Table(2).goods(0, grain=9).goods(1, grain=9)).pledge(2, 3)
    assert t.decision() == ("pledge", 0)
    assert t.legal() == [f"pledge:{n}" for n in range(2, 10)]
    t.pledge(2)
    assert t.decision() == ("pledge", 1)
    assert t.legal()[0] == "pledge:3"
    t.pledge(4)
    assert t.decision() == ("deck", 1), "enough, with one point above the marker"
    assert t.store(0) == {"grain": 7}
    assert t.store(1) == {"grain": 5}


@check
def test_the_second_time_round_stops_when_it_is_enough() -> None:
    t = _round(Table(3).goods(0, grain=9).goods(1, grain=9).goods(2, grain=9)).pledge(2, 3, 3)
    t.pledge(3)
    assert t.decision()[0] in ("deck", "place")
    assert t.get("streak") == 1


@check
def test_still_short_nobody_pays_and_vesuvius_erupts() -> None:
    t = Table(2).goods(0, wood=9).goods(1, wood=9).volcano(1, 2)
    _round(t).pledge(2, 2).pledge(2, 2)
    assert t.store(0) == t.store(1) == {"wood": 9}
    assert t.get("volcano_left") == 1
    assert t.get("streak") == 0
    assert t.decision()[0] == "place"


@check
def test_a_group_that_cannot_pay_erupts() -> None:
    t = _round(Table(2).goods(0, wood=5))
    t.pledge(5).pledge(5)
    assert t.get("volcano_left") == 9


# 3. over-offering


@check
def test_a_card_for_every_point_above_the_marker_and_one_is_kept() -> None:
    t = Table(2).goods(0, grain=6).goods(1, grain=3).deck("city", "C05", "C06").deck("specialists", "S01", "S02", "S03")
    _round(t).pledge(6, 0)
    assert t.decision() == ("deck", 0)
    assert t.legal() == ["deck:specialists", "deck:city"]
    t.choose("deck:city", "deck:city")
    assert t.made[-1] == "deck:specialists", "the deck is chosen each time; the city deck is empty now"
    assert t.decision() == ("keep", 0)
    drawn = {a[5:] for a in t.legal()}
    assert len(drawn) == 3
    assert {"C05", "C06"} < drawn
    t.choose("card:C06")
    assert t.cards(0) == {"C06"}
    assert t.pile() == drawn - {"C06"}
    assert t.cards(1) == set()
    assert t.decision()[0] == "place"


@check
def test_one_point_more_is_one_card_kept() -> None:
    t = Table(2).goods(0, grain=4).goods(1, grain=4).deck("specialists", "S01").deck("city", "C05")
    _round(t).pledge(4, 3).choose("deck:city")
    assert t.cards(0) == {"C05"}, "in the hand, not active"
    assert t.out(0) == set()


@check
def test_change_counts_for_the_giver() -> None:
    t = Table(2).goods(0, sword=1).goods(1, grain=3).deck("specialists", "S01", "S02").deck("city")
    _round(t).pledge(3, 3)
    assert t.decision()[0] == "keep" or t.made.count("deck:specialists") == 2
    t.choose("card:S02")
    assert t.cards(0) == {"S02"}


@check
def test_over_offering_is_measured_by_the_marker_before_the_raise() -> None:
    t = Table(2).goods(0, grain=9).goods(1, grain=9).put(streak=2).deck("specialists", "S01").deck("city", "C05")
    _round(t).pledge(4, 3)
    assert t.decision() == ("deck", 0)
    assert t.get("raises") == 0
    t.choose("deck:city")
    assert t.get("raises") == 1


@check
def test_extra_cards_go_round_from_the_starting_player() -> None:
    t = Table(2).put(start_seat=1).goods(0, grain=9).goods(1, grain=9)
    _round(t).pledge(4, 4)
    assert t.decision() == ("deck", 1)
    t.choose("deck:city")
    assert t.decision() == ("deck", 0)


@check
def test_no_extra_cards_after_a_failure() -> None:
    t = Table(2).goods(0, wood=5).volcano(2, 3)
    _round(t).pledge(5).pledge(5)
    assert t.decision()[0] == "place"


@check
def test_drawing_over_an_empty_deck_takes_the_discard_pile() -> None:
    t = Table(2).goods(0, grain=8).discarded("C05", "S01").deck("city").deck("specialists")
    t.hidden("deck")[:] = 0
    _round(t).pledge(8, 0)
    assert t.cards(0) in ({"C05"}, {"S01"}) or t.decision()[0] in ("deck", "keep")
    while t.decision()[0] in ("deck", "keep"):
        t.choose(t.legal()[0])
    assert len(t.cards(0)) == 1
    assert len(t.pile()) == 1


@check_each("cards, keep", [(0, 1), (2, 1), (1, 0), (1, 2)])
def test_cards_for_over_offering_are_settings(cards: int, keep: int) -> None:
    t = Table(2, over_offering_cards=cards, over_offering_keep=keep).goods(0, grain=6).goods(1, grain=3)
    _round(t).pledge(5, 3)
    draws = 0
    while t.decision()[0] == "deck":
        t.choose("deck:city")
        draws += 1
    assert draws == 2 * cards
    while t.decision()[0] == "keep":
        t.choose(t.legal()[0])
    assert len(t.cards(0)) == min(keep, 2 * cards)
    assert len(t.pile()) == 2 * cards - min(keep, 2 * cards)


# three successes in a row


def _succeed(t: Table) -> None:
    for seat in range(t.seats):
        t.goods(seat, grain=10)
    _round(t).pledge(*[t.marker(seat) for seat in range(t.seats)])
    while t.decision()[0] == "pay":
        t.pay("grain")


@check
def test_three_successes_in_a_row_raise_every_marker() -> None:
    t = Table(2)
    for streak, raises in ((1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)):
        due = sum(t.marker(s) for s in range(2))
        _succeed(t)
        assert t.get("due") == due, "from the next round on"
        assert (t.get("streak"), t.get("raises")) == (streak, raises)
    assert [t.marker(s) for s in range(2)] == [5, 5]
    assert _round(t.all_goods(0, 9)).get("due") == 10


@check
def test_a_failure_resets_the_time_marker_and_leaves_the_raises() -> None:
    t = Table(2).put(raises=1, streak=2).goods(0, wood=1).volcano(2, 3, 4, 5)
    _round(t).refuse()
    assert (t.get("streak"), t.get("raises")) == (0, 1)
    _succeed(t)
    assert (t.get("streak"), t.get("raises")) == (1, 1), "three new successes are needed"


@check_each("after, by", [(2, 1), (1, 3), (3, 2), (3, 0)])
def test_raises_are_settings(after: int, by: int) -> None:
    t = Table(2, raise_after=after, raise_by=by)
    for n in range(after):
        assert t.get("raises") == 0, n
        _succeed(t)
    assert t.get("raises") == 1
    assert _round(t.all_goods(0, 9)).get("due") == 6 + 2 * by


# eruptions


@check_each("level, number", [(level, n) for level in "ABC" for n in range(1, 18)])
def test_a_volcano_card_destroys_all_of_its_goods(level: str, number: int) -> None:
    lost = VOLCANO[level][number - 1].split()
    assert len(lost) == {"A": 2, "B": 3, "C": 4}[level]
    t = Table(2, difficulty=level).all_goods(0, 7).all_goods(1, 1).goods(1, wood=4).volcano(number, 1)
    _round(t).refuse()
    for seat in (0, 1):
        assert set(t.store(seat)) == set(GOODS) - set(lost), "everybody alike"
    assert t.get("volcano_left") == 1
    assert t.array("volcano_seen")[number - 1] == 1


@check
def test_whoever_pledged_loses_too() -> None:
    t = Table(2).goods(0, grain=5).volcano(1, 2)
    _round(t).pledge(5).pledge(5)
    assert t.store(0) == {}


@check
def test_the_apocalypse_ends_the_game_for_all() -> None:
    t = Table(2).all_goods(0, 9).army(0).volcano("apocalypse", 1)
    _round(t).refuse()
    assert t.ended() == "apocalypse"
    assert t.get("winner") == -1
    assert t.legal() == []
    assert t.tally("eruptions") == 1, "it counts as the last eruption"
    assert set(t.store(0)) == set(GOODS)


@check
def test_turned_cards_come_in_order_and_do_not_come_back() -> None:
    t = Table(2).volcano(3, 5, "apocalypse")
    for _ in range(3):
        _round(t)
    assert t.ended() == "apocalypse"
    assert t.tally("eruptions") == 3
    assert [i + 1 for i in range(17) if t.array("volcano_seen")[i]] == [3, 5]


@check
def test_the_deck_cannot_run_out_before_the_apocalypse() -> None:
    t = Table(2, "setup", start_buildings=0)
    for seat in range(2):
        t.own(seat, "hand")[:] = 0
    t.array("goods")[:] = 0
    t.put(phase=1)
    n = 0
    while not t.ended():
        _round(t)
        n += 1
    assert t.ended() == "apocalypse"
    assert n <= 10


# star cards


@check_each("card, change", [("C02", -3), ("C23", 3)])
def test_a_star_card_changes_the_value_of_this_round(card: str, change: int) -> None:
    t = _round(Table(2).hand(0, card).all_goods(0, 2).all_goods(1, 2))
    assert t.decision() == ("star", 0)
    assert t.legal() == ["pass", f"activate:{card}"]
    t.choose(f"activate:{card}")
    assert t.get("due") == 6 + change
    assert t.pile() == {card}
    assert t.cards(0) == set()
    assert [t.marker(s) for s in (0, 1)] == [3, 3], "the markers do not move"
    t.refuse()
    assert _round(t).get("due") == 6


@check
def test_star_cards_go_round_once_from_the_starting_player() -> None:
    t = Table(3).put(start_seat=1).hand(1, "C02").hand(0, "C23").all_goods(2, 2)
    _round(t)
    assert t.decision() == ("star", 1)
    t.choose("pass")
    assert t.decision() == ("star", 0)
    t.choose("activate:C23")
    assert t.decision()[0] == "pledge"
    assert t.cards(1) == {"C02"}


@check
def test_one_player_may_play_two_star_cards() -> None:
    t = Table(2).hand(0, "C02", "C23").all_goods(0, 2)
    _round(t).choose("activate:C02", "activate:C23")
    assert t.get("due") == 6
    assert t.pile() == {"C02", "C23"}


@check
def test_a_total_of_nothing_succeeds_without_payment() -> None:
    t = Table(2, offering_base=-2).hand(0, "C02").goods(0, grain=5)
    _round(t).choose("activate:C02")
    assert t.get("due") == 0
    assert t.get("streak") == 1
    assert t.store(0) == {"grain": 5}
    assert t.get("volcano_left") == 10


@check
def test_c03_stays_out() -> None:
    t = Table(3).workers(0, 5).hand(0, "C03").goods(0, grain=9).goods(1, wood=9).goods(2, wood=9)
    _round(t).choose("activate:C03")
    assert t.get("due") == 6, "the own marker does not count"
    assert t.decision() == ("pledge", 1), "and the seat may not pledge"
    t.pledge(3, 3)
    assert t.store(0) == {"grain": 9}
    assert t.get("streak") == 1
    assert t.pile() == {"C03"}


@check
def test_c03_keeps_a_normal_volcano_card_away_but_not_the_apocalypse() -> None:
    t = Table(2).hand(0, "C03").goods(0, grain=9).goods(1, grain=9).volcano(1, "apocalypse")
    _round(t).choose("activate:C03").refuse()
    assert t.store(0) == {"grain": 9}
    assert t.store(1) == {}
    t = Table(2).hand(0, "C03").goods(0, grain=9).volcano("apocalypse")
    _round(t).choose("activate:C03").refuse()
    assert t.ended() == "apocalypse"


@check
def test_c03_holds_for_one_offering() -> None:
    t = Table(2).hand(0, "C03").goods(0, grain=9).goods(1, wood=9).volcano(2, 1, 3)
    _round(t).choose("activate:C03").refuse()
    assert _round(t).get("due") == 6
    t.refuse()
    assert t.store(0) == {}


@check
def test_c30_cancels_the_offering_and_turns_a_volcano_card() -> None:
    t = Table(2).hand(0, "C30").hand(1, "C02").goods(0, grain=9).goods(1, wood=9).put(streak=2).volcano(1, 2)
    _round(t).choose("activate:C30")
    assert t.decision()[0] == "place", "nothing is asked, paid or drawn any more"
    assert t.store(0) == {}
    assert t.store(1) == {"wood": 9}
    assert t.cards(1) == {"C02"}
    assert t.get("streak") == 0
    assert t.get("volcano_left") == 1
    assert t.tally("eruptions") == 1


@check
def test_c30_can_turn_the_apocalypse() -> None:
    t = Table(2).hand(0, "C30").volcano("apocalypse")
    _round(t).choose("activate:C30")
    assert t.ended() == "apocalypse"


@check
def test_star_cards_of_the_offering_have_no_other_moment() -> None:
    t = Table(2).hand(0, "C02", "C03", "C23", "C30", "C31").all_goods(0, 9)
    assert not [a for a in t.legal() if a.startswith("activate")]
    t.act("build:20")
    assert t.decision()[0] != "stop", "nobody stops the own Castrum"
    t = Table(2).hand(0, "C31").all_goods(0, 3)
    assert _round(t).decision()[0] == "pledge", "C31 is not for the offering"


# the order at the end of a round


@check
def test_offering_first_then_the_token() -> None:
    t = _round(Table(2).goods(0, grain=9).goods(1, grain=9))
    assert t.get("start_seat") == 0
    t.pledge(3, 3)
    assert t.decision() == ("place", 1)
    assert t.get("rnd") == 2


@check
def test_texts_of_actions_are_read_back() -> None:
    for text in ("pledge:13", "deck:city", "activate:C30", "good:gold_coin", "pass", "card:S05"):
        assert TEXT.text(TEXT.parse(text)) == text
    assert len(DATA.goods) == 26
