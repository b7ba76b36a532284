"""The same as the compiled kernels by array operations, for work so small that compiling would take longer.

Each form is the other's oracle: tests/stats/exact/test_small.py.
"""

from __future__ import annotations

import sys
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats, Ints

SMALL = 2_000_000  # pairs x observations^2, or observations x sum of the ranks: a tenth of a second

LITTLE = 1_000_000  # pairs x observations that are ranked in less time than it takes to compile that


def is_small(pairs: int, observations: int) -> bool:
    """Whether so many rows of differences are less work than compiling or, once compiled, than calling."""
    if pairs * observations**2 <= SMALL:
        return True
    if pairs * observations > LITTLE:
        return False
    if "numba" not in sys.modules:
        return True
    from podium.core.compiled import is_at_hand
    from podium.stats.exact.signed_rank_kernels import rank_differences as kernel

    return not is_at_hand(kernel)


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


def rank_differences(
    differences: Floats, zeros: str, counts: Ints, sums: Ints, squares: Floats, rank: Any, size: Any
) -> None:
    """Doubled ranks of each row of differences, as `signed_rank_kernels.rank_differences` fills them in."""
    n = differences.shape[1]
    present, nonzero = ~np.isnan(differences), np.nan_to_num(differences) != 0
    # The last bit is noise, and the compiled kernel keeps the sign there.
    magnitude = np.where(nonzero, np.abs(differences).view(np.int64) & -2, np.iinfo(np.int64).max)
    order = np.argsort(magnitude, axis=1)
    magnitude, positive = (np.take_along_axis(of, order, axis=1) for of in (magnitude, nonzero & (differences > 0)))
    within = np.arange(n) < nonzero.sum(axis=1, keepdims=True)  # what counts is in front now
    first = within & (np.diff(magnitude, axis=1, prepend=-1) != 0)
    group = np.maximum(first.cumsum(axis=1) - 1, 0)
    rows = np.arange(len(differences))[:, None]
    sizes = np.bincount((rows * (n + 1) + group)[within], minlength=rank.size).reshape(rank.shape)
    without = (present.sum(axis=1) - nonzero.sum(axis=1))[:, None]
    ranked = {"drop": 0 * without, "pratt": without, "split": without - without % 2}[zeros]
    ends = sizes.cumsum(axis=1)
    ranks = np.where(sizes > 0, 2 * ranked + ends - sizes + 1 + ends, 0)
    plus = (np.take_along_axis(ranks, group, axis=1) * (positive & within)).sum(axis=1, keepdims=True)
    if zeros == "split":  # half of the zeros' ranks is positive
        split = ranked > 0
        ranks = np.where(split, np.hstack([ranked + 1, ranks[:, :-1]]), ranks)
        sizes = np.where(split, np.hstack([ranked, sizes[:, :-1]]), sizes)
        plus += ranked * (ranked + 1) // 2
    rank[:], size[:] = ranks, sizes
    counts[:] = np.hstack([without, (sizes > 0).sum(axis=1, keepdims=True), sizes.sum(axis=1, keepdims=True)])
    sums[:] = np.hstack([plus, (ranks * sizes).sum(axis=1, keepdims=True)])
    squares[:] = (ranks.astype(np.float64) ** 2 * sizes).sum(axis=1)


def lower_tail(ranks: npt.NDArray[np.integer], sizes: npt.NDArray[np.integer], limit: int) -> float:
    """P(W <= limit) of doubled ranks in groups of equal ones, by the dynamic programme over the ranks."""
    law = np.zeros(limit + 1)
    law[0] = 1.0
    for rank in np.repeat(ranks, sizes).tolist():
        if rank <= limit:
            law[rank:] += law[: limit + 1 - rank].copy()
        law *= 0.5
    return float(law.sum())


def arrangements(pattern: Ints, count: int) -> Ints:
    """All `count` distinct orders of a row of ranks, ascending, as `friedman_kernels.arrangements` gives them."""
    orders = np.array(sorted(set(permutations(pattern.tolist()))), dtype=np.int64)
    return orders.reshape(count, len(pattern))


def add_row(sums: Ints, chances: Floats, orders: Ints, bits: int) -> tuple[Ints, Floats]:
    """The law of the sorted column sums after one more row, as `friedman_kernels.add_row` gives it but for the order."""
    sorted_sums = np.sort((sums[:, None, :] + orders[None, :, :]).reshape(-1, sums.shape[1]), axis=1)
    places = bits * np.arange(sums.shape[1] - 2, -1, -1)
    keys = (sorted_sums[:, :-1] << places).sum(axis=1)  # the last sum follows from the total
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    shares = np.repeat(chances / len(orders), len(orders))
    new_chances: Floats = np.bincount(where, weights=shares).astype(np.float64)
    return sorted_sums[first], new_chances
