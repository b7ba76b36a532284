"""Nemenyi's test: all pairs of mean ranks against the studentized range."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from podium.stats.exact.studentized_range import range_tail
from podium.stats.posthoc.posthoc_result import PosthocResult
from podium.stats.posthoc.rank_differences import Floats, RankPairs, mean_rank_z, rank_pairs

__all__ = ["nemenyi", "nemenyi_pvalues"]


def nemenyi_pvalues(mean_ranks: npt.ArrayLike, n_datasets: int) -> Floats:
    """Nemenyi's p-values from mean ranks (..., k) -> (..., k (k-1) / 2); broadcasts over leading axes.

    >>> nemenyi_pvalues([2.1, 3.25, 2.2, 4.333, 3.117], 30)[:2].round(4)
    array([0.039 , 0.9992])
    """
    means = np.asarray(mean_ranks, dtype=np.float64)
    return range_tail(np.abs(mean_rank_z(means, n_datasets)) * math.sqrt(2), means.shape[-1])


def nemenyi(table: Any, *, missing: str = "complete") -> PosthocResult:
    """Nemenyi's test of all pairs of algorithms after Friedman's: q = |R_a - R_b| / sqrt(k (k + 1) / (12 n)).

    `adjusted` is the chance that the largest of all differences of mean ranks exceeds the observed one (studentized
    range at infinite degrees, computed for any k): it controls the family-wise error by itself. `pvalue` is that of
    the pair alone. Some books call "Nemenyi" what here is `mean_ranks(correction='bonferroni')`.
    """
    return rank_pairs(
        table,
        test="Nemenyi's test",
        compute=_compute,
        correction="studentized range",
        missing=missing,
        references=("nemenyi1963", "demsar2006", "benavoli2016"),
    )


def _compute(pairs: RankPairs) -> tuple[Floats, Floats, Floats]:
    z = pairs.z
    raw = 2 * ndtr(-np.abs(z))
    adjusted = range_tail(np.abs(z) * math.sqrt(2), pairs.ranks.shape[1])
    return z * math.sqrt(2), raw, np.maximum(adjusted, raw)
