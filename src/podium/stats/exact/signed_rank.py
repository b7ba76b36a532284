"""The exact law of the signed-rank statistic, with ties and zeros, at any number of observations.

Ranks are doubled throughout, so that they are whole numbers. See `signed_rank_kernels` for the three ways.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError
from podium.stats.exact import signed_rank_kernels as kernels
from podium.stats.exact.threads import in_threads
from podium.stats.exact.tie_tables import TieTables, no_ties, shared_ties

__all__ = ["SignedRanks", "lower_tail", "signed_ranks", "untied_quantile"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ZEROS = ("drop", "pratt", "split")
_POLICY = {"drop": kernels.DROP, "pratt": kernels.PRATT, "split": kernels.SPLIT}
_ALTERNATIVE = {"two-sided": kernels.TWO_SIDED, "less": kernels.LESS, "greater": kernels.GREATER}
_LARGEST_TABLE = 300
_CROWD = 1000  # pairs that are worth a look at what they have in common


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
    ties = no_ties(columns.shape[1])
    if exact and zeros == "drop" and pairs >= _CROWD and columns.shape[1] <= _LARGEST_TABLE:
        ties = _ties_of_a_crowd(columns, first, second)
    counts, sums = np.zeros((pairs, 3), dtype=np.int64), np.zeros((pairs, 3))
    pvalue, how = np.full(pairs, -1.0), np.full(pairs, kernels.NONE, dtype=np.int64)
    side = _ALTERNATIVE[alternative] if exact else -1

    def piece(part: slice) -> None:
        out = (counts[part], sums[part], pvalue[part], how[part])
        _rank(columns, first[part], second[part], _POLICY[zeros], side, ties, out)

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
    ties: TieTables,
    out: tuple[npt.NDArray[Any], ...],
) -> None:
    """Call the kernel with its tables and its room (of the dynamic programme)."""
    n = columns.shape[1]
    offsets, table = _tables(min(n, _LARGEST_TABLE))
    room = n * (n + 1) // 2 + 2 if n <= kernels.PROGRAMME_LIMIT else 1
    kernels.rank_pairs(columns, first, second, policy, side, offsets, table, ties, room, *out)


def _ties_of_a_crowd(columns: Floats, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> TieTables:
    """Tables of tied laws for a crowd of pairs, from what a sample of them looks like."""
    sample = np.linspace(0, len(first) - 1, 256).astype(np.intp)
    counts, sums = np.zeros((256, 3), dtype=np.int64), np.zeros((256, 3))
    out = (counts, sums, np.empty(256), np.empty(256, dtype=np.int64))
    none = no_ties(columns.shape[1])
    _rank(columns, first[sample], second[sample], kernels.DROP, -1, none, out)
    n = counts[:, 0] - counts[:, 2]
    tied = sums[:, 2] < 4 * (n * (n + 1) * (2 * n + 1) // 6)
    return shared_ties(n[tied], columns.shape[1]) if tied.mean() > 0.05 else none


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
    sizes = sizes.astype(np.int64)
    if len(ranks) * doubled_sum > 1_000_000:
        scratch = np.empty((12, kernels.CONTOUR_WIDTH))
        value = float(kernels.lower_tail_contour(values, sizes, len(values), doubled_sum, scratch))
        if value >= 0:
            return min(value, 1.0)
    if len(ranks) > kernels.PROGRAMME_LIMIT:
        raise ArgumentError(
            f"The exact law of {len(ranks)} ranks of which only {len(values)} are distinct is not affordable: "
            "use method='asymptotic'."
        )
    room = doubled_sum + 1
    return float(kernels.lower_tail_programme(values, sizes, len(values), doubled_sum, np.empty(room), np.empty(room)))


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
    below, above = -1, n * (n + 1) // 4
    while above - below > 1:
        middle = (below + above) // 2
        if lower_tail(ranks, 2 * middle) <= tail:
            below = middle
        else:
            above = middle
    return below
