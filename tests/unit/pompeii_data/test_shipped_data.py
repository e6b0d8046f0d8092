"""Every number of the shipped data against the facts: what the texts state and what completes them."""

from __future__ import annotations

from collections import Counter

import pytest

from pompeii_sim.games.pompeii.data_files import DATA_DIR, PompeiiData, load_data
from pompeii_sim.games.pompeii.data_models import EFFECTS, ORIGINS


@pytest.fixture(scope="module")
def data() -> PompeiiData:
    return load_data()


VALUES = {
    1: "grain deer wood grass fish reed clay stone olives grapes",
    2: "flour planks sheep coal column pottery",
    3: "bread meat oil wine pearl",
    4: "gold iron cloth",
    5: "gold_coin sword",
}


def test_goods_and_values(data: PompeiiData) -> None:
    assert {g.id: g.value for g in data.goods} == {g: v for v, names in VALUES.items() for g in names.split()}
    assert len(data.goods) == 26
    assert [g.id for g in data.goods if g.cards_only] == ["pearl"]
    assert [data.goods[i].id for i in data.fields] == VALUES[1].split()
    assert [data.good_index(g) for g in data.good_ids] == list(range(26))


BUILDINGS = """
1|Miniera di Carbone|red|produce|fish|coal
2|Miniera d'Oro|red|produce|bread|gold
3|Miniera di Ferro|red|produce|meat|iron
4|Segheria|red|produce|wood|planks
5|Officina del Marmorario|red|produce|stone|column
6|Villa Rustica|red|produce|grass|sheep
7|Villa del Molino|red|produce|grain|flour
8|Bottega del Vasaio|red|produce|clay|pottery
9|Macellum|red|produce|deer sheep|meat
10|Panificio di Modesto|red|produce|flour|bread
11|Casa del Fabbro|blue|produce|iron coal|sword
12|Villa dei Misteri|blue|produce|grapes pottery|wine
13|Frantoio|blue|produce|olives|oil
14|Fullonica di Stephanus|blue|produce|sheep|cloth
15|Officina Monetaria|blue|produce|gold coal|gold_coin
16|Tempio|blue|tempio||
17|Foro di Pompeii|blue|foro||
18|Anfiteatro|blue|anfiteatro|wine|
19|Terme Stabiane|green|terme||
20|Castrum|purple|castrum||
"""


def test_buildings(data: PompeiiData) -> None:
    wanted = [line.split("|") for line in BUILDINGS.strip().splitlines()]
    assert len(data.buildings) == 20
    for b, (number, name, colour, kind, inputs, output) in zip(data.buildings, wanted, strict=True):
        assert (b.number, b.name, b.colour, b.kind) == (int(number), name, colour, kind)
        assert b.inputs == dict.fromkeys(inputs.split(), 1), number
        assert b.output == dict.fromkeys(output.split(), 1), number
    several = [b.number for b in data.buildings if len(b.inputs) > 1]
    assert several == [9, 11, 12, 15]  # with 19, whose several goods stand in the army's cost
    assert len(data.costs["army"].goods) > 1


def test_stated_chain_from_grain_to_gold_coin(data: PompeiiData) -> None:
    chain = ["grain", "flour", "bread", "gold", "gold_coin"]
    for number, before, after in zip((7, 10, 2, 15), chain, chain[1:], strict=False):
        assert before in data.building(number).inputs
        assert after in data.building(number).output
    assert [data.goods[data.good_index(g)].value for g in chain] == [1, 2, 3, 4, 5]


def test_costs(data: PompeiiData) -> None:
    assert {i: dict(c.goods) for i, c in data.costs.items()} == {
        "build.red": {"reed": 1, "wood": 1, "stone": 1},
        "build.blue": {"planks": 1, "column": 1},
        "build.green": {"planks": 1, "column": 1, "oil": 1},
        "build.purple": {"planks": 1, "column": 1, "bread": 1, "meat": 1, "oil": 1, "wine": 1},
        "army": {"sword": 2, "gold_coin": 2, "cloth": 2},
        "release.C12": {"wine": 1},
        "release.C28": {"bread": 1, "meat": 1},
        "release.C31": {"oil": 1},
        "release.C14": {"stone": 1},
    }


