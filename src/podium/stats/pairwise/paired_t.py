"""The paired t test over datasets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.table import as_pair
from podium.stats.pairwise.pair_result import PairResult, say_pvalue
from podium.stats.pairwise.student import StudentTest, student, variance

__all__ = ["PairedTResult", "paired_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedTResult(PairResult):
    """The paired t test; `df` degrees of freedom."""

    df: float
    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Paired t test on {self.n} pairs: t = {self.statistic:.4g} with {self.df:g} degrees of freedom, "
            f"{say_pvalue(self.pvalue)}; {self._estimate()}. It takes the differences to be normal and "
            f"commensurable. {self._caution()}"
        )


def paired_t(x: Any, y: Any, *, alternative: str = "two-sided", confidence: float = 0.95) -> PairedTResult:
    """Is the mean of the differences x - y zero?

    Constant differences have no variance: p is 1 if they are 0, and t is infinite (p = 0) if they are not.

    >>> result = paired_t([0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.7, 0.4])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.4495, 0.0917)
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    test = mean_test(pair.differences, alternative=alternative, confidence=confidence)
    return PairedTResult(
        statistic=test.statistic,
        pvalue=test.pvalue,
        alternative=alternative,
        method="Student's t",
        effect=test.mean,
        low=test.low,
        high=test.high,
        confidence=confidence,
        effect_name="mean difference",
        n=pair.n,
        missing=pair.missing,
        df=pair.n - 1,
    )


def mean_test(values: npt.NDArray[np.float64], *, alternative: str, confidence: float) -> StudentTest:
    """The one-sample t test that the mean of the values is zero."""
    n = len(values)
    error = math.sqrt(variance(values) / n)
    mean = float(values.mean()) if error > 0 else float(values[0])
    return student(mean, error, n - 1, alternative=alternative, confidence=confidence)
