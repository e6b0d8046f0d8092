"""Insight: this game's own sections of a report: fates, gates, buildings, the clock, survival, the board.

May use analysis, figures and the report's words; nothing that plays imports it.
"""

from __future__ import annotations

from pompeii_sim.analysis import Study
from pompeii_sim.figures.section import Section
from pompeii_sim.games.downfall.insight.board import board
from pompeii_sim.games.downfall.insight.buildings import buildings
from pompeii_sim.games.downfall.insight.clock import clock
from pompeii_sim.games.downfall.insight.fates import fates
from pompeii_sim.games.downfall.insight.gates import gates
from pompeii_sim.games.downfall.insight.survival import survival

__all__ = ["sections"]


def sections(study: Study) -> list[Section]:
    """Return what this game adds to a report.

    Parameters
    ----------
    study
        A run of this game, with ``core`` or ``full`` records; sections that need the latter say so.
    """
    return [fates(study), survival(study), gates(study), buildings(study), board(study), clock(study)]
