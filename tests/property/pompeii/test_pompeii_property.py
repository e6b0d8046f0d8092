"""What holds in every position of every game, for tables, switches and games chosen by hypothesis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pompeii_cells import cell, document, play
from pompeii_walk import Walk, at_home, check_change, check_options, check_position, snapshot

import pompeii_sim
from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii import codes as c

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="reads records as arrays")

FEW = settings(max_examples=12, derandomize=True, deadline=None, database=None,
               suppress_health_check=[HealthCheck.too_slow])  # fmt: skip

SEATS = st.lists(st.sampled_from(["random", "random", "greedy"]), min_size=2, max_size=4)
STANCES = st.sampled_from(["cooperative", "never", "free-rider", "player"])
RULES = st.fixed_dictionaries(
    {"difficulty": st.sampled_from("ABC"), "calm_steps": st.sampled_from([0, 2]), "round_cap": st.just(14)},
    optional={
        "volcano_cards": st.sampled_from([1, 9, "all"]),
        "apocalypse": st.sampled_from(["shuffled", "bottom", "bottom-half"]),
        "cap": st.sampled_from([4, 10, 20]),
        "goods_start": st.sampled_from([1, 4]),
        "workers_start": st.sampled_from([1, 5]),
        "spaces": st.sampled_from([1, 3]),
        "owner_bonus": st.sampled_from([0, 2]),
        "offering_base": st.sampled_from([-6, 2]),
        "raise_after": st.sampled_from([1, 2]),
        "over_offering_cards": st.sampled_from([0, 3]),
        "over_offering_keep": st.sampled_from([0, 2]),
        "specialists_dealt": st.sampled_from([0, 12]),
        "reclaim_workers": st.sampled_from(["all", "own"]),
        "injure_unplaced": st.booleans(),
        "freed_worker_acts": st.booleans(),
        "extra_space": st.sampled_from(["above-limit", "second-worker"]),
        "tempio_amount": st.sampled_from(["any", "whole-stack"]),
        "army_without_workers": st.booleans(),
    },
)


def seats_of(players: list[str], stance: str, **more: Any) -> list[dict[str, Any]]:
    return [{"player": name, "stance": stance, **more} for name in players]


@FEW
@given(players=SEATS, stance=STANCES, rules=RULES, deal=st.integers(0, 10**6))
def test_every_position_is_sound(players: list[str], stance: str, rules: dict[str, Any], deal: int) -> None:
    walk = Walk(cell(seats_of(players, stance), rules, "fixed"), deal)
    freed = bool(walk.prepared.tables[0]["freed_acts"])
    before = snapshot(walk)
    home = 0
    for _ in walk.positions():
        now = snapshot(walk)
        check_position(walk)
        check_options(walk)
        check_change(before, now)
        if now["rnd"] != before["rnd"]:
            home = 0
            pub = walk.state["pub"][0]
            assert (pub["ready"] == pub["workers"] - pub["injured"].sum(axis=1)).all(), "all workers are back"
        before = now
        if now["rnd"] > 0:
            assert at_home(walk) == home
        kind, extra = int(walk.pub("dec_kind")), int(walk.pub("dec_a"))
        seat = int(walk.pub("dec_seat"))
        lost_at_home = not walk.pub("placed")[seat].any() and not walk.pub("injured")[seat].any()
        lost_at_home &= int(walk.pub("ready")[seat]) == 0
        action = walk.turn()
        assert action in walk.options
        kept_home = kind == c.D_PLACE and action // c.ARG == c.IDLE and extra != c.EXTRA_ACTION
        kept_home |= kind in (c.D_PLACE, c.D_SECOND) and action // c.ARG == c.RELEASE and not freed
        home += int(kept_home) - int(kind == c.D_LOSE_WORKER and lost_at_home)
    check_position(walk)
    check_change(before, snapshot(walk))
    assert int(walk.pub("error")) == 0
    assert int(walk.pub("ended_by")) in (c.END_VICTORY, c.END_APOCALYPSE, c.END_ROUND_CAP)
    assert walk.advance() == 0, "a game that is over stays over"


FAULTS = {
    "a good too many": ("pub", "goods", (0, 3), 11),
    "a card twice": ("pub", "active", (1, 7), 1),
    "a card gone": ("hid", "deck", None, 0),
    "a worker twice": ("pub", "used", (12,), 1),
    "a place over full": ("pub", "used", (30,), 9),
    "a volcano card twice": ("hid", "volcano", (1,), 99),
    "a hand miscounted": ("pub", "hand_size", (0, 0), 1),
    "a marker out of its track": ("pub", "streak", (), 3),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checks_see_a_fault(fault: str) -> None:
    """Control: one number changed by hand in the position of the first worker."""
    walk = Walk(cell(["random"] * 3, {"volcano_cards": 9, "apocalypse": "bottom"}, "fixed"), 5)
    while walk.advance() > 0 and int(walk.pub("dec_kind")) != c.D_PLACE:
        walk.apply(int(walk.options[0]))
    check_position(walk)
    assert at_home(walk) == 0
    part, name, place, value = FAULTS[fault]
    numbers = walk.state[part][name]
    where = (0, *place) if place is not None else (0, int(np.flatnonzero(numbers[0])[0]))
    numbers[where] = value
    if fault == "a worker twice":
        assert at_home(walk) != 0
    else:
        with pytest.raises(AssertionError):
            check_position(walk)


FORBID = ("trade", "produce", "produce:7", "build:11", "build:20", "train", "swap", "activate", "activate:C03", "use",
          "collect:wood", "recruit:1", "army", "start:3", "release", "uncover")  # fmt: skip


def is_named(option: str, item: str) -> bool:
    """Whether an option is one that an item of a forbid list names."""
    return option == item or option.startswith(item + "+") or (":" not in item and option.split(":")[0] == item)


@FEW
@given(players=SEATS, items=st.lists(st.sampled_from(FORBID), min_size=1, max_size=6, unique=True),
       deal=st.integers(0, 1000))  # fmt: skip
def test_forbid_lists_are_honoured(players: list[str], items: list[str], deal: int) -> None:
    fields = {f"collect:{name}" for name in ("grain", "wood", "grapes")}
    items = [item for item in items if not item.startswith("collect") or item in fields]
    scenario = document(
        [{"player": players[0], "forbid": items}, *players[1:]], {"calm_steps": 1, "round_cap": 14}, "fixed"
    )
    game = pompeii_sim.play(scenario, deal)
    assert game.row()["error"][0] == 0
    seen = {0: 0, 1: 0}
    for move in game.moves:
        named = [option for option in move.options if any(is_named(option, item) for item in items)]
        if move.seat == 0:
            assert not named, (items, named)
        seen[int(bool(named))] += 1
    assert seen[0] > 0


@FEW
@given(players=SEATS, rules=RULES, seed=st.integers(0, 2**40), number=st.integers(0, 40),
       seating=st.sampled_from(["rotate", "duplicate", "fixed"]))  # fmt: skip
def test_a_game_alone_is_the_game_of_the_batch(
    players: list[str], rules: dict[str, Any], seed: int, number: int, seating: str
) -> None:
    prepared = cell(players, rules, seating)
    batch = play(prepared, 6, first=max(0, number - 2), seed=seed)
    again = play(prepared, 6, first=max(0, number - 2), seed=seed)
    assert batch.tobytes() == again.tobytes(), "repeats are identical"
    at = number - max(0, number - 2)
    assert play(prepared, 1, first=number, seed=seed).tobytes() == batch[at : at + 1].tobytes()
    told = pompeii_sim.play(document(players, rules, seating, seed=seed), number)
    assert told.row().tobytes() == batch[at : at + 1].tobytes(), "a traced game is the counted one"


def test_seeds_differ_and_neighbouring_deals_do() -> None:
    """Seed 0 is a seed like any other."""
    prepared = cell(["random", "greedy"], seating="fixed")
    rows = [play(prepared, 20, seed=seed) for seed in (0, 1, 2**40)]
    for i in range(3):
        for j in range(i):
            assert (rows[i]["dealt"] != rows[j]["dealt"]).any(axis=1).all(), "every opening deal differs"
    assert len({row["dealt"].tobytes() for row in rows[0]}) == 20


def swap_first(walk: Walk) -> tuple[int, int]:
    """Let the seat in turn swap its first specialist for another; return the seat and the card drawn."""
    assert walk.advance() > 0
    seat = int(walk.pub("dec_seat"))
    hand = walk.state["own"]["hand"][0, seat].copy()
    walk.apply(int(next(a for a in walk.options if a // c.ARG == c.SWAP)))
    assert walk.advance() > 0
    walk.apply(int(walk.options[0]))
    new = np.flatnonzero(walk.state["own"]["hand"][0, seat] > hand)
    assert len(new) == 1
    return seat, int(new[0])


@FEW
@given(seats=st.integers(2, 4), deal=st.integers(0, 10**6))
def test_an_extra_draw_moves_no_other_hand(seats: int, deal: int) -> None:
    """Another seat's hand stays, and its next draw is the same unless just that card is gone."""
    start = Walk(cell(["random"] * seats, seating="fixed"), deal)
    while start.advance() > 0 and int(start.pub("dec_kind")) != c.D_PLACE:
        start.apply(int(start.options[0]))
    drawing, quiet = start.copy(), start.copy()
    drawer, taken = swap_first(drawing)
    assert quiet.advance() > 0
    quiet.apply(int(quiet.options[0]))
    others = [seat for seat in range(4) if seat != drawer]
    assert (drawing.state["own"]["hand"][0, others] == quiet.state["own"]["hand"][0, others]).all()
    one, two = swap_first(drawing), swap_first(quiet)
    assert one[0] == two[0] != drawer
    assert one[1] == two[1] or two[1] == taken


