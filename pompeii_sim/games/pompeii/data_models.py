"""Entries of the data files: goods, buildings, costs, cards, volcano cards, track, titles.

Every entry says where it comes from. What one file cannot know alone (whether a good or a building exists) is
checked in :mod:`.data_checks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from pompeii_sim.errors import nearest

Origin = Literal["stated", "review", "deduced", "assumed", "calibrated"]
Confidence = Literal["high", "medium", "low"]
ORIGINS: tuple[Origin, ...] = ("stated", "review", "deduced", "calibrated", "assumed")
"""Provenance words, from the surest to the least sure."""

LABELS = frozenset({"name", "number"})
"""Fields that only label an entry; their provenance does not change how sure the entry is."""

GOOD_MAPS = frozenset({"inputs", "output", "goods", "cost"})
"""Fields and arguments that hold goods with quantities."""

Quantity = Annotated[int, Field(ge=1, le=20)]


def _not_empty(goods: dict[str, int]) -> dict[str, int]:
    if not goods:
        raise ValueError("needs at least one good, as { good = quantity }")
    return goods


GoodMap = dict[str, Quantity]
"""Goods and quantities, ``{good = quantity}``; quantities 1..20."""
SomeGoods = Annotated[dict[str, Quantity], AfterValidator(_not_empty)]


class _Strict(BaseModel):
    """Strict and frozen; an unknown field is an error."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class FieldOrigin(_Strict):
    """Where one field of an entry comes from, when it differs from the entry."""

    provenance: Origin
    source: str = ""
    confidence: Confidence | None = None
    old: str = ""
    target: str = ""
    script: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _complete(self) -> FieldOrigin:
        _check_origin(self)
        return self


class Entry(_Strict):
    """What all entries share.

    Parameters
    ----------
    provenance
        Where the entry comes from: ``stated`` (in a rulebook), ``review`` (public review), ``deduced`` (follows from
        stated facts), ``assumed`` (ours), ``calibrated`` (changed to reach a target).
    source
        Section of the rulebook, ``Japanese text``, the review, or a reason.
    confidence
        ``high``, ``medium`` or ``low``; needed when assumed.
    range
        Plausible lowest and highest value of numbers in the entry: ``{"value" = [3, 4]}`` or
        ``{"goods.sword" = [1, 3]}``; for a list of goods, of its length.
    old, target, script
        Value before calibration, what it was calibrated to and the script that did it; needed when calibrated, beside a
        `range`.
    fields
        The same for single fields where they differ from the entry.
    """

    provenance: Origin
    source: str = ""
    confidence: Confidence | None = None
    range: dict[str, Annotated[list[int], Field(min_length=2, max_length=2)]] = {}
    old: str = ""
    target: str = ""
    script: str = ""
    note: str = ""
    fields: dict[str, FieldOrigin] = {}

    @model_validator(mode="after")
    def _origins(self) -> Entry:
        _check_origin(self)
        own = self.own_fields()
        for name in self.fields:
            if name not in own:
                raise ValueError(f"fields.{name} names no field of the entry; {nearest(name, own)}")
        if not self.range and "calibrated" in (self.provenance, *(f.provenance for f in self.fields.values())):
            raise ValueError("a calibrated entry needs range, the plausible values it was chosen from")
        for path, (low, high) in self.range.items():
            if low > high:
                raise ValueError(f"range {path!r} runs from {low} down to {high}; write the lower number first")
            self.number_at(path)
        return self

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """Return the fields that hold content (not provenance), in their order."""
        return tuple(n for n in cls.model_fields if n not in Entry.model_fields)

    def content(self) -> dict[str, Any]:
        """Return the content fields as plain values; an effect without the arguments it does not use."""
        dump = self.model_dump(mode="json", exclude_none=True)
        return {n: dump[n] for n in self.own_fields() if n in dump}

    def number_at(self, path: str) -> int:
        """Return the number at a dotted path such as ``value``, ``goods.sword`` or ``effect.extra``.

        The path of a list gives its length; a good that a table of goods does not hold counts 0. Raises ValueError
        with the nearest valid part when nothing can stand there.
        """
        here: Any = self.content()
        parts = path.split(".")
        for at, part in enumerate(parts):
            if isinstance(here, dict) and part in here:
                here = here[part]
            elif at and at == len(parts) - 1 and parts[at - 1] in GOOD_MAPS and isinstance(here, dict):
                return 0
            else:
                valid = list(here) if isinstance(here, dict) else []
                raise ValueError(f"range {path!r} points at nothing; {nearest(part, valid)}")
        if isinstance(here, list):
            return len(here)
        if not isinstance(here, int) or isinstance(here, bool):
            raise ValueError(f"range {path!r} points at no number; name one, such as 'value' or 'cost.grain'")
        return here

    def origin(self, field: str) -> FieldOrigin:
        """Return where one field comes from: its own line, else the entry's."""
        if field in self.fields:
            return self.fields[field]
        return FieldOrigin(
            provenance=self.provenance,
            source=self.source,
            confidence=self.confidence,
            old=self.old,
            target=self.target,
            script=self.script,
            note=self.note,
        )

    @property
    def weakest(self) -> Origin:
        """Least sure provenance among the fields that matter for play (names and numbers of entries do not)."""
        found = {self.origin(n).provenance for n in self.own_fields() if n not in LABELS and n != "id"}
        return max(found or {self.provenance}, key=ORIGINS.index)


