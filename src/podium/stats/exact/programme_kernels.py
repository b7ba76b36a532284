"""The signed-rank law by a dynamic programme: positive numbers are added only, so every digit holds in the far tail.

Four things keep it short. The ranks are split into two sets with a law each, and one sum over the sums b of the second set
joins them: P(W <= w) = sum_b B(b) F(w - b), with F the distribution function of the first. The first set has even ranks only,
so that its sums are counted in twos. Both laws are symmetric, so half of each is made. And up to eight equal ranks are added
in one pass.
"""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.compiled import inner, njit

AT_ONCE = 8  # equal ranks of a pass


def room_for(highest: int, groups: int, longest: int) -> tuple[Floats, Ints, int]:
    """Space for laws up to a limit, old and new ones, after zeros that stand for negative sums; for the sets; and where sums begin."""
    front = AT_ONCE * highest + 8
    return np.zeros((4, front + longest + 8)), np.empty((4, groups), dtype=np.int64), front


@njit(cache=True, nogil=True)
def programme_tails(pairs, rank, size, start, groups, limit, value, room, sets, front):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, in the `room` that `room_for` has."""
    for i in pairs:
        low, high, observations = _two_sets(rank, size, start[i], start[i] + groups[i], sets)
        half = limit[i] // 2
        below = _law(sets[0, :low], sets[1, :low], half, room[0], room[1], front, -1.0)
        law = _law(sets[2, :high], sets[3, :high], limit[i], room[2], room[3], front, 1.0)
        odd = (limit[i] + 1) % 2  # sums b in twos: those with the same (limit - b) // 2
        value[i] = _join(law[front - odd :], below[front:], np.uint64(half)) * 0.5**observations


@inner()
def _two_sets(rank, size, first, last, sets):  # type: ignore[no-untyped-def]
    """Even ranks, halved, and their sizes to the first two rows of `sets` until they have two thirds of the sum, the others to the
    last two: how many groups there are in both, and how many observations."""
    total, below, low, high, observations = 0, 0, 0, 0, 0
    for g in range(first, last):
        total += rank[g] * size[g]
        observations += size[g]
    for g in range(first, last):
        if rank[g] % 2 == 0 and 3 * (below + rank[g] * size[g]) <= 2 * total:
            sets[0, low], sets[1, low] = rank[g] // 2, size[g]
            low, below = low + 1, below + rank[g] * size[g]
        else:
            sets[2, high], sets[3, high] = rank[g], size[g]
            high += 1
    return low, high, observations


@inner()
def _law(rank, size, limit, law, new, front, sign):  # type: ignore[no-untyped-def]
    """How often each sum up to `limit` occurs (sign 1) or how often no larger one (sign -1)."""
    law[front] = 1.0
    total, whole = np.int64(0), 1.0  # not the literal 0, for which `_mirror` would be compiled once more
    for g in range(len(rank)):
        taken, left = AT_ONCE, size[g]
        while left > 0:
            while taken > left:
                taken //= 2
            top = min((total + taken * rank[g]) // 2, limit)
            _mirror(law[front:], total, whole, top, sign)
            _multiply(new, law, np.uint64(front), np.uint64(top + 1), np.uint64(rank[g]), taken)
            law, new = new, law
            total, whole, left = total + taken * rank[g], whole * 2.0**taken, left - taken
    _mirror(law[front:], total, whole, limit, sign)
    return law


@inner()
def _mirror(law, total, whole, top, sign):  # type: ignore[no-untyped-def]
    """Fill in a law that is known up to the middle as far as `top`: symmetric or, of sign -1, with the rest to `whole`."""
    most, beyond = (total - 1, whole) if sign < 0 else (total, 0.0)
    first, last = total // 2 + 1, min(top, most)
    if last >= first:
        into, lower, end = law[first : last + 1], law[most - last : most - first + 1], np.uint64(last - first)
        for s in range(end + np.uint64(1)):
            into[s] = beyond + sign * lower[end - s]
    for s in range(max(first, last + 1), top + 1):
        law[s] = beyond


@inner(fastmath={"contract"})
def _multiply(new, law, o, length, r, taken):  # type: ignore[no-untyped-def]
    """The new law from place o on: the old one times (1 + z^r)^taken, 1, 2, 4 or 8. Unsigned: no index is from the end."""
    a, b, c, d = o - r, o - r - r, o - r - r - r, o - r - r - r - r
    e, f, g, h = d - r, d - r - r, d - r - r - r, d - r - r - r - r
    if taken == 1:
        for s in range(length):
            new[o + s] = law[o + s] + law[a + s]
    elif taken == 2:
        for s in range(length):
            new[o + s] = law[o + s] + 2.0 * law[a + s] + law[b + s]
    elif taken == 4:
        for s in range(length):
            new[o + s] = law[o + s] + law[d + s] + 4.0 * (law[a + s] + law[c + s]) + 6.0 * law[b + s]
    else:
        for s in range(length):
            outer = law[o + s] + law[h + s] + 8.0 * (law[a + s] + law[g + s]) + 28.0 * (law[b + s] + law[f + s])
            new[o + s] = outer + 56.0 * (law[c + s] + law[e + s]) + 70.0 * law[d + s]


@inner(fastmath={"reassoc", "contract"})
def _join(law, below, half):  # type: ignore[no-untyped-def]
    """The sum of (law[2i] + law[2i + 1]) below[half - i] over i; in any order, so that whole vectors are added."""
    answer, one, two = 0.0, np.uint64(1), np.uint64(2)
    for i in range(half + one):
        answer += (law[two * i] + law[two * i + one]) * below[half - i]
    return answer
