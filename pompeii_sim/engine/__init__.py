"""Engine: jit and its cache, keyed luck, the legal/apply loop, events, and the Game contract.

Games are written against this room; it knows no game.
"""
