"""The army, the Castrum, C31 and the end of a game. [Goal of the Game; End of the Game; City Cards, star]"""

from __future__ import annotations

from table import Table, check

ARMY = {"sword": 2, "gold_coin": 2, "cloth": 2}
CASTRUM = {"planks": 1, "column": 1, "bread": 1, "meat": 1, "oil": 1, "wine": 1}


def _won(t: Table, seat: int) -> bool:
    return t.legal() == [] and t.ended() == "victory" and t.get("winner") == seat


@check
def test_building_the_castrum_with_an_army_wins_at_once() -> None:
    assert _won(Table(2).army(0).goods(0, **CASTRUM).act("build:20"), 0)


@check
def test_buying_the_army_while_the_castrum_stands_wins_at_once() -> None:
    assert _won(Table(2).build(19, owner=1).build(20, owner=1).goods(0, **ARMY).act("army").choose("good:sword"), 0)


@check
def test_the_castrum_may_stand_before_any_army() -> None:
    t = Table(2).goods(0, **CASTRUM).act("build:20")
    assert t.ended() == ""
    assert t.array("owner")[20] == 0
    assert t.decision() == ("place", 1)


@check
def test_an_army_alone_does_not_win() -> None:
    t = Table(2).build(19).goods(0, **ARMY).act("army")
    assert t.ended() == ""


@check
def test_one_castrum_serves_all_at_the_start_of_the_own_turn() -> None:
    t = Table(3).army(2).goods(0, **CASTRUM).act("build:20")
    assert t.decision() == ("place", 1)
    t.act("collect:grain")
    assert _won(t, 2)


@check
def test_the_next_player_to_turn_wins_not_the_builder() -> None:
    assert _won(Table(2).army(1).goods(0, **CASTRUM).act("build:20"), 1)


@check
def test_without_workers_there_is_no_turn_in_this_round() -> None:
    t = Table(2).army(1).goods(0, grain=9, **CASTRUM).start()
    t.array("ready")[1] = 0
    t.act("build:20")
    assert t.decision() == ("place", 0)
    t.end_round()
    assert t.decision()[0] == "pledge", "the offering lies between"
    t.refuse()
    assert _won(t, 1)


@check
def test_an_apocalypse_in_between_defeats_the_waiting_army() -> None:
    t = Table(2).army(1).goods(0, **CASTRUM).volcano("apocalypse").start()
    t.array("ready")[:] = [1, 0, 0, 0]
    t.act("build:20").refuse()
    assert t.ended() == "apocalypse"


@check
def test_an_army_may_enter_without_workers_by_a_switch() -> None:
    t = Table(2, army_without_workers=True).army(1).goods(0, **CASTRUM).start()
    t.array("ready")[1] = 0
    assert _won(t.act("build:20"), 1)


@check
def test_the_game_stops_in_mid_round() -> None:
    t = Table(2).army(0).goods(0, **CASTRUM).all_goods(1, 5).act("build:20")
    assert t.legal() == []
    assert t.get("volcano_left") == 10
    assert t.get("rnd") == 1


@check
def test_winning_inside_extra_actions() -> None:
    t = Table(2).army(0).hand(0, "S05").goods(0, **CASTRUM).goods(0, bread=2).act("train:S05").act("build:20")
    assert _won(t, 0)


@check
def test_an_injured_army_does_not_win_until_the_worker_is_freed() -> None:
    t = Table(2).army(0).build(20).start()
    assert _won(t, 0)
    t = Table(2).army(0).goods(0, bread=1, meat=1)
    t.start()
    t.array("injured")[0, 1] = 1
    t.build(20).build(19).all_goods(1, 1)
    assert t.turn(0).ended() == ""
    assert not t.can("army"), "a second army cannot be bought"
    assert _won(t.act("release:C28"), 0), "the own turn is not over"


@check
def test_a_worker_on_c12_does_not_hinder_the_army() -> None:
    t = Table(2).army(0).goods(0, **CASTRUM).start()
    t.array("injured")[0, 0] = 1
    assert _won(t.act("build:20"), 0)


# C31 Casa del Menandro


def _stopped(seats: int = 3, builder_army: bool = True) -> Table:
    t = Table(seats).hand(1, "C31").goods(0, **CASTRUM)
    if builder_army:
        t.army(0)
    t.act("build:20")
    assert t.decision() == ("stop", 1)
    assert t.legal() == ["pass", "activate:C31"]
    return t.choose("activate:C31")


