"""The five actions of a worker. [Actions 1 to 5]"""

from __future__ import annotations

from table import FIELDS, GOODS, VALUE, Table, check, check_each

RED_COST = {"reed": 1, "wood": 1, "stone": 1}
BLUE_COST = {"planks": 1, "column": 1}
TERME_COST = {"planks": 1, "column": 1, "oil": 1}
CASTRUM_COST = {"planks": 1, "column": 1, "bread": 1, "meat": 1, "oil": 1, "wine": 1}


# Action 1: resources


@check_each("good", FIELDS)
def test_a_worker_collects_one_good(good: str) -> None:
    t = Table(2, "calm").act(f"collect:{good}")
    assert t.store(0) == {good: 1}
    assert t.store(1) == {}
    assert t.at(f"field:{good}") == 1
    assert t.ready(0) == 2


@check
def test_green_places_one_worker_red_two_on_grain() -> None:
    t = Table(2, "calm")
    for seat in (0, 1):
        t.act("collect:grain")
        assert t.store(seat) == {"grain": 1}
    t.act("collect:fish").act("collect:grain")
    assert t.store(0) == {"grain": 1, "fish": 1}
    assert t.store(1) == {"grain": 2}


@check
def test_fields_have_no_limit() -> None:
    t = Table(2, "calm", spaces=1)
    for _ in range(6):
        t.act("collect:wood")
    assert t.get("rnd") == 1 or t.store(0) == {"wood": 3}
    assert t.store(0) == t.store(1) == {"wood": 3}


@check
def test_a_full_stack_takes_no_more_but_the_field_stays_open() -> None:
    t = Table(2, "calm").goods(0, grain=10).act("collect:grain")
    assert t.store(0) == {"grain": 10}


# Action 2: produce (each tile: test_buildings)


@check
def test_five_bread_at_the_gold_mine() -> None:
    t = Table(3).build(2, owner=1).goods(0, bread=5).act("produce:2")
    assert t.decision() == ("amount", 0)
    assert t.legal() == [f"amount:{n}" for n in range(1, 6)]
    t.choose("amount:3")
    assert t.store(0) == {"bread": 2, "gold": 3}
    assert t.store(1) == {"bread": 1}, "the owner gets 1 bread, however many were converted"
    assert t.store(2) == {}


@check
def test_nothing_to_convert_is_no_action() -> None:
    t = Table(2).build(2)
    assert not t.can("produce:2")
    assert t.goods(0, bread=1).can("produce:2")


@check
def test_no_use_before_it_is_built() -> None:
    t = Table(2).all_goods(0, 10).active(0, "C42")
    assert not [a for a in t.legal() if a.split(":")[0] in ("produce", "recruit", "army")]
    assert not [a for a in t.active(0, "S30", "C50").legal() if a.startswith("use")]


@check
def test_output_above_ten_is_lost() -> None:
    t = Table(2).build(7).goods(0, grain=4, flour=8).act("produce:7").choose("amount:4")
    assert t.store(0) == {"flour": 10}


@check
def test_grain_to_gold_coin() -> None:
    t = Table(2).build(7, 10, 2, 15).goods(0, grain=1, coal=1).workers(0, 6)
    for number in (7, 10, 2, 15):
        t.act(f"produce:{number}", seat=0)
    assert t.store(0) == {"gold_coin": 1}


# Action 3: build


@check_each(
    "number, cost",
    [(n, RED_COST) for n in range(1, 11)]
    + [(n, BLUE_COST) for n in (11, 12, 13, 14, 15, 16, 18)]
    + [(19, TERME_COST), (20, CASTRUM_COST)],
)
def test_building_costs_the_printed_goods_and_gives_ownership(number: int, cost: dict[str, int]) -> None:
    t = Table(2).all_goods(0, 1).act(f"build:{number}")
    assert t.is_built(number)
    assert t.array("owner")[number] == 0
    assert t.store(0) == {g: 1 for g in GOODS if g not in cost}
    assert t.at("costruzione") == 1


