"""The documentation is true: its commands run, its outputs are theirs, its links lead somewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from documented import ROOT, Desk, bare, documents, steps  # noqa: E402
from tables import table  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", documents(), ids=name)
def test_commands_run_and_print_what_the_document_shows(path: Path, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    printed = ""
    for step in steps(path.read_text("utf-8")):
        where = f"{name(path)}:{step.line}"
        if step.what == "file":
            desk.write(step)
        elif step.what == "run":
            done = desk.run(step)
            assert done.returncode == 0, f"{where}\n{done.stderr}"
            assert "Warning" not in done.stderr, where
            printed = bare(done.stdout)
        else:
            made = table(step.name) if step.what == "table" else printed
            assert step.text == made, f"{where}: to write it anew: python tests/docs/refresh.py {name(path)}"


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("https://", "http://")):
            assert (path.parent / target).exists(), target


def test_every_page_is_linked() -> None:
    """Whatever is documented can be reached from the README."""
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            if not target.startswith(("https://", "http://")) and (page.parent / target).is_file():
                waiting.append(page.parent / target)
    assert [name(p) for p in PAGES if p.resolve() not in seen] == []
