"""The binomial law of the sign test."""

from __future__ import annotations

import math
from functools import lru_cache

__all__ = ["median_rank"]


@lru_cache(maxsize=4096)
def median_rank(n: int, tail: float) -> int:
    """The largest q with P(Binomial(n, 1/2) <= q) <= tail; -1 if there is none.

    >>> median_rank(10, 0.025)
    1
    """
    total, q = 0.0, -1
    for k in range(n + 1):
        total += math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))
        if total > tail * (1 + 1e-12):
            break
        q = k
    return q
