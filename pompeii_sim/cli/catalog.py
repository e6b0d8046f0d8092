"""``catalog``: all data of a game with provenance, and ``catalog export`` for a folder to edit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from pompeii_sim.cli.options import FormatOption, GameOption, QuietOption, note
from pompeii_sim.cli.output import Format, emit, write
from pompeii_sim.errors import InputError, nearest

EXPORT = "export"


def catalog(
    section: Annotated[
        str | None, typer.Argument(metavar="SECTION|export", help="One section of the data, or the word export.")
    ] = None,
    target: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="After export: the folder to write, which must not exist.")
    ] = None,
    game: GameOption = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="An edited data folder instead of the shipped one.")
    ] = None,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Show a game's data and where each datum comes from; 'catalog export DIR' writes a folder to edit.

    Without a section: how many entries each section has, by provenance (JSON and CSV: all entries).
    """
    import pompeii_sim

    if section == EXPORT:
        if target is None:
            raise InputError("names no folder", where="catalog export", hint="write: catalog export DIR")
        folder = pompeii_sim.export_data(target, game)
        write(str(folder))
        note(f'edit it, then name it in a scenario: data = "{folder}"', quiet=quiet)
        return
    if target is not None:
        raise InputError(f"too many words: {str(target)!r}", where="catalog", hint="one section at a time")
    if data is not None and not data.is_dir():
        raise InputError("no such folder", where=str(data), hint="make one with: catalog export DIR")
    sections = pompeii_sim.catalog(game, data)
    if section is not None and section not in sections:
        raise InputError(f"no section {section!r}", where="catalog", hint=nearest(section, [*sections, EXPORT]))
    chosen = sections if section is None else {section: sections[section]}
    records = [
        {
            "section": name,
            "id": e.id,
            "name": e.name,
            **(dict(e.fields) if section is not None else {"fields": dict(e.fields)}),
            "provenance": e.provenance,
            "note": e.note,
        }
        for name, listed in chosen.items()
        for e in listed
    ]
    if section is None and form in (Format.table, Format.md):
        emit(counts(chosen), form)
        note("one section: catalog SECTION; everything: catalog --format json or csv", quiet=quiet)
        return
    if section is not None and form in (Format.table, Format.md):
        records = [{k: v for k, v in r.items() if k != "section"} for r in records]
    emit(records, form, document={"provenance": counts(chosen), "entries": records})


def counts(sections: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return one record a section, and one for all: entries by provenance."""
    by_section = {name: Counter(e.provenance for e in listed) for name, listed in sections.items()}
    total = sum(by_section.values(), Counter[str]())
    kinds = list(dict.fromkeys(kind for c in by_section.values() for kind in c))
    rows = by_section if len(by_section) == 1 else {**by_section, "all": total}
    return [
        {"section": name, "entries": sum(c.values()), **{kind: c.get(kind, 0) for kind in kinds}}
        for name, c in rows.items()
    ]
