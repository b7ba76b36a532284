"""The probability that a random path touches a boundary.

Walk down a random ranking: after n cases the path stands at tp true positives. The best F (or MCC, kappa, ...) is at
least s iff the path ever touches tp >= c[n], the smallest tp with metric(tp, n) >= s. For any metric that rises with
a true and falls with a false positive, c rises by 0 or 1 per step, which makes one kernel serve them all.

The probability is summed over the LAST touch, with exact hypergeometric weights; the chance never to touch again
comes from a backward recursion in a band below the boundary. All terms are positive.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from podium.chance.hypergeometric import kernel, log_pmf
from podium.core.arrays import Floats, Ints

_ACCURACY = 1e-13  # to which the bounds of a probability agree, relative to it
_WIDTH = 24  # of the band at first


@kernel
def _anchor(P: int, N: int, c: Ints) -> int:
    """Where the path most likely stands on the boundary: the least squared distance from the mean in variances."""
    T = P + N
    best, where = np.inf, -1
    for n in range(1, T):
        if c[n] <= min(n, P) and c[n] > n - N:
            distance = c[n] * float(T) - n * float(P)
            size = distance * distance / (n * float(T - n))
            if size < best:
                best, where = size, n
    return where


@kernel
def _ratio(P: int, N: int, n: int, i: int, rises: bool) -> float:
    """Hypergeometric probability of (n + 1, i + 1) or (n + 1, i), relative to that of (n, i)."""
    T = P + N
    if rises:
        return (P - i) * float(n + 1) / ((i + 1) * float(T - n))
    return (N - n + i) * float(n + 1) / ((n + 1 - i) * float(T - n))


@kernel
def _weights(P: int, N: int, c: Ints, anchor: int) -> Floats:
    """Probability of standing on the boundary at n, relative to the anchor's.

    Logs of the ratios are added up: between two likely places a weight may pass below the smallest float.
    """
    T = P + N
    weight = np.zeros(T + 1)
    weight[anchor] = 1.0
    for direction in (1, -1):
        log_weight, n = 0.0, anchor
        while n + direction + 1 > 1 and n + direction < T:
            start = min(n, n + direction)
            if c[start] > start or c[n + direction] > P:
                break
            log_weight += direction * math.log(_ratio(P, N, start, c[start], c[start + 1] > c[start]))
            n += direction
            weight[n] = math.exp(log_weight)
    return weight


@kernel
def _window(weight: Floats) -> tuple[int, int]:
    """First and last n that matter: what lies outside is below 1e-15 of the largest weight."""
    bound = 1e-15 * weight.max()
    first = np.searchsorted(np.cumsum(weight), bound)
    return first, len(weight) - 1 - np.searchsorted(np.cumsum(weight[::-1]), bound)


@kernel
def _no_return(P: int, N: int, c: Ints, weight: Floats, first: int, last: int, width: int, floor_copies: bool) -> float:
    """Sum over the last touch of weight x P(next is a negative) x P(never touch again).

    Below the band the chance g to touch again is taken as 0 (`floor_copies` false: the sum is an upper bound) or as
    that at the band's edge (true: a lower bound).
    """
    T = P + N
    g = np.zeros(P + 3)  # g[i] at n + 1: chance to touch the boundary from i, from then on
    left = np.empty(P + 3)
    for i in range(P + 3):
        left[i] = P - i
    total = 0.0
    for i in range(c[min(last + 1, T)], P + 2):
        g[i] = 1.0
    for n in range(last, first - 1, -1):
        at = c[n]
        if c[n + 1] > at:
            total += weight[n] * ((N - n + at) / (T - n)) * (1.0 - g[at])
        low = max(at - width, max(0, n - N))
        inverse = 1.0 / (T - n)
        if floor_copies and low == at - width and c[n + 1] > at:
            g[low] = g[low + 1]  # new in the band; g rises with i, so this bounds it from above
        row, ahead = g[low : at + 1], left[low:at]  # views that start at 0: only then does the loop vectorise
        for j in range(len(ahead)):
            row[j] += ahead[j] * inverse * (row[j + 1] - row[j])
        g[at] = 1.0  # only now: at n + 1, `at` may still lie below the boundary
    return total


@kernel
def touch(P: int, N: int, c: Ints) -> float:
    """P(the path touches the boundary), with c[0] >= 1 and c[T] = P + 1 (else it is 1).

    The band widens until the upper and the lower bound agree.
    """
    anchor = _anchor(P, N, c)
    if anchor < 0:
        return 0.0
    weight = _weights(P, N, c, anchor)
    first, last = _window(weight)
    width = _WIDTH
    high = _no_return(P, N, c, weight, first, last, width, False)
    while width <= P and high - _no_return(P, N, c, weight, first, last, width, True) > _ACCURACY * high:
        width *= 2
        high = _no_return(P, N, c, weight, first, last, width, False)
    return min(1.0, high * math.exp(log_pmf(c[anchor], P, N, anchor)))


@kernel
def _escape(P: int, N: int, c: Ints) -> Floats:
    """For n with c[n + 1] > c[n]: P(never touch again | at the boundary at n, then a negative). No band: O(T P)."""
    T = P + N
    g = np.zeros(P + 3)
    g[c[T] :] = 1.0
    escape = np.zeros(T + 1)
    for n in range(T - 1, -1, -1):
        at = c[n]
        if c[n + 1] > at:
            escape[n] = 1.0 - g[at] if at <= P else 0.0
        for i in range(max(0, n - N), min(at, P + 1)):
            g[i] += (P - i) / (T - n) * (g[i + 1] - g[i])
        if at <= P:
            g[at] = 1.0
    return escape


@kernel
def touch_without(P: int, N: int, c: Ints, beyond: Ints) -> float:
    """P(the path touches c but never `beyond`), by the last touch, with the path so far counted forward: O(T P)."""
    T = P + N
    escape = _escape(P, N, c)
    at_n = np.zeros(P + 2)  # probability of standing at tp after n cases without having touched `beyond`
    at_n[0] = 1.0
    total = 0.0
    for n in range(T):
        here = c[n]
        if c[n + 1] > here and here < beyond[n] and here <= min(n, P) and n - here < N:
            total += at_n[here] * ((N - n + here) / (T - n)) * escape[n]
        for tp in range(min(n + 1, P), -1, -1):
            from_negative = at_n[tp] * max(0, N - n + tp)
            from_positive = at_n[tp - 1] * (P - tp + 1) if tp > 0 else 0.0
            at_n[tp] = (from_negative + from_positive) / (T - n) if tp < beyond[n + 1] else 0.0
    return total


def exact_touch(P: int, N: int, c: Ints) -> Fraction:
    """P(the path touches tp >= c[n] for some n), counting the rankings that never do."""
    ways = [1] + [0] * P if c[0] > 0 else [0] * (P + 1)
    for n in range(1, P + N + 1):
        for tp in range(min(n, P), -1, -1):  # downwards: ways[tp - 1] is still that of n - 1
            allowed = n - tp <= N and tp < c[n]
            ways[tp] = (ways[tp] + (ways[tp - 1] if tp else 0)) if allowed else 0
    return 1 - Fraction(ways[P], math.comb(P + N, P))
