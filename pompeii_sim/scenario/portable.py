"""A scenario that can move: its data folder and player files are named as they will lie beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w

from pompeii_sim.scenario.model import Scenario
from pompeii_sim.scenario.table_players import file_and_name
from pompeii_sim.store.reader import comment_lines

DATA = "data"
PLAYERS = "players"


def to_toml(document: dict[str, Any], comment: str = "") -> str:
    """Return a scenario document as TOML text, below an opening comment if there is one."""
    return comment + tomli_w.dumps(document)


def with_comment(scenario: Scenario, document: dict[str, Any]) -> str:
    """Return a document as TOML text below the comment that the scenario's file begins with: what it asks."""
    lines = [] if scenario.path is None else comment_lines(scenario.path)
    return to_toml(document, "".join(f"{line}\n" for line in lines))


def portable(scenario: Scenario) -> tuple[dict[str, Any], dict[str, Path]]:
    """Return the document as it stands in a run folder, and what must be copied beside it.

    Returns
    -------
    document : dict
        The scenario's document with ``data = "data"`` and players as ``players/<file>.py:<name>``.
    copies : dict
        Relative target -> source, a folder for the data and one file each for the players.

    Notes
    -----
    Two player files of one name are told apart by the number of their place in `Scenario.player_files`.
    """
    base = scenario.base
    copies: dict[str, Path] = {}
    targets: dict[Path, str] = {}
    for number, file in enumerate(scenario.player_files):
        target = f"{PLAYERS}/{file.name}"
        if target in copies:
            target = f"{PLAYERS}/{file.stem}_{number}.py"
        copies[target] = file
        targets[file] = target
    document = _rename(scenario.document, base, targets)
    if scenario.data_dir is not None:
        copies[DATA] = scenario.data_dir
        document["data"] = DATA
    assert isinstance(document, dict)
    return document, copies


def _rename(value: Any, base: Path, targets: dict[Path, str]) -> Any:
    if isinstance(value, dict):
        return {k: _rename(v, base, targets) for k, v in value.items()}
    if isinstance(value, list):
        return [_rename(v, base, targets) for v in value]
    if isinstance(value, str) and (parts := file_and_name(value)) is not None:
        target = targets.get((base / parts[0]).resolve())
        return f"{target}:{parts[1]}" if target else value
    return value
