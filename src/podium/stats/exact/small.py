"""Laws by array operations, and the same as the compiled kernels for work so small that compiling would take longer.

Each form is the other's oracle: tests/stats/exact/test_small.py.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from functools import lru_cache
from pkgutil import resolve_name

import numpy as np

from podium.core.arrays import Floats, Ints

SMALL = 0.002  # seconds: less is not worth a compiled kernel at hand
LESS_THAN_COMPILING = 0.5  # seconds


_spent: defaultdict[str, float] = defaultdict(float)  # seconds that went by without a kernel that would have helped


def is_small(seconds: float, kernel: str) -> bool:
    """Whether work that takes so long by arrays is done so: it is little, or a kernel of `podium.stats.exact` is not at hand and what
    went by without it is less than compiling it takes."""
    if seconds <= SMALL:
        return True
    if "numba" in sys.modules:
        from podium.core.compiled import is_at_hand

        if is_at_hand(resolve_name(f"podium.stats.exact.{kernel}")):
            return False
    _spent[kernel] += seconds
    return _spent[kernel] <= LESS_THAN_COMPILING


@lru_cache(maxsize=2)
def untied_tables(largest: int) -> tuple[Ints, Floats]:
    """P(W <= w) for n = 0..largest untied ranks and w up to the middle: offsets into one flat array, and the array."""
    sizes = np.arange(largest + 1)
    offsets = np.concatenate([[0], np.cumsum(sizes * (sizes + 1) // 4 + 1)])
    table, law = np.empty(offsets[-1]), np.zeros(largest * (largest + 1) // 4 + 1)
    law[0] = 1.0
    for n in range(largest + 1):
        if n > 0:
            law[n:] += law[: len(law) - n].copy()
            law *= 0.5
        np.cumsum(law[: offsets[n + 1] - offsets[n]], out=table[offsets[n] : offsets[n + 1]])
    return offsets, table


def lower_tail(ranks: Ints, sizes: Ints, limit: int) -> float:
    """P(W <= limit) of doubled ranks in groups of equal ones, by the dynamic programme over the ranks."""
    law = np.zeros(limit + 1)
    law[0] = 1.0
    for rank in np.repeat(ranks, sizes).tolist():
        if rank <= limit:
            law[rank:] += law[: limit + 1 - rank].copy()
        law *= 0.5
    return float(law.sum())


def tail_of_few(rank: Ints, size: Ints, limit: int) -> float:
    """P(W <= limit) if there are at most three different ranks, as where scores are pass or fail: so many of the third, so
    many of the second, and as many of the first as have room."""
    if not len(rank):
        return 1.0
    laws = [_binomial(m) for m in size.tolist()]
    left = np.full(1, limit)
    chance = np.ones(1)
    for r, law in zip(rank[:0:-1].tolist(), laws[:0:-1], strict=True):
        left = np.subtract.outer(left, r * np.arange(len(law)))
        chance = np.multiply.outer(chance, law)[left >= 0]
        left = left[left >= 0]
    return float(chance @ np.cumsum(laws[0])[np.minimum(left // rank[0], size[0])])


def _binomial(n: int) -> Floats:
    """C(n, i) / 2^n: products from the middle on, where it is largest."""
    middle = n // 2
    above, below = np.arange(middle, n), np.arange(middle, 0, -1)
    rising, falling = np.cumprod((n - above) / (above + 1)), np.cumprod(below / (n - below + 1))
    return np.asarray(math.comb(n, middle) / (1 << n) * np.concatenate([falling[::-1], [1.0], rising]))


def add_row(sums: Ints, chances: Floats, orders: Ints, bits: int) -> tuple[Ints, Floats]:
    """The law of the sorted column sums after one more row, as `friedman_kernels.add_row` gives it but for the order."""
    sorted_sums = np.sort((sums[:, None, :] + orders[None, :, :]).reshape(-1, sums.shape[1]), axis=1)
    places = bits * np.arange(sums.shape[1] - 2, -1, -1)
    keys = (sorted_sums[:, :-1] << places).sum(axis=1)  # the last sum follows from the total
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    shares = np.repeat(chances / len(orders), len(orders))
    new_chances: Floats = np.bincount(where, weights=shares).astype(np.float64)
    return sorted_sums[first], new_chances
