"""Plays traced games fast: one compiled loop a game instead of one Python call a decision."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from pompeii_sim.engine import jit
from pompeii_sim.engine.jit import JIT_DISABLED, cache_folder
from pompeii_sim.engine.prepare import Prepared, prepare
from pompeii_sim.engine.records import allocate, to_array
from pompeii_sim.engine.seating import arrangement_of, deal_of
from pompeii_sim.engine.stepping import GameInPlay
from pompeii_sim.games import get
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii import kernel as inner
from pompeii_sim.games.pompeii.events import PHASES, EventText
from pompeii_sim.games.pompeii.rules import Rules, Seat

numba = jit.numba  # by way of the engine, which sets the level of optimisation before numba is first imported
GAME = get("pompeii")
MOST_EVENTS = 60_000


def cell(rules: Rules, seats: list[Seat], data: Any, tables: Callable[[Any], None] | None = None) -> Prepared:
    """Return a prepared cell; `tables` may change its tables (to seed faults)."""
    kinds = [s.player for s in seats]
    prepared = prepare(GAME, SimpleNamespace(rules=rules, seats=seats, data=data, kinds=kinds), "rotate")
    if tables is not None:
        tables(prepared.tables)
    return prepared


_ADVANCE, _TURN = inner._advance_at, inner._turn_at


def _drive(ops, state, tables, players, weights, acts, out, snap):  # type: ignore[no-untyped-def]
    """Play to the end and copy the events to one array, and the state as it stood at the first ones."""
    trace = state[0].trace
    done = 0
    over = False
    while not over:
        n = _ADVANCE(ops, state, tables, acts)
        count = trace.count
        if done + count > len(out):
            return -1
        if done == 0 and count > 0:
            snap[0] = state[0]
        for i in range(count):
            out[done + i] = trace.events[i]
        done += count
        trace.count = 0
        over = n == 0
        if not over:
            _TURN(ops, state, tables, players, weights, acts, n)
    return done


def _compiled() -> Any:
    """Return the loop compiled and kept beside the engine's own cache.

    It takes the engine's own types: types found from the arguments name this process's functions and would miss the
    cache in the next one, for the engine's functions too.
    """
    types = inner._turn_at.nopython_signatures[0].args
    events = numba.typeof(allocate(GAME.dtypes.state)["trace"]["events"][0]).copy(readonly=False)
    signature = numba.types.int64(*types[:6], events, types[1])
    folder = cache_folder("pompeii")
    if folder is None:
        return numba.njit(signature)(_drive)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(signature, cache=True)(_drive)
    finally:
        numba.config.CACHE_DIR = before


_DRIVER = None if JIT_DISABLED else _compiled()


class Traced:
    """Plays games of a cell and gives their events, as `replay` prints them."""

    def __init__(self, prepared: Prepared, seed: int, data: Any) -> None:
        self.prepared, self.seed, self.data = prepared, seed, data
        self._acts = np.zeros(1024, np.int64)
        self._snap = allocate(GAME.dtypes.state)
        self._out = np.zeros(MOST_EVENTS, allocate(GAME.dtypes.state)["trace"]["events"].dtype.base)

    def events(self, number: int) -> list[dict[str, Any]]:
        """Return the events of one game of the cell."""
        if JIT_DISABLED:
            return GameInPlay(self.prepared, self.seed, number, self.data).play().events
        p = self.prepared
        state = allocate(GAME.dtypes.state)
        count = len(p.arrangements)
        deal, arrangement = deal_of(number, count, p.seating), arrangement_of(number, count, p.seating)
        state["trace"]["on"][0] = 1
        p.kernel.setup_at(state, p.tables, p.arrangements, int(arrangement), self.seed, int(deal))
        codec = Quick(self.data)
        done = int(_DRIVER(inner.OPS, state, p.tables, p.players, p.weights, self._acts, self._out, self._snap))
        assert done >= 0, "more events than MOST_EVENTS"
        # the set-up, the first event, is translated from the state as it stood then
        events = codec.to_json(self._out[:1], to_array(self._snap, GAME.dtypes.state))
        events.extend(codec.to_json(self._out[1:done], to_array(state, GAME.dtypes.state)))
        return events


class Quick(EventText):
    """The same events as `EventText`, with the goods of a whole game compared at once."""

    def to_json(self, raw: Any, state: Any) -> list[dict[str, Any]]:
        """Return one mapping an event, in order."""
        if not len(raw):
            return []
        ids = self.data.good_ids
        seats = int(state["pub"]["n_seats"][0])
        goods = raw["goods"].astype(np.int64)
        before = np.concatenate([self._goods[None], goods[:-1]])
        self._goods = goods[-1]
        change: list[dict[str, dict[str, int]]] = [{} for _ in raw]
        diff = goods - before
        at, seat, good = (x.tolist() for x in np.nonzero(diff[:, :seats]))
        sizes = diff[at, seat, good].tolist() if at else []
        for i, s, g, n in zip(at, seat, good, sizes, strict=True):
            change[i].setdefault(str(s), {})[ids[g]] = n
        names = ("code", "seat", "rnd", "phase", "a", "b", "c", "d")
        columns = {n: raw[n].tolist() for n in names}
        out = []
        for i in range(len(raw)):
            e: dict[str, Any] = {n: columns[n][i] for n in names}
            if e["code"] == c.EV_GAME_END:
                e["goods"] = goods[i]
            own = self._tellers[e["code"]](e, state)
            s = e["seat"]
            event = {
                "event": own.pop("event"), "round": e["rnd"], "phase": PHASES[e["phase"]],
                "seat": s if s >= 0 else None, "place": own.pop("place", None), "action": own.pop("action", None),
                "card": own.pop("card", None), "goods": change[i],
            }  # fmt: skip
            event.update(own)
            out.append(event)
        return out
