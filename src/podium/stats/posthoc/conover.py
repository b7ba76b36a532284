"""Conover's test: all pairs of rank sums by Student's t, after Friedman's test."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.pairs import pair_indices
from podium.stats.exact.friedman import perfect_agreement_pvalue
from podium.stats.omnibus.blocks import ranks_of
from podium.stats.pairwise.pair_result import Tested
from podium.stats.pairwise.paired_t import student
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import rank_tested, run_pool


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """Conover's test of tables (..., datasets, algorithms), where higher is better."""
    ranks = ranks_of(tables)
    n, k = tables.shape[-2:]
    sums = ranks.sum(axis=-2)
    left = n * np.square(ranks).sum(axis=(-2, -1)) - np.square(sums).sum(axis=-1)
    left = np.where(left < 1e-9 * n, 0.0, left)
    a, b = pair_indices(k)
    differences, df = sums[..., a] - sums[..., b], (n - 1) * (k - 1)
    error = np.broadcast_to(np.sqrt(2 * left / df)[..., None], differences.shape)
    found = student(differences, error, df, "two-sided", "asymptotic")
    raw = found.pvalue
    for where in np.argwhere(left == 0):  # all datasets agree: t is infinite, but so much agreement has a chance
        at = tuple(where)
        raw[at] = np.where(differences[at] == 0, 1.0, perfect_agreement_pvalue(ranks[at]))
    ties = "mean ranks within datasets; the error follows from the ranks as they are"
    return rank_tested(found.statistic, raw, ties=ties, details={"df": df})


def conover(
    table: Any, *, correction: str = "holm", missing: str = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by t = (R_a - R_b) / sqrt(2 (n A - sum R_j^2) / ((n - 1)(k - 1))), R rank sums, A the sum of squared ranks.

    The error is what the algorithms' rank sums leave (Conover 1999, section 5.8), so the test is more powerful than
    the mean-ranks test once some algorithms differ; it is meant for use after Friedman's test has rejected.
    """
    return run_pool("conover", table, None, correction, missing=missing, confidence=confidence)
