"""What a game must offer so that runs, metrics and reports work on it without knowing it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the game record.

    Parameters
    ----------
    name
        Field of the row dtype. A per-seat field of shape ``(max_seats,)`` is stored as
        ``name_0``, ``name_1``, ...; any other array field of shape ``(k,)`` likewise by index.
    meaning
        What it holds, with its unit.
    per_seat
        Whether the index is the 0-based seat.
    records
        ``core``: always stored; ``full``: only with ``--records full``.
    labels
        Names for the integer codes, when it is a code.
    """

    name: str
    meaning: str
    per_seat: bool = False
    records: Literal["core", "full"] = "core"
    labels: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One way in which a game ends.

    Parameters
    ----------
    code
        Value of the ``ended_by`` column.
    name
        Short name, such as ``victory``.
    meaning
        One sentence.
    kind
        ``decided`` (somebody won), ``lost`` (everybody lost), ``censored`` (stopped before an end).
    """

    code: int
    name: str
    meaning: str
    kind: Literal["decided", "lost", "censored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One number computed from game rows; a declaration that needs no game code to evaluate.

    Parameters
    ----------
    name, title
        Key in ``summary.json`` and heading for people.
    kind
        ``rate`` (share of games in which `column` `op` `value`), ``mean`` (mean of `column`), or
        ``share`` (wins of a kind over decided games, by `by`).
    column
        Column the metric reads (without seat suffix; per-seat columns are summed over seats).
    op, value
        Comparison of a ``rate``.
    by
        ``player`` or ``seat`` for a ``share``.
    where
        Restricts the games: ``(column, op, value)``, for example only decided games.
    bounds
        Smallest and largest possible value of a ``mean`` (for bounded-mean methods), or None.
    definition
        One sentence a reader can check, including whether a disaster that ends the game counts.
    headline
        Whether the closing table of a run shows it.
    seats
        Smallest and largest number of seats it is measured with, None for any.
    """

    name: str
    title: str
    kind: Literal["rate", "mean", "share"]
    definition: str
    column: str = ""
    op: Literal["==", "!=", ">=", ">", "<=", "<"] = "=="
    value: float = 0.0
    by: Literal["player", "seat", ""] = ""
    where: tuple[str, str, float] | None = None
    bounds: tuple[float, float] | None = None
    unit: str = ""
    headline: bool = False
    seats: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSpec:
    """A scripted player: a jitted function and its row of weights.

    Parameters
    ----------
    name
        What a scenario calls it.
    strategy
        How it plays, in a line.
    source
        Where the idea comes from (a section of the rulebook, a paper, our own).
    weights
        Named weights with their defaults, in the order of the weight row.
    function
        First-class jitted function of the game's player signature.
    load
        For a player that takes long to compile: returns the function when a scenario seats it.
    """

    name: str
    strategy: str
    source: str
    weights: Mapping[str, float] = field(default_factory=dict)
    function: Any = None
    load: Callable[[], Any] | None = None

    def compiled(self) -> Any:
        """Return the function, compiled now where it was not."""
        return self.function if self.load is None else self.load()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dtypes:
    """Record types of a game: `state` (public, own, hidden inside), `tables`, `row`, `series`."""

    state: np.dtype[Any]
    tables: np.dtype[Any]
    row: np.dtype[Any]
    series: np.dtype[Any]


class ActionCodec(Protocol):
    """Translates actions between integers and text, for forbid lists, traces and errors."""

    def text(self, action: int) -> str:
        """Return the text of an action, such as ``produce:7``."""

    def parse(self, text: str) -> int:
        """Return the action of a text; raises InputError naming the nearest valid text."""

    def check_forbid(self, items: Iterable[str], where: str) -> None:
        """Raise InputError when an item of a ``forbid`` list names no action kind or kind:target."""


class EventCodec(Protocol):
    """Turns the raw events of one traced game into JSON-ready mappings, and those into a story."""

    def to_json(self, raw: NDArray[Any], state: NDArray[Any]) -> list[dict[str, Any]]:
        """Return one mapping an event; called in order with the new events and the state after them, shape ``(1,)``."""

    def story(self, events: Sequence[Mapping[str, Any]]) -> str:
        """Tell events as text a designer can follow with the rulebook open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The compiled functions of a game; all take the state and tables as one-element record arrays.

    Parameters
    ----------
    play_range
        ``(SA, TA, players, weights, arrangements, seating, seed, first, count, rows, series, series_every)`` plays
        many games, fills ``rows[:count]`` and returns the number of series rows written.
    setup_at
        ``(SA, TA, arrangements, arrangement, seed, deal)`` sets up one game.
    advance_at
        ``(SA, TA, acts)`` runs to the next decision, lists its legal actions in ``acts`` (int64) and returns how
        many, 0 when the game is over.
    turn_at
        ``(SA, TA, players, weights, acts, n)`` asks the seat's player and applies its action; returns the action.
    apply_at
        ``(SA, TA, action)`` applies one legal action.
    record_at
        ``(SA, TA, rows, game, deal, arrangement)`` fills ``rows[0]``.
    progress_at
        ``(SA, TA, seat)`` returns how far a seat is, 0..1.
    """

    play_range: Callable[..., Any]
    setup_at: Callable[..., Any]
    advance_at: Callable[..., Any]
    turn_at: Callable[..., Any]
    apply_at: Callable[..., Any]
    record_at: Callable[..., Any]
    progress_at: Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """One line of a game's catalogue.

    Parameters
    ----------
    id, name
        Identity in the data files.
    fields
        What it holds, for display (plain values).
    provenance
        ``stated``, ``review``, ``deduced``, ``assumed`` or ``calibrated``.
    note
        Section, source or confidence.
    """

    id: str
    name: str
    fields: Mapping[str, Any]
    provenance: str
    note: str = ""


class GameData(Protocol):
    """A game's data as loaded from its folder, whole or a designer's edited copy."""

    @property
    def content_hash(self) -> str:
        """Hash of the data's content (not of formatting); part of the plan hash."""

    def provenance_counts(self) -> dict[str, int]:
        """Return how many entries carry each provenance."""

    def catalog(self) -> dict[str, list[CatalogEntry]]:
        """Return all entries by section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as the toolkit sees it. See the fields' types; every field is required unless it has a default.

    `version` changes whenever results may change; it is part of the plan hash.
    ``Rules`` and ``Seat`` are strict pydantic models whose defaults are the rulebook's.
    ``tables(rules, data, seats)`` returns a record array of shape ``(1,)`` with the dtype ``dtypes.tables``.
    ``check(rules, data, seats)`` raises InputError for combinations that single fields cannot see.
    """

    name: str
    title: str
    version: int
    seats: range
    max_seats: int
    time_unit: str
    phases: tuple[str, ...]
    Rules: type[BaseModel]
    Seat: type[BaseModel]
    data_dir: Path
    load_data: Callable[[Path | None], GameData]
    check: Callable[[Any, Any, Sequence[Any]], None]
    tables: Callable[[Any, Any, Sequence[Any]], NDArray[Any]]
    dtypes: Dtypes
    kernel: Callable[[], Kernel]
    actions: Callable[[Any], ActionCodec]
    players: Callable[[], Mapping[str, PlayerSpec]]
    compile_player: Callable[[Callable[..., Any], str], Any]
    columns: tuple[Column, ...]
    ends: tuple[End, ...]
    metrics: tuple[Metric, ...]
    events: Callable[[Any], EventCodec]
    series_rows: Callable[[Any], int]
    """Most series rows one game can write, from its rules (rounds times seats)."""
    insight: str = ""
