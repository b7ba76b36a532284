"""Probabilities in exact fractions, by whole numbers: for ties with the level, and as the oracle of the fast kernels."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from podium.chance.paths import Ints

__all__ = ["lead_tail", "path_tail", "rank_sum_tail", "top_tail"]


def top_tail(i: int, P: int, N: int, n: int) -> Fraction:
    """P(at least i positives among the top n)."""
    ways = sum(comb(P, j) * comb(N, n - j) for j in range(max(i, 0, n - N), min(P, n) + 1))
    return Fraction(ways, comb(P + N, n))


def lead_tail(k: int, P: int, N: int) -> Fraction:
    """P(M >= k) for the largest lead M of true over false positives."""
    if k <= max(0, P - N):
        return Fraction(1)
    return Fraction(comb(P + N, P - k), comb(P + N, P)) if k <= P else Fraction(0)


def rank_sum_tail(u: int, P: int, N: int) -> Fraction:
    """P(U >= u), by multiplying out the Gaussian binomial coefficient in whole numbers."""
    top = P * N - u
    if top < 0:
        return Fraction(0)
    few, many = min(P, N), max(P, N)
    counts = [1] + [0] * top
    for j in range(1, few + 1):
        for v in range(top, many + j - 1, -1):
            counts[v] -= counts[v - many - j]
        for v in range(j, top + 1):
            counts[v] += counts[v - j]
    return Fraction(sum(counts), comb(P + N, P))


def path_tail(P: int, N: int, c: Ints) -> Fraction:
    """P(the path touches tp >= c[n] for some n), counting the rankings that never do."""
    ways = [1] + [0] * P if c[0] > 0 else [0] * (P + 1)
    for n in range(1, P + N + 1):
        for tp in range(min(n, P), -1, -1):  # downwards: ways[tp - 1] is still that of n - 1
            allowed = n - tp <= N and tp < c[n]
            ways[tp] = (ways[tp] + (ways[tp - 1] if tp else 0)) if allowed else 0
    return 1 - Fraction(ways[P], comb(P + N, P))
