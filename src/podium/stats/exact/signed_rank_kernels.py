"""Compiled kernels that rank rows of differences.

Everything lives on doubled ranks, which are whole numbers even where ties share a rank. Kernels are kept apart by what
they do (`tilt_kernels`, `programme_kernels` have the tied law), so that only those that are needed are ever compiled.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.bits import count_bits, lowest_bit
from podium.stats.exact.difference_kernels import cell_sort

DROP, PRATT, SPLIT = 0, 1, 2
FEW = 4  # times n: so many sizes are looked at one by one
MANY = 64  # times n: so many are counted at all
LOWER_HALF = 2**32 - 1
AT_ONCE = 4  # sizes that are taken from a word without asking whether it has them


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
def rank_differences(differences, per_one, zeros_policy, counts, sums, squares, rank, size):  # type: ignore[no-untyped-def]
    """Ranks of each row of differences (nan is missing); those on a grid are whole numbers over `per_one`, else it is 0.

    Fills counts (zeros; groups of equal ranks, observations in them), sums (doubled: of the positive ranks, of all),
    squares (sums of the squared doubled ranks), and the rank and size of each group, a row per pair.
    """
    n = differences.shape[1]
    sizes, keys, spare = np.empty(n + 1), np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    ends, starts = np.empty(max(2 * n, 64), dtype=np.int64), np.zeros((2, n + 1), dtype=np.int64)
    steps, tally = np.empty(n, dtype=np.int32), np.zeros(MANY * n + 1 if per_one > 0 else 1, dtype=np.int64)
    bits, found = np.zeros(MANY * n // 64 + 2, dtype=np.uint64), np.empty((2, FEW * n + AT_ONCE), dtype=np.int64)
    for pair in range(len(differences)):
        largest, zeros = -1, 0
        if per_one > 0:
            largest, zeros = _steps(differences[pair], per_one, steps)
        if largest >= 0:
            _tally(steps, tally)
            distinct = _scan(tally, largest, found) if largest <= FEW * n else _find(steps, tally, largest, bits, found)
            tally[0] = 0
        else:
            count, zeros = _keys(differences[pair], sizes, keys, spare, ends)
        into, ranked_zeros, plus = _place_zeros(zeros, zeros_policy, rank[pair], size[pair])
        if largest >= 0:
            groups, count, more = _groups_of_steps(found, distinct, ranked_zeros, rank[pair, into:], size[pair, into:])
        else:
            groups, more = _groups(keys, count, ranked_zeros, rank[pair, into:], size[pair, into:], starts)
        groups, count, plus = groups + into, count + into * ranked_zeros, plus + more
        total, square = _sums(rank[pair], size[pair], groups)
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = zeros, groups, count
        sums[pair, 0], sums[pair, 1], squares[pair] = plus, total, square


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _sums(rank, size, groups):  # type: ignore[no-untyped-def]
    """The sum of all doubled ranks and of their squares; in any order, so that whole vectors are added."""
    total, square = 0, 0.0
    for g in range(groups):
        total += rank[g] * size[g]
        square += np.float64(rank[g]) * rank[g] * size[g]
    return total, square


@njit(cache=True, nogil=True)
def _place_zeros(zeros, policy, rank, size):  # type: ignore[no-untyped-def]
    """How many groups the zeros make (0 or 1), how many ranks they take, and their doubled sum over positives."""
    if policy == PRATT:
        return 0, zeros, 0
    ranked = zeros - zeros % 2 if policy == SPLIT else 0  # an odd one is left out, as Demsar does
    if ranked == 0:
        return 0, 0, 0
    # The zeros are observations too: they share the lowest ranks, and half of their sum is positive.
    rank[0], size[0] = ranked + 1, ranked
    return 1, ranked, ranked * (ranked + 1) // 2


@njit(cache=True, nogil=True)
def _steps(differences, per_one, steps):  # type: ignore[no-untyped-def]
    """Differences as whole numbers, 0 where missing: the largest size, or -1 if it is too large to count by, and the zeros."""
    largest, zeros, most = 0, 0, np.float64(2 * MANY * len(steps))
    for i in range(len(steps)):
        difference = differences[i]
        step = np.rint((difference if difference == difference else 0.0) * per_one)
        steps[i] = np.int32(min(max(step, -most), most))
        zeros += difference == 0.0
    for step in steps:
        largest = max(largest, abs(step))
    return (largest, zeros) if largest <= MANY * len(steps) else (-1, 0)


@njit(cache=True, nogil=True)
def _tally(steps, tally):  # type: ignore[no-untyped-def]
    """Count the steps of each size; in the upper half of the number the positive ones."""
    for step in steps:
        tally[abs(step)] += 1 + (np.int64(step > 0) << 32)


@njit(cache=True, nogil=True)
def _scan(tally, largest, found):  # type: ignore[no-untyped-def]
    """Move the counts in order of size to `found`: of all and of positives. How many sizes there are."""
    distinct = 0
    for step in range(1, largest + 1):
        here = tally[step]
        tally[step] = 0
        found[0, distinct], found[1, distinct] = here & LOWER_HALF, here >> 32
        distinct += here > 0
    return distinct


@njit(cache=True, nogil=True)
def _find(steps, tally, largest, bits, found):  # type: ignore[no-untyped-def]
    """The same where most sizes do not occur: a bit for each size that does, taken one after the other, few branches."""
    one, none = np.uint64(1), np.uint64(0)
    for step in steps:
        size = np.uint64(abs(step))
        bits[size >> np.uint64(6)] |= one << (size & np.uint64(63))
    bits[0] &= ~one
    distinct = 0
    for here in range(largest // 64 + 1):
        word, into = bits[here], distinct
        distinct += count_bits(word)
        bits[here] = none
        for i in range(AT_ONCE):
            found[0, into + i] = (here << 6) + lowest_bit(word)
            word &= word - one
        into += AT_ONCE
        while word != none:
            found[0, into] = (here << 6) + lowest_bit(word)
            word &= word - one
            into += 1
    for i in range(distinct):
        size = found[0, i]
        count = tally[size]
        tally[size] = 0
        found[0, i], found[1, i] = count & LOWER_HALF, count >> 32
    return distinct


@njit(cache=True, nogil=True)
def _groups_of_steps(found, distinct, skipped, rank, size):  # type: ignore[no-untyped-def]
    """Ranks of counted sizes, as `_groups` makes them of keys: groups, observations and the doubled sum over positives."""
    before, positive_sum = skipped, 0
    for g in range(distinct):
        rank[g], size[g] = 2 * before + found[0, g] + 1, found[0, g]
        positive_sum += rank[g] * found[1, g]
        before += found[0, g]
    return distinct, before - skipped, positive_sum