def _check_origin(entry: FieldOrigin | Entry) -> None:
    """Raise ValueError when an origin lacks what its provenance needs."""
    if entry.provenance == "assumed" and entry.confidence is None:
        raise ValueError('an assumed entry needs confidence = "high", "medium" or "low"')
    if entry.provenance == "calibrated" and not (entry.old and entry.target and entry.script):
        raise ValueError(
            "a calibrated entry needs old (the value before), target (what it was calibrated to), script (what did it)"
        )
    if entry.provenance in ("stated", "review") and not entry.source:
        raise ValueError(f"provenance {entry.provenance!r} needs a source, such as a section of the rulebook")


class Good(Entry):
    """A good: its value is the Roman numeral on the tablet; `cards_only` goods come from cards alone (pearl)."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    name: str
    value: int = Field(ge=1, le=5)
    cards_only: bool = False


class Building(Entry):
    """A building tile; `inputs` and `output` are one conversion, empty where the building converts nothing."""

    number: int = Field(ge=1, le=20)
    name: str
    colour: Literal["red", "blue", "green", "purple"]
    kind: Literal["produce", "tempio", "foro", "anfiteatro", "terme", "castrum"]
    inputs: GoodMap = {}
    output: GoodMap = {}

    @model_validator(mode="after")
    def _recipe(self) -> Building:
        needs = {"produce": (True, True), "anfiteatro": (True, False)}.get(self.kind, (False, False))
        for name, goods, wanted in (("inputs", self.inputs, needs[0]), ("output", self.output, needs[1])):
            if bool(goods) != wanted:
                raise ValueError(f"kind {self.kind!r} {'needs' if wanted else 'takes no'} {name}")
        if len(self.output) > 1:
            raise ValueError(f"output has {len(self.output)} kinds of goods; a building makes exactly one kind")
        both = sorted(set(self.inputs) & set(self.output))
        if both:
            raise ValueError(f"{both[0]!r} is both an input and the output")
        return self


class Cost(Entry):
    """A price in goods: a building's, the army's, or what it takes to remove a city card's effect."""

    id: str
    name: str
    goods: SomeGoods


@dataclass(frozen=True)
class EffectKind:
    """One word of the effect vocabulary: its arguments, when it works and where a worker may use it."""

    needs: tuple[str, ...]
    when: Literal["place", "passive", "activation", "star"]
    places: tuple[str, ...]
    meaning: str


