"""Insight: this game's own sections of a report: Vesuvius, offerings, stances, cards, buildings and places.

May use analysis, figures and the report's words; nothing that plays imports it.
"""

from __future__ import annotations

from pompeii_sim.analysis import Study
from pompeii_sim.figures.section import Section
from pompeii_sim.games.pompeii.insight.content import cards, places
from pompeii_sim.games.pompeii.insight.offerings import offerings
from pompeii_sim.games.pompeii.insight.stances import stances
from pompeii_sim.games.pompeii.insight.vesuvius import vesuvius

__all__ = ["sections"]


def sections(study: Study) -> list[Section]:
    """Return what this game adds to a report.

    Parameters
    ----------
    study
        A run of this game, with ``core`` or ``full`` records; sections that need the latter say so.
    """
    made = (vesuvius(study), offerings(study), stances(study), cards(study), places(study))
    return [section for section in made if section is not None]
