"""A small game without a kernel: enough for a scenario to be checked against."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from pompeii_sim.engine.contract import CatalogEntry, Dtypes, Game, Metric, PlayerSpec
from pompeii_sim.errors import InputError, nearest


class Deal(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    hands: dict[str, list[str]] = {}
    gifts: dict[Annotated[str, Field(max_length=1)], int] = {}


class Rules(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    difficulty: Literal["A", "B", "C"] = "A"
    cards: int | Literal["all"] = Field(default=9)
    place: Literal["shuffled", "bottom"] | int = "shuffled"
    cap: int = Field(default=10, ge=1, le=20)
    spaces_at: dict[str, int] = {}
    open_hands: bool = False
    deal: Deal = Deal()


class Seat(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    player: str = "greedy"
    stance: Literal["cooperative", "never"] = "cooperative"
    skill: float = Field(default=1.0, ge=0, le=1)
    weights: dict[str, float] = {}
    forbid: list[str] = []


@dataclass(frozen=True)
class Data:
    content: dict[str, Any]
    content_hash: str

    def provenance_counts(self) -> dict[str, int]:
        return {"stated": 1}

    def catalog(self) -> dict[str, list[CatalogEntry]]:
        return {
            "costs": [
                CatalogEntry(id=c["id"], name=c["id"], fields={"goods": c["goods"]}, provenance="stated")
                for c in self.content["costs"]["cost"]
            ]
        }


class Actions:
    kinds = ("trade", "build", "produce")

    def text(self, action: int) -> str:
        return self.kinds[action]

    def parse(self, text: str) -> int:
        return self.kinds.index(text)

    def check_forbid(self, items: Iterable[str], where: str) -> None:
        for item in items:
            if item.partition(":")[0] not in self.kinds:
                raise InputError(f"no action {item!r}", where=where, hint=nearest(item, self.kinds))


def make_game(folder: Path) -> Game:
    folder.mkdir(exist_ok=True)
    (folder / "costs.toml").write_text(
        '[[cost]]\nid = "army"\ngoods = { sword = 2, shield = 1 }\n'
        'range = { "goods.sword" = [1, 4], "goods.shield" = [1, 1], goods = [1, 2] }\n\n'
        '[[cost]]\nid = "build.red"\ngoods = { stone = 3 }\nrange = { "goods.stone" = [2, 5] }\n'
    )

    def load_data(path: Path | None) -> Data:
        source = path or folder
        content = {p.stem: tomllib.loads(p.read_text()) for p in sorted(source.glob("*.toml"))}
        for cost in content["costs"]["cost"]:
            for good, n in cost["goods"].items():
                if n < 1:
                    raise InputError(f"{good} must be at least 1", where=f"{source}/costs.toml: {cost['id']}")
        text = json.dumps(content, sort_keys=True)
        return Data(content, hashlib.sha256(text.encode()).hexdigest())

    def check(rules: Any, data: Any, seats: Sequence[Any]) -> None:
        if rules.cap < len(seats):
            raise InputError("cap is below the number of seats", where="rules.cap", hint="raise it")

    def players() -> Mapping[str, PlayerSpec]:
        return {
            n: PlayerSpec(name=n, strategy="a", source="own", function=None, weights={"value": 1.0} if w else {})
            for n, w in (("greedy", True), ("random", False))
        }

    missing: Any = None
    return Game(
        name="stub", title="Stub", version=1, seats=range(1, 5), max_seats=4, time_unit="round", phases=("only",),
        Rules=Rules, Seat=Seat, data_dir=folder, load_data=load_data, check=check, tables=missing,
        dtypes=Dtypes(state=missing, tables=missing, row=missing, series=missing), kernel=missing,
        actions=lambda data: Actions(),
        players=players, compile_player=missing, columns=(), ends=(),
        metrics=(Metric(name="win_rate", title="won", kind="rate", definition="x", headline=True),),
        events=missing, series_rows=lambda rules: 0,
    )  # fmt: skip


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Game:
    stub = make_game(tmp_path / "shipped")

    def get(name: str) -> Game:
        if name != "stub":
            raise InputError(f"unknown game {name!r}", where="game", hint=nearest(name, ["stub"]))
        return stub

    monkeypatch.setattr("pompeii_sim.games.get", get)
    monkeypatch.setattr("pompeii_sim.games.names", lambda: ["stub"])
    return stub
