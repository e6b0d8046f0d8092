"""What a player function is to compiled code: its signature, and a user's function compiled to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.errors import InputError, nearest

N_ARGUMENTS = 7


def player_signature(public: np.dtype[Any], own: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return the compiled type of a game's players: ``f(pub, own, tables, weights, luck, acts, n)`` gives an int64.

    Parameters
    ----------
    public, own, tables
        Record types of what everybody sees, of what the seat sees alone, of rules and data.
    """
    arguments = (
        numba.from_dtype(public),
        numba.from_dtype(own),
        numba.from_dtype(tables),
        types.Array(types.float64, 1, "C", readonly=True),
        types.int64,
        types.Array(types.int64, 1, "C", readonly=True),
        types.int64,
    )
    return types.int64(*arguments)


def compile_player(function: Callable[..., Any], name: str, signature: Any) -> Any:
    """Compile a user's function to the signature of a game's players.

    Parameters
    ----------
    function
        A plain Python function, or one compiled by numba.
    name
        Where it comes from, for errors, such as ``my_bot.py:careful``.
    signature
        See `player_signature`.

    Returns
    -------
    callable
        First-class compiled function.

    Raises
    ------
    InputError
        When it takes another number of arguments, cannot be compiled, or does not return an integer.
    """
    plain = getattr(function, "py_func", function)
    code = getattr(plain, "__code__", None)
    if code is None or code.co_argcount != N_ARGUMENTS:
        count = "no" if code is None else str(code.co_argcount)
        raise InputError(
            f"the player takes {count} arguments, not {N_ARGUMENTS}",
            where=name,
            hint="write def f(pub, own, tables, weights, luck, acts, n)",
        )
    if JIT_DISABLED:
        return plain
    try:
        probe = numba.njit(signature.args)(plain)
    except KeyError as error:  # a field that no record has
        fields = [field for record in signature.args[:3] for field in record.fields]
        wanted = str(error.args[0])
        raise InputError(f"the player reads {wanted!r}, no field", where=name, hint=nearest(wanted, fields)) from error
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise InputError(f"the player cannot be compiled: {_reason(error)}", where=name) from error
    returned = probe.nopython_signatures[0].return_type
    if not isinstance(returned, types.Integer):
        raise InputError(f"the player returns {returned}, not an integer", where=name, hint="return one of acts[:n]")
    return numba.njit(signature, nogil=True, boundscheck=True)(plain)


def _reason(error: Exception) -> str:
    """Return the line of a compiler error that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During", "File", "- "))]
    return lines[0] if lines else "no reason given"
