"""Settings of a game of Pompeii: rules and seats; every default is the English rulebook's.

What the text leaves open or says in two ways is a named switch; its default is the reading we take. Quantities that
belong to cards, tiles and costs are not here but in the data files (see :mod:`.data_files`).
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from pompeii_sim.errors import nearest

Stance = Literal["cooperative", "never", "player", "conditional", "free-rider", "generous", "calculating"]
"""How a seat behaves in offerings; ``player`` leaves it to the player function."""

STANCES: tuple[str, ...] = get_args(Stance)
"""All stances, in the order of their codes in the tables."""

MAX_SEATS = 4
SPACE_PLACES: tuple[str, ...] = ("costruzione", "porta", "piazza", *(f"building:{n}" for n in range(1, 20)))
"""Places whose number of worker spaces is limited (keys of ``rules.spaces_at``)."""

SpaceCount = Annotated[int, Field(ge=1, le=8)]
SeatIndex = Annotated[int, Field(ge=0, lt=MAX_SEATS)]


class _Settings(BaseModel):
    """Strict, frozen settings; an unknown key is an error."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


def _check_hands(hands: dict[int, list[str]], letter: str) -> None:
    """Raise ValueError when a forced hand names no card of the deck or one card twice."""
    valid = [f"{letter}{n:02d}" for n in range(1, 53)]
    seen: dict[str, int] = {}
    for seat in sorted(hands):
        for card in hands[seat]:
            if card not in valid:
                raise ValueError(f"unknown card {card!r} for seat {seat}; {nearest(card, valid)}")
            if card in seen:
                raise ValueError(f"card {card!r} is dealt twice, to seat {seen[card]} and to seat {seat}")
            seen[card] = seat


