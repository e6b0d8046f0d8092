"""The game for one. [Solo Play]"""

from __future__ import annotations

import pytest
from table import CARDS, DATA, FIELDS, GOODS, Table, check, check_each

from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.game import GAME
from pompeii_sim.games.pompeii.rules import SOLO, SOLO_ONLY, Deal, Rules, Seat

SPECIALISTS = frozenset(card for card in CARDS if card[0] == "S")


def calm(**rules: object) -> Table:
    """Return a table for one in The Calm, both volcano decks of cards 1 to 17 in this order, no specialist open."""
    return Table(1, "calm", **rules).volcano(*range(1, 18), "apocalypse")


def awake(*left: int, **rules: object) -> Table:
    """Return a table for one in The Awakening with these volcano cards left above the Apocalypse."""
    return Table(1, **rules).volcano(*(left or range(10, 18)), "apocalypse")


def shown(t: Table, number: int) -> set[str]:
    """Return the goods of a volcano card of the level in play."""
    return set(DATA.volcano_level(t.rules.difficulty)[number - 1].goods)


def next_round(t: Table) -> Table:
    """End a round, giving nothing."""
    return t.start().end_round().refuse()


# set-up


@check
def test_one_row_of_seventeen_cards_above_the_apocalypse() -> None:
    t = Table(1, "setup")
    order = [int(n) for n in t.hidden("volcano")]
    assert sorted(order[:17]) == list(range(17)), "9 of the lower deck, then 8 of the upper deck: the whole level"
    assert order[17] == 99, "the Apocalypse below them"
    assert t.get("volcano_left") == 18


@check
def test_the_lower_deck_is_the_deck_of_nine_of_other_tables() -> None:
    long, short = Table(1, "setup"), Table(2, "setup", apocalypse="bottom")
    assert list(long.hidden("volcano")[:9]) == list(short.hidden("volcano")[:9])


@check
def test_five_specialists_lie_open_before_the_first_building_is_chosen() -> None:
    t = Table(1, "setup")
    assert t.decision() == ("start", 0)
    assert t.legal() == [f"start:{n}" for n in range(1, 11)]
    assert len(t.out(0)) == 5
    assert t.out(0) <= SPECIALISTS
    assert t.cards(0) == set(), "none is dealt to the hand"
    assert t.get("volcano_left") == 18, "no card is revealed before the first round"


@check
def test_start_with_a_red_building_three_workers_and_a_good_of_each_field() -> None:
    t = Table(1, "setup")
    t.choose("start:7")
    assert t.decision() == ("place", 0)
    assert [n for n in range(21) if t.is_built(n)] == [7]
    assert (t.ready(0), t.marker(0)) == (3, 3)
    assert t.store(0) == dict.fromkeys(FIELDS, 1)


@check
def test_forced_specialists_lie_open_in_the_first_round() -> None:
    t = Table(1, "setup", hands={"specialists": {0: ["S30", "S05"]}})
    assert {"S05", "S30"} <= t.out(0)
    assert len(t.out(0)) == 5


@check
def test_forced_city_cards_come_with_the_awakening() -> None:
    t = Table(1, "calm", hands={"city": {0: ["C07", "C31"]}}, solo_lower_deck=1).volcano(1, 2, "apocalypse")
    t.hidden("deck")[[CARDS.index("C07"), CARDS.index("C31")]] = 2
    t.array("deck_left")[1] = 50
    next_round(t)
    assert {"C07", "C31"} <= t.cards(0)
    assert len(t.cards(0)) == 5


@check_each("number", [0, 4])
def test_how_many_lie_open_is_a_setting(number: int) -> None:
    t = Table(1, "setup", solo_open_specialists=number)
    assert len(t.out(0)) == number
    t.choose("start:1")
    next_round(t)
    assert len(t.out(0)) == number


# collect, produce, trade


@check
def test_nothing_is_blocked_in_the_first_round() -> None:
    t = calm().start()
    assert t.blocked() == set()
    assert t.act("collect:grain").store(0) == {"grain": 1}


