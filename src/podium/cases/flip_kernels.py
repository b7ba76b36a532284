"""The compiled loops of sign flips, for very many pairs: the step-down procedure, and rank sets in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.compiled import njit


@njit(cache=True, nogil=True)
def step_down(draws: Floats, first: Indices, second: Indices, scale: Floats, bounds: Floats, largest: Floats) -> Floats:
    """How often the running maximum over the pairs, in ascending order, reaches each bound; `largest` gets the last.

    `draws` has a row for each algorithm, so that the inner loop takes several draws at once.
    """
    counts = np.zeros(first.size)
    for pair in range(first.size):
        one, other, factor, bound = draws[first[pair]], draws[second[pair]], scale[pair], bounds[pair]
        reached = 0
        for draw in range(largest.size):
            value = abs(one[draw] - other[draw]) * factor
            most = largest[draw]
            most = value if value > most else most  # `max` is not taken several at once
            largest[draw] = most
            reached += most >= bound
        counts[pair] = reached
    return counts


@njit(cache=True, nogil=True, fastmath=True)
def largest(flipped: Any, scale: Any, maxima: Any) -> None:
    """For every draw (row of sums by algorithm) the largest |S_i - S_j| scale_ij over the pairs i > j.

    A scale of 0 leaves a pair out. Rows of the square are contiguous, so that the inner loop takes several at a time.
    """
    draws, k = flipped.shape
    for i in range(1, k):
        row = scale[i]
        for draw in range(draws):
            sums = flipped[draw]
            own = sums[i]
            most = maxima[draw]
            for j in range(i):
                most = max(most, abs(sums[j] - own) * row[j])
            maxima[draw] = most


@njit(cache=True, nogil=True)
def reject(scale: Any, totals: Any, critical: float) -> int:
    """Leave out the pairs whose own statistic reaches the critical value, by a negative zero; and count them."""
    count = 0
    k = len(totals)
    for i in range(1, k):
        for j in range(i):
            if scale[i, j] > 0 and abs(totals[i] - totals[j]) * scale[i, j] >= critical:
                scale[i, j] = 0.0
                scale[j, i] = 1.0  # the other half of the square remembers the decision
                count += 1
    return count


@njit(cache=True, nogil=True)
def decided(scale: Any, totals: Any, better: Any, worse: Any) -> None:
    """Count for every algorithm those it is shown to be better than, and those shown to be better than it."""
    k = len(totals)
    for i in range(1, k):
        for j in range(i):
            if scale[j, i] > 0:
                winner, loser = (i, j) if totals[i] > totals[j] else (j, i)
                better[winner] += 1
                worse[loser] += 1
