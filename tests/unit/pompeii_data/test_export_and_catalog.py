"""Export, edit, load again; the content hash; the catalogue."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import tomli_w

from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.catalog import entries, export_data
from pompeii_sim.games.pompeii.data_files import FILES, load_data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "new" / "data"
    export_data(target)
    return target


def test_export_loads_to_the_same_content(folder: Path) -> None:
    assert sorted(p.name for p in folder.iterdir()) == sorted([*FILES, "README.txt"])
    exported, shipped = load_data(folder), load_data()
    assert exported.content_hash == shipped.content_hash
    assert exported.folder == folder
    assert len(shipped.content_hash) == 64
    assert exported.entries() == shipped.entries()


def test_export_overwrites_nothing(folder: Path) -> None:
    before = (folder / "goods.toml").read_bytes()
    with pytest.raises(InputError, match="exists already"):
        export_data(folder)
    assert (folder / "goods.toml").read_bytes() == before


def test_export_below_a_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        export_data(tmp_path / "file" / "data")


def test_hash_ignores_layout_comments_key_order_and_entry_order(folder: Path) -> None:
    before = load_data(folder).content_hash
    for name in FILES:
        parsed = tomllib.loads((folder / name).read_text("utf-8"))
        turned = {
            k: [dict(reversed(e.items())) for e in (v if name == "goods.toml" else reversed(v))]
            if isinstance(v, list)
            else dict(reversed(v.items()))
            for k, v in parsed.items()
        }
        (folder / name).write_text("# a comment\n" + tomli_w.dumps(turned), "utf-8")
    after = load_data(folder)
    assert after.content_hash == before
    assert [c.id for c in after.city] == [f"C{n:02d}" for n in range(1, 53)]
    assert list(after.costs) == list(load_data().costs)


def test_hash_ignores_a_written_out_default(folder: Path) -> None:
    before = load_data(folder).content_hash
    path = folder / "goods.toml"
    path.write_text(path.read_text("utf-8").replace('id = "grain"', 'id = "grain"\ncards_only = false'), "utf-8")
    assert load_data(folder).content_hash == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("costs.toml", "goods = { sword = 2,", "goods = { sword = 3,"),
        ("goods.toml", 'name = "cloth"', 'name = "linen"'),
        ("specialists.toml", 'confidence = "low"', 'confidence = "high"'),
        ("volcano.toml", 'goods = ["grain", "flour"]', 'goods = ["grain", "planks"]'),
        ("track.toml", "cycle = 3", "cycle = 4"),
        ("titles.toml", "cards_left = 4", "cards_left = 5"),
    ],
)
def test_hash_sees_every_change_of_content(folder: Path, name: str, old: str, new: str) -> None:
    before = load_data(folder).content_hash
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    assert load_data(folder).content_hash != before


def test_hash_sees_the_order_of_goods(folder: Path) -> None:
    path = folder / "goods.toml"
    goods = tomllib.loads(path.read_text("utf-8"))["good"]
    path.write_text(tomli_w.dumps({"good": [goods[1], goods[0], *goods[2:]]}), "utf-8")
    changed = load_data(folder)
    assert changed.good_ids[:2] == ("deer", "grain")
    assert changed.content_hash != load_data().content_hash


def test_a_designer_adds_goods_up_to_32(folder: Path) -> None:
    path = folder / "goods.toml"
    more = "".join(
        f'[[good]]\nid = "more_{c}"\nname = "more"\nvalue = 2\nprovenance = "assumed"\nconfidence = "low"\n'
        for c in "abcdef"
    )
    path.write_text(path.read_text("utf-8") + more, "utf-8")
    assert len(load_data(folder).goods) == 32


def test_a_cost_may_drop_a_good_that_has_a_range(folder: Path) -> None:
    path = folder / "costs.toml"
    text = path.read_text("utf-8").replace("goods = { sword = 2, gold_coin = 2, cloth = 2 }", "goods = { sword = 2 }")
    path.write_text(text, "utf-8")
    assert load_data(folder).costs["army"].goods == {"sword": 2}


def test_catalog_has_every_entry_as_plain_values() -> None:
    data = load_data()
    shown = entries(data)
    assert {k: len(v) for k, v in shown.items()} == {
        "goods": 26,
        "buildings": 20,
        "costs": 9,
        "specialists": 52,
        "city": 52,
        "volcano": 51,
        "track": 2,
        "titles": 4,
    }
    assert data.catalog() == shown
    for listed in shown.values():
        assert len({e.id for e in listed}) == len(listed)
        for entry in listed:
            assert entry.name
            assert entry.provenance in ("stated", "review", "deduced", "assumed", "calibrated")
            assert all(isinstance(v, str | int | bool) for v in entry.fields.values())
            json.dumps(dict(entry.fields), allow_nan=False)
    counts = data.provenance_counts()
    for origin, n in counts.items():
        assert sum(e.provenance == origin for listed in shown.values() for e in listed) == n


def test_catalog_lines_a_reader_would_look_up() -> None:
    shown = {e.id: e for listed in entries(load_data()).values() for e in listed}
    assert shown["S30"].fields == {
        "mark": "always",
        "place": "building:7",
        "effect": "produce_plus",
        "arguments": "extra 2",
        "cost": "1 flour",
    }
    assert shown["S30"].provenance == "stated"
    assert shown["12"].fields["inputs"] == "1 grapes + 1 pottery"
    assert "inputs assumed: medium confidence" in shown["12"].note
    assert "goods.sword 1 to 3" in shown["army"].note
    assert shown["VB02"].fields["goods"] == "fish, planks, oil"
    assert shown["4"].name == "Segheria" or shown["4"].name == "Duumvir"
