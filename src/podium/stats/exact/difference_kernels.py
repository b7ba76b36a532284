"""Differences of many pairs without float noise, compiled, and the sorting that other kernels share.

`podium.core.ranks.subtract` does the same to whole arrays; here the powers of ten come from a table, and the exponents
of the scores from the caller, who takes them once for all pairs (`exponents`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from podium.core.arrays import Floats, Ints
from podium.core.ranks import POWERS as POWERS
from podium.core.ranks import SIGNIFICANT_DIGITS

_GAPS = (1750, 701, 301, 132, 57, 23, 10, 4, 1)  # Ciura's


def exponents(columns: Floats) -> Ints:
    """The exponent of the last digit of each score that counts."""
    magnitude = np.where(np.isnan(columns), 1.0, np.abs(columns))
    found: Ints = np.floor(np.log10(np.maximum(magnitude, 1e-280))).astype(np.int64)
    return found - (SIGNIFICANT_DIGITS - 1)


@njit(cache=True, nogil=True)
def difference_pairs(columns, exponents, first, second, found, counts):  # type: ignore[no-untyped-def]
    """Fills `found` with the differences of pairs of rows of `columns`, rounded to what counts of the two (nan stays),
    and `counts` with how many are present, positive and zero."""
    for pair in range(len(first)):
        i, j = first[pair], second[pair]
        present, positives, zeros = 0, 0, 0
        for g in range(columns.shape[1]):
            difference = columns[i, g] - columns[j, g]
            if np.isnan(difference):
                found[pair, g] = np.nan
                continue
            exponent = max(exponents[i, g], exponents[j, g])
            if exponent <= 0:
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
def shell_sort(keys, count):  # type: ignore[no-untyped-def]
    """Sort keys[:count] (Shell): compiled in a tenth of the time that numba's own sort takes."""
    for gap in _GAPS:
        if gap < count:
            insert(keys, count, gap)
