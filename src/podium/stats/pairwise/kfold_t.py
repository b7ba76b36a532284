"""The paired t test over the folds of one cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.errors import DesignError
from podium.stats.pairwise.folds import fold_differences
from podium.stats.pairwise.student import StudentResult, mean_test

__all__ = ["KfoldTResult", "kfold_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KfoldTResult(StudentResult):
    """The k-fold cross-validated paired t test on one dataset."""

    method: str = "approximate (Student's t)"
    references: tuple[str, ...] = ("dietterich1998",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"{self.n}-fold cross-validated paired t test: {self._tested()}. It takes the folds to be independent, "
            f"which overlapping training sets are not: it rejects too often, and `corrected_t` does not. "
            f"{self._caution()}"
        )


def kfold_t(x: Any, y: Any, *, alternative: str = "two-sided", confidence: float = 0.95) -> KfoldTResult:
    """Do two algorithms differ on one dataset, by the k folds of one cross-validation?

    Kept for comparison with the literature: overlapping training sets make it reject too often (Dietterich 1998).

    >>> round(kfold_t([0.9, 0.8, 0.85, 0.9], [0.8, 0.8, 0.83, 0.85]).pvalue, 4)
    0.1457
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    differences = fold_differences(x, y)
    if differences.ndim == 2 and differences.shape[0] > 1:
        raise DesignError(
            f"The k-fold t test takes one cross-validation; got {differences.shape[0]} repeats: use `corrected_t`."
        )
    test = mean_test(differences.ravel(), alternative=alternative, confidence=confidence)
    return KfoldTResult(
        **test._asdict(),
        effect_name="mean difference",
        n=differences.size,
        missing=0,
    )
