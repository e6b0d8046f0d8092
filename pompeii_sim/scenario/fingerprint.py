"""A fingerprint of a player given as a Python object: equal for equal code and data, or none where none can be had."""

from __future__ import annotations

import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
_DEPTH = 20
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


class _UnknowableError(Exception):
    """Something whose content cannot be told."""


def fingerprint(player: Any) -> str | None:
    """Return a hash of a player's code and data.

    Parameters
    ----------
    player
        A class, an object or a function.

    Returns
    -------
    str or None
        Covers byte code, constants, defaults, closures, attributes and the globals it names, as far as they are plain
        data, functions, classes or modules (by name). None when it holds anything else, such as an open file. Byte
        code differs between versions of Python.
    """
    digest = hashlib.sha256()
    try:
        for piece in _pieces(getattr(player, "py_func", player), 0, set()):
            digest.update(piece.encode() + b"\0")
    except _UnknowableError:
        return None
    return digest.hexdigest()[:16]


def _pieces(value: Any, depth: int, seen: set[int]) -> Iterator[str]:
    """Yield texts that tell one value from another."""
    if isinstance(value, _PLAIN):
        yield f"{type(value).__name__} {value!r}"
        return
    if depth > _DEPTH:
        raise _UnknowableError
    if isinstance(value, types.ModuleType):
        yield f"module {value.__name__}"
        return
    if name := _installed_name(value):
        yield f"import {name}"
        return
    if id(value) in seen:  # a function that calls itself
        yield "again"
        return
    seen.add(id(value))
    if isinstance(value, list | tuple):
        yield f"{type(value).__name__} of {len(value)}"
        for item in value:
            yield from _pieces(item, depth + 1, seen)
    elif isinstance(value, set | frozenset):
        yield f"set of {len(value)}"
        yield from sorted(" ".join(_pieces(item, depth + 1, seen)) for item in value)
    elif isinstance(value, Mapping):
        yield f"mapping of {len(value)}"
        for key, item in value.items():
            yield from _pieces(key, depth + 1, seen)
            yield from _pieces(item, depth + 1, seen)
    elif isinstance(value, np.ndarray | np.generic) and value.dtype.kind != "O":
        yield f"array {value.dtype.descr} {np.shape(value)} {hashlib.sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, types.CodeType):
        yield from _code(value, depth, seen)
    elif isinstance(value, types.FunctionType):
        yield from _function(value, depth, seen)
    elif isinstance(value, types.MethodType):
        yield from _pieces(value.__func__, depth + 1, seen)
        yield from _pieces(value.__self__, depth + 1, seen)
    elif isinstance(value, staticmethod | classmethod | property):
        inner = value.fget if isinstance(value, property) else value.__func__
        yield type(value).__name__
        yield from _pieces(inner, depth + 1, seen)
    elif isinstance(value, type):
        yield from _class(value, depth, seen)
    elif hasattr(value, "__dict__") and not _installed_name(type(value)):
        yield from _class(type(value), depth, seen)
        yield from _pieces(vars(value), depth + 1, seen)
    else:
        raise _UnknowableError


def installed(module: types.ModuleType) -> bool:
    """Return whether a module is part of Python, of an installed library or of this package."""
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__ != "__main__"
    return Path(__file__).parents[1] in Path(file).parents or str(file).startswith(_INSTALLED)


def _installed_name(value: Any) -> str:
    """Return where an installed library's function or class is imported from, empty for anything else."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module not in sys.modules:
        return ""
    if not installed(sys.modules[module]):
        return ""
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{module}.{name}" if found is value else ""


def _code(code: types.CodeType, depth: int, seen: set[int]) -> Iterator[str]:
    yield f"code {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_argcount}"
    for constant in code.co_consts:
        yield from _pieces(constant, depth + 1, seen)


def _names(code: types.CodeType) -> set[str]:
    """Return all names that code, and code inside it, may look up."""
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*(_names(c) for c in inner))


def _function(function: types.FunctionType, depth: int, seen: set[int]) -> Iterator[str]:
    yield from _code(function.__code__, depth, seen)
    yield from _pieces(function.__defaults__, depth + 1, seen)
    yield from _pieces(function.__kwdefaults__, depth + 1, seen)
    for cell in function.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:  # not bound yet
            continue
        yield from _pieces(content, depth + 1, seen)
    for name in sorted(_names(function.__code__) & set(function.__globals__)):
        yield f"global {name}"
        yield from _pieces(function.__globals__[name], depth + 1, seen)


def _class(kind: type, depth: int, seen: set[int]) -> Iterator[str]:
    yield f"class {kind.__qualname__}"
    for name, part in sorted(vars(kind).items()):
        if name not in ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__annotations__"):
            yield name
            yield from _pieces(part, depth + 1, seen)
    for base in kind.__bases__:
        yield from _pieces(base, depth + 1, seen)
