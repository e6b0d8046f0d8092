"""Every mistake in a data folder is one line with file, entry, field and the nearest valid value."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.data_files import DATA_DIR, load_data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA_DIR, tmp_path / "data"))


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text("utf-8")
    assert old in text, f"{old!r} not in {name}"
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")


def complaint(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_data(folder)
    text = str(caught.value)
    assert "\n" not in text
    assert str(folder) in text
    return text.replace(f"{folder}/", "")


CASES = [
    # goods
    ("goods.toml", 'id = "sheep"', 'id = "grain"', ("goods.toml", "'grain' stands twice")),
    ("goods.toml", "value = 2", "value = 6", ("good flour, value", "6", "nearest valid: 5")),
    ("goods.toml", "value = 2", "value = 0", ("good flour, value", "nearest valid: 1")),
    ("goods.toml", "value = 2", "value = 1", ("goods.toml: value", "11 goods", "exactly 10")),
    (
        "goods.toml",
        'id = "flour"\nname = "flour"\nvalue = 2',
        'id = "flour"\nname = "flour"\nvalue = 2.0',
        ("value", "integer"),
    ),
    ("goods.toml", 'id = "flour"', 'id = "Flour!"', ("good Flour!, id", "pattern")),
    ("goods.toml", 'name = "flour"', 'nmae = "flour"', ("good flour", "'nmae'", "did you mean 'name'?")),
    ("goods.toml", 'name = "flour"\n', "", ("good flour, name", "is missing")),
    ("goods.toml", "[[good]]", "[[godo]]", ("goods.toml", "'godo'", "[[good]]")),
    # buildings
    ("buildings.toml", "inputs = { fish = 1 }", "inputs = { fsh = 1 }", ("building 1, inputs", "'fsh'", "'fish'")),
    ("buildings.toml", "output = { gold = 1 }", "output = { gld = 1 }", ("building 2, output", "'gld'", "'gold'")),
    (
        "buildings.toml",
        "inputs = { fish = 1 }",
        "inputs = { fish = 0 }",
        ("building 1, inputs.fish", "nearest valid: 1"),
    ),
    ("buildings.toml", "number = 2", "number = 3", ("building 3 stands twice", "missing: 2")),
    ("buildings.toml", "number = 2", "number = 21", ("building 21, number", "nearest valid: 20")),
    ("buildings.toml", 'colour = "red"', 'colour = "rad"', ("building 1, colour", "'rad'", "did you mean 'red'?")),
    ("buildings.toml", 'colour = "red"', 'colour = "blue"', ("building 1, colour", "needed: 'red'")),
    ("buildings.toml", 'kind = "produce"', 'kind = "prodcue"', ("building 1, kind", "did you mean 'produce'?")),
    ("buildings.toml", "inputs = { fish = 1 }\n", "", ("building 1", "needs inputs")),
    ("buildings.toml", 'kind = "foro"', 'kind = "foro"\ninputs = { wine = 1 }', ("building 17", "takes no inputs")),
    ("buildings.toml", 'kind = "foro"', 'kind = "tempio"', ("building 17, kind", "needed: 'foro'")),
    ("buildings.toml", "output = { coal = 1 }", "output = { coal = 1, iron = 1 }", ("building 1", "exactly one kind")),
    ("buildings.toml", "output = { coal = 1 }", "output = { fish = 1 }", ("building 1", "'fish' is both")),
    # costs
    ("costs.toml", "wood = 1", "wod = 1", ("cost build.red, goods", "'wod'", "'wood'")),
    ("costs.toml", "wood = 1", "wood = -1", ("cost build.red, goods.wood", "nearest valid: 1")),
    ("costs.toml", 'id = "build.red"', 'id = "build.rde"', ("cost build.rde", "did you mean 'build.red'?")),
    ("costs.toml", 'id = "army"', 'id = "build.blue"', ("cost build.blue stands twice", "missing: army")),
    ("costs.toml", "goods = { wine = 1 }", "goods = {}", ("cost release.C12, goods", "at least one good")),
    ("costs.toml", '"goods.sword" = [1, 3]', '"goods.swrod" = [1, 3]', ("cost army, range", "'swrod'", "'sword'")),
    # cards
    ("specialists.toml", 'id = "S07"', 'id = "S08"', ("card S08 stands twice", "missing: S07")),
    ("specialists.toml", 'id = "S07"', 'id = "S53"', ("unknown card S53",)),
    ("specialists.toml", 'id = "S07"', 'id = "7"', ("card 7, id", "pattern")),
    ("specialists.toml", 'place = "field:deer"', 'place = "field:dear"', ("card S02, place", "'dear'", "'deer'")),
    ("specialists.toml", 'place = "field:deer"', 'place = "field:flour"', ("card S02, place", "unknown field 'flour'")),
    ("specialists.toml", 'place = "field:deer"', 'place = "porta"', ("card S02", "'porta'", "field:<good>")),
    ("specialists.toml", 'place = "building:7"', 'place = "building:21"', ("card S23", "building:<1..20>")),
    ("specialists.toml", 'place = "building:7"', 'place = "building:16"', ("card S23, place", "building:15")),
    ("specialists.toml", 'place = "piazza"', 'place = "foro"', ("card S05", "'foro'", "piazza")),
    ("specialists.toml", "cost = { grain = 1 }", "cost = { grian = 1 }", ("card S01, cost", "'grian'", "'grain'")),
    ("specialists.toml", "cost = { grain = 1 }\n", "", ("card S01, cost", "is missing")),
    (
        "specialists.toml",
        'op = "waive", good = "reed"',
        'op = "waive", good = "rede"',
        ("card S49, effect.good", "'reed'"),
    ),
    ("specialists.toml", "goods = { flour = 1 }", "goods = { flor = 1 }", ("card S14, effect.goods", "'flour'")),
    ("specialists.toml", "inputs = { deer = 1 }", "inputs = { deur = 1 }", ("card S24, effect.inputs", "'deer'")),
    ("specialists.toml", "output = { meat = 1 }", "output = { maet = 1 }", ("card S24, effect.output", "'meat'")),
    ("specialists.toml", 'op = "field_plus"', 'op = "feild_plus"', ("card S01, effect", "did you mean 'field_plus'?")),
    ("specialists.toml", 'op = "field_plus", extra = 1', 'op = "field_plus"', ("card S01, effect", "needs extra")),
    ("specialists.toml", "extra = 1 }", "extra = 1, count = 1 }", ("card S01, effect", "takes no count")),
    ("specialists.toml", "extra = 1 }", "extar = 1 }", ("card S01, effect", "did you mean 'extra'?")),
    ("specialists.toml", 'mark = "always"', 'mark = "once"', ("card S01", "belongs to mark 'always'")),
    ("specialists.toml", 'mark = "always"', 'mark = "alwasy"', ("card S01, mark", "did you mean 'always'?")),
    ("city.toml", 'id = "C52"', 'id = "C51"', ("card C51 stands twice", "missing: C52")),
    ("city.toml", "draw = 5, keep = 2", "draw = 5, keep = 6", ("card C04, effect", "keep at most 5")),
    ("city.toml", 'deck = "city"', 'deck = "citty"', ("card C04, effect.deck", "did you mean 'city'?")),
    ("city.toml", "change = -3", "change = 0", ("card C02, effect", "does nothing")),
    ("city.toml", "tokens = 2", "tokens = 0", ("card C14, effect.tokens", "nearest valid: 1")),
    ("city.toml", 'mark = "star"\nplace = ""', 'mark = "star"\nplace = "foro"', ("card C02", 'place = ""')),
    (
        "city.toml",
        'op = "army_less", goods = { gold_coin = 1 }',
        'op = "army_less", goods = { coin = 1 }',
        ("card C50, effect.goods", "'gold_coin'"),
    ),
    ("city.toml", 'place = "building:19"', 'place = "building:18"', ("card C50", "building:19")),
    # volcano, track, titles
    ("volcano.toml", 'goods = ["grain", "flour"]', 'goods = ["grain", "floor"]', ("card VA01, goods", "'flour'")),
    ("volcano.toml", 'goods = ["grain", "flour"]', 'goods = ["grain", "grain"]', ("card VA01, goods", "stands twice")),
    ("volcano.toml", 'goods = ["grain", "flour"]', "goods = []", ("card VA01, goods", "at least 1")),
    ("volcano.toml", 'id = "VB09"', 'id = "VB10"', ("card VB10 stands twice", "missing: VB09")),
    ("volcano.toml", 'id = "VB09"', 'id = "VB18"', ("unknown card VB18", "did you mean")),
    ("track.toml", "cycle = 3", "cycle = 0", ("track.toml, awakened.cycle", "nearest valid: 1")),
    ("track.toml", "cycle = 3", "cylce = 3", ("track.toml, awakened", "did you mean 'cycle'?")),
    ("track.toml", "[awakened]", "[awakend]", ("track.toml", "did you mean 'awakened'?")),
    ("titles.toml", "cards_left = 3", "cards_left = 4", ("title", "share cards_left 4")),
    # provenance
    (
        "goods.toml",
        'provenance = "stated"',
        'provenance = "statd"',
        ("good grain, provenance", "did you mean 'stated'?"),
    ),
    ("goods.toml", 'source = "Action 1: Resources"\n', "", ("good grain", "needs a source")),
    ("volcano.toml", 'confidence = "low"\n', "", ("card VA01", "needs confidence")),
    ("volcano.toml", 'provenance = "assumed"', 'provenance = "calibrated"', ("card VA01", "needs old")),
    (
        "volcano.toml",
        'provenance = "assumed"',
        'provenance = "calibrated"\nold = "1"\ntarget = "length"',
        ("card VA01", "script (what did it)"),
    ),
    (
        "costs.toml",
        'range = { "goods.sword" = [1, 3], "goods.gold_coin" = [1, 3], "goods.cloth" = [1, 3] }',
        '[cost.fields.goods]\nprovenance = "calibrated"\nold = "3"\ntarget = "length"\nscript = "calibration"',
        ("cost army", "needs range"),
    ),
    ("buildings.toml", "[building.fields.inputs]", "[building.fields.input]", ("building 1", "did you mean 'inputs'?")),
    ("goods.toml", "range = { value = [2, 4] }", "range = { value = [4, 2] }", ("good oil", "lower number first")),
    ("goods.toml", "range = { value = [2, 4] }", "range = { vaule = [2, 4] }", ("good oil", "did you mean 'value'?")),
    ("goods.toml", "range = { value = [2, 4] }", "range = { name = [2, 4] }", ("good oil", "points at no number")),
    ("goods.toml", "range = { value = [2, 4] }", "range = { value = [2] }", ("good oil, range.value", "at least 2")),
]


@pytest.mark.parametrize(("name", "old", "new", "wanted"), CASES, ids=[f"{c[0][:-5]}-{i}" for i, c in enumerate(CASES)])
def test_mistake(folder: Path, name: str, old: str, new: str, wanted: tuple[str, ...]) -> None:
    edit(folder, name, old, new)
    text = complaint(folder)
    assert text.startswith(name)
    for part in wanted:
        assert part in text, text


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("specialists.toml", 'id = "S52"'),
        ("city.toml", 'id = "C52"'),
        ("volcano.toml", 'id = "VC17"'),
        ("buildings.toml", "number = 20"),
    ],
)
def test_missing_last_entry(folder: Path, name: str, start: str) -> None:
    text = (folder / name).read_text("utf-8")
    (folder / name).write_text(text[: text.index(start)].rpartition("[[")[0], "utf-8")
    message = complaint(folder)
    assert message.startswith(f"{name}: ")
    assert "missing" in message
    assert start.split("= ")[1].strip('"') in message


def test_missing_file_names_it(folder: Path) -> None:
    (folder / "volcano.toml").unlink()
    assert complaint(folder).startswith("volcano.toml: file is missing")


def test_toml_syntax_error_names_the_line(folder: Path) -> None:
    lines = (folder / "city.toml").read_text("utf-8").splitlines()
    lines[9] = "effect = { op = "
    (folder / "city.toml").write_text("\n".join(lines), "utf-8")
    text = complaint(folder)
    assert text.startswith("city.toml: not valid TOML")
    assert "line 10" in text


def test_text_that_is_not_utf8_names_the_line(folder: Path) -> None:
    path = folder / "titles.toml"
    path.write_bytes(path.read_bytes().replace(b'name = "Duumvir"', b'name = "Duumv\xefr"'))
    text = complaint(folder)
    assert "not UTF-8" in text
    assert "line 5" in text


def test_misspelt_file_is_not_ignored(folder: Path) -> None:
    shutil.copy(folder / "city.toml", folder / "citty.toml")
    assert "did you mean 'city.toml'?" in complaint(folder)


def test_one_table_instead_of_a_list(folder: Path) -> None:
    (folder / "titles.toml").write_text('[title]\ncards_left = 1\nname = "x"\n', "utf-8")
    assert "write [[title]]" in complaint(folder)


def test_33_goods(folder: Path) -> None:
    path = folder / "goods.toml"
    more = "".join(
        f'[[good]]\nid = "more_{c}"\nname = "more"\nvalue = 2\nprovenance = "assumed"\nconfidence = "low"\n'
        for c in "abcdefg"
    )
    path.write_text(path.read_text("utf-8") + more, "utf-8")
    text = complaint(folder)
    assert "33 goods" in text
    assert "at most 32" in text


def test_one_star_card_too_few(folder: Path) -> None:
    edit(
        folder,
        "city.toml",
        'mark = "star"\nplace = ""\neffect = { op = "offering_value", change = -3 }',
        'mark = "once"\nplace = "foro"\neffect = { op = "gain", goods = { gold = 1 } }',
    )
    edit(folder, "city.toml", 'range = { "effect.change" = [-5, -1] }\n', "")
    text = complaint(folder)
    assert "4 cards have mark 'star'" in text
    assert "exactly 5" in text


def test_one_more_one_time_specialist(folder: Path) -> None:
    edit(
        folder,
        "specialists.toml",
        'mark = "always"\nplace = "field:grain"\ncost = { grain = 1 }\neffect = { op = "field_plus", extra = 1 }',
        'mark = "once"\nplace = "piazza"\ncost = { grain = 1 }\neffect = { op = "gain", goods = { gold = 1 } }',
    )
    text = complaint(folder)
    assert "5 cards have mark 'once' (S01" in text
    assert "exactly 4" in text


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such data folder.*catalog export"):
        load_data(tmp_path / "none")


def test_unknown_good_lookup_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'grain'"):
        load_data().good_index("grian")
