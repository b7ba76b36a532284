"""Equivalence and non-inferiority on the same cases: two one-sided tests, from the intervals that the test has anyway.

Two algorithms are shown to be equivalent where the interval of their difference with the confidence 1 - 2 alpha lies within
the rope, and a is shown not to be worse than b where its lower end lies above minus the rope (Schuirmann 1987). Of m pairs each
is asked at alpha / m.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from podium.cases.pair_kernels import CasePair
from podium.core import numbers
from podium.core.arrays import Floats, Indices
from podium.core.metric import Metric
from podium.core.pairs import Pairs
from podium.core.result import Result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseEquivalence(Pairs):
    """For every pair the interval of the gain of a over b (above 0: a is better), and what lies outside or within the rope.

    `equivalent` is 1 where the whole interval lies within the rope, `not_worse` where a is at most the rope worse than b,
    `not_better` where it is at most the rope better. All hold together with the probability 1 - alpha.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ("gain", "low", "high", "equivalent", "not_worse", "not_better")
    TURNED: ClassVar[dict[str, tuple[int, str]]] = {
        "gain": (-1, "gain"),
        "low": (-1, "high"),
        "high": (-1, "low"),
        "not_worse": (1, "not_better"),
        "not_better": (1, "not_worse"),
    }

    rope: float
    alpha: float
    confidence: float
    gain: Floats
    low: Floats
    high: Floats
    metric: Metric

    @property
    def equivalent(self) -> Floats:
        """1 where the two are shown to differ by less than the rope."""
        return ((self.low > -self.rope) & (self.high < self.rope)).astype(np.float64)

    @property
    def not_worse(self) -> Floats:
        """1 where a is shown to be at most the rope worse than b."""
        return (self.low > -self.rope).astype(np.float64)

    @property
    def not_better(self) -> Floats:
        """1 where a is shown to be at most the rope better than b."""
        return (self.high < self.rope).astype(np.float64)

    @property
    def title(self) -> str:
        """The heading of its report."""
        return "Equivalence on the same cases"

    def pair(self, a: str, b: str) -> Result:
        """The two alone, seen from a."""
        row, turned = self.position(a, b)
        low, high = (self.values(name, turned=turned)[row : row + 1] for name in ("low", "high"))
        return CaseEquivalence(
            algorithms=(a, b),
            first=np.array([0]),
            second=np.array([1]),
            rope=self.rope,
            alpha=self.alpha,
            confidence=self.confidence,
            gain=self.values("gain", turned=turned)[row : row + 1],
            low=low,
            high=high,
            metric=self.metric,
            references=self.references,
        )

    def summary(self) -> str:
        """Which are shown to be equivalent, and which not to be worse."""
        rope, level = numbers.number(self.rope, 4), numbers.as_given(self.alpha)
        asked = f"two one-sided tests, rope {rope}, level {level}"
        if self.n_pairs == 1:
            a, b = self.names[0]
            inside = f"{numbers.percent(self.confidence)} interval of the gain of {a} {numbers.interval(self.low[0], self.high[0], 4)}"
            if self.equivalent[0]:
                said = f"{a} and {b} are shown to differ by less than {rope}"
            elif self.low[0] > self.rope or self.high[0] < -self.rope:
                one, other = (a, b) if self.low[0] > self.rope else (b, a)
                said = f"{one} is shown to be better than {other} by more than {rope}"
            elif self.not_worse[0] or self.not_better[0]:
                one, other = (a, b) if self.not_worse[0] else (b, a)
                said = f"{one} is shown to be at most {rope} worse than {other}"
            else:
                said = f"neither is shown to be at most {rope} worse than the other"
            return f"Equivalence of {a} and {b} ({asked}): {said} ({inside}). What is not shown need not be false."
        found = int(self.equivalent.sum())
        one_sided = int((np.maximum(self.not_worse, self.not_better) - self.equivalent).sum())
        return (
            f"Equivalence of {numbers.counted(self.n_pairs, 'pair')} ({asked}, all pairs at once): {found} shown to differ by less than "
            f"{rope}; in {one_sided} others one of the two is shown to be at most {rope} worse. What is not shown need not be false."
        )


def case_equivalence(
    found: CasePair,
    algorithms: tuple[str, ...],
    first: Indices,
    second: Indices,
    *,
    rope: float,
    alpha: float,
    metric: Metric,
    control: str | None = None,
) -> CaseEquivalence:
    """What the intervals of a kernel say of equivalence, for all its pairs at once."""
    level = 2 * alpha / len(first)
    low, high = found.ends(level)
    return CaseEquivalence(
        algorithms=algorithms,
        first=first,
        second=second,
        control=control,
        rope=rope,
        alpha=alpha,
        confidence=1 - level,
        gain=found.effect,
        low=low,
        high=high,
        metric=metric,
        references=("schuirmann1987",),
    )
