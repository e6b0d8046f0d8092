"""The 20 buildings and the bonus of their owners. [Action 2; Action 3, Ownership bonus; Special buildings]"""

from __future__ import annotations

from table import FIELDS, Table, check, check_each

RECIPES: dict[int, tuple[dict[str, int], str]] = {
    1: ({"fish": 1}, "coal"),
    2: ({"bread": 1}, "gold"),
    3: ({"meat": 1}, "iron"),
    4: ({"wood": 1}, "planks"),
    5: ({"stone": 1}, "column"),
    6: ({"grass": 1}, "sheep"),
    7: ({"grain": 1}, "flour"),
    8: ({"clay": 1}, "pottery"),
    9: ({"deer": 1, "sheep": 1}, "meat"),
    10: ({"flour": 1}, "bread"),
    11: ({"iron": 1, "coal": 1}, "sword"),
    12: ({"grapes": 1, "pottery": 1}, "wine"),
    13: ({"olives": 1}, "oil"),
    14: ({"sheep": 1}, "cloth"),
    15: ({"gold": 1, "coal": 1}, "gold_coin"),
}
ARMY = {"sword": 2, "gold_coin": 2, "cloth": 2}


@check_each("number", RECIPES)
def test_a_producer_converts_one_to_one(number: int) -> None:
    inputs, output = RECIPES[number]
    t = Table(2).build(number).goods(0, **{g: 4 for g in inputs}).act(f"produce:{number}")
    assert t.legal() == [f"amount:{n}" for n in (1, 2, 3, 4)]
    t.choose("amount:3")
    assert t.store(0) == {**dict.fromkeys(inputs, 1), output: 3}
    assert t.at(f"building:{number}") == 1


@check_each("number, good", [(n, g) for n, (inputs, _) in RECIPES.items() for g in inputs])
def test_a_producer_needs_each_of_its_inputs(number: int, good: str) -> None:
    inputs, _ = RECIPES[number]
    t = Table(2).build(number).goods(0, **{g: 4 for g in inputs})
    assert t.can(f"produce:{number}")
    t.goods(0, **{good: 2}).act(f"produce:{number}")
    assert t.legal() == ["amount:1", "amount:2"], "the scarcest input sets the limit"
    t = Table(2).build(number).goods(0, **{g: 4 for g in inputs}).goods(0, **{good: 0})
    assert not t.can(f"produce:{number}")


# owner bonus


@check_each("number, good", [(n, g) for n, (inputs, _) in RECIPES.items() for g in inputs])
def test_the_owner_gains_one_of_the_goods_spent(number: int, good: str) -> None:
    inputs, _ = RECIPES[number]
    t = Table(3).build(number, owner=1).goods(0, **{g: 4 for g in inputs}).act(f"produce:{number}").choose("amount:2")
    if len(inputs) > 1:
        assert t.decision() == ("bonus", 1)
        assert sorted(t.legal()) == sorted(f"good:{g}" for g in inputs)
    t.choose(f"good:{good}")
    assert t.store(1) == {good: 1}
    assert t.store(2) == {}


@check
def test_two_gold_and_two_coal_give_the_owner_a_choice() -> None:
    for good in ("gold", "coal"):
        t = Table(3).build(15, owner=2).goods(0, gold=2, coal=2).act("produce:15").choose("amount:2", f"good:{good}")
        assert t.store(0) == {"gold_coin": 2}
        assert t.store(2) == {good: 1}


@check
def test_own_use_gives_no_bonus() -> None:
    t = Table(2).build(7, owner=0).goods(0, grain=2).act("produce:7").choose("amount:2")
    assert t.store(0) == {"flour": 2}


@check
def test_a_tile_of_nobody_gives_no_bonus() -> None:
    t = Table(2).build(7).goods(0, grain=2).act("produce:7").choose("amount:2")
    assert t.store(1) == {}


@check
def test_at_the_cap_the_owner_takes_the_other_good_or_nothing() -> None:
    t = Table(2).build(15, owner=1).goods(0, gold=1, coal=1).goods(1, gold=10).act("produce:15")
    assert t.store(1) == {"gold": 10, "coal": 1}
    t = Table(2).build(15, owner=1).goods(0, gold=1, coal=1).goods(1, gold=10, coal=10).act("produce:15")
    assert t.store(1) == {"gold": 10, "coal": 10}
    assert t.decision() == ("place", 1)


@check
def test_once_a_use_for_every_use() -> None:
    t = Table(2).build(7, owner=1).goods(0, grain=4).workers(0, 6)
    t.act("produce:7").choose("amount:1")
    t.act("produce:7", seat=0).choose("amount:1")
    assert t.store(1) == {"grain": 2}


@check_each("units", [0, 1, 2])
def test_the_bonus_is_a_setting(units: int) -> None:
    t = Table(2, owner_bonus=units).build(7, owner=1).goods(0, grain=4).act("produce:7").choose("amount:4")
    assert t.store(1) == ({"grain": units} if units else {})


