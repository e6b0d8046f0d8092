"""Toy: two to eight seats toss coins on a slope of a volcano; first to a number of heads wins.

Small enough that every chance can be worked out on paper, complete enough to show all a game must offer.
"""
