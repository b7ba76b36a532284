"""Pool dependence: does the decision on two algorithms depend on which others are in the comparison?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from podium.core import check
from podium.core.errors import DataError
from podium.core.ranks import settle
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.core.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PoolPair", "PoolResult", "PoolSize", "pool_dependence"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

MAX_ENUMERATED = 2**16  # pools per pair; above that they are sampled
MAX_NAMED = 5  # pools named per pair, size and decision


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSize:
    """The decisions by mean ranks over all pools of one size (the pair included), and by the pairwise test."""

    size: int
    significant: int
    total: int
    constant_decision: bool

    @property
    def depends(self) -> bool:
        """Whether some pools of this size make the pair differ and others do not."""
        return 0 < self.significant < self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolPair:
    """Two algorithms: how the decision by mean ranks varies over pools, and pools on either side of it."""

    a: str
    b: str
    pvalue: float
    pools: tuple[PoolSize, ...]
    makes_differ: tuple[tuple[str, ...], ...]
    makes_equal: tuple[tuple[str, ...], ...]

    @property
    def depends(self) -> bool:
        """Whether the decision depends on the pool for some size of it."""
        return any(pool.depends for pool in self.pools)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoolResult(Result):
    """For every pair: how often the mean-ranks test calls it significant, over all pools of each size.

    The mean-ranks test is the z test on mean ranks with Bonferroni's correction for all pairs of the pool
    (Benavoli et al. 2016, eq. 4). `test` is the test of the two alone, whose p-value no pool can change;
    `constant_decision` applies the same correction to it.
    """

    algorithms: tuple[str, ...]
    n_datasets: int
    left_out: tuple[str, ...]
    pairs: tuple[PoolPair, ...]
    test: str
    alpha: float
    sampled: bool
    method: str
    references: tuple[str, ...] = ("benavoli2016",)

    @property
    def affected(self) -> tuple[PoolPair, ...]:
        """The pairs whose decision depends on the pool."""
        return tuple(pair for pair in self.pairs if pair.depends)

    def summary(self) -> str:
        """How many pairs are affected, the worst of them, and what does not follow."""
        how = "in a sample of pools" if self.sampled else "over all pools"
        left = f" ({len(self.left_out)} incomplete datasets left out)" if self.left_out else ""
        opening = f"On {self.n_datasets} datasets{left}, {how} of the {len(self.algorithms)} algorithms, "
        if not self.affected:
            return (
                opening + "no decision of the mean-ranks test depends on the pool. Other pools might still change one."
            )
        worst = max(self.affected, key=lambda pair: max(_mixed(pool) for pool in pair.pools))
        pool = max(worst.pools, key=_mixed)
        return (
            f"{opening}the decision of the mean-ranks test depends on the pool for {len(self.affected)} of "
            f"{len(self.pairs)} pairs; {worst.a} and {worst.b} differ in {pool.significant} of {pool.total} pools of "
            f"{pool.size}. The {self.test} test of the two alone gives p = {worst.pvalue:.3g} in every pool. "
            "This says nothing about which of the decisions is right."
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per pair and size of the pool."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "size": pool.size,
                    "significant": pool.significant,
                    "total": pool.total,
                    "depends": pool.depends,
                    "pvalue": pair.pvalue,
                    "constant decision": pool.constant_decision,
                }
                for pair in self.pairs
                for pool in pair.pools
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values; `pairs` is a list of a, b and pools: size -> significant, total."""
        plain = Result.to_dict(self)
        plain["pairs"] = [
            {
                "a": pair.a,
                "b": pair.b,
                "pvalue": pair.pvalue,
                "depends": pair.depends,
                "pools": {
                    str(pool.size): {
                        "significant": pool.significant,
                        "total": pool.total,
                        "constant_decision": pool.constant_decision,
                    }
                    for pool in pair.pools
                },
                "makes_differ": [list(pool) for pool in pair.makes_differ],
                "makes_equal": [list(pool) for pool in pair.makes_equal],
            }
            for pair in self.pairs
        ]
        return plain


def _mixed(pool: PoolSize) -> float:
    """How far the decisions of one size are from unanimous: 0 if they are, 1/2 if evenly split."""
    share = pool.significant / pool.total
    return min(share, 1 - share)


def pool_dependence(
    table: Any,
    *,
    alpha: float = 0.05,
    test: str = "wilcoxon",
    pairs: list[tuple[str, str]] | None = None,
    samples: int = 500,
    rng: Rng = 0,
    progress: Callable[[int, int], None] | None = None,
) -> PoolResult:
    """How the mean-ranks decision on each pair depends on the other algorithms in the pool.

    All subsets of the other algorithms are looked at; where a pair has more than 65,536 of them, `samples`
    random pools of each size are, and the result says so. Datasets with a hole are left out and named.
    """
    check.fraction("alpha", alpha)
    whole = as_table(table)
    kept = whole.complete()
    if kept.n_datasets < 2:
        raise DataError("Pools need at least two datasets on which every algorithm has a score.")
    wins = _win_shares(kept)
    pvalues = _pairwise_pvalues(kept, test)
    chosen = _chosen_pairs(kept, pairs)
    sampled = 2 ** (kept.n_algorithms - 2) > MAX_ENUMERATED
    sampler = generator(rng) if sampled else None
    found = []
    for done, (a, b) in enumerate(chosen):
        found.append(_one_pair(kept, wins, a, b, float(pvalues[a, b]), alpha, samples, sampler))
        if progress is not None:
            progress(done + 1, len(chosen))
    return PoolResult(
        algorithms=kept.algorithms,
        n_datasets=kept.n_datasets,
        left_out=tuple(name for name in whole.datasets if name not in kept.datasets),
        pairs=tuple(found),
        test=test,
        alpha=alpha,
        sampled=sampled,
        method="sampled pools" if sampled else "all pools",
    )


