"""From rules, data and seats to the one record the compiled code reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.games.pompeii.action_text import ActionText
from pompeii_sim.games.pompeii.codes import (
    ANFITEATRO,
    BUILDING_0,
    CASTRUM,
    COSTRUZIONE,
    N_FIELDS,
    N_PLACES,
    N_SPECIALISTS,
    OPS,
    PIAZZA,
    PORTA,
    TERME,
    UNLIMITED,
    WAIVE,
)
from pompeii_sim.games.pompeii.data_files import PompeiiData
from pompeii_sim.games.pompeii.data_models import Building, Card, Effect, Specialist
from pompeii_sim.games.pompeii.players.weights import BY_PLAN
from pompeii_sim.games.pompeii.rules import STANCES, Rules, Seat
from pompeii_sim.games.pompeii.table_types import TABLES

COLOURS = ("red", "blue", "green", "purple")
MARKS = ("always", "once", "star")
RELEASES = ("release.C12", "release.C28", "release.C31", "release.C14")
NEVER = 10**6  # steps of The Calm after which the Foro may be built with one seat: it comes by itself
RECRUIT_MOST = 3  # 1, 2 or 3 wine for 1, 2 or 3 new workers [18 Anfiteatro]


def build_tables(rules: Rules, data: PompeiiData, seats: Sequence[Seat]) -> NDArray[Any]:
    """Return the tables of one cell.

    Parameters
    ----------
    rules, data, seats
        The cell's settings; seats in the order of the scenario's list.

    Returns
    -------
    ndarray of `TABLES`, shape (1,)
    """
    tables = np.zeros(1, TABLES)
    t = tables[0]
    _rules(t, rules, data, len(seats))
    _goods(t, data)
    recipes = _Recipes(t, data)
    for building in data.buildings:
        _building(t, data, building, recipes)
    _spaces(t, rules, len(seats))
    for card in (*data.specialists, *data.city):
        _card(t, data, card, recipes)
    t["n_recipes"] = recipes.count
    _card_lists(t, len(seats))
    _trade_rates(t, rules)
    for name in ("cost", "card_cost", "card_goods"):
        _good_lists(t, name)
    for i, volcano in enumerate(data.volcano_level(rules.difficulty)):
        for good in volcano.goods:
            t["volcano_goods"][i, data.good_index(good)] = 1
    _forced_hands(t, rules)
    _seats(t, data, seats)
    return tables


def _rules(t: Any, rules: Rules, data: PompeiiData, seats: int) -> None:
    for name in (
        "cap", "workers_start", "workers_most", "goods_start", "start_buildings", "specialists_dealt", "city_dealt",
        "foro_city", "foro_specialists", "offering_base", "raise_after", "raise_by", "trade_down", "trade_up",
        "owner_bonus", "round_cap", "decision_cap",
    ):  # fmt: skip
        t[name] = getattr(rules, name)
    t["n_seats"] = seats
    t["n_goods"] = len(data.goods)
    t["level"] = "ABC".index(rules.difficulty)
    t["calm_steps"] = rules.calm_steps if rules.foro_needs_track else 0
    t["either_deck"] = True
    t["over_cards"] = rules.over_offering_cards
    t["over_keep"] = rules.over_offering_keep
    t["reclaim_own"] = rules.reclaim_workers == "own"
    t["tempio_whole"] = rules.tempio_amount == "whole-stack"
    t["injure_unplaced"] = rules.injure_unplaced
    t["freed_acts"] = rules.freed_worker_acts
    t["second_worker"] = rules.extra_space == "second-worker"
    t["army_idle"] = rules.army_without_workers
    t["volcano_cards"] = rules.volcano_deck
    if seats == 1:
        _solo(t, rules, data)
        return
    place = rules.apocalypse
    t["apocalypse_mode"] = {"shuffled": 0, "bottom-half": 1}.get(str(place), 2)
    if place == "bottom":
        t["apocalypse_place"] = rules.volcano_deck
    elif isinstance(place, int):
        t["apocalypse_place"] = place - 1


def _solo(t: Any, rules: Rules, data: PompeiiData) -> None:
    """Write the rules of the game for one: both volcano decks are one row of cards, the Apocalypse below them."""
    cards = rules.solo_lower_deck + rules.solo_upper_deck
    t["volcano_cards"], t["apocalypse_mode"], t["apocalypse_place"] = cards, 2, cards
    t["solo_open"] = rules.solo_open_specialists
    t["solo_lower"] = rules.solo_lower_deck
    t["last_round"] = cards + rules.solo_final_rounds
    t["specialists_dealt"], t["city_dealt"] = 0, rules.solo_city_dealt
    t["calm_steps"] = NEVER
    t["either_deck"] = rules.solo_offering_deck == "either"
    t["n_titles"] = len(data.titles)
    t["title_above"][: len(data.titles)] = sorted(title.cards_left for title in data.titles)
    t["title_apocalypse"] = rules.title_counts_apocalypse


def _goods(t: Any, data: PompeiiData) -> None:
    for i, good in enumerate(data.goods):
        t["value"][i] = good.value
        t["cards_only"][i] = good.cards_only
        t["points"][i] = good.value
    t["field_good"][:] = data.fields
    t["order"][: len(data.goods)] = np.argsort([good.value for good in data.goods], kind="stable")


class _Recipes:
    """Collects conversions: rows of inputs and one output."""

    def __init__(self, t: Any, data: PompeiiData) -> None:
        self.t = t
        self.data = data
        self.count = 0

    def add(self, inputs: Mapping[str, int], output: Mapping[str, int]) -> int:
        t, row = self.t, self.count
        t["r_n_in"][row] = len(inputs)
        for i, (good, quantity) in enumerate(inputs.items()):
            t["r_in"][row, i] = self.data.good_index(good)
            t["r_qty"][row, i] = quantity
        ((good, quantity),) = output.items()
        t["r_out"][row] = self.data.good_index(good)
        t["r_out_qty"][row] = quantity
        self.count += 1
        return row


def _building(t: Any, data: PompeiiData, building: Building, recipes: _Recipes) -> None:
    number = building.number
    t["colour"][number] = COLOURS.index(building.colour)
    t["recipe"][number] = recipes.add(building.inputs, building.output) if building.output else -1
    _fill(t["cost"][number], data, data.costs[f"build.{building.colour}"].goods)
    if number == ANFITEATRO:
        ((good, _),) = building.inputs.items()
        t["recruit_good"] = data.good_index(good)
        t["recruit_most"] = RECRUIT_MOST
    if number == TERME:
        _fill(t["army_cost"], data, data.costs["army"].goods)
        for i, name in enumerate(RELEASES):
            _fill(t["release_cost"][i], data, data.costs[name].goods)
        _fill(t["goal"][0], data, data.costs["build.green"].goods)
        _fill(t["goal"][1], data, data.costs["build.purple"].goods)
        _fill(t["goal"][2], data, data.costs["army"].goods)
        goods = t["goal"].any(axis=0).nonzero()[0]
        t["n_goal_goods"] = len(goods)
        t["goal_goods"][: len(goods)] = goods
        t["goal_value"] = int((t["goal"].sum(axis=0) * t["value"]).sum())


def _fill(row: NDArray[Any], data: PompeiiData, goods: Mapping[str, int]) -> None:
    for good, quantity in goods.items():
        row[data.good_index(good)] = quantity


def place_number(data: PompeiiData, place: str) -> int:
    """Return the number of a place as data files write it, -1 for none."""
    kind, _, rest = place.partition(":")
    if kind == "field":
        return data.fields.index(data.good_index(rest))
    if kind == "building":
        return BUILDING_0 + int(rest)
    return {"costruzione": COSTRUZIONE, "porta": PORTA, "piazza": PIAZZA, "foro": BUILDING_0 + 17}.get(kind, -1)


def _spaces(t: Any, rules: Rules, seats: int) -> None:
    t["spaces"][:N_FIELDS] = UNLIMITED
    for name, place in (("costruzione", COSTRUZIONE), ("porta", PORTA), ("piazza", PIAZZA)):
        t["spaces"][place] = rules.spaces_for(name, seats)
    for number in range(1, CASTRUM):
        t["spaces"][BUILDING_0 + number] = rules.spaces_for(f"building:{number}", seats)
    assert len(t["spaces"]) == N_PLACES


def _card(t: Any, data: PompeiiData, card: Card, recipes: _Recipes) -> None:
    number = card_number(card.id)
    effect: Effect = card.effect
    t["mark"][number] = MARKS.index(card.mark)
    t["place"][number] = place_number(data, card.place)
    t["op"][number] = OPS.index(effect.op)
    t["card_recipe"][number] = -1
    if effect.op == "convert":
        assert effect.inputs is not None
        assert effect.output is not None
        t["card_recipe"][number] = recipes.add(effect.inputs, effect.output)
    if effect.goods is not None:
        _fill(t["card_goods"][number], data, effect.goods)
    if isinstance(card, Specialist):
        _fill(t["card_cost"][number], data, card.cost)
    a, b, c = _arguments(data, effect)
    t["arg_a"][number], t["arg_b"][number], t["arg_c"][number] = a, b, c
    if effect.op == "porta_owner":
        t["card_goods"][number, a] = 1


def _arguments(data: PompeiiData, effect: Effect) -> tuple[int, int, int]:
    """Return the integers an effect's opcode reads."""
    op = effect.op
    if op in ("waive", "porta_owner"):
        assert effect.good is not None
        return data.good_index(effect.good), 0, 0
    if op == "draw_keep":
        return int(effect.deck == "city"), effect.draw or 0, effect.keep or 0
    if op == "gain_choice":
        return effect.value or 0, effect.count or 0, 0
    if op == "exchange_city":
        return effect.discard or 0, effect.draw or 0, 0
    single = (effect.extra, effect.count, effect.value, effect.tokens, effect.above, effect.change)
    return next((n for n in single if n is not None), 0), 0, 0


