"""The 52 city cards. [City Cards; 16 Tempio; 17 Foro]"""

from __future__ import annotations

from table import CARDS, FIELDS, GOODS, VALUE, Table, check, check_each

CITY = [card for card in CARDS if card[0] == "C"]
STARS = {"C02", "C03", "C23", "C30", "C31"}
PLUS = {
    "C05": (14, {"sheep"}, "cloth", 2),
    "C06": (11, {"iron", "coal"}, "sword", 1),
    "C07": (7, {"grain"}, "flour", 2),
    "C08": (10, {"flour"}, "bread", 2),
    "C09": (9, {"deer", "sheep"}, "meat", 2),
    "C10": (2, {"bread"}, "gold", 2),
    "C13": (3, {"meat"}, "iron", 2),
    "C15": (12, {"grapes", "pottery"}, "wine", 2),
    "C16": (13, {"olives"}, "oil", 2),
}
TEMPLES = {f"C{n}" for n in range(42, 48)}
ALWAYS = {*PLUS, *TEMPLES, "C17", "C34", "C50"}
GAINS = {
    "C18": {"planks": 2, "column": 2},
    "C19": {"gold": 1},
    "C20": {"iron": 1},
    "C24": {"pearl": 2},
    "C37": {"pearl": 2},
    "C51": {"wine": 1, "bread": 1},
}
ARMY = {"sword": 2, "gold_coin": 2, "cloth": 2}


def _activate(t: Table, card: str, seat: int = 0) -> Table:
    return t.hand(seat, card).act(f"activate:{card}", seat=seat)


@check_each("card", CITY)
def test_activation_at_the_foro_is_free(card: str) -> None:
    t = Table(2).hand(0, card)
    if card in STARS:
        assert not t.can(f"activate:{card}"), "star cards are played from the hand"
        return
    t.goods(0, grain=1).act(f"activate:{card}")
    assert t.store(0).get("grain") == 1
    assert t.at("building:17") == 1
    assert card not in t.cards(0)
    if card in ALWAYS:
        assert t.out(0) == {card}
        assert t.pile() == set()
        assert t.decision() == ("place", 1)
    elif card != "C41":
        assert t.out(0) == set()


@check
def test_kinds_are_29_once_18_always_5_star() -> None:
    assert len(ALWAYS) == 18
    assert len(STARS) == 5
    assert len(CITY) - 18 - 5 == 29


@check
def test_one_city_card_a_worker() -> None:
    t = _activate(Table(2).hand(0, "C19"), "C20")
    assert t.store(0) == {"iron": 1}
    assert t.cards(0) == {"C19"}
    assert t.decision() == ("place", 1)


@check
def test_city_cards_need_the_foro() -> None:
    t = Table(2, "calm").hand(0, "C18")
    assert not t.can("activate:C18")


@check_each("card", PLUS)
def test_more_after_a_conversion(card: str) -> None:
    number, inputs, output, more = PLUS[card]
    t = Table(2).active(0, card).goods(0, **dict.fromkeys(inputs, 2))
    assert not t.can(f"use:{card}")
    t.build(number, owner=1).act(f"use:{card}").choose("amount:2")
    assert t.store(0) == {output: 2 + more}
    if len(inputs) > 1:
        t.choose(f"good:{max(inputs)}")
    assert t.store(1) == {max(inputs): 1}
    assert t.at(f"building:{number}") == 1
    assert t.out(0) == {card}


@check_each("card", GAINS)
def test_gains(card: str) -> None:
    t = _activate(Table(2), card)
    assert t.store(0) == GAINS[card]
    assert t.pile() == {card}
    assert t.decision() == ("place", 1)


# C01 Aqua Augusta


