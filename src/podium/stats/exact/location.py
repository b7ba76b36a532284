"""Hodges-Lehmann estimates and medians of rows of differences, with their exact intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import bdtr

from podium.core.arrays import Floats, Ints
from podium.stats.exact import walsh_kernels
from podium.stats.exact.signed_rank import untied_quantile
from podium.stats.exact.threads import in_threads

_WIDE = 1e6  # the largest difference in units of the smallest
_LISTED = 3000  # differences whose averages are listed one by one


@lru_cache(maxsize=4096)
def median_rank(n: int, tail: float) -> int:
    """The largest q with P(Binomial(n, 1/2) <= q) <= tail; -1 if there is none.

    >>> median_rank(10, 0.025)
    1
    """
    law = bdtr(np.arange(n + 1), n, 0.5)
    return int(np.searchsorted(law, tail * (1 + 1e-12), side="right")) - 1


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
    for row in _wide(rows):
        estimate[row] = _location(rows[row], quantile, walsh)
    shaped = estimate.reshape(*differences.shape[:-1], 3)
    return shaped[..., 0].copy(), shaped[..., 1].copy(), shaped[..., 2].copy()


def _wide(rows: Floats) -> list[int]:
    """The rows whose smallest differences the kernel's 15 digits of the largest cannot hold."""
    sizes = np.abs(rows)
    largest = np.fmax.reduce(sizes, axis=1, initial=0.0)
    smallest = np.fmin.reduce(np.where(sizes > 0, sizes, np.inf), axis=1, initial=np.inf)
    return np.flatnonzero(largest > _WIDE * smallest).tolist() if rows.shape[1] <= _LISTED else []


def _location(row: Floats, quantile: Ints, walsh: bool) -> Floats:
    """The estimate and interval of one row, from the sorted list of all averages."""
    known = row[~np.isnan(row)]
    first, second = np.triu_indices(len(known))
    listed = np.sort((known[first] + known[second]) / 2 if walsh else known)
    q = int(quantile[len(known)])
    middle = (listed[(len(listed) - 1) // 2] + listed[len(listed) // 2]) / 2
    low, high = (listed[q], listed[len(listed) - 1 - q]) if q >= 0 else (-np.inf, np.inf)
    return np.array([middle, low, high])