@check
def test_a_card_blocks_its_goods_for_one_round() -> None:
    t = calm()
    next_round(t)
    assert t.blocked() == shown(t, 1) == {"grain", "flour"}
    next_round(t)
    assert t.blocked() == shown(t, 2) == {"grass", "planks"}


@check
def test_a_blocked_good_cannot_be_collected_but_its_field_is_open() -> None:
    t = calm()
    next_round(t)
    assert t.can("collect:grain"), "a field is always open"
    assert t.act("collect:grain").store(0) == {}
    assert t.act("collect:wood").store(0) == {"wood": 1}


@check
def test_a_blocked_good_cannot_be_produced() -> None:
    t = calm().build(7, 10).active(0)
    next_round(t).goods(0, grain=3, flour=2)
    assert not t.can("produce:7"), "flour is blocked"
    assert t.act("produce:10").choose("amount:2").store(0) == {"grain": 3, "bread": 2}, "flour may still be spent"
    next_round(t)
    assert t.can("produce:7"), "the next card shows other goods"


@check
def test_the_example_of_the_mill_worker_on_the_grain_field() -> None:
    t = calm()
    next_round(t).active(0, "S14")
    t.act("use:S14")
    assert t.store(0) == {}, "flour is shown on the volcano card"


@check
def test_no_specialist_brings_a_blocked_good() -> None:
    t = calm().build(7).volcano(1, *range(3, 18), "apocalypse")
    next_round(t).goods(0, grain=4, wood=2, fish=2).active(0, "S30", "S01", "S31", "S23")
    assert t.blocked() == {"grain", "flour"}
    assert not t.can("use:S30"), "two more flour"
    assert t.can("use:S23"), "bread at the mill"
    assert t.act("use:S01").store(0) == {"grain": 4, "wood": 2, "fish": 2}
    assert t.act("use:S31").choose("amount:2").store(0)["coal"] == 2


@check
def test_a_conversion_at_a_field_cannot_make_a_blocked_good() -> None:
    t = calm().volcano(4, *range(5, 18), "apocalypse")
    next_round(t).goods(0, fish=2).active(0, "S31")
    assert t.blocked() == {"grapes", "coal"}
    assert not t.can("use:S31")


@check
def test_no_city_card_brings_a_blocked_good() -> None:
    t = awake(8, 11, difficulty="B").all_goods(0, 2)
    next_round(t)
    assert t.blocked() == {"wood", "planks", "pearl"}
    before = t.store(0)
    t.hand(0, "C24", "C18", "C32").act("activate:C24")
    assert t.store(0) == before, "two pearls"
    t.array("used")[:] = 0
    t.act("activate:C18")
    assert t.store(0) == before | {"column": before["column"] + 2}, "two planks and two columns"
    t.array("used")[:] = 0
    t.act("activate:C32")
    assert not t.can("good:wood"), "goods of the own choice"
    assert t.can("good:grain")


@check
def test_what_is_blocked_can_be_traded_for_and_away() -> None:
    t = calm(spaces=3)
    next_round(t).goods(0, stone=8, flour=1)
    t.act("trade").choose("good:stone", "good:flour", "amount:2")
    assert t.store(0) == {"flour": 3}, "only the Porta gives it"
    t.act("trade").choose("good:flour", "good:grain", "amount:3")
    assert t.store(0) == {"grain": 3}


@check
def test_the_tempio_gives_no_blocked_good() -> None:
    t = awake(8, 11, difficulty="B").build(16).active(0, "C42").goods(0, grain=3)
    t.volcano(5, 11, "apocalypse")
    next_round(t).goods(0, grain=3)
    assert t.blocked() == {"grass", "column", "wine"}
    t.act("produce:16")
    assert t.legal() == ["good:bread", "good:meat", "good:oil"]


@check
def test_the_tempio_is_closed_when_all_it_gives_is_blocked() -> None:
    t = awake().build(16).active(0, "C42").goods(0, grain=3).start()
    assert t.can("produce:16")
    t.put(blocked=sum(1 << i for i, good in enumerate(GOODS) if DATA.goods[i].value == 3))
    assert not t.can("produce:16")
    t.put(blocked=sum(1 << i for i, good in enumerate(GOODS) if good in ("bread", "meat", "oil")))
    assert t.can("produce:16"), "wine is left"