@check
def test_c01_takes_all_workers_of_a_building_for_this_round() -> None:
    t = Table(3).build(7, 13, 19).stand(0, "building:7").stand(1, "building:7").stand(2, "building:13")
    t = _activate(t, "C01")
    assert t.legal() == ["place:building:7", "place:building:13"]
    t.choose("place:building:7")
    assert t.at("building:7") == 0, "the spaces are free again at once"
    assert t.ready(0) == 3 - 1 - 1 + 2
    assert [t.marker(s) for s in range(3)] == [3, 3, 3], "markers do not change"
    assert t.pile() == {"C01"}
    for _ in range(3):
        t.act("collect:grain", seat=0)
    assert t.store(0) == {"grain": 3}
    assert t.ready(0) == 0
    assert t.ready(1) == 2
    t.end_round().refuse()
    assert t.array("ready")[:3].tolist() == [3, 3, 3], "they go home to their owners"


@check
def test_c01_makes_its_player_the_user() -> None:
    t = Table(2).build(7, owner=1).goods(0, grain=1).stand(1, "building:7", 2)
    t = _activate(t, "C01")
    t.array("ready")[0] = 0
    t.act("produce:7", seat=0)
    assert t.store(0) == {"flour": 1}
    assert t.store(1) == {"grain": 1}


@check
def test_c01_does_not_reach_the_foro_or_places_that_are_no_buildings() -> None:
    t = Table(2).stand(1, "building:17").stand(1, "building:19").stand(0, "porta").stand(0, "costruzione")
    t = _activate(t, "C01")
    assert t.decision() == ("place", 1), "without a target it is discarded unused"
    assert t.pile() == {"C01"}


@check
def test_c01_of_the_japanese_text_takes_own_workers_only() -> None:
    t = Table(3, reclaim_workers="own").build(7, 13).stand(0, "building:7").stand(1, "building:7")
    t = _activate(t.stand(2, "building:13"), "C01").choose("place:building:7")
    assert t.at("building:7") == 1
    assert t.ready(0) == 2
    assert t.ready(1) == 2


# C04, C21, C39, C49: cards


@check
def test_c04_draws_five_city_cards_and_keeps_two() -> None:
    t = _activate(Table(2).deck("city", "C04", "C05", "C06", "C07", "C08", "C09", "C10"), "C04")
    assert t.decision() == ("keep", 0)
    drawn = sorted(a[5:] for a in t.legal())
    assert len(drawn) == 5
    t.choose(f"card:{drawn[1]}", f"card:{drawn[4]}")
    assert t.cards(0) == {drawn[1], drawn[4]}
    assert t.pile() == {"C04", drawn[0], drawn[2], drawn[3]}
    assert t.array("deck_left")[1] == 1
    assert t.array("hand_size")[0, 1] == 2


@check
def test_c21_discards_a_city_card_and_draws_two() -> None:
    t = Table(2).hand(0, "C05", "C06", "S01").deck("city", "C21", "C07", "C08")
    t = _activate(t, "C21")
    assert t.legal() == ["card:C05", "card:C06"]
    t.choose("card:C05")
    assert t.cards(0) == {"C06", "C07", "C08", "S01"}
    assert t.pile() == {"C05", "C21"}


@check
def test_c21_with_no_other_city_card_does_nothing() -> None:
    t = _activate(Table(2), "C21")
    assert t.cards(0) == set()
    assert t.pile() == {"C21"}


@check
def test_c39_draws_two_specialists_into_the_hand() -> None:
    t = _activate(Table(2).deck("specialists", "S01", "S02", "S03"), "C39")
    assert len(t.cards(0)) == 2
    assert t.cards(0) < {"S01", "S02", "S03"}
    assert t.pile() == {"C39"}


@check
def test_c49_draws_three_specialists_and_keeps_one() -> None:
    t = _activate(Table(2).deck("specialists", "S01", "S02", "S03", "S04"), "C49")
    assert t.decision() == ("keep", 0)
    drawn = {a[5:] for a in t.legal()}
    assert len(drawn) == 3
    kept = min(drawn)
    t.choose(f"card:{kept}")
    assert t.cards(0) == {kept}
    assert t.pile() == {*drawn, "C49"} - {kept}
    assert t.array("deck_left")[0] == 1


