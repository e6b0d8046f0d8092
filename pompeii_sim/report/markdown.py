"""A report as Markdown for a repository, with its figures as PNG and its tables as CSV beside it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from pompeii_sim.figures.section import Section
from pompeii_sim.report.document import AS_WRITTEN, Chapter, Report
from pompeii_sim.report.drawing import to_png
from pompeii_sim.report.html import file_name
from pompeii_sim.report.tables import csv_text, shown

MOST_ROWS = 60
"""Rows of a table in the text; the file beside it has all."""


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup, no HTML, on one line."""
    line = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", line)


def code(text: str) -> str:
    """Return a text as code, whatever backticks it holds."""
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{text}\n{fence}"


def write_markdown(report: Report, path: Path) -> None:
    """Write a report as Markdown and its figures and tables into a folder of the same name beside it.

    Parameters
    ----------
    report
        The report.
    path
        ``NAME.md``; figures and tables go into ``NAME/``.
    """
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"# {escaped(report.title)}", ""]
    for chapter in report.chapters:
        if len(report.chapters) > 1:
            lines += [f"## {escaped(chapter.title)}", ""]
        lines += _chapter(chapter, folder)
    lines += [f"Made by {escaped(report.made_by)}.", ""]
    path.write_text("\n".join(lines), "utf-8")


def _chapter(chapter: Chapter, folder: Path) -> list[str]:
    lines: list[str] = []
    for paragraph in chapter.question:
        lines += [escaped(paragraph), ""]
    if chapter.commands:
        lines += [AS_WRITTEN, "", code("\n".join(chapter.commands)), ""]
    if chapter.headline:
        lines += ["**In short**", "", *(f"- {escaped(s)}" for s in chapter.headline), ""]
    lines += [f"- {escaped(word)}: {escaped(what)}" for word, what in chapter.facts]
    lines.append("")
    for section in chapter.sections:
        lines += _section(chapter, section, folder)
    return lines


def _section(chapter: Chapter, section: Section, folder: Path) -> list[str]:
    lines = [f"## {escaped(section.title)}", "", f"*{escaped(section.question)}*", ""]
    lines += [f"- {escaped(s)}" for s in section.sentences] + ([""] if section.sentences else [])
    if section.commands:
        lines += [code("\n".join(section.commands)), ""]
    for picture in section.pictures:
        name = f"{file_name(chapter, section, picture)}.png"
        to_png(picture.figure, folder / name)
        lines += [f"![{escaped(picture.alternative)}]({quote(folder.name)}/{name})", "", escaped(picture.caption), ""]
    for table in section.tables:
        name = f"{file_name(chapter, section, table)}.csv"
        (folder / name).write_text(csv_text(table), "utf-8")
        seen = shown(table)
        lines += [f"**{escaped(table.title)}**", ""]
        lines.append("| " + " | ".join(escaped(head) for head, _ in seen.heads) + " |")
        numeric = [bool(seen.rows) and all(row[i].numeric for row in seen.rows) for i in range(len(seen.heads))]
        lines.append("|" + "|".join("---:" if right else "---" for right in numeric) + "|")
        lines += ["| " + " | ".join(escaped(c.text) for c in row) + " |" for row in seen.rows[:MOST_ROWS]]
        more = max(0, table.frame.height - MOST_ROWS)
        told = f"{more} more rows are in " if more else "In full precision: "
        lines += ["", " ".join([*map(escaped, seen.notes), f"{told}[{name}]({quote(folder.name)}/{name})."]), ""]
        meanings = [f"{escaped(head)}: {escaped(what)}" for head, what in seen.heads if what and what != head]
        if meanings:
            lines += ["Columns: " + "; ".join(meanings) + ".", ""]
    return lines
