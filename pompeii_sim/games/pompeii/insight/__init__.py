"""Insight: this game's own sections of a report.

May use analysis and figures; nothing that plays imports it.
"""
