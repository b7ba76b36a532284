"""AUC of a random ranking, and Gini: the law of Mann and Whitney, by counts or by a contour integral."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from podium.chance import mann_whitney
from podium.chance.distributions import Attainable, EvenLaw
from podium.chance.hypergeometric import log_pmf
from podium.core.arrays import Floats, Ints

# Exact whole-number work up to about a tenth of a second.
_EXACT_STEPS = 300_000


class AucLaw(EvenLaw):
    """Area under the ROC curve; a score's place is the number of pairs in the right order."""

    RANGE: ClassVar[tuple[int, int]] = (0, 1)

    def _places(self, P: int, N: int) -> tuple[Fraction, Fraction, int, int]:
        low, high = self.RANGE
        return Fraction(low), Fraction(high - low, P * N), 0, P * N

    @cached_property
    def _cumulative(self) -> Floats:
        """P(U <= v) for v up to the middle, where counting is the way."""
        counts = mann_whitney.rank_counts(self.positives, self.negatives, self.top // 2)
        return np.cumsum(counts) / float(math.comb(self.positives + self.negatives, self.positives))

    def _lower(self, v: int) -> tuple[float, float]:
        """P(U <= v) and P(U = v) for v up to the middle."""
        P, N = self.positives, self.negatives
        if v < 0:
            return 0.0, 0.0
        if not mann_whitney.uses_counts(P, N) and not mann_whitney.far_tail(P, N, v):
            return mann_whitney.tail_and_mass(P, N, v)
        counts = mann_whitney.rank_counts(P, N, v)
        scale = math.exp(log_pmf(P, P, N, P))  # 1 / C(T, P)
        return float(counts.sum()) * scale, float(counts[v]) * scale

    def tail(self, point: Attainable) -> float:
        """P(S >= point), by the mirror P(U >= u) = P(U <= PN - u)."""
        v = self.top - point.place
        return self._lower(v)[0] if 2 * v <= self.top else 1.0 - self._lower(self.top - v - 1)[0]

    def mass(self, point: Attainable) -> float:
        """P(S = point)."""
        return self._lower(min(point.place, self.top - point.place))[1]

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        P, N, wrong = self.positives, self.negatives, self.top - point.place
        if 2 * min(P, N) * (wrong + 1) > _EXACT_STEPS:
            return None
        counts = [1] + [0] * wrong
        for j in range(1, min(P, N) + 1):
            mann_whitney.multiply_out(counts, max(P, N), j)
        return Fraction(sum(counts), math.comb(P + N, P))

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        P, N = self.positives, self.negatives
        if level < 0.5 and mann_whitney.uses_counts(P, N):
            reached = int(np.searchsorted(self._cumulative, level, side="right"))  # smallest v with P(U <= v) > level
            return self.at(self.top - reached)
        if 1e-13 <= level < 0.5:
            wrong = mann_whitney.contour_critical(P, N, level, -NormalDist().inv_cdf(level))
            return self.at(self.top - wrong)
        return super().critical(level)

    def masses(self) -> Floats:
        """P(S = score) for all places, rising: one half mirrors the other."""
        lower = range(self.top // 2 + 1)
        if mann_whitney.uses_counts(self.positives, self.negatives):
            half = np.diff(self._cumulative, prepend=0.0)
        else:
            half = np.array([self._lower(v)[1] for v in lower])
        return np.concatenate([half, half[: (self.top + 1) // 2][::-1]])

    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """Worst, usual and best: a tie counts for half a pair, as usual."""
        won, drawn = int(positives @ (self.negatives - np.cumsum(negatives))), int(positives @ negatives)
        half = self.first + self.step * Fraction(2 * won + drawn, 2)
        return self.at(won).value, float(half), self.at(won + drawn).value


class GiniLaw(AucLaw):
    """Gini = 2 AUC - 1."""

    RANGE = (-1, 1)
