"""Compiled selection among the Walsh averages (d_i + d_j) / 2, i <= j, without making them all.

The number of sums up to t takes one walk of two pointers, so that an order statistic takes a few walks: from where the
logistic law has it, by secants that aim a little beyond so as to close in from both sides, by bisection where that stalls,
and a short list at the end. The order statistics of an estimate and its interval are sought side by side: a walk waits for
its own comparisons, so three take the time of one.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.difference_kernels import POWERS, cell_sort, insert

SHORT = 32  # candidates that are listed and sorted
_PATIENCE = 6  # secants before every other step is a bisection


@njit(cache=True, nogil=True)
def _count_up_to(steps, count, t, here, rows, trace0, trace1, trace2):  # type: ignore[no-untyped-def]
    """Fills `here` with how many sums steps[i] + steps[j], i <= j, are at most each of the three t.

    The traces say which: of row i those to j = trace[i], in the first `rows` rows. Without branches, which nothing could
    foretell: every comparison moves one of the two pointers of its t. Unsigned, so that no index is taken from the end.
    """
    t0, t1, t2 = t[0], t[1], t[2]
    i0, i1, i2 = np.uint64(0), np.uint64(0), np.uint64(0)
    total0, total1, total2 = 0, 0, 0
    for moves in range(count):  # j - i is count - 1 - moves
        last = np.uint64(count - moves - 1)
        trace0[i0], trace1[i1], trace2[i2] = i0 + last, i1 + last, i2 + last
        within = steps[i0] + steps[i0 + last] <= t0
        total0 += within * (count - moves)
        i0 += np.uint64(within)
        within = steps[i1] + steps[i1 + last] <= t1
        total1 += within * (count - moves)
        i1 += np.uint64(within)
        within = steps[i2] + steps[i2 + last] <= t2
        total2 += within * (count - moves)
        i2 += np.uint64(within)
    here[0], here[1], here[2] = total0, total1, total2
    rows[0], rows[1], rows[2] = i0, i1, i2


@njit(cache=True, nogil=True)
def _sum_at(steps, count, place, low, high, found):  # type: ignore[no-untyped-def]
    """The sum in this place, between the traces of a lower and a higher bound, and the next sum.

    A bound is its t, the number of sums up to it, and the rows and ends of its trace.
    """
    bottom, below, low_rows, low_ends = low
    top, upto, rows, ends = high
    size = 0
    if top - bottom > 1:
        for i in range(rows):
            for j in range(low_ends[i] + 1 if i < low_rows else i, ends[i] + 1):
                found[size] = steps[i] + steps[j]
                size += 1
        insert(found, size, 1)
    here = found[place - below - 1] if size > 0 else top
    if place < upto:
        return here, found[place - below] if size > 0 else top
    above = 2 * steps[count - 1]  # the least sum above the higher bound
    for i in range(count):
        j = ends[i] + 1 if i < rows else i
        if j < count:
            above = min(above, steps[i] + steps[j])
    return here, above


@njit(cache=True, nogil=True)
def _guess(steps, count, places, pivot, slope):  # type: ignore[no-untyped-def]
    """Where the places would be if the sums had a logistic law with the middle and the quartiles of the steps."""
    total = count * (count + 1) // 2
    middle = steps[(count - 1) // 2] + steps[count // 2]
    spread = max((steps[(3 * count) // 4] - steps[count // 4]) * 0.62, 1.0)
    for k in range(3):
        share = (places[k] - 0.5) / total
        pivot[k] = middle + np.int64(spread * np.log(share / (1.0 - share)))
        slope[k] = total * share * (1.0 - share) / spread


@njit(cache=True, nogil=True)
def _next_pivot(k, rounds, places, low, high, pivot, here, slope):  # type: ignore[no-untyped-def]
    """Along the secant to a little beyond the place; half way between the bounds where that has not helped."""
    if rounds > _PATIENCE and rounds % 2 == 0:
        wanted = (low[k] + high[k]) // 2
    elif rounds == 0:
        wanted = pivot[k]
    else:
        beyond = SHORT // 3 if here[k] < places[k] else -(SHORT // 3)
        move = (places[k] + beyond - here[k]) / slope[k]
        wanted = pivot[k] + np.int64(min(max(move, -1e17), 1e17))
    return min(max(wanted, low[k] + 1), high[k] - 1)


@njit(cache=True, nogil=True)
def walsh_select(steps, count, places, room, found):  # type: ignore[no-untyped-def]
    """Fills `found` with the sums steps[i] + steps[j], i <= j, in three places (1 is the smallest), and with the sum after
    each; `steps` ascend and `room` is a `walsh_room`."""
    low, high, below, upto, pivot, here, rows, last, before, low_rows, high_rows, low_at, high_at, free = room[0]
    slope, traces, listed = room[1], room[2], room[3]
    for k in range(3):
        low[k], high[k] = 2 * steps[0] - 1, 2 * steps[count - 1]
        below[k], upto[k], low_rows[k], high_rows[k] = 0, count * (count + 1) // 2, 0, count
        low_at[k], high_at[k], free[k] = 0, 1, 2
        traces[k, 1, :count] = count - 1
    _guess(steps, count, places, pivot, slope)
    rounds = 0
    while True:
        open_places = 0
        for k in range(3):
            if upto[k] - below[k] > SHORT and high[k] - low[k] > 1:
                open_places += 1
                last[k], before[k] = pivot[k], here[k]
                pivot[k] = _next_pivot(k, rounds, places, low, high, pivot, here, slope)
        if open_places == 0:
            break
        _count_up_to(steps, count, pivot, here, rows, traces[0, free[0]], traces[1, free[1]], traces[2, free[2]])
        for k in range(3):
            if upto[k] - below[k] > SHORT and high[k] - low[k] > 1:
                if rounds > 0 and pivot[k] != last[k] and here[k] != before[k]:
                    slope[k] = (here[k] - before[k]) / (pivot[k] - last[k])
                if here[k] >= places[k]:
                    high[k], upto[k], high_rows[k] = pivot[k], here[k], rows[k]
                    high_at[k], free[k] = free[k], high_at[k]
                else:
                    low[k], below[k], low_rows[k] = pivot[k], here[k], rows[k]
                    low_at[k], free[k] = free[k], low_at[k]
        rounds += 1
    for k in range(3):
        bottom = low[k], below[k], low_rows[k], traces[k, low_at[k]]
        top = high[k], upto[k], high_rows[k], traces[k, high_at[k]]
        found[k], found[3 + k] = _sum_at(steps, count, places[k], bottom, top, listed)


@njit(cache=True, nogil=True)
def walsh_room(n):  # type: ignore[no-untyped-def]
    """Space for `walsh_select` among n steps: numbers by place, slopes, traces (lower, higher and new), and a list."""
    numbers, traces = np.zeros((14, 3), dtype=np.int64), np.empty((3, 3, n + 1), dtype=np.int64)
    return numbers, np.empty(3), traces, np.empty(SHORT + 1, dtype=np.int64)


@njit(cache=True, nogil=True)
def _divisor(steps, count):  # type: ignore[no-untyped-def]
    """The largest power of ten, up to 10^14, that divides all steps; 1 if all are 0."""
    first = 0
    while first < count - 1 and steps[first] == 0:
        first += 1
    divisor = 1
    if count > 0 and steps[first] != 0:
        while divisor < 10**14 and steps[first] % (10 * divisor) == 0:
            divisor *= 10
    while divisor > 1:
        per_one, divided = 1.0 / divisor, 0
        for i in range(count):  # below 2^53, so floats are exact
            divided += np.rint(steps[i] * per_one) * divisor == steps[i]
        if divided == count:
            break
        divisor //= 10
    return divisor


@njit(cache=True, nogil=True)
def _whole_steps(differences, steps, sizes):  # type: ignore[no-untyped-def]
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
    divisor = _divisor(steps, count)  # small steps are selected from faster
    if divisor > 1:
        share = 1.0 / divisor
        for i in range(count):
            steps[i] = np.int64(np.rint(steps[i] * share))
    while divisor > 1:
        divisor //= 10
        exponent += 1
    least = steps[0]
    for i in range(count):
        least = min(least, steps[i])
    for i in range(count):
        sizes[i] = steps[i] - least
    return count, POWERS[-exponent] if exponent <= 0 else 1.0 / POWERS[exponent]


@njit(cache=True, nogil=True)
def estimate_locations(differences, walsh, quantile, estimate):  # type: ignore[no-untyped-def]
    """Location of each row of differences (nan is missing) with its interval: rows (estimate, low, high) of `estimate`.

    With `walsh` the Hodges-Lehmann estimate and Walsh averages, else the median and order statistics.
    quantile[n] is the largest null value whose lower tail is small enough, -1 where n is too small.
    """
    n = differences.shape[1]
    steps, found, places = np.empty(n, dtype=np.int64), np.empty(6, dtype=np.int64), np.empty(3, dtype=np.int64)
    sizes, spare, cells = np.empty(n), np.empty(n, dtype=np.int64), np.empty(max(2 * n, 64), dtype=np.int64)
    room = walsh_room(n)
    for pair in range(len(differences)):
        count, per_one = _whole_steps(differences[pair], steps, sizes)
        cell_sort(sizes, steps, count, spare, cells, 0)
        q = quantile[count]
        if walsh:
            total = count * (count + 1) // 2
            places[0], places[1], places[2] = (total + 1) // 2, max(q, 0) + 1, total - max(q, 0)
            walsh_select(steps, count, places, room, found)
            estimate[pair, 0] = (found[0] + found[0 if total % 2 else 3]) / (4.0 * per_one)
            if q >= 0:
                estimate[pair, 1], estimate[pair, 2] = found[1] / (2.0 * per_one), found[2] / (2.0 * per_one)
        else:
            estimate[pair, 0] = (steps[(count - 1) // 2] + steps[count // 2]) / (2.0 * per_one)
            if q >= 0:
                estimate[pair, 1] = steps[q] / per_one
                estimate[pair, 2] = steps[count - 1 - q] / per_one
        if q < 0:
            estimate[pair, 1], estimate[pair, 2] = -np.inf, np.inf
