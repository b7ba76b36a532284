"""Intervals of AUCs near 1, where DeLong's standard error is short: a few hard cases may have been missed by luck.

The score interval of an AUC holds every value whose own variance, not that of the estimate, allows for what was seen. Two of them make an
interval of the difference (MOVER, Zou and Donner 2008). The variance is Hanley and McNeil's (1982) with the rarer class on its
wide side, or Newcombe's (2006) form of it, and never below DeLong's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from podium.cases.binary import halved
from podium.core.arrays import Floats

Ends = tuple[Floats, Floats]
_STEPS = 50  # of a bisection
_FURTHEST = 40.0  # standard errors


def single_variance(value: Any, sizes: tuple[int, int]) -> Floats:
    """Hanley and McNeil's variance of one AUC, the rarer class on the wide side."""
    few, many = min(sizes), max(sizes)
    a = np.maximum(value, 1 - np.asarray(value))
    spread = a * (1 - a) + (few - 1) * (a / (2 - a) - a**2) + (many - 1) * (2 * a**2 / (1 + a) - a**2)
    return np.asarray(spread / (few * many))


def pair_variance(value: Any, sizes: tuple[int, int]) -> Floats:
    """Newcombe's variance (method 5), which treats the classes alike."""
    w, each = np.asarray(value), sum(sizes) / 2 - 1
    return np.asarray(w * (1 - w) * (1 + each * ((1 - w) / (2 - w) + w / (1 + w))) / (sizes[0] * sizes[1]))


def score_ends(
    value: Floats, variance: Floats, sizes: tuple[int, int], quantile: Any, law: Callable[..., Floats] = single_variance
) -> Ends:
    """The score intervals of AUCs with DeLong's variances, for so many cases of either class.

    >>> [round(float(end[0]), 6) for end in score_ends(np.array([0.98]), np.array([0.0003]), (10, 90), 1.959963985)]
    [0.814818, 0.998276]
    """
    own = law(value, sizes)
    factor = np.where(own > 0, np.maximum(1.0, variance / np.where(own > 0, own, 1.0)), 1.0)
    both = np.stack([value, value])
    edges = np.stack([np.zeros_like(value), np.ones_like(value)])
    low, high = halved(both, edges, lambda at: (value - at) ** 2 <= quantile**2 * factor * law(at, sizes), _STEPS)
    return low, high


def difference_ends(
    values: tuple[Floats, Floats],
    variances: tuple[Floats, Floats],
    correlation: Floats,
    sizes: tuple[int, int],
    quantile: Any,
) -> Ends:
    """The intervals of the differences of two AUCs each, from their score intervals; `correlation` is DeLong's, shrunk."""
    (l1, u1), (l2, u2) = (
        score_ends(value, variance, sizes, quantile, pair_variance)
        for value, variance in zip(values, variances, strict=True)
    )
    one, other = values

    def distance(a: Floats, b: Floats) -> Floats:
        return np.sqrt(np.maximum(a**2 + b**2 - 2 * correlation * a * b, 0.0))

    return one - other - distance(one - l1, u2 - other), one - other + distance(u1 - one, other - l2)


def difference_pvalues(
    values: tuple[Floats, Floats], variances: tuple[Floats, Floats], correlation: Floats, sizes: tuple[int, int]
) -> Floats:
    """The two-sided p-values that agree with `difference_ends`: the level at which the nearer end reaches 0."""
    from scipy.special import ndtr

    gap = values[0] - values[1]

    def excludes(quantile: Floats) -> Any:
        low, high = difference_ends(values, variances, correlation, sizes, quantile)
        return np.where(gap > 0, low > 0, high < 0)

    reached = halved(np.zeros_like(gap), np.full_like(gap, _FURTHEST), excludes, _STEPS)
    return np.where(gap == 0, 1.0, 2 * ndtr(-reached))
