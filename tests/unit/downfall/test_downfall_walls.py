"""No game's name or term stands outside the games' room."""

from __future__ import annotations

import re
from pathlib import Path

import pompeii_sim

ROOT = Path(pompeii_sim.__file__).parent
TERMS = (
    "downfall", "omens?", "lava", "vents?", "erupts?", "eruptions?", "vesuvius", "ad79", "relatives", "casualt(y|ies)",
    "volcano", "apocalypse", "castrum", "foro", "specialists?", "offerings?", "awakening", "tempio", "glory",
    "last_days", "severus", "corvus",
)  # fmt: skip
WORDS = re.compile(rf"\b({'|'.join(TERMS)})\b|\bpompeii(?![_-]sim)\b", re.IGNORECASE)


def test_no_game_is_named_outside_games() -> None:
    found = []
    for path in sorted(ROOT.rglob("*")):
        if path.suffix not in (".py", ".j2", ".html", ".css") or path.relative_to(ROOT).parts[0] == "games":
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if WORDS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


def test_the_search_sees_a_name() -> None:
    for line in ("games.get('downfall')", "the Pompeii game", "# an Offering fails"):
        assert WORDS.search(line)
    for line in ("import pompeii_sim", "pompeii-sim run", "an instance of a solvent"):
        assert not WORDS.search(line)


def test_one_game_never_reads_another() -> None:
    games = [p for p in (ROOT / "games").iterdir() if p.is_dir() and p.name != "__pycache__"]
    assert len(games) >= 2
    for own in games:
        for path in own.rglob("*.py"):
            for other in games:
                if other != own:
                    assert f"games.{other.name}" not in path.read_text("utf-8"), path
