"""The difference of one metric between two settings: on the same games, or from separate ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from scipy import special

from pompeii_sim.measure.declare import MetricLike
from pompeii_sim.measure.estimate import NO_GAMES
from pompeii_sim.measure.pairs import PairTally
from pompeii_sim.measure.tally import Tally
from pompeii_sim.stats.asymptotic_sequence import anytime_mean_asymptotic
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean_sequence import BoundedSums, anytime_mean
from pompeii_sim.stats.newcombe import newcombe
from pompeii_sim.stats.paired_sequence import anytime_paired
from pompeii_sim.stats.tango import tango
from pompeii_sim.stats.welch import welch

SAME = "no pair differs"
CONSTANT = "every pair differs by the same, so there is no interval"


def paired_difference(pair: PairTally, metric: MetricLike, *, by_deal: bool, level: float = 0.95) -> Estimate:
    """Estimate a metric in the other setting minus in the base, both played on the same games.

    Parameters
    ----------
    pair
        The sums over pairs.
    metric
        A rate that counts every game gets Tango's interval. Everything else (means, shares of decided games, deals as
        units) is a difference of two ratios of sums and gets Student's interval on the pairs' linearised
        contributions, which for a mean over all games are the differences themselves.
    by_deal
        Whether the units are deals.
    level
        Confidence level.

    Returns
    -------
    Estimate
        `n` pairs. Where no pair differs, a metric with bounds gets an interval that allows for pairs not seen, and a
        metric without has none; a note says so.

    Notes
    -----
    Cochran (1977), Sampling Techniques, section 6.3, for the variance of ratios of sums.
    """
    if pair.base.x == 0 or pair.other.x == 0:
        return _nothing(pair.units, level, "paired t")
    if _binary(pair, metric, by_deal):
        both, first, second, neither = _counts(pair)
        return tango(both, first, second, neither, level=level)
    method = "paired t, deals" if by_deal else "paired t"
    value, spread = _ratio_difference(pair)
    if spread == 0:
        return _no_spread(value, pair.units, metric, level, method)
    if pair.units == 1:
        return _without_interval(value, 1, level, method, "one pair: its spread is unknown, so there is no interval")
    n = pair.units
    half = -float(special.stdtrit(n - 1, (1.0 - level) / 2.0)) * math.sqrt(spread * n / (n - 1))
    return Estimate(value=value, low=value - half, high=value + half, n=n, level=level, method=method)


def unpaired_difference(
    base: Tally, other: Tally, metric: MetricLike, *, by_deal: bool, level: float = 0.95
) -> Estimate:
    """Estimate a metric in the other setting minus in the base, from games that share nothing.

    Parameters
    ----------
    base, other
        Sums of each setting.
    metric
        Rates and shares of whole games get Newcombe's interval, everything else Welch's.
    by_deal
        Whether the units are deals (of both).
    level
        Confidence level.

    Returns
    -------
    Estimate
        `n` the units of both.
    """
    n = base.units + other.units
    if base.x == 0 or other.x == 0:
        return _nothing(n, level, "welch")
    if metric.kind != "mean" and not by_deal and all(t.yy == t.y * t.scale for t in (base, other)):
        return newcombe(other.y // other.scale, other.units, base.y // base.scale, base.units, level=level)
    one, two = _ratio_variance(other), _ratio_variance(base)
    made = welch(_ratio(other), one, other.units, _ratio(base), two, base.units, level=level)
    if made.value is not None and one == two == 0 and min(base.units, other.units) > 1:
        return _no_spread(made.value, min(base.units, other.units), metric, level, "welch")
    return made


@dataclass
class RunningDifference:
    """A paired difference that is looked at while games come in, block by block.

    Parameters
    ----------
    metric
        A rate that counts every game gets the paired sequence; what has bounds and counts equally many games in every
        unit the empirical Bernstein one; the rest an asymptotic one that says so.
    by_deal
        Whether the units are deals.
    level
        Confidence level over all looks together.
    """

    metric: MetricLike
    by_deal: bool
    level: float
    total: PairTally | None = None
    _bounded: BoundedSums | None = None
    _even: bool = True

    def __post_init__(self) -> None:
        bounds = (0.0, 1.0) if self.metric.kind != "mean" else self.metric.bounds
        if bounds is not None:
            width = float(bounds[1]) - float(bounds[0])
            self._bounded = BoundedSums(low=-width, high=width)

    def add(self, block: PairTally) -> None:
        """Take in the next block, in the order of the games; blocks must not depend on what was seen."""
        self.total = block if self.total is None else self.total + block
        if self._bounded is None or block.units == 0:
            return
        games, rest = divmod(block.base.x, block.units)
        same = block.units * games * games
        if rest or not block.base.xx == block.other.xx == block.xx == same:
            self._even = False  # units with unequally many counted games: their differences are no units of one kind
            return
        scale = block.base.scale * games
        squares = block.base.yy - 2 * block.yy + block.other.yy
        self._bounded = self._bounded.add_block(block.units, (block.other.y - block.base.y) / scale, squares / scale**2)

    def estimate(self) -> Estimate:
        """Return the difference so far with an interval that holds at all looks together."""
        pair = self.total
        if pair is None or pair.base.x == 0 or pair.other.x == 0:
            return replace(_nothing(0 if pair is None else pair.units, self.level, "paired-bernstein"), valid="anytime")
        if _binary(pair, self.metric, self.by_deal):
            return anytime_paired(*_counts(pair), level=self.level)
        if self._bounded is not None and self._even:
            made = anytime_mean(self._bounded, level=self.level)
            return replace(made, note=SAME) if _identical(pair) else made
        value, spread = _ratio_difference(pair)
        if spread == 0:
            note = SAME if value == 0 else CONSTANT
            return replace(
                _without_interval(value, pair.units, self.level, "asymptotic-sequence", note), valid="anytime"
            )
        # worked on deviations from the value, so that nothing is lost when the spread is small beside it
        made = anytime_mean_asymptotic(pair.units, 0.0, spread * pair.units**2, level=self.level)
        low = None if made.low is None else value + made.low
        high = None if made.high is None else value + made.high
        return replace(made, value=value, low=low, high=high)


def _binary(pair: PairTally, metric: MetricLike, by_deal: bool) -> bool:
    """Return whether each pair is two games that succeeded or not, and all of them count in both."""
    return metric.kind == "rate" and not by_deal and pair.base.x == pair.other.x == pair.xx


def _counts(pair: PairTally) -> tuple[int, int, int, int]:
    """Return pairs that succeeded in both, in the other only, in the base only, in neither."""
    both, second, first = pair.yy, pair.base.y - pair.yy, pair.other.y - pair.yy
    return both, first, second, pair.xx - both - first - second


def _identical(pair: PairTally) -> bool:
    same = pair.base.yy - 2 * pair.yy + pair.other.yy == 0
    return same and pair.base.xx - 2 * pair.xx + pair.other.xx == 0


def _ratio(tally: Tally) -> float:
    return float(Fraction(tally.y, tally.x * tally.scale))


def _residual(tally: Tally) -> Fraction:
    """Return the sum over units of (y - ratio x)², in y's own scale."""
    ratio = Fraction(tally.y, tally.x)
    return tally.yy - 2 * ratio * tally.xy + ratio * ratio * tally.xx


