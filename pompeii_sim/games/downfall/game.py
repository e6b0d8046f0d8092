"""The Downfall of Pompeii as the toolkit sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pompeii_sim.engine.contract import Dtypes, Game, Kernel, PlayerSpec
from pompeii_sim.errors import InputError
from pompeii_sim.games.downfall.action_text import ActionText
from pompeii_sim.games.downfall.codes import MAX_SEATS, MAX_TURNS, PHASES
from pompeii_sim.games.downfall.columns import COLUMNS, ENDS, METRICS
from pompeii_sim.games.downfall.data_files import DATA_DIR, DownfallData, load_data
from pompeii_sim.games.downfall.row_types import ROW, SERIES
from pompeii_sim.games.downfall.rules import Rules, Seat
from pompeii_sim.games.downfall.state import STATE
from pompeii_sim.games.downfall.table_types import TABLES
from pompeii_sim.games.downfall.tables import build_tables


def _kernel() -> Kernel:
    from pompeii_sim.games.downfall import kernel as k

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
    from pompeii_sim.games.downfall.players.registry import players

    return players()


def _compile_player(function: Callable[..., Any], name: str) -> Any:
    from pompeii_sim.engine.players import compile_player
    from pompeii_sim.games.downfall.players.signature import PLAYER

    return compile_player(function, name, PLAYER)


def _events(data: DownfallData) -> Any:
    from pompeii_sim.games.downfall.events import EventText

    return EventText(data)


def _check(rules: Rules, data: DownfallData, seats: Sequence[Seat]) -> None:
    """Refuse combinations of rules and seats that single fields cannot see."""
    if isinstance(rules.start, int) and rules.start >= len(seats):
        raise InputError(f"no seat {rules.start}", where="rules.start", hint=f"seats are 0 to {len(seats) - 1}")
    if isinstance(rules.second_ad79, int):
        mix = sum(b.cards for b in data.buildings) - data.deck["piles"].value * data.deck["pile"].value
        mix += data.deck["omens"].value
        if rules.second_ad79 > mix:
            raise InputError(f"{rules.second_ad79} cards beneath", where="rules.second_ad79", hint=f"at most {mix}")


GAME = Game(
    name="downfall",
    title="The Downfall of Pompeii",
    version=1,
    seats=range(2, 5),
    max_seats=MAX_SEATS,
    time_unit="turns",
    phases=PHASES,
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
    series_rows=lambda rules: MAX_TURNS,
)
