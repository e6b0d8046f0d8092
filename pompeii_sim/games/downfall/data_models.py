"""Entries of the data files: squares, buildings, gates, lava symbols, dual tiles, the deck, editions.

Every entry says where it comes from. What one file cannot know alone is checked in :mod:`.data_checks`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Origin = Literal["stated", "review", "deduced", "calibrated", "assumed"]
ORIGINS: tuple[Origin, ...] = ("stated", "review", "deduced", "calibrated", "assumed")
"""Provenance words, from the surest to the least sure."""

COLOURS = ("grey", "purple", "turquoise", "brown")
"""Colours of numbered buildings, in the order of their codes."""

SquareId = Annotated[str, Field(pattern=r"^\d{1,2}_\d{1,2}$")]


class Entry(BaseModel):
    """What all entries share; strict and frozen, an unknown field is an error.

    Parameters
    ----------
    provenance
        ``stated`` (in a rulebook or on a component), ``review`` (public sources that agree), ``deduced``,
        ``calibrated`` (changed to reach a target), ``assumed`` (ours).
    source
        Rulebook section, component or public source; needed when stated or review.
    confidence
        ``high``, ``medium`` or ``low``; needed when assumed.
    range
        Plausible lowest and highest value of number fields, such as ``{ tiles = [7, 8] }``.
    old, target
        Value before calibration and what it was calibrated to; needed when calibrated.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    provenance: Origin
    source: str = ""
    confidence: Literal["high", "medium", "low"] | None = None
    range: dict[str, Annotated[list[int], Field(min_length=2, max_length=2)]] = {}
    old: str = ""
    target: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _origin_is_complete(self) -> Entry:
        if self.provenance in ("stated", "review") and not self.source:
            raise ValueError(f"provenance {self.provenance!r} needs a source")
        if self.provenance == "assumed" and self.confidence is None:
            raise ValueError('an assumed entry needs confidence = "high", "medium" or "low"')
        if self.provenance == "calibrated" and not (self.old and self.target):
            raise ValueError("a calibrated entry needs old and target")
        for name, (low, high) in self.range.items():
            if not isinstance(getattr(self, name, None), int):
                raise ValueError(f"range {name!r} names no number of the entry")
            if low > high:
                raise ValueError(f"range {name!r} runs from {low} down to {high}; write the lower number first")
        return self

    def content(self) -> dict[str, Any]:
        """Return the fields that are not provenance, as plain values."""
        return {k: v for k, v in self.model_dump(mode="json", exclude_none=True).items() if k not in Entry.model_fields}


class Square(Entry):
    """One square inside the wall; relatives count people by `part`, lava and running go by square."""

    id: SquareId
    kind: Literal["numbered", "neutral", "street", "vent"]
    building: int | None = Field(default=None, ge=1, le=15)
    part: str = ""
    spaces: int = Field(default=0, ge=0, le=9)

    @model_validator(mode="after")
    def _fits_kind(self) -> Square:
        if (self.kind == "numbered") != (self.building is not None and self.part != ""):
            raise ValueError("a numbered square, and no other, names its building and part")
        if (self.kind in ("numbered", "neutral")) != (self.spaces > 0):
            raise ValueError("numbered and neutral squares have spaces, streets and vents have none")
        return self

    @property
    def place(self) -> tuple[int, int]:
        """Row and column, from 0 in the north-west."""
        row, column = self.id.split("_")
        return int(row), int(column)


class Building(Entry):
    """A numbered building: its colour, its cards in the deck, the figures at the card's foot group by group."""

    number: int = Field(ge=1, le=15)
    colour: Literal["grey", "purple", "turquoise", "brown"]
    cards: int = Field(ge=0, le=15)
    groups: list[int] = []


class Gate(Entry):
    """A gate; its side of the square is for drawing only."""

    id: str = Field(pattern=r"^[a-z][a-z-]*$")
    name: str
    square: SquareId
    side: Literal["N", "E", "S", "W"]


class Symbol(Entry):
    """A lava symbol: the square of its vent and its tiles."""

    id: str = Field(pattern=r"^[a-z]+$")
    vent: SquareId
    tiles: int = Field(ge=0, le=15)


class Dual(Entry):
    """A tile with two symbols, for the dual-vent variant."""

    id: str
    symbols: Annotated[list[str], Field(min_length=2, max_length=2)]
    tiles: int = Field(ge=0, le=15)


class Amount(Entry):
    """One number of the set-up of the draw stack."""

    id: str
    value: int = Field(ge=0, le=40)


class Edition(Entry):
    """People of one player by number of players."""

    id: str
    people: dict[str, Annotated[int, Field(ge=1, le=60)]]

    @model_validator(mode="after")
    def _all_counts(self) -> Edition:
        if sorted(self.people) != ["2", "3", "4"]:
            raise ValueError('people needs "2", "3" and "4", and no other number of players')
        return self


def part_label(text: str) -> bool:
    """Return whether a text is a part's name such as ``6a``."""
    return re.fullmatch(r"\d{1,2}[a-z]", text) is not None
