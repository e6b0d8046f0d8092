"""Analysis: a run in, tidy polars frames out; one question a function, first argument a `Study`.

Every answer has keys first (``cell``, the swept settings, then what the question is about), then the Estimate.
Nothing here names a game or draws, and only `sequential` plays.
"""

from pompeii_sim.analysis.compare import Comparison, compare_runs
from pompeii_sim.analysis.content import content, deal_effects, use_associations
from pompeii_sim.analysis.counts import LEAST_SPREAD, counts, dispersion
from pompeii_sim.analysis.courses import bands, kept_games, single_courses
from pompeii_sim.analysis.endings import hazard, incidence
from pompeii_sim.analysis.events import first_round, gaps
from pompeii_sim.analysis.fairness import fairness, variance_shares
from pompeii_sim.analysis.health import health, outliers
from pompeii_sim.analysis.ladder import ladder, ladder_shape
from pompeii_sim.analysis.length import length
from pompeii_sim.analysis.outcomes import estimate, outcomes
from pompeii_sim.analysis.paired import Paired, paired_difference, paired_differences
from pompeii_sim.analysis.ratio import ratio
from pompeii_sim.analysis.restricted import restricted
from pompeii_sim.analysis.robustness import robustness, survival
from pompeii_sim.analysis.screening import MorrisDesign, morris_design, sample_ranges, screening
from pompeii_sim.analysis.shares import win_share
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.analysis.tension import tension
from pompeii_sim.analysis.wanted import Wanted, wanted

__all__ = [
    "LEAST_SPREAD",
    "Comparison",
    "MorrisDesign",
    "Paired",
    "Study",
    "Wanted",
    "bands",
    "compare_runs",
    "content",
    "counts",
    "deal_effects",
    "dispersion",
    "estimate",
    "fairness",
    "first_round",
    "gaps",
    "hazard",
    "health",
    "incidence",
    "kept_games",
    "ladder",
    "ladder_shape",
    "length",
    "morris_design",
    "outcomes",
    "outliers",
    "paired_difference",
    "paired_differences",
    "ratio",
    "restricted",
    "robustness",
    "sample_ranges",
    "screening",
    "single_courses",
    "study",
    "survival",
    "tension",
    "use_associations",
    "variance_shares",
    "wanted",
    "win_share",
]
