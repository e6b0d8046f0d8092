"""What is printed on the box: goods, tiles, costs, cards and volcano cards, read from the data files by plain TOML."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

Goods = dict[str, int]
RED, BLUE = "red", "blue"
TEMPIO, FORO, ANFITEATRO, TERME, CASTRUM = 16, 17, 18, 19, 20


class Book:
    """The printed matter of one data folder.

    Parameters
    ----------
    folder
        Folder with goods.toml, buildings.toml, costs.toml, specialists.toml, city.toml, volcano.toml and titles.toml.
    """

    def __init__(self, folder: Path) -> None:
        def load(name: str, key: str) -> list[dict[str, Any]]:
            entries: list[dict[str, Any]] = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))[key]
            return entries

        goods = load("goods", "good")
        self.value: Goods = {g["id"]: g["value"] for g in goods}
        self.cards_only = {g["id"] for g in goods if g.get("cards_only")}
        self.basic = [g["id"] for g in goods if g["value"] == 1]
        self.of_value = {v: [g["id"] for g in goods if g["value"] == v] for v in range(1, 6)}
        buildings = load("buildings", "building")
        self.colour: dict[int, str] = {b["number"]: b["colour"] for b in buildings}
        self.inputs: dict[int, Goods] = {b["number"]: b.get("inputs", {}) for b in buildings}
        self.output: dict[int, Goods] = {b["number"]: b.get("output", {}) for b in buildings}
        self.cost: dict[str, Goods] = {c["id"]: c["goods"] for c in load("costs", "cost")}
        cards = [*load("specialists", "specialist"), *load("city", "city")]
        self.op: dict[str, str] = {c["id"]: c["effect"]["op"] for c in cards}
        self.effect: dict[str, dict[str, Any]] = {c["id"]: c["effect"] for c in cards}
        self.mark: dict[str, str] = {c["id"]: c["mark"] for c in cards}
        self.place: dict[str, str] = {
            c["id"]: "building:17" if c.get("place") == "foro" else c.get("place", "") for c in cards
        }
        self.train_cost: dict[str, Goods] = {c["id"]: c["cost"] for c in cards if "cost" in c}
        self.decks = {
            "specialists": [c["id"] for c in cards if c["id"][0] == "S"],
            "city": [c["id"] for c in cards if c["id"][0] == "C"],
        }
        titles = sorted(((t["cards_left"], t["name"]) for t in load("titles", "title")), reverse=True)
        self.titles: list[tuple[int, str]] = titles
        self.volcano: dict[str, list[str]] = {v["id"]: v["goods"] for v in load("volcano", "volcano")}


def deck_of(card: str) -> str:
    """Return the deck a card belongs to."""
    return "specialists" if card[0] == "S" else "city"
