"""Metrics that are the best over all thresholds of a ranking: F, Youden's J, kappa, MCC and others."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

import numpy as np

from podium.chance import boundary, paths
from podium.chance.distributions import SNAP, Attainable, NullDistribution, refuse_long_list
from podium.chance.rankings import best_threshold
from podium.chance.registry import MetricName
from podium.core.arrays import Floats, Ints

Form = tuple[boundary.Shape, int]

# Exact whole-number work up to about a tenth of a second.
_EXACT_STEPS = 300_000


class ThresholdLaw(NullDistribution):
    """The best of a metric over all thresholds; a score's place is (true positives, predicted positives).

    A subclass gives `_form`: the shape of its key (see `boundary`), and what divides it. The score is
    (key + SHIFT) / divisor, or where ROOT the root of key / divisor.
    """

    ROOT: ClassVar[bool] = False
    SHIFT: ClassVar[int] = 0

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        self._shape, self._divisor = self._form(positives, negatives)
        self.lowest = self.at(boundary.lowest(self._shape, positives, negatives))  # predicting none, or all
        self.highest = self.at((positives, positives))

    @abstractmethod
    def _form(self, P: int, N: int) -> Form: ...

    def at(self, place: tuple[int, int]) -> Attainable:
        """The score at (true positives, predicted positives)."""
        exact = (Fraction(*boundary.parts(self._shape, *place)) + self.SHIFT) / self._divisor
        return Attainable(exact, self.ROOT, place)

    def _key(self, point: Attainable) -> float:
        return boundary.key(self._shape, *point.place)

    def _score(self, key: float) -> float:
        score = (key + self.SHIFT) / self._divisor
        return math.sqrt(score) if self.ROOT else score

    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """Worst, usual and best."""
        return best_threshold(self._best_at, positives, negatives)

    def _best_at(self, tp: Ints, n: Ints) -> float:
        """The best score among some places of a ranking; never below predicting none or all."""
        top, bottom = boundary.parts(self._shape, tp.astype(float), n.astype(float))
        best = int(np.argmax(top / bottom))
        point = self.at((int(tp[best]), int(n[best])))
        return (point if self._key(point) > self._key(self.lowest) else self.lowest).value

    def _boundary(self, level: float) -> Ints:
        return boundary.boundary(self._shape, self.positives, self.negatives, level)

    def floor(self, score: float) -> Attainable:
        """The largest attainable score not above this one."""
        snapped = score + SNAP * max(1.0, abs(score))
        just_above = (max(snapped, 0.0) ** 2 if self.ROOT else snapped) * self._divisor - self.SHIFT  # its key
        if just_above <= self._key(self.lowest):
            return self.lowest
        return self.at(boundary.below(self._shape, self.positives, self.negatives, self._boundary(just_above)))

    def after(self, point: Attainable) -> Attainable | None:
        """The next larger attainable score."""
        above = self._boundary(float(np.nextafter(self._key(point), np.inf)))
        place = boundary.above(self._shape, self.positives, self.negatives, above)
        return self.at(place) if place[0] >= 0 else None

    def before(self, point: Attainable) -> Attainable | None:
        """The next smaller attainable score."""
        if self._key(point) <= self._key(self.lowest):
            return None
        return self.at(boundary.below(self._shape, self.positives, self.negatives, self._boundary(self._key(point))))

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        if self._key(point) <= self._key(self.lowest):
            return 1.0
        return paths.touch(self.positives, self.negatives, self._boundary(self._key(point)))

    def mass(self, point: Attainable) -> float:
        """P(S = point), by counting forward: no difference of two tails."""
        P, N = self.positives, self.negatives
        if self._key(point) <= self._key(self.lowest):
            return 1.0 - self.above(point)
        on = self._boundary(self._key(point))
        beyond = self._boundary(float(np.nextafter(self._key(point), np.inf)))
        return paths.touch_without(P, N, on, beyond)

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        if self.positives * self.negatives > _EXACT_STEPS:
            return None
        if self._key(point) <= self._key(self.lowest):
            return Fraction(1)
        return paths.exact_touch(self.positives, self.negatives, self._boundary(self._key(point)))

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        return self.at(boundary.critical(self._shape, self.positives, self.negatives, level))

    def attainable(self) -> Floats:
        """All attainable scores, rising."""
        P, N = self.positives, self.negatives
        refuse_long_list((P + 1) * (N + 1))
        tp, fp = np.arange(P + 1.0)[:, None], np.arange(N + 1.0)
        top, bottom = boundary.parts(self._shape, tp, tp + fp)
        keys = np.unique(top / bottom)
        return np.array([self._score(key) for key in keys[keys >= self._key(self.lowest)].tolist()])


_ONE = (0, 0, 1)


class BestF(ThresholdLaw):
    """F_beta = (1 + beta^2) tp / (n + beta^2 P)."""

    def _form(self, P: int, N: int) -> Form:
        p, q = (self.metric.number**2).as_integer_ratio()
        return ((p + q, 0, 0), _ONE, (0, q, p * P)), 1


class Youden(ThresholdLaw):
    """tp / P - (n - tp) / N, which is also the distance of Kolmogorov and Smirnov."""

    def _form(self, P: int, N: int) -> Form:
        return ((P + N, -P, 0), _ONE, (0, 0, P * N)), 1


class BalancedAccuracy(Youden):
    """(J + 1) / 2."""

    SHIFT = 1

    def _form(self, P: int, N: int) -> Form:
        return super()._form(P, N)[0], 2


class WeightedAccuracy(ThresholdLaw):
    """(w tp + tn) / (w P + N)."""

    def _form(self, P: int, N: int) -> Form:
        p, q = self.metric.number.as_integer_ratio()
        return ((p + q, -q, q * N), _ONE, (0, 0, p * P + q * N)), 1


class Kappa(ThresholdLaw):
    """2 (T tp - P n) / ((N - P) n + P T)."""

    def _form(self, P: int, N: int) -> Form:
        return ((2 * (P + N), -2 * P, 0), _ONE, (0, N - P, P * (P + N))), 1


class Mcc(ThresholdLaw):
    """The root of (T tp - P n)^2 / (P N n (T - n))."""

    ROOT = True

    def _form(self, P: int, N: int) -> Form:
        return ((P + N, -P, 0), (P + N, -P, 0), (-1, P + N, 0)), P * N


class GMean(ThresholdLaw):
    """The root of tp tn / (P N)."""

    ROOT = True

    def _form(self, P: int, N: int) -> Form:
        return ((1, 0, 0), (1, -1, N), _ONE), P * N


class FowlkesMallows(ThresholdLaw):
    """The root of tp^2 / (n P)."""

    ROOT = True

    def _form(self, P: int, N: int) -> Form:
        return ((1, 0, 0), (1, 0, 0), (0, 1, 0)), P