def _specialists() -> dict[int, tuple[str, str, dict[str, int], dict[str, object]]]:
    """Mark, place, cost and effect of every specialist, written out by kind."""
    cards: dict[int, tuple[str, str, dict[str, int], dict[str, object]]] = {}
    plus = dict(zip((1, 2, 3, 4, 7, 8, 9, 10, 11, 12), VALUES[1].split(), strict=True))
    for n, good in plus.items():
        cards[n] = ("always", f"field:{good}", {good: 1}, {"op": "field_plus", "extra": 1})
    own = {13: "wood planks", 14: "grain flour", 15: "stone column", 16: "grass sheep", 17: "fish coal"}
    bread = {18: "clay pottery", 19: "fish pearl", 20: "deer meat", 21: "olives oil", 22: "grapes wine"}
    for n, pair in (own | bread).items():
        field, good = pair.split()
        cost = {good if n in own else "bread": 1}
        cards[n] = ("always", f"field:{field}", cost, {"op": "field_goods", "goods": {good: 1}})
    short = {
        23: ("building:7", "grain", "bread", "bread"),
        24: ("building:9", "deer", "meat", "meat"),
        26: ("building:12", "grapes", "wine", "wine"),
        28: ("building:11", "iron", "sword", "coal"),
        29: ("building:15", "gold", "gold_coin", "coal"),
        31: ("field:fish", "fish", "coal", "coal"),
        32: ("field:wood", "wood", "planks", "planks"),
        33: ("field:stone", "stone", "column", "column"),
    }
    for n, (place, before, after, paid) in short.items():
        cards[n] = ("always", place, {paid: 1}, {"op": "convert", "inputs": {before: 1}, "output": {after: 1}})
    more = {
        30: (7, "flour"),
        34: (1, "coal"),
        36: (2, "gold"),
        37: (3, "iron"),
        38: (4, "planks"),
        39: (5, "column"),
        40: (6, "sheep"),
        41: (8, "pottery"),
        42: (9, "meat"),
        43: (10, "bread"),
        44: (11, "sword"),
        45: (12, "wine"),
        46: (13, "oil"),
        47: (14, "cloth"),
        48: (15, "gold_coin"),
    }
    for n, (building, good) in more.items():
        cards[n] = ("always", f"building:{building}", {good: 1}, {"op": "produce_plus", "extra": 2})
    for n, good in {49: "reed", 50: "wood", 51: "stone", 52: "column"}.items():
        cards[n] = ("always", "costruzione", {good: 1}, {"op": "waive", "good": good})
    cards[5] = ("once", "piazza", {"bread": 1}, {"op": "extra_actions", "count": 3})
    cards[6] = ("once", "piazza", {"meat": 1}, {"op": "steal_each", "value": 3})
    cards[25] = ("once", "piazza", {"flour": 1}, {"op": "gain", "goods": {"column": 2, "planks": 2}})
    cards[27] = ("once", "piazza", {"bread": 1}, {"op": "co_owner"})
    cards[35] = ("always", "", {"bread": 1}, {"op": "no_bonus"})
    return cards


def test_specialists(data: PompeiiData) -> None:
    wanted = _specialists()
    assert sorted(wanted) == list(range(1, 53))
    for n, card in enumerate(data.specialists, start=1):
        effect = {"op": card.effect.op} | card.effect.arguments()
        assert card.id == f"S{n:02d}"
        assert (card.mark, card.place, card.cost, effect) == wanted[n], card.id


