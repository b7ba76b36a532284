"""The paired t test over the folds of one cross-validation."""

from __future__ import annotations

from typing import Any

from podium.core.arrays import Floats
from podium.core.errors import DesignError
from podium.core.words import Alternative
from podium.evidence.design import Design
from podium.stats.pairwise.folds import run_folds
from podium.stats.pairwise.pair_result import PairResult, Tested
from podium.stats.pairwise.paired_t import estimate as estimate
from podium.stats.pairwise.paired_t import mean_test


def kernel(differences: Floats, *, design: Design | None = None, alternative: str = "two-sided") -> Tested:
    """The t test of differences (..., folds) of one cross-validation."""
    if design is not None and design.repeats > 1:
        raise DesignError(
            f"The k-fold t test takes one cross-validation; got {design.repeats} repeats: use `corrected_t`."
        )
    return mean_test(differences, alternative, method="approximate (Student's t)")


def kfold_t(x: Any, y: Any, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairResult:
    """Do two algorithms differ on one dataset, by the k folds of one cross-validation?

    Here for comparison with the literature: overlapping training sets make it reject too often (Dietterich 1998).

    Parameters
    ----------
    x, y : array-like of shape (folds,)
        Scores of the two algorithms on the same folds.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that `x` is greater.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> round(kfold_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.8, 0.83, 0.85]).pvalue, 4)
    0.1457
    """
    return run_folds("kfold_t", x, y, alternative=alternative, confidence=confidence)
