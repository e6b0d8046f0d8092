"""Rules and seats: rulebook defaults, bounds, descriptions, forced opening hands."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pompeii_sim.games.pompeii.rules import SPACE_PLACES, STANCES, Deal, Rules, Seat

DEFAULTS: dict[str, Any] = {
    "difficulty": "A",
    "volcano_cards": 9,
    "apocalypse": "shuffled",
    "workers_start": 3,
    "workers_most": 6,
    "goods_start": 1,
    "start_buildings": 1,
    "specialists_dealt": 6,
    "city_dealt": 6,
    "foro_city": 1,
    "foro_specialists": 1,
    "cap": 10,
    "spaces": None,
    "spaces_at": {},
    "owner_bonus": 1,
    "tempio_amount": "any",
    "trade_down": 1,
    "trade_same": 2,
    "trade_up": 4,
    "trade_pearl": 1,
    "trade_up_reach": "any",
    "calm_steps": 7,
    "foro_needs_track": True,
    "offering_base": 0,
    "raise_after": 3,
    "raise_by": 1,
    "over_offering_cards": 1,
    "over_offering_keep": 1,
    "reclaim_workers": "all",
    "injure_unplaced": False,
    "freed_worker_acts": False,
    "extra_space": "above-limit",
    "army_without_workers": False,
    "solo_open_specialists": 5,
    "solo_lower_deck": 9,
    "solo_upper_deck": 8,
    "solo_final_rounds": 1,
    "solo_city_dealt": 5,
    "solo_offering_deck": "either",
    "title_counts_apocalypse": False,
    "round_cap": 40,
    "decision_cap": 20_000,
    "deal": {"specialists": {}, "city": {}},
}


def test_defaults_are_the_rulebooks() -> None:
    assert Rules().model_dump() == DEFAULTS


def test_every_setting_says_where_it_comes_from() -> None:
    for name, field in (Rules.model_fields | Deal.model_fields).items():
        assert field.description, name
        assert field.description.endswith(").") or "(" in field.description, name
    for name, field in Seat.model_fields.items():
        assert field.description, name


@pytest.mark.parametrize(
    "given",
    [
        {"difficulty": "D"},
        {"volcano_cards": 0},
        {"volcano_cards": 18},
        {"volcano_cards": "every"},
        {"volcano_cards": True},
        {"apocalypse": 0},
        {"apocalypse": "middle"},
        {"apocalypse": 11},
        {"apocalypse": 9, "volcano_cards": 7},
        {"workers_start": 0},
        {"workers_most": 7},
        {"workers_start": 5, "workers_most": 4},
        {"goods_start": 11},
        {"cap": 21},
        {"cap": 0},
        {"spaces": 0},
        {"spaces": 9},
        {"spaces_at": {"port": 2}},
        {"spaces_at": {"building:20": 2}},
        {"spaces_at": {"porta": 0}},
        {"calm_steps": 21},
        {"calm_steps": -1},
        {"round_cap": 201},
        {"round_cap": 0},
        {"trade_up": 0},
        {"trade_up": 4.0},
        {"trade_up_reach": "all"},
        {"injure_unplaced": 1},
        {"raise_after": 0},
        {"nonsense": 1},
        {"deal": {"specialist": {}}},
        {"deal": {"specialists": {"0": ["S53"]}}},
        {"deal": {"specialists": {"0": ["C01"]}}},
        {"deal": {"specialists": {"4": ["S01"]}}},
        {"deal": {"specialists": {"x": ["S01"]}}},
        {"deal": {"specialists": {"0": ["S01"], "1": ["S01"]}}},
        {"deal": {"city": {"0": ["C01", "C01"]}}},
        {"deal": {"city": {"0": [f"C{n:02d}" for n in range(1, 8)]}}},
        {"deal": {"specialists": {"2": ["S01", "S02"]}}, "specialists_dealt": 1},
    ],
)
def test_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Rules.model_validate(given)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"deal": {"specialists": {"0": ["S053"]}}}, "did you mean 'S0"),
        ({"spaces_at": {"pota": 1}}, "did you mean 'porta'"),
        ({"deal": {"specialists": {"0": ["S01"], "1": ["S01"]}}}, "dealt twice, to seat 0 and to seat 1"),
        ({"apocalypse": 11}, "valid: 1 to 10"),
        ({"workers_start": 5, "workers_most": 4}, "above workers_most 4"),
        (
            {"deal": {"city": {"1": [f"C{n:02d}" for n in range(1, 8)]}}},
            "deal.city.1 forces 7 cards but city_dealt is 6",
        ),
    ],
)
def test_messages_name_the_nearest_valid_thing(given: dict[str, Any], wanted: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Rules.model_validate(given)
    assert wanted in str(caught.value)


def test_accepted_settings() -> None:
    rules = Rules.model_validate(
        {
            "volcano_cards": "all",
            "apocalypse": 18,
            "spaces": 2,
            "spaces_at": {"building:9": 1, "porta": 8},
            "deal": {"specialists": {"0": ["S05", "S30"], "3": ["S01"]}, "city": {"1": ["C31"]}},
        }
    )
    assert rules.volcano_deck == 17
    assert rules.deal.specialists == {0: ["S05", "S30"], 3: ["S01"]}
    assert rules.deal.city == {1: ["C31"]}
    assert [rules.spaces_for(p, 4) for p in ("porta", "building:9", "piazza")] == [8, 1, 2]
    assert [Rules().spaces_for(p, 3) for p in SPACE_PLACES] == [3] * 22
    assert Rules().volcano_deck == 9
    assert Rules.model_validate_json(rules.model_dump_json()) == rules
    assert Rules.model_validate(rules.model_dump(mode="json")) == rules


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValidationError):
        Rules().cap = 12  # type: ignore[misc]


def test_seat() -> None:
    seat = Seat()
    assert (seat.player, seat.stance, seat.skill, seat.weights, seat.forbid) == ("greedy", "cooperative", 1.0, {}, [])
    assert STANCES[:3] == ("cooperative", "never", "player")
    for stance in STANCES:
        assert Seat.model_validate({"stance": stance}).stance == stance
    assert Seat.model_validate({"skill": 0}).skill == 0.0
    for bad in (
        {"skill": 1.01},
        {"skill": -0.1},
        {"skill": float("nan")},
        {"stance": "sometimes"},
        {"weights": {"a": "x"}},
        {"weights": {"a": float("inf")}},
        {"forbid": "trade"},
        {"player": " "},
        {"name": "greedy"},
    ):
        with pytest.raises(ValidationError):
            Seat.model_validate(bad)
