"""Statistics: arrays in, Estimate out.

One method a file; nothing here knows what a game is.
Imported by measure and analysis; imports nothing of the package.
"""
