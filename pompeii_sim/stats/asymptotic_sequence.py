"""Asymptotic confidence sequence for a mean without known bounds: nearly valid at every look once n is large."""

from __future__ import annotations

import math
from dataclasses import replace

from pompeii_sim.stats.checks import check_count, check_level
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.mean import spread_from_sums, t_mean_from_sums

METHOD = "asymptotic-sequence"


def anytime_mean_asymptotic(
    n: int,
    total: float,
    squares: float,
    *,
    tuned_for: int = 10_000,
    level: float = 0.95,
    expected: float | None = None,
) -> Estimate:
    """Estimate a mean from its sums with an interval that holds at all late looks at once, approximately.

    For numbers without bounds (decisions a game, seconds); where bounds are known prefer `anytime_mean`, which promises
    without an "approximately". Do not look before some hundreds of units.

    Parameters
    ----------
    n, total, squares
        Number of units so far, their sum and the sum of their squares.
    tuned_for
        Number of units at which the interval is tightest; fix it beforehand.
    level
        Confidence level over all looks together.
    expected
        What chance alone would give, carried along.

    Returns
    -------
    Estimate
        Method ``asymptotic-sequence``, valid ``anytime``; a note says that the promise is asymptotic.

    Raises
    ------
    ValueError
        As `t_mean_from_sums`, or when `tuned_for` is not at least 1.

    Notes
    -----
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Time-uniform central limit theory and asymptotic confidence
    sequences. Annals of Statistics 52; the two-sided normal mixture.
    """
    count = check_count("n", n)
    if check_count("tuned_for", tuned_for) < 1:
        raise ValueError(f"tuned_for must be at least 1, got {tuned_for!r}")
    plain = t_mean_from_sums(count, total, squares, level=level, expected=expected)
    if plain.value is None or plain.note is not None:
        return replace(plain, method=METHOD, valid="anytime")
    alpha = 1.0 - check_level(level)
    variance = spread_from_sums(count, total, squares)[1] / count
    wanted = -2.0 * math.log(alpha) + math.log(-2.0 * math.log(alpha) + 1.0)
    grown = count * wanted / tuned_for + 1.0
    radius = math.sqrt(variance * 2.0 * grown / (count * (grown - 1.0)) * math.log(math.sqrt(grown) / alpha))
    return replace(
        plain,
        low=plain.value - radius,
        high=plain.value + radius,
        method=METHOD,
        valid="anytime",
        note="asymptotic: the promise over all looks holds better the later the first look",
    )