@check
def test_c41_activates_two_specialists_from_the_deck_free() -> None:
    t = _activate(Table(2).deck("specialists", "S25", "S30"), "C41")
    assert t.out(0) == {"S30"}
    assert t.store(0) == {"planks": 2, "column": 2}, "the one-time effect is done"
    assert t.pile() == {"C41", "S25"}


@check
def test_drawing_from_an_empty_deck_reshuffles_the_discard_pile() -> None:
    t = _activate(Table(2).discarded("S07", "S08").deck("specialists", "S01"), "C39")
    assert "S01" in t.cards(0)
    assert len(t.cards(0)) == 2
    assert t.pile() == {"C39"}
    assert t.array("deck_left")[0] == 1


@check
def test_drawing_when_deck_and_pile_are_empty_gives_nothing() -> None:
    t = _activate(Table(2).deck("specialists"), "C39")
    assert t.cards(0) == set()
    t = _activate(Table(2).deck("specialists", "S30"), "C41")
    assert t.out(0) == {"S30"}


# C11, C25, C29: other cards


@check
def test_c11_takes_an_active_specialist_into_the_hand() -> None:
    t = Table(3).active(1, "S30", "C42").active(2, "S01").active(0, "S02")
    t = _activate(t, "C11")
    assert t.legal() == ["card:S01", "card:S30"]
    t.choose("card:S30")
    assert t.cards(0) == {"S30"}
    assert t.out(1) == {"C42"}
    assert t.out(0) == {"S02"}, "to be trained again at its cost"
    assert t.goods(0, flour=1).turn(0).can("train:S30")


@check
def test_cards_are_taken_from_whoever_has_them() -> None:
    t = _activate(Table(3).active(1, "S30").active(2, "S01").hand(1, "S02"), "C11").choose("card:S01")
    assert (t.cards(0), t.out(1), t.out(2)) == ({"S01"}, {"S30"}, set())
    t = _activate(Table(3).active(2, "C47"), "C29", seat=0)
    assert (t.out(0), t.out(2)) == ({"C47"}, set())


@check
def test_c29_takes_an_active_temple_card_active_at_once() -> None:
    t = Table(3).active(1, "C42", "S30", "C17").active(2, "C47").build(16).goods(0, grain=1)
    t = _activate(t, "C29")
    assert t.legal() == ["card:C42", "card:C47"]
    t.choose("card:C42")
    assert t.out(0) == {"C42"}
    assert t.out(1) == {"S30", "C17"}
    assert t.turn(0).can("produce:16")


@check
def test_c25_activates_any_city_card_of_the_discard_pile() -> None:
    t = _activate(Table(2).discarded("C19", "C42", "S30"), "C25")
    assert t.legal() == ["card:C19", "card:C42"]
    t.choose("card:C19")
    assert t.store(0) == {"gold": 1}
    assert t.pile() == {"C19", "C25", "C42", "S30"}
    t = _activate(Table(2).discarded("C42", "C19"), "C25").choose("card:C42")
    assert t.out(0) == {"C42"}
    assert t.pile() == {"C19", "C25"}


@check
def test_c25_takes_a_star_card_into_the_hand() -> None:
    t = _activate(Table(2).discarded("C02"), "C25")
    assert t.cards(0) == {"C02"}
    assert t.pile() == {"C25"}


@check
def test_c25_cannot_take_itself() -> None:
    t = _activate(Table(2), "C25")
    assert t.decision() == ("place", 1)
    assert t.pile() == {"C25"}


# C12, C28: injuries


