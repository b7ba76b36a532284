"""Exact test of all pairs of Friedman rank sums (Eisinga, Heskes, Pelzer and Te Grotenhuis 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.pairs import pair_indices
from podium.stats.exact.rank_sum_difference import two_sided_pvalues
from podium.stats.omnibus.blocks import ranks_of
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import rank_tested, run_pool


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """The exact test of tables (..., datasets, algorithms), where higher is better, one table after the other."""
    ranks = ranks_of(tables)
    sums = ranks.sum(axis=-2)
    a, b = pair_indices(tables.shape[-1])
    differences = sums[..., a] - sums[..., b]
    every = zip(ranks.reshape(-1, *tables.shape[-2:]), differences.reshape(-1, len(a)), strict=True)
    raw = np.array([two_sided_pvalues(own, asked) for own, asked in every]).reshape(differences.shape)
    ties = "mean ranks within datasets; the exact distribution is conditional on them"
    return rank_tested(differences, raw, method="exact", ties=ties)


def rank_sums(
    table: Any, *, correction: str = "holm", missing: str = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by the exact distribution of the difference of two rank sums, with all orders of the algorithms equally likely.

    The mean-ranks test without its normal approximation, which is poor for few datasets and small p-values.
    Ties are kept: the distribution is that of the ranks as they are. `statistic` is the difference of rank sums.
    """
    return run_pool("rank_sums", table, None, correction, missing=missing, confidence=confidence)
