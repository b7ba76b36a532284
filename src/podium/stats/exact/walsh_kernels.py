"""Compiled selection among the Walsh averages (d_i + d_j) / 2, i <= j, without making them all.

The number of sums up to t takes one walk of two pointers, so that an order statistic takes a few walks:
interpolation between counts, bisection where that stalls, and a short list at the end.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.difference_kernels import POWERS, insert, shell_sort

SHORT = 48  # candidates that are listed and sorted


@njit(cache=True, nogil=True)
def _count_up_to(steps, count, t):  # type: ignore[no-untyped-def]
    """How many sums steps[i] + steps[j], i <= j, are at most t."""
    total, j = 0, count - 1
    for i in range(count):
        while j >= i and steps[i] + steps[j] > t:
            j -= 1
        if j < i:
            break
        total += j - i + 1
    return total


@njit(cache=True, nogil=True)
def _listed(steps, count, low, high, found):  # type: ignore[no-untyped-def]
    """The sums in (low, high], sorted."""
    size = 0
    above, upto = count - 1, count - 1
    for i in range(count):
        while upto >= i and steps[i] + steps[upto] > high:
            upto -= 1
        while above >= i and steps[i] + steps[above] > low:
            above -= 1
        for j in range(max(above + 1, i), upto + 1):
            found[size] = steps[i] + steps[j]
            size += 1
    insert(found, size, 1)


@njit(cache=True, nogil=True)
def walsh_select(steps, count, place, found):  # type: ignore[no-untyped-def]
    """The sum steps[i] + steps[j], i <= j, in the given place (1 is the smallest); `steps` ascend."""
    low, high = 2 * steps[0] - 1, 2 * steps[count - 1]
    below, upto = 0, count * (count + 1) // 2
    bisect = False
    while upto - below > SHORT and high - low > 1:
        if bisect:
            pivot = low + (high - low) // 2
        else:
            share = (place - 0.5 - below) / (upto - below)
            pivot = low + np.int64((high - low) * share)
        pivot = min(max(pivot, low + 1), high - 1)
        here = _count_up_to(steps, count, pivot)
        before = upto - below
        if here >= place:
            high, upto = pivot, here
        else:
            low, below = pivot, here
        bisect = not bisect and 3 * (upto - below) > before
    if high - low == 1:
        return high
    _listed(steps, count, low, high, found)
    return found[place - below - 1]


@njit(cache=True, nogil=True)
def _whole_steps(differences, steps):  # type: ignore[no-untyped-def]
    """Fills `steps` with the differences that are present as whole numbers of the largest power of ten that divides them
    all, but at least the 15th digit of the largest; how many there are, and how many steps are 1."""
    largest, count = 0.0, 0
    for difference in differences:
        if not np.isnan(difference):
            largest = max(largest, abs(difference))
    exponent = np.int64(np.floor(np.log10(max(largest, 1e-280)))) - 14
    per_one = POWERS[-exponent] if exponent <= 0 else 1.0 / POWERS[exponent]
    for difference in differences:
        if not np.isnan(difference):
            steps[count] = np.int64(np.rint(difference * per_one))
            count += 1
    divisor, power = 1, 0  # small steps are selected from faster
    while power < 14 and largest > 0.0:
        i = 0
        while i < count and steps[i] % (10 * divisor) == 0:
            i += 1
        if i < count:
            break
        divisor, power = 10 * divisor, power + 1
    for i in range(count):
        steps[i] //= divisor
    exponent += power
    return count, POWERS[-exponent] if exponent <= 0 else 1.0 / POWERS[exponent]


@njit(cache=True, nogil=True)
def estimate_locations(differences, walsh, quantile, estimate):  # type: ignore[no-untyped-def]
    """Location of each row of differences (nan is missing) with its interval: rows (estimate, low, high) of `estimate`.

    With `walsh` the Hodges-Lehmann estimate and Walsh averages, else the median and order statistics.
    quantile[n] is the largest null value whose lower tail is small enough, -1 where n is too small.
    """
    n = differences.shape[1]
    steps, found = np.empty(n, dtype=np.int64), np.empty(SHORT + 1, dtype=np.int64)
    for pair in range(len(differences)):
        count, per_one = _whole_steps(differences[pair], steps)
        shell_sort(steps, count)
        q = quantile[count]
        if walsh:
            total = count * (count + 1) // 2
            middle = walsh_select(steps, count, (total + 1) // 2, found)
            twice = 2 * middle if total % 2 == 1 else middle + walsh_select(steps, count, total // 2 + 1, found)
            estimate[pair, 0] = twice / (4.0 * per_one)
            if q >= 0:
                estimate[pair, 1] = walsh_select(steps, count, q + 1, found) / (2.0 * per_one)
                estimate[pair, 2] = walsh_select(steps, count, total - q, found) / (2.0 * per_one)
        else:
            estimate[pair, 0] = (steps[(count - 1) // 2] + steps[count // 2]) / (2.0 * per_one)
            if q >= 0:
                estimate[pair, 1] = steps[q] / per_one
                estimate[pair, 2] = steps[count - 1 - q] / per_one
        if q < 0:
            estimate[pair, 1], estimate[pair, 2] = -np.inf, np.inf