@check
def test_c12_moves_a_placed_worker_to_its_space() -> None:
    t = Table(3).build(7).stand(1, "building:7").stand(1, "field:grain").stand(0, "porta")
    t = _activate(t, "C12")
    t.choose("seat:1")
    assert t.legal() == ["place:field:grain", "place:building:7"]
    t.choose("place:building:7")
    assert t.array("injured")[1].tolist() == [1, 0, 0]
    assert t.at("building:7") == 0, "the space is free again"
    assert t.ready(1) == 1
    assert t.marker(1) == 3, "a worker on C12 is active"
    t.end_round().refuse()
    assert t.ready(1) == 2, "it stays there between rounds"
    assert t.ready(2) == 3


@check
def test_c12_needs_a_player_with_a_placed_worker() -> None:
    t = Table(3).stand(2, "field:grain")
    t = _activate(t, "C12")
    assert t.made[0] == "seat:2"
    t = _activate(Table(3), "C12")
    assert t.decision() == ("place", 1)


@check
def test_c28_hits_a_player_with_an_army() -> None:
    t = Table(3).army(2).stand(1, "field:grain").stand(2, "field:fish")
    t = _activate(t, "C28")
    assert t.made == ["seat:2", "place:field:fish"]
    assert t.array("injured")[2].tolist() == [0, 1, 0]
    assert t.array("army")[2] == 1
    assert t.marker(2) == 3


@check
def test_c28_without_an_army_anywhere_is_discarded_unused() -> None:
    t = _activate(Table(2).stand(1, "field:grain"), "C28")
    assert t.decision() == ("place", 1)
    assert t.array("injured").sum() == 0


@check
def test_unplaced_workers_can_be_injured_by_a_switch() -> None:
    t = _activate(Table(2, injure_unplaced=True), "C12")
    assert t.made == ["seat:1", "place:not-placed"]
    assert t.ready(1) == 2
    assert t.array("injured")[1, 0] == 1


@check_each("space, cost", [("C12", {"wine": 1}), ("C28", {"bread": 1, "meat": 1})])
def test_a_worker_is_freed_at_the_foro_for_goods(space: str, cost: dict[str, int]) -> None:
    k = ("C12", "C28", "C31").index(space)
    t = Table(2).start()
    t.array("injured")[0, k] = 1
    t.array("ready")[0] = 2
    assert not t.can(f"release:{space}")
    for good in cost:
        t.goods(0, **cost)
        assert t.can(f"release:{space}")
        assert not t.goods(0, **{good: 0}).can(f"release:{space}")
    t.goods(0, **cost).act(f"release:{space}")
    assert t.store(0) == {}
    assert t.at("building:17") == 1
    assert t.array("injured")[0].tolist() == [0, 0, 0]
    assert t.ready(0) == 1, "it does not act again in this round"
    t.end_round().refuse()
    assert t.ready(0) == 3


@check
def test_a_freed_worker_acts_again_by_a_switch() -> None:
    t = Table(2, freed_worker_acts=True).goods(0, wine=1).start()
    t.array("injured")[0, 0] = 1
    t.array("ready")[0] = 2
    t.act("release:C12")
    assert t.ready(0) == 2


@check
def test_release_takes_the_place_of_an_activation_and_needs_a_space() -> None:
    t = Table(2).goods(0, wine=1).hand(0, "C18").start()
    t.array("injured")[0, 0] = 1
    t.act("release:C12")
    assert t.cards(0) == {"C18"}
    assert t.decision() == ("place", 1)
    t = Table(2).goods(0, wine=1).start()
    t.array("injured")[0, 0] = 1
    t.stand(1, "building:17", 2)
    assert not t.can("release:C12")


@check
def test_only_the_own_worker_is_freed() -> None:
    t = Table(2).goods(0, wine=1).start()
    t.array("injured")[1, 0] = 1
    assert not t.can("release:C12")


# C14 tokens


