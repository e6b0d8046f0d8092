"""Conditional logit: which of several takes the prize, explained by what each brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pompeii_sim.stats.checks import check_level, normal_quantile
from pompeii_sim.stats.estimate import Estimate

METHOD = "conditional-logit"
MOST_STEPS = 100
ALIASED = "cannot be told apart from the others: no comparison in the data varies it alone"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogitFit:
    """A fitted conditional logit.

    Parameters
    ----------
    names
        Names of the coefficients.
    coefficients
        One Estimate each: change of the log odds of winning; None with a note where it has no finite value.
    covariance
        Covariance of the coefficients, shape ``(p, p)``, NaN in rows and columns without a value.
    log_likelihood
        At the coefficients (in the limit, when some run to infinity).
    n
        Units used.
    left_out
        Units without a winner.
    steps
        Newton steps taken.
    separated
        Names of coefficients that run to infinity.
    aliased
        Names of coefficients the data cannot tell apart from others.
    """

    names: tuple[str, ...]
    coefficients: tuple[Estimate, ...]
    covariance: NDArray[np.float64]
    log_likelihood: float
    n: int
    left_out: int
    steps: int
    separated: tuple[str, ...]
    aliased: tuple[str, ...]


def conditional_logit(
    features: ArrayLike,
    winner: ArrayLike,
    *,
    present: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> LogitFit:
    """Fit P(j wins) proportional to exp(features of j . coefficients) by Newton's method.

    Parameters
    ----------
    features
        Features of each alternative, shape ``(m, J, p)``.
    winner
        Index of the winning alternative, shape ``(m,)``; -1 where nobody won (the row is left out).
    present
        Which alternatives exist, bool, shape ``(m, J)``; all by default.
    weights
        How many units each row stands for, shape ``(m,)``; fractions serve shared wins. One each by default.
    names
        Names of the features; ``x0``, ``x1``, ... by default.
    level
        Confidence level of the (Wald) intervals.

    Returns
    -------
    LogitFit
        Coefficients that run to infinity (separation: some combination of features explains every win without fail)
        are None and named in their note and in `separated`; the rest is fitted in that limit.

    Raises
    ------
    ValueError
        When shapes do not fit, a winner is absent, or numbers are NaN, infinite or negative where they must not be.

    Notes
    -----
    McFadden (1974), Conditional logit analysis of qualitative choice behavior. Separation is found exactly, by a linear
    program: Albert and Anderson (1984), On the existence of maximum likelihood estimates. Biometrika 71; Konis (2007),
    Linear programming algorithms for detecting separated data.
    """
    z = normal_quantile(check_level(level))
    x, won, there, counts, labels = _check(features, winner, present, weights, names)
    left_out = float(counts[won < 0].sum())
    used = (won >= 0) & (counts > 0)
    x, won, there, counts = x[used], won[used], there[used], counts[used]
    rows = np.arange(won.size)
    p = x.shape[2]
    # Everything depends on winner minus loser only.
    gaps = x[rows, won][:, np.newaxis, :] - x
    losers = there.copy()
    losers[rows, won] = False
    flat = np.unique(gaps[losers], axis=0) if losers.any() else np.zeros((0, p))
    span = _row_space(flat)
    direction = _separation(flat, span)
    certain = np.zeros_like(losers)
    if direction is not None:
        scale = max(1.0, float(np.abs(flat @ direction).max()))
        certain = losers & (gaps @ direction > 1e-7 * scale)
        losers &= ~certain
    basis = _row_space(np.unique(gaps[losers], axis=0) if losers.any() else np.zeros((0, p)))
    inner, log_likelihood, information, steps = _newton(gaps @ basis, losers, counts)
    beta = basis @ inner
    covariance = basis @ np.linalg.inv(information) @ basis.T if inner.size else np.zeros((p, p))
    total = float(counts.sum())
    coefficients, separated, aliased, known = [], [], [], []
    for j, name in enumerate(labels):
        unit = np.zeros(p)
        unit[j] = 1.0
        note = None
        if np.linalg.norm(unit - basis @ basis[j]) < 1e-7:
            known.append(j)
        elif np.linalg.norm(unit - span @ span[j]) < 1e-7:
            separated.append(name)
            push = 0.0 if direction is None else float(direction[j])
            note = "separated: wins are explained without fail as it grows without end"
            if abs(push) > 1e-7:
                note += ", upwards" if push > 0 else ", downwards"
        else:
            aliased.append(name)
            note = ALIASED if total else "no units"
        value = None if note else float(beta[j])
        half = z * float(np.sqrt(max(covariance[j, j], 0.0)))
        coefficients.append(
            Estimate(
                value=value,
                low=None if value is None else value - half,
                high=None if value is None else value + half,
                n=round(total),
                level=level,
                method=METHOD,
                note=note,
            )
        )
    shown = np.full((p, p), np.nan)
    shown[np.ix_(known, known)] = covariance[np.ix_(known, known)]
    return LogitFit(
        names=labels,
        coefficients=tuple(coefficients),
        covariance=shown,
        log_likelihood=log_likelihood,
        n=round(total),
        left_out=round(left_out),
        steps=steps,
        separated=tuple(separated),
        aliased=tuple(aliased),
    )


def _check(
    features: ArrayLike,
    winner: ArrayLike,
    present: ArrayLike | None,
    weights: ArrayLike | None,
    names: Sequence[str] | None,
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64], tuple[str, ...]]:
    x = np.asarray(features, dtype=np.float64)
    if x.ndim != 3:
        raise ValueError(f"features must have shape (m, J, p), got {x.shape}")
    if not np.isfinite(x).all():
        raise ValueError("features must not contain NaN or infinities")
    m, alternatives, p = x.shape
    won = np.asarray(winner)
    if won.shape != (m,) or (m and won.dtype.kind not in "iu"):
        raise ValueError(f"winner must be {m} whole numbers, got shape {won.shape} and dtype {won.dtype}")
    won = won.astype(np.int64)
    if m and (won.min() < -1 or won.max() >= alternatives):
        raise ValueError(f"winner must lie in -1..{alternatives - 1}")
    there = np.ones((m, alternatives), dtype=np.bool_) if present is None else np.asarray(present, dtype=np.bool_)
    if there.shape != (m, alternatives):
        raise ValueError(f"present must have shape ({m}, {alternatives}), got {there.shape}")
    if not there[np.arange(m), np.maximum(won, 0)][won >= 0].all():
        raise ValueError("winner names an alternative that is not present")
    counts = np.ones(m) if weights is None else np.asarray(weights, dtype=np.float64)
    if counts.shape != (m,):
        raise ValueError(f"weights must have shape ({m},), got {counts.shape}")
    if not np.isfinite(counts).all() or (m and counts.min() < 0):
        raise ValueError("weights must be finite and not negative")
    labels = tuple(f"x{j}" for j in range(p)) if names is None else tuple(names)
    if len(labels) != p:
        raise ValueError(f"names must name {p} features, got {len(labels)}")
    return x, won, there, counts, labels


def _row_space(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an orthonormal basis of the space spanned by the rows, shape ``(p, rank)``."""
    if rows.size == 0:
        return np.zeros((rows.shape[1], 0))
    values, vectors = np.linalg.eigh(rows.T @ rows)
    return np.asarray(vectors[:, values > 1e-10 * max(float(values[-1]), 1e-300)])


