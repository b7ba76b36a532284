"""What the compiled kernels of differences share: whole steps instead of floats, and sorting them."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["insert", "shell_sort", "take_steps"]

_GAPS = (1750, 701, 301, 132, 57, 23, 10, 4, 1)  # Ciura's


@njit(cache=True, nogil=True)
def take_steps(x, y, steps):  # type: ignore[no-untyped-def]
    """The differences where both are present, as whole multiples of the 12th significant digit of the largest score.

    So float noise breaks no ties, as `podium.core.ranks.settle` has it. Returns how many, and how many steps are 1.
    """
    largest = 0.0
    for i in range(len(x)):
        if not (np.isnan(x[i]) or np.isnan(y[i])):
            largest = max(largest, abs(x[i]), abs(y[i]))
    exponent = np.floor(np.log10(max(largest, 1e-280))) - 11.0
    unit = 10.0**exponent
    count = 0
    for i in range(len(x)):
        difference = x[i] - y[i]
        if not np.isnan(difference):
            steps[count] = np.int64(np.rint(difference / unit))
            count += 1
    return count, 10.0 ** (-exponent)


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
