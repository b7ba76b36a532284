"""The paired t test on relative differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.core.errors import DataError
from podium.core.table import as_pair
from podium.stats.pairwise.student import StudentResult, mean_test

__all__ = ["RelativeTResult", "relative_t"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelativeTResult(StudentResult):
    """The paired t test on (x - y) / (x + y); the effect is the mean of these relative differences."""

    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Paired t test on relative differences of {self.n} pairs: {self._tested()}. It takes relative differences "
            f"to be commensurable and normal. {self._caution()}"
        )


def relative_t(x: Any, y: Any, *, alternative: str = "two-sided", confidence: float = 0.95) -> RelativeTResult:
    """Is the mean of the relative differences (x - y) / (x + y) zero?

    The scores must not be negative; two scores of 0 have the relative difference 0.

    >>> round(relative_t([0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.7, 0.4]).effect, 4)
    0.0814
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    if min(pair.x.min(), pair.y.min()) < 0:
        raise DataError("Relative differences (x - y) / (x + y) need scores that are not negative.")
    total = pair.x + pair.y
    relative = np.where(total > 0, pair.differences / np.where(total > 0, total, 1.0), 0.0)
    test = mean_test(relative, alternative=alternative, confidence=confidence)
    return RelativeTResult(
        **test._asdict(),
        effect_name="mean relative difference",
        n=pair.n,
        missing=pair.missing,
    )
