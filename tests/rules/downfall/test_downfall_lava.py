"""The second half by the rules: lava, enclosed squares, running, the end."""

from __future__ import annotations

import numpy as np
import pytest
from downfall_table import Table

VENTS = {"0_7": "scroll", "1_2": "coin", "2_10": "vase", "3_4": "column", "6_3": "mask", "6_9": "helmet"}


def test_first_tile_of_a_symbol_goes_on_its_vent() -> None:
    table = Table()
    table.lava(["coin", "mask", "coin", "coin"], people={"4_4": {0: 1}}, drawn=0)
    assert table.legal() == ["lava:coin@1_2"]
    assert table.do("lava:coin@1_2") == ["lava:mask@6_3"]
    assert set(table.do("lava:mask@6_3")) == {"lava:coin@0_2", "lava:coin@1_1", "lava:coin@1_3", "lava:coin@2_2"}


def test_lava_grows_only_beside_its_own_symbol() -> None:
    table = Table()
    table.lava(["coin", "coin"], {"1_2": "coin", "1_1": "mask", "0_2": "coin"}, people={"4_4": {0: 1}})
    assert set(table.legal()) == {"lava:coin@0_1", "lava:coin@0_3", "lava:coin@1_3", "lava:coin@2_2"}


def test_everybody_on_the_square_is_lost_and_a_gate_is_shut() -> None:
    table = Table()
    table.lava(["helmet", "mask"], {"6_9": "helmet"}, people={"6_8": {0: 1, 2: 2}, "4_4": {1: 1}})
    table.do("lava:helmet@6_8")
    assert list(table.pub["lost"]) == [1, 0, 2, 0]
    assert table.people("6_8") == [0, 0, 0, 0]
    assert table.tally["shut_gates"] == 1
    assert table.pub["dist"][table.square("5_8")] == 4  # its gate is gone; Stabia is next: 5_7, 5_6, 6_6, out


def test_no_legal_place_no_tile() -> None:
    table = Table()
    table.lava(
        ["vase", "coin", "coin"], {"2_10": "vase", "2_9": "coin", "3_10": "coin", "1_2": "coin"},
        people={"4_4": {0: 1}},
    )  # fmt: skip
    options = table.legal()
    assert options == ["run:4_4", "stop"]
    assert table.named("tile")[0]["places"] == 0
    assert table.tally["unplaced"] == 1


def test_other_vents_are_reserved() -> None:
    lava = {"6_9": "helmet", "6_8": "helmet", "6_7": "helmet", "5_8": "helmet"}
    walls = {"5_9": "helmet", "2_9": "coin", "1_2": "coin"}
    table = Table()
    table.lava(["coin", "mask"], {**lava, **walls}, people={"4_4": {0: 1}})
    assert "lava:coin@2_10" not in table.legal()
    table = Table(lava_on_vents=True)
    table.lava(["coin", "mask"], {**lava, **walls}, people={"4_4": {0: 1}})
    assert "lava:coin@2_10" in table.legal()


def test_enclosed_squares_are_buried_at_once() -> None:
    """The north-west corner: its gate and the street beside it, cut off by lava on 1_1 and 0_2 and at 2_0."""
    table = Table()
    lava = {"1_2": "coin", "0_2": "coin", "1_1": "coin", "2_0": "mask", "6_3": "mask"}
    table.lava(["coin", "mask", "mask"], {**lava, "0_0": "mask"}, people={"0_1": {0: 1}, "1_0": {1: 2}, "4_4": {2: 1}})
    table.legal()
    assert table.pub["lava"][table.square("1_0")] == 0  # nothing is buried before a tile is laid
    table.do("lava:coin@0_3")
    assert {e["square"] for e in table.named("buried")} == {"0_1", "1_0"}
    assert {(e["square"], e["cause"]) for e in table.named("lost")} == {("0_1", "enclosed"), ("1_0", "enclosed")}
    assert list(table.pub["lost"][:3]) == [1, 2, 0]


