"""The paired t test over datasets, and what all t tests of two algorithms share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats
from podium.core.ranks import TIE
from podium.core.words import Alternative
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair
from podium.stats.student import student as student_pvalues
from podium.stats.student import student_ends


def moments(values: Floats) -> tuple[Floats, Floats, Floats]:
    """How many, the mean and the sample variance over the last axis, nan left out.

    Constant values have a variance of exactly 0, and values that cancel out a mean of 0: float noise does not decide who is ahead.
    """
    check.magnitude(values)
    present = ~np.isnan(values)
    n = present.sum(axis=-1).astype(np.float64)
    low, high = np.fmin.reduce(values, axis=-1), np.fmax.reduce(values, axis=-1)
    mean = np.where(low == high, low, np.where(present, values, 0.0).sum(axis=-1) / n)
    mean = np.where(np.abs(mean) <= TIE * np.fmax(np.abs(low), np.abs(high)), 0.0, mean)
    squares = np.square(np.where(present, values - mean[..., None], 0.0)).sum(axis=-1)
    return n, mean, np.where(low == high, 0.0, squares / np.maximum(n - 1, 1))


def student(mean: Floats, error: Floats, df: npt.ArrayLike, alternative: str, method: str) -> Tested:
    """t = mean / standard error, by Student's law.

    Where the error is 0 the differences are constant: a mean of 0 gives t = 0 and p = 1, any other an infinite t, and the
    p-value of the sign test.
    """
    degrees = np.broadcast_to(np.asarray(df, dtype=np.float64), mean.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0, 0.0, mean / error)
    pvalue = np.minimum(student_pvalues(mean, error, degrees, alternative), 1.0)
    return Tested(statistic=t, pvalue=pvalue, side=np.sign(t), method=method, details={"df": degrees})


def mean_test(
    values: Floats, alternative: str, factor: float | None = None, method: str = "exact under normality (Student's t)"
) -> Tested:
    """The t test that the mean over the last axis is 0; the mean has the variance factor * s^2, by default s^2 / n."""
    n, mean, variance = moments(values)
    return student(mean, np.sqrt((1 / n if factor is None else factor) * variance), n - 1, alternative, method)


def mean_interval(values: Floats, confidence: float, factor: float | None = None) -> tuple[Floats, ...]:
    """The mean over the last axis with Student's interval."""
    n, mean, variance = moments(values)
    error = np.sqrt((1 / n if factor is None else factor) * variance)
    return mean, *student_ends(mean, error, n - 1, 1 - confidence)


def kernel(differences: Floats, *, alternative: str = "two-sided") -> Tested:
    """The t test of differences (..., n)."""
    return mean_test(differences, alternative)


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The mean with Student's interval."""
    return mean_interval(differences, confidence)


def paired_t(x: Any, y: Any, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairResult:
    """Is the mean of the differences x - y zero?

    Constant differences have no variance: p is 1 if they are 0; if they are not, t is infinite and p that of the sign test.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
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
    >>> result = paired_t([0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.7, 0.4])
    >>> round(result.statistic, 4), round(result.pvalue, 4), result.details["df"]
    (2.4495, 0.0917, 3.0)
    """
    return run_pair("paired_t", x, y, alternative=alternative, confidence=confidence)
