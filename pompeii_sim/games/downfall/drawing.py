"""The board as text: one box a square, with its building, its people and its lava."""

from __future__ import annotations

from collections.abc import Mapping

from pompeii_sim.games.downfall.data_files import DownfallData

WIDTH = 9
LETTERS = "ABCD"


def draw_board(data: DownfallData, people: Mapping[str, Mapping[int, int]], lava: Mapping[str, str]) -> str:
    """Draw the board.

    Parameters
    ----------
    data
        Squares, gates and vents.
    people
        By square: people of each seat.
    lava
        By square: the symbol of the lava on it, or ``buried``.

    Returns
    -------
    str
        Two lines a row of squares. The first names the square: a building's part, ``house``, ``(coin)`` for a vent,
        ``|`` at its end for an open gate; ``2/4`` are spaces taken and there. The second shows its people by seat
        (A, B, C, D) or its lava (``~coin~``, ``~~~~~~`` for buried).
    """
    squares = {s.place: s for s in data.squares}
    gates = {g.square for g in data.gates}
    vents = {s.vent: s.id for s in data.symbols}
    lines = ["   " + "".join(f"{column:^{WIDTH + 1}}" for column in range(data.columns))]
    border = "   +" + "+".join("-" * WIDTH for _ in range(data.columns)) + "+"
    lines.append(border)
    for row in range(data.rows):
        tops, bottoms = [], []
        for column in range(data.columns):
            square = squares.get((row, column))
            if square is None:
                tops.append("#" * WIDTH)
                bottoms.append("#" * WIDTH)
                continue
            covered = lava.get(square.id, "")
            there = people.get(square.id, {})
            if square.id in vents:
                label = f"({vents[square.id]})"
            elif square.spaces:
                label = f"{square.part or 'house'} {sum(there.values())}/{square.spaces}"
            else:
                label = ""
            if square.id in gates and not covered:
                label = f"{label:<{WIDTH - 1}}|"
            shown = "".join(f"{LETTERS[seat]}{n}" for seat, n in sorted(there.items()) if n)
            if covered:
                shown = "~" * (WIDTH - 1) if covered == "buried" else f"~{covered}~"
            tops.append(f"{label[:WIDTH]:<{WIDTH}}")
            bottoms.append(f"{shown[:WIDTH]:<{WIDTH}}")
        lines.append(f"{row:>2} |" + "|".join(tops) + "|")
        lines.append("   |" + "|".join(bottoms) + "|")
        lines.append(border)
    return "\n".join(lines)
