"""The Bonferroni-Dunn test: a control's mean rank against all others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.stats import registry
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import run_pool, z_tested


def kernel(tables: Floats, *, control: int = 0) -> Tested:
    """The z test against the control of tables (..., datasets, algorithms), where higher is better."""
    _, tested = z_tested(tables, control)
    return replace(tested, adjusted=np.minimum((tables.shape[-1] - 1) * tested.pvalue, 1.0))


def bonferroni_dunn(
    table: Any, control: str, *, correction: str = "bonferroni", missing: str = "complete", confidence: float = 0.95
) -> PairsResult:
    """Every other algorithm (a) against the control (b), by z of their mean ranks: k - 1 comparisons.

    The correction is Bonferroni's, as the name says; Holm and others (any name that `adjust` knows, except those
    for all pairs) are more powerful (Demsar 2006, section 3.2.2).
    """
    registry.fitting(correction, control=True)
    return run_pool("bonferroni_dunn", table, control, correction, missing=missing, confidence=confidence)
