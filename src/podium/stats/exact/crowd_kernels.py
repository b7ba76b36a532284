"""Compiled loops for the ranks of a crowd of pairs; `ranks` and `tilts` do the same by arrays, which takes three times as long."""

from __future__ import annotations

from podium.core.compiled import njit
from podium.stats.exact.ranks import NO_KEY


@njit(cache=True, nogil=True)
def group_rows(keys, skipped, rank, size, start, groups, observations, plus):  # type: ignore[no-untyped-def]
    """The groups of equal keys, sorted and without their last bit, which says what is positive; how many entries were filled."""
    place = 0
    for row in range(len(keys)):
        start[row], plus[row], i = place, 0, 0
        while keys[row, i] != NO_KEY:
            j, positives = i, 0
            while keys[row, j] >> 1 == keys[row, i] >> 1:
                positives += keys[row, j] & 1
                j += 1
            rank[place], size[place] = 2 * skipped[row] + i + j + 1, j - i
            plus[row] += rank[place] * positives
            place, i = place + 1, j
        rank[place], size[place] = 0, 0
        groups[row], observations[row] = place - start[row], i
        place += 1
    return place


@njit(cache=True, nogil=True)
def sum_rows(pairs, start, groups, rank, size, table, runs, levels, sums):  # type: ignore[no-untyped-def]
    """found[i] = the sum of size * table[rank] over the groups of a pair: that of all ranks as if they were untied, of which `runs`
    has the sums from 2 on, and what each tie has more; in the last column what ties take from the level."""
    last = table.shape[1]
    for i in range(len(pairs)):
        first, end = start[pairs[i]], start[pairs[i]] + groups[pairs[i]]
        before, highest = (rank[first] - size[first] - 1) // 2, (rank[end - 1] + size[end - 1] - 1) // 2
        for k in range(last):
            sums[i, k] = runs[highest, k] - runs[before, k]
        sums[i, last] = 0.0
        for g in range(first, end):
            m, r = size[g], rank[g]
            if m > 1:
                before = (r - m - 1) // 2
                for k in range(last):
                    sums[i, k] += m * table[r, k] - (runs[before + m, k] - runs[before, k])
                sums[i, last] += levels[r, min(m, levels.shape[1] - 1)] - m * levels[r, 1]
