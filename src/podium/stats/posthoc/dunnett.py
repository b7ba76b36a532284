"""Dunnett's test of a control's mean score against all others, after a repeated-measures analysis of variance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact.studentized_range import dunnett_tail
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import mean_t, run_pool


def kernel(tables: Floats, *, control: int = 0) -> Tested:
    """Dunnett's test against the control of tables (..., datasets, algorithms)."""
    tested, parts = mean_t(tables, control)
    t = np.abs(tested.statistic)
    tail = np.where(np.isinf(t), 0.0, dunnett_tail(t, parts.k - 1, parts.df[1]))
    return replace(tested, adjusted=np.maximum(tail, tested.pvalue))


def dunnett(table: Any, control: str, *, missing: str = "complete", confidence: float = 0.95) -> PairsResult:
    """Each other mean score (a) against the control's (b): t = (m_a - m_b) / sqrt(2 MSE / n), datasets as blocks.

    `adjusted` is the chance that the largest of the k - 1 correlated |t| exceeds the observed one, by quadrature:
    the same number each time, unlike a simulated multivariate t.
    """
    return run_pool("dunnett", table, control, missing=missing, confidence=confidence)
