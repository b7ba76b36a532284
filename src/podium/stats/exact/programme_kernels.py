"""The signed-rank law by a dynamic programme: positive numbers are added only, so every digit holds in the far tail.

Four things keep it short. The ranks are split into two sets with a law each, and one sum over the sums b of the second set
joins them: P(W <= w) = sum_b B(b) F(w - b), with F the distribution function of the first. The first set has even ranks
only (most of the untied ones), so that its sums are counted in twos. Both laws are symmetric, so half of each is made.
And up to eight equal ranks, or two others, are added in one pass.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit

MOST_AT_ONCE = 8  # equal ranks that are added in one pass
FEW_GROUPS = 3  # whose sums are counted by binomial coefficients


@njit(cache=True, nogil=True)
def programme_tails(pairs, rank, size, groups, limit, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, whose ranks are in the rows of `rank` and `size`."""
    largest, highest = 0, 0
    for i in pairs:
        largest = max(largest, limit[i])
        highest = max(highest, rank[i, groups[i] - 1])
    room = programme_room(largest, highest, rank.shape[1])
    for i in pairs:
        value[i] = lower_tail_programme(rank[i], size[i], groups[i], limit[i], room)


@njit(cache=True, nogil=True)
def programme_room(limit, highest, groups):  # type: ignore[no-untyped-def]
    """Space for sums up to `limit` of ranks up to `highest`: two laws, each old and new, and the groups of both sets.

    Zeros in front of a law stand for negative sums, so that a pass needs no cases.
    """
    front = min(limit, MOST_AT_ONCE * highest) + 2
    return (
        np.zeros((2, front + limit // 2 + 2)),
        np.zeros((2, front + limit + 2)),
        np.empty((4, groups), np.int64),
        front,
    )


@njit(cache=True, nogil=True)
def lower_tail_programme(rank, size, groups, limit, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times, ascending; `room` is a `programme_room`."""
    evens, others, sets, front = room
    observations = 0
    for g in range(groups):
        observations += size[g]
    if groups <= FEW_GROUPS:
        return _few_groups(rank, size, groups, limit, others, front) * 0.5**observations
    limit, low, high = _two_sets(rank, size, groups, limit, sets)
    half = limit // 2
    first, total, whole = _half_law(sets[0], sets[1], low, half, evens, front, True)
    _mirror(evens, first, front, total, whole, min(total // 2, half), half, True)
    second, total, whole = _half_law(sets[2], sets[3], high, limit, others, front, False)
    reach = min(limit, total)
    _mirror(others, second, front, total, whole, min(total // 2, limit), reach, False)
    others[second, front + reach + 1] = 0.0
    start = (limit + 1) % 2  # sums b in twos: those with the same (limit - b) // 2
    answer = _join(others[second, front - start :], evens[first, front:], half, min(half, (reach + start) // 2) + 1)
    return answer * 0.5**observations


@njit(cache=True, nogil=True)
def _few_groups(rank, size, groups, limit, laws, front):  # type: ignore[no-untyped-def]
    """How many choices of signs have a sum up to `limit` if there are at most three different ranks, as where scores are pass
    or fail: so many of the third, so many of the second, and as many of the first as have room."""
    reach, choices = min(limit // rank[0], size[0]), 1.0
    laws[0, front] = 1.0
    for i in range(1, reach + 1):
        choices *= (size[0] - i + 1) / i
        laws[0, front + i] = laws[0, front + i - 1] + choices
    a, second = (rank[1], size[1]) if groups > 1 else (1, 0)
    b, third = (rank[2], size[2]) if groups > 2 else (1, 0)
    answer, of_third = 0.0, 1.0
    for j in range(min(limit // b, third) + 1):
        of_second = 1.0
        for i in range(min((limit - j * b) // a, second) + 1):
            room_left = (limit - j * b - i * a) // rank[0]
            answer += of_third * of_second * laws[0, front + min(room_left, reach)]
            of_second *= (second - i) / (i + 1)
        of_third *= (third - j) / (j + 1)
    return answer


@njit(cache=True, nogil=True)
def _two_sets(rank, size, groups, limit, sets):  # type: ignore[no-untyped-def]
    """Even ranks, halved, to the first two rows of `sets` with their sizes; the others to the last two. The limit, halved
    if all ranks were, and the numbers of groups.

    The highest even ranks join the others as long as the law of these stays the shorter one.
    """
    odd = 0
    for g in range(groups):
        odd += rank[g] & 1
    shift = 0 if odd > 0 else 1
    limit >>= shift
    first, second = 0, 0
    for g in range(groups):
        r = rank[g] >> shift
        if r & 1:
            second += r * size[g]
        else:
            first += r * size[g]
    last = groups
    for g in range(groups - 1, -1, -1):
        r = rank[g] >> shift
        if r & 1 == 0:
            if min((second + r * size[g]) // 2, limit) >= min(first // 4, limit // 2):
                break
            first, second, last = first - r * size[g], second + r * size[g], g
    low, high = 0, 0
    for g in range(groups):
        r = rank[g] >> shift
        if r & 1 == 0 and g < last:
            sets[0, low], sets[1, low] = r >> 1, size[g]
            low += 1
        else:
            sets[2, high], sets[3, high] = r, size[g]
            high += 1
    return limit, low, high


@njit(cache=True, nogil=True)
def _half_law(rank, size, groups, limit, laws, front, summed):  # type: ignore[no-untyped-def]
    """How often each sum up to min(total / 2, limit) occurs, or `summed` how often no larger one: the row of `laws` that has
    it, the total of all ranks that can occur at all, and how many choices of signs they have."""
    laws[0, front] = 1.0
    old, total, g, left, whole = 0, 0, 0, size[0], 1.0
    while g < groups and rank[g] <= limit:
        one = two = rank[g]
        if left > 3:
            taken = 8 if left >= 8 else 4
        elif left == 1 and g + 1 < groups and rank[g + 1] <= limit:
            taken, two = 2, rank[g + 1]
        else:
            taken = left
        rise = one + two if taken == 2 else taken * one
        top = min((total + rise) // 2, limit)
        _mirror(laws, old, front, total, whole, min(total // 2, limit), top, summed)
        if taken <= 3:
            _add_few(laws, old, front, top + 1, taken, one, two)
        else:
            _add_many(laws, old, front, top + 1, taken, one)
        left -= taken
        while left <= 0 and g < groups:
            g += 1
            left += size[g] if g < groups else 0
        old = 1 - old
        total += rise
        whole *= 2.0**taken
    return old, total, whole


# Below, indices are unsigned so that none is taken from the end, there are no slices, which are counted, and a product is
# added in one step ("contract"): without these the adding takes twice as long.


@njit(cache=True, nogil=True)
def _mirror(laws, row, front, total, whole, known, top, summed):  # type: ignore[no-untyped-def]
    """Fill in a law that is known up to `known`, the middle, as far as `top`."""
    last = min(top, total - 1 if summed else total)
    if last > known:
        end = np.uint64(2 * front + total - (1 if summed else 0))
        if summed:
            for s in range(np.uint64(front + known + 1), np.uint64(front + last + 1)):
                laws[row, s] = whole - laws[row, end - s]
        else:
            for s in range(np.uint64(front + known + 1), np.uint64(front + last + 1)):
                laws[row, s] = laws[row, end - s]
    beyond = whole if summed else 0.0
    for s in range(front + max(known, last) + 1, front + top + 1):
        laws[row, s] = beyond


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_few(laws, old, front, length, taken, one, two):  # type: ignore[no-untyped-def]
    """The new law: the old one times 1 + z^one, (1 + z^one) (1 + z^two) or (1 + z^one)^3."""
    new, a, b = 1 - old, np.uint64(front), np.uint64(front - min(one, length))
    if taken == 1:
        for s in range(np.uint64(length)):
            laws[new, a + s] = laws[old, a + s] + laws[old, b + s]
        return
    second, third, times = (two, one + two, 1.0) if taken == 2 else (2 * one, 3 * one, 3.0)
    c, d = np.uint64(front - min(second, length)), np.uint64(front - min(third, length))
    for s in range(np.uint64(length)):
        laws[new, a + s] = laws[old, a + s] + laws[old, d + s] + times * (laws[old, b + s] + laws[old, c + s])


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_many(laws, old, front, length, taken, one):  # type: ignore[no-untyped-def]
    """The new law: the old one times (1 + z^one)^4 or (1 + z^one)^8."""
    new, a = 1 - old, np.uint64(front)
    b, c = np.uint64(front - min(one, length)), np.uint64(front - min(2 * one, length))
    d, e = np.uint64(front - min(3 * one, length)), np.uint64(front - min(4 * one, length))
    if taken == 4:
        for s in range(np.uint64(length)):
            ends, next_ones = laws[old, a + s] + laws[old, e + s], laws[old, b + s] + laws[old, d + s]
            laws[new, a + s] = ends + 4.0 * next_ones + 6.0 * laws[old, c + s]
        return
    f, g = np.uint64(front - min(5 * one, length)), np.uint64(front - min(6 * one, length))
    h, i = np.uint64(front - min(7 * one, length)), np.uint64(front - min(8 * one, length))
    for s in range(np.uint64(length)):
        ends, next_ones = laws[old, a + s] + laws[old, i + s], laws[old, b + s] + laws[old, h + s]
        thirds, fourths = laws[old, c + s] + laws[old, g + s], laws[old, d + s] + laws[old, f + s]
        laws[new, a + s] = ends + 8.0 * next_ones + 28.0 * thirds + 56.0 * fourths + 70.0 * laws[old, e + s]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _join(law, below, half, count):  # type: ignore[no-untyped-def]
    """The sum of (law[2i] + law[2i + 1]) below[half - i] over i < count; in any order, so that whole vectors are added."""
    answer, end, one, two = 0.0, np.uint64(half), np.uint64(1), np.uint64(2)
    for i in range(np.uint64(count)):
        answer += (law[two * i] + law[two * i + one]) * below[end - i]
    return answer