@check
def test_c14_covers_two_worker_spaces() -> None:
    t = _activate(Table(3).build(7, 19).goods(1, grain=9), "C14")
    assert t.decision() == ("cover", 0)
    assert t.legal() == ["place:building:7", "place:building:17", "place:building:19"]
    t.choose("place:building:7", "place:building:7")
    assert t.array("tokens")[7] == 2
    assert t.pile() == {"C14"}
    assert t.act("produce:7", seat=1).choose("amount:1").at("building:7") == 1
    assert not t.turn(1).can("produce:7"), "one of three spaces was left"
    t.end_round().refuse()
    assert t.array("tokens")[7] == 2, "for the rest of the game"


@check
def test_tokens_can_lie_on_two_buildings() -> None:
    t = _activate(Table(3).build(7, 19), "C14").choose("place:building:7", "place:building:19")
    assert t.array("tokens")[[7, 19]].tolist() == [1, 1]


@check
def test_tokens_cover_free_spaces_and_leave_the_foro_one() -> None:
    t = Table(2).build(7).stand(1, "building:7", 2)
    t = _activate(t, "C14")
    assert t.made == ["place:building:17"], "7 is full; the Foro keeps one space"
    assert t.array("tokens")[17] == 1
    assert t.decision() == ("place", 1)


@check
def test_c14_has_two_tokens() -> None:
    t = Table(3).build(7, 19).start()
    t.array("tokens")[7] = 1
    t = _activate(t, "C14").choose("place:building:19")
    assert t.decision() == ("place", 1)
    assert t.array("tokens")[[7, 19]].tolist() == [1, 1]
    t = _activate(t, "C12", seat=1)
    t.array("discard")[52 + 13] = 0
    t.array("tokens")[7] = 2
    t = _activate(t, "C14", seat=2)
    assert t.decision() == ("place", 0)


@check
def test_a_token_is_removed_at_the_foro_for_a_stone() -> None:
    t = Table(2).build(7).hand(0, "C18").start()
    t.array("tokens")[7] = 2
    assert not t.can("uncover:7")
    t.goods(0, stone=1).act("uncover:7")
    assert t.array("tokens")[7] == 1
    assert t.store(0) == {}
    assert t.at("building:17") == 1
    assert t.decision() == ("place", 1)


# C17 Casa della Fontana Piccola


@check
def test_c17_lets_one_worker_in_above_the_limit_of_a_blue_tile() -> None:
    t = Table(2).build(13, 7).goods(0, olives=5, grain=5).workers(0, 6)
    t.stand(1, "building:13", 2).stand(1, "building:7")
    t.array("used")[9 + 7] = 2
    assert not t.can("produce:13")
    t.active(0, "C17")
    assert not t.can("produce:7"), "blue only"
    t.act("produce:13").choose("amount:1")
    assert t.at("building:13") == 3
    assert not t.turn(0).can("produce:13"), "one a building and round"
    assert not t.goods(1, olives=1).can("produce:13")


@check
def test_c17_at_the_foro_and_once_at_each_blue_tile() -> None:
    t = Table(2).build(13).goods(0, olives=5).hand(0, "C18").active(0, "C17").workers(0, 6)
    t.start()
    t.array("used")[9 + 13] = t.array("used")[9 + 17] = 2
    t.act("activate:C18").act("produce:13", seat=0).choose("amount:1")
    assert (t.at("building:17"), t.at("building:13")) == (3, 3)


@check
def test_c17_does_not_help_extra_actions_or_the_terme() -> None:
    t = Table(2).build(13, 19).all_goods(0, 9).hand(0, "C27").active(0, "C17").start()
    t.array("used")[9 + 13] = t.array("used")[9 + 19] = 2
    assert not t.can("army")
    t.act("activate:C27")
    assert not t.can("produce:13")


@check
def test_c17_starts_anew_each_round() -> None:
    t = Table(2).build(13).goods(0, olives=5).active(0, "C17").start()
    t.array("extra_used")[0, 13] = 1
    t.end_round().refuse()
    t.array("used")[9 + 13] = 2
    assert t.turn(0).can("produce:13")


