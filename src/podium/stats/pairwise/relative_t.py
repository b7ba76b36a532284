"""The paired t test on relative differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.ranks import subtract
from podium.core.words import Alternative
from podium.stats.pairwise.pair_result import PairResult, run_pair
from podium.stats.pairwise.paired_t import estimate as estimate
from podium.stats.pairwise.paired_t import kernel as kernel


def contrast(x: Floats, y: Floats) -> Floats:
    """(x - y) / (x + y); 0 where both are 0."""
    if min(np.nanmin(x), np.nanmin(y)) < 0:
        raise DataError("Relative differences (x - y) / (x + y) need scores that are not negative.")
    total = x + y
    return np.where(total == 0, 0.0, subtract(x, y) / np.where(total == 0, 1.0, total))


def relative_t(x: Any, y: Any, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairResult:
    """Is the mean of the relative differences (x - y) / (x + y) zero?

    The scores must not be negative; two scores of 0 have the relative difference 0.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset, none negative.
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
    >>> round(relative_t([0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.7, 0.4]).effect, 4)
    0.0814
    """
    return run_pair("relative_t", x, y, alternative=alternative, confidence=confidence)
