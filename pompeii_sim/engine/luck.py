"""Luck by key: every random number is a hash of what it decides, never a position in a stream.

So an extra draw of one seat moves nobody else's luck, any game can be played on its own, and settings compare on
common luck. The mixer is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
Generators", 2014) applied once a part. All arithmetic is uint64 inside this file and int64 (63 bits, never negative)
outside, because mixing the two silently gives signed numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pompeii_sim.engine.jit import JIT_DISABLED, entry, hot, jit

# the mixer lets uint64 run over, of which plain numpy warns; its setting is each thread's own, so each call sets it
_running_over: Any = np.errstate(over="ignore") if JIT_DISABLED else entry

_GOLD = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S11 = np.uint64(11)
_S1 = np.uint64(1)
_UNIT = 1.0 / 9007199254740992.0  # 2**-53


@hot
def _mix(z):
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@_running_over
def key(seed, a, b, c, d):
    """Return the key of (seed, a, b, c, d) as an int64 in 0..2**63-1; all parts are int64."""
    h = _mix(np.uint64(seed) + _GOLD)
    h = _mix((h ^ np.uint64(a)) + _GOLD)
    h = _mix((h ^ np.uint64(b)) + _GOLD)
    h = _mix((h ^ np.uint64(c)) + _GOLD)
    h = _mix((h ^ np.uint64(d)) + _GOLD)
    return np.int64(h >> _S1)


@_running_over
def again(luck, part):
    """Return a further key derived from a key and an int64 part."""
    return np.int64(_mix((np.uint64(luck) ^ np.uint64(part)) + _GOLD) >> _S1)


@entry
def unit(luck):
    """Return a float64 in [0, 1) from a key (53 bits)."""
    return np.float64((np.uint64(luck) << _S1) >> _S11) * _UNIT


@entry
def below(luck, n):
    """Return an int64 in 0..n-1 from a key; the bias of floor(u*n) is below n * 2**-53."""
    return np.int64(unit(luck) * n)


@jit
def uniform_action(acts, n, luck, arg, n_kinds):
    """Return a legal action: a uniform kind (action // arg, below n_kinds), then a uniform action of that kind."""
    seen = 0
    kinds = 0
    for i in range(n):
        bit = 1 << (acts[i] // arg)
        if seen & bit == 0:
            seen |= bit
            kinds += 1
    pick = below(luck, kinds)
    kind = 0
    for k in range(n_kinds):
        if (seen >> k) & 1 != 0:
            if pick == 0:
                kind = k
                break
            pick -= 1
    count = 0
    for i in range(n):
        if acts[i] // arg == kind:
            count += 1
    pick = below(again(luck, 1), count)
    for i in range(n):
        if acts[i] // arg == kind:
            if pick == 0:
                return acts[i]
            pick -= 1
    return acts[0]
