"""The signed-rank law by a dynamic programme: positive numbers are added only, so every digit holds in the far tail.

Three things keep it short. The law of the lower ranks is symmetric, so half of it is enough. The few groups of the
highest ranks are not added to the law but enumerated: P(W <= w) is a sum over their sums o of C(o) F(w - o). And two
ranks, or three equal ones, are added in one pass.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit

MOST_SUMS = 4096  # of the enumerated groups


@njit(cache=True, nogil=True)
def programme_tails(pairs, rank, size, groups, limit, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, whose ranks are in the rows of `rank` and `size`."""
    largest = 0
    for i in pairs:
        largest = max(largest, limit[i])
    room = programme_room(largest)
    for i in pairs:
        value[i] = lower_tail_programme(rank[i], size[i], groups[i], limit[i], room)


@njit(cache=True, nogil=True)
def programme_room(limit):  # type: ignore[no-untyped-def]
    """Space for sums up to `limit`: two laws, and the sums and weights of the enumerated groups."""
    return np.empty((2, limit + 1)), np.empty(MOST_SUMS, dtype=np.int64), np.empty(MOST_SUMS)


@njit(cache=True, nogil=True)
def lower_tail_programme(rank, size, groups, limit, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times, ascending; `room` is a `programme_room`."""
    laws, sums, weights = room
    observations = 0
    for g in range(groups):
        observations += size[g]
    low, found = _enumerate_high(rank, size, groups, limit, sums, weights)
    law, total, added = _half_law(rank, size, low, limit, laws)
    reach = min(total // 2, limit)
    for s in range(reach):
        law[s + 1] += law[s]
    whole = 2.0**added
    answer = 0.0
    for i in range(found):
        rest = limit - sums[i]
        if rest <= reach:
            answer += weights[i] * law[rest]
        elif rest >= total:
            answer += weights[i] * whole
        else:
            answer += weights[i] * (whole - law[total - rest - 1])
    return answer * 0.5**observations


@njit(cache=True, nogil=True)
def _enumerate_high(rank, size, groups, limit, sums, weights):  # type: ignore[no-untyped-def]
    """Sums up to `limit` of the highest groups, with how often each occurs: groups left to the law, and their number.

    A group is enumerated if that is less work than to add its ranks to the law.
    """
    sums[0], weights[0] = 0, 1.0
    found = 1
    for g in range(groups - 1, -1, -1):
        fits = min(MOST_SUMS, found + size[g] * limit // 64)
        start, times = found, 1.0
        for i in range(1, size[g] + 1):
            times *= (size[g] - i + 1) / i
            if i * rank[g] > limit:
                break
            for j in range(start):
                if sums[j] + i * rank[g] <= limit:
                    if found == fits:
                        return g + 1, start
                    sums[found], weights[found] = sums[j] + i * rank[g], weights[j] * times
                    found += 1
    return 0, found


@njit(cache=True, nogil=True)
def _half_law(rank, size, groups, limit, laws):  # type: ignore[no-untyped-def]
    """How often each sum up to min(total / 2, limit) occurs; the total; and how many ranks can occur at all."""
    old, new = laws[0], laws[1]
    old[0] = 1.0
    total, added, g, left = 0, 0, 0, size[0]
    while g < groups and rank[g] <= limit:
        one = rank[g]
        if left >= 3:  # (1 + z^r)^3
            taken, two, three, times = 3, 2 * one, 3 * one, 3.0
        elif left == 2 or (g + 1 < groups and rank[g + 1] <= limit):  # (1 + z^a) (1 + z^b)
            two = one if left == 2 else rank[g + 1]
            taken, three, times = 2, one + two, 1.0
        else:
            taken, two, three, times = 1, limit + 1, limit + 1, 1.0
        left -= taken
        while left <= 0 and g < groups:
            g += 1
            left += size[g] if g < groups else 0
        rise = three if taken > 1 else one
        top = min((total + rise) // 2, limit)
        for s in range(min(total // 2, limit) + 1, min(top, total) + 1):
            old[s] = old[total - s]
        for s in range(total + 1, top + 1):
            old[s] = 0.0
        _add_ranks(old[: top + 1], new[: top + 1], one, two, three, times)
        old, new = new, old
        total += rise
        added += taken
    return old, total, added


@njit(cache=True, nogil=True)
def _add_ranks(old, new, one, two, three, times):  # type: ignore[no-untyped-def]
    """new = old * (1 + times z^one + times z^two + z^three), in one pass; slices, so that whole vectors are added."""
    length = len(old)
    one, two, three = min(one, length), min(two, length), min(three, length)
    for s in range(one):
        new[s] = old[s]
    a, b, out = old[one:two], old, new[one:two]
    for s in range(len(out)):
        out[s] = a[s] + times * b[s]
    a, b, c, out = old[two:three], old[two - one :], old, new[two:three]
    for s in range(len(out)):
        out[s] = a[s] + times * (b[s] + c[s])
    a, b, c, d, out = old[three:], old[three - one :], old[three - two :], old, new[three:]
    for s in range(len(out)):
        out[s] = a[s] + times * (b[s] + c[s]) + d[s]
