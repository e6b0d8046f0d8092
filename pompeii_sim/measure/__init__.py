"""Measure: metric × rows → sufficient statistics → Estimate.

The only place where a metric is computed; used by summaries, stopping rules and analysis.
"""

from pompeii_sim.measure.batch import Sums, estimates, measure, measure_blocks
from pompeii_sim.measure.declare import Measures, MetricLike, applies, measures_of
from pompeii_sim.measure.difference import RunningDifference, paired_difference, unpaired_difference
from pompeii_sim.measure.pairs import PairSums, PairTally, measure_pairs

__all__ = [
    "Measures",
    "MetricLike",
    "PairSums",
    "PairTally",
    "RunningDifference",
    "Sums",
    "applies",
    "estimates",
    "measure",
    "measure_blocks",
    "measure_pairs",
    "measures_of",
    "paired_difference",
    "unpaired_difference",
]
