"""Loading: files, defaults, strict checks, one-line errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pompeii_sim.errors import InputError
from pompeii_sim.scenario import load_scenario, portable, to_toml
from pompeii_sim.scenario.portable import with_comment

pytestmark = pytest.mark.usefixtures("game")

BASE: dict[str, Any] = {"game": "stub", "seats": [{"player": "greedy"}, {"player": "random", "stance": "never"}]}


def with_(**changes: Any) -> dict[str, Any]:
    return {**BASE, **changes}


def error(document: Any, *overrides: str, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        load_scenario(document, overrides, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def test_defaults_are_written_into_the_document() -> None:
    scenario = load_scenario(BASE)
    assert (scenario.seed, scenario.games, scenario.seating) == (1, 1000, "rotate")
    assert scenario.document["seed"] == 1
    assert scenario.document["games"] == 1000
    assert list(scenario.document) == ["game", "seed", "games", "seating", "seats"]
    assert len(scenario.cells) == 1
    assert scenario.cells[0].settings == {}
    assert scenario.cells[0].kinds == ("greedy", "random")


def test_games_and_seed_options_win_over_file_and_overrides() -> None:
    scenario = load_scenario(with_(games=5, seed=7), ["games=6"], games=8, seed=0)
    assert (scenario.games, scenario.seed) == (8, 0)
    assert (scenario.document["games"], scenario.document["seed"]) == (8, 0)


def test_the_mapping_given_is_left_alone() -> None:
    document = with_(rules={"cap": 5})
    load_scenario(document, ["rules.cap=6", "stance=never"])
    assert document["rules"] == {"cap": 5}
    assert document["seats"][0] == {"player": "greedy"}


def test_document_loads_to_the_same_scenario(tmp_path: Path) -> None:
    document = with_(
        rules={"cap": 8},
        data_overrides={"costs": {"army": {"goods": {"sword": 4}}}},
        sweep={"rules": {"difficulty": ["A", "C"]}, "sample": {"n": 5, "ranges": {"skill": {"low": 0.0, "high": 1.0}}}},
    )
    first = load_scenario(document, ["seats.1.stance=cooperative", "games=12"])
    file = tmp_path / "again.toml"
    file.write_text(to_toml(first.document))
    second = load_scenario(file)
    assert second.document == first.document
    for a, b in zip(first.cells, second.cells, strict=True):
        assert (a.settings, a.rules, a.seats, a.kinds, a.data.content_hash) == (
            b.settings, b.rules, b.seats, b.kinds, b.data.content_hash,
        )  # fmt: skip


def test_the_opening_comment_goes_along(tmp_path: Path) -> None:
    file = tmp_path / "asked.toml"
    file.write_text("# Question: who wins?\n#\n" + to_toml(BASE).replace("\n", "\n# no opening\n", 1))
    scenario = load_scenario(file)
    text = with_comment(scenario, scenario.document)
    assert text == "# Question: who wins?\n#\n" + to_toml(scenario.document)
    assert with_comment(load_scenario(BASE), scenario.document) == to_toml(scenario.document)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (with_(gmaes=3), ["unknown key 'gmaes'", "'games'"]),
        ({"seats": []}, ["names no game", "stub"]),
        (with_(game="stib"), ["unknown game 'stib'", "did you mean 'stub'"]),
        (with_(game=3), ["game: 3 is not valid", "text"]),
        (with_(games=0), ["games: 0", "at least 1"]),
        (with_(games=-4), ["games: -4"]),
        (with_(games=2.0), ["games: 2.0"]),
        (with_(games=True), ["games: True"]),
        (with_(seed=2**63), ["64 bits"]),
        (with_(seed="x"), ["seed: 'x'"]),
        (with_(seating="rotat"), ["seating: 'rotat'", "did you mean 'rotate'"]),
        (with_(rules=3), ["rules: must be a table"]),
        (with_(rules={"difficulty": "D"}), ["rules.difficulty: 'D'", "A, B, C"]),
        (with_(rules={"place": "bottm"}), ["rules.place: 'bottm'", "did you mean 'bottom'"]),
        (with_(rules={"cards": "al"}), ["rules.cards: 'al'", "did you mean 'all'"]),
        (with_(rules={"cards": 2.5}), ["rules.cards: 2.5", "'all' or a whole number"]),
        (with_(rules={"cap": "10"}), ["rules.cap: '10'", "a whole number"]),
        (with_(rules={"cap": True}), ["rules.cap: True", "a whole number"]),
        (with_(rules={"cap": 21}), ["rules.cap: 21", "at most 20"]),
        (with_(rules={"open_hands": 1}), ["rules.open_hands: 1", "true or false"]),
        (with_(rules={"dificulty": "A"}), ["unknown key 'dificulty'", "did you mean 'difficulty'"]),
        (with_(rules={"deal": {"hand": {}}}), ["rules.deal.hand", "did you mean 'hands'"]),
        (with_(rules={"deal": {"hands": {"0": [1]}}}), ["rules.deal.hands.0.0: 1", "text"]),
        (with_(rules={"deal": {"gifts": {"10": 1}}}), ["rules.deal.gifts.10: the key '10' is not valid", "at most 1"]),
        (with_(rules={"spaces_at": {"x": "y"}}), ["rules.spaces_at.x: 'y'", "a whole number"]),
        (with_(rules={"cap": 1}), ["rules.cap: cap is below"]),
        ({"game": "stub"}, ["seats: the scenario has no seats", "1 to 4"]),
        (with_(seats=3), ["seats: must be a list"]),
        (with_(seats=[{}] * 5), ["5 seats", "Stub seats 1 to 4"]),
        (with_(seats=[]), ["0 seats"]),
        (with_(seats=[{"player": "gredy"}]), ["seats.0.player: unknown player 'gredy'", "did you mean 'greedy'"]),
        (with_(seats=[{"plyer": "greedy"}]), ["seats.0.plyer", "did you mean 'player'"]),
        (with_(seats=[{}, {"skill": 1.5}]), ["seats.1.skill: 1.5", "at most 1"]),
        (with_(seats=[{"skill": float("nan")}]), ["seats.0.skill: nan is not a finite number"]),
        (with_(seats=[{"stance": "newer"}]), ["seats.0.stance", "did you mean 'never'"]),
        (with_(seats=[{"forbid": ["bild:3"]}]), ["seats.0.forbid: no action 'bild:3'", "did you mean"]),
        (with_(seats=[{"weights": {"valu": 1.0}}]), ["seats.0.weights", "did you mean 'value'"]),
        (with_(seats=[{"player": "random", "weights": {"v": 1.0}}]), ["no weight 'v'", "no weights"]),
        (with_(seats=[{"player": None}]), ["seats.0.player: no value"]),
        (with_(data="nowhere"), ["data: no folder 'nowhere'", "catalog export"]),
        (with_(data=3), ["data: 3 is not valid"]),
    ],
)  # fmt: skip
def test_bad_input_names_place_value_and_the_nearest(document: Any, words: list[str]) -> None:
    text = str(error(document))
    for word in words:
        assert word in text


def test_all_that_is_wrong_is_told_at_once_each_with_its_nearest() -> None:
    wrong = with_(gmaes=3, rules={"dificulty": "A", "cap": 0, "plase": 1}, seats=[{"plyer": "x"}, {"skil": 1.0}])
    text = str(error(wrong))
    assert text == (
        "scenario: unknown key 'gmaes'; did you mean 'games'? "
        "also rules.cap: 0 is not valid; it must be at least 1; "
        "also rules.dificulty: unknown key 'dificulty'; did you mean 'difficulty'? "
        "also rules.plase: unknown key 'plase'; did you mean 'place'? "
        "also seats.0.plyer: unknown key 'plyer'; did you mean 'player'? "
        "also seats.1.skil: unknown key 'skil'; did you mean 'skill'?"
    )
    two = str(error(with_(gmaes=3, sed=4)))
    assert two == (
        "scenario: unknown key 'gmaes'; did you mean 'games'? also scenario: unknown key 'sed'; did you mean 'seed'?"
    )
    swept = str(error(with_(gmaes=3, seats=[{"player": "gredy"}], sweep={"rules.difficulty": ["A", "B"]})))
    assert "'games'? also seats.0.player (cell 0: rules.difficulty = 'A'): unknown player 'gredy'" in swept


def test_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('game = "stub"\n[rules]\ncap = "x"\n')
    assert str(error(file)).startswith(f"{file}: rules.cap: 'x' is not valid")
    file.write_text("game = \n")
    assert "not valid TOML" in str(error(file))
    assert "line 1" in str(error(file))
    file.write_bytes(b"\xff\xfe")
    assert "UTF-8" in str(error(file))
    assert "did you mean 'a.toml'" in str(error(tmp_path / "aa.toml"))
    assert "cannot be read" in str(error(tmp_path))


def test_dates_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('game = "stub"\nseed = 2020-01-01\n')
    assert "a date has no place" in str(error(file))


def test_own_player_is_found_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('never executed')\ndef clever(a):\n    return 0\n")
    file = tmp_path / "a.toml"
    file.write_text('game = "stub"\n[[seats]]\nplayer = "mine.py:clever"\n[[seats]]\n')
    scenario = load_scenario(file)
    assert scenario.player_files == ((tmp_path / "mine.py").resolve(),)
    assert scenario.cells[0].seats[0].player == f"{(tmp_path / 'mine.py').resolve()}:clever"  # type: ignore[attr-defined]
    assert scenario.cells[0].kinds == ("mine.py:clever", "greedy")
    assert scenario.document["seats"][0]["player"] == "mine.py:clever"
    document, copies = portable(scenario)
    assert document["seats"][0]["player"] == "players/mine.py:clever"
    assert copies == {"players/mine.py": (tmp_path / "mine.py").resolve()}


def test_own_player_faults(tmp_path: Path) -> None:
    def load(player: str) -> str:
        return str(error({"game": "stub", "seats": [{"player": player}]}, base=tmp_path))

    (tmp_path / "mine.py").write_text("def clever(a):\n    return 0\n")
    (tmp_path / "bad.py").write_text("def clever(a:\n")
    assert "'mine.py' defines no 'clevr'; did you mean 'clever'?" in load("mine.py:clevr")
    assert "cannot be read" in load("other.py:clever")
    assert "bad.py:1: not valid Python" in load("bad.py:clever")
    assert "mine.py:name" in load("mine.py")


def test_kinds_tell_specs_of_one_player_apart() -> None:
    def kinds(*seats: dict[str, Any]) -> tuple[str, ...]:
        return load_scenario(with_(seats=list(seats))).cells[0].kinds

    assert kinds({}, {"skill": 1.0}) == ("greedy", "greedy")
    assert kinds({"stance": "never"}, {"stance": "never"}) == ("greedy", "greedy")
    assert kinds({"stance": "never"}, {}) == ("greedy[stance=never]", "greedy")
    assert kinds({"skill": 0.5}, {"skill": 0.25, "forbid": ["trade"]}) == (
        "greedy[skill=0.5]",
        "greedy[skill=0.25,forbid=trade]",
    )


def test_data_folder_beside_the_scenario(tmp_path: Path, game: Any) -> None:
    (tmp_path / "mydata").mkdir()
    (tmp_path / "mydata" / "costs.toml").write_text('[[cost]]\nid = "army"\ngoods = { sword = 9 }\n')
    file = tmp_path / "a.toml"
    file.write_text('game = "stub"\ndata = "mydata"\n[[seats]]\n')
    scenario = load_scenario(file)
    assert scenario.data_dir == (tmp_path / "mydata").resolve()
    assert scenario.cells[0].data.content_hash != game.load_data(None).content_hash
    document, copies = portable(scenario)
    assert document["data"] == "data"
    assert copies == {"data": (tmp_path / "mydata").resolve()}


def army(scenario: Any, cell: int = 0) -> Any:
    return {c["id"]: c["goods"] for c in scenario.cells[cell].data.content["costs"]["cost"]}


def test_data_overrides() -> None:
    def goods(*overrides: str) -> Any:
        return army(load_scenario(BASE, overrides))

    assert goods("data.costs.army.goods.sword=5")["army"] == {"sword": 5, "shield": 1}
    assert goods("data.costs.build.red.goods.stone=1")["build.red"] == {"stone": 1}
    assert goods("data.costs.army.goods.spear=2")["army"] == {"sword": 2, "shield": 1, "spear": 2}
    assert goods("data.costs.army.goods.sword=0")["army"] == {"shield": 1}
    assert goods("data.costs.army.sword=7")["army"] == {"sword": 7, "shield": 1}
    assert goods("data_overrides.costs.army.goods={oil=1}")["army"] == {"oil": 1}


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("data.cost.army.goods.sword=1", ["no data file 'cost'", "did you mean 'costs'"]),
        ("data.costs.arm.goods.sword=1", ["data.costs.arm.goods.sword", "no 'arm'", "did you mean 'army'"]),
        ("data.costs.army.good.sword=1", ["no 'good'", "did you mean 'goods'"]),
        ("data.costs=1", ["names a whole file"]),
        ("data.costs.army.goods.sword.x=1", ["is a value, not a table"]),
        ("data.costs.army.goods.sword=-1", ["sword must be at least 1", "costs.toml: army", "after data overrides"]),
    ],
)
def test_data_override_faults(override: str, words: list[str]) -> None:
    text = str(error(BASE, override))
    for word in words:
        assert word in text
    assert "/tmp" not in text
