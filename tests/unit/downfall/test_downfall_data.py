"""The shipped data are the stated ones, and a wrong edit is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from downfall_table import Table, document

from pompeii_sim.errors import InputError
from pompeii_sim.games.downfall.data_files import DATA_DIR, load_data
from pompeii_sim.games.downfall.game import GAME
from pompeii_sim.games.downfall.rules import Rules
from pompeii_sim.games.downfall.tables import build_tables, people_each
from pompeii_sim.scenario import load_scenario

DISTANCES = """
1 2 3 3 2 1 2 V . . .
2 3 V 4 3 2 3 3 2 1 .
3 4 5 5 4 3 4 4 3 2 V
2 3 4 5 V 4 4 5 4 3 2
1 2 3 4 5 4 3 4 3 2 1
2 3 4 5 4 3 2 3 2 3 2
. . . V 3 2 1 2 1 V 3
"""


def test_board_in_numbers() -> None:
    data = load_data()
    kinds = [s.kind for s in data.squares]
    assert len(kinds) == 70
    assert {k: kinds.count(k) for k in set(kinds)} == {"vent": 6, "street": 28, "numbered": 23, "neutral": 13}
    assert sum(s.spaces for s in data.squares if s.kind == "numbered") == 53
    assert sum(s.spaces for s in data.squares if s.kind == "neutral") == 27
    assert len(data.gates) == 7
    outside = {f"{r}_{c}" for r in range(7) for c in range(11)} - {s.id for s in data.squares}
    assert outside == {"0_8", "0_9", "0_10", "1_10", "6_0", "6_1", "6_2"}


def test_cards_are_spaces_and_groups_are_parts() -> None:
    data = load_data()
    assert sum(b.cards for b in data.buildings) == 53
    colours: dict[str, int] = {}
    for building in data.buildings:
        own = [s for s in data.squares if s.building == building.number]
        assert sum(s.spaces for s in own) == building.cards == sum(building.groups)
        parts = sorted({s.part for s in own})
        assert sorted(sum(s.spaces for s in own if s.part == p) for p in parts) == sorted(building.groups)
        colours[building.colour] = colours.get(building.colour, 0) + building.cards
    assert colours == {"grey": 16, "purple": 16, "turquoise": 11, "brown": 10}
    assert {b.number for b in data.buildings if len(b.groups) == 2} == {3, 4, 6, 8, 10, 11}


def test_distances_to_gates() -> None:
    tables = Table().tables[0]
    for row, line in enumerate(DISTANCES.split("\n")[1:-1]):
        for column, shown in enumerate(line.split()):
            square = row * 11 + column
            assert (tables["inside"][square] == 0) == (shown == ".")
            assert (tables["vent_of"][square] >= 0) == (shown == "V")
            if shown.isdecimal():
                assert tables["start_dist"][square] == int(shown)


def test_neighbours_of_vents() -> None:
    table = Table()
    near = {
        "0_7": {"0_6", "1_7"}, "1_2": {"0_2", "1_1", "1_3", "2_2"}, "2_10": {"2_9", "3_10"},
        "3_4": {"2_4", "3_3", "3_5", "4_4"}, "6_3": {"5_3", "6_4"}, "6_9": {"5_9", "6_8", "6_10"},
    }  # fmt: skip
    for vent, wanted in near.items():
        at = table.square(vent)
        count = table.tables["n_nbr"][0, at]
        assert {table.data.square_id(int(n)) for n in table.tables["nbr"][0, at, :count]} == wanted


def test_people_of_editions() -> None:
    data = load_data()
    wanted = {("mayfair-2013", 2): 30, ("mayfair-2013", 4): 25, ("amigo-2004", 2): 36, ("amigo-2004", 3): 30}
    for (edition, seats), people in wanted.items():
        assert people_each(Rules.model_validate({"edition": edition}), data, seats) == people
    assert people_each(Rules(people=7), data, 4) == 7


def test_provenance_is_complete() -> None:
    data = load_data()
    counts = data.provenance_counts()
    assert counts["assumed"] == 0
    assert sum(counts.values()) == sum(len(v) for v in data.catalog().values()) == 70 + 11 + 7 + 6 + 3 + 7 + 2
    assert all(e.note for section in data.catalog().values() for e in section)


@pytest.mark.parametrize(("file", "old", "new", "said"), [
    ("squares.toml", 'kind = "street"', 'kind = "stret"', "did you mean 'street'"),
    ("squares.toml", "building = 6", "building = 14", "no building 14"),
    ("squares.toml", 'part = "6a"', 'part = "7a"', "does not fit"),
    ("gates.toml", 'square = "4_0"', 'square = "9_9"', "no square '9_9'"),
    ("gates.toml", 'square = "4_0"', 'square = "0_0"', "share a square"),
    ("symbols.toml", 'vent = "0_7"', 'vent = "0_6"', "one to one"),
    ("symbols.toml", "tiles = 8", "tiles = 15", None),
    ("duals.toml", '"helmet", "mask"', '"helmet", "musk"', "did you mean 'mask'"),
    ("deck.toml", 'id = "omens"', 'id = "omen"', "'omens' is missing"),
    ("deck.toml", "value = 15", "value = 33", "larger than the mix"),
    ("editions.toml", '"4" = 25', '"5" = 25', "people needs"),
    ("buildings.toml", "cards = 4", "crads = 4", "did you mean 'cards'"),
    ("buildings.toml", 'source = "the card: ', 'sauce = "the card: ', "unknown field 'sauce'"),
    ("buildings.toml", "number = 2", "number = 1", "stands twice"),
])  # fmt: skip
def test_wrong_edits_are_named(tmp_path: Path, file: str, old: str, new: str, said: str | None) -> None:
    copy = tmp_path / "data"
    shutil.copytree(DATA_DIR, copy)
    text = (copy / file).read_text("utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1), "utf-8")
    if said is None:
        assert load_data(copy).content_hash != load_data().content_hash
        return
    with pytest.raises(InputError, match=said) as caught:
        load_data(copy)
    assert file in str(caught.value)


def test_layout_does_not_change_the_hash(tmp_path: Path) -> None:
    copy = tmp_path / "data"
    shutil.copytree(DATA_DIR, copy)
    for path in copy.glob("*.toml"):
        path.write_text("# a note\n" + path.read_text("utf-8").replace(" = ", "="), "utf-8")
    assert load_data(copy).content_hash == load_data().content_hash


def test_data_overrides_reach_the_tables() -> None:
    scenario = load_scenario(document(), ["data.symbols.vase.tiles=8"])
    tables = build_tables(scenario.cells[0].rules, scenario.cells[0].data, scenario.cells[0].seats)
    assert tables["tiles"].sum() == 46


def test_rules_that_do_not_fit_together() -> None:
    for rules, said in (({"start": 3}, "no seat 3"), ({"second_ad79": 40}, "at most 32"), ({"runs": 3}, "runs")):
        with pytest.raises(InputError, match=said):
            load_scenario(document(["greedy"] * 2, rules=rules))
    with pytest.raises(InputError, match="relatives_limit"):
        load_scenario(document(rules={"relative_limit": "part"}))


def test_actions_as_text() -> None:
    codec = GAME.actions(load_data())
    texts = ("place:7@4_5", "wild:7@0_1", "discard:11", "relative:2_5", "omen:2@4_5", "lava:coin@0_2", "run:3_3",
             "to:4_4", "exit:di-nola", "stop")  # fmt: skip
    for text in texts:
        assert codec.text(codec.parse(text)) == text
    assert len({codec.parse(t) for t in texts}) == len(texts)
    for text, hint in (
        ("plase:7@4_5", "place"),
        ("exit:nola", "di-nola"),
        ("lava:con@0_2", "coin"),
        ("stop:1", "stop"),
    ):
        with pytest.raises(InputError, match=hint):
            codec.parse(text)
    codec.check_forbid(["place:7", "relative", "exit:di-nola", "to:0_0", "stop"], "seats.0.forbid")
    with pytest.raises(InputError, match="did you mean 'relative'"):
        codec.check_forbid(["relatives"], "seats.0.forbid")


def test_dtypes_hold_the_board() -> None:
    assert GAME.dtypes.row["square_lost"].shape == (96,)
    assert np.dtype(GAME.dtypes.state["pub"]).itemsize < 8192