def test_no_square_is_enclosed_before_lava() -> None:
    table = Table()
    inside = table.tables["inside"][0] == 1
    vent = table.tables["vent_of"][0] >= 0
    assert (table.pub["dist"][inside & ~vent] < 99).all()
    assert (table.pub["dist_vents"][inside] < 99).all()
    assert (table.pub["dist"][inside & ~vent] == table.tables["start_dist"][0][inside & ~vent]).all()


def corner() -> dict[str, str]:
    """Lava that leaves 2_9, 1_8, 1_9 and the vase vent's other neighbour apart: only the vent joins them."""
    return {
        "0_7": "scroll", "1_7": "scroll", "2_8": "scroll", "3_9": "scroll", "1_9": "scroll", "1_8": "scroll",
    }  # fmt: skip


def test_an_empty_vent_is_no_way_out() -> None:
    """2_9 touches only lava and the empty vase vent; beyond it lies 3_10 with a way to Porta di Sarno."""
    for switch, buried in ((False, True), (True, False)):
        table = Table(way_out_over_vents=switch)
        table.lava(["coin", "mask", "mask"], corner(), people={"2_9": {0: 1}, "3_10": {1: 1}, "4_4": {2: 1}})
        table.do("lava:coin@1_2")
        assert bool(table.pub["lava"][table.square("2_9")]) is buried
        assert table.people("3_10") == [0, 1, 0, 0]


def test_buried_vents() -> None:
    for switch in (False, True):
        table = Table(vents_buried=switch)
        lava = {"0_7": "scroll", "2_9": "scroll", "3_10": "scroll"}
        table.lava(["coin", "vase", "mask"], lava, people={"4_4": {2: 1}})
        options = table.do("lava:coin@1_2")
        assert bool(table.pub["lava"][table.square("2_10")]) is switch
        assert options == ["lava:vase@2_10"]  # the first tile still goes there


def test_no_lava_on_buried_squares() -> None:
    for switch in (False, True):
        table = Table(lava_on_buried=switch)
        table.lava(["coin", "mask"], {"1_2": "coin", "1_1": "buried"}, people={"4_4": {0: 1}})
        assert ("lava:coin@1_1" in table.legal()) is switch


def test_six_turns_without_runs() -> None:
    table = Table()
    table.lava(
        ["coin", "mask", "vase", "scroll", "column", "helmet", "coin", "coin"],
        people={"4_4": {s: 1 for s in range(4)}},
        drawn=0,
    )
    for square, symbol in (("1_2", "coin"), ("6_3", "mask"), ("2_10", "vase"), ("0_7", "scroll"), ("3_4", "column")):
        assert all(o.startswith("lava:") for o in table.do(f"lava:{symbol}@{square}"))
    table.do("lava:helmet@6_9")
    assert table.pub["phase"] == 3
    options = table.do("lava:coin@0_2")
    assert options == ["run:4_4", "stop"]
    assert table.pub["turn_seat"] == 2  # seventh tile, seats 0 1 2 3 0 1 2


def test_run_free_counts_tiles_on_the_board() -> None:
    lava = {**VENTS, "0_6": "coin"}
    for counts, running in (("draws", True), ("tiles", False)):
        table = Table(run_free_counts=counts)
        table.lava(["scroll", "mask"], lava, people={"4_4": {0: 1}})
        table.pub["tiles_placed"] = 5
        table.legal()
        assert int(table.pub["phase"] == 3) == running


def run_table(people: dict[str, dict[int, int]], lava: dict[str, str] | None = None, **rules: object) -> Table:
    """Come to the runs of seat 0: the coin vent is covered first."""
    table = Table(**rules)
    table.lava(["coin", "coin", "coin", "coin", "coin"], lava or {}, people=people)
    table.do("lava:coin@1_2")
    return table


def reach(options: list[str]) -> set[str]:
    return {o.partition(":")[2] for o in options if o.startswith("to:")}


def test_steps_are_the_people_in_the_square() -> None:
    table = run_table({"4_8": {0: 1, 1: 1}, "4_3": {1: 1}})
    options = table.do("run:4_8")
    assert reach(options) == {"4_7", "4_9", "3_8", "5_8", "4_6", "4_10", "3_7", "3_9", "5_7", "5_9", "2_8", "6_8"}
    assert not any(o.startswith("exit") for o in options)  # two steps to the gate square, a third to be out


