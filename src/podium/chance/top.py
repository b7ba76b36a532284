"""True positives, precision, recall and lift in the top n of a random ranking."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from podium.chance.distributions import Attainable, EvenLaw
from podium.chance.hypergeometric import log_pmf, tail
from podium.chance.registry import MetricName
from podium.core.arrays import Ints
from podium.core.errors import ArgumentError

_MOST_EXACT = 5000


class TopLaw(EvenLaw):
    """True positives among the top n, and what is proportional to them."""

    MOST_CASES = 10_000_000

    def _places(self, P: int, N: int) -> tuple[Fraction, Fraction, int, int]:
        self.n = self.metric.n or P
        if self.n > P + N:
            raise ArgumentError(f"`n` of {self.metric.name} must not exceed the {P + N} test cases; got {self.n}.")
        return Fraction(0), Fraction(*_unit(self.metric, self.n, P, P + N)), max(0, self.n - N), min(P, self.n)

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        return tail(point.place, self.positives, self.negatives, self.n)

    def mass(self, point: Attainable) -> float:
        """P(S = point)."""
        return math.exp(log_pmf(point.place, self.positives, self.negatives, self.n))

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        P, N, n = self.positives, self.negatives, self.n
        if n > _MOST_EXACT:
            return None
        ways = sum(comb(P, i) * comb(N, n - i) for i in range(max(point.place, self.bottom), self.top + 1))
        return Fraction(ways, comb(P + N, n))

    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """Worst, usual and best: the cut after n cases may fall inside a group of ties."""
        ends = np.cumsum(positives + negatives)
        cut = int(np.searchsorted(ends, self.n))
        sure = int(positives[:cut].sum())
        slots = self.n - (int(ends[cut - 1]) if cut else 0)
        here, others = int(positives[cut]), int(negatives[cut])
        expected = sure + Fraction(slots * here, here + others)
        worst, best = sure + max(0, slots - others), sure + min(slots, here)
        return self.at(worst).value, float(self.step * expected), self.at(best).value


def _unit(metric: MetricName, n: int, P: int, T: Any) -> tuple[Any, int]:
    """What one true positive counts, as a fraction."""
    return {"tp": (1, 1), "recall": (1, P), "lift": (T, n * P)}.get(metric.metric.name, (1, n))
