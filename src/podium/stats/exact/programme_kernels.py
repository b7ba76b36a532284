"""The signed-rank law by a dynamic programme: positive numbers are added only, so every digit holds in the far tail.

Four things keep it short. The ranks are split into two sets with a law each, and one sum over the sums b of the second set
joins them: P(W <= w) = sum_b B(b) F(w - b), with F the distribution function of the first. The first set has even ranks
only (most of the untied ones), so that its sums are counted in twos. Both laws are symmetric, so half of each is made.
And up to eight equal ranks, or two others, are added in one pass (`passes`).
"""

from __future__ import annotations

import math

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.passes import (
    FEW,
    LANES,
    MOST_AT_ONCE,
    WIDE,
    add_two,
    turn_over,
    walk_2,
    walk_3,
    walk_4,
    walk_5,
    walk_6,
    walk_7,
    walk_8,
)

MOST_SIGNS = 1000  # 2^-n must stay a normal float
FEW_GROUPS = 3  # whose sums are counted by binomial coefficients
LONG = 3  # times the rank: a law so long is worth walking for two equal ranks


@njit(cache=True, nogil=True)
def programme_tails(pairs, rank, size, groups, limit, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, whose ranks are in the rows of `rank` and `size`."""
    largest, highest, signs, most = 0, 0, 0, 0
    for i in pairs:
        if groups[i] > FEW_GROUPS:
            largest, highest = max(largest, limit[i]), max(highest, rank[i, groups[i] - 1])
            signs = max(signs, size[i, : groups[i]].sum())
        else:
            for g in range(groups[i]):
                most = max(most, size[i, g])
    room = programme_room(largest, highest, rank.shape[1], signs)
    laws = np.empty((FEW_GROUPS, most + 1))
    for i in pairs:
        if groups[i] > FEW_GROUPS:
            value[i] = lower_tail_programme(rank[i], size[i], groups[i], limit[i], room)
        else:
            value[i] = lower_tail_of_few(rank[i], size[i], groups[i], limit[i], laws)


@njit(cache=True, nogil=True)
def programme_room(limit, highest, groups, signs):  # type: ignore[no-untyped-def]
    """Space for sums up to `limit` of so many ranks up to `highest` in so many groups: two laws, each old and new, the groups of
    both sets, and the pieces of one.

    Zeros in front of a law stand for negative sums, so that a pass needs no cases.
    """
    front = (2 * highest + 2 * LANES) // 8 * 8 + 8  # whole cache lines
    evens, others = front + limit // 2 + 2 * LANES, front + limit + 2 * LANES
    return (
        (np.zeros(evens), np.zeros(evens)),
        (np.zeros(others), np.zeros(others)),
        np.empty((4, groups + 1), np.int64),
        np.empty((3, groups + signs), np.int64),
        front,
    )


@njit(cache=True, nogil=True)
def lower_tail_programme(rank, size, groups, limit, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times, ascending; `room` is a `programme_room`."""
    evens, others, sets, pieces, front = room
    observations = 0
    for g in range(groups):
        observations += size[g]
    limit, low, high = _two_sets(rank, size, groups, limit, sets)
    half = limit // 2
    count = _pieces(sets[0], sets[1], low, half, pieces)
    first, total, whole = _half_law(pieces, count, half, evens, front, True)
    _mirror(first, front, total, whole, min(total // 2, half), half, True)
    count = _pieces(sets[2], sets[3], high, limit, pieces)
    second, total, whole = _half_law(pieces, count, limit, others, front, False)
    reach = min(limit, total)
    _mirror(second, front, total, whole, min(total // 2, limit), reach, False)
    second[front + reach + 1] = 0.0
    start = (limit + 1) % 2  # sums b in twos: those with the same (limit - b) // 2
    answer = _join(second[front - start :], first[front:], half, min(half, (reach + start) // 2) + 1)
    return answer * 0.5**observations


@njit(cache=True, nogil=True)
def lower_tail_of_few(rank, size, groups, limit, laws):  # type: ignore[no-untyped-def]
    """P(W <= limit) if there are at most three different ranks, as where scores are pass or fail: so many of the third, so
    many of the second, and as many of the first as have room. `laws` is room for three laws of `size[g]` signs."""
    if groups == 0:
        return 1.0
    reach = min(limit // rank[0], size[0])
    _binomial(size[0], reach, laws[0])
    for i in range(1, reach + 1):
        laws[0, i] += laws[0, i - 1]
    a, second = (rank[1], size[1]) if groups > 1 else (1, 0)
    b, third = (rank[2], size[2]) if groups > 2 else (1, 0)
    _binomial(second, min(limit // a, second), laws[1])
    _binomial(third, min(limit // b, third), laws[2])
    answer = 0.0
    for j in range(min(limit // b, third) + 1):
        for i in range(min((limit - j * b) // a, second) + 1):
            room_left = (limit - j * b - i * a) // rank[0]
            answer += laws[2, j] * laws[1, i] * laws[0, min(room_left, reach)]
    return answer


@njit(cache=True, nogil=True)
def _binomial(n, reach, law):  # type: ignore[no-untyped-def]
    """law[i] = C(n, i) / 2^n up to `reach`: from 2^-n on or, where that is no normal number, from the middle."""
    start = 0 if n <= MOST_SIGNS else min(reach, n // 2)
    law[start] = 0.5**n
    if start > 0:
        ways = math.lgamma(n + 1) - math.lgamma(start + 1) - math.lgamma(n - start + 1)
        law[start] = np.exp(ways - n * math.log(2.0))
    for i in range(start, reach):
        law[i + 1] = law[i] * (n - i) / (i + 1)
    for i in range(start, 0, -1):
        law[i - 1] = law[i] * i / (n - i + 1)


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
        first += r * size[g] * (1 - (r & 1))
        second += r * size[g] * (r & 1)
    last = groups
    for g in range(groups - 1, -1, -1):
        r = rank[g] >> shift
        if r & 1 == 0:
            if min((second + r * size[g]) >> 1, limit) >= min(first >> 2, limit >> 1):
                break
            first, second, last = first - r * size[g], second + r * size[g], g
    low, high = np.uint64(0), np.uint64(0)
    for g in range(groups):  # nothing branches on what cannot be foretold
        r = rank[g] >> shift
        sets[0, low], sets[1, low], sets[2, high], sets[3, high] = r >> 1, size[g], r, size[g]
        is_low = np.uint64((r & 1 == 0) & (g < last))
        low += is_low
        high += np.uint64(1) - is_low
    return limit, np.int64(low), np.int64(high)


@njit(cache=True, nogil=True)
def _pieces(rank, size, groups, limit, pieces):  # type: ignore[no-untyped-def]
    """What is added in one pass each, as columns: how many ranks, which one, and the other one of two that differ or 0."""
    count, single = 0, 0
    for g in range(groups):
        left = size[g] if rank[g] <= limit else 0
        while left > 1:
            taken = min(left, MOST_AT_ONCE)
            pieces[0, count], pieces[1, count], pieces[2, count] = taken, rank[g], 0
            count, left = count + 1, left - taken
        if left == 1 and single > 0:
            pieces[0, count], pieces[1, count], pieces[2, count] = 2, rank[g], single
            count, single = count + 1, 0
        elif left == 1:
            single = rank[g]
    if single > 0:
        pieces[0, count], pieces[1, count], pieces[2, count] = 1, single, 0
        count += 1
    return count


@njit(cache=True, nogil=True)
def _half_law(pieces, count, limit, laws, front, summed):  # type: ignore[no-untyped-def]
    """How often each sum up to min(total / 2, limit) occurs, or `summed` how often no larger one: the one of two `laws` that
    has it, the total of all ranks that can occur at all, and how many choices of signs they have."""
    law, new = laws
    law[front] = 1.0
    total, whole = 0, 1.0
    for i in range(count):
        taken, one, two = pieces[0, i], pieces[1, i], pieces[2, i]
        rise = one + two if two > 0 else taken * one
        top = min((total + rise) // 2, limit)
        _mirror(law, front, total, whole, min(total // 2, limit), top, summed)
        if two > 0 or (taken == 2 and top < LONG * one):
            add_two(new, law, front, top + 1, one, two if two > 0 else one)
        elif taken == 1:
            _add_one(new, law, front, top + 1, one)
        else:
            _add_equal(new, law, front, top + 1, taken, one)
        law, new = new, law
        total += rise
        whole *= 2.0**taken
    return law, total, whole


@njit(cache=True, nogil=True)
def _mirror(law, front, total, whole, known, top, summed):  # type: ignore[no-untyped-def]
    """Fill in a law that is known up to `known`, the middle, as far as `top`."""
    last = min(top, total - 1 if summed else total)
    if last > known and summed:
        turn_over(law, front + known + 1, last - known, 2 * front + total - 1, whole, -1.0)
    elif last > known:
        turn_over(law, front + known + 1, last - known, 2 * front + total, 0.0, 1.0)
    beyond = whole if summed else 0.0
    for s in range(front + max(known, last) + 1, front + top + 1):
        law[s] = beyond


@njit(cache=True, nogil=True)
def _add_equal(new, law, front, length, taken, one):  # type: ignore[no-untyped-def]
    """The new law: the old one times (1 + z^one)^taken, along the multiples of `one`, four of them side by side."""
    lanes = WIDE if taken <= FEW else LANES
    if one < lanes:
        _add_little(new, law, front, length, taken, one)
        return
    for left in range(0, min(one, length), lanes):
        start = min(left, one - lanes)
        place, count = front + start, (length - start + one - 1) // one
        if taken == 2:
            walk_2(new, law, place, one, count)
        elif taken == 3:
            walk_3(new, law, place, one, count)
        elif taken == 4:
            walk_4(new, law, place, one, count)
        elif taken == 5:
            walk_5(new, law, place, one, count)
        elif taken == 6:
            walk_6(new, law, place, one, count)
        elif taken == 7:
            walk_7(new, law, place, one, count)
        else:
            walk_8(new, law, place, one, count)


@njit(cache=True, nogil=True)
def _add_little(new, law, front, length, taken, one):  # type: ignore[no-untyped-def]
    """The same for ranks so low that four sums are no multiples side by side; their law is short."""
    for s in range(front, front + length):
        total, weight = 0.0, 1.0
        for i in range(taken + 1):
            total += weight * law[max(s - i * one, 0)]
            weight *= (taken - i) / (i + 1)
        new[s] = total


@njit(cache=True, nogil=True)
def _add_one(new, law, front, length, one):  # type: ignore[no-untyped-def]
    """The new law: the old one times 1 + z^one."""
    a, b = np.uint64(front), np.uint64(front - one)  # unsigned, so that none is taken from the end
    for s in range(np.uint64(length)):
        new[a + s] = law[a + s] + law[b + s]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _join(law, below, half, count):  # type: ignore[no-untyped-def]
    """The sum of (law[2i] + law[2i + 1]) below[half - i] over i < count; in any order, so that whole vectors are added."""
    answer, end, one, two = 0.0, np.uint64(half), np.uint64(1), np.uint64(2)
    for i in range(np.uint64(count)):
        answer += (law[two * i] + law[two * i + one]) * below[end - i]
    return answer
