"""What holds in every position of every game for one."""

from __future__ import annotations

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
PLAYERS = st.sampled_from(["random", "random", "greedy", "planner"])
STANCES = st.sampled_from(["cooperative", "never", "calculating", "player"])
RULES = st.fixed_dictionaries(
    {"difficulty": st.sampled_from("ABC")},
    optional={
        "solo_open_specialists": st.sampled_from([0, 5, 12]),
        "solo_lower_deck": st.sampled_from([1, 3]),
        "solo_upper_deck": st.sampled_from([0, 4, 8]),
        "solo_final_rounds": st.sampled_from([1, 2]),
        "solo_city_dealt": st.sampled_from([0, 12]),
        "solo_offering_deck": st.sampled_from(["either", "city"]),
        "goods_start": st.sampled_from([1, 4]),
        "workers_start": st.sampled_from([1, 5]),
        "spaces": st.sampled_from([1, 3]),
        "over_offering_cards": st.sampled_from([0, 3]),
        "reclaim_workers": st.sampled_from(["all", "own"]),
        "extra_space": st.sampled_from(["above-limit", "second-worker"]),
        "tempio_amount": st.sampled_from(["any", "whole-stack"]),
    },
)


@FEW
@given(player=PLAYERS, stance=STANCES, rules=RULES, deal=st.integers(0, 10**6))
def test_every_position_is_sound(player: str, stance: str, rules: dict[str, Any], deal: int) -> None:
    walk = Walk(cell([{"player": player, "stance": stance}], rules, "fixed"), deal)
    tables = walk.prepared.tables[0]
    before = snapshot(walk)
    spent = walk.state["pub"]["spent"][0].copy()
    goods, kind, blocked = walk.pub("goods")[0].copy(), c.D_NONE, 0
    for _ in walk.positions():
        pub = walk.state["pub"][0]
        now = snapshot(walk)
        check_position(walk)
        check_options(walk)
        check_change(before, now)
        assert (pub["spent"] >= spent).all(), "what was used stays out"
        assert not (pub["spent"] & pub["active"][0, : c.N_SPECIALISTS]).any()
        assert pub["hand_size"][0, 0] == 0, "no hand of specialists"
        assert pub["phase"] == int(pub["rnd"] > tables["solo_lower"])
        assert pub["calm_step"] == 0
        if 0 < now["rnd"] == before["rnd"]:
            risen = np.flatnonzero(pub["goods"][0] > goods)
            assert kind == c.D_TRADE_LOTS or not any(blocked >> int(g) & 1 for g in risen), (
                "blocked goods by trade only"
            )
        if now["rnd"] != before["rnd"]:
            assert pub["active"][0, : c.N_SPECIALISTS].sum() >= tables["solo_open"] or pub["deck_left"][0] == 0
            shown = pub["blocked"] != 0
            assert shown == (1 < now["rnd"] <= tables["last_round"] - rules.get("solo_final_rounds", 1) + 1)
        elif now["rnd"] > 0:
            assert at_home(walk) >= 0
        before, spent = now, pub["spent"].copy()
        goods, kind, blocked = pub["goods"][0].copy(), int(pub["dec_kind"]), int(pub["blocked"])
        assert walk.turn() in walk.options
    check_position(walk)
    assert int(walk.pub("error")) == 0
    assert int(walk.pub("ended_by")) in (c.END_VICTORY, c.END_APOCALYPSE)
    assert int(walk.pub("rnd")) <= tables["last_round"]


@FEW
@given(player=PLAYERS, rules=RULES, seed=st.integers(0, 2**40), number=st.integers(0, 40))
def test_a_game_alone_is_the_game_of_the_batch(player: str, rules: dict[str, Any], seed: int, number: int) -> None:
    prepared = cell([player], rules)
    batch = play(prepared, 6, first=max(0, number - 2), seed=seed)
    at = number - max(0, number - 2)
    assert play(prepared, 1, first=number, seed=seed).tobytes() == batch[at : at + 1].tobytes()
    told = pompeii_sim.play(document([player], rules, seed=seed), number)
    assert told.row().tobytes() == batch[at : at + 1].tobytes(), "a traced game is the counted one"


def test_a_specialist_that_comes_back_would_be_seen() -> None:
    """Control: a used card put back by hand."""
    walk = Walk(cell(["random"], {}, "fixed"), 3)
    for _ in walk.positions():
        if walk.pub("spent").any():
            break
        walk.turn()
    check_position(walk)
    card = int(np.flatnonzero(walk.pub("spent"))[0])
    walk.state["hid"]["deck"][0, card] = 1
    with pytest.raises(AssertionError):
        check_position(walk)