@check
def test_c31_stops_the_castrum_of_another_after_payment() -> None:
    t = _stopped()
    assert not t.is_built(20)
    assert t.ended() == ""
    assert t.store(0) == {}, "the cost stays paid"
    assert t.array("injured")[0].tolist() == [0, 0, 1]
    assert t.at("costruzione") == 0, "the worker went from the Costruzione to C31"
    assert t.pile() == {"C31"}
    assert t.marker(0) == 3
    assert t.decision() == ("place", 1)


@check
def test_c31_need_not_be_played() -> None:
    t = Table(2).hand(1, "C31").army(0).goods(0, **CASTRUM).act("build:20").choose("pass")
    assert _won(t, 0)
    assert t.cards(1) == {"C31"}


@check
def test_oil_at_the_foro_finishes_the_castrum_and_the_army_enters() -> None:
    t = _stopped().turn(0)
    assert not t.can("release:C31")
    t.goods(0, oil=1).act("release:C31")
    assert t.store(0) == {}
    assert t.is_built(20)
    assert t.array("owner")[20] == 0
    assert _won(t, 0)


@check
def test_finishing_without_an_army_opens_the_castrum() -> None:
    t = _stopped(builder_army=False).goods(0, oil=1).act("release:C31", seat=0)
    assert t.is_built(20)
    assert t.ended() == ""
    assert t.array("injured")[0].sum() == 0


@check
def test_oil_is_not_too_late_in_a_later_round() -> None:
    t = _stopped().goods(0, oil=1)
    t.end_round().refuse()
    assert t.array("ready")[0] == 2
    t.act("release:C31", seat=0)
    assert _won(t, 0)


@check
def test_others_may_build_meanwhile_and_the_oil_then_only_frees_the_worker() -> None:
    t = _stopped().goods(1, **CASTRUM).act("build:20", seat=1)
    assert t.array("owner")[20] == 1
    assert t.turn(0).ended() == "", "no victory with a worker on C31"
    t.goods(0, oil=1).act("release:C31")
    assert t.array("owner")[20] == 1
    assert _won(t, 0)


@check
def test_the_stopped_player_may_build_again() -> None:
    t = _stopped().goods(0, **CASTRUM).goods(0, oil=2).act("build:20", seat=0)
    assert t.array("owner")[20] == 0
    assert t.ended() == "", "the worker on C31 still bars the victory"
    assert _won(t.act("release:C31", seat=0), 0)


@check
def test_a_builder_without_a_worker_of_its_own_cannot_be_stopped() -> None:
    t = Table(2).hand(1, "C31").goods(0, **CASTRUM).start()
    t.array("ready")[0] = 0
    t.array("borrowed")[0] = 1
    t.array("injured")[0, 0] = 3
    t.act("build:20", seat=0)
    assert t.is_built(20)
    assert t.cards(1) == {"C31"}


@check
def test_others_can_win_with_a_castrum_of_their_own_meanwhile() -> None:
    assert _won(_stopped().army(1).goods(1, **CASTRUM).act("build:20", seat=1), 1)


@check
def test_the_left_neighbour_is_asked_first_and_only_holders_are() -> None:
    t = Table(4).put(start_seat=2).hand(1, "C31").goods(2, **CASTRUM).act("build:20", seat=2)
    assert t.decision() == ("stop", 1)


@check
def test_stopped_in_an_extra_action_the_worker_that_started_it_goes() -> None:
    t = Table(2).hand(1, "C31").hand(0, "S05").goods(0, **CASTRUM).goods(0, bread=2)
    t.act("train:S05").act("build:20").choose("activate:C31")
    assert t.array("injured")[0, 2] == 1
    assert t.at("piazza") == 0
    assert t.decision() == ("place", 0), "the other extra actions follow"


@check
def test_a_borrowed_worker_stopped_is_replaced_by_an_own_one() -> None:
    t = Table(2).hand(1, "C31").goods(0, **CASTRUM).stand(0, "field:grain").start()
    t.array("ready")[0] = 0
    t.array("borrowed")[0] = 1
    t.act("build:20", seat=0).choose("activate:C31")
    assert t.array("injured")[0, 2] == 1
    assert t.array("placed")[0].sum() == 0
    assert t.at("costruzione") == 1, "the borrowed worker stays where it is"


@check
def test_a_stopped_worker_taken_by_c40_ends_the_claim() -> None:
    t = _stopped(2).workers(0, 5).goods(1, wood=1)
    t.array("ready")[0] = 4
    t.hand(1, "C40").act("activate:C40", seat=1).choose("place:space:C31")
    assert t.array("stopped")[0] == 0
    assert t.array("workers")[0] == 4


@check
def test_the_castrum_cost_is_paid_once() -> None:
    t = _stopped().goods(0, oil=1, wine=1).act("release:C31", seat=0)
    assert t.store(0) == {"wine": 1}
