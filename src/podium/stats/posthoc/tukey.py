"""Tukey's test of all pairs of mean scores, after a repeated-measures analysis of variance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact.studentized_range import range_tail
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import mean_t, run_pool


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """Tukey's test of tables (..., datasets, algorithms)."""
    tested, parts = mean_t(tables)
    q = math.sqrt(2) * tested.statistic
    tail = np.where(np.isinf(q), 0.0, range_tail(np.abs(q), parts.k, parts.df[1]))
    return replace(tested, statistic=q, turned=-q, adjusted=np.maximum(tail, tested.pvalue))


def tukey(table: Any, *, missing: str = "complete", confidence: float = 0.95) -> PairsResult:
    """All pairs of mean scores against the studentized range, datasets as blocks: q = (m_a - m_b) / sqrt(MSE / n).

    The error has (n - 1)(k - 1) degrees of freedom, so that the pairing by datasets is used. `adjusted` controls the
    family-wise error; `pvalue` is that of the pair alone (Student's t with the pooled error).
    """
    return run_pool("tukey", table, missing=missing, confidence=confidence)