def test_people_count_anew_for_each_run() -> None:
    """Of two people leaving the same square of four the first goes 4, the second 3."""
    table = run_table({"3_8": {0: 2, 1: 2}, "5_1": {2: 1}})
    table.do("run:3_8")
    assert table.pub["run_steps"] == 4
    table.do("to:4_10")
    table.do("run:3_8")
    assert table.pub["run_steps"] == 3


def test_a_gate_costs_a_step() -> None:
    table = run_table({"6_7": {0: 1, 1: 1}, "4_3": {0: 1}})
    options = table.do("run:6_7")
    assert {o for o in options if o.startswith("exit")} == {"exit:di-stabia", "exit:di-nocera"}
    table.do("exit:di-nocera")
    assert table.pub["saved"][0] == 1
    assert table.people("6_7") == [0, 1, 0, 0]
    table = run_table({"6_7": {0: 1}, "4_3": {0: 1}})
    assert not any(o.startswith("exit") for o in table.do("run:6_7"))
    table = run_table({"6_6": {0: 1}, "4_3": {0: 1}})
    assert "exit:di-stabia" in table.do("run:6_6")


def test_never_onto_lava_or_vents() -> None:
    table = run_table({"2_4": {0: 3}}, {"3_4": "column", "1_4": "column", "2_5": "column"})
    options = reach(table.do("run:2_4"))
    assert options == {"2_3", "1_3", "0_3", "2_2", "3_3", "2_1", "3_2", "4_3"}
    table = run_table({"2_9": {0: 2}})
    assert "2_10" not in reach(table.do("run:2_9"))  # an empty vent


def test_two_different_people() -> None:
    table = run_table({"4_8": {0: 2}, "4_3": {1: 1}})
    table.do("run:4_8")
    options = table.do("to:4_9")
    assert options == ["run:4_8", "stop"]  # who came to 4_9 has run
    table = run_table({"4_8": {0: 2}, "4_9": {0: 1}})
    table.do("run:4_8")
    assert set(table.do("to:4_9")) == {"run:4_8", "run:4_9", "stop"}  # somebody else stands there too


def test_the_last_person_runs_twice() -> None:
    table = run_table({"4_8": {0: 1, 1: 1}, "4_3": {1: 1}})
    table.do("run:4_8")
    assert table.do("to:4_7") == ["run:4_7", "stop"]


def test_a_person_alone_runs_twice() -> None:
    table = run_table({"4_8": {0: 1}, "4_9": {1: 2}, "4_3": {0: 1, 1: 1}})
    table.do("run:4_8")
    assert table.pub["run_steps"] == 1
    assert set(table.do("to:4_9")) == {"run:4_3", "run:4_9", "stop"}
    table.do("run:4_9")
    assert table.pub["run_steps"] == 3
    # in company at the start: no second run, by the other reading only when alone where it came to
    for alone, expected in (("turn-start", False), ("run-start", True)):
        table = run_table({"4_8": {0: 1, 1: 1}, "4_3": {0: 1, 1: 1}}, alone=alone)
        table.do("run:4_8")
        assert ("run:4_9" in table.do("to:4_9")) is expected


def test_two_runs_at_most_and_none_at_will() -> None:
    table = run_table({"4_8": {0: 3}, "4_3": {1: 1}})
    table.do("run:4_8")
    table.do("to:4_9")
    table.do("run:4_8")
    table.do("to:4_9")
    assert table.pub["turn_seat"] == 1
    table = run_table({"4_8": {0: 3}, "4_3": {1: 1}})
    table.do("stop")
    assert table.pub["turn_seat"] == 1
    table = run_table({"4_8": {0: 3}, "4_3": {1: 1}}, runs=1)
    table.do("run:4_8")
    table.do("to:4_9")
    assert table.pub["turn_seat"] == 1


def test_a_run_may_not_end_where_it_began() -> None:
    for switch in (False, True):
        table = run_table({"4_8": {0: 2}, "4_3": {1: 1}}, run_may_return=switch)
        assert ("4_8" in reach(table.do("run:4_8"))) is switch


