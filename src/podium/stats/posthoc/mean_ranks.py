"""The mean-ranks test: z of two mean ranks, for all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr

from podium.stats.corrections import adjust
from podium.stats.posthoc.posthoc_result import PosthocResult
from podium.stats.posthoc.rank_differences import Floats, RankPairs, rank_pairs

__all__ = ["mean_ranks"]


def mean_ranks(table: Any, *, correction: str = "holm", missing: str = "complete") -> PosthocResult:
    """All pairs by z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)), corrected by any name `adjust` knows.

    Here for comparison with published work: the verdict on a pair depends on the pool, and the variance is that
    under the hypothesis that all algorithms are equal. `all_pairs` looks at the two alone.
    """

    def compute(pairs: RankPairs) -> tuple[Floats, Floats, Floats]:
        z = pairs.z
        raw = np.minimum(2 * ndtr(-np.abs(z)), 1.0)
        return z, raw, adjust(raw, correction, n_algorithms=pairs.ranks.shape[1])

    return rank_pairs(
        table,
        test="Mean-ranks test",
        compute=compute,
        correction=correction,
        missing=missing,
        references=("mcdonald1967", "demsar2006", "benavoli2016"),
    )