@check
def test_equal_value_is_no_way_to_a_blocked_good() -> None:
    t = awake().hand(0, "C52").goods(0, gold=2).start()
    t.put(blocked=1 << GOODS.index("iron"))
    t.act("activate:C52").choose("good:gold")
    assert t.legal() == ["amount:1", "amount:2"], "cloth is the only one left"
    t.choose("amount:2")
    assert t.store(0) == {"cloth": 2}


@check
def test_a_good_without_an_open_equal_is_not_swapped() -> None:
    t = awake().hand(0, "C52").goods(0, gold_coin=2, fish=2).start()
    t.put(blocked=1 << GOODS.index("sword"))
    t.act("activate:C52")
    assert t.decision()[0] == "same_to", "fish is the only good to give"
    assert "good:gold_coin" not in t.made


# build


@check
def test_only_red_tiles_in_the_calm_and_not_even_the_foro() -> None:
    t = calm().put(calm_step=7).all_goods(0, 5)
    next_round(t)
    builds = {text for text in t.legal() if text.startswith("build:")}
    assert builds == {f"build:{n}" for n in range(1, 11)}


@check
def test_the_time_marker_rests_in_the_calm() -> None:
    t = calm()
    for _ in range(5):
        next_round(t)
    assert (t.get("calm_step"), t.get("streak")) == (0, 0)


@check
def test_every_tile_from_the_awakening_on() -> None:
    t = awake().all_goods(0, 5).start()
    builds = {text for text in t.legal() if text.startswith("build:")}
    assert builds == {f"build:{n}" for n in range(1, 21) if n != 17}


@check
def test_own_tiles_pay_no_bonus() -> None:
    t = calm(spaces=3).goods(0, reed=1, wood=1, stone=1, grain=2)
    t.act("build:7").act("produce:7").choose("amount:2")
    assert t.store(0) == {"flour": 2}


@check
def test_one_worker_a_limited_place() -> None:
    t = calm().build(7).goods(0, grain=4)
    t.act("produce:7").choose("amount:1")
    assert not t.can("produce:7")


# use specialists


@check
def test_a_specialist_is_used_once_and_free() -> None:
    t = calm().goods(0, grain=1).active(0, "S01").start()
    assert t.act("use:S01").store(0) == {"grain": 3}, "nothing is paid"
    assert t.out(0) == set()
    assert t.spent() == {"S01"}
    assert not t.can("use:S01")
    assert t.pile() == set(), "a used card does not come back"


@check
def test_a_used_conversion_is_spent_and_takes_the_place_of_the_tile() -> None:
    t = calm().build(7).goods(0, grain=3).active(0, "S30")
    t.act("use:S30").choose("amount:3")
    assert t.store(0) == {"flour": 5}
    assert t.spent() == {"S30"}
    assert t.at("building:7") == 1


@check
def test_a_good_waived_is_a_use() -> None:
    t = calm(spaces=2).goods(0, wood=2, stone=2).active(0, "S49")
    t.act("build:4+S49")
    assert t.spent() == {"S49"}
    assert not t.can("build:5+S49")


@check
def test_one_time_specialists_are_used_at_the_piazza() -> None:
    t = calm(spaces=2).active(0, "S25", "S05").start()
    assert t.act("use:S25").store(0) == {"column": 2, "planks": 2}
    assert t.at("piazza") == 1
    t.act("use:S05")
    for _ in range(3):
        t.act("collect:fish")
    assert t.store(0)["fish"] == 3
    assert t.spent() == {"S05", "S25"}
    assert t.ready(0) == 1


@check
def test_the_piazza_holds_one_worker() -> None:
    t = calm().active(0, "S25", "S05").act("use:S25")
    assert not t.can("use:S05")


@check
def test_one_time_specialists_without_others_do_nothing() -> None:
    t = calm(spaces=2).build(7).active(0, "S06", "S27").goods(0, bread=1)
    t.act("use:S06").act("use:S27")
    assert t.store(0) == {"bread": 1}
    assert t.spent() == {"S06", "S27"}
    assert t.get("ended_by") == -1


