"""The referee: a second reading of the rules in plain Python, its games, and faults it must catch."""