@check_each(
    "number, good",
    [(7, g) for g in RED_COST]
    + [(12, g) for g in BLUE_COST]
    + [(19, g) for g in TERME_COST]
    + [(20, g) for g in CASTRUM_COST],
)
def test_every_good_of_the_cost_is_needed(number: int, good: str) -> None:
    t = Table(2).all_goods(0, 1)
    assert t.can(f"build:{number}")
    assert not t.goods(0, **{good: 0}).can(f"build:{number}")


@check
def test_the_foro_costs_what_a_blue_tile_costs() -> None:
    t = Table(2, "calm", calm_steps=0).goods(0, planks=1, column=1).act("build:17")
    assert t.is_built(17)
    assert t.array("owner")[17] == 0


@check
def test_one_worker_builds_one_building() -> None:
    t = Table(2).goods(0, reed=2, wood=2, stone=2).act("build:1")
    assert t.store(0) == {"reed": 1, "wood": 1, "stone": 1}
    assert t.decision() == ("place", 1)


@check
def test_a_building_has_one_owner_and_serves_everybody() -> None:
    t = Table(2).all_goods(0, 1).all_goods(1, 1).act("build:7")
    assert not t.can("build:7")
    assert t.can("produce:7")


@check
def test_the_calm_builds_red_only() -> None:
    t = Table(2, "calm").all_goods(0, 10)
    assert [a for a in t.legal() if a.startswith("build")] == [f"build:{n}" for n in range(1, 11)]


@check
def test_the_awakening_builds_everything() -> None:
    t = Table(2).all_goods(0, 10)
    assert [a for a in t.legal() if a.startswith("build")] == [f"build:{n}" for n in range(1, 21) if n != 17]


# Action 4: trade


def _trade(give: str, take: str, have: int, lots: int, **rules: int | str) -> dict[str, int]:
    t = Table(2, **rules).goods(0, **{give: have})
    t.act("trade").choose(f"good:{give}", f"good:{take}", f"amount:{lots}")
    assert t.at("porta") == 1
    return t.store(0)


@check
def test_four_gold_for_four_meat_two_iron_or_one_sword() -> None:
    assert _trade("gold", "meat", 4, 4) == {"meat": 4}
    assert _trade("gold", "iron", 4, 2) == {"iron": 2}
    assert _trade("gold", "sword", 4, 1) == {"sword": 1}


@check
def test_whole_lots_only() -> None:
    assert _trade("gold", "sword", 5, 1) == {"gold": 1, "sword": 1}
    t = Table(2).goods(0, gold=5).act("trade").choose("good:gold", "good:iron")
    assert t.legal() == ["amount:1", "amount:2"]


@check
def test_trade_upward_reaches_any_value() -> None:
    assert _trade("grain", "sword", 8, 2) == {"sword": 2}


@check
def test_pearls_for_other_goods_of_value_three_at_par() -> None:
    for good in ("bread", "meat", "oil", "wine"):
        assert _trade("pearl", good, 3, 3) == {good: 3}


@check
def test_pearls_otherwise_at_ordinary_rates() -> None:
    assert _trade("pearl", "coal", 2, 2) == {"coal": 2}
    assert _trade("pearl", "gold", 4, 1) == {"gold": 1}


@check
def test_the_porta_gives_no_pearls() -> None:
    t = Table(2).all_goods(0, 10).act("trade").choose("good:sword")
    assert "good:pearl" not in t.legal()
    assert t.legal() == [f"good:{g}" for g in GOODS if g not in ("sword", "pearl")]


