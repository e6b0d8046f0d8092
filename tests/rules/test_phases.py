"""Rounds, turns and the change of phase. [Worker Spaces; How to Play; Building 17 Foro di Pompeii]"""

from __future__ import annotations

from table import Table, check, check_each


@check
def test_players_place_one_worker_each_clockwise_until_all_are_placed() -> None:
    t = Table(3, "calm")
    seats = []
    for _ in range(9):
        kind, seat = t.decision()
        assert kind == "place"
        seats.append(seat)
        t.act("collect:grain")
    assert seats == [0, 1, 2] * 3
    assert t.get("rnd") == 2
    assert t.at("field:grain") == 0, "the workers come home"
    assert t.array("ready")[:3].tolist() == [3, 3, 3]


@check
def test_the_starting_token_goes_to_the_left() -> None:
    t = Table(3, "calm")
    for start in (0, 1, 2, 0):
        assert t.decision() == ("place", start)
        t.end_round()


@check
def test_no_passing() -> None:
    assert "pass" not in Table(2, "calm").legal()
    assert "idle" not in Table(2, "calm").legal()


@check
def test_a_player_without_workers_is_skipped() -> None:
    t = Table(3, "calm").start()
    t.array("ready")[1] = 0
    t.act("collect:grain")
    assert t.decision() == ("place", 2)


@check
def test_who_has_more_workers_places_the_rest_alone() -> None:
    t = Table(2, "calm").workers(1, 5)
    seats = []
    while t.get("rnd") < 2:
        seats.append(t.decision()[1])
        t.act("collect:grain")
        t.start()
    assert seats == [0, 1, 0, 1, 0, 1, 1, 1]


@check
def test_a_place_freed_in_mid_round_is_open_again() -> None:
    t = Table(2).build(7).goods(0, grain=1).stand(1, "building:7", 2)
    assert not t.can("produce:7")
    t.array("used")[9 + 7] = 1
    assert t.can("produce:7")


@check
def test_no_offering_in_the_calm() -> None:
    t = Table(2, "calm").all_goods(0, 1).end_round()
    assert t.decision()[0] == "place"
    assert t.get("volcano_left") == 10


# the Foro


@check
def test_the_foro_opens_after_seven_rounds() -> None:
    t = Table(2, "calm").goods(0, planks=1, column=1).goods(1, planks=1, column=1).start()
    for rnd in range(1, 8):
        assert t.get("rnd") == rnd
        assert t.get("calm_step") == rnd - 1
        assert not t.can("build:17")
        t.end_round()
    assert t.get("rnd") == 8
    assert t.get("calm_step") == 7
    assert [a for a in t.legal() if a.startswith("build")] == ["build:17"]


@check
def test_the_time_marker_then_rests_and_the_calm_goes_on() -> None:
    t = Table(2, "calm")
    for _ in range(12):
        t.start().end_round()
    assert t.get("calm_step") == 7
    assert t.get("phase") == 0
    assert t.get("rnd") == 13


@check_each("steps", [0, 2])
def test_the_length_of_the_track_is_a_setting(steps: int) -> None:
    t = Table(2, "calm", calm_steps=steps).goods(0, planks=1, column=1)
    for _ in range(steps):
        assert not t.turn(0).can("build:17")
        t.end_round()
    assert t.turn(0).can("build:17")


@check
def test_the_foro_may_not_wait_for_the_track_by_a_switch() -> None:
    assert Table(2, "calm", foro_needs_track=False).goods(0, planks=1, column=1).can("build:17")


@check
def test_the_foro_is_the_first_tile_that_is_not_red() -> None:
    t = Table(2, "calm", calm_steps=0).all_goods(0, 5)
    assert [a for a in t.legal() if a.startswith("build")] == [f"build:{n}" for n in (*range(1, 11), 17)]
    t.act("build:17").turn(0)
    assert [a for a in t.legal() if a.startswith("build")] == [f"build:{n}" for n in range(1, 21) if n != 17]


def _foro(seats: int = 3, specialist: str = "S01", city: str = "C05", **rules: int) -> Table:
    """Let seat 0 build the Foro; the two extra cards are known."""
    t = Table(seats, "calm", calm_steps=0, **rules).goods(0, planks=1, column=1)
    dealt = [f"C{n:02d}" for n in range(6, 53) if f"C{n:02d}" != city][: seats * t.rules.city_dealt]
    t.deck("specialists", specialist).deck("city", *dealt)
    # the last card of the deck: it is discarded and comes with the reshuffle
    t.array("discard")[51 + int(city[1:])] = 1
    return t.act("build:17")


