"""The catalogue of all data as plain values, and the export of a folder a designer can edit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from pompeii_sim.engine.contract import CatalogEntry
from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.data_files import DATA_DIR, FILES, PompeiiData
from pompeii_sim.games.pompeii.data_models import AwakenedTrack, CalmTrack, Entry

_README = """Data of Pompeii, to be edited.

Correct what you know better from the box, then name this folder in a scenario: data = "<this folder>".

goods.toml        goods and their values
buildings.toml    the 20 tiles: inputs and output of one conversion
costs.toml        what buildings, the army and getting workers back cost
specialists.toml  the 52 specialists: place, cost, effect
city.toml         the 52 city cards: place, effect
volcano.toml      the 17 volcano cards of each level A, B, C
track.toml        names of the spaces of the Vesuvius tile
titles.toml       solo titles

Where to look first: every entry with provenance = "assumed", above all those with confidence = "low".
When you correct one from the box, write provenance = "stated", source = "the card" and drop confidence;
a [...fields.<name>] table below an entry speaks for that one field only.
When you change a number to reach a target, write provenance = "calibrated" with old, target, script and range.
All files are needed, with every building and card exactly once; a mistake is reported with its file, entry and field.
`pompeii-sim validate` checks the folder a scenario names; docs/reference/data.md explains the effects.
"""


def export_data(target: Path) -> None:
    """Copy the shipped data folder to a new folder, with a README.txt for whoever edits it.

    Parameters
    ----------
    target
        A path that does not exist yet; missing parents are made.

    Raises
    ------
    InputError
        When the path exists or cannot be written.
    """
    target = Path(target)
    if target.exists() or target.is_symlink():
        raise InputError("exists already, nothing is overwritten", where=str(target), hint="name a new folder")
    try:
        target.mkdir(parents=True)
        for name in FILES:
            shutil.copyfile(DATA_DIR / name, target / name)
        (target / "README.txt").write_text(_README, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(target)) from None


def entries(data: PompeiiData) -> dict[str, list[CatalogEntry]]:
    """Return every entry of the data by section: goods, buildings, costs, specialists, city, volcano, track, titles.

    The provenance shown is that of the least sure field that matters for play; the note says which field it is.
    """
    return {section: [_entry(e) for e in listed] for section, listed in data.entries().items()}


def _entry(entry: Entry) -> CatalogEntry:
    content = entry.content()
    ident, name = _names(entry, content)
    return CatalogEntry(id=ident, name=name, fields=_shown(content), provenance=entry.weakest, note=_note(entry))


def _names(entry: Entry, content: dict[str, Any]) -> tuple[str, str]:
    """Take id and name out of the content."""
    if isinstance(entry, CalmTrack):
        return "calm", "calm side"
    if isinstance(entry, AwakenedTrack):
        return "awakened", "awakened side"
    name = str(content.pop("name", ""))
    for key in ("id", "number"):
        if key in content:
            ident = str(content.pop(key))
            return ident, name or ident
    return str(content["cards_left"]), name


def _shown(content: dict[str, Any]) -> dict[str, Any]:
    """Return plain display values: goods as text such as ``1 reed + 1 wood``, an effect as op and arguments."""
    shown: dict[str, Any] = {}
    for key, value in content.items():
        if key == "effect":
            shown["effect"] = value["op"]
            arguments = {k: _text(v) for k, v in value.items() if k != "op"}
            shown["arguments"] = ", ".join(f"{k} {v}" for k, v in arguments.items())
        else:
            shown[key] = _text(value)
    return shown


def _text(value: Any) -> Any:
    if isinstance(value, dict):
        return " + ".join(f"{n} {good}" for good, n in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value


def _note(entry: Entry) -> str:
    """Say where the entry comes from and which fields differ, with ranges."""
    parts = [_origin_text(entry.source, entry.confidence if entry.provenance == "assumed" else None)]
    if entry.provenance == "calibrated":
        parts.append(f"was {entry.old}, for {entry.target}, by {entry.script}")
    for name, origin in entry.fields.items():
        text = _origin_text(origin.source, origin.confidence if origin.provenance == "assumed" else None)
        text = f"{name} {origin.provenance}" + (f": {text}" if text else "")
        if origin.provenance == "calibrated":
            text += f", was {origin.old}, for {origin.target}, by {origin.script}"
        parts.append(text + (f" ({origin.note})" if origin.note else ""))
    if entry.range:
        shown = [
            f"{path} {low}" if low == high else f"{path} {low} to {high}" for path, (low, high) in entry.range.items()
        ]
        parts.append("plausible: " + ", ".join(shown))
    if entry.note:
        parts.append(entry.note)
    return "; ".join(p for p in parts if p)


def _origin_text(source: str, confidence: str | None) -> str:
    if confidence is None:
        return source
    return f"{confidence} confidence" + (f", {source}" if source else "")
