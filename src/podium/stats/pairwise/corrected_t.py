"""The corrected resampled t test of Nadeau and Bengio, for any repeats, folds and test sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.design import Design
from podium.core.errors import DesignError
from podium.stats.pairwise.folds import fold_differences
from podium.stats.pairwise.student import StudentResult, mean_test

__all__ = ["CorrectedTResult", "corrected_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CorrectedTResult(StudentResult):
    """The corrected t test on one dataset; `rho` is the share of test cases."""

    repeats: int
    folds: int
    rho: float
    method: str = "approximate (Student's t)"
    references: tuple[str, ...] = ("nadeau2003", "benavoli2017")

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Corrected resampled t test on {self.repeats} x {self.folds} folds of one dataset: {self._tested()}. "
            f"It speaks of this dataset only. {self._caution()}"
        )


def corrected_t(
    x: Any,
    y: Any,
    *,
    design: Design | None = None,
    test_fraction: float | None = None,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> CorrectedTResult:
    """Do two algorithms differ on one dataset, when training sets overlap?

    The variance of the mean of J differences is (1/J + n_test/n_train) s^2 instead of s^2/J (Nadeau, Bengio 2003).
    Arrays of shape (repeats, folds) are cross-validation, whose n_test/n_train is 1/(folds - 1); for flat arrays
    of random splits give `test_fraction` (0.3 for 70/30 splits) or a `design`. No variance: p is 1 if all
    differences are 0, and t is infinite if they are constant but not 0.

    >>> x = [[0.9, 0.8], [0.85, 0.82]]; y = [[0.8, 0.8], [0.83, 0.8]]
    >>> round(corrected_t(x, y).pvalue, 4)
    0.5311
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    differences = fold_differences(x, y)
    chosen = _design(differences.shape, design, test_fraction)
    factor = 1 / differences.size + chosen.rho / (1 - chosen.rho)
    test = mean_test(differences.ravel(), alternative=alternative, confidence=confidence, factor=factor)
    return CorrectedTResult(
        **test._asdict(),
        effect_name="mean difference",
        n=differences.size,
        missing=0,
        repeats=chosen.repeats,
        folds=chosen.folds,
        rho=chosen.rho,
    )


def _design(shape: tuple[int, ...], design: Design | None, test_fraction: float | None) -> Design:
    """The design of the scores, from what was said and from their shape."""
    if test_fraction is not None:
        check.fraction("test_fraction", test_fraction)
    if design is not None:
        if not isinstance(design, Design):
            raise DesignError(
                f"`design` must be a podium.Design, such as Design(repeats=10, folds=10); got {design!r}."
            )
        if test_fraction is not None:
            raise DesignError("Give `design` or `test_fraction`, not both: a design has its own share of test cases.")
        if math.prod(shape) != design.n_scores or (len(shape) == 2 and shape != (design.repeats, design.folds)):
            raise DesignError(
                f"A design of {design.repeats} x {design.folds} folds does not fit scores of shape {shape}."
            )
        return design
    if len(shape) == 2:
        return Design(repeats=shape[0], folds=shape[1], test_fraction=test_fraction)
    return Design(repeats=shape[0], folds=1, test_fraction=test_fraction)
