"""Pool dependence: does the decision on two algorithms depend on which others are in the comparison?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from podium.core import check
from podium.core.arrays import Bools, Floats
from podium.core.errors import DataError
from podium.core.numbers import counted, format_pvalue
from podium.core.progress import Progress, tracked
from podium.core.ranks import settle
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.evidence.table import Table, as_table
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd


MAX_ENUMERATED = 2**16  # pools per pair; above that they are drawn at random
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
    def significant(self) -> int:
        """The pools that make the two differ, from the two alone to all algorithms."""
        return sum(pool.significant for pool in self.pools)

    @property
    def total(self) -> int:
        """All pools, from the two alone to all algorithms."""
        return sum(pool.total for pool in self.pools)

    @property
    def depends(self) -> bool:
        """Whether some pools make the two differ and others do not, of one size or of several."""
        return 0 < self.significant < self.total

    @property
    def mixed(self) -> float:
        """How far the decisions are from unanimous: 0 if they are, 1/2 if evenly split."""
        return min(self.significant, self.total - self.significant) / self.total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoolResult(Result):
    """For every pair: how often the mean-ranks test calls it significant, over all pools of each size.

    The mean-ranks test is the z test on mean ranks with Bonferroni's correction for all pairs of the pool
    (Benavoli et al. 2016, eq. 4). `test` is the test of the two alone, whose p-value no pool can change;
    `constant_decision` applies the same correction to it.
    """

    JSON: ClassVar[Mapping[str, Any]] = {"pairs": list[dict[str, Any]]}

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
        left = f" ({counted(len(self.left_out), 'incomplete dataset')} left out)" if self.left_out else ""
        opening = f"On {self.n_datasets} datasets{left}, {how} of the {len(self.algorithms)} algorithms, "
        if not self.affected:
            return f"{opening}no decision of the mean-ranks test depends on the pool. Other pools might change one."
        worst = max(self.affected, key=lambda pair: pair.mixed)
        return (
            f"{opening}the decision of the mean-ranks test depends on the pool for {len(self.affected)} of "
            f"{len(self.pairs)} pairs; {worst.a} and {worst.b} differ in {worst.significant} of {worst.total} "
            f"pools. {registry.PAIRWISE[self.test].label} of only the two gives {format_pvalue(worst.pvalue)} in "
            "every pool. This says nothing about which of the decisions is right."
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row per pair and size of the pool; `depends` is about the pair, over all sizes."""
        return [
            {"a": pair.a, "b": pair.b, **asdict(pool), "depends": pair.depends, "pvalue": pair.pvalue}
            for pair in self.pairs
            for pool in pair.pools
        ]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The pairs whose decision depends on the pool."""
        frame = self.to_frame()
        return {"result": frame[frame["depends"]].drop(columns="depends")}

    def to_dict(self) -> dict[str, Any]:
        """Plain values; `pairs` is a list of a, b and pools: size -> significant, total."""
        plain = Result.to_dict(self)
        for pair, result in zip(plain["pairs"], self.pairs, strict=True):
            pair["depends"] = result.depends
            pair["pools"] = {str(pool.pop("size")): pool for pool in pair["pools"]}
        return plain


def pool_dependence(
    table: Any,
    *,
    alpha: float = 0.05,
    test: str = "wilcoxon",
    pairs: list[tuple[str, str]] | None = None,
    draws: int = 500,
    rng: Rng = 0,
    progress: Progress = None,
) -> PoolResult:
    """How the mean-ranks decision on each pair depends on the other algorithms in the pool.

    All subsets of the other algorithms are looked at. Datasets with a missing score are left out and named.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    alpha : float, default 0.05
        Significance level.
    test : str, default "wilcoxon"
        The test of the two alone, for comparison.
    pairs : list of (str, str), optional
        The pairs to look at; by default all.
    draws : int, default 500
        Number of random pools of each size, where a pair has more than 65,536 pools; the result says so.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    PoolResult
        For each pair the share of pools in which it differs significantly, and the p-value of the two alone.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5], [0.9, 0.8, 0.6]]
    >>> len(pool_dependence(table).pairs)
    3
    """
    from podium.stats.posthoc.all_pairs import all_pairs

    check.fraction("alpha", alpha)
    check.count("draws", draws)
    whole = as_table(table)
    kept = whole.complete()
    if kept.n_datasets < 2:
        raise DataError("Pools need at least two datasets on which every algorithm has a score.")
    wins = _win_shares(kept)
    pvalues = all_pairs(kept, test=registry.pairwise(test, over=("datasets",)).name).matrix("pvalue")
    wanted = [*combinations(kept.algorithms, 2)] if pairs is None else check.several("pairs", pairs)
    for pair in wanted:
        check.pair_of_names(pair, "pairs")
    chosen = [(kept.place(a), kept.place(b)) for a, b in wanted]
    sampled = 2 ** (kept.n_algorithms - 2) > MAX_ENUMERATED
    others, stream = kept.n_algorithms - 2, generator(rng)
    every = None if sampled else _every_pool(others)
    audited = []
    for a, b in tracked(chosen, progress, total=len(chosen)):
        pools = _random_pools(others, draws, stream) if every is None else every
        audited.append(_one_pair(kept, wins, a, b, float(pvalues[a, b]), alpha, pools))
    return PoolResult(
        algorithms=kept.algorithms,
        n_datasets=kept.n_datasets,
        left_out=tuple(name for name in whole.datasets if name not in kept.datasets),
        pairs=tuple(audited),
        test=test,
        alpha=alpha,
        sampled=sampled,
        method="random pools" if sampled else "all pools",
    )


def weaker_variants(table: Any, *, a: str | None = None, b: str | None = None, variants: int = 3) -> Table:
    """The new algorithm with so many weaker variants of it, and the existing one (Benavoli et al. 2016, end of 4.1).

    Where b is better, b > a > a 1 > a 2 ...; where a is better, all its variants are better than b, too. So `mean_ranks` of this
    table finds a difference of a and b the more surely, the more variants there are; the scores of the two stay what they are.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    a : str, optional
        Name of the new algorithm; by default the first.
    b : str, optional
        Name of the existing algorithm; by default the second.
    variants : int, default 3
        Number of weaker variants.

    Returns
    -------
    Table
        The table of a, its variants and b.

    Examples
    --------
    >>> weaker_variants([[0.9, 0.8], [0.7, 0.75]], variants=2).n_algorithms
    4
    """
    from podium.planning.batch import the_two

    whole = as_table(table)
    first, second = the_two(whole, a, b)
    two = whole.select([first, second]).complete()
    steps = np.arange(check.count("variants", variants) + 1)
    own = two.gains[:, :1] - steps * np.abs(two.gains[:, :1] - two.gains[:, 1:]) / (variants + 1)
    names = (first, *(f"{first} {step}" for step in steps[1:].tolist()), second)
    return replace(two, values=two.metric.sign * np.column_stack([own, two.gains[:, 1]]), algorithms=names)


def _win_shares(table: Table) -> Floats:
    """`[x, a]`: the share of datasets on which x is better than a, ties counting one half."""
    gains = settle(table.gains)
    signs = (np.sign(column[:, None] - gains) for column in gains.T)  # one column at a time: k x k x n may be large
    return np.array([(0.5 + 0.5 * sign).mean(axis=0) for sign in signs])


@lru_cache(maxsize=4096)
def _critical_difference(size: int, n_datasets: int, alpha: float) -> float:
    """The smallest significant difference of mean ranks in a pool of this size (Benavoli et al. 2016, eq. 4)."""
    return -NormalDist().inv_cdf(alpha / (size * (size - 1))) * sqrt(size * (size + 1) / (6 * n_datasets))


def _one_pair(table: Table, wins: Floats, a: int, b: int, pvalue: float, alpha: float, pools: Bools) -> PoolPair:
    """The decisions on one pair over its pools, the pair itself aside (a row for each pool, true where another is in it).

    The rank of a in a pool is 1 + the number of members that beat it, so the difference of the mean ranks of
    a and b is a sum over the members: every pool is a subset sum.
    """
    others = [x for x in range(table.n_algorithms) if x not in (a, b)]
    shifts, members = pools @ (wins[others, a] - wins[others, b]), pools.sum(axis=1)
    differences = np.round(wins[b, a] - wins[a, b] + shifts, 11)  # sums of shares, without float noise
    sizes = np.arange(2, table.n_algorithms + 1)
    critical = np.array([_critical_difference(size, table.n_datasets, alpha) for size in sizes.tolist()])
    decided = np.abs(differences) >= critical[members]
    totals = np.bincount(members, minlength=len(sizes)).tolist()
    significant = np.bincount(members[decided], minlength=len(sizes)).tolist()
    counts = tuple(
        PoolSize(size=m, significant=some, total=total, constant_decision=pvalue <= alpha / comb(m, 2))
        for m, some, total in zip(sizes.tolist(), significant, totals, strict=True)
    )
    mixed = np.array([pool.depends for pool in counts])
    shown = (mixed if mixed.any() else ~mixed)[members]  # pools of one size say most; else the two alone against more

    def named(which: Bools) -> tuple[tuple[str, ...], ...]:
        chosen = np.flatnonzero(which)[:MAX_NAMED].tolist()
        return tuple(tuple(table.algorithms[others[x]] for x in np.flatnonzero(pools[place])) for place in chosen)

    return PoolPair(
        a=table.algorithms[a],
        b=table.algorithms[b],
        pvalue=pvalue,
        pools=counts,
        makes_differ=named(shown & decided),
        makes_equal=named(shown & ~decided),
    )


def _every_pool(count: int) -> Bools:
    """All subsets of so many others: a row for each, true where one of them is in it."""
    return np.asarray((np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(bool))


def _random_pools(count: int, draws: int, rng: np.random.Generator) -> Bools:
    """The first so many of random orders of the others: `draws` pools of each size, one where there is only one."""
    places = np.argsort(np.argsort(rng.random((draws, count)), axis=1), axis=1)
    within = places[:, None, :] < np.arange(count + 1)[:, None]
    keep = np.ones((draws, count + 1), dtype=bool)
    keep[1:, [0, -1]] = False  # all pools of the smallest and of the largest size are the same
    return np.asarray(within[keep])
