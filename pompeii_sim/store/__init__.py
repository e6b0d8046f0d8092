"""Store: schema, parts, manifest, lock, reader of run folders.

No numba and no game is imported here: reading a run never needs the engine.
"""