@check
def test_c17_read_as_a_second_worker_in_the_same_turn() -> None:
    t = Table(2, extra_space="second-worker").build(13, 7, 12).goods(0, olives=5, grain=5).active(0, "C17", "S46")
    t.act("produce:13").choose("amount:1")
    assert t.decision() == ("second", 0)
    assert t.legal() == ["pass", "produce:13", "use:S46"]
    t.choose("use:S46").choose("amount:2")
    assert t.store(0) == {"olives": 2, "grain": 5, "oil": 5}
    assert t.at("building:13") == 2
    assert t.ready(0) == 1
    assert t.decision() == ("place", 1)
    t.act("produce:7", seat=0).choose("amount:1")
    assert t.decision() == ("place", 1), "blue only"


@check
def test_second_worker_reading_opens_no_full_tile() -> None:
    t = Table(2, extra_space="second-worker").build(13).goods(0, olives=5).active(0, "C17").start()
    t.array("used")[9 + 13] = 1
    t.act("produce:13").choose("amount:1", "produce:13", "amount:1")
    assert t.at("building:13") == 3, "the second worker needs no free space"
    assert not t.turn(0).can("produce:13")


@check
def test_the_second_worker_at_the_foro_and_at_tempio_and_anfiteatro() -> None:
    t = Table(2, extra_space="second-worker").hand(0, "C18", "C19", "C42").active(0, "C17").act("activate:C18")
    assert t.decision() == ("second", 0)
    assert t.legal() == ["pass", "activate:C19", "activate:C42"]
    t.choose("activate:C19")
    assert t.store(0) == {"planks": 2, "column": 2, "gold": 1}
    assert t.decision() == ("place", 1)
    t = Table(2, extra_space="second-worker").build(18).goods(0, wine=2).active(0, "C17").act("recruit:1")
    assert t.legal() == ["pass", "recruit:1"]
    t = Table(2, extra_space="second-worker").build(16).goods(0, grain=2).active(0, "C17", "C42").act("produce:16")
    t.choose("good:oil", "amount:1")
    assert t.legal() == ["pass", "produce:16"]


@check
def test_no_second_worker_when_none_is_left_or_the_tile_is_green_or_for_extra_actions() -> None:
    t = Table(2, extra_space="second-worker").build(13, 19).all_goods(0, 9).active(0, "C17").act("army")
    assert t.decision() == ("place", 1)
    t = Table(2, extra_space="second-worker").build(13).goods(0, olives=9).active(0, "C17").start()
    t.array("ready")[0] = 1
    t.act("produce:13").choose("amount:1")
    assert t.decision() == ("place", 1)
    t = Table(2, extra_space="second-worker").build(13).goods(0, bread=1, olives=9).hand(0, "S05").active(0, "C17")
    t.act("train:S05").act("produce:13").choose("amount:1")
    assert t.decision() == ("place", 0)


@check
def test_the_second_worker_is_a_choice() -> None:
    t = Table(2, extra_space="second-worker").build(13).goods(0, olives=5).active(0, "C17")
    t.act("produce:13").choose("amount:1", "pass")
    assert t.ready(0) == 2
    assert t.decision() == ("place", 1)


@check
def test_above_limit_reading_offers_no_second_worker() -> None:
    t = Table(2).build(13).goods(0, olives=5).active(0, "C17").act("produce:13").choose("amount:1")
    assert t.decision() == ("place", 1)


# C22, C26, C27, C48


@check
def test_c22_destroys_the_tempio() -> None:
    t = Table(2).build(16, owner=1).active(1, "C42").goods(0, planks=1, column=1).goods(1, grain=1)
    t.start()
    t.array("tokens")[16] = 1
    t = _activate(t, "C22")
    assert not t.is_built(16)
    assert t.array("owner")[16] == -1
    assert t.array("tokens")[16] == 0
    assert t.out(1) == {"C42"}, "temple cards stay"
    assert not t.can("produce:16")
    t.act("build:16", seat=0)
    assert t.array("owner")[16] == 0
    assert t.turn(1).can("produce:16")


