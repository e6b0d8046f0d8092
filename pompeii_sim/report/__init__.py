"""Report: a run's answers on one page, as self-contained HTML or as Markdown with pictures beside it.

`build` asks the questions, `words` turns estimates into sentences, `html` and `markdown` write them down.
"""

from pompeii_sim.report.build import build_report, write_report
from pompeii_sim.report.document import Report

__all__ = ["Report", "build_report", "write_report"]
