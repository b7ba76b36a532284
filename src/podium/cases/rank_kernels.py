"""The compiled loops of rank sets: all pairs of thousands of algorithms, as squares of single-precision numbers."""

from __future__ import annotations

from typing import Any

from podium.core.compiled import njit


@njit(cache=True, nogil=True, fastmath=True)
def largest(flipped: Any, scale: Any, found: Any) -> None:
    """For every draw (row of sums by algorithm) the largest |S_i - S_j| scale_ij over the pairs i > j.

    A scale of 0 leaves a pair out. Rows of the square are contiguous, so that the inner loop takes several at a time.
    """
    draws, k = flipped.shape
    for i in range(1, k):
        row = scale[i]
        for draw in range(draws):
            sums = flipped[draw]
            own = sums[i]
            most = found[draw]
            for j in range(i):
                most = max(most, abs(sums[j] - own) * row[j])
            found[draw] = most


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
