"""Dunnett's test of a control's mean score against all others, after a repeated-measures analysis of variance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact.studentized_range import dunnett_tail, quantile
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import mean_t, run_pool


def kernel(tables: Floats, *, control: int = 0) -> Tested:
    """Dunnett's test against the control of tables (..., datasets, algorithms)."""
    tested, parts = mean_t(tables, control)
    t = np.abs(tested.statistic)
    tail = np.where(np.isinf(t), 0.0, dunnett_tail(t, parts.k - 1, parts.df[1]))
    return replace(tested, adjusted=np.maximum(tail, tested.pvalue))


def critical_t(k: int, df: float, alpha: float) -> float:
    """The |t| that the largest of k - 1 comparisons with a control exceeds with probability `alpha`."""
    return quantile(lambda t: float(dunnett_tail(t, k - 1, df)), alpha)


def dunnett(table: Any, control: str, *, missing: str = "complete", confidence: float = 0.95) -> PairsResult:
    """Every other mean score (a) against the control's (b): t = (m_a - m_b) / sqrt(2 MSE / n), datasets as blocks.

    `adjusted` is the chance that the largest of the k - 1 correlated |t| exceeds the observed one, by quadrature:
    the same number each time, unlike a simulated multivariate t. The intervals are Dunnett's own: they hold together.
    """
    return run_pool("dunnett", table, control, missing=missing, confidence=confidence)