@check
def test_s35_has_no_place_of_its_own() -> None:
    assert not any("S35" in text for text in calm().active(0, "S35").legal())


@check
def test_nobody_trains_or_swaps() -> None:
    t = calm().all_goods(0, 9).active(0, "S01", "S25")
    assert not [text for text in t.legal() if text.startswith(("train", "swap"))]


@check
def test_unused_specialists_go_to_the_pile_and_five_new_ones_lie_open() -> None:
    t = calm().active(0, "S01", "S02", "S03").act("use:S02")
    next_round(t)
    assert {"S01", "S03"} == t.pile()
    assert t.spent() == {"S02"}
    assert len(t.out(0)) == 5
    assert not t.out(0) & {"S01", "S02", "S03"}


@check
def test_five_new_specialists_in_the_awakening_too() -> None:
    t = awake().active(0, "S01")
    next_round(t)
    assert t.pile() == {"S01"}
    assert len(t.out(0)) == 5


@check
def test_the_pile_is_reshuffled_when_the_deck_runs_out_and_used_cards_stay_out() -> None:
    t = calm().active(0, "S01", "S02", "S03", "S04").deck("specialists", "S10", "S11").act("use:S02")
    next_round(t)
    assert t.out(0) == {"S10", "S11", "S01", "S03", "S04"}
    assert t.pile() == set()
    next_round(t)
    assert len(t.out(0)) == 5
    assert t.spent() == {"S02"}


@check
def test_fewer_lie_open_when_all_others_are_used() -> None:
    t = calm().deck("specialists", "S10", "S11")
    next_round(t)
    assert t.out(0) == {"S10", "S11"}


@check
def test_specialists_of_a_city_card_lie_open_for_one_use() -> None:
    t = awake().hand(0, "C41").deck("specialists", "S01", "S30")
    t.act("activate:C41")
    assert t.out(0) == {"S01", "S30"}
    assert t.act("use:S01").store(0) == {"grain": 2}
    next_round(t)
    assert t.spent() == {"S01"}
    assert "S30" in t.out(0) | t.pile(), "unused like the others"


@check
def test_a_one_time_specialist_of_a_city_card_acts_at_once() -> None:
    t = awake().hand(0, "C41").deck("specialists", "S25", "S30")
    t.act("activate:C41")
    assert t.store(0) == {"column": 2, "planks": 2}
    assert t.spent() == {"S25"}
    assert t.out(0) == {"S30"}


@check
def test_specialists_drawn_into_the_hand_lie_open_too() -> None:
    t = awake(spaces=2).hand(0, "C39", "C49").deck("specialists", "S01", "S30", "S02", "S03", "S04")
    t.act("activate:C39")
    assert len(t.out(0)) == 2
    t.act("activate:C49").choose(t.legal()[0])
    assert len(t.out(0)) == 3
    assert len(t.pile() & SPECIALISTS) == 2
    assert t.cards(0) == set()


# the two phases


@check
def test_nine_calm_rounds_then_the_foro_stands_and_five_city_cards_come() -> None:
    t = calm()
    for number in range(1, 10):
        t.start()
        assert (t.get("rnd"), t.get("phase")) == (number, 0)
        assert t.get("volcano_left") == 19 - number
        assert not t.is_built(17)
        assert t.cards(0) == set()
        next_round(t)
    assert (t.get("rnd"), t.get("phase")) == (10, 1)
    assert t.blocked() == shown(t, 9), "the last card of the lower deck blocks in the first round of The Awakening"
    assert t.is_built(17)
    assert t.store(0) == {}, "free of charge"
    assert len(t.cards(0)) == 5
    assert all(card[0] == "C" for card in t.cards(0))
    assert {card for card in t.out(0) if card[0] == "C"} == set(), "no extra cards for a builder"
    assert t.get("streak") == 0
    row = t.row()
    assert (row["calm_rounds"], row["awakening_rounds"]) == (9, 1)


@check_each("lower,upper", [(4, 3), (1, 2), (3, 0)])
def test_both_decks_are_settings(lower: int, upper: int) -> None:
    t = Table(1, "setup", solo_lower_deck=lower, solo_upper_deck=upper)
    assert t.get("volcano_left") == lower + upper + 1
    t.choose("start:7")
    phases = []
    while t.start().ended() == "":
        phases.append(t.get("phase"))
        next_round(t)
    assert phases == [0] * lower + [1] * (upper + 1)


