"""Sentences made from Estimates: what is said about a number is decided by its interval, never by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pompeii_sim.analysis.verdict import Verdict, verdict
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.rounding import fixed, person, person_difference

EFFECT = 0.01
"""Smallest difference of a share that matters: one point."""


def told(estimate: Estimate, *, percent: bool = False, unit: str = "") -> str:
    """Return a number with its interval: ``31.2% [30.6, 31.9]``, ``4.25 [4.20, 4.30] rounds``.

    Parameters
    ----------
    estimate
        The number; ``none (reason)`` when it has no value.
    percent
        Whether it is a share.
    unit
        What it counts.
    """
    if estimate.value is None:
        return f"none ({estimate.note})" if estimate.note else "none"
    if estimate.low == estimate.value == estimate.high:  # no spread seen: three times the same number says no more
        only = f"{100 * estimate.value:.4g}%" if percent else f"{estimate.value:.4g}"
        return f"{only}{' ' + unit if unit else ''} throughout"
    return f"{person(estimate, percent=percent)}{' ' + unit if unit else ''}"


def points(estimate: Estimate) -> str:
    """Return the size of a difference of shares in points, without its sign: ``5.2 points [3.1, 7.3]``."""
    if estimate.value is None:
        return "nothing known"
    return person_difference(estimate, rate=True, signed=False)


def share(what: str, estimate: Estimate) -> str:
    """Say how large a share is: ``Victory: 31.2% [30.6, 31.9] of games.``"""
    return f"{capital(what)}: {told(estimate, percent=True)} of games."


def spread(what: str, cells: Sequence[tuple[str, Estimate]], *, percent: bool = False, unit: str = "") -> str:
    """Say between what a number lies over settings, with the settings at both ends.

    Parameters
    ----------
    what
        Name of the number.
    cells
        Each setting's name and Estimate, at least one.
    percent, unit
        As for `told`.

    Returns
    -------
    str
        One setting: its number. Several: the least and the greatest value, or that they cannot be told apart when even
        the intervals of these two overlap.
    """
    known = [(name, e) for name, e in cells if e.value is not None]
    if not known:
        why = cells[0][1].note if cells and cells[0][1].note else "no games"
        return f"{capital(what)}: nothing known ({why})."
    if len(cells) == 1:
        return f"{capital(what)}: {told(known[0][1], percent=percent, unit=unit)}."
    least = min(known, key=lambda c: float(c[1].value or 0.0))
    most = max(known, key=lambda c: float(c[1].value or 0.0))
    if least[1].value == most[1].value:
        same = f"{told(least[1], percent=percent, unit=unit)}"
        return f"{capital(what)} is the same in all {len(known)} settings: {same}."
    line = (
        f"{capital(what)} goes from {told(least[1], percent=percent, unit=unit)} ({least[0]}) "
        f"to {told(most[1], percent=percent, unit=unit)} ({most[0]})"
    )
    low, high = most[1].low, least[1].high
    if low is not None and high is not None and low <= high:
        line += "; even these two intervals overlap"
    return line + "."


def against_chance(who: str, estimate: Estimate, *, of: str = "decided games") -> str:
    """Say whether somebody wins more or less than equal chances would give."""
    if estimate.value is None or estimate.expected is None:
        return f"{who}: {told(estimate, percent=True)} of {of}."
    chance = f"{100 * estimate.expected:.3g}%"
    number = f"{who} wins {told(estimate, percent=True)} of {of}"
    if estimate.low is None or estimate.high is None:
        return f"{number}; equal chances would give {chance}."
    if estimate.low > estimate.expected:
        return f"{number}, more than the {chance} of equal chances."
    if estimate.high < estimate.expected:
        return f"{number}, less than the {chance} of equal chances."
    return f"{number}, which cannot be told from the {chance} of equal chances."


def chances(who: str, found: Sequence[Estimate]) -> str:
    """Say in how many settings somebody wins more or less than equal chances would give."""
    groups = {"more than": 0, "less than": 0, "": 0}
    for e in found:
        if e.expected is not None and e.low is not None and e.low > e.expected:
            groups["more than"] += 1
        elif e.expected is not None and e.high is not None and e.high < e.expected:
            groups["less than"] += 1
        else:
            groups[""] += 1
    total = len(found)
    parts = []
    for word, number in groups.items():
        if number:
            where = f"all {total} settings" if number == total else f"{number} of {total} settings"
            parts.append(f"wins {word} equal chances would give in {where}" if word else f"no difference in {where}")
    return f"{who} {', '.join(parts)}.".replace("no difference", "cannot be told from equal chances")


Direction = Literal["loss", "win"]
"""Whether a share counts games that everybody loses, or games that somebody wins."""

HARDER = {
    ("loss", "higher"): ("harder", "everybody loses {} more of the games"),
    ("loss", "lower"): ("easier", "everybody loses {} fewer of the games"),
    ("win", "higher"): ("easier", "somebody wins {} more of the games"),
    ("win", "lower"): ("harder", "somebody wins {} fewer of the games"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """The difference between two settings where everything else is equal.

    Parameters
    ----------
    where
        The other settings, empty when there are none.
    difference
        Of the share, the new setting minus the old one.
    games
        Games of each setting.
    """

    where: str
    difference: Estimate
    games: int

    def judge(self, effect: float) -> Verdict:
        """Return the verdict on the difference."""
        return verdict(self.difference, effect=effect, games=self.games)


def step(new: str, old: str, found: Step, direction: Direction, *, effect: float = EFFECT) -> str:
    """Say which of two settings is harder, from the difference of the share of games that are lost (or won).

    Parameters
    ----------
    new, old
        Names of the settings.
    found
        The difference, `new` minus `old`.
    direction
        What the share counts.
    effect
        Smallest difference that matters.
    """
    said = found.judge(effect)
    where = f" with {found.where}" if found.where else ""
    size = points(found.difference)
    if said.word == "undecided":
        needed = f"about {said.games:,} games of each would do" if said.games else "no number of games can be named"
        return f"{capital(new)} and {old}{where} cannot be told apart at this n (difference {size}; {needed})."
    if said.word == "equivalent":
        matters = f"less than the {100 * effect:g} point{'' if effect == 0.01 else 's'} that matter"
        return f"{capital(new)} is as hard as {old}{where}: the difference is {size}, {matters}."
    word, clause = HARDER[direction, said.word]
    weak = "" if said.why == "by more than what matters" else f" ({said.why})"
    return f"{capital(new)} is {word} than {old}{where}: {clause.format(size)}{weak}."


def steps(new: str, old: str, found: Sequence[Step], direction: Direction, *, effect: float = EFFECT) -> str:
    """Say the same over several combinations of the other settings: in how many of them what holds.

    Parameters
    ----------
    new, old, direction, effect
        As for `step`.
    found
        One difference for each combination, at least one.
    """
    if len(found) == 1:
        return step(new, old, found[0], direction, effect=effect)
    groups: dict[str, list[Step]] = {}
    for one in found:
        word = one.judge(effect).word
        groups.setdefault(HARDER[direction, word][0] if word in ("higher", "lower") else word, []).append(one)
    parts = []
    for kind in ("harder", "easier", "equivalent", "undecided"):
        if kind not in groups:
            continue
        group = groups[kind]
        number = f"{len(group)} of {len(found)}"
        least, most = _range(group)
        by = f"by {most} points" if least == most else f"by {least} to {most} points"
        if kind in ("harder", "easier"):
            parts.append(f"{kind} in {number} ({by})")
        elif kind == "equivalent":
            parts.append(f"as hard in {number}")
        else:
            games = [g for g in (one.judge(effect).games for one in group) if g is not None]
            needed = f"; up to {max(games):,} games of each would do" if games else ""
            parts.append(f"not to be told apart in {number}{needed}")
    where = " combinations of the other settings"
    first, *rest = parts
    first = first.replace(f"of {len(found)}", f"of {len(found)}{where}", 1)
    return f"Compared with {old}, {new} is {', '.join([first, *rest])}."


def whole_ladder(
    name: str, values: Sequence[str], found: Sequence[Sequence[Step]], direction: Direction, *, effect: float = EFFECT
) -> str:
    """Say whether a setting is a ladder: harder (or easier) at every step.

    Parameters
    ----------
    name, values
        The setting and its values in order, at least three.
    found
        For each combination of the other settings, the differences of neighbours in order.
    direction, effect
        As for `step`.
    """
    groups: dict[str, int] = {}
    for differences in found:
        words = [one.judge(effect).word for one in differences]
        told_words = {HARDER[direction, w][0] if w in ("higher", "lower") else w for w in words}
        if len(told_words) == 1:
            (word,) = told_words
            kind = {
                "harder": "harder at every step",
                "easier": "easier at every step",
                "equivalent": "as hard at every step",
                "undecided": "not decided at any step",
            }[word]
        elif {"harder", "easier"} <= told_words:
            kind = "harder at some steps and easier at others"
        elif "undecided" in told_words:
            kind = "undecided at some steps"
        else:
            kind = f"{'harder' if 'harder' in told_words else 'easier'} at some steps and as hard at others"
        groups[kind] = groups.get(kind, 0) + 1
    order = ", ".join(values)
    if len(found) == 1:
        return f"Along {name} ({order}) the game is {next(iter(groups))}."
    parts = [f"{kind} in {number} of {len(found)}" for kind, number in sorted(groups.items(), key=lambda g: -g[1])]
    first, *rest = parts
    first += " combinations of the other settings"
    return f"Along {name} ({order}) the game is {', '.join([first, *rest])}."


def spacing(name: str, found: Sequence[str | None]) -> str:
    """Say whether the steps of a setting are alike.

    Parameters
    ----------
    name
        The setting.
    found
        ``even``, ``uneven`` or ``undecided`` for each combination of the other settings.
    """
    words = {"even": "even", "uneven": "uneven", "undecided": "not to be told"}
    total = len(found)
    counted = [(word, sum(f == kind for f in found)) for kind, word in words.items()]
    where = "" if total == 1 else " combinations of the other settings"
    parts = [word if total == 1 else f"{word} in {number} of {total}" for word, number in counted if number]
    return f"Whether the steps of {name} are even: {', '.join(parts)}{where}."


def _range(group: Sequence[Step]) -> tuple[str, str]:
    sizes = sorted(abs(100 * (one.difference.value or 0.0)) for one in group)
    return fixed(sizes[0], 1), fixed(sizes[-1], 1)


def assumed(counts: dict[str, int]) -> str:
    """Say how much of the data is not stated in public sources."""
    total = sum(counts.values())
    if not total:
        return "The game has no data with provenance."
    unsure = counts.get("assumed", 0) + counts.get("calibrated", 0)
    return (
        f"{unsure} of {total} data entries ({100 * unsure / total:.0f}%) are assumed or calibrated: "
        "they stand for something that is not public."
    )


def capital(text: str) -> str:
    """Return a text with its first letter large; names that are written small on purpose are left to the caller."""
    return text[:1].upper() + text[1:]
