"""Exact test of all pairs of Friedman rank sums (Eisinga, Heskes, Pelzer and Te Grotenhuis 2017)."""

from __future__ import annotations

from typing import Any

from podium.stats.corrections import adjust
from podium.stats.exact.rank_sum_difference import two_sided_pvalues
from podium.stats.posthoc.posthoc_result import PosthocResult
from podium.stats.posthoc.rank_differences import POOL, Floats, RankPairs, rank_pairs

__all__ = ["rank_sums"]


def rank_sums(table: Any, *, correction: str = "holm", missing: str = "complete") -> PosthocResult:
    """All pairs by the exact law of the difference of two rank sums, under equally likely orders of all algorithms.

    The mean-ranks test without its normal approximation, which is poor for few datasets and small p-values.
    Ties are kept: the law is that of the ranks as they are. `statistic` is the difference of rank sums.
    """

    def compute(pairs: RankPairs) -> tuple[Floats, Floats, Floats]:
        sums = pairs.ranks.sum(axis=0)
        difference = sums[pairs.a] - sums[pairs.b]
        raw = two_sided_pvalues(pairs.ranks, difference)
        return difference, raw, adjust(raw, correction, n_algorithms=pairs.ranks.shape[1])

    return rank_pairs(
        table,
        test="Exact test of rank sums",
        compute=compute,
        correction=correction,
        method="exact",
        missing=missing,
        ties="mean ranks within datasets; the exact law is conditional on them",
        caution=f"The law assumes that all algorithms of the pool are equal. {POOL}",
        references=("eisinga2017", "benavoli2016"),
    )
