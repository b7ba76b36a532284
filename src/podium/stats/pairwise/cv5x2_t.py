"""Dietterich's 5x2 cv paired t test."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.words import Alternative
from podium.evidence.design import Design
from podium.stats.pairwise.folds import five_by_two, run_folds, within_repeats
from podium.stats.pairwise.pair_result import PairResult, Tested
from podium.stats.pairwise.paired_t import student
from podium.stats.student import student_ends


def kernel(differences: Floats, *, design: Design | None = None, alternative: str = "two-sided") -> Tested:
    """The 5x2 cv t test of differences (..., 10): the first over the pooled deviation, 5 degrees of freedom."""
    five_by_two(design, differences.shape[-1])
    return student(differences[..., 0], _error(differences), 5, alternative, "approximate (Student's t)")


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The first difference with Student's interval."""
    first = differences[..., 0]
    return first, *student_ends(first, _error(differences), 5, 1 - confidence)


def _error(differences: Floats) -> Floats:
    """sqrt(sum_i s_i^2 / 5)."""
    check.magnitude(differences)
    return np.sqrt(within_repeats(differences) / 2 / 5)


def cv5x2_t(x: Any, y: Any, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairResult:
    """Do two algorithms differ on one dataset, by 5 repeats of 2-fold cross-validation (arrays of shape (5, 2))?

    t = d_11 / sqrt(sum_i s_i^2 / 5), s_i^2 the variance of repeat i (Dietterich 1998). No variance at all: p is 1 if
    the first difference is 0, and t is infinite if it is not. The effect is that first difference.

    Parameters
    ----------
    x, y : array-like of shape (5, 2)
        Scores of the two algorithms on 5 repeats of 2-fold cross-validation.
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
    >>> x = [[0.90, 0.80], [0.85, 0.82], [0.88, 0.81], [0.86, 0.84], [0.89, 0.83]]
    >>> y = [[0.80, 0.80], [0.83, 0.80], [0.84, 0.80], [0.80, 0.81], [0.85, 0.80]]
    >>> round(cv5x2_t(x, y).statistic, 3)
    2.899
    """
    return run_folds("cv5x2_t", x, y, alternative=alternative, confidence=confidence)
