"""The verb ``report``: what it prints, its exit codes, its one-line errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TOY = Path(__file__).resolve().parents[1] / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

from toy_install import document, install, uninstall  # noqa: E402

Cli = Callable[..., Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    import pompeii_sim

    install()
    folder = tmp_path_factory.mktemp("report") / "coins"
    pompeii_sim.run(document("eager", "eager", games=60), out=folder)
    yield folder
    uninstall()


def test_the_path_goes_to_stdout_and_the_rest_to_stderr(
    cli: Cli, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = cli("report", run)
    assert (said.code, said.out) == (0, "reports/coins.html\n")
    assert "reading" in said.err
    assert "<title>Toy: coins</title>" in (tmp_path / "reports" / "coins.html").read_text("utf-8")
    said = cli("report", run, "--out", "x.md", "--title", "Coins", "--quiet")
    assert (said.code, said.out, said.err) == (0, "x.md\n", "")
    assert (tmp_path / "x.md").read_text("utf-8").startswith("# Coins\n")


def test_wrong_use_is_one_line_and_writes_nothing(cli: Cli, run: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.html"
    target.write_text("mine")
    for words, told in (
        ([run, "--out", target], "exists already"),
        ([run, "--out", tmp_path / "x.pdf"], "'.pdf'"),
        ([tmp_path / "nowhere", "--out", tmp_path / "y.html"], "no such run folder"),
        ([], "missing argument"),
        ([run, "--effect", "2", "--out", tmp_path / "y.html"], "--effect"),
    ):
        said = cli("report", "-q", *words) if words else cli("report")
        assert said.code == 2, words
        assert said.out == ""
        assert said.err.startswith("error: ")
        assert said.err.count("\n") == 1
        assert told in said.err
    assert target.read_text() == "mine"
    assert [p.name for p in tmp_path.iterdir()] == ["x.html"]
    assert cli("report", "-q", run, "--out", target, "--force").code == 0
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")
