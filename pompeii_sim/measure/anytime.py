"""Estimates that may be looked at while a run grows: one watched number, fed block by block."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from pompeii_sim.measure.declare import MetricLike
from pompeii_sim.measure.tally import Tally
from pompeii_sim.stats.asymptotic_sequence import anytime_mean_asymptotic
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean_sequence import BoundedSums, anytime_mean
from pompeii_sim.stats.rate_sequence import anytime_rate


@dataclass
class Watched:
    """One number of one cell that a stopping rule looks at.

    A rate with the game as the unit gets the beta mixture's sequence; bounded numbers (win shares, means with declared
    bounds, and everything bounded with the deal as the unit) the empirical Bernstein one; others an asymptotic
    one that says so.

    Parameters
    ----------
    metric, label
        The metric, and its label when it is split by player or seat.
    by_deal
        Whether the deal is the unit.
    level
        Confidence level over all looks together.
    """

    metric: MetricLike
    label: str
    by_deal: bool
    level: float
    total: Tally | None = None
    _bounded: BoundedSums | None = field(default=None)
    _even: bool = True

    def __post_init__(self) -> None:
        bounds = (0.0, 1.0) if self.metric.kind != "mean" else self.metric.bounds
        self._bounded = None if bounds is None else BoundedSums(low=float(bounds[0]), high=float(bounds[1]))

    @property
    def name(self) -> str:
        """The metric's name, with the label after a dot when it is split."""
        return f"{self.metric.name}.{self.label}" if self.label else self.metric.name

    def add(self, block: Tally) -> None:
        """Take in the next block, in the order of the games; blocks must not depend on what was seen."""
        self.total = block if self.total is None else self.total + block
        if self._bounded is None or block.units == 0:
            return
        games, rest = divmod(block.x, block.units)
        if rest or block.xx != block.units * games * games:
            self._even = False  # deals with unequally many counted games: their means are no units of one kind
            return
        scale = block.scale * games
        self._bounded = self._bounded.add_block(block.units, block.y / scale, block.yy / scale**2)

    def estimate(self) -> Estimate:
        """Return the number so far with an interval that holds at all looks together."""
        total = self.total
        if total is None or total.x == 0:
            return anytime_rate(0, 0, level=self.level)
        if self.metric.kind == "rate" and not self.by_deal:
            return anytime_rate(total.y, total.units, level=self.level)
        if self._bounded is not None and self._even:
            return anytime_mean(self._bounded, level=self.level)
        return _asymptotic(total, self.level)


def _asymptotic(total: Tally, level: float) -> Estimate:
    """Sequence for a ratio of sums over units, by its linearised units (for games these are the values themselves)."""
    ratio = Fraction(total.y, total.x)
    share = Fraction(total.x, total.units)  # games counted in a unit, on average
    spread = (total.yy - 2 * ratio * total.xy + ratio * ratio * total.xx) / (share * share)
    # worked on deviations from the value, so that nothing is lost when the spread is small beside it
    made = anytime_mean_asymptotic(total.units, 0.0, float(spread) / total.scale**2, level=level)
    value = float(ratio) / total.scale
    low = None if made.low is None else value + made.low
    high = None if made.high is None else value + made.high
    return replace(made, value=value, low=low, high=high)


def anytime_now(tally: Tally, metric: MetricLike, *, by_deal: bool, level: float) -> Estimate:
    """Return one look's Estimate from the sums alone, whenever that look is taken.

    Parameters
    ----------
    tally
        The sums so far.
    metric
        What was summed: a rate with the game as the unit gets the beta mixture's interval, everything else the
        asymptotic one.
    by_deal
        Whether the deal is the unit.
    level
        Confidence level over all looks together.
    """
    if tally.x == 0:
        return anytime_rate(0, 0, level=level)
    if metric.kind == "rate" and not by_deal:
        return anytime_rate(tally.y, tally.units, level=level)
    return _asymptotic(tally, level)


def half_width(estimate: Estimate) -> float | None:
    """Return half the width of an Estimate's interval, None when it has none."""
    if estimate.low is None or estimate.high is None or estimate.value is None:
        return None
    return (estimate.high - estimate.low) / 2.0
