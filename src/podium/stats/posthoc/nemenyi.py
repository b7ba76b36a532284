"""Nemenyi's test: all pairs of mean ranks against the studentized range."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats.exact.studentized_range import range_tail
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import run_pool, z_tested


def kernel(tables: Floats, *, control: None = None) -> Tested:
    """Nemenyi's test of tables (..., datasets, algorithms), where higher is better."""
    z, tested = z_tested(tables)
    q = math.sqrt(2) * z
    adjusted = np.maximum(range_tail(np.abs(q), tables.shape[-1]), tested.pvalue)
    return replace(tested, statistic=q, adjusted=adjusted)


def nemenyi(table: Any, *, missing: str = "complete", confidence: float = 0.95) -> PairsResult:
    """Nemenyi's test of all pairs of algorithms after Friedman's: q = |R_a - R_b| / sqrt(k (k + 1) / (12 n)).

    `adjusted` is the chance that the largest of all differences of mean ranks exceeds the observed one (studentized
    range at infinite degrees, computed for any k): it controls the family-wise error by itself. `pvalue` is that of
    the pair alone. Some books call "Nemenyi" what here is `mean_ranks(correction='bonferroni')`.
    """
    return run_pool("nemenyi", table, missing=missing, confidence=confidence)
