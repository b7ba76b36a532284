"""Simultaneous confidence intervals for the ranks of all algorithms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.numbers import percent
from podium.core.result import Result
from podium.stats import registry
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankIntervalsResult(Result):
    """For each algorithm its rank range: with the given confidence all true ranks lie in theirs simultaneously."""

    algorithms: tuple[str, ...]
    low: Ints
    high: Ints
    better: Ints
    worse: Ints
    mean_ranks: Floats
    confidence: float
    test: str
    correction: str
    method: str
    references: tuple[str, ...] = ("almohamad2022",)

    def summary(self) -> str:
        """Who may be first, and what the intervals do not say."""
        first = [name for name, low in zip(self.algorithms, self.low.tolist(), strict=True) if low == 1]
        listed = check.cells((name,) for name in first)
        return (
            f"With {percent(self.confidence)} confidence for all ranks at once ({self.test}, {self.correction}), {len(first)} of "
            f"{len(self.algorithms)} algorithms may be the best: {listed}. Wide intervals mean that the data "
            "cannot tell, not that the algorithms are equal."
        )

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        ends = {"low": self.low[order], "high": self.high[order]}
        return {"algorithm": [self.algorithms[i] for i in order], "mean_rank": self.mean_ranks[order], **ends}


def rank_intervals(
    source: Any, *, confidence: float = 0.95, test: str = "wilcoxon", correction: str | None = None
) -> RankIntervalsResult:
    """Simultaneous confidence intervals for the true ranks of all algorithms, from tests of all pairs.

    Definition: low = 1 + the number of algorithms significantly better, high = k - the number significantly worse,
    at a family-wise level of 1 - confidence (Al Mohamad, Goeman and van Zwet 2022). If no pair is called different wrongly, which
    holds with that confidence, every true rank lies in its interval; equal algorithms share their ranks.

    The true ranks are those in the order by what the test compares, on datasets like these: by the pseudo-median of the
    pairwise differences for the signed-rank test, by their median for the sign test, by their mean for t tests. Where
    differences are skewed these orders can differ, and the ranks of one test are not those of another.

    Parameters
    ----------
    source : PairsResult, Table, Scores, DataFrame or array-like
        A result on all pairs whose correction controls the family-wise error, or a table of datasets x
        algorithms.
    confidence : float, default 0.95
        Confidence of all intervals together.
    test : str, default "wilcoxon"
        The test of `all_pairs`, for a table.
    correction : str, optional
        The correction of `all_pairs`, for a table; by default Holm's.

    Returns
    -------
    RankIntervalsResult
        The lowest and the highest rank of each algorithm.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5], [0.9, 0.8, 0.6], [0.8, 0.7, 0.5], [0.9, 0.8, 0.8]]
    >>> found = rank_intervals(scores, confidence=0.9)
    >>> found.low.tolist(), found.high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    level = 1 - check.fraction("confidence", confidence)
    pairs = source if isinstance(source, PairsResult) else all_pairs(source, test=test, correction=correction)
    k = len(pairs.algorithms)
    if len(pairs.adjusted) != k * (k - 1) // 2:
        raise DataError(f"Rank intervals need all {k * (k - 1) // 2} pairs; the result has {len(pairs.adjusted)}.")
    named = registry.CORRECTIONS.get(pairs.correction)
    if k > 2 and named is not None and named.controls != "fwer":  # a single pair needs no correction
        raise DataError(f"Rank intervals need family-wise adjusted p-values; the correction is {pairs.correction!r}.")
    if pairs.alternative != "two-sided":
        raise DataError(f"Rank intervals need two-sided tests; these have the alternative {pairs.alternative!r}.")
    ahead = pairs.better(level)  # where nobody can say who is ahead, no place follows
    better, worse = ahead.sum(axis=0), ahead.sum(axis=1)
    return RankIntervalsResult(
        algorithms=tuple(pairs.algorithms),
        low=1 + better,
        high=k - worse,
        better=better,
        worse=worse,
        mean_ranks=pairs.mean_ranks,
        confidence=confidence,
        test=pairs.test,
        correction=pairs.correction,
        method=pairs.method,
        references=("almohamad2022", *pairs.references),
    )