# S27: two holders


@check
def test_owner_and_holder_of_s27_pay_each_other() -> None:
    t = Table(3).build(7, owner=0)
    t.array("co_owners")[7] = 0b010
    for seat in range(3):
        t.goods(seat, grain=1)
    t.act("produce:7", seat=2)
    assert [t.store(s) for s in range(3)] == [{"grain": 2}, {"grain": 2}, {"flour": 1}]
    t.act("produce:7", seat=0).choose("amount:1")
    assert [t.store(s) for s in range(2)] == [{"grain": 1, "flour": 1}, {"grain": 3}]
    t.act("produce:7", seat=1).choose("amount:1")
    assert [t.store(s) for s in range(2)] == [{"grain": 2, "flour": 1}, {"grain": 2, "flour": 1}]


@check
def test_both_holders_choose_for_themselves() -> None:
    t = Table(3).build(9, owner=1).goods(0, deer=1, sheep=1)
    t.array("co_owners")[9] = 0b100
    t.act("produce:9")
    assert t.decision() == ("bonus", 1)
    t.choose("good:sheep")
    assert t.decision() == ("bonus", 2)
    t.choose("good:deer")
    assert (t.store(1), t.store(2)) == ({"sheep": 1}, {"deer": 1})


# S35


@check
def test_s35_keeps_the_bonus_of_blue_tiles_back() -> None:
    t = Table(2).build(13, owner=1).active(0, "S35").goods(0, olives=1).act("produce:13")
    assert t.store(0) == {"oil": 1}
    assert t.store(1) == {}


@check
def test_s35_does_not_reach_red_tiles_or_the_terme() -> None:
    t = Table(2).build(7, owner=1).active(0, "S35").goods(0, grain=1).act("produce:7")
    assert t.store(1) == {"grain": 1}
    t = Table(2).build(19, owner=1).active(0, "S35").goods(0, **ARMY).act("army")
    assert t.decision() == ("bonus", 1)


@check
def test_s35_is_of_use_to_its_holder_only() -> None:
    t = Table(3).build(13, owner=1).active(2, "S35").goods(0, olives=1).act("produce:13")
    assert t.store(1) == {"olives": 1}


@check
def test_s35_goes_together_with_a_card_of_the_place() -> None:
    t = Table(2).build(13, owner=1).active(0, "S35", "S46").goods(0, olives=1).act("use:S46")
    assert t.store(0) == {"oil": 3}
    assert t.store(1) == {}


# 16 Tempio


@check
def test_the_tempio_turns_any_value_one_good_into_any_of_value_three() -> None:
    t = Table(2).build(16).active(0, "C42").goods(0, grass=4, grain=1, flour=5).act("produce:16")
    assert t.legal() == ["good:grain", "good:grass"]
    t.choose("good:grass")
    assert t.legal() == ["good:bread", "good:meat", "good:oil", "good:wine"], "no pearls"
    t.choose("good:wine")
    assert t.legal() == [f"amount:{n}" for n in (1, 2, 3, 4)]
    t.choose("amount:3")
    assert t.store(0) == {"grain": 1, "grass": 1, "flour": 5, "wine": 3}
    assert t.at("building:16") == 1


@check
def test_the_tempio_needs_an_active_temple_card() -> None:
    t = Table(2).build(16, owner=0).goods(0, grain=4)
    assert not t.can("produce:16")
    assert not t.hand(0, "C42").can("produce:16")
    assert not t.active(1, "C43").can("produce:16")
    assert t.active(0, "C44").can("produce:16")


@check_each("card", [f"C{n}" for n in range(42, 48)])
def test_each_temple_card_opens_the_tempio(card: str) -> None:
    t = Table(2).build(16).active(0, card).goods(0, grain=1).act("produce:16").choose("good:oil")
    assert t.store(0) == {"oil": 1}
    assert t.out(0) == {card}


@check
def test_the_tempio_bonus_is_the_value_one_good() -> None:
    t = Table(2).build(16, owner=1).active(0, "C42").goods(0, grass=4).act("produce:16").choose("good:oil", "amount:2")
    assert t.store(1) == {"grass": 1}


@check
def test_the_whole_stack_at_the_tempio() -> None:
    t = Table(2, tempio_amount="whole-stack").build(16).active(0, "C42").goods(0, grass=4).act("produce:16")
    t.choose("good:oil", "amount:4")
    assert t.store(0) == {"oil": 4}


# 17 Foro (cards: test_city_cards; the change of phase: test_phases)


@check
def test_the_foro_grants_no_bonus_and_costs_nothing() -> None:
    t = Table(2).build(17, owner=1).hand(0, "C18").act("activate:C18")
    assert t.store(1) == {}
    assert t.store(0) == {"planks": 2, "column": 2}
    assert t.at("building:17") == 1


# 18 Anfiteatro


