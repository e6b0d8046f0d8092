"""The 52 specialists. [Action 5; Specialist Cards]"""

from __future__ import annotations

from table import FIELDS, GOODS, Table, check, check_each

ONE_MORE = dict(zip(("S01", "S02", "S03", "S04", "S07", "S08", "S09", "S10", "S11", "S12"), FIELDS, strict=True))
INSTEAD = {
    "S13": ("wood", "planks", "planks"),
    "S14": ("grain", "flour", "flour"),
    "S15": ("stone", "column", "column"),
    "S16": ("grass", "sheep", "sheep"),
    "S17": ("fish", "coal", "coal"),
    "S18": ("clay", "pottery", "bread"),
    "S19": ("fish", "pearl", "bread"),
    "S20": ("deer", "meat", "bread"),
    "S21": ("olives", "oil", "bread"),
    "S22": ("grapes", "wine", "bread"),
}
"""Field, good gained, cost."""
SHORTCUT = {
    "S23": (7, "grain", "bread", "bread"),
    "S24": (9, "deer", "meat", "meat"),
    "S26": (12, "grapes", "wine", "wine"),
    "S28": (11, "iron", "sword", "coal"),
    "S29": (15, "gold", "gold_coin", "coal"),
}
"""Building, input, output, cost."""
AT_FIELD = {"S31": ("fish", "coal"), "S32": ("wood", "planks"), "S33": ("stone", "column")}
PLUS_TWO = {
    "S30": (7, {"grain"}, "flour"),
    "S34": (1, {"fish"}, "coal"),
    "S36": (2, {"bread"}, "gold"),
    "S37": (3, {"meat"}, "iron"),
    "S38": (4, {"wood"}, "planks"),
    "S39": (5, {"stone"}, "column"),
    "S40": (6, {"grass"}, "sheep"),
    "S41": (8, {"clay"}, "pottery"),
    "S42": (9, {"deer", "sheep"}, "meat"),
    "S43": (10, {"flour"}, "bread"),
    "S44": (11, {"iron", "coal"}, "sword"),
    "S45": (12, {"grapes", "pottery"}, "wine"),
    "S46": (13, {"olives"}, "oil"),
    "S47": (14, {"sheep"}, "cloth"),
    "S48": (15, {"gold", "coal"}, "gold_coin"),
}
WAIVED = {"S49": "reed", "S50": "wood", "S51": "stone", "S52": "column"}
COST = {
    **{card: good for card, good in ONE_MORE.items()},
    **{card: row[2] for card, row in INSTEAD.items()},
    **{card: row[3] for card, row in SHORTCUT.items()},
    **{card: row[1] for card, row in AT_FIELD.items()},
    **{card: row[2] for card, row in PLUS_TWO.items()},
    **WAIVED,
    "S05": "bread",
    "S06": "meat",
    "S25": "flour",
    "S27": "bread",
    "S35": "bread",
}


@check
def test_there_are_52() -> None:
    assert sorted(COST) == [f"S{n:02d}" for n in range(1, 53)]


@check_each("card", sorted(COST))
def test_training_costs_one_good(card: str) -> None:
    t = Table(2, "calm").hand(0, card).all_goods(0, 1).goods(0, **{COST[card]: 0})
    assert not t.can(f"train:{card}")
    t.all_goods(0, 1).act(f"train:{card}")
    if card == "S25":
        assert t.store(0) == {**{g: 1 for g in GOODS if g != "flour"}, "planks": 3, "column": 3}
    else:
        assert t.store(0) == {g: 1 for g in GOODS if g != COST[card]}
    assert t.cards(0) == set()
    if card in ("S06", "S25", "S27"):
        assert t.pile() == {card}, "one-time cards go to the discard pile after use"
        assert t.out(0) == set()
    elif card != "S05":
        assert t.out(0) == {card}
        assert t.pile() == set()


@check_each("card", ONE_MORE)
def test_one_more_good_at_a_field(card: str) -> None:
    field = ONE_MORE[card]
    t = Table(2, "calm").active(0, card).act(f"use:{card}")
    assert t.store(0) == {field: 2}
    assert t.at(f"field:{field}") == 1
    assert t.out(0) == {card}, "it can be used at every worker action"
    assert t.turn(0).can(f"use:{card}")
    assert t.can(f"collect:{field}"), "the field's own action stays a choice"


@check_each("card", INSTEAD)
def test_another_good_at_a_field(card: str) -> None:
    field, good, _ = INSTEAD[card]
    t = Table(2, "calm").active(0, card).act(f"use:{card}")
    assert t.store(0) == {good: 1}, "instead of the field's own good"
    assert t.at(f"field:{field}") == 1
    assert t.out(0) == {card}


