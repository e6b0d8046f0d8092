"""Actions as text: ``produce:7``, ``build:20``, ``train:S05``; for forbid lists, traces and errors."""

from __future__ import annotations

from collections.abc import Iterable

from pompeii_sim.errors import InputError, nearest
from pompeii_sim.games.pompeii.codes import (
    ACTIVATE,
    ARG,
    BUILD,
    BUILDING_0,
    CARD,
    COLLECT,
    COSTRUZIONE,
    DECK,
    GOOD,
    KIND_NAMES,
    N_FIELDS,
    N_PLACES,
    PIAZZA,
    PLACE,
    PORTA,
    PRODUCE,
    RECRUIT,
    RELEASE,
    SPACE_C12,
    START,
    SWAP,
    TRAIN,
    UNCOVER,
    USE,
)
from pompeii_sim.games.pompeii.data_files import PompeiiData

FORBIDDABLE = ("collect", "produce", "build", "trade", "train", "swap", "activate", "release", "uncover", "use",
               "recruit", "army", "start")  # fmt: skip
"""Kinds of action a forbid list may name."""
SPACES = ("C12", "C28", "C31")
DECKS = ("specialists", "city")


class ActionText:
    """Translates actions for one set of data (fields are named by their good).

    Parameters
    ----------
    data
        The game's data.
    """

    def __init__(self, data: PompeiiData) -> None:
        self.goods = data.good_ids
        self.fields = tuple(data.good_ids[i] for i in data.fields)
        self.waivers = tuple(c.id for c in (*data.specialists, *data.city) if c.effect.op == "waive")
        buildings = tuple(str(n) for n in range(1, 21))
        specialists = tuple(f"S{n:02d}" for n in range(1, 53))
        city = tuple(f"C{n:02d}" for n in range(1, 53))
        self._targets: dict[int, dict[str, int]] = {
            COLLECT: {g: i for i, g in enumerate(self.fields)},
            PRODUCE: {b: int(b) for b in buildings[:16]},
            BUILD: {b: int(b) for b in buildings},
            TRAIN: {c: i for i, c in enumerate(specialists)},
            SWAP: {c: i for i, c in enumerate(specialists)},
            ACTIVATE: {c: i for i, c in enumerate(city)},
            RELEASE: {s: i for i, s in enumerate(SPACES)},
            UNCOVER: {b: int(b) for b in buildings},
            USE: {c: i for i, c in enumerate((*specialists, *city))},
            RECRUIT: {str(n): n for n in (1, 2, 3)},
            START: {b: int(b) for b in buildings[:10]},
            GOOD: {g: i for i, g in enumerate(self.goods)},
            CARD: {c: i for i, c in enumerate((*specialists, *city))},
            PLACE: {self.place(p): p for p in range(N_PLACES + 1)},
            DECK: {d: i for i, d in enumerate(DECKS)},
        }

    def place(self, place: int) -> str:
        """Return the name of a place, such as ``field:grain`` or ``building:7``."""
        if place < N_FIELDS:
            return f"field:{self.fields[place]}"
        if place < COSTRUZIONE:
            return f"building:{place - BUILDING_0}"
        names = {COSTRUZIONE: "costruzione", PORTA: "porta", PIAZZA: "piazza", N_PLACES: "not-placed"}
        return names[place] if place in names else f"space:{SPACES[place - SPACE_C12]}"

    def text(self, action: int) -> str:
        """Return the text of an action."""
        kind, arg = divmod(int(action), ARG)
        if not 0 <= kind < len(KIND_NAMES):
            return f"unknown:{int(action)}"
        name = KIND_NAMES[kind]
        if kind == BUILD:
            card = f"+{self.waivers[arg // 32 - 1]}" if 1 <= arg // 32 <= len(self.waivers) else ""
            return f"{name}:{arg % 32}{card}"
        if kind in self._targets:
            found = [t for t, n in self._targets[kind].items() if n == arg]
            return f"{name}:{found[0] if found else arg}"
        return f"{name}:{arg}" if name in ("amount", "seat", "pledge") else name

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
        if kind == BUILD:
            number, _, card = rest.partition("+")
            waive = self.waivers.index(card) + 1 if card in self.waivers else 0
            if (card and not waive) or number not in self._targets[BUILD]:
                raise InputError(f"unknown action {text!r}", hint=nearest(card or number, (*self.waivers, "1", "20")))
            return kind * ARG + int(number) + 32 * waive
        if kind in self._targets:
            if rest not in self._targets[kind]:
                raise InputError(f"unknown target in {text!r}", hint=nearest(rest, self._targets[kind]))
            return kind * ARG + self._targets[kind][rest]
        if name in ("amount", "seat", "pledge"):
            if not rest.isdecimal():
                raise InputError(f"{text!r} needs a number", hint=f"such as '{name}:1'")
            return kind * ARG + int(rest)
        if rest:
            raise InputError(f"{name!r} takes no target", hint=f"write '{name}'")
        return kind * ARG

    def forbid(self, item: str, where: str) -> tuple[int, int | None]:
        """Return the kind and target (None: all) an item of a forbid list names.

        Raises
        ------
        InputError
            When it names none.
        """
        name, colon, rest = item.partition(":")
        if name not in FORBIDDABLE:
            raise InputError(f"unknown action {item!r}", where=where, hint=nearest(name, FORBIDDABLE))
        kind = KIND_NAMES.index(name)
        if not colon:
            return kind, None
        targets = self._targets.get(kind, {})
        if rest not in targets:
            hint = nearest(rest, targets) if targets else f"write '{name}'"
            raise InputError(f"unknown target in {item!r}", where=where, hint=hint)
        return kind, targets[rest]

    def check_forbid(self, items: Iterable[str], where: str) -> None:
        """Raise InputError when an item of a forbid list names no action."""
        for item in items:
            self.forbid(item, where)
