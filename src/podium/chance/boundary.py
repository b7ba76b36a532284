"""Scores of a metric at every threshold: keys that order them, the boundary of a level, and the critical value.

Walk down a ranking: after n cases there are tp true positives. The metrics looked at here are, or rise with, a key

    max(0, a tp + b n + c) (a' tp + b' n + c') / (d n^2 + e n + f)

in whole numbers, the `Shape` of the metric ((a, b, c), (a', b', c'), (d, e, f)) for given P and N.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from podium.chance.hypergeometric import kernel, log_pmf
from podium.chance.paths import touch
from podium.core.arrays import Ints

Form = tuple[int, int, int]
Shape = tuple[Form, Form, Form]


def parts(shape: Shape, tp: Any, n: Any) -> tuple[Any, Any]:
    """Numerator and denominator of the key, of Python's whole numbers, of arrays, and compiled of single floats."""
    (a, b, c), (a2, b2, c2), (d, e, f) = shape
    factor, bottom = a * tp + b * n + c, (d * n + e) * n + f
    return factor * (factor > 0) * (a2 * tp + b2 * n + c2), bottom + (bottom == 0)


_parts = kernel(parts)


@kernel
def key(shape: Shape, tp: int, n: int) -> float:
    """A number that orders the attainable scores: the metric, or a rising function of it.

    It is one correctly rounded quotient of two whole numbers: equal scores have equal keys, bit for bit.
    """
    top, bottom = _parts(shape, float(tp), float(n))
    return float(top / bottom)


@kernel
def boundary(shape: Shape, P: int, N: int, level: float) -> Ints:
    """c[n] for n = 0..T: the smallest tp whose key at n reaches the level; min(n, P) + 1 where none does."""
    T = P + N
    c = np.empty(T + 1, np.int64)
    at = 1
    c[0] = 1
    for n in range(1, T + 1):
        if at <= P and key(shape, at, n) < level:
            at += 1
        c[n] = at
    return c


@kernel
def above(shape: Shape, P: int, N: int, c: Ints) -> tuple[int, int]:
    """The lowest attainable score on or above the boundary, as (tp, n); (-1, -1) if there is none."""
    best = np.inf
    best_tp, best_n = -1, -1
    for n in range(1, P + N + 1):
        tp = c[n]
        if tp <= min(n, P) and tp >= n - N:
            value = key(shape, tp, n)
            if value < best:
                best, best_tp, best_n = value, tp, n
    return best_tp, best_n


@kernel
def below(shape: Shape, P: int, N: int, c: Ints) -> tuple[int, int]:
    """The highest attainable score strictly below the boundary, as (tp, n)."""
    best = key(shape, 0, 0)
    best_tp, best_n = 0, 0
    for n in range(1, P + N + 1):
        tp = c[n] - 1
        if tp >= max(0, n - N):
            value = key(shape, tp, n)
            if value > best:
                best, best_tp, best_n = value, tp, n
    return best_tp, best_n


@kernel
def lowest(shape: Shape, P: int, N: int) -> tuple[int, int]:
    """The lowest attainable score as (tp, n): the better of predicting none and predicting all."""
    if key(shape, P, P + N) > key(shape, 0, 0):
        return P, P + N
    return 0, 0


@kernel
def critical(shape: Shape, P: int, N: int, level: float) -> tuple[int, int]:
    """The largest attainable score with P(S >= score) > level, as (tp, n).

    Each step halves the bracket, whose ends are attainable scores.
    """
    if math.exp(log_pmf(P, P, N, P)) > level:
        return P, P
    # The highest score, P true positives on top, is not the critical value: start the bracket just below it.
    low_tp, low_n = lowest(shape, P, N)
    high_tp, high_n = below(shape, P, N, boundary(shape, P, N, key(shape, P, P)))
    low, high = key(shape, low_tp, low_n), key(shape, high_tp, high_n)
    while low < high:
        middle = min(max(0.5 * (low + high), np.nextafter(low, np.inf)), high)
        c = boundary(shape, P, N, middle)
        if touch(P, N, c) > level:
            low_tp, low_n = above(shape, P, N, c)
            low = key(shape, low_tp, low_n)
        else:
            high = key(shape, *below(shape, P, N, c))
    return low_tp, low_n