class Deal(_Settings):
    """Forced opening hands: cards a seat surely holds; the rest of its hand is dealt by chance.

    Keys are 0-based seats; a scenario file writes them as text (``deal.specialists.0 = ["S30"]``).
    """

    specialists: dict[SeatIndex, list[str]] = Field(
        default={},
        description="Specialists (S01..S52) forced into a seat's opening hand; empty: all by chance (Game Setup).",
    )
    city: dict[SeatIndex, list[str]] = Field(
        default={},
        description="City cards (C01..C52) forced into a seat's hand when Foro is built; empty: all by chance "
        "(Action 3: Build, building 17).",
    )

    @field_validator("specialists", "city", mode="before")
    @classmethod
    def _seats_as_numbers(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        return {int(k) if isinstance(k, str) and k.strip().isdecimal() else k: v for k, v in value.items()}

    @field_validator("specialists")
    @classmethod
    def _specialists_exist(cls, value: dict[int, list[str]]) -> dict[int, list[str]]:
        _check_hands(value, "S")
        return value

    @field_validator("city")
    @classmethod
    def _city_cards_exist(cls, value: dict[int, list[str]]) -> dict[int, list[str]]:
        _check_hands(value, "C")
        return value


class Rules(_Settings):
    """The rules of one game of Pompeii.

    Every field's description names the section of the English rulebook that its default comes from; "gap" marks a
    question the text leaves open.
    """

    # The volcano
    difficulty: Literal["A", "B", "C"] = Field(
        default="A", description="Set of volcano cards: A easy, B medium, C hard (Game Setup)."
    )
    volcano_cards: Annotated[int, Field(ge=1, le=17)] | Literal["all"] = Field(
        default=9, description="Volcano cards drawn from the set's 17 into the deck; all = every one (Game Setup)."
    )
    apocalypse: Annotated[int, Field(ge=1, le=18)] | Literal["shuffled", "bottom", "top", "bottom-half"] = Field(
        default="shuffled",
        description="Where the Apocalypse card lies in the volcano deck; a number is its place from the top, "
        "from 1 (Game Setup; bottom is its gentler variant, the others are ours).",
    )

    # Set-up
    workers_start: int = Field(default=3, ge=1, le=6, description="Workers of a player at the start (Game Setup).")
    workers_most: int = Field(
        default=6, ge=1, le=6, description="Most workers a player can have: 6 of each colour (Game Components)."
    )
    goods_start: int = Field(
        default=1, ge=0, le=20, description="Units of each value-I good at the start (Game Setup)."
    )
    start_buildings: int = Field(
        default=1, ge=0, le=2, description="Red buildings every player owns at the start (Game Setup)."
    )
    specialists_dealt: int = Field(default=6, ge=0, le=12, description="Specialists in an opening hand (Game Setup).")
    city_dealt: int = Field(
        default=6, ge=0, le=12, description="City cards every player gets when Foro is built (Action 3: Build)."
    )
    foro_city: int = Field(
        default=1, ge=0, le=2, description="Extra city cards, active at once, for who builds Foro (Action 3: Build)."
    )
    foro_specialists: int = Field(
        default=1, ge=0, le=2, description="Extra specialists, active at once, for who builds Foro (Action 3: Build)."
    )

    # Worker spaces and goods
    cap: int = Field(
        default=10, ge=1, le=20, description="Most units of one good a player can hold (Action 2: Produce)."
    )
    spaces: SpaceCount | None = Field(
        default=None,
        description="Worker spaces of every limited place a round; none given = as many as seats "
        "(Worker Spaces; the number a player count opens is a gap).",
    )
    spaces_at: dict[str, SpaceCount] = Field(
        default={},
        description="Worker spaces of single places, over `spaces`: costruzione, porta, piazza, building:<n> "
        "(Worker Spaces).",
    )
    owner_bonus: int = Field(
        default=1,
        ge=0,
        le=5,
        description="Units of a spent good the owner gets when another player uses the building (Action 3: Build).",
    )
    tempio_amount: Literal["any", "whole-stack"] = Field(
        default="any",
        description="Whether 16 Tempio turns any part of a stack or all of it (Special buildings, `any one stack`).",
    )

    # Trade
    trade_down: int = Field(
        default=1, ge=1, le=20, description="Units paid for 1 unit of a lower value at the Porta (Action 4: Trade)."
    )
    trade_same: int = Field(
        default=2, ge=1, le=20, description="Units paid for 1 unit of the same value at the Porta (Action 4: Trade)."
    )
    trade_up: int = Field(
        default=4, ge=1, le=20, description="Units paid for 1 unit of a higher value at the Porta (Action 4: Trade)."
    )
    trade_pearl: int = Field(
        default=1, ge=1, le=20, description="Pearls paid for 1 unit of another value-III good (Action 4: Trade)."
    )
    trade_up_reach: Literal["any", "one-step"] = Field(
        default="any",
        description="Whether trading upward reaches any higher value or only the next one (Action 4: Trade; "
        "the Japanese text says one step).",
    )

    # The Calm and the offerings
    calm_steps: int = Field(
        default=7,
        ge=0,
        le=20,
        description="Rounds of The Calm until the time marker reaches III and Foro may be built "
        "(How to Play; the track's length is a gap).",
    )
    foro_needs_track: bool = Field(
        default=True, description="Whether Foro must wait for the time marker to reach III (Action 3: Build)."
    )
    offering_base: int = Field(
        default=0, ge=-6, le=20, description="Points added to every player's offering marker (Offerings, step 1: none)."
    )
    raise_after: int = Field(
        default=3, ge=1, le=20, description="Successful offerings in a row that raise every marker (Offerings, step 3)."
    )
    raise_by: int = Field(default=1, ge=0, le=10, description="How far each marker then rises (Offerings, step 3).")
    over_offering_cards: int = Field(
        default=1, ge=0, le=5, description="Cards drawn for each point given above the own marker (Offerings, step 3)."
    )
    over_offering_keep: int = Field(
        default=1, ge=0, le=5, description="Cards kept of those drawn for over-offering (Offerings, step 3)."
    )

    # Cards whose text can be read in two ways
    reclaim_workers: Literal["all", "own"] = Field(
        default="all",
        description="Whether C01 takes all workers of a building or only the own ones "
        "(City Cards; the Japanese text says own).",
    )
    injure_unplaced: bool = Field(
        default=False,
        description="Whether C12 and C28 may also take a worker not yet placed (City Cards: active workers only).",
    )
    freed_worker_acts: bool = Field(
        default=False,
        description="Whether a worker freed from C12, C28 or C31 can act again in the same round (City Cards, gap).",
    )
    extra_space: Literal["above-limit", "second-worker"] = Field(
        default="above-limit",
        description="Whether C17 lets a worker in above the limit of a blue building or a second one in the same turn "
        "(City Cards, gap).",
    )

    # The game for one; read with one seat only
    solo_open_specialists: int = Field(
        default=5, ge=0, le=12, description="Specialists that lie open for one use each round (Solo Setup)."
    )
    solo_lower_deck: int = Field(
        default=9,
        ge=1,
        le=17,
        description="Volcano cards of the lower deck, one turned a round: the rounds of The Calm (Solo Setup).",
    )
    solo_upper_deck: int = Field(
        default=8, ge=0, le=17, description="Volcano cards of the upper deck, above the Apocalypse (Solo Setup)."
    )
    solo_final_rounds: int = Field(
        default=1, ge=1, le=10, description="Rounds that are left when the Apocalypse lies open (Solo, The Awakening)."
    )
    solo_city_dealt: int = Field(
        default=5, ge=0, le=12, description="City cards drawn when The Awakening starts (Solo, The Awakening)."
    )
    solo_offering_deck: Literal["either", "city"] = Field(
        default="either",
        description="Which deck gives cards for over-offering: either as with more players, or the city cards alone, "
        "as nobody trains specialists (Offerings, step 3; solo is a gap).",
    )
    title_counts_apocalypse: bool = Field(
        default=False,
        description="Whether the Apocalypse counts as a volcano card left for a solo title (Titles of Achievement).",
    )

    # The end
    army_without_workers: bool = Field(
        default=False,
        description="Whether an army may enter the Castrum when its owner has no worker left this round "
        "(End of the Game: during your turn).",
    )
    round_cap: int = Field(
        default=40, ge=1, le=200, description="Rounds after which a game is stopped and counted as censored (ours)."
    )
    decision_cap: int = Field(
        default=20_000, ge=1, le=1_000_000, description="Decisions after which a runaway game is stopped (ours)."
    )

    deal: Deal = Field(default=Deal(), description="Forced opening hands (ours; by the Game Setup all is chance).")

    @field_validator("spaces_at")
    @classmethod
    def _places_exist(cls, value: dict[str, int]) -> dict[str, int]:
        for place in value:
            if place not in SPACE_PLACES:
                raise ValueError(f"unknown place {place!r}; {nearest(place, SPACE_PLACES)}")
        return value

    @model_validator(mode="after")
    def _numbers_fit(self) -> Rules:
        if self.workers_start > self.workers_most:
            raise ValueError(
                f"workers_start {self.workers_start} is above workers_most {self.workers_most}; "
                "lower it or raise workers_most"
            )
        if self.goods_start > self.cap:
            raise ValueError(f"goods_start {self.goods_start} is above cap {self.cap}; at most {self.cap}")
        deck = self.volcano_deck + 1
        if isinstance(self.apocalypse, int) and self.apocalypse > deck:
            raise ValueError(f"apocalypse {self.apocalypse} is below the deck of {deck} cards; valid: 1 to {deck}")
        if self.solo_lower_deck + self.solo_upper_deck > 17:
            raise ValueError(
                f"solo_lower_deck {self.solo_lower_deck} and solo_upper_deck {self.solo_upper_deck} are more than the "
                "17 cards of a level; together at most 17"
            )
        hands = (
            ("specialists", self.deal.specialists, self.specialists_dealt, "specialists_dealt"),
            ("city", self.deal.city, self.city_dealt, "city_dealt"),
        )
        for kind, forced, dealt, setting in hands:
            for seat, cards in forced.items():
                if len(cards) > dealt:
                    raise ValueError(
                        f"deal.{kind}.{seat} forces {len(cards)} cards but {setting} is {dealt}; force at most {dealt}"
                    )
        return self

    @property
    def volcano_deck(self) -> int:
        """Volcano cards in the deck, 1..17, without the Apocalypse."""
        return 17 if self.volcano_cards == "all" else self.volcano_cards

    def spaces_for(self, place: str, seats: int) -> int:
        """Return how many worker spaces a limited place has in a round.

        Parameters
        ----------
        place
            One of :data:`SPACE_PLACES`.
        seats
            Number of seats in the game.
        """
        return self.spaces_at.get(place, self.spaces if self.spaces is not None else seats)


SOLO: dict[str, str] = {
    "volcano_cards": "solo_lower_deck and solo_upper_deck",
    "apocalypse": "it lies at the bottom",
    "specialists_dealt": "solo_open_specialists",
    "city_dealt": "solo_city_dealt",
    "foro_city": "nobody builds the Foro",
    "foro_specialists": "nobody builds the Foro",
    "calm_steps": "solo_lower_deck",
    "foro_needs_track": "the Foro comes after solo_lower_deck rounds",
}
"""Settings of the other tables that the game for one does not read, and what stands in their place."""

SOLO_ONLY: tuple[str, ...] = ("title_counts_apocalypse", *(n for n in Rules.model_fields if n.startswith("solo_")))
"""Settings that only the game for one reads."""


class Seat(_Settings):
    """Who sits on a seat and how it plays."""

    player: str = Field(default="greedy", description="Name of a scripted player.")
    stance: Stance = Field(
        default="cooperative",
        description="How the seat pledges in offerings; `player` leaves it to the player (Offerings, step 2).",
    )
    skill: float = Field(
        default=1.0, ge=0.0, le=1.0, allow_inf_nan=False, description="Share of decisions played as intended, 0..1."
    )
    weights: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = Field(
        default={}, description="Weights of the player that differ from its defaults."
    )
    forbid: list[str] = Field(
        default=[], description="Actions the seat never takes, as text: a kind or kind:target, such as `produce:7`."
    )

    @field_validator("player")
    @classmethod
    def _player_is_named(cls, value: str) -> str:
        if not re.search(r"\S", value):
            raise ValueError("a player needs a name")
        return value
