"""Run: plan, execution on threads, progress, resume, summary.

Executes the missing parts of a plan and writes them through the store.
"""

from pompeii_sim.run.execute import execute
from pompeii_sim.run.interrupt import Interrupted
from pompeii_sim.run.progress import NoProgress, Progress, make_progress
from pompeii_sim.run.result import RunResult
from pompeii_sim.run.summary import CellResult, closing_table, metric_records

__all__ = [
    "CellResult",
    "Interrupted",
    "NoProgress",
    "Progress",
    "RunResult",
    "closing_table",
    "execute",
    "make_progress",
    "metric_records",
]
