"""Webb's geometric mean ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.core.errors import DataError
from podium.core.ranks import settle
from podium.core.table import as_pair
from podium.stats.pairwise.pair_result import PairResult, say_pvalue
from podium.stats.pairwise.student import mean_test

__all__ = ["GeometricRatioResult", "geometric_ratio"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GeometricRatioResult(PairResult):
    """The geometric mean of the ratios x / y (the effect) and the t test that it is 1."""

    df: float
    references: tuple[str, ...] = ("webb2000", "demsar2006")

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Geometric mean ratio of {self.n} pairs: {self._estimate()}; t = {self.statistic:.4g} on the logarithms "
            f"with {self.df:g} degrees of freedom, {say_pvalue(self.pvalue)}. Ratios of accuracies and of errors "
            f"give different answers. {self._caution()}"
        )


def geometric_ratio(
    x: Any, y: Any, *, alternative: str = "two-sided", confidence: float = 0.95
) -> GeometricRatioResult:
    """Is the geometric mean of the ratios x / y one? Webb uses it on errors, where it must not be 0.

    >>> round(geometric_ratio([0.1, 0.2, 0.4], [0.2, 0.2, 0.2]).effect, 4)
    1.0
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    if min(pair.x.min(), pair.y.min()) <= 0:
        raise DataError("Ratios need scores above 0: an error of 0 has none; use `wilcoxon`.")
    logs = settle(np.log(pair.x) - np.log(pair.y), scale=1.0)
    test = mean_test(logs, alternative=alternative, confidence=confidence)
    with np.errstate(over="ignore"):  # a ratio that no float can hold is infinite
        effect, low, high = np.exp([test.effect, test.low, test.high]).tolist()
    return GeometricRatioResult(
        statistic=test.statistic,
        pvalue=test.pvalue,
        alternative=alternative,
        method="exact under log-normality (Student's t)",
        effect=effect,
        low=low,
        high=high,
        confidence=confidence,
        effect_name="geometric mean ratio",
        n=pair.n,
        missing=pair.missing,
        df=pair.n - 1,
    )
