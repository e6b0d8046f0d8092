"""Parts: equal bytes for equal rows, and no damage goes unseen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from pompeii_sim.errors import InputError
from pompeii_sim.store.atomic import json_bytes, write_bytes
from pompeii_sim.store.folder import RunFolder, cells_frame
from pompeii_sim.store.parts import DamagedPart, PartTag, content_hash, encode, first_of, part_name, read_part, read_tag

TAG = PartTag(plan="abc", cell=2, first=40, games=100)


def _frame(n: int = 100) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "game": np.arange(40, 40 + n),
            "score": rng.random(n).astype(np.float32),
            "rank": rng.integers(0, 4, n, np.int8),
        }
    )


def test_round_trip_and_equal_bytes(tmp_path: Path) -> None:
    data = encode(_frame(), TAG)
    assert data == encode(_frame(), TAG)
    path = tmp_path / part_name(40)
    path.write_bytes(data)
    frame, tag = read_part(path)
    assert tag == TAG == read_tag(path)
    assert frame.equals(_frame())
    assert first_of(path) == 40
    assert pl.read_parquet_metadata(path)["content"] == content_hash(_frame())


def test_content_hash_sees_names_types_values_and_order() -> None:
    base = _frame()
    others = [
        base.rename({"rank": "place"}),
        base.with_columns(pl.col("rank").cast(pl.Int16)),
        base.with_columns(pl.when(pl.col("game") == 77).then(9).otherwise(pl.col("rank")).cast(pl.Int8).alias("rank")),
        base.reverse(),
        base.head(99),
    ]
    assert len({content_hash(f) for f in (base, *others)}) == 6


@pytest.mark.parametrize("damage", ["byte less", "empty", "no footer", "flipped", "foreign"])
def test_damage_is_found(tmp_path: Path, damage: str) -> None:
    data = bytearray(encode(_frame(), TAG))
    path = tmp_path / part_name(40)
    if damage == "byte less":
        data = data[:-1]
    elif damage == "empty":
        data = bytearray()
    elif damage == "no footer":
        data = data[: len(data) // 2]
    elif damage == "flipped":
        data[len(data) // 4] ^= 0x10
    path.write_bytes(data)
    if damage == "foreign":
        _frame().write_parquet(path)
    with pytest.raises(DamagedPart) as caught:
        read_part(path)
    assert str(path) in str(caught.value)
    if damage == "empty":
        assert caught.value.reason == "empty"


def test_every_flipped_byte_is_found_or_harmless(tmp_path: Path) -> None:
    """A flipped byte either shows as damage or changes nothing that is read."""
    data = encode(_frame(20), TAG)
    path = tmp_path / part_name(40)
    found = 0
    for at in range(0, len(data), 7):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        path.write_bytes(broken)
        try:
            frame, tag = read_part(path)
        except DamagedPart:
            found += 1
        else:
            assert frame.equals(_frame(20))
            assert isinstance(tag.games, int)
    assert found > 100


def test_folder_checks_place_plan_and_columns(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    columns = ["game", "score", "rank"]
    folder.write_part("games", 2, 40, encode(_frame(), TAG))
    assert folder.read(2, 40, plan="abc", columns=columns).games == 100
    assert folder.firsts(2) == [40]
    assert folder.firsts(0) == []
    with pytest.raises(DamagedPart, match="plan"):
        folder.read(2, 40, plan="other", columns=columns)
    with pytest.raises(DamagedPart, match="columns"):
        folder.read(2, 40, plan="abc", columns=columns[:2])
    folder.write_part("games", 3, 40, encode(_frame(), TAG))
    with pytest.raises(DamagedPart, match="cell"):
        folder.read(3, 40, plan="abc", columns=columns)
    folder.write_part("games", 2, 41, encode(_frame(), PartTag(plan="abc", cell=2, first=41, games=100)))
    with pytest.raises(DamagedPart, match="games its name says"):
        folder.read(2, 41, plan="abc", columns=columns)


def test_temporaries_are_swept(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    folder.write_part("games", 0, 0, b"x")
    left = tmp_path / "run" / "games" / "cell=0" / "part-000000000500.parquet.77.tmp"
    left.write_bytes(b"half")
    assert folder.sweep_temporaries() == [str(left.relative_to(tmp_path / "run"))]
    assert not left.exists()
    assert folder.firsts(0) == [0]


def test_failed_write_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "summary.json"
    write_bytes(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left on device") as caught:
        write_bytes(path, b"new")
    assert "--resume" in str(caught.value)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["summary.json"]


def test_json_has_no_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_bytes({"x": float("nan")})


def test_cells_frame_keeps_types_and_mixed_values_as_text() -> None:
    cells = [
        {"cell": i, "kinds": ("a", "b"), "arrangements": 2, "part_games": 10, "settings": s}
        for i, s in enumerate([{"n": 9, "m": 9, "k": True}, {"n": 10, "m": "all", "k": False}])
    ]
    frame = cells_frame(cells)
    assert frame["n"].to_list() == [9, 10]
    assert frame["m"].to_list() == ["9", "all"]
    assert frame["k"].to_list() == [True, False]
    assert frame["kinds"].to_list() == [["a", "b"], ["a", "b"]]
