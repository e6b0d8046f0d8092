"""The Downfall of Pompeii (2004, 2013): its data and rules, its kernel and its players.

Two to four settle a city in the first half and run from lava in the second; `data/` holds board, cards and tiles.
"""
