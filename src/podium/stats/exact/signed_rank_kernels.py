"""Compiled kernels that rank rows of differences.

Everything lives on doubled ranks, which are whole numbers even where ties share a rank. Kernels are kept apart by what
they do (`tilt_kernels`, `programme_kernels` have the tied law), so that only those that are needed are ever compiled.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.difference_kernels import cell_sort

DROP, PRATT, SPLIT = 0, 1, 2


@njit(cache=True, nogil=True)
def _groups(keys, count, skipped, rank, size, starts):  # type: ignore[no-untyped-def]
    """Doubled ranks of sorted keys, their sizes, and the doubled sum over positives.

    `skipped` ranks below the first key are taken by zeros. Where groups end cannot be foretold, so nothing branches on it.
    """
    groups, positives, before = -1, 0, -1
    for i in range(count):
        groups += keys[i] >> 1 != before  # the last bit is the sign
        before = keys[i] >> 1
        positives += keys[i] & 1
        starts[0, groups + 1], starts[1, groups + 1] = i + 1, positives
    positive_sum = 0
    for g in range(groups + 1):
        rank[g] = 2 * skipped + starts[0, g] + 1 + starts[0, g + 1]
        size[g] = starts[0, g + 1] - starts[0, g]
        positive_sum += rank[g] * (starts[1, g + 1] - starts[1, g])
    return groups + 1, positive_sum


@njit(cache=True, nogil=True)
def _keys(differences, sizes, keys, spare, ends):  # type: ignore[no-untyped-def]
    """Keys of the non-zero differences, sorted: how many there are, and how many zeros.

    The bits of a positive float are a whole number that grows with it; the last of them, noise, makes room for the sign.
    """
    count, zeros = 0, 0
    for difference in differences:
        sizes[count] = abs(difference)
        spare[count] = difference > 0.0
        zeros += difference == 0.0
        count += abs(difference) > 0.0
    bits = sizes.view(np.int64)
    for i in range(count):
        keys[i] = bits[i] & -2 | spare[i]
    if count > 0:
        cell_sort(sizes, keys, count, spare, ends, 1)
    return count, zeros


@njit(cache=True, nogil=True)
def rank_differences(differences, zeros_policy, counts, sums, squares, rank, size):  # type: ignore[no-untyped-def]
    """Ranks of each row of differences (nan is missing).

    Fills counts (zeros; groups of equal ranks, observations in them), sums (doubled: of the positive ranks, of all),
    squares (sums of the squared doubled ranks), and the rank and size of each group, a row per pair.
    """
    n = differences.shape[1]
    sizes, keys, spare = np.empty(n + 1), np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    ends, starts = np.empty(max(2 * n, 64), dtype=np.int64), np.zeros((2, n + 1), dtype=np.int64)
    for pair in range(len(differences)):
        count, zeros = _keys(differences[pair], sizes, keys, spare, ends)
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
        groups, plus = _groups(keys, count, ranked_zeros, rank[pair, into:], size[pair, into:], starts)
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