@check
def test_the_number_of_city_cards_is_a_setting() -> None:
    t = calm(solo_city_dealt=2, solo_lower_deck=1)
    next_round(t)
    assert len(t.cards(0)) == 2


@check
def test_a_city_card_is_activated_by_a_worker_at_the_foro() -> None:
    t = awake().hand(0, "C19")
    assert t.act("activate:C19").store(0) == {"gold": 1}
    assert t.at("building:17") == 1


# offerings


@check
def test_an_offering_made_reveals_a_card_and_loses_nothing() -> None:
    t = awake().goods(0, clay=2, flour=3, wood=3).volcano(13, 14, "apocalypse")
    t.start().end_round()
    assert t.get("due") == 3
    t.pledge(3).pay("wood", "wood", "wood")
    assert t.store(0) == {"clay": 2, "flour": 3}, "card 13 shows both"
    assert t.blocked() == {"clay", "flour"}
    assert t.get("volcano_left") == 2
    assert t.get("streak") == 1
    row = t.row()
    assert (row["eruptions"], row["offerings_paid"], row["lost_value"][0]) == (0, 1, 0)


@check
def test_an_offering_not_made_loses_the_goods_too() -> None:
    t = awake().goods(0, clay=2, flour=3, wood=3).volcano(13, 14, "apocalypse")
    next_round(t)
    assert t.store(0) == {"wood": 3}
    assert t.blocked() == {"clay", "flour"}
    assert t.get("volcano_left") == 2, "one card either way"
    row = t.row()
    assert (row["eruptions"], row["offerings_paid"], row["lost_value"][0]) == (1, 0, 8)


@check
def test_time_and_offering_marker_as_with_more_players() -> None:
    t = awake().goods(0, fish=10)
    for due, streak, raises in ((3, 1, 0), (3, 2, 0), (3, 0, 1)):
        t.start().end_round()
        assert t.get("due") == due
        t.pledge(3).pay(*["fish"] * 3)
        assert (t.get("streak"), t.get("raises")) == (streak, raises)
    t.goods(0, fish=10).start().end_round()
    assert t.get("due") == 4
    t.pledge(4).pay(*["fish"] * 4)
    assert t.get("streak") == 1
    next_round(t)
    assert (t.get("streak"), t.get("raises")) == (0, 1), "a failure resets the row and leaves the raise"


@check
def test_over_offering_draws_from_either_deck_and_what_is_kept_can_be_used() -> None:
    t = awake().goods(0, fish=4).deck("specialists", "S01", *(f"S{n:02d}" for n in range(10, 15)))
    t.start().end_round().pledge(4).pay(*["fish"] * 4)
    assert t.legal() == ["deck:specialists", "deck:city"]
    t.choose("deck:specialists")
    assert len(t.out(0)) == 6, "it lies open beside the five of the next round"
    assert t.cards(0) == set()


@check
def test_a_city_card_for_over_offering_goes_to_the_hand() -> None:
    t = awake().goods(0, fish=4)
    t.start().end_round().pledge(4).pay(*["fish"] * 4).choose("deck:city")
    assert len(t.cards(0)) == 1


@check
def test_city_cards_alone_for_over_offering_by_a_switch() -> None:
    t = awake(solo_offering_deck="city").goods(0, fish=5)
    t.start().end_round().pledge(5).pay(*["fish"] * 5)
    while t.decision()[0] == "keep":
        assert all(text[5] == "C" for text in t.legal())
        t.choose(t.legal()[0])
    assert t.decision()[0] == "place"
    assert len(t.cards(0)) == 1
    assert len(t.out(0)) == 5


@check
def test_city_cards_alone_when_they_run_out() -> None:
    t = awake(solo_offering_deck="city").goods(0, fish=6).deck("city", "C19")
    t.start().end_round().pledge(6).pay(*["fish"] * 6)
    assert t.decision()[0] == "place"
    assert t.cards(0) == {"C19"}


