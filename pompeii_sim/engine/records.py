"""Records at the Python border: one-element structured arrays, or their plain-Python twins without the jit.

Compiled code takes ``S = SA[0]`` from an array allocated here, in Python: a record allocated inside compiled code is
freed while in use. Without the jit a structured scalar has no attributes, so the same fields become a namespace.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from pompeii_sim.engine.jit import JIT_DISABLED, entry


def allocate(dtype: np.dtype[Any], count: int = 1) -> Any:
    """Return `count` zeroed records: an array of shape ``(count,)``, or a list of namespaces without the jit."""
    if JIT_DISABLED:
        return [_twin(dtype) for _ in range(count)]
    return np.zeros(count, dtype)


def _twin(dtype: np.dtype[Any]) -> Any:
    if dtype.names is None:
        if dtype.subdtype is None:
            return 0.0 if dtype.kind == "f" else 0
        base, shape = dtype.subdtype
        if base.names is None:
            return np.zeros(shape, base)
        if len(shape) != 1:
            raise TypeError(f"an array of records must have one dimension, got shape {shape}")
        return [_twin(base) for _ in range(shape[0])]
    assert dtype.fields is not None
    return SimpleNamespace(**{name: _twin(dtype.fields[name][0]) for name in dtype.names})


def from_array(array: np.ndarray[Any, Any]) -> Any:
    """Return records for compiled code from a structured array: itself, or namespaces without the jit."""
    if not JIT_DISABLED:
        return array
    out = allocate(array.dtype, len(array))
    for record, value in zip(out, array, strict=True):
        _fill(record, value)
    return out


def _fill(record: Any, value: Any) -> None:
    for name in value.dtype.names:
        target, source = getattr(record, name), value[name]
        if isinstance(target, SimpleNamespace):
            _fill(target, source)
        elif isinstance(target, list):
            for one, part in zip(target, source, strict=True):
                _fill(one, part)
        elif isinstance(target, np.ndarray):
            target[...] = source
        else:
            setattr(record, name, source.item())


def to_array(records: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return records as a structured array of shape ``(count,)`` (the array itself when it is one)."""
    if isinstance(records, np.ndarray):
        return records
    out = np.zeros(len(records), dtype)
    for slot, record in enumerate(records):
        _store(out[slot], record)
    return out


def _store(value: Any, record: Any) -> None:
    for name in value.dtype.names:
        source = getattr(record, name)
        if isinstance(source, SimpleNamespace):
            _store(value[name], source)
        elif isinstance(source, list):
            for slot, part in enumerate(source):
                _store(value[name][slot], part)
        else:
            value[name] = source


def copy_record(target: Any, source: Any) -> None:
    """Copy one record over another; without the jit only."""
    for name, value in vars(source).items():
        old = getattr(target, name)
        if isinstance(old, SimpleNamespace):
            copy_record(old, value)
        elif isinstance(old, list):
            for one, part in zip(old, value, strict=True):
                copy_record(one, part)
        elif isinstance(old, np.ndarray):
            old[...] = value
        else:
            setattr(target, name, value)


if JIT_DISABLED:

    def clear(records: Any, cleared: Any) -> None:
        """Copy the first record of ``cleared`` over the first record of ``records``."""
        copy_record(records[0], cleared[0])

else:

    @entry
    def clear(records, cleared):  # type: ignore[no-untyped-def]
        """Copy the first record of ``cleared`` over the first record of ``records``."""
        records[0] = cleared[0]
