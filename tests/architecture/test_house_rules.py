"""What import-linter does not see: terms of games, sizes, printing, and a few ways to lose an error."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import pompeii_sim
from pompeii_sim import games

PACKAGE = Path(pompeii_sim.__file__).parent
ROOT = Path(__file__).parents[2]
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 600

OWN_NAME = re.compile(r"pompeii[-_ ]sim", re.IGNORECASE)
# fmt: off
TERMS = (
    "vesuvius", "volcano", "volcanic", "eruption", "erupt", "apocalypse", "apocalyptic", "castrum", "foro", "tempio",
    "piazza", "costruzione", "specialist", "awakening", "lava", "pumice", "omen", "casualty", "casualties", "patron",
)
# fmt: on
"""Words that belong to one game only, wherever they stand."""

EXAMPLES = {"difficulty", "stance", "goods", "offering", "army", "sword", "victory"}
"""Words of a game that documentation may use as examples, but code may not."""

SPOKEN = {("cli/options.py", "difficulty"), ("cli/run.py", "victory")}
"""Examples in help texts."""


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def outside() -> list[Path]:
    return [path for path in MODULES if "games" not in path.relative_to(PACKAGE).parts[:-1]]


def words(text: str) -> set[str]:
    """Return the words of a text, also those inside ``snake_case`` and ``CamelCase``; plurals count as singulars."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", OWN_NAME.sub(" ", text))
    lower = {part.lower() for part in parts}
    return lower | {word.removesuffix("s") for word in lower}


def code_words(path: Path) -> set[str]:
    """Return the words of names and of texts that are no documentation."""
    source = path.read_text("utf-8")
    documentation = {
        node.value.lineno: node.value.end_lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    found: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.start[0] in documentation:
            continue
        if token.type != tokenize.COMMENT:
            found |= words(token.string)
    return found


def rule_names() -> Iterator[str]:
    """Yield all names of rules that are not plain English words."""
    for game in map(games.get, games.names()):
        yield from (field for field in game.Rules.model_fields if "_" in field and field not in GENERAL)


GENERAL = {"decision_cap", "round_cap"}
"""Names that every game could have."""


@pytest.mark.parametrize("path", outside(), ids=name)
def test_no_term_of_a_game_stands_outside_the_games(path: Path) -> None:
    everything = words(path.read_text("utf-8"))
    assert not everything & {*games.names(), *TERMS}
    assert not {(name(path), word) for word in code_words(path) & EXAMPLES} - SPOKEN


def test_no_name_of_a_rule_stands_outside_the_games() -> None:
    names = set(rule_names())
    assert len(names) > 20
    for path in outside():
        found = set(re.findall(r"[a-z]+(?:_[a-z0-9]+)+", path.read_text("utf-8"))) & names
        assert not found, name(path)


def test_the_registry_names_the_main_game_and_no_other() -> None:
    source = (PACKAGE / "games" / "__init__.py").read_text("utf-8")
    lines = [line for line in source.splitlines() if words(line) & {*games.names(), *TERMS, *EXAMPLES}]
    assert lines == [f'MAIN = "{games.MAIN}"']


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_modules_are_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


def test_every_room_says_what_it_is_for() -> None:
    for folder in {path.parent for path in MODULES}:
        documentation = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        assert documentation, name(folder)
        if folder != PACKAGE:
            assert len(documentation.splitlines()) <= 12, name(folder)
    assert not [path for path in MODULES if path.stem in ("utils", "util", "helpers", "misc", "common")]


def calls(path: Path) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_the_command_line_prints(path: Path) -> None:
    if name(path).startswith("cli/"):
        pytest.skip("the command line")
    for call, function in calls(path):
        where = f"{name(path)}:{call.lineno}"
        assert function != "print" or any(k.arg == "file" for k in call.keywords), where
        assert function not in ("sys.stdout.write", "sys.exit", "os._exit"), where


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_chance_comes_from_keys_only(path: Path) -> None:
    """No global generator, no pickle, no clock in play."""
    tree = ast.parse(path.read_text("utf-8"))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert not imported & {"random", "secrets", "pickle", "dill", "shelve"}
    assert "cloudpickle" not in imported or name(path) == "run/recipe.py"  # between the processes of one run
    if name(path).startswith(("games/", "engine/")) and path.name != "jit.py":
        assert not imported & {"time", "datetime"}
    for call, function in calls(path):
        legacy = re.fullmatch(r"(np|numpy)\.random\.(?!default_rng|Generator|SeedSequence|Philox|PCG64)\w+", function)
        assert legacy is None, f"{name(path)}:{call.lineno}"
        assert function != "np.random.default_rng" or call.args, f"{name(path)}:{call.lineno}: without a seed"


def test_files_name_no_place_of_a_machine() -> None:
    for file in [*ROOT.glob("*.toml"), *ROOT.glob("*.md"), ROOT / "constraints.txt", *ROOT.glob("docs/**/*.md")]:
        text = file.read_text("utf-8")
        assert not re.search(r"/(home|Users|work|root)/\w", text), file.name
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+]+", pin) for pin in pins)
