"""Webb's geometric mean ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.ranks import settle, subtract
from podium.core.words import Alternative
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair
from podium.stats.pairwise.paired_t import mean_interval, mean_test


def contrast(x: Floats, y: Floats) -> Floats:
    """The logarithm of x / y."""
    if min(np.nanmin(x), np.nanmin(y)) <= 0:
        raise DataError("Ratios need scores above 0: an error of 0 has none; use `wilcoxon`.")
    return settle(np.where(subtract(x, y) == 0, 0.0, np.log(x) - np.log(y)), scale=1.0)


def kernel(differences: Floats, *, alternative: str = "two-sided") -> Tested:
    """The t test of the logarithms of ratios (..., n)."""
    return mean_test(differences, alternative, method="exact under log-normality (Student's t)")


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The geometric mean of the ratios; one that no float can hold is infinite."""
    with np.errstate(over="ignore"):
        return tuple(np.exp(end) for end in mean_interval(differences, confidence))


def geometric_ratio(x: Any, y: Any, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairResult:
    """Is the geometric mean of the ratios x / y equal to one? Webb uses it on errors, none of which may be 0.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset, all above 0.
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
    >>> round(geometric_ratio([0.1, 0.2, 0.4], [0.2, 0.2, 0.2]).effect, 4)
    1.0
    """
    return run_pair("geometric_ratio", x, y, alternative=alternative, confidence=confidence)