CITY: dict[int, tuple[str, str, dict[str, object]]] = {
    1: ("once", "foro", {"op": "reclaim_workers"}),
    2: ("star", "", {"op": "offering_value", "change": -3}),
    3: ("star", "", {"op": "stay_out"}),
    4: ("once", "foro", {"op": "draw_keep", "deck": "city", "draw": 5, "keep": 2}),
    5: ("always", "building:14", {"op": "produce_plus", "extra": 2}),
    6: ("always", "building:11", {"op": "produce_plus", "extra": 1}),
    7: ("always", "building:7", {"op": "produce_plus", "extra": 2}),
    8: ("always", "building:10", {"op": "produce_plus", "extra": 2}),
    9: ("always", "building:9", {"op": "produce_plus", "extra": 2}),
    10: ("always", "building:2", {"op": "produce_plus", "extra": 2}),
    11: ("once", "foro", {"op": "take_specialist"}),
    12: ("once", "foro", {"op": "injure_worker"}),
    13: ("always", "building:3", {"op": "produce_plus", "extra": 2}),
    14: ("once", "foro", {"op": "cover_spaces", "tokens": 2}),
    15: ("always", "building:12", {"op": "produce_plus", "extra": 2}),
    16: ("always", "building:13", {"op": "produce_plus", "extra": 2}),
    17: ("always", "", {"op": "extra_space"}),
    18: ("once", "foro", {"op": "gain", "goods": {"planks": 2, "column": 2}}),
    19: ("once", "foro", {"op": "gain", "goods": {"gold": 1}}),
    20: ("once", "foro", {"op": "gain", "goods": {"iron": 1}}),
    21: ("once", "foro", {"op": "exchange_city", "discard": 1, "draw": 2}),
    22: ("once", "foro", {"op": "destroy_temple"}),
    23: ("star", "", {"op": "offering_value", "change": 3}),
    24: ("once", "foro", {"op": "gain", "goods": {"pearl": 2}}),
    25: ("once", "foro", {"op": "from_discard"}),
    26: ("once", "foro", {"op": "new_worker", "count": 1}),
    27: ("once", "foro", {"op": "extra_actions", "count": 2}),
    28: ("once", "foro", {"op": "injure_army"}),
    29: ("once", "foro", {"op": "take_temple"}),
    30: ("star", "", {"op": "cancel_offering"}),
    31: ("star", "", {"op": "stop_castrum"}),
    32: ("once", "foro", {"op": "gain_choice", "value": 1, "count": 4}),
    33: ("once", "foro", {"op": "gain_choice", "value": 2, "count": 2}),
    34: ("always", "", {"op": "porta_owner", "good": "fish"}),
    35: ("once", "foro", {"op": "receive_gifts"}),
    36: ("once", "foro", {"op": "gain_choice", "value": 3, "count": 1}),
    37: ("once", "foro", {"op": "gain", "goods": {"pearl": 2}}),
    38: ("once", "foro", {"op": "steal_choice", "count": 1}),
    39: ("once", "foro", {"op": "draw_keep", "deck": "specialists", "draw": 2, "keep": 2}),
    40: ("once", "foro", {"op": "lose_worker", "above": 4}),
    41: ("once", "foro", {"op": "free_specialists", "count": 2}),
    **{n: ("always", "", {"op": "temple"}) for n in range(42, 48)},
    48: ("once", "foro", {"op": "extra_actions", "count": 2}),
    49: ("once", "foro", {"op": "draw_keep", "deck": "specialists", "draw": 3, "keep": 1}),
    50: ("always", "building:19", {"op": "army_less", "goods": {"gold_coin": 1}}),
    51: ("once", "foro", {"op": "gain", "goods": {"wine": 1, "bread": 1}}),
    52: ("once", "foro", {"op": "swap_same_value"}),
}


def test_city(data: PompeiiData) -> None:
    assert sorted(CITY) == list(range(1, 53))
    for n, card in enumerate(data.city, start=1):
        effect = {"op": card.effect.op} | card.effect.arguments()
        assert card.id == f"C{n:02d}"
        assert (card.mark, card.place, effect) == CITY[n], card.id
    assert Counter(c.mark for c in data.city) == {"once": 29, "always": 18, "star": 5}


STATED_NAMES = {
    "S05": "Maximus Castrini",
    "S06": "Brutus Landro",
    "S25": "Servus Legionario",
    "S27": "Rufa Infiltrati",
    "S30": "Aulus Molinaro",
    "S35": "Titus Prefetti",
    "C01": "Aqua Augusta",
    "C03": "Santuario dei Laro Pubblici",
    "C04": "L'Edificio dei Duoviri",
    "C11": "Casa degli Amanti",
    "C12": "Casa dell'Adone Ferito",
    "C14": "Casa della Fontana Grande",
    "C17": "Casa Fontana Piccola",
    "C22": "Lararium",
    "C25": "Praedia di Giulia Felice",
    "C28": "L'Ultimo Fuggiasco",
    "C29": "Casa del Sacerdos Amandus",
    "C31": "Casa del Menandro",
    "C34": "Porta Marina",
    "C35": "Porta Nocera",
    "C40": "Via dei Sepolcri",
    "C41": "Via dell'Abbondanza",
}


def test_stated_names_and_only_those_are_called_stated(data: PompeiiData) -> None:
    cards = {c.id: c for c in (*data.specialists, *data.city)}
    for ident, name in STATED_NAMES.items():
        assert cards[ident].name == name
    stated = {i for i, c in cards.items() if c.origin("name").provenance == "stated"}
    assert stated == set(STATED_NAMES)
    assert len({c.name for c in cards.values()}) == 104


VOLCANO = """
grain, flour | deer, sheep, bread | wood, coal, meat, gold
grass, planks | fish, planks, oil | reed, column, pearl, cloth
clay, sheep | stone, flour, pearl | olives, pottery, oil, sword
grapes, coal | grain, pottery, meat | deer, flour, bread, iron
wood, column | grass, column, wine | fish, planks, wine, gold coin
reed, pottery | clay, coal, bread | stone, sheep, meat, gold
olives, flour | grapes, sheep, oil | grain, coal, pearl, cloth
deer, planks | wood, planks, pearl | grass, column, oil, sword
fish, sheep | reed, flour, meat | clay, pottery, bread, iron
stone, coal | olives, pottery, wine | grapes, flour, wine, gold coin
grain, column | deer, column, bread | wood, planks, meat, gold
grass, pottery | fish, coal, oil | reed, sheep, pearl, cloth
clay, flour | stone, sheep, pearl | olives, coal, oil, sword
grapes, planks | grain, planks, meat | deer, column, bread, iron
wood, sheep | grass, flour, wine | fish, pottery, wine, gold coin
reed, coal | clay, pottery, bread | stone, flour, meat, gold
olives, column | grapes, column, oil | grain, planks, pearl, cloth
"""