@check_each("seats", [2, 3, 4])
def test_every_player_receives_six_city_cards(seats: int) -> None:
    t = _foro(seats)
    assert [len([c for c in t.cards(s) if c[0] == "C"]) for s in range(seats)] == [6] * seats
    assert t.get("phase") == 1
    assert t.get("streak") == 0


@check
def test_the_builder_gets_two_more_cards_active_at_once_and_free() -> None:
    t = _foro()
    assert t.out(0) == {"S01", "C05"}
    assert t.store(0) == {}
    assert t.cards(0) & {"S01", "C05"} == set()
    assert len(t.cards(0)) == 6, "on top of the six"
    assert t.out(1) == t.out(2) == set()
    assert t.decision() == ("place", 1)


@check
def test_one_time_effects_of_the_extra_cards_are_done_at_once() -> None:
    t = _foro(specialist="S25", city="C19")
    assert t.store(0) == {"planks": 2, "column": 2, "gold": 1}
    assert t.out(0) == set()
    assert t.pile() == {"S25", "C19"}


@check
def test_the_extra_city_card_comes_before_the_extra_specialist() -> None:
    t = _foro(specialist="S05", city="C36")
    assert t.decision() == ("take_good", 0)
    t.choose("good:bread")
    assert t.decision() == ("place", 0)
    assert t.store(0) == {"bread": 1}


@check
def test_an_extra_star_card_goes_to_the_hand() -> None:
    t = _foro(city="C02")
    assert "C02" in t.cards(0)
    assert t.out(0) == {"S01"}


@check
def test_an_extra_card_without_a_target_is_discarded_unused() -> None:
    t = _foro(specialist="S27", city="C22")
    assert t.pile() == {"S27", "C22"}
    assert t.decision() == ("place", 1)


@check_each("setting", ["city_dealt", "foro_city", "foro_specialists"])
def test_the_numbers_of_cards_are_settings(setting: str) -> None:
    t = Table(2, "calm", **{"calm_steps": 0, setting: 0}).goods(0, planks=1, column=1)
    t.deck("city", *[f"C{n}" for n in range(42, 48)], "C05", "C07", "C08", "C09", "C10", "C13", "C15")
    t.deck("specialists", "S01").act("build:17")
    out = {c[0] for c in t.out(0)}
    assert out == {"C", "S"} - {{"foro_city": "C", "foro_specialists": "S"}.get(setting, "")}
    assert len(t.cards(1)) == (0 if setting == "city_dealt" else 6)


@check
def test_the_round_of_the_foro_goes_on_and_ends_with_an_offering() -> None:
    t = _foro(2)
    assert t.get("calm_step") == 0
    t.all_goods(1, 5).turn(1)
    assert t.can("build:13"), "workers still to come may build other tiles"
    assert [a for a in t.legal() if a.startswith("activate")], "and use the Foro"
    for seat in (0, 1):
        t.own(seat, "hand")[:] = 0
    t.end_round()
    assert t.decision()[0] == "pledge"
    assert t.get("due") == 6
    assert t.get("calm_step") == 0, "the step of the calm falls away"


@check
def test_workers_stay_where_they_are_when_vesuvius_awakens() -> None:
    t = Table(2, "calm", calm_steps=0).goods(0, planks=1, column=1).stand(1, "field:grain")
    t.deck("specialists", "S01").deck("city", *[f"C{n}" for n in range(42, 48)], *[f"C{n:02d}" for n in range(5, 11)])
    t.act("build:17")
    assert t.at("field:grain") == 1
    assert t.ready(1) == 2
    assert t.get("rnd") == 1


@check
def test_every_awakening_round_ends_with_an_offering_and_passes_the_token() -> None:
    t = Table(2).volcano(1, 2, 3)
    for rnd in (1, 2, 3):
        assert t.get("start_seat") == (rnd - 1) % 2
        t.end_round()
        assert t.get("rnd") == rnd + 1
    assert t.get("volcano_left") == 0


# the end of a long game


@check
def test_the_round_cap_stops_a_game() -> None:
    t = Table(2, "calm", round_cap=3)
    for _ in range(3):
        assert t.ended() == ""
        t.start().end_round()
    assert t.legal() == []
    assert t.ended() == "round_cap"
    assert t.get("rnd") == 3


@check
def test_the_round_cap_of_the_rulebook_game_is_40() -> None:
    t = Table(2, "calm")
    for _ in range(39):
        t.start().end_round()
    assert t.legal()
    t.end_round()
    assert t.ended() == "round_cap"
