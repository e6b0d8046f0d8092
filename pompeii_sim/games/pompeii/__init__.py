"""Pompeii (2025): its data and rules, its kernel and its players.

A worker placement game for one to four under Vesuvius; `data/` holds every number with its provenance.
"""