def _separation(gaps: NDArray[np.float64], span: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the direction along which no winner falls behind and most comparisons gain, or None.

    Maximises the sum of s with 0 <= s <= 1 and gaps . direction >= s: a comparison that can gain at all reaches s = 1.
    """
    from scipy.optimize import linprog

    k, rank = gaps.shape[0], span.shape[1]
    if k == 0 or rank == 0:
        return None
    result = linprog(
        np.concatenate([np.zeros(rank), -np.ones(k)]),
        A_ub=np.hstack([-(gaps @ span), np.eye(k)]),
        b_ub=np.zeros(k),
        bounds=[(None, None)] * rank + [(0.0, 1.0)] * k,
        method="highs",
    )
    if result.status != 0:
        raise ArithmeticError(f"the linear program that looks for separation failed: {result.message}")
    return np.asarray(span @ result.x[:rank]) if -result.fun > 0.5 else None


def _newton(
    gaps: NDArray[np.float64], losers: NDArray[np.bool_], counts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float, NDArray[np.float64], int]:
    """Maximise the log-likelihood; return the point, its value, the information matrix and the steps taken."""
    rank = gaps.shape[2]
    beta = np.zeros(rank)
    value, gradient, information = _likelihood(beta, gaps, losers, counts)
    for step in range(MOST_STEPS):
        if rank == 0:
            return beta, value, information, 0
        move = np.linalg.solve(information, gradient)
        # Half the squared length of the step in standard errors: what the likelihood can still gain.
        if float(gradient @ move) < 1e-16 * max(1.0, abs(value)):
            return beta, value, information, step
        size = 1.0
        while True:
            tried = _likelihood(beta + size * move, gaps, losers, counts)
            if tried[0] >= value - 1e-12 * abs(value) or size < 1e-8:
                break
            size /= 2.0
        beta = beta + size * move
        value, gradient, information = tried
    raise ArithmeticError(f"the fit did not settle within {MOST_STEPS} steps")


def _likelihood(
    beta: NDArray[np.float64], gaps: NDArray[np.float64], losers: NDArray[np.bool_], counts: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    lead = np.where(losers, -(gaps @ beta), -np.inf)
    top = np.maximum(lead.max(axis=1, initial=-np.inf), 0.0)[:, np.newaxis]
    raw = np.exp(lead - top)
    bottom = np.exp(-top[:, 0]) + raw.sum(axis=1)
    value = -float(counts @ (top[:, 0] + np.log(bottom)))
    share = raw / bottom[:, np.newaxis]
    pull = np.einsum("ij,ijk->ik", share, gaps)
    gradient = counts @ pull
    information = np.einsum("i,ij,ijk,ijl->kl", counts, share, gaps, gaps, optimize=True)
    information -= np.einsum("i,ik,il->kl", counts, pull, pull, optimize=True)
    return value, gradient, information
