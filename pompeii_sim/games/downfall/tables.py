"""From rules, data and seats to the one record the compiled code reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.games.downfall.action_text import ActionText
from pompeii_sim.games.downfall.codes import FAR, NEUTRAL, NEUTRAL_0
from pompeii_sim.games.downfall.data_files import DownfallData
from pompeii_sim.games.downfall.data_models import COLOURS
from pompeii_sim.games.downfall.rules import UNLIMITED, Rules, Seat
from pompeii_sim.games.downfall.table_types import TABLES


def build_tables(rules: Rules, data: DownfallData, seats: Sequence[Seat]) -> NDArray[Any]:
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
    t["n_seats"] = len(seats)
    _board(t, data)
    _lava(t, data, rules.dual_vent)
    t["start_dist"] = _distances(t)
    _deck(t, data, len(seats))
    _switches(t, rules)
    t["people_each"] = people_each(rules, data, len(seats))
    codec = ActionText(data)
    for i, seat in enumerate(seats):
        t["skill"][i] = seat.skill
        t["forbids"][i] = bool(seat.forbid)
        for item in seat.forbid:
            kind, target = codec.forbid(item, f"seats.{i}.forbid")
            if target is None:
                t["forbid"][i, kind, :] = 1
            else:
                t["forbid"][i, kind, target] = 1
    return tables


def people_each(rules: Rules, data: DownfallData, seats: int) -> int:
    """Return the people of one player (30, 30, 25 for 2, 3, 4 players in the 2013 edition)."""
    if rules.people == "unlimited":
        return UNLIMITED
    if rules.people == "edition":
        return data.editions[rules.edition].people[str(seats)]
    return rules.people


def _board(t: Any, data: DownfallData) -> None:
    columns = data.columns
    t["n_cells"], t["n_columns"] = data.rows * columns, columns
    for name in ("nbr", "vent_of", "gate", "part", "colour"):
        t[name][:] = -1
    index = {s.place: s.place[0] * columns + s.place[1] for s in data.squares}
    colour = {b.number: COLOURS.index(b.colour) for b in data.buildings}
    parts: dict[str, int] = {}
    neutral = NEUTRAL_0
    housed = []
    for square in data.squares:
        at = index[square.place]
        row, column = square.place
        t["inside"][at] = 1
        near = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        found = [index[place] for place in near if place in index]
        t["nbr"][at, : len(found)] = found
        t["n_nbr"][at] = len(found)
        t["spaces"][at] = square.spaces
        if square.kind == "numbered" and square.building is not None:
            number = square.building
            t["colour"][at] = colour[number]
            t["part"][at] = parts.setdefault(square.part, len(parts))
        elif square.kind == "neutral":
            number = neutral
            neutral += 1
            t["colour"][at] = NEUTRAL
            t["part"][at] = parts.setdefault(f"N{square.id}", len(parts))
        else:
            continue
        t["building"][at] = number
        t["at"][number, t["n_at"][number]] = at
        t["n_at"][number] += 1
        housed.append(at)
    t["n_housed"] = len(housed)
    t["housed"][: len(housed)] = housed
    t["all_spaces"] = t["spaces"].sum()
    t["n_gates"] = len(data.gates)
    for i, gate in enumerate(data.gates):
        t["gate_square"][i] = data.index(gate.square)
        t["gate"][data.index(gate.square)] = i


def _lava(t: Any, data: DownfallData, dual: bool) -> None:
    names = [s.id for s in data.symbols]
    t["n_symbols"] = len(names)
    for i, symbol in enumerate(data.symbols):
        vent = data.index(symbol.vent)
        t["vent"][i] = vent
        t["vent_of"][vent] = i
        t["tiles"][i] = symbol.tiles
        for near in t["nbr"][vent, : t["n_nbr"][vent]]:
            t["near_vent"][near] = 1
    t["n_duals"] = len(data.duals) if dual else 0
    for i, tile in enumerate(data.duals):
        t["dual_a"][i], t["dual_b"][i] = (names.index(name) for name in tile.symbols)
        t["dual_tiles"][i] = tile.tiles if dual else 0


def _distances(t: Any) -> NDArray[np.int64]:
    """Return the steps to be outside before any lava, FAR on vents and outside."""
    dist = np.full(t["inside"].shape, FAR, np.int64)
    front = [int(s) for s in t["gate_square"][: t["n_gates"]]]
    steps = 1
    while front:
        for s in front:
            dist[s] = steps
        around = {int(n) for s in front for n in t["nbr"][s, : t["n_nbr"][s]]}
        front = [n for n in sorted(around) if dist[n] == FAR and t["vent_of"][n] < 0]
        steps += 1
    return dist


def _deck(t: Any, data: DownfallData, seats: int) -> None:
    for building in data.buildings:
        t["cards"][building.number] = building.cards
    for name in ("omens", "piles", "pile", "top_piles"):
        t[name] = data.deck[name].value
    t["zone"] = data.deck[f"zone_{seats}"].value


def _switches(t: Any, rules: Rules) -> None:
    t["relatives"] = rules.relatives
    t["count_square"] = rules.relatives_count == "square"
    t["limit_unit"] = ("building", "part", "square").index(rules.relatives_limit)
    t["relatives_optional"] = rules.relatives_optional
    t["omen_any"] = rules.omen_target == "any"
    t["omen_mandatory"] = rules.omen_mandatory
    t["omen_own"] = rules.omen_without_target == "own"
    t["supply_draws"] = rules.supply_empty == "draw-only"
    t["full_draws"] = rules.board_full == "draw-only"
    t["dual_both"] = rules.dual_counts == "both"
    t["lava_on_vents"] = rules.lava_on_vents
    t["way_over_vents"] = rules.way_out_over_vents
    t["vents_buried"] = rules.vents_buried
    t["lava_on_buried"] = rules.lava_on_buried
    t["run_free"] = rules.run_free
    t["free_tiles"] = rules.run_free_counts == "tiles"
    t["finish_turn"] = rules.last_tile == "finish-turn"
    t["runs"] = rules.runs
    t["alone_at_run"] = rules.alone == "run-start"
    t["run_returns"] = rules.run_may_return
    t["tie_shared"] = rules.tie_break == "none"
    t["left_counts"] = rules.left_are_casualties
    t["start_phase"] = rules.start_phase
    t["populate"] = rules.populate or rules.start_phase > 1
    t["start_seat"] = rules.start if isinstance(rules.start, int) else -1
    t["ad79_mode"] = {"shuffled": 0, "never-topmost": 1}.get(str(rules.second_ad79), 2)
    t["ad79_place"] = rules.second_ad79 if isinstance(rules.second_ad79, int) else 0
