"""Compiled selection among the Walsh averages (d_i + d_j) / 2, i <= j, without making them all.

The number of sums up to t takes one walk of two pointers, so that an order statistic takes a few walks:
interpolation between counts, bisection where that stalls, and a short list at the end. The four order statistics of an
estimate and its interval are sought side by side: a walk waits for its own comparisons, so four take the time of one.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.difference_kernels import POWERS, insert, shell_sort

SHORT = 48  # candidates that are listed and sorted


@njit(cache=True, nogil=True)
def _count_up_to(steps, count, t, here):  # type: ignore[no-untyped-def]
    """Fills `here` with how many sums steps[i] + steps[j], i <= j, are at most each of the four t.

    Without branches, which nothing could foretell: every comparison moves one of the two pointers of its t.
    """
    t0, t1, t2, t3 = t[0], t[1], t[2], t[3]
    i0, i1, i2, i3 = 0, 0, 0, 0
    total0, total1, total2, total3 = 0, 0, 0, 0
    for moves in range(count):  # j - i is count - 1 - moves
        left = count - moves
        within = int(steps[i0] + steps[i0 + left - 1] <= t0)
        total0 += within * left
        i0 += within
        within = int(steps[i1] + steps[i1 + left - 1] <= t1)
        total1 += within * left
        i1 += within
        within = int(steps[i2] + steps[i2 + left - 1] <= t2)
        total2 += within * left
        i2 += within
        within = int(steps[i3] + steps[i3 + left - 1] <= t3)
        total3 += within * left
        i3 += within
    here[0], here[1], here[2], here[3] = total0, total1, total2, total3


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
def walsh_select(steps, count, places, room, found):  # type: ignore[no-untyped-def]
    """Fills `found` with the sums steps[i] + steps[j], i <= j, in four places (1 is the smallest); `steps` ascend."""
    low, high, below, upto, pivot, here, bisect = room[0], room[1], room[2], room[3], room[4], room[5], room[6]
    for k in range(4):
        low[k], high[k] = 2 * steps[0] - 1, 2 * steps[count - 1]
        below[k], upto[k], bisect[k] = 0, count * (count + 1) // 2, 0
    while True:
        open_places = 0
        for k in range(4):
            if upto[k] - below[k] > SHORT and high[k] - low[k] > 1:
                open_places += 1
                share = 0.5 if bisect[k] else (places[k] - 0.5 - below[k]) / (upto[k] - below[k])
                pivot[k] = min(max(low[k] + np.int64((high[k] - low[k]) * share), low[k] + 1), high[k] - 1)
        if open_places == 0:
            break
        _count_up_to(steps, count, pivot, here)
        for k in range(4):
            if upto[k] - below[k] > SHORT and high[k] - low[k] > 1:
                before = upto[k] - below[k]
                if here[k] >= places[k]:
                    high[k], upto[k] = pivot[k], here[k]
                else:
                    low[k], below[k] = pivot[k], here[k]
                bisect[k] = bisect[k] == 0 and 3 * (upto[k] - below[k]) > before
    for k in range(4):
        if high[k] - low[k] == 1:
            found[k] = high[k]
        else:
            _listed(steps, count, low[k], high[k], room[7])
            found[k] = room[7][places[k] - below[k] - 1]


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
    if divisor > 1:
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
    steps, found, places = np.empty(n, dtype=np.int64), np.empty(4, dtype=np.int64), np.empty(4, dtype=np.int64)
    room = np.zeros((8, SHORT + 1), dtype=np.int64)
    for pair in range(len(differences)):
        count, per_one = _whole_steps(differences[pair], steps)
        shell_sort(steps, count)
        q = quantile[count]
        if walsh:
            total = count * (count + 1) // 2
            places[0], places[1] = (total + 1) // 2, total // 2 + 1
            places[2], places[3] = max(q, 0) + 1, total - max(q, 0)
            walsh_select(steps, count, places, room, found)
            estimate[pair, 0] = (found[0] + found[1]) / (4.0 * per_one)
            if q >= 0:
                estimate[pair, 1], estimate[pair, 2] = found[2] / (2.0 * per_one), found[3] / (2.0 * per_one)
        else:
            estimate[pair, 0] = (steps[(count - 1) // 2] + steps[count // 2]) / (2.0 * per_one)
            if q >= 0:
                estimate[pair, 1] = steps[q] / per_one
                estimate[pair, 2] = steps[count - 1 - q] / per_one
        if q < 0:
            estimate[pair, 1], estimate[pair, 2] = -np.inf, np.inf