def test_no_own_person_no_run() -> None:
    table = Table()
    table.lava(["coin", "coin", "coin"], people={"4_8": {1: 2}})
    table.do("lava:coin@1_2")
    assert table.pub["turn_seat"] == 1


def test_last_tile_ends_the_game() -> None:
    table = Table()
    table.lava(["mask"], people={"4_8": {1: 2}, "4_9": {0: 1}}, more=0)
    assert table.legal() == []
    assert table.pub["ended_by"] == 1
    assert list(table.pub["lost"][:2]) == [1, 2]
    assert {e["cause"] for e in table.named("lost")} == {"left"}
    table = Table(last_tile="finish-turn", left_are_casualties=False)
    table.lava(["mask"], people={"4_8": {1: 2}, "4_10": {0: 1}}, more=0)
    assert table.legal() == ["lava:mask@6_3"]
    table.do("lava:mask@6_3")
    table.do("run:4_10")
    table.do("exit:di-sarno")
    assert table.legal() == []
    assert table.pub["saved"][0] == 1
    assert table.pub["lost"].sum() == 0
    assert table.named("lost")[-1]["cause"] == "left"


def test_an_empty_city_ends_the_game() -> None:
    table = Table()
    table.lava(["mask", "mask", "mask"], people={"4_10": {0: 1}})
    table.do("lava:mask@6_3")
    table.do("run:4_10")
    table.do("exit:di-sarno")
    assert table.legal() == []
    assert table.pub["ended_by"] == 2


@pytest.mark.parametrize(("saved", "lost", "tie", "winners", "ranks"), [
    ([3, 5, 5, 1], [0, 4, 3, 0], "casualties", 0b100, [3, 2, 1, 4]),
    ([5, 5, 5, 1], [3, 3, 4, 0], "casualties", 0b011, [1, 1, 3, 4]),
    ([5, 5, 4, 1], [3, 9, 4, 0], "none", 0b011, [1, 1, 3, 4]),
])  # fmt: skip
def test_tie_break(saved: list[int], lost: list[int], tie: str, winners: int, ranks: list[int]) -> None:
    table = Table(tie_break=tie)
    table.lava(["mask"])
    table.legal()
    table.pub["saved"][:] = saved
    table.pub["lost"][:] = lost
    rows = np.zeros(1, table.prepared.game.dtypes.row)
    table.kernel.record_at(table.state, table.tables, rows, 0, 0, 0)
    assert rows["winners"][0] == winners
    assert list(rows["rank"][0]) == ranks
    assert list(rows["score"][0]) == saved
    assert rows["margin"][0] == sorted(saved)[-1] - sorted(saved)[-2]


def test_dual_tiles() -> None:
    table = Table(dual_vent=True)
    assert table.pub["tiles_left"] == 48
    table.lava(["helmet-mask", "mask", "helmet", "mask"], {"6_9": "helmet"}, people={"4_4": {0: 1}})
    options = table.legal()
    assert "lava:mask@6_3" in options  # on the vent, if it is that symbol's first tile
    assert {"lava:helmet@6_8", "lava:helmet@5_9", "lava:helmet@6_10"} <= set(options)
    assert len(options) == 4
    table.do("lava:helmet@5_9")
    table.do("stop")
    assert table.legal() == ["lava:mask@6_3"]
    table = Table(dual_vent=True, dual_counts="both")
    table.lava(
        ["helmet-mask", "mask", "helmet"], {"6_9": "helmet", "6_3": "mask"}, people={"4_4": {0: 1}, "4_3": {1: 1}}
    )
    table.do("lava:helmet@5_9")
    table.do("stop")
    assert "lava:mask@4_9" in table.legal()  # it shows both


def test_tiles_of_the_bag() -> None:
    table = Table()
    tiles = table.state["hid"]["tiles"][0, : int(table.state["hid"]["tiles_end"][0])]
    names = [s.id for s in table.data.symbols]
    counts = {name: int((tiles == i).sum()) for i, name in enumerate(names)}
    assert counts == {"scroll": 8, "column": 8, "coin": 8, "vase": 7, "helmet": 7, "mask": 7}
    assert len(tiles) == 45
