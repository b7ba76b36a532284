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
def _gaussian_scale(probability: float) -> float:
    """A scale on which the tail of a score is nearly a straight line."""
    return math.sqrt(-2.0 * math.log(max(probability, 1e-300)))


@kernel
def _sure_touch(P: int, N: int, c: Ints, accuracy: float, level: float) -> float:
    """As `touch`; where a quick pass comes too near the level to tell, again in full."""
    probability = touch(P, N, c, accuracy)
    if accuracy == 0.0 and abs(probability - level) < 1e-7 * level:
        return touch(P, N, c, 1e-12)
    return probability


@kernel
def critical(shape: Shape, P: int, N: int, level: float, accuracy: float) -> tuple[int, int]:
    """The largest attainable score with P(S >= score) > level, as (tp, n).

    Each step shrinks the bracket [low, high] of attainable scores, by secants on the Gaussian scale, else by halves.
    """
    low_tp, low_n = lowest(shape, P, N)
    if math.exp(log_pmf(P, P, N, P)) > level:
        return P, P
    # The highest score, P true positives on top, is not the critical value: start the bracket just below it.
    best = key(shape, P, P)
    high_tp, high_n = below(shape, P, N, boundary(shape, P, N, best))
    low = key(shape, low_tp, low_n)
    high = key(shape, high_tp, high_n)
    target = _gaussian_scale(level)
    # Last points probed below and above, the ends of the bracket at first: key and Gaussian scale.
    low_x, low_y, high_x, high_y = low, 0.0, best, math.sqrt(-2.0 * log_pmf(P, P, N, P))
    step, same_side, was_low = 0, 0, False
    while low < high:
        if step > 8 and step % 2 == 0:
            x = 0.5 * (low + high)
        else:
            part = (target - low_y) / (high_y - low_y)
            if same_side >= 2:  # one end does not move: overshoot
                part = 0.5 * (part + (1.0 if was_low else 0.0))
            x = low_x + part * (high_x - low_x)
        x = min(max(x, np.nextafter(low, np.inf)), high)
        c = boundary(shape, P, N, x)
        probability = _sure_touch(P, N, c, accuracy, level)
        step += 1
        is_low = probability > level
        same_side = same_side + 1 if is_low == was_low else 1
        was_low = is_low
        if is_low:
            low_tp, low_n = above(shape, P, N, c)
            low = key(shape, low_tp, low_n)
            low_x, low_y = low, _gaussian_scale(probability)
        else:
            high_tp, high_n = below(shape, P, N, c)
            high = key(shape, high_tp, high_n)
            high_x, high_y = x, _gaussian_scale(probability)
    return low_tp, low_n
