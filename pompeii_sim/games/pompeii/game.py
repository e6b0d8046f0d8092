"""Pompeii as the toolkit sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pompeii_sim.engine.contract import Dtypes, Game, Kernel, PlayerSpec
from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.action_text import ActionText
from pompeii_sim.games.pompeii.columns import COLUMNS, ENDS, METRICS
from pompeii_sim.games.pompeii.data_files import DATA_DIR, PompeiiData, load_data
from pompeii_sim.games.pompeii.players.weights import BY_PLAN
from pompeii_sim.games.pompeii.players.weights import SOLO as SOLO_WEIGHTS
from pompeii_sim.games.pompeii.row_types import ROW, SERIES
from pompeii_sim.games.pompeii.rules import MAX_SEATS, SOLO, SOLO_ONLY, Rules, Seat
from pompeii_sim.games.pompeii.state import STATE
from pompeii_sim.games.pompeii.table_types import TABLES
from pompeii_sim.games.pompeii.tables import build_tables


def _kernel() -> Kernel:
    from pompeii_sim.games.pompeii import kernel as k

    return Kernel(
        play_range=k.play_range,
        setup_at=k.setup_at,
        advance_at=k.advance_at,
        turn_at=k.turn_at,
        apply_at=k.apply_at,
        record_at=k.record_at,
        progress_at=k.progress_at,
    )


def _players() -> Mapping[str, PlayerSpec]:
    from pompeii_sim.games.pompeii.players.registry import players

    return players()


def _compile_player(function: Callable[..., Any], name: str) -> Any:
    from pompeii_sim.engine.players import compile_player
    from pompeii_sim.games.pompeii.players.signature import PLAYER

    return compile_player(function, name, PLAYER)


def _events(data: PompeiiData) -> Any:
    from pompeii_sim.games.pompeii.events import EventText

    return EventText(data)


def _check(rules: Rules, data: PompeiiData, seats: Sequence[Seat]) -> None:
    """Refuse combinations of rules and seats that single fields cannot see."""
    for kind in ("specialists", "city"):
        for seat in getattr(rules.deal, kind):
            if seat >= len(seats):
                raise InputError(
                    f"deal.{kind} names seat {seat}", where="rules.deal", hint=f"seats are 0 to {len(seats) - 1}"
                )
    _check_solo(rules, len(seats))
    _check_solo_weights(seats)
    dealt = max(rules.specialists_dealt, rules.city_dealt) * len(seats)
    if dealt > 52:
        raise InputError(f"{len(seats)} hands need {dealt} cards of a deck of 52", where="rules.specialists_dealt")
    if rules.start_buildings * len(seats) > 10:
        raise InputError(
            f"{rules.start_buildings * len(seats)} first buildings of 10 red ones", where="rules.start_buildings"
        )


def _check_solo(rules: Rules, seats: int) -> None:
    """Refuse settings that the number of seats leaves without a meaning."""

    def is_set(name: str) -> bool:
        return bool(getattr(rules, name) != Rules.model_fields[name].default)

    if seats > 1:
        for name in SOLO_ONLY:
            if is_set(name):
                raise InputError(f"{name} is a rule of the game for one seat, not for {seats}", where=f"rules.{name}")
        return
    for name, instead in SOLO.items():
        if is_set(name):
            hint = f"set {instead}" if instead.startswith("solo_") else instead
            raise InputError(f"{name} does not apply with one seat", where=f"rules.{name}", hint=hint)
    for kind, most in (("specialists", rules.solo_open_specialists), ("city", rules.solo_city_dealt)):
        forced = len(getattr(rules.deal, kind).get(0, ()))
        if forced > most:
            raise InputError(f"deal.{kind}.0 forces {forced} cards of {most}", where="rules.deal")


def _check_solo_weights(seats: Sequence[Seat]) -> None:
    """Refuse weights that the number of seats leaves without a meaning."""
    for number, seat in enumerate(seats):
        if seat.player not in BY_PLAN:
            continue
        where = f"seats.{number}.weights"
        for name in SOLO_WEIGHTS:
            if len(seats) == 1 and name in seat.weights:
                raise InputError(f"{name} is not read with one seat", where=where, hint=f"set solo_{name}")
            if len(seats) > 1 and f"solo_{name}" in seat.weights:
                raise InputError(f"solo_{name} is read with one seat, not with {len(seats)}", where=where)


GAME = Game(
    name="pompeii",
    title="Pompeii",
    version=3,
    seats=range(1, 5),
    max_seats=MAX_SEATS,
    time_unit="rounds",
    phases=("calm", "awakening"),
    Rules=Rules,
    Seat=Seat,
    data_dir=DATA_DIR,
    load_data=load_data,
    check=_check,
    tables=build_tables,
    dtypes=Dtypes(state=STATE, tables=TABLES, row=ROW, series=SERIES),
    kernel=_kernel,
    actions=ActionText,
    players=_players,
    compile_player=_compile_player,
    columns=COLUMNS,
    ends=ENDS,
    metrics=METRICS,
    events=_events,
    series_rows=lambda rules: int(rules.round_cap),
    insight="pompeii_sim.games.pompeii.insight",
)
