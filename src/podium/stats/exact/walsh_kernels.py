"""Compiled selection among the Walsh sums d_i + d_j, i <= j, without making them all.

How many sums are at most t, and which come next below and above, takes one walk of two pointers. The place of a sum thus lies
between two sums that come closer with every walk: t is where the place would be if the sums in between were spread evenly, and
every sixth time in their middle. The first t comes from the places before: the median, and the other end of the interval.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import inner, njit


@njit(cache=True, nogil=True)
def select_sums(steps, places, sums):  # type: ignore[no-untyped-def]
    """Fills a row of `sums` for each row of ascending `steps` with the sums in these places (0 is the smallest): two of the median, a
    low end, a high end."""
    n = steps.shape[1]
    for row in range(len(steps)):
        for k in range(len(places)):
            low, high = 2.0 * steps[row, 0], 2.0 * steps[row, n - 1]
            before, upto, walks = 0, n * (n + 1) // 2, 0
            t = 0.5 * (low + high) if k == 0 else sums[row, 0] if k < 3 else 2.0 * sums[row, 0] - sums[row, 2]
            while low < high:
                t = max(low, min(t, np.nextafter(high, low)))
                count, below, above = _walk(steps[row], t)
                if count > places[k]:
                    high, upto = below, count
                else:
                    low, before = above, count
                walks += 1
                t = low + (0.5 if walks % 6 == 0 else (places[k] - before + 0.5) / (upto - before)) * (high - low)
            sums[row, k] = low


@inner()
def _walk(steps, t):  # type: ignore[no-untyped-def]
    """How many sums are at most t, the largest of these, and the smallest of the others."""
    count, i, j = 0, 0, len(steps) - 1
    below, above = -np.inf, np.inf
    while i <= j:
        here = steps[i] + steps[j]
        if here <= t:  # and so is all between
            below, count, i = max(below, here), count + j - i + 1, i + 1
        else:
            above, j = min(above, here), j - 1
    return count, below, above
