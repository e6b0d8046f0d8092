"""Scripted players of The Downfall of Pompeii: the web app's six and our own.

A player sees the public record, its own hand and the tables, nothing else; the six are one function with other weights.
"""
