"""Figures: one family a file; a tidy frame in, a matplotlib figure out.

Nothing here shows or saves; `section` holds what a report is made of, so that a game's own sections can make it, too.
"""

from pompeii_sim.figures.section import Picture, Section, Table

__all__ = ["Picture", "Section", "Table"]
