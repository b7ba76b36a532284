"""Equivalence and non-inferiority on the same cases: two one-sided tests, from the intervals that the test has anyway.

Two algorithms are equivalent where the interval of their difference with the confidence 1 - 2 alpha lies within
the rope, and a is non-inferior to b where its lower end lies above minus the rope (Schuirmann 1987). Of m pairs each
is asked at alpha / m.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from podium.core import numbers
from podium.core.arrays import Floats
from podium.core.metric import Metric
from podium.core.pairs import Pairs, swapped, turned_interval
from podium.core.quantity import Quantity
from podium.core.result import Result
from podium.stats.posthoc.compared import Gains
from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseEquivalence(Pairs):
    """For every pair the interval of the gain of a over b (above 0: a is better), and what lies outside or within the rope.

    `equivalent` is 1 where the whole interval lies within the rope, `not_worse` where a is at most the rope worse than b,
    `not_better` where it is at most the rope better. All hold together with the probability 1 - alpha.
    """

    title: ClassVar[str] = "Equivalence on the same cases"
    COLUMNS: ClassVar[tuple[str, ...]] = ("gain", "low", "high", "equivalent", "not_worse", "not_better")
    TURNED: ClassVar[dict[str, tuple[int, str]]] = {**turned_interval("gain"), **swapped("not_worse", "not_better")}

    rope: float
    alpha: float
    confidence: float
    gain: Floats
    low: Floats
    high: Floats
    metric: Metric

    @property
    def equivalent(self) -> Floats:
        """1 where the two differ significantly by less than the rope."""
        return ((self.low > -self.rope) & (self.high < self.rope)).astype(np.float64)

    @property
    def not_worse(self) -> Floats:
        """1 where a is significantly less than the rope worse than b."""
        return (self.low > -self.rope).astype(np.float64)

    @property
    def not_better(self) -> Floats:
        """1 where a is significantly less than the rope better than b."""
        return (self.high < self.rope).astype(np.float64)

    def pair(self, a: str, b: str) -> Result:
        """These two only, seen from a."""
        row, turned = self.position(a, b)
        own: dict[str, Any] = {
            name: self.values(name, turned=turned)[row : row + 1] for name in ("gain", "low", "high")
        }
        return replace(self, algorithms=(a, b), first=np.array([0]), second=np.array([1]), control=None, **own)

    def summary(self) -> str:
        """Which are equivalent, and which non-inferior."""
        return self.summary_in(Quantity())

    def summary_in(self, quantity: Quantity) -> str:
        """The same, with the rope and the gains as the quantity is written."""
        rope, level = quantity.precise(self.rope), numbers.as_given(self.alpha)
        asked = f"two one-sided tests, rope {rope}, level {level}"
        if self.n_pairs == 1:
            a, b = self.names[0]
            inside = f"{numbers.percent(self.confidence)} interval of the gain of {a} {quantity.precise(self.low[0], self.high[0])}"
            if self.equivalent[0]:
                said = f"{a} and {b} are equivalent within {rope}"
            elif self.low[0] > self.rope or self.high[0] < -self.rope:
                one, other = (a, b) if self.low[0] > self.rope else (b, a)
                said = f"{one} is significantly better than {other}, by more than {rope}"
            elif self.not_worse[0] or self.not_better[0]:
                one, other = (a, b) if self.not_worse[0] else (b, a)
                said = f"{one} is non-inferior to {other} with the margin {rope}"
            else:
                said = f"inconclusive; neither is non-inferior with the margin {rope}"
            return f"Equivalence of {a} and {b} ({asked}): {said} ({inside}). No evidence of equivalence is not evidence of a difference."
        equivalent = int(self.equivalent.sum())
        one_sided = int((np.maximum(self.not_worse, self.not_better) - self.equivalent).sum())
        return (
            f"Equivalence of {numbers.counted(self.n_pairs, 'pair')} ({asked}, simultaneous): {equivalent} equivalent within "
            f"{rope}; in {one_sided} others one of the two is non-inferior. No evidence of equivalence is not evidence of a difference."
        )


def case_equivalence(gains: Gains, pairs: PairsResult, *, rope: float, alpha: float) -> CaseEquivalence:
    """What the intervals of a kernel say of the equivalence of these pairs, simultaneously."""
    level = 2 * alpha / pairs.n_pairs
    low, high = gains.ends(level)
    same = ("algorithms", "first", "second", "control", "metric")
    return CaseEquivalence(
        **{name: getattr(pairs, name) for name in same},
        rope=rope,
        alpha=alpha,
        confidence=1 - level,
        gain=gains.effect,
        low=low,
        high=high,
        references=("schuirmann1987",),
    )
