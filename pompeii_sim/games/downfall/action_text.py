"""Actions as text: ``place:7@4_5``, ``lava:coin@0_2``, ``run:3_3``; for forbid lists, traces and errors."""

from __future__ import annotations

from collections.abc import Iterable

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.downfall.codes import (
    ARG,
    DISCARD,
    EXIT,
    KIND_NAMES,
    LAVA,
    PLACE,
    RELATIVE,
    RUN,
    SQ,
    STOP,
    TAKE,
    TO,
    WILD,
)
from pompeii_sim.games.downfall.data_files import DownfallData


class ActionText:
    """Translates actions for one set of data.

    Parameters
    ----------
    data
        The game's data: it names squares, gates and symbols.
    """

    def __init__(self, data: DownfallData) -> None:
        self.data = data
        self.symbols = tuple(s.id for s in data.symbols)
        self.buildings = tuple(str(b.number) for b in data.buildings)
        self.squares = {s.id: data.index(s.id) for s in data.squares}
        self.gates = {g.id: data.index(g.square) for g in data.gates}

    def text(self, action: int) -> str:
        """Return the text of an action."""
        kind, argument = divmod(int(action), ARG)
        above, square = divmod(argument, SQ)
        if not 0 <= kind < len(KIND_NAMES):
            return f"unknown:{action}"
        name, at = KIND_NAMES[kind], self.data.square_id(square)
        if kind in (PLACE, WILD):
            return f"{name}:{above}@{at}"
        if kind == DISCARD:
            return f"{name}:{above}"
        if kind == TAKE:
            return f"{name}:{above}@{at}"
        if kind == LAVA:
            symbol = self.symbols[above] if above < len(self.symbols) else f"unknown-{above}"
            return f"{name}:{symbol}@{at}"
        if kind == EXIT:
            gate = next((g for g, s in self.gates.items() if s == square), at)
            return f"{name}:{gate}"
        if kind == STOP:
            return name
        return f"{name}:{at}"

    def parse(self, text: str) -> int:
        """Return the action of a text.

        Raises
        ------
        InputError
            Naming the nearest valid text.
        """
        name, _, rest = text.partition(":")
        if name not in KIND_NAMES:
            raise InputError(f"unknown action {text!r}", hint=nearest(name, KIND_NAMES))
        kind = KIND_NAMES.index(name)
        if kind == STOP:
            if rest:
                raise InputError(f"{name!r} takes no target", hint=f"write '{name}'")
            return kind * ARG
        if kind == EXIT:
            return kind * ARG + self._of(rest, self.gates, text)
        if kind in (RELATIVE, RUN, TO):
            return kind * ARG + self._of(rest, self.squares, text)
        if kind == DISCARD:
            return kind * ARG + int(self._name(rest, self.buildings, text)) * SQ
        first, _, at = rest.partition("@")
        if kind == LAVA:
            above = self.symbols.index(self._name(first, self.symbols, text))
        elif kind == TAKE:
            above = int(self._name(first, ("0", "1", "2", "3"), text))
        else:
            above = int(self._name(first, self.buildings, text))
        return kind * ARG + above * SQ + self._of(at, self.squares, text)

    @staticmethod
    def _of(name: str, known: dict[str, int], text: str) -> int:
        if name not in known:
            raise InputError(f"unknown target in {text!r}", hint=nearest(name, known))
        return known[name]

    @staticmethod
    def _name(name: str, known: tuple[str, ...], text: str) -> str:
        if name not in known:
            raise InputError(f"unknown target in {text!r}", hint=nearest(name, known))
        return name

    def forbid(self, item: str, where: str) -> tuple[int, int | None]:
        """Return the kind and target (None: all) an item of a forbid list names.

        Targets are building numbers for ``place``, ``wild`` and ``discard``, gates for ``exit``, else squares.

        Raises
        ------
        InputError
            When it names none.
        """
        name, colon, rest = item.partition(":")
        if name not in KIND_NAMES:
            raise InputError(f"unknown action {item!r}", where=where, hint=nearest(name, KIND_NAMES))
        kind = KIND_NAMES.index(name)
        if not colon:
            return kind, None
        if kind == STOP:
            raise InputError(f"unknown target in {item!r}", where=where, hint=f"write '{name}'")
        if kind in (PLACE, WILD, DISCARD):
            known = {b: int(b) for b in self.buildings}
        else:
            known = self.gates if kind == EXIT else self.squares
        if rest not in known:
            raise InputError(f"unknown target in {item!r}", where=where, hint=nearest(rest, known))
        return kind, known[rest]

    def check_forbid(self, items: Iterable[str], where: str) -> None:
        """Raise InputError when an item of a forbid list names no action."""
        for item in items:
            self.forbid(item, where)
