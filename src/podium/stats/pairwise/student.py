"""Student's t: the steps that all t tests of two algorithms share."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["StudentTest", "student", "t_pvalues", "variance"]

Floats = npt.NDArray[np.float64]


class StudentTest(NamedTuple):
    """A t statistic, its p-value, and the interval of the mean."""

    mean: float
    statistic: float
    pvalue: float
    low: float
    high: float


def variance(values: Floats) -> float:
    """The sample variance; exactly 0 where all values are equal, without float noise."""
    return 0.0 if len(values) < 2 or (values == values[0]).all() else float(values.var(ddof=1))


def t_pvalues(t: npt.ArrayLike, df: float | Floats, alternative: str) -> Floats:
    """p-values of t statistics (arrays broadcast)."""
    from scipy.special import stdtr

    statistic = np.asarray(t, dtype=np.float64)
    if alternative == "two-sided":
        p = 2.0 * stdtr(df, -np.abs(statistic))
    else:
        p = stdtr(df, statistic if alternative == "less" else -statistic)
    return np.asarray(p, dtype=np.float64)


def student(mean: float, error: float, df: float, *, alternative: str, confidence: float) -> StudentTest:
    """t = mean / standard error.

    Where the error is 0 the differences are constant: a mean of 0 gives t = 0 and p = 1, any other an infinite t.
    """
    from scipy.special import stdtrit

    if error > 0:
        t = mean / error
    else:
        t = 0.0 if mean == 0 else math.copysign(math.inf, mean)
    half = float(stdtrit(df, 0.5 + confidence / 2)) * error
    p = 1.0 if error == 0 and mean == 0 else float(t_pvalues(t, df, alternative))
    return StudentTest(mean=mean, statistic=t, pvalue=min(p, 1.0), low=mean - half, high=mean + half)
