"""What a report is, before anything is written: chapters of sections, one chapter a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from pompeii_sim.figures.section import Section

AS_WRITTEN = (
    "Commands that stand in the scenario's file, as its author wrote them; this run may have been made by others. What "
    "was played is told below, and the last section has the commands that play it again."
)
"""What stands above the commands of a scenario's comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What is told about one run.

    Parameters
    ----------
    name
        Anchor within the page, unique in a report.
    title
        Heading.
    question
        Paragraphs of the question the run was to answer.
    commands
        Lines for a shell that stood in the question.
    facts
        What was played: pairs of a word and what it is.
    headline
        The answers in short, made from estimates.
    sections
        The answers at length.
    scenario
        The scenario as resolved, in TOML.
    """

    name: str
    title: str
    question: tuple[str, ...]
    commands: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    headline: tuple[str, ...]
    sections: tuple[Section, ...]
    scenario: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report.

    Parameters
    ----------
    title
        Of the page.
    chapters
        One for each run.
    made_by
        The package and its version.
    """

    title: str
    chapters: tuple[Chapter, ...]
    made_by: str
    schema: int = field(default=1)