BAD = """
def bad(pub, own, tables, weights, luck, acts, n):
    if pub.rnd == 3:
        return 999999
    return acts[n - 1]
"""


def test_an_illegal_action_is_recorded_and_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD, encoding="utf-8")
    table = document([f"{file}:bad", "random"], {"round_cap": 12, "calm_steps": 1}, "fixed")
    scenario = pompeii_sim.validate(table)
    from pompeii_sim import games
    from pompeii_sim.engine.prepare import prepare

    prepared = prepare(games.get("pompeii"), scenario.cells[0], "fixed")
    rows = play(prepared, 30)
    assert (rows["error"] == c.ERR_ILLEGAL).all()
    assert (rows["error_action"] == 999999).all()
    assert (rows["seat_spec"][np.arange(30), rows["error_seat"]] == 0).all()
    assert (rows["rounds"] > 3).all()
    assert np.isin(rows["ended_by"], (c.END_VICTORY, c.END_APOCALYPSE, c.END_ROUND_CAP)).all()
    walk = Walk(prepared, 0)
    bad = 0
    for n in walk.positions():
        wrong = n > 1 and walk.pub("rnd") == 3 and walk.pub("dec_seat") == 0
        wrong &= walk.pub("dec_kind") not in (c.D_PLEDGE, c.D_PAY)
        check_position(walk)
        action = walk.turn()
        if wrong:
            bad += 1
            assert action == walk.options[0], "the first legal action instead"
    assert bad > 0
