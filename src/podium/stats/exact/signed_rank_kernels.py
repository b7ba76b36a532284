"""Compiled kernels of the signed-rank test of many pairs.

Everything lives on doubled ranks, which are whole numbers even where ties share a rank. The generating
function of the doubled sum is prod_j (1 + z^{r_j}) / 2. Its lower tail comes from one of

- a table shared by all untied cases of the same n,
- the contour integral (`tilt_kernels`), where its errors are known to be small,
- a dynamic programme (`programme_kernels`), which is exact always and fast where ties are heavy or the tail is far.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from podium.stats.exact.programme_kernels import lower_tail_programme, programme_room
from podium.stats.exact.tilt_kernels import BAND, WIDTH, contour_room, lower_tail_contour, tilted_tail

__all__ = ["rank_pairs", "untied_tables"]

DROP, PRATT, SPLIT = 0, 1, 2
TWO_SIDED, LESS, GREATER = 0, 1, 2
TABLE, PROGRAMME, CONTOUR, NONE = 0, 1, 2, 3

PROGRAMME_LIMIT = 1000  # observations: 2^-n must stay a normal float
PROGRAMME_WORK = 20_000  # observations x sum: less is not worth a contour; ten times as much is worth one of its own


@njit(cache=True, nogil=True)
def untied_tables(largest):  # type: ignore[no-untyped-def]
    """P(W <= w) for n = 0..largest untied ranks and w up to the middle: offsets into one flat array, and the array."""
    offsets = np.zeros(largest + 2, dtype=np.int64)
    for n in range(largest + 1):
        offsets[n + 1] = offsets[n] + n * (n + 1) // 4 + 1
    table = np.empty(offsets[largest + 1])
    width = largest * (largest + 1) // 4 + 1
    old, new = np.zeros(width + 1), np.zeros(width + 1)
    old[0] = 1.0
    reach = 0
    for n in range(largest + 1):
        if n > 0:
            top = min(reach + n, width - 1)
            for s in range(min(n, top + 1)):
                new[s] = 0.5 * old[s]
            for s in range(n, top + 1):
                new[s] = 0.5 * (old[s] + old[s - n])
            old, new = new, old
            reach = top
        total = 0.0
        for s in range(n * (n + 1) // 4 + 1):
            total += old[s]
            table[offsets[n] + s] = total
    return offsets, table


@njit(cache=True, nogil=True)
def _lower_tail(rank, size, groups, count, limit, spread, untied, tables, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) for a limit up to the middle, and how it was found."""
    (offsets, table), (top, numbers, factors, laws, poles) = tables
    programme, contour, lobes = room
    if limit < 0:
        return 0.0, TABLE
    if untied and count <= len(offsets) - 2:
        return table[offsets[count] + limit // 2], TABLE
    value, work = -1.0, count * limit
    band = int(np.log(top / spread * (1.0 + 1e-9)) / np.log(BAND))
    if 0 <= band < len(numbers) and work > PROGRAMME_WORK:
        value = tilted_tail(rank, size, groups, limit, numbers[band], factors[band], laws[band], poles[band], lobes)
    elif work > 10 * PROGRAMME_WORK and rank[groups - 1] < contour[2].shape[1]:
        value = lower_tail_contour(rank, size, groups, limit, contour, lobes)
    if value >= 0.0:
        return value, CONTOUR
    if count > PROGRAMME_LIMIT or limit >= programme[0].shape[1]:
        return -1.0, NONE
    return lower_tail_programme(rank, size, groups, limit, programme), PROGRAMME


@njit(cache=True, nogil=True)
def _tail(rank, size, groups, count, plus, total, spread, alternative, untied, tables, room):  # type: ignore[no-untyped-def]
    """The p-value of a doubled positive sum `plus` out of `total`, by the symmetry of the law; and how."""
    limit = total - plus if alternative == GREATER else plus
    if alternative == TWO_SIDED:
        limit = min(plus, total - plus)
    upper = 2 * limit > total
    value, how = _lower_tail(
        rank, size, groups, count, total - limit - 1 if upper else limit, spread, untied, tables, room
    )
    if how == NONE:
        return -1.0, how
    if alternative == TWO_SIDED:
        return min(1.0, 2.0 * value), how
    return 1.0 - value if upper else value, how


@njit(cache=True, nogil=True)
def _sort(keys, count, spare):  # type: ignore[no-untyped-def]
    """Sort keys[:count] (whole, positive): 256 buckets by size, then insertion, which has little left to do."""
    top = 0
    for i in range(count):
        top = max(top, keys[i])
    shift = 0
    while top >> shift > 255:
        shift += 1
    ends = np.zeros(257, dtype=np.int64)
    for i in range(count):
        ends[(keys[i] >> shift) + 1] += 1
    fullest = 0
    for bucket in range(1, 257):
        fullest = max(fullest, ends[bucket])
        ends[bucket] += ends[bucket - 1]
    if fullest > 40:
        keys[:count].sort()
        return
    for i in range(count):
        bucket = keys[i] >> shift
        spare[ends[bucket]] = keys[i]
        ends[bucket] += 1
    for i in range(count):
        key, j = spare[i], i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@njit(cache=True, nogil=True)
def _groups(keys, count, skipped, rank, size):  # type: ignore[no-untyped-def]
    """Doubled ranks of sorted keys (2 |difference| + sign bit), their sizes, and the doubled sum over positives.

    `skipped` ranks below the first key are taken by zeros.
    """
    groups, positive_sum, start = 0, 0, 0
    while start < count:
        magnitude = keys[start] >> 1
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
def _keys(x, y, keys, spare):  # type: ignore[no-untyped-def]
    """Keys of the non-zero differences, sorted; counts of present, positive and zero ones.

    Differences are whole multiples of the 12th significant digit of the pair's largest score, so that float
    noise breaks no ties (as `podium.core.ranks.settle` does).
    """
    largest = 0.0
    for i in range(len(x)):
        if not (np.isnan(x[i]) or np.isnan(y[i])):
            largest = max(largest, abs(x[i]), abs(y[i]))
    unit = 10.0 ** (np.floor(np.log10(max(largest, 1e-280))) - 11.0)
    present, positives, zeros, count = 0, 0, 0, 0
    for i in range(len(x)):
        difference = x[i] - y[i]
        if np.isnan(difference):
            continue
        present += 1
        steps = np.int64(np.rint(difference / unit))
        if steps == 0:
            zeros += 1
        else:
            positive = 1 if steps > 0 else 0
            positives += positive
            keys[count] = 2 * abs(steps) + positive
            count += 1
    _sort(keys, count, spare)
    return present, positives, zeros, count


@njit(cache=True, nogil=True)
def rank_pairs(  # type: ignore[no-untyped-def]
    columns, first, second, zeros_policy, alternative, tables, programme, contour, counts, sums, pvalue, how
):
    """Signed-rank sums and exact p-values of the pairs (first[i], second[i]) of the rows of `columns`.

    Fills counts (present, positive, zero), sums (doubled: positive sum, total; and the sum of squared doubled
    ranks), pvalue and how (-1 and NONE where no exact law is affordable). `tables` are those of `untied_tables` and of
    `tilt_tables`; `programme` and `contour` are the largest sum and rank that get room.
    """
    n = columns.shape[1]
    keys, spare = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    rank, size = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    room = (programme_room(programme), contour_room(contour), np.empty((3, 2 * WIDTH)))
    for pair in range(len(first)):
        present, positives, zeros, count = _keys(columns[first[pair]], columns[second[pair]], keys, spare)
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        ranked_zeros = 0
        if zeros_policy == PRATT:
            ranked_zeros = zeros
        elif zeros_policy == SPLIT:
            ranked_zeros = zeros - zeros % 2  # an odd one is left out, as Demsar does
        groups, plus = _groups(keys, count, ranked_zeros, rank, size)
        untied = groups == count and ranked_zeros == 0
        if zeros_policy == SPLIT and ranked_zeros > 0:
            # The zeros are observations too: they share the lowest ranks, and half of their sum is positive.
            for g in range(groups, 0, -1):
                rank[g], size[g] = rank[g - 1], size[g - 1]
            rank[0], size[0] = ranked_zeros + 1, ranked_zeros
            groups += 1
            count += ranked_zeros
            plus += ranked_zeros * (ranked_zeros + 1) // 2
        total, squares = 0, 0.0
        for g in range(groups):
            total += rank[g] * size[g]
            squares += np.float64(rank[g]) * rank[g] * size[g]
        sums[pair, 0], sums[pair, 1], sums[pair, 2] = plus, total, squares
        if groups == 0:
            pvalue[pair], how[pair] = 1.0, TABLE
        elif alternative >= 0:
            spread = 0.5 * np.sqrt(squares)
            pvalue[pair], how[pair] = _tail(
                rank, size, groups, count, plus, total, spread, alternative, untied, tables, room
            )
