"""From one metric's sums to its Estimate: Wilson for rates, Student for means, a ratio over deals for paired play."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from scipy import special

from pompeii_sim.measure.tally import Tally
from pompeii_sim.stats.bounded_mean import bounded_mean
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import t_mean_from_sums
from pompeii_sim.stats.wilson import wilson

NO_GAMES = "no games to count"


def estimate(
    tally: Tally,
    *,
    kind: Literal["rate", "mean", "share"],
    by_deal: bool,
    restricted: bool = False,
    expected: float | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Return the Estimate of one metric (of one label, when it is split).

    Parameters
    ----------
    tally
        The metric's sums.
    kind
        ``rate`` and ``share`` get Wilson's interval (a share with ties Student's), ``mean`` Student's, or near a
        bound `bounded_mean`'s.
    by_deal
        Whether the units of the tally are deals: then the interval is that of a ratio of sums over deals.
    restricted
        Whether to note how many games were cut short.
    expected
        What equal chances would give.
    bounds
        Smallest and largest possible value of a ``mean``: its interval stays within, and where all units gave the
        same the interval allows for the values that were not seen. Without them a mean of values of which none is
        negative stays above 0.
    level
        Confidence level.

    Returns
    -------
    Estimate
        ``value`` None with a note when nothing was counted.
    """
    if tally.x == 0:
        method = "t" if kind == "mean" else "wilson"
        return Estimate(
            value=None, low=None, high=None, n=0, level=level, method=method, expected=expected, note=NO_GAMES
        )
    if by_deal:
        made = _by_deal(tally, kind, expected, level)
    elif kind != "mean" and _whole(tally):
        made = wilson(tally.y // tally.scale, tally.units, level=level, expected=expected)
    else:
        made = _mean(tally, expected, level)
        if kind == "share":
            made = _within(made)
    if kind == "mean" and bounds is not None:
        made = _bounded(made, bounds)
    elif kind == "mean" and tally.negative == 0:
        made = bounded_mean(made, 0.0)
    if restricted:
        were = "was" if tally.censored == 1 else "were"
        cut = f"{tally.censored} of {tally.x} games {were} cut short, and counted up to there"
        cut = cut if tally.censored else "no game was cut short"
        made = replace(made, note=cut if made.note is None else f"{made.note}; {cut}")
    return made


def _whole(tally: Tally) -> bool:
    """Return whether every game's value was 0 or 1 (0 or `scale`): only then y² sums to y times the scale."""
    return tally.yy == tally.y * tally.scale


def _mean(tally: Tally, expected: float | None, level: float) -> Estimate:
    """Student's interval, computed on whole numbers and scaled down afterwards."""
    made = t_mean_from_sums(tally.units, tally.y, tally.yy, level=level)

    def down(number: float | None) -> float | None:
        return None if number is None else number / tally.scale

    return replace(made, value=down(made.value), low=down(made.low), high=down(made.high), expected=expected)


def _within(made: Estimate) -> Estimate:
    """Keep the ends of a share's interval in 0..1."""
    if made.low is None or made.high is None:
        return made
    return replace(made, low=max(0.0, made.low), high=min(1.0, made.high))


def _bounded(made: Estimate, bounds: tuple[float, float]) -> Estimate:
    """Keep a mean's interval within the metric's bounds, and give a constant sample an interval with a width.

    Where all n units gave the same value, any other value had a probability of at most 1 - (alpha / 2)**(1 / n)
    (Clopper and Pearson, 1934, at n of n); the mean then lies at most that far towards either bound.
    """
    if made.value is None or made.low is None or made.high is None:
        return made
    low, high = bounds
    if made.low == made.high:
        unseen = 1.0 - ((1.0 - made.level) / 2.0) ** (1.0 / made.n)
        return replace(
            made,
            low=made.value - unseen * (made.value - low),
            high=made.value + unseen * (high - made.value),
            method="constant, bounded",
            note="constant: every unit gave the same; the interval allows for what was not seen",
        )
    near = bounded_mean(made, low, high)
    return near if near is not made else replace(made, low=max(low, made.low), high=min(high, made.high))


def _by_deal(tally: Tally, kind: str, expected: float | None, level: float) -> Estimate:
    """Ratio of two sums over deals, with the linearised variance of a cluster sample.

    With equally many games in every deal this is Student's interval on the deals' means (Cochran, Sampling
    Techniques, 1977, section 6.3). Where no spread between deals was seen although the value is 0 or 1, Wilson's
    interval with the deals as units is given instead of one of no width.
    """
    ratio = Fraction(tally.y, tally.x)
    value = float(ratio / tally.scale)
    if tally.units == 1:
        note = "one deal: its spread is unknown, so there is no interval"
        return Estimate(
            value=value, low=None, high=None, n=1, level=level, method="t, deals", expected=expected, note=note
        )
    spread = tally.yy - 2 * ratio * tally.xy + ratio * ratio * tally.xx
    if spread == 0 and kind != "mean" and value in (0.0, 1.0):
        made = wilson(int(value) * tally.units, tally.units, level=level, expected=expected)
        return replace(made, method="wilson, deals")
    if spread == 0:
        note = "constant: every deal gave the same, so the interval has no width"
        return Estimate(
            value=value,
            low=value,
            high=value,
            n=tally.units,
            level=level,
            method="t, deals",
            expected=expected,
            note=note,
        )
    n = tally.units
    variance = float(spread * Fraction(n, (n - 1) * tally.x * tally.x)) / tally.scale**2
    half = -float(special.stdtrit(n - 1, (1.0 - level) / 2.0)) * math.sqrt(variance)
    made = Estimate(
        value=value, low=value - half, high=value + half, n=n, level=level, method="t, deals", expected=expected
    )
    return made if kind == "mean" else _within(made)