@check
def test_star_cards_of_the_offering() -> None:
    t = awake().hand(0, "C03").goods(0, fish=4)
    t.start().end_round().choose("activate:C03")
    assert t.get("due") == 0
    assert t.get("streak") == 1, "a total of nothing succeeds unpaid"
    assert t.get("volcano_left") == 8, "a card is revealed all the same"
    t.hand(0, "C30").start().end_round().choose("activate:C30")
    assert t.get("streak") == 0
    assert t.get("volcano_left") == 7, "one card, not two"
    assert t.row()["eruptions"] == 1


@check
def test_cards_against_others_do_nothing() -> None:
    cards = ("C11", "C12", "C28", "C29", "C35", "C38", "C40")
    t = awake(spaces=8).workers(0, 6).hand(0, *cards).army(0)
    for card in cards[:6]:
        t.act(f"activate:{card}")
    next_round(t)
    t.act("activate:C40")
    assert t.pile() & set(cards) == set(cards)
    assert int(t.array("workers")[0]) == 6
    assert t.array("injured").sum() == 0


@check
def test_the_castrum_is_never_stopped() -> None:
    t = awake().hand(0, "C31").army(0).all_goods(0, 1)
    assert not t.can("activate:C31")
    t.act("build:20")
    assert t.ended() == "victory"


# the end


@check
def test_eighteen_rounds_and_no_offering_after_the_last() -> None:
    t = calm().build(7)
    rounds = offerings = 0
    while t.start().ended() == "":
        rounds += 1
        assert t.get("rnd") == rounds
        t.end_round()
        if t.decision()[0] == "pledge":
            offerings += 1
            assert 10 <= rounds <= 17
        else:
            assert not 10 <= rounds <= 17 or t.get("due") > 0
        t.refuse()
    assert (rounds, t.ended()) == (18, "apocalypse")
    row = t.row()
    assert row["rounds"] == 18
    assert row["offerings"] == 8
    assert row["eruptions"] == 9, "eight cards of offerings not made and the Apocalypse"
    assert row["title"] == 0


@check
def test_the_last_card_blocks_in_the_last_round() -> None:
    t = awake(17)
    next_round(t)
    assert t.get("volcano_left") == 1
    assert t.blocked() == shown(t, 17)
    t.put(rnd=18)
    t.start().end_round()
    assert t.ended() == "apocalypse"
    assert t.decision() == ("over", -1)


@check
def test_the_last_round_can_be_won() -> None:
    t = awake(17).put(rnd=16).all_goods(0, 1)
    next_round(t).all_goods(0, 1).army(0)
    assert t.get("rnd") == 18
    t.act("build:20")
    assert t.ended() == "victory"
    assert t.row()["title"] == 0, "no volcano card is left"


@check_each("rounds", [1, 3])
def test_the_rounds_after_the_last_card_are_a_setting(rounds: int) -> None:
    t = awake(17, solo_final_rounds=rounds).put(rnd=16)
    next_round(t)
    for number in range(rounds):
        assert t.get("rnd") == 18 + number
        assert t.get("volcano_left") == 1
        assert bool(t.blocked()) == (number == 0), "the last card blocks for one round like the others"
        t.start().end_round()
        assert t.decision()[0] == ("over" if number == rounds - 1 else "place"), "no offering any more"
    assert t.ended() == "apocalypse"


TITLES = {4: "Duumvir", 3: "Aedile", 2: "Decurion", 1: "Quaestor"}


@check_each("left,title", [(8, 4), (5, 4), (4, 4), (3, 3), (2, 2), (1, 1), (0, 0)])
def test_titles_by_the_cards_left(left: int, title: int) -> None:
    t = Table(1).volcano(*range(1, left + 1), "apocalypse").army(0).all_goods(0, 1)
    t.act("build:20")
    assert t.ended() == "victory"
    assert t.row()["title"] == title
    names = [entry.name for entry in reversed(DATA.titles)]
    assert ([*names][title - 1] if title else None) == TITLES.get(min(left, 4))


