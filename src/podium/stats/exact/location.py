"""Hodges-Lehmann estimates and medians of rows of differences, with their exact intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.ranks import POWERS
from podium.stats.exact.signed_rank import untied_quantile
from podium.stats.exact.small import is_small
from podium.stats.exact.threads import in_threads

_WIDE = 1e6  # the largest difference in units of the smallest
_SECONDS_OF_AVERAGE = 1e-8  # to list it and find its place
_BLOCK = 4_000_000  # averages at a time


@lru_cache(maxsize=4096)
def median_rank(n: int, tail: float) -> int:
    """The largest q with P(Binomial(n, 1/2) <= q) <= tail; -1 if there is none.

    >>> median_rank(10, 0.025)
    1
    """
    from scipy.special import bdtr

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
    small = not walsh or is_small(_SECONDS_OF_AVERAGE * len(rows) * n**2, "walsh_kernels:select_sums")
    estimate = np.full((len(rows), 3), np.nan)

    def piece(part: slice) -> None:
        estimate[part] = _by_length(rows[part], quantile, walsh, small)

    in_threads(piece, len(rows), columns=n)
    shaped = estimate.reshape(*differences.shape[:-1], 3)
    return shaped[..., 0].copy(), shaped[..., 1].copy(), shaped[..., 2].copy()


def _by_length(rows: Floats, quantile: Ints, walsh: bool, small: bool) -> Floats:
    """Estimate, low and high end of each row; rows of one length at a time."""
    present = ~np.isnan(rows)
    counts = present.sum(axis=1)
    estimates = np.full((len(rows), 3), np.nan)
    for size in np.unique(counts[counts > 0]).tolist():
        here = np.flatnonzero(counts == size)
        complete = rows[here][present[here]].reshape(len(here), size)
        step = max(1, _BLOCK // size**2) if walsh and small else len(here)
        for start in range(0, len(here), step):
            part = slice(start, start + step)
            estimates[here[part]] = _estimates(complete[part], int(quantile[size]), walsh, small)
    return estimates


def _estimates(differences: Floats, q: int, walsh: bool, small: bool) -> Floats:
    """The same for rows without holes.

    Differences are whole numbers of the 15th digit of the largest, so that averages of decimals are decimals, unless the
    smallest has no digits left then.
    """
    sizes = np.abs(differences)
    largest = np.maximum(sizes.max(axis=1, keepdims=True), 1e-280)
    whole = largest <= _WIDE * np.where(sizes > 0, sizes, np.inf).min(axis=1, keepdims=True)
    exponent = np.floor(np.log10(largest)).astype(np.intp) - 14
    per_one = np.where(whole, POWERS[np.maximum(-exponent, 0)] / POWERS[np.maximum(exponent, 0)], 1.0)
    steps = np.where(whole, np.rint(differences * per_one), differences)
    size = differences.shape[1]
    last = size * (size + 1) // 2 - 1 if walsh else size - 1
    places = np.array([last // 2, (last + 1) // 2, *([q, last - q] if q >= 0 else [])])
    sums = _sums_at(steps, places, small) if walsh else 2 * np.partition(steps, sorted(set(places)), axis=1)[:, places]
    estimate = sums[:, :2].sum(axis=1, keepdims=True) / (4 * per_one)
    ends = sums[:, 2:] / (2 * per_one) if q >= 0 else np.tile([-np.inf, np.inf], (len(sums), 1))
    return np.column_stack([estimate, ends])


def _sums_at(steps: Floats, places: Ints, small: bool) -> Floats:
    """The sums of two steps in these places of each row: all of them listed, or by compiled selection."""
    if small:
        first, second = np.triu_indices(steps.shape[1])
        return np.asarray(np.partition(steps[:, first] + steps[:, second], sorted(set(places)), axis=1)[:, places])
    from podium.stats.exact.walsh_kernels import select_sums

    sums = np.empty((len(steps), len(places)))
    select_sums(np.sort(steps, axis=1), places, sums)
    return sums
