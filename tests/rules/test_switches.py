"""Rule settings at values other than the rulebook's, where no other file has them."""

from __future__ import annotations

from table import GOODS, VALUE, Table, check, check_each


@check
def test_the_cap() -> None:
    t = Table(2, "calm", cap=4).goods(0, grain=3)
    t.act("collect:grain").act("collect:grain", seat=0)
    assert t.store(0) == {"grain": 4}
    t = Table(2, "calm", cap=12).goods(0, grain=11).act("collect:grain").act("collect:grain", seat=0)
    assert t.store(0) == {"grain": 12}


@check
def test_the_cap_bounds_bonus_trade_and_production() -> None:
    t = Table(2, cap=5).build(7, owner=1).goods(0, grain=5, flour=3).goods(1, grain=5).act("produce:7")
    t.choose("amount:5")
    assert t.store(0) == {"flour": 5}
    assert t.store(1) == {"grain": 5}


@check
def test_a_pledge_can_be_made_whatever_the_cap() -> None:
    t = Table(2, cap=20).all_goods(0, 20).all_goods(1, 20).start().end_round()
    assert t.can("pledge:3")
    assert t.can("pledge:600")
    assert len(t.legal()) <= 1024
    t.pledge(3, 3)
    assert t.decision() == ("pay", 0)


@check
def test_most_workers() -> None:
    t = Table(2, workers_most=4).build(18).goods(0, wine=3).hand(0, "C26")
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1"]
    t.act("recruit:1").act("activate:C26", seat=0)
    assert t.array("workers")[0] == 4


@check
def test_at_most_three_workers_for_wine_a_time() -> None:
    t = Table(2, workers_start=1).build(18).goods(0, wine=9)
    assert [a for a in t.legal() if a.startswith("recruit")] == ["recruit:1", "recruit:2", "recruit:3"]


@check_each("reading, amounts", [("any", [1, 2, 3, 4]), ("whole-stack", [4])])
def test_the_amount_at_the_tempio(reading: str, amounts: list[int]) -> None:
    t = Table(2, tempio_amount=reading).build(16).active(0, "C42").goods(0, grass=4).act("produce:16")
    t.choose("good:oil")
    if reading == "any":
        assert t.legal() == [f"amount:{n}" for n in amounts]
    else:
        assert t.store(0) == {"oil": 4}


def _lots(give: str, take: str, **rules: int | str) -> list[str]:
    t = Table(2, **rules).goods(0, **{give: 10}).act("trade").choose(f"good:{give}", f"good:{take}")
    return t.legal() if t.decision()[0] == "trade_lots" else t.made[-1:]


@check_each(
    "setting, give, take, most",
    [
        ("trade_down", "gold", "meat", 3),
        ("trade_same", "gold", "iron", 3),
        ("trade_up", "gold", "sword", 3),
        ("trade_pearl", "pearl", "wine", 3),
    ],
)
def test_trade_rates(setting: str, give: str, take: str, most: int) -> None:
    assert _lots(give, take, **{setting: 3}) == [f"amount:{n}" for n in range(1, most + 1)]


@check
def test_a_rate_of_pearls_reaches_pearls_only() -> None:
    assert _lots("bread", "wine", trade_pearl=3) == [f"amount:{n}" for n in range(1, 6)]
    assert _lots("pearl", "coal", trade_pearl=3) == [f"amount:{n}" for n in range(1, 11)]


@check
def test_trade_upward_one_step_as_in_the_japanese_text() -> None:
    t = Table(2, trade_up_reach="one-step").all_goods(0, 10).act("trade").choose("good:planks")
    up = {a[5:] for a in t.legal() if VALUE[a[5:]] > 2}
    assert up == {g for g in GOODS if VALUE[g] == 3} - {"pearl"}
    assert _lots("planks", "bread", trade_up_reach="one-step") == ["amount:1", "amount:2"]


@check
def test_reaching_any_higher_value_as_in_the_english_text() -> None:
    t = Table(2).all_goods(0, 10).act("trade").choose("good:planks")
    assert {VALUE[a[5:]] for a in t.legal()} == {1, 2, 3, 4, 5}


@check
def test_a_second_red_tile_at_the_start() -> None:
    t = Table(3, "setup", start_buildings=2)
    for number in range(1, 7):
        t.choose(f"start:{number}")
    assert sorted(t.array("owner")[1:7].tolist()) == [0, 0, 1, 1, 2, 2]


@check_each("level", ["A", "B", "C"])
def test_the_level_is_open_to_all(level: str) -> None:
    assert Table(2, "setup", difficulty=level).get("level") == "ABC".index(level)


@check
def test_two_extra_cards_of_each_kind() -> None:
    t = Table(2, "calm", calm_steps=0, foro_city=2, foro_specialists=2, city_dealt=0).goods(0, planks=1, column=1)
    t.deck("city", "C42", "C17", "C05").deck("specialists", "S01", "S02").act("build:17")
    assert {"S01", "S02"} < t.out(0)
    assert len(t.out(0)) == 4