def test_volcano(data: PompeiiData) -> None:
    rows = [line.split("|") for line in VOLCANO.strip().splitlines()]
    for column, level in enumerate("ABC"):
        cards = data.volcano_level(level)
        assert [c.id for c in cards] == [f"V{level}{n:02d}" for n in range(1, 18)]
        wanted = [[g.strip().replace(" ", "_") for g in row[column].split(",")] for row in rows]
        assert [c.goods for c in cards] == wanted
    assert len(data.volcano) == 51


def test_track_and_titles(data: PompeiiData) -> None:
    assert data.track.calm.spaces == ["X", "IX", "VIII", "VII", "VI", "V", "IV", "III"]
    assert data.track.awakened.cycle == 3
    assert [(t.cards_left, t.name) for t in data.titles] == [
        (4, "Duumvir"),
        (3, "Aedile"),
        (2, "Decurion"),
        (1, "Quaestor"),
    ]


STATED_EFFECTS = {
    *("S05", "S06", "S14", "S25", "S27", "S30", "S35"),
    *("C01", "C04", "C11", "C12", "C14", "C17", "C22", "C25", "C28", "C29", "C31", "C34", "C35", "C40", "C41"),
    *(f"C{n}" for n in range(42, 48)),
}


def test_provenance_of_single_facts(data: PompeiiData) -> None:
    cards = {c.id: c for c in (*data.specialists, *data.city)}
    assert {i for i, c in cards.items() if c.origin("effect").provenance == "stated"} == STATED_EFFECTS
    assert cards["C04"].origin("effect").source == "Japanese text"
    assert {s.id for s in data.specialists if s.origin("cost").provenance == "stated"} == {"S30"}
    assert data.building(1).origin("inputs").provenance == "review"
    assert data.building(6).origin("output").provenance == "review"
    assert data.building(12).origin("name").provenance == "stated"
    assert data.building(12).origin("inputs").provenance == "assumed"
    assert data.building(12).weakest == "assumed"
    stated = {b.number for b in data.buildings if b.weakest == "stated"}
    assert stated == {2, 7, 10, 15, 16, 17, 18, 19, 20}
    assert data.costs["release.C31"].provenance == "stated"
    assert data.costs["release.C31"].origin("goods").provenance == "assumed"
    assert all(c.weakest == "assumed" for c in data.volcano)
    values = {g.id for g in data.goods if g.origin("value").provenance == "stated"}
    assert values == set(VALUES[1].split()) | {"flour", "bread", "meat", "pearl", "gold", "iron", "gold_coin", "sword"}


def test_every_assumption_has_a_confidence_and_every_fact_a_source(data: PompeiiData) -> None:
    for section, entries in data.entries().items():
        for entry in entries:
            for name in entry.own_fields():
                origin = entry.origin(name)
                if origin.provenance == "assumed":
                    assert origin.confidence in ("high", "medium", "low"), (section, entry)
                else:
                    assert origin.source, (section, entry)


def test_values_lie_in_their_plausible_ranges(data: PompeiiData) -> None:
    ranges = 0
    for entries in data.entries().values():
        for entry in entries:
            for path, (low, high) in entry.range.items():
                assert low <= entry.number_at(path) <= high, (entry, path)
                ranges += 1
    assert ranges > 150
    for needed in ("cloth", "oil", "wine"):
        assert "value" in data.goods[data.good_index(needed)].range
    assert all("goods" in c.range for c in data.volcano)
    assert all(s.range for s in data.specialists if s.id != "S30")
    assert set(data.costs["army"].range) == {"goods.sword", "goods.gold_coin", "goods.cloth"}


def test_counts_add_up_and_assumed_is_not_hidden(data: PompeiiData) -> None:
    counts = data.provenance_counts()
    assert list(counts) == list(ORIGINS)
    assert sum(counts.values()) == 26 + 20 + 9 + 52 + 52 + 51 + 2 + 4
    assert counts["calibrated"] == 0
    assert counts["assumed"] > 150
    assert counts["review"] == 2


def test_every_word_of_the_vocabulary_is_used_and_explained(data: PompeiiData) -> None:
    used = {c.effect.op for c in (*data.specialists, *data.city)}
    assert used == set(EFFECTS)
    page = (DATA_DIR.parents[3] / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
    for op, kind in EFFECTS.items():
        assert f"`{op}`" in page, op
        assert kind.meaning
    for origin in ORIGINS:
        assert f"`{origin}`" in page