@check_each("count", [1, 2, 3])
def test_wine_buys_workers_at_once(count: int) -> None:
    t = Table(2).build(18, owner=1).goods(0, wine=4)
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1", "recruit:2", "recruit:3"]
    t.act(f"recruit:{count}")
    assert t.store(0) == {"wine": 4 - count}
    assert t.store(1) == {"wine": 1}
    assert t.array("workers")[0] == 3 + count
    assert t.ready(0) == 2 + count, "they can be put to work in this round"
    assert t.marker(0) == 3 + count, "the marker rises by the same number"
    assert t.at("building:18") == 1


@check
def test_as_many_workers_as_wine_and_at_most_six_in_all() -> None:
    t = Table(2).build(18).goods(0, wine=2)
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1", "recruit:2"]
    t.goods(0, wine=9).workers(0, 5)
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1"]
    t.workers(0, 6)
    assert not [a for a in t.legal() if a.startswith("recruit")]


@check
def test_injured_workers_count_among_the_six() -> None:
    t = Table(2).build(18).goods(0, wine=9).workers(0, 5).start()
    t.array("injured")[0, 0] = 2
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1"]


@check
def test_bought_workers_bring_their_owner_back_into_the_round() -> None:
    t = Table(2).build(18).goods(0, wine=1)
    for _ in range(5):
        t.act("collect:grain")
    t.array("ready")[0] = 1
    t.act("collect:grain").act("recruit:1")
    assert t.decision() == ("place", 0)
    assert t.get("rnd") == 1


@check
def test_bought_workers_stay() -> None:
    t = Table(2, "calm").build(18).goods(0, wine=2).act("recruit:2").end_round()
    assert t.array("ready")[:2].tolist() == [5, 3]


@check
def test_s35_at_the_anfiteatro() -> None:
    t = Table(2).build(18, owner=1).active(0, "S35").goods(0, wine=1).act("recruit:1")
    assert t.store(1) == {}


# 19 Terme Stabiane


@check
def test_the_army_costs_two_swords_two_coins_two_cloth() -> None:
    t = Table(2).build(19).goods(0, sword=3, gold_coin=3, cloth=3).act("army")
    assert t.array("army")[0] == 1
    assert t.store(0) == {"sword": 1, "gold_coin": 1, "cloth": 1}
    assert t.at("building:19") == 1


@check_each("good", list(ARMY))
def test_every_good_of_the_army_is_needed(good: str) -> None:
    t = Table(2).build(19).goods(0, **ARMY)
    assert t.can("army")
    assert not t.goods(0, **{good: 1}).can("army")


@check
def test_one_army_a_player() -> None:
    assert not Table(2).build(19).all_goods(0, 10).army(0).can("army")


@check_each("good", list(ARMY))
def test_the_owner_of_the_terme_gains_one_good_of_own_choice(good: str) -> None:
    t = Table(2).build(19, owner=1).goods(0, **ARMY).act("army").choose(f"good:{good}")
    assert t.store(1) == {good: 1}


# 20 Castrum


@check
def test_the_castrum_has_no_worker_space() -> None:
    t = Table(2).build(20).all_goods(0, 10)
    assert not [a for a in t.legal() if a.endswith(":20")]


# worker spaces


@check_each("seats", [2, 3, 4])
def test_a_limited_place_holds_as_many_workers_as_players(seats: int) -> None:
    t = Table(seats).build(7).goods(0, grain=9).workers(0, 6)
    for taken in range(seats):
        assert t.at("building:7") == taken
        t.turn(0).act("produce:7").choose("amount:1")
    assert not t.turn(0).can("produce:7")


@check_each(
    "place, action",
    [
        ("costruzione", "build:7"),
        ("porta", "trade"),
        ("piazza", "train:S01"),
        ("piazza", "swap:S01"),
        ("building:13", "produce:13"),
        ("building:17", "activate:C18"),
        ("building:18", "recruit:1"),
        ("building:19", "army"),
        ("building:16", "produce:16"),
    ],
)
def test_a_full_place_is_closed_for_everybody(place: str, action: str) -> None:
    t = Table(2).build(13, 16, 18, 19).all_goods(0, 5).hand(0, "S01", "C18").active(0, "C42")
    assert t.can(action)
    t.stand(0, place).stand(1, place)
    assert not t.can(action)


@check_each(
    "place, action",
    [("costruzione", "build:7"), ("porta", "trade"), ("piazza", "train:S01"), ("building:13", "produce:13")],
)
def test_spaces_of_single_places_are_settings(place: str, action: str) -> None:
    t = Table(3, spaces=2, spaces_at={place: 1}).build(13).all_goods(0, 5).hand(0, "S01")
    assert t.stand(1, "field:grain").can(action)
    assert not t.stand(1, place).can(action)


@check
def test_spaces_of_all_places_are_a_setting() -> None:
    t = Table(4, spaces=2).build(13).all_goods(0, 5).stand(1, "building:13")
    assert t.can("produce:13")
    assert not t.stand(2, "building:13").can("produce:13")


@check
def test_all_fields_are_named() -> None:
    assert len(FIELDS) == 10