@check
def test_titles_stand_for_rounds_fourteen_to_seventeen() -> None:
    for number, title in ((13, 4), (14, 4), (15, 3), (16, 2), (17, 1), (18, 0)):
        t = calm()
        while t.start().get("rnd") < number:
            next_round(t)
        t.all_goods(0, 1).army(0).act("build:20")
        assert (t.ended(), t.row()["title"], t.row()["rounds"]) == ("victory", title, number)


@check
def test_the_apocalypse_counts_as_a_card_left_by_a_switch() -> None:
    for left, title in ((0, 1), (1, 2), (3, 4)):
        t = Table(1, title_counts_apocalypse=True).volcano(*range(1, left + 1), "apocalypse").army(0).all_goods(0, 1)
        t.act("build:20")
        assert t.row()["title"] == title


@check
def test_other_tables_have_no_titles_and_block_nothing() -> None:
    t = Table(2).army(0).all_goods(0, 1).act("build:20", seat=0)
    assert t.ended() == "victory"
    row = t.row()
    assert (row["title"], row["open_used"], row["blocked_value"], row["blocked_rounds"].sum()) == (0, 0, 0, 0)


@check
def test_the_record_tells_what_was_blocked_and_used() -> None:
    t = calm().active(0, "S01", "S02").act("use:S01")
    next_round(t)
    next_round(t)
    row = t.row()
    assert row["open_used"] == 1
    assert row["blocked_value"] == 1 + 2 + 1 + 2, "grain and flour, grass and planks"
    assert {GOODS[i] for i in range(len(GOODS)) if row["blocked_rounds"][i]} == {"grain", "flour", "grass", "planks"}


# settings


@pytest.mark.parametrize("name", SOLO)
def test_settings_without_a_meaning_for_one_are_refused(name: str) -> None:
    value = {"apocalypse": "top", "foro_needs_track": False}.get(name, 1 if name != "foro_city" else 2)
    value = 2 if name == "foro_specialists" else value
    rules = Rules(**{name: value})
    with pytest.raises(InputError, match=f"{name} does not apply with one seat"):
        GAME.check(rules, DATA, [Seat()])
    GAME.check(rules, DATA, [Seat()] * 2)
    GAME.check(Rules(**{name: Rules.model_fields[name].default}), DATA, [Seat()])


@pytest.mark.parametrize("name", SOLO_ONLY)
def test_settings_of_the_game_for_one_are_refused_for_more(name: str) -> None:
    value = {"title_counts_apocalypse": True, "solo_offering_deck": "city"}.get(name, 4)
    rules = Rules(**{name: value})
    with pytest.raises(InputError, match=f"{name} is a rule of the game for one seat"):
        GAME.check(rules, DATA, [Seat()] * 3)
    GAME.check(rules, DATA, [Seat()])


def test_more_cards_than_a_level_has_are_refused() -> None:
    with pytest.raises(ValueError, match="together at most 17"):
        Rules(solo_lower_deck=10, solo_upper_deck=8)


def test_more_forced_cards_than_come_are_refused() -> None:
    rules = Rules(deal=Deal(city={0: [f"C{n:02d}" for n in range(1, 7)]}))
    with pytest.raises(InputError, match="forces 6 cards of 5"):
        GAME.check(rules, DATA, [Seat()])


def test_metrics_of_one_seat_and_of_more_do_not_mix() -> None:
    from pompeii_sim.run.execute import schema_of

    names = {n: {m.name for m in schema_of(GAME, "core", {n}).metrics} for n in (1, 2, 4)}
    assert names[2] == names[4]
    assert names[1] - names[4] == {
        *(f"title_{name}_rate" for name in ("duumvir", "aedile", "decurion", "quaestor", "none")),
        "open_used_mean",
        "blocked_value_mean",
    }
    assert names[4] - names[1] == {"win_share_by_player", "win_share_by_seat"}
    assert {m.name for m in schema_of(GAME, "core", {1, 3}).metrics} == names[1] | names[4]


def test_titles_have_labels_in_the_order_of_the_data() -> None:
    from pompeii_sim.games.pompeii.columns import TITLE_LABELS

    assert [TITLE_LABELS[i + 1] for i in range(4)] == [entry.name for entry in reversed(DATA.titles)]