@check_each("card", SHORTCUT)
def test_a_conversion_at_a_building(card: str) -> None:
    number, give, take, _ = SHORTCUT[card]
    t = Table(2).active(0, card).goods(0, **{give: 3})
    assert not t.can(f"use:{card}"), "not before the tile stands"
    t.build(number, owner=1).act(f"use:{card}")
    assert t.legal() == ["amount:1", "amount:2", "amount:3"]
    t.choose("amount:2")
    assert t.store(0) == {give: 1, take: 2}
    assert t.store(1) == {give: 1}, "the bonus is one of the goods really spent"
    assert t.at(f"building:{number}") == 1
    assert t.out(0) == {card}


@check_each("card", AT_FIELD)
def test_a_conversion_at_a_field(card: str) -> None:
    give, take = AT_FIELD[card]
    t = Table(2, "calm").active(0, card)
    assert not t.can(f"use:{card}"), "nothing to convert is no action"
    t.goods(0, **{give: 4}).act(f"use:{card}").choose("amount:4")
    assert t.store(0) == {take: 4}, "the worker collects nothing"
    assert t.at(f"field:{give}") == 1


@check_each("card", PLUS_TWO)
def test_two_more_after_a_conversion(card: str) -> None:
    number, inputs, output = PLUS_TWO[card]
    t = Table(2).active(0, card).goods(0, **dict.fromkeys(inputs, 3))
    assert not t.can(f"use:{card}")
    t.build(number, owner=1).act(f"use:{card}").choose("amount:3")
    assert t.store(0) == {output: 5}, "2 more, however many were converted"
    if len(inputs) > 1:
        t.choose(f"good:{min(inputs)}")
    assert t.store(1) == {min(inputs): 1}
    assert t.at(f"building:{number}") == 1
    assert t.out(0) == {card}


@check
def test_three_grain_give_five_flour_with_s30() -> None:
    t = Table(2).build(7).active(0, "S30").goods(0, grain=3).act("use:S30").choose("amount:3")
    assert t.store(0) == {"flour": 5}


@check
def test_plus_two_needs_a_conversion_and_stops_at_ten() -> None:
    t = Table(2).build(7).active(0, "S30").goods(0, flour=7)
    assert not t.can("use:S30")
    t.goods(0, grain=2).act("use:S30").choose("amount:2")
    assert t.store(0) == {"flour": 10}


@check
def test_cards_are_a_choice_and_never_combined() -> None:
    t = Table(2).build(7).active(0, "S30", "S23", "C07").goods(0, grain=1)
    assert {"produce:7", "use:S30", "use:S23", "use:C07"} <= set(t.legal())
    t.act("use:S23")
    assert t.store(0) == {"bread": 1}
    assert t.decision() == ("place", 1)


@check
def test_cards_of_others_are_of_no_use() -> None:
    t = Table(2).build(7).active(1, "S30", "S49", "S01").goods(0, grain=1)
    assert not [a for a in t.legal() if a.startswith("use")]


@check
def test_cards_in_hand_are_of_no_use() -> None:
    assert not [a for a in Table(2).hand(0, "S01").legal() if a.startswith("use")]


@check_each("card", ["S49", "S50", "S51"])
def test_a_good_no_longer_needed_for_red_tiles(card: str) -> None:
    good = WAIVED[card]
    t = Table(2, "calm").active(0, card).goods(0, reed=1, wood=1, stone=1).goods(0, **{good: 0})
    assert not t.can("build:7")
    t.act(f"build:7+{card}")
    assert t.is_built(7)
    assert t.store(0) == {}
    assert t.at("costruzione") == 1


@check_each("card, number", [(card, n) for card in ("S49", "S50", "S51") for n in (1, 2, 10)])
def test_a_waived_good_at_any_red_tile(card: str, number: int) -> None:
    t = Table(2, "calm").active(0, "S49", "S50", "S51").goods(0, reed=1, wood=1, stone=1)
    t.act(f"build:{number}+{card}")
    assert [n for n in range(1, 21) if t.is_built(n)] == [number]
    assert t.store(0) == {WAIVED[card]: 1}


@check_each("number", [11, 18, 19, 20])
def test_no_column_for_blue_tiles_terme_and_castrum(number: int) -> None:
    t = Table(2).active(0, "S52").all_goods(0, 1).goods(0, column=0)
    assert not t.can(f"build:{number}")
    t.act(f"build:{number}+S52")
    assert t.is_built(number)


@check
def test_the_good_stays_when_it_is_waived() -> None:
    t = Table(2).active(0, "S52").goods(0, planks=1, column=1).act("build:13+S52")
    assert t.store(0) == {"column": 1}