def _win_shares(table: Table) -> Floats:
    """`[x, a]`: the share of datasets on which x is better than a, ties counting one half."""
    gains = settle(table.gains)
    shares = np.empty((table.n_algorithms, table.n_algorithms))
    for x in range(table.n_algorithms):
        difference = gains[:, [x]] - gains
        shares[x] = ((difference > 0) + 0.5 * (difference == 0)).mean(axis=0)
    return shares


def _pairwise_pvalues(table: Table, test: str) -> Floats:
    from podium.stats.posthoc.all_pairs import all_pairs

    frame = all_pairs(table, test=check.choice("test", test, ("wilcoxon", "sign", "paired_t"))).to_frame()
    place = {name: column for column, name in enumerate(table.algorithms)}
    pvalues = np.ones((table.n_algorithms, table.n_algorithms))
    rows, columns = [place[name] for name in frame["a"]], [place[name] for name in frame["b"]]
    pvalues[rows, columns] = pvalues[columns, rows] = frame["pvalue"]
    return pvalues


def _chosen_pairs(table: Table, pairs: list[tuple[str, str]] | None) -> list[tuple[int, int]]:
    if pairs is None:
        return list(combinations(range(table.n_algorithms), 2))
    return [(table.position(a), table.position(b)) for a, b in pairs]


def _one_pair(
    table: Table,
    wins: Floats,
    a: int,
    b: int,
    pvalue: float,
    alpha: float,
    samples: int,
    sampler: np.random.Generator | None,
) -> PoolPair:
    """The decisions on one pair over its pools.

    The rank of a in a pool is 1 + the number of members that beat it, so the difference of the mean ranks of
    a and b is a sum over the members: every pool is a subset sum.
    """
    others = np.array([x for x in range(table.n_algorithms) if x not in (a, b)], dtype=np.intp)
    shifts = wins[others, a] - wins[others, b]
    pools = _all_pools(len(others)) if sampler is None else _random_pools(len(others), samples, sampler)
    differences = settle(wins[b, a] - wins[a, b] + pools.sums(shifts), scale=1.0)
    decided = np.abs(differences) >= _critical(pools.sizes, table.n_datasets, alpha)
    sizes = tuple(_one_size(int(m), decided[pools.sizes == m], pvalue, alpha) for m in np.unique(pools.sizes))
    mixed = np.isin(pools.sizes, [pool.size for pool in sizes if pool.depends])
    names = [table.algorithms[x] for x in others]

    def named(which: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
        chosen = np.flatnonzero(which)[:MAX_NAMED]
        return tuple(tuple(names[x] for x in pools.members(int(pool))) for pool in chosen)

    return PoolPair(
        a=table.algorithms[a],
        b=table.algorithms[b],
        pvalue=pvalue,
        pools=sizes,
        makes_differ=named(mixed & decided),
        makes_equal=named(mixed & ~decided),
    )


def _critical(size: Ints, n: int, alpha: float) -> Floats:
    """The smallest significant difference of mean ranks in pools of these sizes (Benavoli et al. 2016, eq. 4)."""
    m = size.astype(np.float64)
    critical: Floats = ndtri(1 - alpha / (m * (m - 1))) * np.sqrt(m * (m + 1) / (6 * n))
    return critical


def _one_size(m: int, decided: npt.NDArray[np.bool_], pvalue: float, alpha: float) -> PoolSize:
    return PoolSize(
        size=m,
        significant=int(decided.sum()),
        total=len(decided),
        constant_decision=pvalue <= alpha / comb(m, 2),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pools:
    """Pools of the other algorithms: their sizes (the pair included), sums over members, and members by index."""

    sizes: Ints
    sums: Callable[[Floats], Floats]
    members: Callable[[int], list[int]]


def _all_pools(count: int) -> _Pools:
    """Every subset of the others."""
    codes = np.arange(2**count, dtype=np.int64)
    inside = ((codes[:, None] >> np.arange(count)) & 1).astype(np.float64)
    return _Pools(
        sizes=inside.sum(axis=1).astype(np.intp) + 2,
        sums=lambda shifts: inside @ shifts,
        members=lambda pool: [int(x) for x in np.flatnonzero(inside[pool])],
    )


def _random_pools(count: int, samples: int, rng: np.random.Generator) -> _Pools:
    """The first so many of random orders of the others: `samples` pools of each size, one where there is only one."""
    orders = np.argsort(rng.random((samples, count)), axis=1)
    sizes = np.arange(2, count + 3)
    keep = np.ones((samples, count + 1), dtype=bool)
    keep[1:, [0, -1]] = False  # all pools of the smallest and of the largest size are the same

    def sums(shifts: Floats) -> Floats:
        running = np.zeros((samples, count + 1))
        np.cumsum(shifts[orders], axis=1, out=running[:, 1:])
        return running[keep]

    places = np.argwhere(keep)
    return _Pools(
        sizes=np.broadcast_to(sizes, keep.shape)[keep],
        sums=sums,
        members=lambda pool: sorted(int(x) for x in orders[places[pool, 0], : places[pool, 1]]),
    )
