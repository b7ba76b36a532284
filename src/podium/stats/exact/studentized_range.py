"""Tails of the studentized range (Tukey, Nemenyi) and of Dunnett's largest difference, by quadrature.

Both are integrals of smooth functions that die out fast on both sides, for which the trapezoid rule converges
faster than any power of its step. They are written as sums of positive terms, so that small p-values keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import gammaln, ndtr

from podium.core.arrays import Floats

NormalTail = Callable[[Floats, int], Floats]

STEP = 0.04
# With more distinct statistics than this, log tails are interpolated by polynomials on pieces of unit length.
MOST_DIRECT = 1500
NORMAL_TAIL_ENDS = 70.0  # beyond this a normal tail is less than the smallest float
PIECE_DEGREE = 24
NODES: Floats = np.cos(np.pi * (np.arange(PIECE_DEGREE + 1) + 0.5) / (PIECE_DEGREE + 1))


def range_tail(q: npt.ArrayLike, k: int, df: float = math.inf) -> Floats:
    """P(range of k standard normals / s > q), s^2 an independent chi-square on `df` degrees over df.

    At infinite df: k times the integral of phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)), z the largest.

    >>> round(float(range_tail(3.633160, 4)), 6)
    0.05
    """
    return _tail(q, _range_tail_normal, k, df)


def dunnett_tail(t: npt.ArrayLike, comparisons: int, df: float = math.inf) -> Floats:
    """P(largest |difference from the control| > t), differences with equal correlations 1/2, studentized on df.

    >>> round(float(dunnett_tail(1.959964, 1)), 6)
    0.05
    """
    return _tail(t, _dunnett_tail_normal, comparisons, df)


def quantile(tail: Callable[[float], float], alpha: float) -> float:
    """Where a falling tail crosses `alpha`."""
    high = 4.0
    while tail(high) > alpha:
        high *= 2
    return float(brentq(lambda x: tail(x) - alpha, 0.0, high, xtol=1e-13, rtol=1e-14))


def _tail(x: npt.ArrayLike, normal: NormalTail, size: int, df: float) -> Floats:
    """The tail at each distinct value once: directly if they are few, by interpolation if many."""
    array = np.asarray(x, dtype=np.float64)
    distinct, where = np.unique(np.minimum(array, 1e6).ravel(), return_inverse=True)
    many = distinct.size > MOST_DIRECT
    if math.isinf(df):
        tails = _interpolated_normal(distinct, normal, size) if many else normal(distinct, size)
    elif many:
        tails = _interpolated_studentized(distinct, normal, size, df)
    else:
        tails = _studentized(distinct, normal, size, df)
    return np.clip(tails[where], 0.0, 1.0).reshape(array.shape)


def _range_tail_normal(q: Floats, k: int) -> Floats:
    q = np.minimum(q, NORMAL_TAIL_ENDS)
    z = np.arange(-9.0, 9.0 + float(q.max(initial=0.0)) / 2, STEP)
    below = ndtr(z)
    weight = STEP * k * np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi) * below ** (k - 1)
    return _exceeded(q, k - 1, weight, lambda q: ndtr(z - q) / below)


def _dunnett_tail_normal(t: Floats, comparisons: int) -> Floats:
    t = np.minimum(t, NORMAL_TAIL_ENDS)
    z = np.arange(-9.0 - float(t.max(initial=0.0)), 9.0 + float(t.max(initial=0.0)), STEP)
    weight = STEP * np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    # Given the control's z, each |difference| exceeds t independently.
    return _exceeded(t, comparisons, weight, lambda t: ndtr(z - math.sqrt(2) * t) + ndtr(-z - math.sqrt(2) * t))


def _exceeded(x: Floats, times: int, weight: Floats, chance: Callable[[Floats], Floats]) -> Floats:
    """The weighted sums of 1 - (1 - chance)^times over the nodes, at so many x at once as keep a block within some megabytes."""
    tail, size = np.empty_like(x), max(1, 500_000 // weight.size)
    for start in range(0, x.size, size):
        part = slice(start, start + size)
        with np.errstate(divide="ignore"):  # a chance of 1 takes the whole weight
            tail[part] = -np.expm1(times * np.log1p(-np.minimum(chance(x[part, None]), 1.0))) @ weight
    return tail


def _studentized(x: Floats, normal: NormalTail, size: int, df: float) -> Floats:
    """The integral over u = log s of the density of s times the normal tail at x s."""
    step = min(0.25 / math.sqrt(2 * df), 0.02)
    width = 9.5 / math.sqrt(2 * df)
    lowest = min(-width - 20.0 / df, math.log(2.0 / max(2.0, float(x.max(initial=0.0)))) - 40.0 / df)
    u = np.arange(lowest, width + 1.0 / df, step)
    log_density = math.log(2.0) + 0.5 * df * (math.log(df / 2)) - gammaln(df / 2) + df * u - 0.5 * df * np.exp(2 * u)
    weight = step * np.exp(log_density)
    points = x[:, None] * np.exp(u)
    return np.asarray(_interpolated_normal(points.ravel(), normal, size).reshape(points.shape) @ weight)


def _interpolated_normal(x: Floats, normal: NormalTail, size: int) -> Floats:
    """A normal tail by polynomials for its logarithm on pieces of unit length; 0 where it is below all floats."""
    tails = np.zeros_like(x)
    inside = x < NORMAL_TAIL_ENDS
    tails[inside] = _by_pieces(x[inside], lambda low: _normal_piece(normal, size, low))
    return tails


@lru_cache(maxsize=4096)
def _normal_piece(normal: NormalTail, size: int, low: int) -> Floats | None:
    return _fit(normal(low + 0.5 * (NODES + 1), size))


def _interpolated_studentized(x: Floats, normal: NormalTail, size: int, df: float) -> Floats:
    """A studentized tail by polynomials for its logarithm on pieces of 4 log x."""
    place = 4 * np.log(np.maximum(x, 1e-3))

    def piece(low: int) -> Floats | None:
        return _fit(_studentized(np.exp((low + 0.5 * (NODES + 1)) / 4), normal, size, df))

    return _by_pieces(place, piece)


def _fit(values: Floats) -> Floats | None:
    """Chebyshev coefficients of the logarithm of values at NODES; None where they are too small for floats."""
    if values.min() < 1e-290:
        return None
    return np.asarray(np.polynomial.chebyshev.chebfit(NODES, np.log(values), PIECE_DEGREE), dtype=np.float64)


def _by_pieces(place: Floats, piece: Callable[[int], Floats | None]) -> Floats:
    """exp of the piecewise polynomial at each place."""
    values = np.zeros_like(place)
    number = np.floor(place).astype(np.int64)
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(number[order]) > 0]) if place.size else np.empty(0, dtype=np.intp)
    for first, end in zip(starts, [*starts[1:], place.size], strict=True):
        members = order[first:end]
        low = int(number[members[0]])
        fit = piece(low)
        if fit is not None:
            values[members] = np.exp(np.polynomial.chebyshev.chebval(2 * (place[members] - low) - 1, fit))
    return values
