"""Laws on evenly spaced scores: what the top n, the best accuracy and AUC have in common."""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction

import numpy as np

from podium.chance.distributions import SNAP, Attainable, NullDistribution, refuse_long_list
from podium.core.arrays import Floats


class EvenLaw(NullDistribution):
    """Scores are first + k * step, for k from `bottom` to `top`."""

    first: Fraction
    step: Fraction
    bottom: int
    top: int

    def at(self, k: int) -> Attainable:
        """The score at place k."""
        return Attainable(self.first + k * self.step, False, k)

    @property
    def lowest(self) -> Attainable:
        """The lowest score any ranking can get."""
        return self.at(self.bottom)

    @property
    def highest(self) -> Attainable:
        """The score of the perfect ranking."""
        return self.at(self.top)

    def floor(self, score: float) -> Attainable:
        """The largest attainable score not above this one."""
        steps = float((Fraction(score) - self.first) / self.step)
        k = math.floor(steps + SNAP * max(1.0, abs(score)) / float(self.step))
        return self.at(min(max(k, self.bottom), self.top))

    def after(self, point: Attainable) -> Attainable | None:
        """The next larger attainable score."""
        return self.at(point.place + 1) if point.place < self.top else None

    def before(self, point: Attainable) -> Attainable | None:
        """The next smaller attainable score."""
        return self.at(point.place - 1) if point.place > self.bottom else None

    def attainable(self) -> Floats:
        """All attainable scores, rising."""
        refuse_long_list(self.top - self.bottom + 1)
        places = np.arange(self.bottom, self.top + 1)
        return np.asarray(float(self.first) + places * float(self.step), np.float64)

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level, by halving."""
        places = range(self.bottom, self.top)
        return self.at(self.bottom + bisect_left(places, True, key=lambda k: self.above(self.at(k)) <= level))
