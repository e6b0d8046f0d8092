"""Write the real outputs into the documents: ``python tests/docs/refresh.py [DOCUMENT ...]``, all by default."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from documented import Desk, bare, documents, steps
from tables import table


def refresh(path: Path) -> bool:
    """Execute a document and put what its commands print in its place; return whether anything changed."""
    text = before = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        printed, shift = "", 0
        for step in steps(text):
            if step.what == "file":
                desk.write(step)
            elif step.what == "run":
                done = desk.run(step)
                if done.returncode:
                    raise SystemExit(f"{path}:{step.line}: exit {done.returncode}\n{done.stderr}")
                printed = bare(done.stdout)
            else:
                if step.what == "table":
                    printed = table(step.name)
                plain = printed.startswith("|")
                new = f"\n{printed}" if plain else f"\n```text\n{printed}```\n"
                text = text[: step.start + shift] + new + text[step.end + shift :]
                shift += len(new) - (step.end - step.start)
    if text != before:
        path.write_text(text, "utf-8")
    return text != before


if __name__ == "__main__":
    for document in [Path(name) for name in sys.argv[1:]] or documents():
        sys.stderr.write(f"{document}: {'changed' if refresh(document) else 'as it was'}\n")
