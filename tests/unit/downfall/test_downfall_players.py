"""The players: the web app's values by hand, the strongest one's strength, every one legal and deterministic."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from downfall_table import Table, document

from pompeii_sim.engine.prepare import prepare
from pompeii_sim.games.downfall.game import GAME
from pompeii_sim.games.downfall.players import planner, worth
from pompeii_sim.games.downfall.players.registry import WEB_APP, players
from pompeii_sim.run.execute import execute
from pompeii_sim.scenario import load_scenario


def choice(table: Table, name: str) -> str:
    """Return what a player does at the decision a table waits at."""
    prepared = prepare(GAME, load_scenario(document([name] * 4)).cells[0], "fixed")
    acts = np.zeros(1024, np.int64)
    n = int(table.kernel.advance_at(table.state, table.tables, acts))
    assert n > 1
    state = table.state.copy()
    done = table.kernel.turn_at(state, table.tables, prepared.players, prepared.weights, acts, n)
    return str(table.codec.text(int(done)))


def test_weights_are_in_the_order_of_their_names() -> None:
    assert tuple(planner.PLANNER) == tuple(planner.RUNNER) == tuple(planner.SEALER) == worth.NAMES
    assert set(WEB_APP) == {"corvus", "graecus", "cassia", "severus", "aurelia", "proculus"}
    assert WEB_APP["severus"] == (3.0, 2.0, 0.0)


def test_web_app_before_the_first_ad79() -> None:
    """Spaces less (2 + social) x people in the building + (5 - d)/2, less cautious/2 beside a vent.

    Severus (cautious 3, social 2) with 4, 5 and 7, seven unequal cards: 4b 4 + (5 - 4)/2 = 4.5, 4a 3 + 1 = 4,
    5a 4 + 1 = 5 and it is not beside a vent, 7a 3 + 0.5 = 3.5. With somebody in 5a it is worth 5 - 4 = 1.
    """
    table = Table()
    table.hand(0, [4, 5, 7, 7])
    table.put({"4_5": {1: 1}})
    assert choice(table, "severus") == "place:5@2_8"
    table.put({"2_8": {1: 1}})
    assert choice(table, "severus") == "place:4@2_6"


def test_web_app_values_further_copies() -> None:
    """Two copies: the value once more and 1 on top; 7a 3.5 -> 8 beats 5a 5."""
    table = Table()
    table.hand(0, [4, 5, 7, 7])
    assert choice(table, "severus") == "place:7@4_5"


def test_web_app_after_the_first_ad79_seeks_company() -> None:
    """8a with two people of two owners: 1 free + 2 x 4 + 1 + 1.5 x (5 - 4) = 11.5; 5a empty: 4 + 1.5 x 2 = 7."""
    table = Table()
    table.seethe()
    table.hand(0, [5, 8, 9, 10])
    table.put({"3_6": {1: 1, 2: 1}})
    assert choice(table, "severus") == "place:8@3_6"


def test_web_app_omen_takes_from_the_largest() -> None:
    table = Table()
    table.seethe()
    table.hand(0, [8] * 4)
    table.put({"2_8": {2: 3}, "0_4": {1: 2}, "1_0": {1: 0, 3: 2}})
    table.stack(["omen", 5])
    table.do("place:8@3_6")
    assert choice(table, "corvus") == "omen:2@2_8"


def test_web_app_lava_and_runs() -> None:
    table = Table()
    table.lava(["coin"], {"1_2": "coin"}, people={"1_1": {0: 1, 1: 2}, "1_3": {1: 2}, "4_9": {0: 1, 1: 1}})
    assert choice(table, "severus") == "lava:coin@1_3"  # 1 + 3 - 2 on 1_1, 1 + 2 on 1_3
    table.do("lava:coin@1_3")
    assert choice(table, "severus") == "run:1_1"  # beside lava first
    table = Table()
    table.lava(["coin"], {"1_2": "coin"}, people={"4_10": {0: 1, 1: 1}, "4_4": {0: 1, 1: 1}})
    table.do("lava:coin@0_2")
    table.do("run:4_10")
    assert choice(table, "severus") == "exit:di-sarno"


def test_planner_saves_who_can_leave() -> None:
    table = Table()
    table.lava(["coin"], {"1_2": "coin"}, people={"4_9": {0: 2}, "4_4": {0: 1}, "5_1": {1: 1}})
    table.do("lava:coin@0_2")
    assert choice(table, "planner") == "run:4_9"
    table.do("run:4_9")
    assert choice(table, "planner") == "exit:di-sarno"


def test_planner_and_sealer_cut_rivals_off() -> None:
    """1_8 and 2_9 hold two rivals each; lava on 2_8 or 3_8 buries all four, lava on one of them only two."""
    lava = {s: "scroll" for s in ("0_7", "1_7", "1_9", "2_7", "3_9")}
    table = Table()
    table.lava(["scroll"], lava, people={"1_8": {1: 2}, "2_9": {1: 2}, "4_4": {0: 1}, "5_1": {1: 1}})
    seals = {"lava:scroll@2_8", "lava:scroll@3_8"}
    assert choice(table, "planner") in seals
    assert choice(table, "sealer") in seals
    assert choice(table, "runner") in {"lava:scroll@1_8", "lava:scroll@2_9"}


@pytest.mark.parametrize("name", sorted(players()))
def test_every_player_is_legal(name: str) -> None:
    scenario = load_scenario(document([name, "random", "random"], games=150, rules={"omen_mandatory": False}))
    rows = execute(scenario, jobs=1).games().collect()
    assert (rows["error"] == 0).all()
    forbidding = load_scenario(
        document([{"player": name, "forbid": ["relative", "exit:di-nola", "stop", "to:4_4"]}, "random"], games=100)
    )
    rows = execute(forbidding, jobs=1).games().collect()
    assert (rows["error"] == 0).all()


def test_the_planner_beats_three_of_the_best_web_app_player() -> None:
    games = 1200
    scenario = load_scenario(document(["planner", "severus", "severus", "severus"], games=games))
    share = execute(scenario, jobs=1).cells[0].metrics["win_share_by_player"]["planner"]
    assert share.expected == 0.25
    assert share.value - 4 * sqrt(0.25 / games) > 0.4


def test_severus_is_the_best_of_the_six() -> None:
    games = 1200
    for name in WEB_APP:
        if name != "severus":
            scenario = load_scenario(document([name, "severus", "severus", "severus"], games=games))
            share = execute(scenario, jobs=1).cells[0].metrics["win_share_by_player"][name]
            assert share.value < 0.25 + 2 * sqrt(0.19 / games)


def test_skill_costs_wins() -> None:
    seats = [{"player": "planner", "skill": 0.5}, "planner", "planner", "planner"]
    shares = execute(load_scenario(document(seats, games=600)), jobs=1).cells[0].metrics["win_share_by_player"]
    assert min(e.value for e in shares.values()) < 0.1
