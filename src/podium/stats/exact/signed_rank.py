"""The exact law of the signed-rank statistic, with ties and zeros, at any number of observations.

Ranks are doubled throughout, so that they are whole numbers. The generating function of the doubled sum is
prod_j (1 + z^{r_j}) / 2. Its lower tail comes from one of

- a table shared by all untied cases of the same n (`untied` has those of many ranks),
- the contour integral, where its errors are small: `tilts` for many pairs at once, `arcs` for one whatever the ties,
- a dynamic programme (`programme`), which is exact always and fast where the sums are small.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from podium.core.arrays import Bools, Floats, Ints
from podium.stats.exact import small
from podium.stats.exact.ranks import Ranks, joined, ranked
from podium.stats.exact.threads import in_threads
from podium.stats.exact.untied import quantile_of_many, spread_of, untied_tails

_LARGEST_TABLE = 300
_LITTLE_WORK = 20_000  # observations x sum of a pair: less is not worth a contour
_FEW_GROUPS, _MOST_OF_THREE = 3, 5000  # different ranks, and their observations, whose numbers of signs are all tried
_MOST_SIGNS = 1000  # of the programme: 2^-n must stay a normal float
_SECONDS_OF_WORK, _SECONDS_OF_RANK = 2e-9, 5e-8  # by arrays
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
    differences: Floats, *, zeros: str = "drop", alternative: str = "two-sided", exact: bool = True
) -> SignedRanks:
    """Signed-rank sums and exact p-values of rows of differences (pairs x n, nan is missing)."""
    pairs = len(differences)
    compiled = not small.is_small(_SECONDS_OF_RANK * differences.size, "crowd_kernels:group_rows")
    sums, squares, tail = np.zeros((pairs, 2), dtype=np.int64), np.zeros(pairs), np.full(pairs, np.nan)
    left: list[tuple[Ints, Ranks]] = []

    def piece(part: slice) -> None:
        ranks, sums[part] = ranked(differences[part], zeros=zeros, compiled=compiled)
        squares[part] = ranks.squares
        if exact:
            limit = _limits(sums[part], alternative)[0]
            tail[part] = _untied_tails(ranks, limit)
            some = np.flatnonzero(tail[part] < 0)
            if len(some):
                left.append((part.start + some, ranks.of(some)))

    in_threads(piece, pairs, columns=None if compiled else differences.shape[1])
    limit, upper = _limits(sums, alternative)
    if left:
        left.sort(key=lambda lot: int(lot[0][0]))  # not as the threads came to an end
        some = np.concatenate([here for here, _ in left])
        tail[some] = _tied_tails(joined([ranks for _, ranks in left]), limit[some], compiled)
    pvalue = np.minimum(1.0, 2.0 * tail) if alternative == "two-sided" else np.where(upper, 1.0 - tail, tail)
    return SignedRanks(
        positive_sum=sums[:, 0] / 2,
        total=sums[:, 1] / 2,
        variance=squares / 16,  # sum of r^2 / 4, on doubled ranks
        pvalue=pvalue,
        exact=~np.isnan(pvalue),
    )


def _limits(sums: Ints, alternative: str) -> tuple[Ints, Bools]:
    """The limits whose lower tails, by the symmetry of the law, give the p-values, and where these are 1 less the tail."""
    plus, total = sums.T
    limit = {"two-sided": np.minimum(plus, total - plus), "less": plus, "greater": total - plus}[alternative]
    upper = 2 * limit > total
    return np.where(upper, total - limit - 1, limit), upper


def lower_tails(ranks: Ranks, limit: Ints) -> Floats:
    """P(W <= limit) of each pair, for limits up to the middle; nan where no exact law is affordable."""
    value = _untied_tails(ranks, limit)
    left = np.flatnonzero(value < 0)
    if len(left):
        value[left] = _tied_tails(ranks.of(left), limit[left], compiled=False)
    return value


def _untied_tails(ranks: Ranks, limit: Ints) -> Floats:
    """The same from the tables that untied pairs share; -1 for the others."""
    value = np.where(limit < 0, 0.0, -1.0)
    untied = ranks.untied & (limit >= 0)
    if untied.any():
        offsets, table = _tables(min(int(ranks.observations.max()), _LARGEST_TABLE))
        listed = untied & (ranks.observations <= _LARGEST_TABLE)
        value[listed] = table[offsets[ranks.observations[listed]] + limit[listed] // 2]
        for count in np.unique(ranks.observations[untied & ~listed]).tolist():
            here = untied & (ranks.observations == count)
            value[here] = untied_tails(count, limit[here] // 2)
    return value


def _tied_tails(ranks: Ranks, limit: Ints, compiled: bool) -> Floats:
    """The same from the tilts that pairs share, and what these leave pair by pair.

    `compiled` is for ranks of differences only: those of 1, 2, ..., n, with ties.
    """
    value = np.full(len(limit), -1.0)
    worth = np.flatnonzero(ranks.observations * limit > _LITTLE_WORK)
    if len(worth):
        from podium.stats.exact.tilts import contour_tails

        value[worth] = contour_tails(ranks.of(worth), limit[worth], compiled=compiled)
    left = np.flatnonzero(value < 0)
    value[left] = _single_tails(ranks.of(left), limit[left])
    return value


def _single_tails(ranks: Ranks, limit: Ints) -> Floats:
    """The same pair by pair; each way takes what the ones before it leave."""
    from podium.stats.exact.arcs import arc_tails

    value, work = np.full(len(limit), -1.0), ranks.observations * limit
    few = (ranks.groups < _FEW_GROUPS) | ((ranks.groups == _FEW_GROUPS) & (ranks.observations <= _MOST_OF_THREE))
    for pair in np.flatnonzero((value < 0) & few):
        value[pair] = small.tail_of_few(*ranks.one(pair), int(limit[pair]))
    short = ranks.observations <= _MOST_SIGNS
    much = np.flatnonzero((value < 0) & ~few & ((work > _MUCH_WORK) | ~short))
    value[much] = arc_tails(ranks.of(much), limit[much])
    _by_programme(ranks, limit, np.flatnonzero((value < 0) & short), value)
    return np.where(value < 0, np.nan, value)


def _by_programme(ranks: Ranks, limit: Ints, left: Ints, value: Floats) -> None:
    """Fill in the tails of those that are left."""
    work = float((ranks.observations * limit)[left].sum())
    if small.is_small(_SECONDS_OF_WORK * work, "programme_kernels:programme_tails"):
        for pair in left:
            value[pair] = small.lower_tail(*ranks.one(pair), int(limit[pair]))
        return
    from podium.stats.exact.programme_kernels import programme_tails, room_for

    def piece(part: slice) -> None:
        room = room_for(int(ranks.rank.max()), int(ranks.groups.max()), int(limit.max()))
        programme_tails(left[part], ranks.rank, ranks.size, ranks.start, ranks.groups, limit, value, *room)

    in_threads(piece, len(left))


def _tables(n: int) -> tuple[Ints, Floats]:
    """The tables for up to n observations, in steps so that few are ever built."""
    return small.untied_tables(next(size for size in (60, 130, 200, _LARGEST_TABLE) if size >= n))


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
