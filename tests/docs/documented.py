"""What the documentation shows: commands that are run, and the output that they must have.

A fenced block after a line ``<!-- run -->`` is executed (sh, or python). The text between ``<!-- output -->`` and
``<!-- end -->`` is what the block before it prints on stdout. A block after ``<!-- file NAME -->`` is a file that the
blocks below it use. Between ``<!-- table NAME -->`` and ``<!-- end -->`` stands a table made from the code. Everything
of one document is executed in one folder, in order.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # for `refresh.py` where the package is not installed
    sys.path.append(str(ROOT))
MARK = re.compile(r"^<!-- (?P<what>run|output|file|table)(?: (?P<name>\S+))? -->$", re.MULTILINE)
FENCE = re.compile(r"\n```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
END = "<!-- end -->"


@dataclass(frozen=True)
class Step:
    """One marked piece of a document: `what` is run, output, table or file; `start` and `end` are places in it."""

    what: str
    name: str
    kind: str
    text: str
    start: int
    end: int
    line: int


def documents() -> list[Path]:
    """Return all documents with marked blocks."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in found if MARK.search(path.read_text("utf-8"))]


def steps(document: str) -> list[Step]:
    """Return the marked pieces of a document in order."""
    out = []
    for mark in MARK.finditer(document):
        line = document.count("\n", 0, mark.start()) + 1
        if mark["what"] in ("output", "table"):
            end = document.index(END, mark.end())
            text = bare(document[mark.end() : end])
            out.append(Step(mark["what"], mark["name"] or "", "", text, mark.end(), end, line))
            continue
        fence = FENCE.match(document, mark.end())
        if fence is None:
            raise ValueError(f"line {line}: no fenced block below the mark")
        out.append(Step(mark["what"], mark["name"] or "", fence["kind"], fence["text"], *fence.span("text"), line))
    return out


def bare(text: str) -> str:
    """Return an output without the fence around it."""
    lines = text.strip().splitlines()
    return "\n".join(line.rstrip() for line in lines if not line.startswith("```")) + "\n"


class Desk:
    """A folder in which the commands of a document work as they would for a reader.

    Parameters
    ----------
    folder
        An empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "desk"
        commands = folder / "commands"
        commands.mkdir()
        shutil.copytree(ROOT / "scenarios", self.folder / "scenarios")
        command = commands / "pompeii-sim"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pompeii_sim.cli.main "$@"\n')
        command.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "NO_COLOR": "1",
        }

    def run(self, step: Step) -> subprocess.CompletedProcess[str]:
        """Execute a block."""
        if step.kind == "python":
            words = [sys.executable, "-W", "ignore", "-c", step.text]
        else:
            words = ["sh", "-eu", "-c", step.text]
        return subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1500,
            check=False,
        )

    def write(self, step: Step) -> None:
        """Write a file that the document shows."""
        path = self.folder / step.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, "utf-8")
