"""Dietterich's 5x2 cv paired t test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.stats.pairwise.folds import five_by_two
from podium.stats.pairwise.student import StudentResult, student

__all__ = ["Cv52TResult", "cv52_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cv52TResult(StudentResult):
    """The 5x2 cv t test on one dataset: the first difference over the pooled deviation, 5 degrees of freedom."""

    method: str = "approximate (Student's t)"
    references: tuple[str, ...] = ("dietterich1998",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"5x2 cv paired t test on one dataset: {self._tested()}. The statistic rests on the first of ten "
            f"differences, so the order of the folds matters; `cv52_f` uses all ten. {self._caution()}"
        )


def cv52_t(x: Any, y: Any, *, alternative: str = "two-sided", confidence: float = 0.95) -> Cv52TResult:
    """Do two algorithms differ on one dataset, by 5 repeats of 2-fold cross-validation (arrays of shape (5, 2))?

    t = d_11 / sqrt(sum_i s_i^2 / 5), s_i^2 the variance of repeat i (Dietterich 1998). No variance at all: p is 1 if
    the first difference is 0, and t is infinite if it is not. The effect is that first difference.
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    d = five_by_two(x, y)
    check.squarable(d)
    error = math.sqrt(float(np.square(d[:, 0] - d[:, 1]).sum()) / 2 / 5)
    test = student(float(d[0, 0]), error, 5, alternative=alternative, confidence=confidence)
    return Cv52TResult(
        **test._asdict(),
        effect_name="difference on the first fold",
        n=10,
        missing=0,
    )
