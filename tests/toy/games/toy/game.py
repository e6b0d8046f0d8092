"""The toy game as the toolkit sees it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from pompeii_sim.engine.contract import (
    CatalogEntry,
    Column,
    Dtypes,
    End,
    Game,
    Kernel,
    Metric,
    PlayerSpec,
)
from pompeii_sim.errors import InputError, nearest

from .state import (
    CAP,
    DISASTER,
    EV_END,
    EV_SETUP,
    EV_TOSS,
    EV_WAIT,
    MAX_SEATS,
    ROW,
    SERIES,
    STATE,
    TABLES,
    VICTORY,
)

HERE = Path(__file__).parent


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Rules(_Strict):
    """The rules: chance of heads, chance of the disaster a round, heads to win, round cap, waiting allowed."""

    heads: float = Field(default=0.5, ge=0, le=1)
    disaster: float = Field(default=0.05, ge=0, le=1)
    target: int = Field(default=3, ge=1, le=50)
    cap: int = Field(default=40, ge=1, le=1000)
    may_wait: bool = True


class Seat(_Strict):
    """Who sits there."""

    player: str = "eager"
    skill: float = Field(default=1.0, ge=0, le=1)
    weights: dict[str, float] = {}
    forbid: list[str] = []


@dataclass(frozen=True)
class Data:
    """The toy has no data beyond its coin."""

    content_hash: str = hashlib.sha256(b"one fair coin").hexdigest()

    def provenance_counts(self) -> dict[str, int]:
        return {"stated": 1}

    def catalog(self) -> dict[str, list[CatalogEntry]]:
        return {"coins": [CatalogEntry(id="coin", name="coin", fields={"sides": 2}, provenance="stated")]}


class Actions:
    """``toss`` and ``wait``."""

    names = ("toss", "wait")

    def text(self, action: int) -> str:
        return self.names[action] if 0 <= action < 2 else f"unknown:{action}"

    def parse(self, text: str) -> int:
        if text not in self.names:
            raise InputError(f"no action {text!r}", hint=nearest(text, self.names))
        return self.names.index(text)

    def check_forbid(self, items: Iterable[str], where: str) -> None:
        for item in items:
            if item not in self.names:
                raise InputError(f"no action {item!r}", where=where, hint=nearest(item, self.names))


class Events:
    """One mapping an event, and a line for each."""

    names: ClassVar = {EV_SETUP: "setup", EV_TOSS: "toss", EV_WAIT: "wait", EV_END: "game_end"}

    def to_json(self, raw: NDArray[Any], state: NDArray[Any]) -> list[dict[str, Any]]:
        ends = {e.code: e.name for e in ENDS}
        out = []
        for one in raw:
            event = {"event": self.names[int(one["code"])], "round": int(one["rnd"]), "seat": int(one["seat"])}
            if event["event"] == "game_end":
                event["ended_by"] = ends[int(state["pub"]["ended_by"][0])]
            else:
                event["heads"] = int(one["heads"])
            out.append(event)
        return out

    def story(self, events: Sequence[Mapping[str, Any]]) -> str:
        return "\n".join(f"round {e['round']}: {e['event']}, seat {e['seat']}" for e in events)


def check(rules: Rules, data: Data, seats: Sequence[Seat]) -> None:
    """Refuse a seat that may do nothing."""
    for number, seat in enumerate(seats):
        if "toss" in seat.forbid and ("wait" in seat.forbid or not rules.may_wait):
            raise InputError("nothing is left to do", where=f"seats.{number}.forbid", hint="allow 'toss' or 'wait'")


def tables(rules: Rules, data: Data, seats: Sequence[Seat]) -> NDArray[Any]:
    """Return the tables, shape ``(1,)``."""
    out = np.zeros(1, TABLES)
    for name in ("heads", "disaster", "target", "cap", "may_wait"):
        out[name] = getattr(rules, name)
    out["n_seats"] = len(seats)
    for number, seat in enumerate(seats):
        out["skill"][0, number] = seat.skill
        out["forbid"][0, number] = sum(1 << Actions().parse(item) for item in set(seat.forbid))
    return out


def kernel() -> Kernel:
    """Return the compiled functions."""
    from . import kernel as k

    return Kernel(
        play_range=k.play_range,
        setup_at=k.setup_at,
        advance_at=k.advance_at,
        turn_at=k.turn_at,
        apply_at=k.apply_at,
        record_at=k.record_at,
        progress_at=k.progress_at,
    )


def players() -> Mapping[str, PlayerSpec]:
    """Return the players."""
    from . import kernel as k

    own = "made for tests"
    specs = (
        PlayerSpec(name="eager", strategy="always tosses", source=own, function=k.eager),
        PlayerSpec(
            name="careful", strategy="tosses now and then", source=own, function=k.careful, weights={"toss": 0.5}
        ),
        PlayerSpec(name="cheat", strategy="illegal now and then", source=own, function=k.cheat, weights={"rate": 0.01}),
        PlayerSpec(
            name="raiser", strategy="raises now and then", source=own, function=k.raiser, weights={"rate": 0.01}
        ),
    )
    return {spec.name: spec for spec in specs}


def compile_player(function: Any, where: str) -> Any:
    """Compile a user's player with the toy's signature."""
    from pompeii_sim.engine.jit import signed

    from .kernel import PLAYER

    return signed(PLAYER)(function)


ENDS = (
    End(code=VICTORY, name="victory", meaning="Somebody has enough heads.", kind="decided"),
    End(code=DISASTER, name="disaster", meaning="The mountain took everybody.", kind="lost"),
    End(code=CAP, name="cap", meaning="The last round is over.", kind="censored"),
)

METRICS = (
    Metric(
        name="victory_rate",
        title="victory",
        kind="rate",
        column="ended_by",
        value=VICTORY,
        definition="Share of all games that somebody wins; a disaster counts as no win.",
        headline=True,
    ),
    Metric(
        name="disaster_rate",
        title="disaster",
        kind="rate",
        column="ended_by",
        value=DISASTER,
        definition="Share of all games that end in a disaster.",
        headline=True,
    ),
    Metric(
        name="cap_rate",
        title="cap",
        kind="rate",
        column="ended_by",
        value=CAP,
        definition="Share of all games that reach the last round.",
    ),
    Metric(
        name="rounds_mean",
        title="rounds",
        kind="mean",
        column="rounds",
        unit="rounds",
        bounds=(1.0, 1000.0),
        definition="Mean number of rounds over all games, however they end.",
        headline=True,
    ),
    Metric(
        name="rounds_to_victory_mean",
        title="rounds to victory",
        kind="mean",
        column="rounds",
        where=("ended_by", "==", VICTORY),
        unit="rounds",
        definition="Mean number of rounds of the games that somebody wins.",
    ),
    Metric(
        name="tosses_mean",
        title="tosses",
        kind="mean",
        column="tosses",
        definition="Mean number of tosses of all seats together.",
    ),
    Metric(
        name="score_mean",
        title="heads",
        kind="mean",
        column="score",
        definition="Mean number of heads of all seats together.",
    ),
    Metric(
        name="win_share_by_player",
        title="win share",
        kind="share",
        by="player",
        definition="Wins of a kind of player over the games that somebody wins; joint winners share a win.",
        headline=True,
    ),
    Metric(
        name="win_share_by_seat",
        title="win share by seat",
        kind="share",
        by="seat",
        definition="Wins of a seat over the games that somebody wins; joint winners share a win.",
    ),
)

GAME = Game(
    name="toy",
    title="Toy",
    version=1,
    seats=range(2, MAX_SEATS + 1),
    max_seats=MAX_SEATS,
    time_unit="round",
    phases=("slope",),
    Rules=Rules,
    Seat=Seat,
    data_dir=HERE,
    load_data=lambda path: Data(),
    check=check,
    tables=tables,
    dtypes=Dtypes(state=STATE, tables=TABLES, row=ROW, series=SERIES),
    kernel=kernel,
    actions=lambda data: Actions(),
    players=players,
    compile_player=compile_player,
    columns=(
        Column(name="tosses", meaning="coins the seat tossed", per_seat=True),
        Column(name="last_disaster_luck", meaning="luck of the last round's disaster, 0..1", records="full"),
        Column(name="heads", meaning="heads of the seat so far"),
        Column(name="progress", meaning="share of the heads needed, 0..1"),
    ),
    ends=ENDS,
    metrics=METRICS,
    events=lambda data: Events(),
    series_rows=lambda rules: rules.cap,
)
