"""Tails of the studentized range (Tukey, Nemenyi) and of Dunnett's largest difference, by quadrature.

Both are integrals of smooth functions that die out fast on both sides, for which the trapezoid rule converges
faster than any power of its step. They are written as sums of positive terms, so that small p-values keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import gammaln, ndtr

__all__ = ["dunnett_tail", "quantile", "range_tail"]

Floats = npt.NDArray[np.float64]
Tail = Callable[[Floats], Floats]

STEP = 0.04
# With more distinct statistics than this, log tails are interpolated by polynomials on pieces of unit length.
MOST_DIRECT = 1500
NORMAL_TAIL_ENDS = 70.0  # beyond this a normal tail is less than the smallest float
PIECE_DEGREE = 24


def range_tail(q: npt.ArrayLike, k: int, df: float = math.inf) -> Floats:
    """P(range of k standard normals / s > q), s^2 an independent chi-square on `df` degrees over df.

    At infinite df: k times the integral of phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)), z the largest.

    >>> round(float(range_tail(3.633160, 4)), 6)
    0.05
    """
    return _tail(q, lambda x: _range_tail_normal(x, k), df)


def dunnett_tail(t: npt.ArrayLike, comparisons: int, df: float = math.inf) -> Floats:
    """P(largest |difference from the control| > t), differences with equal correlations 1/2, studentized on df.

    >>> round(float(dunnett_tail(1.959964, 1)), 6)
    0.05
    """
    return _tail(t, lambda x: _dunnett_tail_normal(x, comparisons), df)


def quantile(tail: Callable[[float], float], alpha: float) -> float:
    """Where a falling tail crosses `alpha`."""
    high = 4.0
    while tail(high) > alpha:
        high *= 2
    return float(brentq(lambda x: tail(x) - alpha, 0.0, high, xtol=1e-13, rtol=1e-14))


def _tail(x: npt.ArrayLike, normal: Tail, df: float) -> Floats:
    """The tail at each distinct value once: directly if they are few, by interpolation if many."""
    array = np.asarray(x, dtype=np.float64)
    distinct, where = np.unique(np.minimum(array, 1e6).ravel(), return_inverse=True)
    many = distinct.size > MOST_DIRECT
    if math.isinf(df):
        found = _interpolated(normal, distinct) if many else normal(distinct)
    elif many:
        found = _interpolated(lambda points: _studentized(points, normal, df), distinct, in_logs=True)
    else:
        found = _studentized(distinct, normal, df)
    return np.clip(found[where], 0.0, 1.0).reshape(array.shape)


def _range_tail_normal(q: Floats, k: int) -> Floats:
    q = np.minimum(q, NORMAL_TAIL_ENDS)
    z = np.arange(-9.0, 9.0 + float(q.max(initial=0.0)) / 2, STEP)
    below = ndtr(z)
    weight = STEP * k * np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi) * below ** (k - 1)
    tail: Floats = np.empty_like(q)
    for part in _parts(q.size, z.size):
        ratio = np.minimum(ndtr(z - q[part, None]) / below, 1.0)
        with np.errstate(divide="ignore"):  # a ratio of 1: nothing fits below, the tail takes the whole weight
            tail[part] = -np.expm1((k - 1) * np.log1p(-ratio)) @ weight
    return tail


def _dunnett_tail_normal(t: Floats, comparisons: int) -> Floats:
    t = np.minimum(t, NORMAL_TAIL_ENDS)
    z = np.arange(-9.0 - float(t.max(initial=0.0)), 9.0 + float(t.max(initial=0.0)), STEP)
    weight = STEP * np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    tail: Floats = np.empty_like(t)
    for part in _parts(t.size, z.size):
        scaled = math.sqrt(2.0) * t[part, None]  # given the control's z, each |difference| exceeds t independently
        outside = np.minimum(ndtr(z - scaled) + ndtr(-z - scaled), 1.0)
        with np.errstate(divide="ignore"):
            tail[part] = -np.expm1(comparisons * np.log1p(-outside)) @ weight
    return tail


def _parts(rows: int, columns: int) -> list[slice]:
    """Slices of rows that keep a block of rows x columns within some megabytes."""
    size = max(1, 500_000 // columns)
    return [slice(start, start + size) for start in range(0, rows, size)]


def _studentized(x: Floats, normal: Tail, df: float) -> Floats:
    """The integral over u = log s of the density of s times the normal tail at x s."""
    step = min(0.25 / math.sqrt(2 * df), 0.02)
    width = 9.5 / math.sqrt(2 * df)
    lowest = min(-width - 20.0 / df, math.log(2.0 / max(2.0, float(x.max(initial=0.0)))) - 40.0 / df)
    u = np.arange(lowest, width + 1.0 / df, step)
    log_density = math.log(2.0) + 0.5 * df * (math.log(df / 2)) - gammaln(df / 2) + df * u - 0.5 * df * np.exp(2 * u)
    weight = step * np.exp(log_density)
    points = x[:, None] * np.exp(u)
    flat = points.ravel()
    values = _interpolated(normal, flat) if flat.size > MOST_DIRECT else normal(flat)
    found: Floats = values.reshape(points.shape) @ weight
    return found


def _interpolated(tail: Tail, x: Floats, *, in_logs: bool = False) -> Floats:
    """log tail by Chebyshev polynomials on pieces of unit length (of x, or of log x); tails below 1e-290 are 0."""
    found = np.zeros_like(x)
    if not in_logs and x.max(initial=0.0) > NORMAL_TAIL_ENDS:
        inside = x < NORMAL_TAIL_ENDS
        found[inside] = _interpolated(tail, x[inside])
        return found
    place = np.log(np.maximum(x, 1e-3)) * 4 if in_logs else x
    piece = np.floor(place)
    order = np.argsort(piece, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(piece[order]) > 0])
    nodes = np.cos(np.pi * (np.arange(PIECE_DEGREE + 1) + 0.5) / (PIECE_DEGREE + 1))
    for first, end in zip(starts, [*starts[1:], x.size], strict=True):
        members = order[first:end]
        low = piece[members[0]]
        points = low + 0.5 * (nodes + 1)
        values = tail(np.exp(points / 4) if in_logs else points)
        if values.min() < 1e-290:
            found[members] = tail(x[members]) if members.size <= MOST_DIRECT else 0.0
            continue
        fit = np.polynomial.chebyshev.chebfit(nodes, np.log(values), PIECE_DEGREE)
        found[members] = np.exp(np.polynomial.chebyshev.chebval(2 * (place[members] - low) - 1, fit))
    return found
