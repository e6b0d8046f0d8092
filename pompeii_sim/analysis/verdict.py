"""What a difference's interval says: higher, lower, equivalent, or how many games it would take to say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from scipy import special

from pompeii_sim.stats.estimate import Estimate

Word = Literal["higher", "lower", "equivalent", "undecided"]

MOST_GAMES = 10**12
"""More games than this are no number to name."""

POWER = 0.8
"""Chance with which the games named by `games_needed` decide, were the difference as seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What can be said about a difference.

    Parameters
    ----------
    word
        ``higher`` or ``lower``: the whole interval lies on one side of zero and not all of it within the smallest
        effect of interest. ``equivalent``: all of it lies within that effect. ``undecided``: neither.
    games
        Games of each setting that would decide, of an undecided difference; None when no number can be named.
    why
        In a clause, what the word rests on.
    """

    word: Word
    games: int | None
    why: str


def verdict(difference: Estimate, *, effect: float | None, games: int) -> Verdict:
    """Judge a difference by its interval.

    Parameters
    ----------
    difference
        The other setting minus the base.
    effect
        Smallest difference that matters, above 0; None when none was said: then nothing is equivalent.
    games
        Games of each setting behind the difference (the larger number, when they differ).

    Returns
    -------
    Verdict
        Of a difference without an interval: undecided, and why.
    """
    value, low, high = difference.value, difference.low, difference.high
    if value is None or low is None or high is None:
        return Verdict(word="undecided", games=None, why=difference.note or "there is no interval")
    if effect is not None and -effect <= low and high <= effect:
        side = "though not zero, " if low > 0 or high < 0 else ""
        return Verdict(word="equivalent", games=None, why=f"{side}the difference is less than what matters")
    if low > 0 or high < 0:
        nearer = low if low > 0 else -high
        if effect is None:
            why = "the whole interval lies on one side of zero"
        elif nearer >= effect:
            why = "by more than what matters"
        else:
            why = "perhaps by less than what matters"
        return Verdict(word="higher" if low > 0 else "lower", games=None, why=why)
    needed = games_needed(difference, effect=effect, games=games)
    why = "cannot be told apart at this n"
    why += f"; about {needed:,} games would do" if needed is not None else "; no number of games can be named"
    return Verdict(word="undecided", games=needed, why=why)


def games_needed(difference: Estimate, *, effect: float | None, games: int) -> int | None:
    """Return how many games of each setting would probably decide, if the difference is as large as seen.

    The interval's width shrinks with the root of the games. It has to shrink until it leaves zero or fits into the
    smallest effect of interest, whichever comes first, with some room for the luck of the draw: enough games to
    decide four times in five.

    Parameters
    ----------
    difference, effect, games
        As for `verdict`.

    Returns
    -------
    int or None
        Rounded to two digits; None without an interval, or where no number would do (no difference seen and no
        effect said).
    """
    if difference.value is None or difference.low is None or difference.high is None:
        return None
    seen = abs(difference.value)
    goal = max(seen, (effect or 0.0) - seen)
    half = (difference.high - difference.low) / 2.0
    if goal <= 0 or half <= 0:
        return None
    quantile = float(-special.ndtri((1.0 - difference.level) / 2.0))
    room = 1.0 + float(special.ndtri(POWER)) / quantile
    needed = games * max(1.0, (half * room / goal) ** 2)
    return round_up(needed) if needed <= MOST_GAMES else None


def round_up(number: float) -> int:
    """Return a number of games for people: the next one of two leading digits."""
    whole = math.ceil(number - 1e-9)
    unit: int = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit
