"""Scripted players of Pompeii: what each needs, how it chooses, and how seats behave in offerings.

A player sees the public record, its own hand and the tables, nothing else; built-in personas are rows of weights.
"""