@check
def test_c26_takes_a_new_worker() -> None:
    t = _activate(Table(2), "C26")
    assert t.array("workers")[0] == 4
    assert t.ready(0) == 3
    assert t.marker(0) == 4
    t = _activate(Table(2).workers(0, 6), "C26")
    assert t.array("workers")[0] == 6


@check_each("card", ["C27", "C48"])
def test_two_extra_actions(card: str) -> None:
    t = _activate(Table(2), card)
    for _ in range(2):
        assert t.decision() == ("place", 0)
        t.act("collect:grain")
    assert t.decision() == ("place", 1)
    assert t.ready(0) == 2
    assert t.pile() == {card}


# C32, C33, C36: goods of one's choice


@check_each("card, value, count", [("C32", 1, 4), ("C33", 2, 2), ("C36", 3, 1)])
def test_goods_of_own_choice(card: str, value: int, count: int) -> None:
    t = _activate(Table(2), card)
    for _ in range(count):
        assert t.decision() == ("take_good", 0)
        assert t.legal() == [f"good:{g}" for g in GOODS if VALUE[g] == value]
        t.choose(t.legal()[-1])
    assert t.decision() == ("place", 1)
    assert sum(t.store(0).values()) == count
    assert t.pile() == {card}


@check
def test_the_goods_can_differ() -> None:
    t = _activate(Table(2), "C32").choose("good:grain", "good:fish", "good:grain", "good:wood")
    assert t.store(0) == {"grain": 2, "fish": 1, "wood": 1}


# C34 Porta Marina


@check
def test_c34_gives_a_fish_for_every_worker_of_others_at_the_porta() -> None:
    t = _activate(Table(3), "C34")
    t.goods(0, grain=4).goods(1, gold=3)
    t.act("trade", seat=1).choose("good:gold", "good:meat", "amount:1")
    assert t.store(0) == {"grain": 4, "fish": 1}
    t.act("trade", seat=0).choose("good:grain", "good:fish", "amount:1")
    assert t.store(0) == {"grain": 2, "fish": 2}, "nothing for the own worker"


@check
def test_c34_counts_extra_actions_at_the_porta() -> None:
    t = Table(2).active(0, "C34").hand(1, "C27").goods(1, gold=9).act("activate:C27", seat=1)
    t.act("trade").choose("good:gold", "good:meat", "amount:1")
    assert t.store(0) == {"fish": 1}
    assert t.at("porta") == 0


@check
def test_c34_fish_stop_at_ten_and_s35_does_not_keep_them_back() -> None:
    t = Table(2).active(0, "C34").active(1, "S35").goods(1, gold=9).goods(0, fish=9)
    for _ in range(2):
        t.act("trade", seat=1).choose("good:gold", "good:meat", "amount:1")
        assert t.store(0) == {"fish": 10}


# C35, C38, C40


@check
def test_c35_every_other_player_gives_a_good_of_own_choice() -> None:
    t = Table(4).goods(1, grain=1, gold=2).goods(2, fish=3)
    t = _activate(t, "C35")
    assert t.decision() == ("gift", 1)
    assert t.legal() == ["good:grain", "good:gold"]
    t.choose("good:grain")
    assert t.store(0) == {"grain": 1, "fish": 1}
    assert (t.store(1), t.store(2), t.store(3)) == ({"gold": 2}, {"fish": 2}, {})
    assert t.decision() == ("place", 1)


@check
def test_c35_what_the_receiver_cannot_hold_is_lost() -> None:
    t = _activate(Table(2).goods(0, fish=10).goods(1, fish=1), "C35")
    assert t.store(0) == {"fish": 10}
    assert t.store(1) == {}


