"""The exact law of the signed-rank statistic, with ties and zeros, at any number of observations.

Ranks are doubled throughout, so that they are whole numbers. See `signed_rank_kernels` for the three ways.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError
from podium.stats.exact import programme_kernels, tilt_kernels
from podium.stats.exact import signed_rank_kernels as kernels
from podium.stats.exact.threads import in_threads
from podium.stats.exact.tilt_tables import TiltTables, no_tilts, tilts_for

__all__ = ["SignedRanks", "lower_tail", "signed_ranks", "untied_quantile"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ZEROS = ("drop", "pratt", "split")
_POLICY = {"drop": kernels.DROP, "pratt": kernels.PRATT, "split": kernels.SPLIT}
_ALTERNATIVE = {"two-sided": kernels.TWO_SIDED, "less": kernels.LESS, "greater": kernels.GREATER}
_LARGEST_TABLE = 300
_CROWD = 200  # pairs that are worth tables of tilts


class SignedRanks(NamedTuple):
    """What the signed-rank kernel knows of each pair (arrays, one entry per pair)."""

    present: Ints
    positives: Ints
    zeros: Ints
    positive_sum: Floats  # of the ranks where the first is greater
    total: Floats  # of all ranks in the law
    variance: Floats  # of the positive sum under the null
    pvalue: Floats
    exact: npt.NDArray[np.bool_]

    @property
    def negatives(self) -> Ints:
        """How often the first is smaller."""
        return self.present - self.positives - self.zeros


def signed_ranks(
    columns: Floats,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    *,
    zeros: str = "drop",
    alternative: str = "two-sided",
    exact: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> SignedRanks:
    """Signed-rank sums and exact p-values of pairs of rows of `columns` (algorithms x datasets, nan is missing)."""
    pairs = len(first)
    crowd = exact and pairs >= _CROWD and columns.shape[1] <= _LARGEST_TABLE
    tilts = tilts_for(columns.shape[1]) if crowd else no_tilts()
    counts, sums = np.zeros((pairs, 3), dtype=np.int64), np.zeros((pairs, 3))
    pvalue, how = np.full(pairs, -1.0), np.full(pairs, kernels.NONE, dtype=np.int64)
    side = _ALTERNATIVE[alternative] if exact else -1

    def piece(part: slice) -> None:
        out = (counts[part], sums[part], pvalue[part], how[part])
        _rank(columns, first[part], second[part], _POLICY[zeros], side, tilts, out)

    in_threads(piece, pairs, progress=progress)
    return SignedRanks(
        present=counts[:, 0],
        positives=counts[:, 1],
        zeros=counts[:, 2],
        positive_sum=sums[:, 0] / 2,
        total=sums[:, 1] / 2,
        variance=sums[:, 2] / 16,  # sum of r^2 / 4, on doubled ranks
        pvalue=pvalue,
        exact=how != kernels.NONE,
    )


def _rank(
    columns: Floats,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    policy: int,
    side: int,
    tilts: TiltTables,
    out: tuple[npt.NDArray[Any], ...],
) -> None:
    """Call the kernel with its tables and with the room it may need."""
    n = columns.shape[1]
    tables = (_tables(min(n, _LARGEST_TABLE)), tilts)
    largest_sum = n * (n + 1) // 2 + 1 if n <= kernels.PROGRAMME_LIMIT else 0
    largest_rank = 2 * n if side >= 0 and len(tilts.numbers) == 0 else 0
    kernels.rank_pairs(columns, first, second, policy, side, tables, largest_sum, largest_rank, *out)


@lru_cache(maxsize=2)
def _tables_to(largest: int) -> tuple[Ints, Floats]:
    offsets, table = kernels.untied_tables(largest)
    return offsets, table


def _tables(n: int) -> tuple[Ints, Floats]:
    """The tables for up to n observations, in steps so that few are ever built."""
    return _tables_to(next(size for size in (60, 130, 200, _LARGEST_TABLE) if size >= n))


def lower_tail(doubled_ranks: npt.ArrayLike, doubled_sum: int) -> float:
    """P(W <= w) for doubled ranks whose signs are fair coins, W the sum of those with a plus.

    >>> lower_tail([2, 4, 6], 0)  # 2^-3: all signs negative
    0.125
    """
    ranks = np.asarray(doubled_ranks)
    if ranks.ndim != 1 or len(ranks) == 0 or not np.issubdtype(ranks.dtype, np.integer) or ranks.min() < 1:
        raise ArgumentError("`doubled_ranks` must be whole numbers from 1: twice the ranks.")
    total = int(ranks.sum())
    if doubled_sum >= total:
        return 1.0
    if 2 * doubled_sum > total:
        return 1.0 - lower_tail(ranks, total - doubled_sum - 1)
    if doubled_sum < 0:
        return 0.0
    values, sizes = np.unique(ranks.astype(np.int64), return_counts=True)
    law = (values, sizes.astype(np.int64), len(values))
    if len(ranks) * doubled_sum > 10 * kernels.PROGRAMME_WORK:
        room, lobes = tilt_kernels.contour_room(int(values[-1])), np.empty((3, 2 * tilt_kernels.WIDTH))
        value = float(tilt_kernels.lower_tail_contour(*law, doubled_sum, room, lobes))
        if value >= 0:
            return value
    if len(ranks) > kernels.PROGRAMME_LIMIT:
        raise ArgumentError(
            f"The exact law of {len(ranks)} ranks of which only {len(values)} are distinct is not affordable: "
            "use method='asymptotic'."
        )
    room = programme_kernels.programme_room(doubled_sum)
    return float(programme_kernels.lower_tail_programme(*law, doubled_sum, room))


@lru_cache(maxsize=4096)
def untied_quantile(n: int, tail: float) -> int:
    """The largest w with P(W <= w) <= tail for n untied ranks (not doubled); -1 if there is none.

    >>> untied_quantile(14, 0.025)  # the critical value in Demsar's example
    21
    """
    if n <= _LARGEST_TABLE:
        offsets, table = _tables(n)
        law = table[offsets[n] : offsets[n + 1]]
        return int(np.searchsorted(law, tail, side="right")) - 1
    ranks = np.arange(2, 2 * n + 1, 2)
    middle = n * (n + 1) // 4
    reach = math.sqrt(-math.log(tail) * n * (n + 1) * (2 * n + 1) / 12)  # Hoeffding: beyond it less than `tail` is left
    below, above = max(-1, math.floor(middle - reach) - 1), middle
    while above - below > 1:
        middle = (below + above) // 2
        if lower_tail(ranks, 2 * middle) <= tail:
            below = middle
        else:
            above = middle
    return below
