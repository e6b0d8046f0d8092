"""The toy game's answers, worked out without playing: binomial waiting times and independence of the seats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom


@dataclass(frozen=True)
class Exact:
    """Chances of each end, mean rounds, and each seat's share of the games that somebody wins."""

    victory: float
    disaster: float
    cap: float
    rounds: float
    rounds_to_victory: float
    share: tuple[float, ...]


def exact(toss: list[float], *, heads: float = 0.5, disaster: float = 0.05, target: int = 3, cap: int = 40) -> Exact:
    """Work out a table of seats that toss with the given chances each round."""
    rounds = np.arange(cap + 1)
    reached = np.array([binom.sf(target - 1, rounds, heads * t) for t in toss])  # by round r, shape (seats, cap + 1)
    nobody = np.prod(1 - reached, axis=0)
    alive = (1 - disaster) ** rounds
    won = alive[1:] * (nobody[:-1] - nobody[1:])
    lost = alive[:-1] * disaster * nobody[:-1]
    capped = alive[cap] * nobody[cap]
    r = rounds[1:]
    share = []
    for seat in range(len(toss)):
        total = 0.0
        for k in range(1, cap + 1):
            others = np.ones(1)  # chances of 0, 1, 2 ... other winners in this round and none before
            for other in range(len(toss)):
                if other != seat:
                    now, later = reached[other, k] - reached[other, k - 1], 1 - reached[other, k]
                    others = np.convolve(others, [later, now])
            credit = float(np.sum(others / np.arange(1, len(others) + 1)))
            total += alive[k] * (reached[seat, k] - reached[seat, k - 1]) * credit
        share.append(float(total / won.sum()))
    return Exact(
        victory=float(won.sum()),
        disaster=float(lost.sum()),
        cap=float(capped),
        rounds=float((r * (won + lost)).sum() + cap * capped),
        rounds_to_victory=float((r * won).sum() / won.sum()),
        share=tuple(share),
    )
