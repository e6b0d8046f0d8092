"""Settings of a game: rules and seats; every default is the 2013 edition as we read it.

What the rules leave open, or what sources say in two ways, is a named switch. Quantities of cards, tiles and the
board are not here but in the data files (see :mod:`.data_files`).
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pompeii_sim.games.downfall.codes import MAX_SEATS

UNLIMITED = 9999
"""People of a player without a limit."""


class _Settings(BaseModel):
    """Strict, frozen settings; an unknown key is an error."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Rules(_Settings):
    """The rules of one game.

    Every field's description names the part of the game it belongs to; "open" marks a question the sources leave
    open, with our judgement as the default.
    """

    # set-up
    edition: Literal["mayfair-2013", "amigo-2004"] = Field(
        default="mayfair-2013", description="Whose piece counts are used (Set-up)."
    )
    people: Annotated[int, Field(ge=1, le=60)] | Literal["edition", "unlimited"] = Field(
        default="edition",
        description="People of a player: the edition's, a number, or without a limit as in the web app.",
    )
    start: Annotated[int, Field(ge=0, lt=MAX_SEATS)] | Literal["random"] = Field(
        default=0, description="Seat that plays first; the choice is free (Set-up)."
    )
    start_phase: Literal[1, 2, 3] = Field(
        default=1,
        description="1 settling, 2 from the first AD 79 on, 3 from the eruption on (web app); 2 and 3 populate.",
    )
    populate: bool = Field(default=False, description="Whether buildings start with people of random owners (web app).")
    second_ad79: Literal["shuffled", "never-topmost"] | Annotated[int, Field(ge=0, le=40)] = Field(
        default="shuffled",
        description="Second AD 79 shuffled into the lowest cards, the same without the topmost place (web app), or so "
        "many cards from the bottom (Set-up).",
    )

    # settling
    relatives: bool = Field(default=True, description="Whether a person placed in company brings relatives (Settling).")
    relatives_count: Literal["part", "square"] = Field(
        default="part",
        description="Whether people of the part or of the square count, and which of them is barred (open 1; web app: "
        "square).",
    )
    relatives_limit: Literal["building", "part", "square"] = Field(
        default="building", description="At most one relative in each of these in one move (open 2; web app: square)."
    )
    relatives_optional: bool = Field(default=True, description="Whether a player may bring fewer relatives (Settling).")
    omen_target: Literal["opponents", "any"] = Field(
        default="opponents", description="Whose person an omen takes (open 3)."
    )
    omen_mandatory: bool = Field(default=True, description="Whether an omen must be used (open 4).")
    omen_without_target: Literal["skip", "own"] = Field(
        default="skip",
        description="With no opponent on the board: the omen is skipped, or takes an own person (open 4).",
    )
    supply_empty: Literal["play", "draw-only"] = Field(
        default="play",
        description="Without people left: a card is played and nobody placed, or the hand is kept and the top card is "
        "turned up and discarded (open 5).",
    )
    board_full: Literal["play", "draw-only"] = Field(
        default="play", description="The same when no space at all is free (open 6)."
    )

    # lava
    dual_vent: bool = Field(default=False, description="Whether tiles with two symbols are added (Dual-vent variant).")
    dual_counts: Literal["chosen", "both"] = Field(
        default="chosen", description="Symbols a dual tile shows once it lies on the board (open 13)."
    )
    lava_on_vents: bool = Field(
        default=False, description="Whether lava may be laid on another symbol's empty vent (open 7; web app: yes)."
    )
    way_out_over_vents: bool = Field(
        default=False,
        description="Whether an empty vent counts as a way out of an enclosed area (open 8; web app: yes).",
    )
    vents_buried: bool = Field(
        default=False, description="Whether enclosed empty vents are buried too (open 8; web app: yes)."
    )
    lava_on_buried: bool = Field(default=False, description="Whether tiles may be laid on buried squares (open 9).")
    run_free: int = Field(
        default=6, ge=0, le=60, description="Lava turns before anybody runs; 0 is the web app's surprise (Eruption)."
    )
    run_free_counts: Literal["draws", "tiles"] = Field(
        default="draws", description="Whether tiles drawn or tiles on the board count for it (open 10)."
    )
    last_tile: Literal["ends", "finish-turn"] = Field(
        default="ends",
        description="Whether the drawer of the last tile still lays it and runs (open 11; web app: yes).",
    )

    # running
    runs: int = Field(default=2, ge=0, le=2, description="Runs in a turn (Running).")
    alone: Literal["turn-start", "run-start"] = Field(
        default="turn-start",
        description="When a person must be alone in its square to run twice: at the start of the turn only, or also at "
        "the start of its second run (open 14).",
    )
    run_may_return: bool = Field(default=False, description="Whether a run may end where it began (open 15).")

    # the end
    tie_break: Literal["casualties", "none"] = Field(
        default="casualties", description="Fewest own casualties among those who saved most, or shared at once (End)."
    )
    left_are_casualties: bool = Field(
        default=True, description="Whether people left at the end count as casualties (End; web app: no)."
    )


class Seat(_Settings):
    """Who sits on a seat and how it plays."""

    player: str = Field(default="greedy", description="Name of a scripted player.")
    skill: float = Field(
        default=1.0, ge=0.0, le=1.0, allow_inf_nan=False, description="Share of decisions played as intended, 0..1."
    )
    weights: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(
        default={}, description="Weights of the player that differ from its defaults."
    )
    forbid: list[str] = Field(
        default=[],
        description="Actions the seat does not take while it has others, as text: a kind or kind:target, such as "
        "`relative` or `place:7`.",
    )

    @field_validator("player")
    @classmethod
    def _player_is_named(cls, value: str) -> str:
        if not re.search(r"\S", value):
            raise ValueError("a player needs a name")
        return value
