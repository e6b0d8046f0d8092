"""Versions that results or bytes may depend on, for the manifest."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

_LIBRARIES = ("numpy", "numba", "llvmlite", "polars")


def versions() -> dict[str, str]:
    """Return the versions of the package, Python, the machine type and the libraries."""
    out = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    for name in ("pompeii-sim", *_LIBRARIES):
        try:
            out[name] = version(name)
        except PackageNotFoundError:  # run from a source folder that is not installed
            out[name] = "not installed"
    return out
