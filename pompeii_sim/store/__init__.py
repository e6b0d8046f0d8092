"""Store: schema, parts, manifest, lock, reader of run folders.

No numba and no game is imported here: reading a run never needs the engine.
"""

from pompeii_sim.store.folder import RunFolder
from pompeii_sim.store.lock import Lock
from pompeii_sim.store.manifest import Manifest
from pompeii_sim.store.parts import DamagedPart
from pompeii_sim.store.reader import Run, open_run
from pompeii_sim.store.schema import Schema, build_schema

__all__ = ["DamagedPart", "Lock", "Manifest", "Run", "RunFolder", "Schema", "build_schema", "open_run"]
