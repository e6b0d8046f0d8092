"""Every notebook runs in a real kernel without an error or a warning, and is kept without outputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from kernels import ROOT, kernel

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
GAMES = 40
FIGURES = {
    "01_explore_a_run": 1,
    "02_is_B_harder_than_A": 3,
    "03_write_your_own_player": 1,
    "04_change_a_rule": 2,
    "05_two_disasters": 2,
}
"""Figures that each notebook makes."""


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_all_notebooks_are_known() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(FIGURES)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_without_outputs_and_counts(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert 8 <= len(notebook.cells) <= 20
    assert notebook.cells[0].cell_type == "markdown"
    assert re.match(r"# .+\?\n", notebook.cells[0].source)  # opens with the question
    for cell in notebook.cells:
        assert cell.source.strip()
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    assert [c.source.split(" = ")[0] for c in notebook.cells if "parameters" in c.metadata.get("tags", [])] == ["GAMES"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_without_an_error_or_a_warning(path: Path, tmp_path: Path) -> None:
    figures = 0
    with kernel(tmp_path) as running:
        for cell in read(path).cells:
            if cell.cell_type != "code":
                continue
            parameters = "parameters" in cell.metadata.get("tags", [])
            ran = running.run(f"GAMES = {GAMES}" if parameters else cell.source)
            told = "\n".join(c["traceback"][-1] for c in ran.kinds("error"))
            assert ran.status == "ok", f"{cell.source}\n{told}"
            assert ran.printed("stderr") == "", cell.source
            figures += len(ran.shown("image/png"))
    assert figures == FIGURES[path.stem]


def test_the_list_names_every_notebook_with_its_question() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    for path in NOTEBOOKS:
        question = read(path).cells[0].source.splitlines()[0].removeprefix("# ")
        assert f"[{path.name}]({path.name}) | {question} |" in listed