def card_number(card_id: str) -> int:
    """Return a card's number from its id: S01 is 0, C01 is 52."""
    return int(card_id[1:]) - 1 + (N_SPECIALISTS if card_id[0] == "C" else 0)


def _card_lists(t: Any, seats: int) -> None:
    """List the cards of each effect and those usable at a place: with one seat, one-time specialists at the Piazza."""
    use = 0
    for card, op in enumerate(t["op"]):
        count = t["op_count"][op]
        t["op_cards"][op, count] = card
        t["op_count"][op] += 1
        lasting = t["mark"][card] == MARKS.index("always")
        once = seats == 1 and card < N_SPECIALISTS and t["mark"][card] == MARKS.index("once")
        if (lasting or once) and t["place"][card] >= 0 and op != WAIVE:
            t["use_cards"][use] = card
            use += 1
    t["n_use"] = use


def _trade_rates(t: Any, rules: Rules) -> None:
    """Write how many goods of a kind are given for one of another at the Porta. [Action 4]"""
    goods = range(t["n_goods"])
    for give in goods:
        for take in goods:
            step = int(t["value"][take] - t["value"][give])
            if give == take or t["cards_only"][take]:
                rate = 0
            elif step < 0:
                rate = rules.trade_down
            elif step == 0:
                rate = rules.trade_pearl if t["cards_only"][give] else rules.trade_same
            else:
                rate = rules.trade_up if rules.trade_up_reach == "any" or step == 1 else 0
            t["price"][take, give] = t["rate"][take, give] = rate
        t["least_rate"][give] = min((int(r) for r in t["price"][:, give] if r > 0), default=0)


def _good_lists(t: Any, name: str) -> None:
    """List the goods of each row of a cost, for loops over the few that matter."""
    for row, goods in enumerate(t[name]):
        asked = np.flatnonzero(goods)
        t[f"{name}_n"][row] = len(asked)
        t[f"{name}_good"][row, : len(asked)] = asked


def _forced_hands(t: Any, rules: Rules) -> None:
    for hands in (rules.deal.specialists, rules.deal.city):
        for seat, cards in hands.items():
            for card in cards:
                t["forced_hand"][seat, card_number(card)] = 1


def _seats(t: Any, data: PompeiiData, seats: Sequence[Seat]) -> None:
    codec = ActionText(data)
    for i, seat in enumerate(seats):
        t["skill"][i] = seat.skill
        t["plans"][i] = seat.player in BY_PLAN
        t["stance"][i] = STANCES.index(seat.stance)
        t["forbids"][i] = len(seat.forbid) > 0
        for item in seat.forbid:
            kind, target = codec.forbid(item, where=f"seats.{i}.forbid")
            if target is None:
                t["forbid_kind"][i, kind] = 1
            else:
                t["forbid"][i, kind, target] = 1
