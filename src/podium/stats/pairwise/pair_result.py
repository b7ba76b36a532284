"""What the results of all tests of two algorithms share."""

from __future__ import annotations

import math
from dataclasses import dataclass

from podium.core.result import Result

__all__ = ["PairResult", "say_pvalue"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairResult(Result):
    """A test of two algorithms: the statistic, its p-value, and the difference x - y with an interval.

    `n` complete pairs of scores were used and `missing` left out. `method` begins with "exact", "approximate" or
    "asymptotic" and names what was assumed; `ties` says what was done with equal ones; `effect_name` says what `effect` estimates. `alternative` "greater" is: x is greater.
    """

    statistic: float
    pvalue: float
    alternative: str
    method: str
    effect: float
    low: float
    high: float
    confidence: float
    effect_name: str
    n: int
    missing: int
    ties: str = "scores are used as they are"

    def _estimate(self) -> str:
        """The effect and its interval, for a sentence."""
        if math.isnan(self.low):
            return f"{self.effect_name} {self.effect:.4g} (no interval: the test rejects every shift)"
        return (
            f"{self.effect_name} {self.effect:.4g} "
            f"({100 * self.confidence:g} % interval {self.low:.4g} to {self.high:.4g})"
        )

    def _left_out(self) -> str:
        if not self.missing:
            return ""
        return f" {self.missing} pair{' was' if self.missing == 1 else 's were'} left out for a missing score."

    def _caution(self) -> str:
        """What does not follow: for a large p-value equality, for a small one importance."""
        return (
            "A large p-value would not show that the two are equal, nor a small one that the difference matters."
            + self._left_out()
        )


def say_pvalue(pvalue: float) -> str:
    """A p-value for a sentence.

    >>> say_pvalue(0.01234), say_pvalue(3e-8), say_pvalue(1.0)
    ('p = 0.0123', 'p = 3e-08', 'p = 1')
    """
    return f"p = {pvalue:.3g}"