def _ratio_variance(tally: Tally) -> float:
    """Return the variance of one unit's linearised contribution to a ratio of sums; 0 for a single unit."""
    if tally.units < 2:
        return 0.0
    share = Fraction(tally.x, tally.units)
    return float(_residual(tally) / (share * share * (tally.units - 1) * tally.scale**2))


def _ratio_difference(pair: PairTally) -> tuple[float, float]:
    """Return the difference of the two ratios, and the sum of the pairs' squared contributions to it."""
    base, other = pair.base, pair.other
    a, b = Fraction(base.y, base.x), Fraction(other.y, other.x)
    cross = pair.yy - b * pair.yx - a * pair.xy + a * b * pair.xx
    spread = _residual(base) / base.x**2 + _residual(other) / other.x**2 - 2 * cross / (base.x * other.x)
    return float((b - a) / base.scale), float(spread / base.scale**2)


def _no_spread(value: float, n: int, metric: MetricLike, level: float, method: str) -> Estimate:
    """Return what can be said when no spread was seen.

    Where all n units gave the same, any other value had a probability of at most 1 - (alpha / 2)**(1 / n) (Clopper
    and Pearson, 1934, at n of n), so that a bounded difference is off by at most that share of its range.
    """
    bounds = (0.0, 1.0) if metric.kind != "mean" else metric.bounds
    note = SAME if value == 0 else CONSTANT
    if bounds is None:
        return _without_interval(value, n, level, method, note)
    unseen = (1.0 - ((1.0 - level) / 2.0) ** (1.0 / n)) * (bounds[1] - bounds[0])
    note = f"{SAME if value == 0 else 'every pair differs by the same'}; the interval allows for what was not seen"
    return Estimate(
        value=value, low=value - unseen, high=value + unseen, n=n, level=level, method="constant, bounded", note=note
    )


def _without_interval(value: float, n: int, level: float, method: str, note: str) -> Estimate:
    return Estimate(value=value, low=None, high=None, n=n, level=level, method=method, note=note)


def _nothing(n: int, level: float, method: str) -> Estimate:
    return Estimate(value=None, low=None, high=None, n=n, level=level, method=method, note=NO_GAMES)
