"""Student's t: the steps that all t tests of two algorithms share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.stats.pairwise.pair_result import PairResult, say_pvalue

__all__ = ["StudentResult", "StudentTest", "mean_test", "student", "t_pvalues", "variance"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudentResult(PairResult):
    """A t test of two algorithms with `df` degrees of freedom."""

    df: float
    method: str = "exact under normality (Student's t)"

    def _tested(self) -> str:
        """The statistic, the p-value and the effect, for a sentence."""
        return (
            f"t = {self.statistic:.4g} with {self.df:g} degrees of freedom, {say_pvalue(self.pvalue)}; "
            f"{self._estimate()}"
        )


class StudentTest(NamedTuple):
    """The numbers of a t test, under the names that results give them."""

    statistic: float
    pvalue: float
    effect: float
    low: float
    high: float
    df: float
    alternative: str
    confidence: float


def variance(values: Floats) -> float:
    """The sample variance; exactly 0 where all values are equal, without float noise."""
    check.squarable(values)
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
    return StudentTest(
        statistic=t,
        pvalue=min(p, 1.0),
        effect=mean,
        low=mean - half,
        high=mean + half,
        df=df,
        alternative=alternative,
        confidence=confidence,
    )


def mean_test(values: Floats, *, alternative: str, confidence: float, factor: float | None = None) -> StudentTest:
    """The t test that the mean of the values is zero; the mean has the variance factor * s^2, by default s^2 / n."""
    n, spread = len(values), variance(values)
    mean = float(values.mean()) if spread > 0 else float(values[0])
    error = math.sqrt((1 / n if factor is None else factor) * spread)
    return student(mean, error, n - 1, alternative=alternative, confidence=confidence)
