"""Hodges-Lehmann estimates and medians of rows of differences, with their exact intervals."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact import walsh_kernels
from podium.stats.exact.signed_rank import untied_quantile
from podium.stats.exact.threads import in_threads


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


def locations(differences: Floats, confidence: float, *, walsh: bool) -> tuple[Floats, Floats, Floats]:
    """Estimates, low and high ends for differences (..., n), nan where one is missing.

    With `walsh` the median of the Walsh averages, and the interval of Walsh averages that the signed-rank law of untied
    ranks gives (beyond 10,000 the normal law); else the median, and order statistics by the binomial law. Both intervals
    are exact for continuous (and with `walsh` symmetric) differences and conservative with ties; where so few
    observations cannot reach the confidence they are infinite.
    """
    rows = np.ascontiguousarray(differences.reshape(-1, differences.shape[-1]))
    n = rows.shape[1]
    quantile_of = untied_quantile if walsh else median_rank
    quantile = np.full(n + 1, -1, dtype=np.int64)
    for size in np.unique(n - np.isnan(rows).sum(axis=1)).tolist():
        quantile[size] = quantile_of(size, (1 - confidence) / 2)
    estimate = np.empty((len(rows), 3))
    in_threads(lambda part: walsh_kernels.estimate_locations(rows[part], walsh, quantile, estimate[part]), len(rows))
    shaped = estimate.reshape(*differences.shape[:-1], 3)
    return shaped[..., 0].copy(), shaped[..., 1].copy(), shaped[..., 2].copy()
