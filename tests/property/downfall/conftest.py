"""The helper of these tests stands in tests/unit/downfall."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "unit" / "downfall"
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))
