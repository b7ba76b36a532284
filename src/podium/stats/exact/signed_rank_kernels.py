"""Compiled kernels that rank rows of differences.

Everything lives on doubled ranks, which are whole numbers even where ties share a rank. Kernels are kept apart by what
they do (`tilt_kernels`, `programme_kernels` have the tied law), so that only those that are needed are ever compiled.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.difference_kernels import insert, shell_sort

DROP, PRATT, SPLIT = 0, 1, 2


@njit(cache=True, nogil=True)
def _sort(keys, count, spare):  # type: ignore[no-untyped-def]
    """Sort keys[:count] (whole): 256 buckets by size, then insertion, which has little left to do."""
    low, high = keys[0], keys[0]
    for i in range(count):
        low, high = min(low, keys[i]), max(high, keys[i])
    shift = 0
    while (high - low) >> shift > 255:
        shift += 1
    ends = np.zeros(257, dtype=np.int64)
    for i in range(count):
        ends[((keys[i] - low) >> shift) + 1] += 1
    fullest = 0
    for bucket in range(1, 257):
        fullest = max(fullest, ends[bucket])
        ends[bucket] += ends[bucket - 1]
    for i in range(count):
        bucket = (keys[i] - low) >> shift
        spare[ends[bucket]] = keys[i]
        ends[bucket] += 1
    for i in range(count):
        keys[i] = spare[i]
    if fullest > 40:
        shell_sort(keys, count)
    else:
        insert(keys, count, 1)


@njit(cache=True, nogil=True)
def _groups(keys, count, skipped, rank, size):  # type: ignore[no-untyped-def]
    """Doubled ranks of sorted keys, their sizes, and the doubled sum over positives.

    `skipped` ranks below the first key are taken by zeros.
    """
    groups, positive_sum, start = 0, 0, 0
    while start < count:
        magnitude = keys[start] >> 1  # the last bit is the sign
        end, positives = start, 0
        while end < count and keys[end] >> 1 == magnitude:
            positives += keys[end] & 1
            end += 1
        rank[groups] = 2 * skipped + start + 1 + end
        size[groups] = end - start
        positive_sum += rank[groups] * positives
        groups += 1
        start = end
    return groups, positive_sum


@njit(cache=True, nogil=True)
def _keys(differences, sizes, keys, spare):  # type: ignore[no-untyped-def]
    """Keys of the non-zero differences, sorted: how many there are, and how many zeros.

    The bits of a positive float are a whole number that grows with it; the last of them, noise, makes room for the sign.
    """
    count, zeros = 0, 0
    for difference in differences:
        if difference == 0.0:
            zeros += 1
        elif not np.isnan(difference):
            sizes[count] = abs(difference)
            spare[count] = 1 if difference > 0.0 else 0
            count += 1
    bits = sizes.view(np.int64)
    for i in range(count):
        keys[i] = bits[i] & -2 | spare[i]
    if count > 0:
        _sort(keys, count, spare)
    return count, zeros


@njit(cache=True, nogil=True)
def rank_differences(differences, zeros_policy, counts, sums, squares, rank, size):  # type: ignore[no-untyped-def]
    """Ranks of each row of differences (nan is missing).

    Fills counts (zeros; groups of equal ranks, observations in them), sums (doubled: of the positive ranks, of all),
    squares (sums of the squared doubled ranks), and the rank and size of each group, a row per pair.
    """
    n = differences.shape[1]
    sizes, keys, spare = np.empty(n), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for pair in range(len(differences)):
        count, zeros = _keys(differences[pair], sizes, keys, spare)
        ranked_zeros = 0
        if zeros_policy == PRATT:
            ranked_zeros = zeros
        elif zeros_policy == SPLIT:
            ranked_zeros = zeros - zeros % 2  # an odd one is left out, as Demsar does
        into = 0
        if zeros_policy == SPLIT and ranked_zeros > 0:
            # The zeros are observations too: they share the lowest ranks, and half of their sum is positive.
            rank[pair, 0], size[pair, 0] = ranked_zeros + 1, ranked_zeros
            into = 1
        groups, plus = _groups(keys, count, ranked_zeros, rank[pair, into:], size[pair, into:])
        if into == 1:
            groups += 1
            count += ranked_zeros
            plus += ranked_zeros * (ranked_zeros + 1) // 2
        total, square = 0, 0.0
        for g in range(groups):
            total += rank[pair, g] * size[pair, g]
            square += np.float64(rank[pair, g]) * rank[pair, g] * size[pair, g]
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = zeros, groups, count
        sums[pair, 0], sums[pair, 1], squares[pair] = plus, total, square
