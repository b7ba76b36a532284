"""Positives among the top n of a random ranking: the hypergeometric law, to full relative accuracy (Loader 2000).

Also how the kernels of this room are compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np

from podium.core.compiled import njit

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of plain numbers and arrays: cached on disk, without the interpreter's lock.

    Fused multiply-adds are allowed, nothing else is relaxed.
    """
    return cast("F", njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})(function))


_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
# log n! - Stirling's formula, for n = 1..15 (index 0 is never read); the series takes over from 16.
_STIRLING_ERROR = np.array(
    [0.0] + [math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - _HALF_LOG_2PI for n in range(1, 16)]
)


@kernel
def _stirling_error(n: int) -> float:
    if n < 16:
        return float(_STIRLING_ERROR[n])
    m = 1.0 / (float(n) * float(n))
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 * m) * m) * m) * m) / n


@kernel
def _deviance(x: float, mean: float) -> float:
    """x log(x / mean) + mean - x without cancellation near x = mean (Loader's bd0)."""
    if abs(x - mean) < 0.1 * (x + mean):
        v = (x - mean) / (x + mean)
        total = (x - mean) * v
        term = 2.0 * x * v
        v2 = v * v
        for j in range(1, 1000):
            term *= v2
            larger = total + term / (2 * j + 1)
            if larger == total:
                return total
            total = larger
    return x * math.log(x / mean) + mean - x


@kernel
def _log_binomial(x: int, n: int, p: float, q: float) -> float:
    """Log of the binomial probability of x in n."""
    if x == 0:
        return n * math.log1p(-p) if p < 0.5 else n * math.log(q)
    if x == n:
        return n * math.log(p) if p < 0.5 else n * math.log1p(-q)
    error = _stirling_error(n) - _stirling_error(x) - _stirling_error(n - x)
    deviance = _deviance(float(x), n * p) + _deviance(float(n - x), n * q)
    return error - deviance + 0.5 * math.log(n / (2 * math.pi * x * float(n - x)))


@kernel
def log_pmf(i: int, P: int, N: int, n: int) -> float:
    """Log of the probability of exactly i positives among the top n."""
    if i < 0 or i > P or n - i < 0 or n - i > N:
        return -np.inf
    if n == 0 or n == P + N:
        return 0.0
    p = n / (P + N)
    q = (P + N - n) / (P + N)
    return _log_binomial(i, P, p, q) + _log_binomial(n - i, N, p, q) - _log_binomial(n, P + N, p, q)


@kernel
def _sum_up(i: int, P: int, N: int, n: int) -> float:
    """P(X >= i) by ratios from i upwards: all terms positive."""
    first = math.exp(log_pmf(i, P, N, n))
    term = 1.0
    total = 1.0
    for j in range(i, min(P, n)):
        term *= (P - j) * float(n - j) / ((j + 1) * float(N - n + j + 1))
        total += term
        if term < 1e-18 * total:
            break
    return first * total


@kernel
def tail(i: int, P: int, N: int, n: int) -> float:
    """P(at least i positives among the top n)."""
    if i <= max(0, n - N):
        return 1.0
    if i > min(P, n):
        return 0.0
    if i * float(P + N) > n * float(P):
        return _sum_up(i, P, N, n)
    # Below the mean: the negatives' upper tail is the small one. X <= i-1 iff at least n-i+1 negatives on top.
    return 1.0 - _sum_up(n - i + 1, N, P, n)
