"""Compiled loops of the corrections: Simes of nested sets, Rom's constants, Bergmann and Hommel."""

from __future__ import annotations

import math

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.compiled import njit
from podium.stats.exact.threads import in_threads

# Rom's recursion is a series in the level; beyond this level an adjusted p-value is taken to be 1.
ROM_HIGHEST_LEVEL = 0.999

SHARES = 8  # of Bergmann and Hommel's thresholds: a table of adjusted p-values each


@njit(cache=True)
def simes_of_largest(p: Floats) -> Floats:
    """For h = 1..m the Simes p-value of the h largest of the sorted p: min over j of h p_(m-h+j) / j.

    p_l / (l - q) with q = m - h is the slope from (q, 0) to the point (l, p_l): its minimum lies on the lower
    convex hull of the points right of q, which grows on the left as h grows. O(m log m).
    """
    m = p.size
    simes = np.empty(m)
    hull = np.empty(m, np.int64)  # 1-based positions l, from right to left
    top = 0
    for h in range(1, m + 1):
        q = m - h
        new = q + 1
        while top >= 2:
            a, b = hull[top - 1], hull[top - 2]  # drop a if it lies on or above the line from new to b
            if (p[a - 1] - p[new - 1]) * (b - new) >= (p[b - 1] - p[new - 1]) * (a - new):
                top -= 1
            else:
                break
        hull[top] = new
        top += 1
        low, high = 0, top - 1  # the slopes along the hull fall, then rise
        while low < high:
            middle = (low + high) // 2
            right, left = hull[middle], hull[middle + 1]
            if p[left - 1] * (right - q) <= p[right - 1] * (left - q):
                low = middle + 1
            else:
                high = middle
        best = hull[low]
        simes[h - 1] = h * p[best - 1] / (best - q)
    return simes


@njit(cache=True)
def rom_constants(alpha: float, size: int) -> Floats:
    """Rom's critical values c_1 > ... > c_size: c_1 for the largest p-value (Rom 1990, equation 5).

    k c_k = sum over j = 1..k-1 of alpha^j - sum over r = 2..k-1 of binomial(k, r) c_(k-r+1)^r; the terms of the
    second sum fall like f^r / r! with f = -log(1 - alpha), so few of them count.
    """
    c = np.empty(size)
    c[0] = alpha
    powers = 0.0
    power = 1.0
    for k in range(2, size + 1):
        power *= alpha
        powers += power
        inner = 0.0
        log_binomial = math.log(k)
        for r in range(2, k):
            log_binomial += math.log((k - r + 1) / r)
            term = math.exp(log_binomial + r * math.log(c[k - r]))
            inner += term
            if r > 60 and term < 1e-20:
                break
            if term < 1e-18 * inner:
                break
        c[k - 1] = (powers - inner) / k
    return c


@njit(cache=True)
def rom_levels(p: Floats) -> Floats:
    """For each sorted p_i the level at which Rom's constant for its place is p_i, by bisection."""
    m = p.size
    levels = np.empty(m)
    for i in range(m):
        k = m - i
        low, high = p[i], min(1.0, k * p[i])  # alpha / k <= c_k <= alpha
        if k <= 2 or p[i] == 0.0:
            levels[i] = high
            continue
        if high > ROM_HIGHEST_LEVEL:
            high = ROM_HIGHEST_LEVEL
            if low >= high or rom_constants(high, k)[k - 1] < p[i]:
                levels[i] = 1.0
                continue
        while high - low > 1e-14 * high:
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                break
            if rom_constants(middle, k)[k - 1] < p[i]:
                low = middle
            else:
                high = middle
        levels[i] = high
    return levels


def _clique_strength(p: Floats) -> Floats:
    """For every set of algorithms (a bit mask) the smallest p-value of its pairs."""
    strength = np.full(1, np.inf)
    for k in range(len(p)):
        nearest = np.full(1, np.inf)  # the smallest p-value of k and any member, for the sets of those before it
        for other in range(k):
            nearest = np.append(nearest, np.minimum(nearest, p[k, other]))
        strength = np.append(strength, np.minimum(strength, nearest))
    return strength


@njit(cache=True)
def _most_true_pairs(threshold: float, p: Floats, strength: Floats, value: Ints) -> Ints:
    """For every set of algorithms: the most within-block pairs of a partition into blocks of strength >= threshold."""
    k = p.shape[0]
    most = np.zeros(1 << k, np.int64)
    for mask in range(1, 1 << k):
        low = 0
        while not (mask >> low) & 1:
            low += 1
        rest = mask ^ (1 << low)
        if strength[mask] >= threshold:
            most[mask] = value[mask]
            continue
        near = 0  # only algorithms that may be equal to `low` can share its block
        for other in range(low + 1, k):
            if (rest >> other) & 1 and p[low, other] >= threshold:
                near |= 1 << other
        best = most[rest]
        block = near
        while block:
            if strength[block] >= threshold:
                pairs = value[block | (1 << low)] + most[rest ^ block]
                if pairs > best:
                    best = pairs
            block = (block - 1) & near
        most[mask] = best
    return most


@njit(cache=True, nogil=True)
def _update(threshold: float, p: Floats, strength: Floats, value: Ints, adjusted: Floats) -> None:
    """Raise the adjusted p-value of each pair to threshold times the most true pairs with it among them."""
    k = p.shape[0]
    most = _most_true_pairs(threshold, p, strength, value)
    everything = (1 << k) - 1
    for block in range(3, 1 << k):
        if strength[block] < threshold or value[block] == 0:
            continue
        bound = threshold * (value[block] + most[everything ^ block])
        for a in range(k):
            if not (block >> a) & 1:
                continue
            for b in range(a + 1, k):
                if (block >> b) & 1 and bound > adjusted[a, b]:
                    adjusted[a, b] = bound


def bergmann_hommel_pairs(p: Floats) -> Floats:
    """Bergmann and Hommel's adjusted p-values of all pairs; `p` is the symmetric matrix of raw ones.

    The adjusted p-value of a pair is the largest, over thresholds t among the p-values, of t times the most
    within-block pairs of a partition into blocks all of whose pairs have p >= t, that pair in one block.
    """
    k = p.shape[0]
    strength, upper = _clique_strength(p), np.triu(p, 1)
    sizes = np.array([members.bit_count() for members in range(1 << k)])
    pairs = sizes * (sizes - 1) // 2
    thresholds = np.unique(p[np.triu_indices(k, 1)])[::-1]
    shares = np.zeros((min(SHARES, thresholds.size), k, k))

    def piece(part: slice) -> None:
        for i in range(part.start, part.stop):
            for threshold in thresholds[i :: len(shares)]:
                ceiling = min(1.0, threshold * pairs[-1])
                if ((upper >= threshold) & (shares[i] < ceiling)).any():  # else no pair can gain
                    _update(threshold, p, strength, pairs, shares[i])

    in_threads(piece, len(shares), smallest=1)
    return np.asarray(shares.max(axis=0))
