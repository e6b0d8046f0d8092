"""Analysis: a run in, tidy polars frames out; one question a function, first argument a `Study`.

Every answer has keys first (``cell``, the swept settings, then what the question is about), then the Estimate.
Nothing here plays games, names one, or draws.
"""

from pompeii_sim.analysis.counts import counts, dispersion
from pompeii_sim.analysis.endings import hazard, incidence
from pompeii_sim.analysis.length import length
from pompeii_sim.analysis.outcomes import estimate, outcomes
from pompeii_sim.analysis.paired import Paired, paired_difference, paired_differences
from pompeii_sim.analysis.shares import win_share
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.analysis.wanted import Wanted, wanted

__all__ = [
    "Paired",
    "Study",
    "Wanted",
    "counts",
    "dispersion",
    "estimate",
    "hazard",
    "incidence",
    "length",
    "outcomes",
    "paired_difference",
    "paired_differences",
    "study",
    "wanted",
    "win_share",
]
