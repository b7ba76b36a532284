"""Tukey's test of all pairs of mean scores, after a repeated-measures analysis of variance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact.studentized_range import quantile, range_tail
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import mean_t, run_pool


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """Tukey's test of tables (..., datasets, algorithms)."""
    tested, parts = mean_t(tables)
    q = math.sqrt(2) * tested.statistic
    tail = np.where(np.isinf(q), 0.0, range_tail(np.abs(q), parts.k, parts.df[1]))
    return replace(tested, statistic=q, adjusted=np.maximum(tail, tested.pvalue))


def critical_t(k: int, df: float, alpha: float) -> float:
    """The |t| of a pair that the studentized range exceeds with probability `alpha`: its simultaneous intervals."""
    return quantile(lambda q: float(range_tail(q, k, df)), alpha) / math.sqrt(2)


def tukey(table: Any, *, missing: str = "complete", confidence: float = 0.95) -> PairsResult:
    """All pairs of mean scores against the studentized range, datasets as blocks: q = (m_a - m_b) / sqrt(MSE / n).

    The error has (n - 1)(k - 1) degrees of freedom, so that the pairing by datasets is used. `adjusted` controls the
    family-wise error; `pvalue` is that of the pair alone (Student's t with the pooled error). The intervals are Tukey's
    own: they hold together, and exclude 0 exactly where `adjusted` is below 1 - confidence. Where there is no error at all,
    n datasets that agree say as much as in the sign test: both p-values are 2^(1 - n).
    """
    return run_pool("tukey", table, missing=missing, confidence=confidence)