@check
def test_c38_steals_one_good_from_one_player() -> None:
    t = Table(4).goods(1, grain=1, sword=2).goods(2, fish=3)
    t = _activate(t, "C38")
    assert t.legal() == ["seat:1", "seat:2"]
    t.choose("seat:1", "good:sword")
    assert t.store(0) == {"sword": 1}
    assert t.store(1) == {"grain": 1, "sword": 1}
    assert t.decision() == ("place", 1)


@check
def test_c38_with_two_goods_steals_both_from_the_same_player() -> None:
    t = _activate(Table(3).card_number_is("C38", 2).goods(1, grain=1, sword=2).goods(2, fish=3), "C38")
    t.choose("seat:1", "good:sword", "good:grain")
    assert t.store(0) == {"grain": 1, "sword": 1}
    assert t.store(1) == {"sword": 1}
    assert t.decision() == ("place", 1)


@check
def test_c40_every_other_player_with_more_than_four_workers_loses_one() -> None:
    t = Table(4).workers(0, 6).workers(1, 5).workers(2, 6).workers(3, 4)
    t.stand(1, "field:grain").stand(2, "building:17")
    t = _activate(t, "C40")
    assert t.decision() == ("lose_worker", 1), "the victim chooses the worker"
    assert t.legal() == ["place:field:grain", "place:not-placed"]
    t.choose("place:field:grain", "place:not-placed")
    assert t.array("workers").tolist() == [6, 4, 5, 4]
    assert [t.marker(s) for s in range(4)] == [6, 4, 5, 4], "the markers fall with them"
    assert t.at("field:grain") == 0
    assert t.at("building:17") == 2
    assert (t.ready(1), t.ready(2), t.ready(3)) == (4, 4, 4)


@check
def test_c40_may_take_an_injured_worker_and_leaves_the_raises() -> None:
    t = Table(2).workers(1, 5).put(raises=2).start()
    t.array("injured")[1, 0] = 1
    t.array("ready")[1] = 4
    t = _activate(t, "C40")
    t.choose("place:space:C12")
    assert t.array("injured")[1, 0] == 0
    assert t.marker(1) == 6


# C50, C52


@check
def test_c50_lowers_the_cost_of_the_army_by_a_coin() -> None:
    t = Table(2).build(19, owner=1).active(0, "C50").goods(0, sword=2, gold_coin=1, cloth=2)
    assert not t.can("army")
    t.act("use:C50").choose("good:gold_coin")
    assert t.array("army")[0] == 1
    assert t.store(0) == {}
    assert t.at("building:19") == 1
    assert not t.turn(0).can("use:C50")


@check
def test_c52_swaps_any_amount_into_another_good_of_the_same_value() -> None:
    t = _activate(Table(2).goods(0, gold=4, sword=1), "C52").choose("good:gold")
    assert t.legal() == ["good:iron", "good:cloth"]
    t.choose("good:cloth", "amount:3")
    assert t.store(0) == {"gold": 1, "cloth": 3, "sword": 1}
    assert t.pile() == {"C52"}


@check
def test_c52_may_give_pearls_since_it_is_a_city_card() -> None:
    t = _activate(Table(2).goods(0, bread=2), "C52").choose("good:pearl", "amount:2")
    assert t.store(0) == {"pearl": 2}


# temple cards: test_buildings; star cards: test_offering and test_victory


@check_each("card", sorted({*GAINS, "C26", "C32", "C33", "C36"} - {"C26"}))
def test_gains_stop_at_ten(card: str) -> None:
    t = _activate(Table(2).all_goods(0, 10), card)
    while t.decision()[0] == "take_good":
        t.choose(t.legal()[0])
    assert set(t.store(0).values()) == {10}


@check
def test_hands_have_no_limit() -> None:
    t = Table(2).hand(0, *CITY[:30]).hand(0, *CARDS[:40])
    assert len(t.cards(0)) == 70
    assert len([a for a in t.legal() if a.startswith("activate")]) == 30 - len(STARS - {"C31"})
    assert len(FIELDS) == 10