@check_each("give", GOODS)
def test_the_rate_follows_the_values(give: str) -> None:
    for take in GOODS:
        if take in (give, "pearl"):
            continue
        if VALUE[take] < VALUE[give]:
            rate = 1
        elif VALUE[take] > VALUE[give]:
            rate = 4
        else:
            rate = 1 if give == "pearl" else 2
        t = Table(2).goods(0, **{give: 9}).act("trade").choose(f"good:{give}", f"good:{take}")
        assert t.legal() == [f"amount:{n}" for n in range(1, 9 // rate + 1)], take


@check
def test_values_of_goods() -> None:
    one = set(FIELDS)
    assert {g for g in GOODS if VALUE[g] == 1} == one
    assert {g for g in GOODS if VALUE[g] == 2} == {"flour", "planks", "sheep", "coal", "column", "pottery"}
    assert {g for g in GOODS if VALUE[g] == 3} == {"bread", "meat", "oil", "wine", "pearl"}
    assert {g for g in GOODS if VALUE[g] == 4} == {"gold", "iron", "cloth"}
    assert {g for g in GOODS if VALUE[g] == 5} == {"gold_coin", "sword"}


@check
def test_a_trade_above_ten_is_lost() -> None:
    t = Table(2).goods(0, gold=4, meat=8).act("trade").choose("good:gold", "good:meat", "amount:4")
    assert t.store(0) == {"meat": 10}


@check
def test_nothing_to_trade_is_no_action() -> None:
    t = Table(2)
    assert not t.can("trade")
    assert not t.goods(0, grain=1).can("trade")
    assert t.goods(0, grain=2).can("trade")
    t = Table(2).goods(0, flour=1)
    assert t.can("trade"), "to a lower value 1 is enough"


@check
def test_one_kind_for_one_kind() -> None:
    t = Table(2).goods(0, gold=4, iron=4).act("trade").choose("good:gold", "good:meat", "amount:4")
    assert t.store(0) == {"iron": 4, "meat": 4}
    assert t.decision() == ("place", 1)


# Action 5: train and swap at the Piazza


@check
def test_training_s30_costs_one_flour() -> None:
    t = Table(2, "calm").hand(0, "S30")
    assert not t.can("train:S30")
    t.goods(0, flour=1).act("train:S30")
    assert t.store(0) == {}
    assert t.cards(0) == set()
    assert t.out(0) == {"S30"}
    assert t.at("piazza") == 1
    assert t.array("hand_size")[0, 0] == 0


@check
def test_swapping_a_specialist_costs_a_value_one_good() -> None:
    t = Table(2, "calm").hand(0, "S30", "S05").deck("specialists", "S14").goods(0, grain=1, fish=1, flour=1)
    t.act("swap:S30")
    assert t.legal() == ["good:grain", "good:fish"]
    t.choose("good:fish")
    assert t.store(0) == {"grain": 1, "flour": 1}
    assert t.cards(0) == {"S05", "S14"}
    assert t.pile() == {"S30"}
    assert t.decision() == ("place", 1), "training and swapping are two actions"


@check
def test_no_swap_without_a_value_one_good() -> None:
    assert not Table(2, "calm").hand(0, "S30").goods(0, gold=9).can("swap:S30")


@check
def test_trained_specialists_cannot_be_swapped() -> None:
    t = Table(2, "calm").active(0, "S30").all_goods(0, 5)
    assert not [a for a in t.legal() if a.startswith(("swap", "train"))]


@check
def test_swap_with_an_empty_deck_reshuffles_the_pile() -> None:
    t = Table(2, "calm").hand(0, "S30").discarded("S14").deck("specialists").goods(0, grain=1)
    t.act("swap:S30").choose("good:grain")
    assert t.cards(0) | t.pile() | {s for s in ("S30", "S14") if t.in_deck(s)} == {"S30", "S14"}
    assert len(t.cards(0)) == 1
    assert t.pile() == set()


@check
def test_one_specialist_a_worker() -> None:
    t = Table(2, "calm").hand(0, "S01", "S02").goods(0, grain=1, deer=1).act("train:S01")
    assert t.out(0) == {"S01"}
    assert t.decision() == ("place", 1)


@check
def test_city_cards_are_not_trained_and_specialists_not_activated_at_the_foro() -> None:
    t = Table(2).hand(0, "C18", "S01").goods(0, grain=1)
    assert t.can("train:S01")
    assert t.can("activate:C18")
    assert len([a for a in t.legal() if a.startswith(("train", "activate", "swap"))]) == 3
