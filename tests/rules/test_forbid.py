"""Forbid lists: actions a seat never takes."""

from __future__ import annotations

from table import FIELDS, Table, check, check_each


def _rich(forbid: list[str], phase: str = "awakening") -> Table:
    t = Table(2, phase, forbid={0: forbid}).build(7, 16, 18, 19).all_goods(0, 5).all_goods(1, 5)
    t.hand(0, "S01", "S02", "C18").hand(1, "S03", "S04", "C19").active(0, "S30", "C42", "S49").active(1, "S23")
    t.start()
    t.array("tokens")[7] = 1
    t.array("injured")[0, 0] = 1
    return t


_ITEMS = {
    "collect:grain": "collect:grain", "produce:7": "produce:7", "build:20": "build:20", "trade": "trade",
    "train:S01": "train:S01", "swap:S01": "swap:S01", "activate:C18": "activate:C18", "release:C12": "release:C12",
    "uncover:7": "uncover:7", "use:S30": "use:S30", "recruit:2": "recruit:2", "army": "army",
}  # fmt: skip


@check_each("item", _ITEMS)
def test_one_target(item: str) -> None:
    before = set(_rich([]).legal())
    after = set(_rich([item]).legal())
    gone = before - after
    assert after < before
    assert item in gone
    related = {"produce:7": {"use:S30"}}.get(item, set())
    assert gone == {item} | related


@check_each("kind", sorted({item.split(":")[0] for item in _ITEMS}))
def test_a_whole_kind(kind: str) -> None:
    assert any(a.split(":")[0] == kind for a in _rich([]).legal())
    assert not [a for a in _rich([kind]).legal() if a.split(":")[0] == kind]


@check
def test_others_may_still_do_it() -> None:
    t = _rich(["produce", "trade"]).turn(1)
    assert t.can("produce:7")
    assert t.can("trade")


@check
def test_with_everything_forbidden_a_worker_is_placed_idle() -> None:
    t = Table(2, "calm", forbid={0: ["collect", "produce", "build", "trade", "train", "swap"]}).all_goods(0, 1)
    assert t.legal() == ["idle"]
    t.act("idle")
    assert t.ready(0) == 2
    assert t.store(0) == Table(2, "calm").all_goods(0, 1).store(0)
    assert t.decision() == ("place", 1)


@check
def test_a_forbidden_field_closes_its_cards_too() -> None:
    t = Table(2, "calm", forbid={0: ["collect:grain"]}).active(0, "S01")
    assert [a for a in t.legal() if a.startswith("collect")] == [f"collect:{f}" for f in FIELDS if f != "grain"]
    assert not t.can("use:S01")


@check
def test_forbidden_star_cards_are_not_offered() -> None:
    t = Table(2, forbid={0: ["activate:C02"]}).hand(0, "C02").all_goods(0, 1).start().end_round()
    assert t.decision()[0] == "pledge"
    t = Table(2, forbid={1: ["activate:C31"]}).hand(1, "C31").all_goods(0, 1).act("build:20")
    assert t.decision() == ("place", 1)


@check
def test_a_forbidden_waiver_is_not_used() -> None:
    t = Table(2, forbid={0: ["use:S49"]}).active(0, "S49").goods(0, wood=1, stone=1)
    assert not [a for a in t.legal() if a.startswith("build")]


@check
def test_a_forbidden_first_tile_is_not_chosen_unless_nothing_else_is_left() -> None:
    forbid = {s: ["start:7"] for s in range(2)}
    assert "start:7" not in Table(2, "setup", forbid=forbid).legal()
    forbid = {s: ["start"] for s in range(2)}
    assert len(Table(2, "setup", forbid=forbid).legal()) == 10
