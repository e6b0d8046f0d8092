"""What a report is made of: sections with sentences, pictures and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl
from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure with its words.

    Parameters
    ----------
    name
        Part of a file name, unique within its section: lower-case letters, digits and hyphens.
    figure
        The drawing.
    caption
        What to read from it.
    alternative
        What it shows, for somebody who cannot see it.
    """

    name: str
    figure: Figure
    caption: str
    alternative: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with the meaning of its columns.

    Parameters
    ----------
    name
        Part of a file name, unique within its section: lower-case letters, digits and hyphens.
    title
        Its heading.
    frame
        The rows in full precision. Columns ``value``, ``low``, ``high`` are shown as one rounded estimate to people;
        a download has them all.
    columns
        Meaning of each column that needs one, by name.
    percent
        Whether people see the estimates in percent; the name of a column (not shown) when it differs by row.
    difference
        Whether the estimates are differences: told with their sign, and in points instead of percent.
    """

    name: str
    title: str
    frame: pl.DataFrame
    columns: Mapping[str, str] = field(default_factory=dict)
    percent: bool | str = False
    difference: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One question of a report and its answer.

    Parameters
    ----------
    name
        Anchor within the page, unique in a report: lower-case letters, digits and hyphens.
    title, question
        Heading, and what the section answers.
    sentences
        The answer in words; sentences with numbers are made from estimates.
    headline
        Of these, what is said at the top of the report, too.
    commands
        Lines for a shell, shown as such after the sentences.
    pictures, tables
        In the order they are shown, after those.
    """

    name: str
    title: str
    question: str
    sentences: tuple[str, ...] = ()
    headline: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
