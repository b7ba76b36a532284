"""The exact law of the signed-rank statistic, with ties and zeros, at any number of observations.

Ranks are doubled throughout, so that they are whole numbers. The generating function of the doubled sum is
prod_j (1 + z^{r_j}) / 2. Its lower tail comes from one of

- a table shared by all untied cases of the same n (`untied` has those of many ranks),
- the contour integral, where its errors are small: `shared_tilt_kernels` for a crowd of pairs, `arc_kernels` for many
  observations,
- a dynamic programme (`programme_kernels`), which is exact always and fast where the sums are small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import ArgumentError
from podium.stats.exact import small
from podium.stats.exact.threads import in_threads
from podium.stats.exact.untied import quantile_of_many, spread_of, untied_tails

if TYPE_CHECKING:
    from podium.stats.exact.tilt_tables import TiltTables

    Tilts = Callable[[], TiltTables]  # made when a pair with ties needs them

Ints32 = npt.NDArray[np.int32]

ZEROS = ("drop", "pratt", "split")
_LARGEST_TABLE = 300
_CROWD = 3000  # pairs that are worth tables of tilts
_LITTLE_WORK = 20_000  # observations x sum of a pair: less is not worth a contour
_MOST_OF_THREE = 5000  # observations of three different sizes, whose numbers of signs are all tried
_LARGEST_QUANTILE = 10_000
_MUCH_WORK = 5_000_000  # of a pair: arcs take less


class SignedRanks(NamedTuple):
    """What the signed-rank kernel knows of each pair (arrays, one entry per pair)."""

    positive_sum: Floats  # of the ranks where the difference is positive
    total: Floats  # of all ranks in the law
    variance: Floats  # of the positive sum under the null
    pvalue: Floats
    exact: Bools


def signed_ranks(
    differences: Floats,
    *,
    zeros: str = "drop",
    alternative: str = "two-sided",
    exact: bool = True,
    per_one: float = 0.0,
) -> SignedRanks:
    """Signed-rank sums and exact p-values of rows of differences (pairs x n, nan is missing).

    `per_one` is the power of ten of which all differences are whole numbers over, if there is one: ranks come faster then.
    """
    pairs, n = differences.shape
    positive, total, squares, pvalue = np.zeros(pairs), np.zeros(pairs), np.zeros(pairs), np.full(pairs, np.nan)
    compiled = not small.is_small(pairs, n)
    tilts = partial(_tilts, n) if exact and pairs >= _CROWD and n <= _LARGEST_TABLE else None

    def piece(part: slice) -> None:
        ranks, sums = ranked(differences[part], zeros=zeros, per_one=per_one, compiled=compiled)
        positive[part], total[part] = sums.T / 2
        squares[part] = ranks.squares
        if exact:
            pvalue[part] = _pvalues(ranks, sums, alternative, tilts)

    in_threads(piece, pairs)
    return SignedRanks(
        positive_sum=positive,
        total=total,
        variance=squares / 16,  # sum of r^2 / 4, on doubled ranks
        pvalue=pvalue,
        exact=~np.isnan(pvalue),
    )


def ranked(
    differences: Floats, *, zeros: str = "drop", per_one: float = 0.0, compiled: bool = True
) -> tuple[Ranks, Ints]:
    """The ranks of rows of differences, and the doubled sums of the positive ones and of all."""
    pairs, n = differences.shape
    counts, sums = np.zeros((pairs, 3), dtype=np.int64), np.zeros((pairs, 2), dtype=np.int64)
    squares, rank = np.zeros(pairs), np.empty((pairs, n + 1), dtype=np.int32)
    size = np.empty_like(rank)
    rank_them = partial(_compiled_ranks, per_one) if compiled else small.rank_differences
    rank_them(differences, zeros, counts, sums, squares, rank, size)
    zero, groups, observations = np.ascontiguousarray(counts.T)  # one signature of each compiled kernel
    untied = (groups == observations) & ((zeros != "pratt") | (zero == 0))
    return Ranks(rank, size, groups, observations, squares, untied), sums


def _compiled_ranks(per_one: float, differences: Floats, zeros: str, *into: npt.NDArray[Any]) -> None:
    from podium.stats.exact import signed_rank_kernels as kernels

    policy = {"drop": kernels.DROP, "pratt": kernels.PRATT, "split": kernels.SPLIT}[zeros]
    kernels.rank_differences(differences, per_one, policy, *into)


def _tilts(n: int) -> TiltTables:
    from podium.stats.exact.tilt_tables import tilts_for

    return tilts_for(n)


class Ranks(NamedTuple):
    """The ranks of some pairs in groups of equal ones, a row (or an entry) per pair."""

    rank: Ints32
    size: Ints32
    groups: Ints
    observations: Ints  # zeros that count among them
    squares: Floats  # sum of the squared ranks
    untied: Bools  # whether the ranks are 1, 2, ..., n

    def of(self, pairs: Ints) -> Ranks:
        """Those of some pairs; one may occur several times."""
        return Ranks(
            self.rank[pairs],
            self.size[pairs],
            self.groups[pairs],
            self.observations[pairs],
            self.squares[pairs],
            self.untied[pairs],
        )


def _pvalues(ranks: Ranks, sums: Ints, alternative: str, tilts: Tilts | None) -> Floats:
    """p-values of the positive sums, by the symmetry of the law; nan where no exact law is affordable."""
    plus, total = sums.T
    limit = {"two-sided": np.minimum(plus, total - plus), "less": plus, "greater": total - plus}[alternative]
    upper = 2 * limit > total
    tail = lower_tails(ranks, np.where(upper, total - limit - 1, limit), tilts)
    return np.minimum(1.0, 2.0 * tail) if alternative == "two-sided" else np.where(upper, 1.0 - tail, tail)


def lower_tails(ranks: Ranks, limit: Ints, tilts: Tilts | None = None, *, little: float | None = None) -> Floats:
    """P(W <= limit) of each pair, for limits up to the middle; each way takes what the ones before it leave.

    Work up to `little`, observations x limits, is done without compiled code.
    """
    value = np.where(limit < 0, 0.0, -1.0)
    n = min(ranks.rank.shape[1] - 1, _LARGEST_TABLE)
    listed = ranks.untied & (ranks.observations <= n) & (limit >= 0)
    offsets, table = _tables(n)
    value[listed] = table[offsets[ranks.observations[listed]] + limit[listed] // 2]
    large = ranks.untied & (ranks.observations > _LARGEST_TABLE) & (limit >= 0)
    for count in np.unique(ranks.observations[large]).tolist():
        here = large & (ranks.observations == count)
        value[here] = untied_tails(count, limit[here] // 2)
    work = ranks.observations * limit
    left = np.flatnonzero(value < 0)
    if work[left].sum() > (small.SMALL if little is None else little):
        return _compiled_tails(ranks, limit, value, work, tilts)
    for row in left:
        groups = int(ranks.groups[row])
        value[row] = small.lower_tail(ranks.rank[row, :groups], ranks.size[row, :groups], int(limit[row]))
    return value


def _compiled_tails(ranks: Ranks, limit: Ints, value: Floats, work: Ints, tilts: Tilts | None) -> Floats:
    """The tails that are not known yet (below 0), by the contour or the programme; nan where neither is affordable."""
    from podium.stats.exact import arc_kernels, programme_kernels, shared_tilt_kernels
    from podium.stats.exact.tilt_tables import no_tilts

    tables = tilts() if tilts else no_tilts()
    rows = (ranks.rank, ranks.size, ranks.groups, limit)
    bands = tables.bands(ranks.squares)
    some = np.flatnonzero((value < 0) & (bands >= 0) & (work > _LITTLE_WORK))
    if len(some):
        shared_tilt_kernels.shared_tails(some, bands, *rows[:3], ranks.observations, limit, tables[1:], value)
    few = (ranks.groups < 3) | ((ranks.groups == 3) & (ranks.observations <= _MOST_OF_THREE))
    programmed = few | (ranks.observations <= programme_kernels.MOST_SIGNS)
    some = np.flatnonzero((value < 0) & ~few & ((work > _MUCH_WORK) | ~programmed))
    if len(some):
        arc_kernels.arc_tails(some, *rows, value)
    some = np.flatnonzero((value < 0) & programmed)
    if len(some):
        programme_kernels.programme_tails(some, *rows, value)
    return np.where(value < 0, np.nan, value)


@lru_cache(maxsize=2)
def _tables_to(largest: int) -> tuple[Ints, Floats]:
    return small.untied_tables(largest)


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
    values, sizes = (found.astype(np.int32)[None] for found in np.unique(ranks, return_counts=True))
    squares = np.square(ranks, dtype=np.float64).sum(keepdims=True)
    count = (np.array([values.size]), np.array([ranks.size]))
    law = Ranks(values, sizes, *count, squares, untied=np.array([False]))
    value = float(lower_tails(law, np.array([doubled_sum]))[0])
    if math.isnan(value):
        raise ArgumentError(
            f"The exact law of {ranks.size} ranks of which only {values.size} are distinct is not affordable: "
            "use method='asymptotic'."
        )
    return value


@lru_cache(maxsize=4096)
def untied_quantile(n: int, tail: float) -> int:
    """The largest w with P(W <= w) <= tail for n untied ranks (not doubled); -1 if there is none.

    Beyond 10,000 ranks by the normal law, which is then as good.

    >>> untied_quantile(14, 0.025)  # the critical value in Demsar's example
    21
    """
    if n <= _LARGEST_TABLE:
        offsets, table = _tables(n)
        law = table[offsets[n] : offsets[n + 1]]
        return int(np.searchsorted(law, tail, side="right")) - 1
    if n <= _LARGEST_QUANTILE:
        return quantile_of_many(n, tail)
    return math.floor(n * (n + 1) / 4 + NormalDist().inv_cdf(tail) * spread_of(n))
