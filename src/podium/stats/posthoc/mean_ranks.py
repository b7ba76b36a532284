"""The mean-ranks test: z of two mean ranks, for all pairs."""

from __future__ import annotations

from typing import Any

from podium.core.arrays import Floats
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import run_pool, z_tested


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """The z test of tables (..., datasets, algorithms), where higher is better."""
    return z_tested(tables)[1]


def mean_ranks(
    table: Any, *, correction: str = "holm", missing: str = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)), corrected by any name `adjust` knows.

    It is here for comparison with published work: the verdict on a pair depends on the pool, and the variance is that
    under the hypothesis that all algorithms are equal. `all_pairs` looks at the two alone.
    """
    return run_pool("mean_ranks", table, None, correction, missing=missing, confidence=confidence)