_ANY_BUILDING = ("field", "building")
EFFECTS: dict[str, EffectKind] = {
    # used by placing a worker at the card's place, instead of the normal action
    "field_plus": EffectKind(("extra",), "place", ("field",), "collect the field's good and `extra` more"),
    "field_goods": EffectKind(("goods",), "place", ("field",), "take `goods` instead of the field's good"),
    "convert": EffectKind(("inputs", "output"), "place", _ANY_BUILDING, "convert `inputs` to `output`, any amount"),
    "produce_plus": EffectKind(("extra",), "place", ("building",), "convert as the building does, then `extra` output"),
    "waive": EffectKind(("good",), "place", ("costruzione",), "`good` is not needed for the building built"),
    "army_less": EffectKind(("goods",), "place", ("building:19",), "the army costs `goods` less"),
    # work by themselves while the card is active
    "no_bonus": EffectKind((), "passive", (), "owners of blue buildings get no bonus when you use them"),
    "extra_space": EffectKind((), "passive", (), "one more worker of yours fits a blue building"),
    "porta_owner": EffectKind(("good",), "passive", (), "get 1 `good` whenever another player uses the Porta"),
    "temple": EffectKind((), "passive", (), "you may use 16 Tempio"),
    # happen once, when the card is activated
    "extra_actions": EffectKind(("count",), "activation", (), "do `count` more worker actions at once"),
    "steal_each": EffectKind(("value",), "activation", (), "take 1 good of value `value` from every other player"),
    "co_owner": EffectKind((), "activation", (), "put a marker on another player's red building and share its bonus"),
    "gain": EffectKind(("goods",), "activation", (), "get `goods`"),
    "gain_choice": EffectKind(("value", "count"), "activation", (), "get `count` goods of value `value`, your choice"),
    "reclaim_workers": EffectKind((), "activation", (), "take the workers of one building for this round"),
    "draw_keep": EffectKind(("deck", "draw", "keep"), "activation", (), "draw `draw` cards of `deck`, keep `keep`"),
    "exchange_city": EffectKind(("discard", "draw"), "activation", (), "discard `discard` city cards, draw `draw`"),
    "take_specialist": EffectKind((), "activation", (), "take another player's active specialist into your hand"),
    "injure_worker": EffectKind((), "activation", (), "put an active worker of another player on space C12"),
    "cover_spaces": EffectKind(("tokens",), "activation", (), "cover up to `tokens` worker spaces of buildings"),
    "destroy_temple": EffectKind((), "activation", (), "16 Tempio is destroyed and may be built again"),
    "from_discard": EffectKind((), "activation", (), "activate a city card of the discard pile"),
    "new_worker": EffectKind(("count",), "activation", (), "get `count` new workers"),
    "injure_army": EffectKind((), "activation", (), "put a worker of a player who has an army on space C28"),
    "take_temple": EffectKind((), "activation", (), "take another player's active temple card"),
    "receive_gifts": EffectKind((), "activation", (), "every other player gives you 1 good of their choice"),
    "steal_choice": EffectKind(("count",), "activation", (), "take `count` goods of your choice from one player"),
    "lose_worker": EffectKind(("above",), "activation", (), "others with more than `above` workers lose one"),
    "free_specialists": EffectKind(("count",), "activation", (), "draw `count` specialists and activate them free"),
    "swap_same_value": EffectKind((), "activation", (), "swap any amount of a good for another of the same value"),
    # played from the hand at their moment, then discarded
    "offering_value": EffectKind(("change",), "star", (), "this offering's required value changes by `change`"),
    "stay_out": EffectKind((), "star", (), "you take no part in this offering"),
    "cancel_offering": EffectKind((), "star", (), "the offering is cancelled and a volcano card turned"),
    "stop_castrum": EffectKind((), "star", (), "another player's Castrum is stopped until oil is paid"),
}
"""The effect vocabulary: op -> its arguments, moment, places and meaning."""

_MARK_OF = {"place": "always", "passive": "always", "activation": "once", "star": "star"}


class Effect(_Strict):
    """What a card does: an op of :data:`EFFECTS` and exactly the arguments that op needs."""

    op: str
    extra: Annotated[int, Field(ge=1, le=20)] | None = None
    goods: SomeGoods | None = None
    inputs: SomeGoods | None = None
    output: SomeGoods | None = None
    good: str | None = None
    count: Annotated[int, Field(ge=1, le=20)] | None = None
    value: Annotated[int, Field(ge=1, le=5)] | None = None
    deck: Literal["city", "specialists"] | None = None
    draw: Annotated[int, Field(ge=1, le=20)] | None = None
    keep: Annotated[int, Field(ge=1, le=20)] | None = None
    discard: Annotated[int, Field(ge=1, le=20)] | None = None
    tokens: Annotated[int, Field(ge=1, le=20)] | None = None
    above: Annotated[int, Field(ge=1, le=5)] | None = None
    change: Annotated[int, Field(ge=-20, le=20)] | None = None

    @model_validator(mode="after")
    def _arguments(self) -> Effect:
        if self.op not in EFFECTS:
            raise ValueError(f"unknown op {self.op!r}; {nearest(self.op, EFFECTS)}")
        needs = EFFECTS[self.op].needs
        for name in type(self).model_fields:
            if name == "op":
                continue
            given = getattr(self, name) is not None
            if name in needs and not given:
                raise ValueError(f"op {self.op!r} needs {name}; its arguments: {', '.join(needs)}")
            if given and name not in needs:
                wanted = ", ".join(needs) if needs else "none"
                raise ValueError(f"op {self.op!r} takes no {name}; its arguments: {wanted}")
        if self.op == "convert":
            self._check_convert()
        if self.draw is not None and self.keep is not None and self.keep > self.draw:
            raise ValueError(f"keeps {self.keep} of {self.draw} drawn cards; keep at most {self.draw}")
        if self.change == 0:
            raise ValueError("change 0 does nothing; give a number below or above 0")
        return self

    def _check_convert(self) -> None:
        assert self.inputs is not None
        assert self.output is not None
        if len(self.output) > 1:
            raise ValueError(f"output has {len(self.output)} kinds of goods; a conversion makes exactly one kind")
        both = sorted(set(self.inputs) & set(self.output))
        if both:
            raise ValueError(f"{both[0]!r} is both an input and the output")

    def arguments(self) -> dict[str, Any]:
        """Return the given arguments as plain values, without the op."""
        dump = self.model_dump(mode="json", exclude_none=True)
        return {k: v for k, v in dump.items() if k != "op"}

    def goods_named(self) -> list[tuple[str, str]]:
        """Return every good the effect names with the argument it stands in: ``(argument, good)``."""
        found = [(n, g) for n in ("goods", "inputs", "output") for g in (getattr(self, n) or {})]
        return found + ([("good", self.good)] if self.good is not None else [])


