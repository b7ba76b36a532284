"""The exact law of Friedman's statistic: every order of every row of ranks is equally likely, ties kept.

The statistic grows with the sum of squared column sums, whatever the ties; so its law is that of the
sum of squares, and the p-value is the chance of at least the observed one.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from functools import lru_cache

import numpy as np
from scipy.special import bdtr

from podium.core.arrays import Floats, Ints

Pattern = tuple[int, ...]

# Sums looked at before the exact law counts as too long: about a second, and about a tenth of one.
MOST_WORK = 4e7
LITTLE_WORK = 6e6
_SMALL = 2e6  # half a second by arrays, less than compiling takes


def _patterns(ranks: Floats) -> tuple[Pattern, ...]:
    """The doubled ranks of each dataset, sorted: whole numbers. Datasets where all are tied say nothing."""
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64), axis=1)
    informative = doubled[doubled[:, 0] != doubled[:, -1]]
    return tuple(sorted(map(tuple, informative.tolist())))


def _orders(pattern: Pattern) -> int:
    """How many distinct orders a row has."""
    return math.factorial(len(pattern)) // math.prod(math.factorial(size) for size in Counter(pattern).values())


def _bits(patterns: tuple[Pattern, ...]) -> int:
    return sum(pattern[-1] for pattern in patterns).bit_length()


def _work(patterns: tuple[Pattern, ...]) -> float:
    """About how many sums the law takes.

    After i rows without ties there are about k^(k-2) i^(k-1) / k! sorted vectors of sums (the volume of
    the permutohedron); ties double the grid in each direction. Never more than the orders of all rows.
    """
    k = len(patterns[0])
    tied = any(len(set(pattern)) < k for pattern in patterns)
    density = 2 * k ** (k - 2) / math.factorial(k) * (2.0 ** (k - 1) if tied else 1.0)
    states, possible, work = 1.0, 1.0, 0.0
    for i, pattern in enumerate(patterns):
        orders = _orders(pattern)
        work += states * orders
        possible = min(1e18, possible * orders)
        states = min(possible, max(1.0, density * (i + 1) ** (k - 1)))
    return work


def affordable(ranks: Floats, *, most_work: float = MOST_WORK) -> bool:
    """Whether the exact law takes no more work than that."""
    patterns = _patterns(ranks)
    if not patterns:
        return True
    k = len(patterns[0])
    if k == 2:
        return True
    return k <= 12 and _bits(patterns) * (k - 1) <= 62 and _work(patterns) <= most_work


def exact_pvalue(ranks: Floats) -> float:
    """The chance, over all orders of all rows, of a Friedman statistic at least as large as that of `ranks`."""
    patterns = _patterns(ranks)
    if not patterns:
        return 1.0
    if ranks.shape[1] == 2:  # the sign test
        wins = int((ranks[:, 0] < ranks[:, 1]).sum())
        return min(1.0, 2.0 * float(bdtr(min(wins, len(patterns) - wins), len(patterns), 0.5)))
    doubled = np.rint(2 * ranks).astype(np.int64)
    informative = doubled[doubled.min(axis=1) != doubled.max(axis=1)]
    values, tail = _law(patterns)
    at = int(np.searchsorted(values, (informative.sum(axis=0) ** 2).sum()))
    return min(1.0, float(tail[at])) if at < tail.size else 0.0


@lru_cache(maxsize=64)
def _law(patterns: tuple[Pattern, ...]) -> tuple[Ints, Floats]:
    """Values of the sum of squared (doubled) rank sums, ascending, and the chance of at least each."""
    form = importlib.import_module(f"podium.stats.exact.{'small' if _work(patterns) <= _SMALL else 'friedman_kernels'}")
    bits = _bits(patterns)
    sums = np.array([patterns[0]], dtype=np.int64)  # by symmetry the first row may stay as it is
    chances = np.ones(1)
    for pattern in patterns[1:]:
        sums, chances = form.add_row(sums, chances, _arrangements(pattern), bits)
    squares = (sums**2).sum(axis=1)
    values, where = np.unique(squares, return_inverse=True)
    chance: Floats = np.bincount(where, weights=chances).astype(np.float64)
    return values, np.cumsum(chance[::-1])[::-1]


def _arrangements(pattern: Pattern) -> Ints:
    """All distinct orders of a row of ranks, ascending: each order so far goes on with every rank that it has left."""
    ranks, left = np.unique(pattern, return_counts=True)
    orders, left = np.empty((1, 0), dtype=np.int64), left[None]
    for _ in pattern:
        order, rank = np.nonzero(left)
        orders, left = np.column_stack([orders[order], ranks[rank]]), left[order]
        left[np.arange(len(rank)), rank] -= 1
    return orders


def perfect_agreement_pvalue(ranks: Floats) -> float:
    """The chance that all datasets agree as they do here: each row after the first falls into one order of many."""
    patterns = _patterns(ranks)
    return math.exp(-math.fsum(math.log(_orders(pattern)) for pattern in patterns[1:]))
