"""Measure: metric × rows → sufficient statistics → Estimate.

The only place where a metric is computed; used by summaries, stopping rules and analysis.
"""

from pompeii_sim.measure.batch import Sums, estimates, measure, measure_blocks
from pompeii_sim.measure.declare import Measures, MetricLike, measures_of

__all__ = ["Measures", "MetricLike", "Sums", "estimates", "measure", "measure_blocks", "measures_of"]