@check
def test_one_waiving_card_a_building_and_only_where_it_saves() -> None:
    t = Table(2).active(0, "S49", "S50", "S52").goods(0, stone=1)
    assert not [a for a in t.legal() if a.startswith("build")]
    t.goods(0, wood=1, planks=1)
    assert {a for a in t.legal() if a.startswith("build:7")} == {"build:7+S49"}
    assert {a for a in t.legal() if a.startswith("build:13")} == {"build:13+S52"}


# the one-time specialists and S35 (S35's reach: test_buildings)


@check
def test_s05_gives_three_extra_actions_in_the_same_turn() -> None:
    t = Table(2, "calm").hand(0, "S05").goods(0, bread=1).act("train:S05")
    for good in ("grain", "fish", "wood"):
        assert t.decision() == ("place", 0)
        t.act(f"collect:{good}")
    assert t.decision() == ("place", 1)
    assert t.store(0) == {"grain": 1, "fish": 1, "wood": 1}
    assert t.pile() == {"S05"}
    assert t.ready(0) == 2, "extra actions take no workers"
    assert t.marker(0) == 3, "nor do they count as workers"
    assert t.at("field:grain") == 0, "and stand nowhere"


@check
def test_extra_actions_need_a_free_space_and_fill_none() -> None:
    t = Table(2, "calm").hand(0, "S05").goods(0, bread=1, grain=9).build(7).stand(1, "building:7").act("train:S05")
    for _ in range(2):
        t.act("produce:7").choose("amount:1")
    assert t.at("building:7") == 1
    t.array("used")[9 + 7] = 2
    assert not t.can("produce:7")


@check
def test_extra_actions_count_as_worker_actions() -> None:
    t = Table(2, "calm").hand(0, "S05").goods(0, bread=1).act("train:S05")
    for _ in range(3):
        t.act("collect:grain")
    assert t.tally("actions")[0] == 4


@check
def test_extra_actions_pay_the_owner() -> None:
    t = Table(2).hand(0, "S05").goods(0, bread=1, grain=1).build(7, owner=1).act("train:S05").act("produce:7")
    assert t.store(1) == {"grain": 1}


@check
def test_extra_actions_can_bring_extra_actions() -> None:
    t = Table(2).hand(0, "S05", "C27").goods(0, bread=1).act("train:S05").act("activate:C27")
    for _ in range(4):
        assert t.decision() == ("place", 0)
        t.act("collect:grain")
    assert t.decision() == ("place", 1)
    assert t.pile() == {"S05", "C27"}


@check
def test_s06_steals_a_value_three_good_from_everybody() -> None:
    t = Table(4).hand(0, "S06").goods(0, meat=1).goods(1, bread=2, pearl=1, grain=3).goods(2, wine=1).goods(3, gold=1)
    t.act("train:S06")
    assert t.decision() == ("steal_good", 0)
    assert t.legal() == ["good:bread", "good:pearl"]
    t.choose("good:pearl")
    assert t.store(0) == {"pearl": 1, "wine": 1}
    assert t.store(1) == {"bread": 2, "grain": 3}
    assert t.store(2) == {}
    assert t.store(3) == {"gold": 1}, "who has none gives none"


@check
def test_what_the_thief_cannot_hold_is_lost() -> None:
    t = Table(2).hand(0, "S06").goods(0, meat=1, wine=10).goods(1, wine=1).act("train:S06")
    assert t.store(0) == {"wine": 10}
    assert t.store(1) == {}


@check
def test_s25_gives_two_columns_and_two_planks() -> None:
    t = Table(2, "calm").hand(0, "S25").goods(0, flour=1).act("train:S25")
    assert t.store(0) == {"column": 2, "planks": 2}
    assert t.pile() == {"S25"}


@check
def test_s27_makes_a_second_owner_of_a_red_tile_of_another() -> None:
    t = Table(3).hand(0, "S27").goods(0, bread=1).build(1, owner=0).build(7, 9, owner=1).build(13, owner=1).build(4)
    t.act("train:S27")
    assert t.legal() == ["place:building:7", "place:building:9"], "red, standing, of another player"
    t.choose("place:building:7")
    assert t.pile() == {"S27"}
    t.goods(2, grain=1).act("produce:7", seat=2)
    assert [t.store(s) for s in range(3)] == [{"grain": 1}, {"grain": 1}, {"flour": 1}]


@check
def test_s27_without_a_target_is_discarded_unused() -> None:
    t = Table(2).hand(0, "S27").goods(0, bread=1).act("train:S27")
    assert t.pile() == {"S27"}
    assert t.decision() == ("place", 1)


@check
def test_s35_once_trained_works_at_the_next_placement() -> None:
    t = Table(2).hand(0, "S35").goods(0, bread=1, olives=2).build(13, owner=1).act("train:S35")
    t.act("produce:13", seat=0).choose("amount:2")
    assert t.store(1) == {}
