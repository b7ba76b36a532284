"""The paired t test over datasets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.table import as_pair
from podium.stats.pairwise.student import StudentResult, mean_test

__all__ = ["PairedTResult", "paired_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedTResult(StudentResult):
    """The paired t test."""

    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Paired t test on {self.n} pairs: {self._tested()}. It takes the differences to be normal and "
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
        **test._asdict(),
        effect_name="mean difference",
        n=pair.n,
        missing=pair.missing,
    )
