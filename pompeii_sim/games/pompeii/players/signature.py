"""The one signature of all player functions, and how a user's function is compiled to it.

A player is called as ``f(pub, own, tables, weights, luck, acts, n)`` and returns one of ``acts[:n]``:

- ``pub``: what everybody sees (record `PUBLIC`); the decision is in ``pub.dec_kind``, ``dec_seat``, ``dec_a`` ...;
- ``own``: the own hand, drawn cards and plan (record `OWN`); ``tables``: rules and data (record `TABLES`);
- ``weights``: the seat's float64 row; ``luck``: the seat's int64 luck of this decision, for `engine.luck`;
- ``acts``: int64 array holding the ``n`` legal actions first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types

from pompeii_sim.engine.jit import JIT_DISABLED, signed
from pompeii_sim.errors import InputError
from pompeii_sim.games.pompeii.state import OWN, PUBLIC
from pompeii_sim.games.pompeii.table_types import TABLES

N_ARGUMENTS = 7
ARGUMENTS = (
    numba.from_dtype(PUBLIC),
    numba.from_dtype(OWN),
    numba.from_dtype(TABLES),
    types.Array(types.float64, 1, "C", readonly=True),
    types.int64,
    types.Array(types.int64, 1, "C", readonly=True),
    types.int64,
)
PLAYER = types.int64(*ARGUMENTS)

player = signed(PLAYER)
"""Decorator that compiles a player function to the signature."""


def compile_player(function: Callable[..., Any], name: str) -> Any:
    """Compile a user's function to the player signature.

    Parameters
    ----------
    function
        A plain Python function, or one compiled by numba.
    name
        Where it comes from, for errors, such as ``my_bot.py:careful``.

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
        probe = numba.njit(ARGUMENTS)(plain)
    except numba.core.errors.NumbaError as error:
        raise InputError(f"the player cannot be compiled: {_reason(error)}", where=name) from error
    returned = probe.nopython_signatures[0].return_type
    if not isinstance(returned, types.Integer):
        raise InputError(f"the player returns {returned}, not an integer", where=name, hint="return one of acts[:n]")
    return numba.njit(PLAYER, nogil=True, boundscheck=True)(plain)


def _reason(error: Exception) -> str:
    """Return the line of a compiler error that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in", "During", "File", "- "))]
    return lines[0] if lines else "no reason given"
