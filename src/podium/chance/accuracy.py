"""Best accuracy of a random ranking over all thresholds, by the reflection principle.

Accuracy is (N + M) / T with M the largest lead of true over false positives along the ranking, and
P(M >= k) = C(T, P - k) / C(T, P) for k >= max(0, P - N).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from podium.chance.distributions import Attainable, EvenLaw
from podium.chance.hypergeometric import kernel
from podium.chance.rankings import best_threshold
from podium.core.arrays import Ints

_MOST_EXACT = 100_000


class AccuracyLaw(EvenLaw):
    """Best accuracy over all thresholds; a score's place is the largest lead."""

    MOST_CASES = 10_000_000

    def _places(self, P: int, N: int) -> tuple[Fraction, Fraction, int, int]:
        return Fraction(N, P + N), Fraction(1, P + N), max(0, P - N), P

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        return _tail(point.place, self.positives, self.negatives)

    def mass(self, point: Attainable) -> float:
        """P(S = point): the tail times 1 - (P - k) / (N + k + 1)."""
        P, N, k = self.positives, self.negatives, point.place
        return self.tail(point) * float((N - P + 2 * k + 1) / (N + k + 1))

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        P, T = self.positives, self.positives + self.negatives
        if T > _MOST_EXACT:
            return None
        return Fraction(comb(T, P - point.place), comb(T, P)) if point.place > self.bottom else Fraction(1)

    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """Worst, usual and best."""
        return best_threshold(
            lambda tp, n: self.at(max(self.bottom, int((2 * tp - n).max()))).value, positives, negatives
        )


class ErrorLaw(AccuracyLaw):
    """Best error rate, 1 - best accuracy: lower is better, and "at least so good" is at most so high."""

    def _places(self, P: int, N: int) -> tuple[Fraction, Fraction, int, int]:
        return Fraction(P, P + N), Fraction(-1, P + N), max(0, P - N), P


@kernel
def _tail(k: int, P: int, N: int) -> float:
    """P(M >= k), as a product of ratios below 1: relative error of a few rounding units times the steps."""
    survival = 1.0
    for j in range(max(0, P - N), min(k, P + 1)):
        survival *= (P - j) / (N + j + 1)
        if survival == 0.0:
            break
    return survival
