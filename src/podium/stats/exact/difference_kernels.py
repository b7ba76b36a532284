"""Differences of many pairs without float noise, compiled, and the sorting that other kernels share.

`podium.core.ranks.differences` does the same to whole arrays; here the powers of ten come from a table, and the exponents
of the scores from the caller, who takes them once for all pairs (`exponents`). Differences that tie without being equal
are rare: the kernel says which pairs may have some, and leaves those to `podium.core.ranks`.
"""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.compiled import njit
from podium.core.ranks import CLEAN_DIGITS, TIE
from podium.core.ranks import POWERS as POWERS

_GAPS = (1750, 701, 301, 132, 57, 23, 10, 4, 1)  # Ciura's
_CELLS = 256.0  # ties to a cell of the hash
_MOST_IN_A_CELL = 60  # keys that insertion sorts
_MOST_STEPS = 1e11  # of a grid: its step is far above the tie of the largest score then


def grid(columns: Floats) -> float:
    """The power of ten of which all scores are whole numbers over (10,000 for four decimals); 0 if there is none.

    Differences on such a grid are whole numbers of its step: they are exact, and no two of them are nearly equal.
    """
    present = columns[~np.isnan(columns)]
    largest = float(np.abs(present).max(initial=0.0))
    for per_one in POWERS[:10].tolist():
        if largest * per_one >= _MOST_STEPS:
            return 0.0
        if np.array_equal(np.rint(present * per_one) / per_one, present):
            return float(per_one)
    return 0.0


@njit(cache=True, nogil=True)
def grid_pairs(steps, per_one, first, second, found, counts):  # type: ignore[no-untyped-def]
    """The same as `difference_pairs` for scores `steps / per_one` on a grid, where no two differences are close."""
    for pair in range(len(first)):
        a, b, into = steps[first[pair]], steps[second[pair]], found[pair]
        present, positives, zeros = 0, 0, 0
        for g in range(len(into)):
            difference = (a[g] - b[g]) / per_one
            into[g] = difference
            present += difference == difference
            positives += difference > 0.0
            zeros += difference == 0.0
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros


def exponents(columns: Floats) -> Ints:
    """The exponent of the last digit of each score that is kept."""
    magnitude = np.where(np.isnan(columns), 1.0, np.abs(columns))
    found: Ints = np.floor(np.log10(np.maximum(magnitude, 1e-280))).astype(np.int64)
    return found - (CLEAN_DIGITS - 1)


@njit(cache=True, nogil=True)
def difference_pairs(columns, exponents, first, second, found, counts, close):  # type: ignore[no-untyped-def]
    """Fills `found` with the differences of pairs of rows of `columns`, 0 where the two tie (nan stays), `counts` with
    how many are present, positive and zero, and `close` with whether unequal differences may tie."""
    room = 16
    while room < 8 * columns.shape[1]:
        room *= 2
    cells, sizes = np.full(room, -1, dtype=np.int64), np.empty(room)
    for pair in range(len(first)):
        i, j = first[pair], second[pair]
        present, positives, zeros, largest = 0, 0, 0, 0.0
        for g in range(columns.shape[1]):
            difference = columns[i, g] - columns[j, g]
            if np.isnan(difference):
                found[pair, g] = np.nan
                continue
            scale = max(abs(columns[i, g]), abs(columns[j, g]))
            largest = max(largest, scale)
            exponent = max(exponents[i, g], exponents[j, g])
            if abs(difference) <= TIE * scale:
                difference = 0.0
            elif exponent <= 0:
                power = POWERS[-exponent]
                difference = np.rint(difference * power) / power
            else:
                power = POWERS[exponent]
                difference = np.rint(difference / power) * power
            found[pair, g] = difference
            present += 1
            positives += difference > 0.0
            zeros += difference == 0.0
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        close[pair] = _close(found[pair], TIE * largest, pair << 35, cells, sizes)


@njit(cache=True, nogil=True)
def _close(differences, slack, stamp, cells, sizes):  # type: ignore[no-untyped-def]
    """Whether two unequal sizes may lie within `slack` of each other: then they share a cell of a hash, in which each
    size stands in its own cell and, just below an edge, in the next one. The stamp sets pairs apart."""
    last = len(cells) - 1
    if not _CELLS * slack > 1e-290:
        return slack > 0.0
    per_one = 1.0 / (_CELLS * slack)
    for difference in differences:
        size = abs(difference)
        if not size > 0.0:  # nan, or zero
            continue
        key = np.int64(size * per_one)
        copies = 1 if size * per_one - key < 1.0 - 1.5 / _CELLS else 2
        for cell in range(key + stamp, key + stamp + copies):
            place = (cell ^ cell >> 11 ^ cell >> 22) & last
            while cells[place] != cell and cells[place] >= stamp:
                place = (place + 1) & last
            if cells[place] < stamp:
                cells[place], sizes[place] = cell, size
            elif sizes[place] != size:
                return True
    return False


@njit(cache=True, nogil=True)
def insert(keys, count, gap):  # type: ignore[no-untyped-def]
    """Sort keys[:count] by insertion in steps of `gap`: wholly with steps of 1, roughly with longer ones."""
    for i in range(gap, count):
        key, j = keys[i], i
        while j >= gap and keys[j - gap] > key:
            keys[j] = keys[j - gap]
            j -= gap
        keys[j] = key


@njit(cache=True, nogil=True)
def cell_sort(sizes, keys, count, spare, ends, noise):  # type: ignore[no-untyped-def]
    """Sort keys[:count], which grow with `sizes` from 0 on: cells of equal width, then insertion, with little left to do.

    The bits of `noise` do not count. `spare` has room for the keys; `ends` is room for as many cells as it is long.
    """
    largest = 0.0
    for i in range(count):
        largest = max(largest, sizes[i])
    per_one = min((len(ends) - 2) / max(largest, 1e-300), 1e300)
    ends[:] = 0
    for i in range(count):
        ends[np.int64(sizes[i] * per_one) + 1] += 1
    before, fullest = 0, 0
    for cell in range(1, len(ends)):
        fullest = max(fullest, ends[cell])
        before += ends[cell]
        ends[cell] = before
    if fullest > _MOST_IN_A_CELL:
        shell_sort(keys, count)
        return
    for i in range(count):
        here = np.int64(sizes[i] * per_one)
        spare[ends[here]] = keys[i]
        ends[here] += 1
    for i in range(count):
        key, j = spare[i], i
        while j > 0 and keys[j - 1] > key | noise:
            keys[j] = keys[j - 1]
            j -= 1
        keys[j] = key


@njit(cache=True, nogil=True)
def shell_sort(keys, count):  # type: ignore[no-untyped-def]
    """Sort keys[:count] (Shell): compiled in a tenth of the time that numba's own sort takes."""
    for gap in _GAPS:
        if gap < count:
            insert(keys, count, gap)