class Card(Entry):
    """A specialist or city card.

    `place` is where a worker uses or activates it: ``field:<good>``, ``building:<n>``, ``costruzione``, ``piazza``,
    ``foro``; empty for passive and star cards. `mark`: ``always``, ``once`` or ``star``.
    """

    id: str
    name: str
    mark: Literal["always", "once", "star"]
    place: str = ""
    effect: Effect

    @model_validator(mode="after")
    def _moment(self) -> Card:
        kind = EFFECTS[self.effect.op]
        mark = _MARK_OF[kind.when]
        if self.mark != mark:
            raise ValueError(f"op {self.effect.op!r} belongs to mark {mark!r}, not {self.mark!r}")
        allowed = self._allowed_places(kind)
        if allowed == ("",):
            if self.place:
                raise ValueError(f'place {self.place!r} given but op {self.effect.op!r} has none; write place = ""')
        elif not any(self.place == a or self.place.startswith(f"{a}:") for a in allowed):
            shown = {"field": "field:<good>", "building": "building:<n>"}
            wanted = " or ".join(shown.get(a, a) for a in allowed)
            raise ValueError(f"place {self.place!r} does not fit op {self.effect.op!r}; valid: {wanted}")
        if self.place.startswith("building:") and not re.fullmatch(r"building:([1-9]|1[0-9]|20)", self.place):
            raise ValueError(f"place {self.place!r} names no building; write building:<1..20>")
        return self

    def _allowed_places(self, kind: EffectKind) -> tuple[str, ...]:
        """Return where the card may stand; overridden for one-time cards."""
        return kind.places or ("",)


class Specialist(Card):
    """A specialist card; `cost` is what training it at the Piazza takes."""

    id: str = Field(pattern=r"^S[0-9]{2}$")
    mark: Literal["always", "once"]
    cost: SomeGoods

    def _allowed_places(self, kind: EffectKind) -> tuple[str, ...]:
        return ("piazza",) if kind.when == "activation" else super()._allowed_places(kind)


class CityCard(Card):
    """A city card; activated free at the Foro."""

    id: str = Field(pattern=r"^C[0-9]{2}$")

    def _allowed_places(self, kind: EffectKind) -> tuple[str, ...]:
        return ("foro",) if kind.when == "activation" else super()._allowed_places(kind)


class VolcanoCard(Entry):
    """A volcano card of level A, B or C (``VA01``): all players lose every good it shows."""

    id: str = Field(pattern=r"^V[ABC][0-9]{2}$")
    goods: Annotated[list[str], Field(min_length=1)]

    @field_validator("goods")
    @classmethod
    def _no_good_twice(cls, value: list[str]) -> list[str]:
        for good in value:
            if value.count(good) > 1:
                raise ValueError(f"good {good!r} stands twice")
        return value

    @property
    def level(self) -> str:
        """``A``, ``B`` or ``C``."""
        return self.id[1]


class CalmTrack(Entry):
    """Names of the spaces of the calm side, from the start to III; `calm_steps` of the rules says how many moves."""

    spaces: Annotated[list[str], Field(min_length=1)]


class AwakenedTrack(Entry):
    """Spaces of the awakened side; the marker is back at the start after so many successful offerings."""

    cycle: int = Field(ge=1, le=20)


class Track(_Strict):
    """Both sides of the Vesuvius tile."""

    calm: CalmTrack
    awakened: AwakenedTrack


class Title(Entry):
    """A solo title by the number of volcano cards left at the victory."""

    cards_left: int = Field(ge=0, le=17)
    name: str
