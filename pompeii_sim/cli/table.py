"""Tables of plain text: as wide as they are, or fitted to a window by wrapping, or as records of one line a value."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

GAP = "  "
LONGEST_WORD = 24
"""A longer word of a cell may be broken to make a table fit."""
TALLEST = 4
"""A table whose rows would need more lines than this is shown as records."""
NARROWEST = 8
"""Records are not folded to fewer characters than this."""


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], heading: Callable[[str], str] = str
) -> str:
    """Return an aligned table as wide as its cells: no lines drawn, no colour, nothing cut off.

    Parameters
    ----------
    columns
        Headings.
    rows
        One text a column.
    right
        Which columns are aligned to the right.
    heading
        Marks the line of headings.
    """
    cells = [[[cell] for cell in row] for row in rows]
    return _laid_out([[c] for c in columns], cells, _natural(columns, rows), right, heading)


def fitted(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    width: int,
    heading: Callable[[str], str] = str,
) -> str:
    """Return a table no wider than a window.

    Where the whole table does not fit, headings and texts are wrapped (never numbers); where that would not do, each
    row becomes a record with one ``heading: value`` a line.

    Parameters
    ----------
    columns, rows, right
        As for `plain_table`.
    width
        Characters in a line of the window.
    heading
        Marks a line of headings, or a record's heading.
    """
    natural = _natural(columns, rows)
    room = width - len(GAP) * (len(columns) - 1)
    if sum(natural) <= room:
        return plain_table(columns, rows, right, heading)
    widths = _narrowed(natural, [_least(i, columns, rows, right) for i in range(len(columns))], room)
    if widths is not None:
        told = [[_folded(cell, w) for cell, w in zip(row, widths, strict=True)] for row in rows]
        if all(len(cell) <= TALLEST for row in told for cell in row):
            head = [_folded(c, w) for c, w in zip(columns, widths, strict=True)]
            return _laid_out(head, told, widths, right, heading)
    return _records(columns, rows, width, heading)


def _natural(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max([len(c), *(len(row[i]) for row in rows)]) for i, c in enumerate(columns)]


def _least(i: int, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> int:
    """Return how narrow a column may become: its numbers stay whole, and so do words that are not very long."""
    head = max(map(len, columns[i].split()), default=0)
    if right[i] or all(row[i].lstrip("+-")[:1].isdigit() for row in rows if row[i]):
        return max([head, *(len(row[i]) for row in rows)])
    words = max((len(word) for row in rows for word in row[i].split()), default=0)
    return max(head, min(words, LONGEST_WORD))


def _narrowed(natural: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Return widths that fill the room, the widest columns narrowed first; None when there is not enough."""
    if sum(least) > room:
        return None
    cap = max(natural)
    while sum(widths := [max(low, min(n, cap)) for n, low in zip(natural, least, strict=True)]) > room:
        cap -= 1
    return widths


def _folded(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(1, width), break_on_hyphens=False) or [""]


def _laid_out(
    head: Sequence[Sequence[str]],
    rows: Sequence[Sequence[Sequence[str]]],
    widths: Sequence[int],
    right: Sequence[bool],
    heading: Callable[[str], str] = str,
) -> str:
    """Return the lines of a table whose cells are lists of lines; rows of several lines are set apart."""

    def lines(cells: Sequence[Sequence[str]], *, bottom: bool = False) -> list[str]:
        height = max(map(len, cells), default=1)
        padded = [[""] * (height - len(c)) + list(c) if bottom else [*c, *[""] * (height - len(c))] for c in cells]
        return [
            GAP.join(
                text.rjust(width) if to_right else text.ljust(width)
                for text, width, to_right in zip(line, widths, right, strict=True)
            ).rstrip()
            for line in zip(*padded, strict=True)
        ]

    apart = any(len(cell) > 1 for row in rows for cell in row)
    out = [heading(line) for line in lines(head, bottom=True)]
    out += lines([["-" * w] for w in widths])
    for number, row in enumerate(rows):
        out += ([""] if apart and number else []) + lines(row)
    return "\n".join(out) + "\n"


def _records(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int, heading: Callable[[str], str]) -> str:
    """Return one ``heading: value`` a line, folded to the window, and an empty line between records."""
    told = []
    for row in rows:
        lines: list[str] = []
        for name, value in zip(columns, row, strict=True):
            if not value:
                continue
            folded = textwrap.wrap(
                f"{name}: {value}", max(NARROWEST, width), subsequent_indent=GAP, break_on_hyphens=False
            )
            marked = folded[0].startswith(f"{name}:")  # a heading that is folded itself is left as it is
            first = f"{heading(f'{name}:')}{folded[0][len(name) + 1 :]}" if marked else folded[0]
            lines += [first, *folded[1:]]
        told.append("\n".join(lines))
    return "\n\n".join(told) + "\n"
