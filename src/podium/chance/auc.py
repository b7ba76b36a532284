"""AUC of a random ranking, and Gini: the law of Mann and Whitney, for single values and for rows of a grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from statistics import NormalDist
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from podium.chance import mann_whitney
from podium.chance.distributions import Attainable, EvenLaw
from podium.chance.hypergeometric import log_pmf
from podium.chance.registry import MetricName
from podium.core.arrays import Floats, Ints

Nodes = tuple[float, float, npt.NDArray[np.complex128]]

# Exact whole-number work up to about a tenth of a second.
_EXACT_STEPS = 300_000
# In grids, tables of the transform serve all pairs whose standard deviations are within this ratio.
_RATIO = 1.25
_MOST_TABLED = 4000
_MIDDLE = 0.4


class AucLaw(EvenLaw):
    """Area under the ROC curve; a score's place is the number of pairs in the right order."""

    SYMMETRIC = True
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
            if wrong >= 0:
                return self.at(self.top - wrong)
        return super().critical(level)

    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """Worst, usual and best: a tie counts for half a pair, as usual."""
        won, drawn = int(positives @ (self.negatives - np.cumsum(negatives))), int(positives @ negatives)
        half = self.first + self.step * Fraction(2 * won + drawn, 2)
        return self.at(won).value, float(half), self.at(won + drawn).value

    @classmethod
    def rows(cls, metric: MetricName, positives: int, negatives: int, levels: Floats) -> Callable[[int], Floats]:
        """Critical values by the size of the larger class."""
        low, high = cls.RANGE
        auc = _Rows(metric, positives, negatives, levels).row
        return lambda larger: low + (high - low) * auc(larger)


class GiniLaw(AucLaw):
    """Gini = 2 AUC - 1."""

    RANGE = (-1, 1)


class _Rows:
    """AUC of whole rows of a grid; safe to use from several threads."""

    def __init__(self, metric: MetricName, positives: int, negatives: int, levels: Floats) -> None:
        self.metric, self.levels = metric, levels
        self.cases, self.columns = positives + negatives, min(positives, negatives)
        self._nodes = cache(self._build)  # two threads may build the same table: no harm

    def row(self, N: int) -> Floats:
        """For P = 1.. at most N: the counts at once for few positives, the contour for the others."""
        columns = min(N, self.columns)
        counted = min(columns, max(44, 6400 // N))
        wrong = np.empty((len(self.levels), columns))
        wrong[:, :counted] = mann_whitney.counted_row(N, counted, self.levels)
        for c, level in enumerate(self.levels.tolist()):
            done = counted if level < _MIDDLE else 0  # the counts stop in the middle
            wrong[c, done:] = self._contour(N, done + 1, columns, level)
        return 1.0 - wrong / (np.arange(1, columns + 1) * N)

    def _contour(self, N: int, first: int, last: int, level: float) -> Ints:
        """For P = first..last: by node table where one serves, else one by one."""
        places = np.full(last - first + 1, -1)
        if level < _MIDDLE and N + last <= _MOST_TABLED:
            deviates = -NormalDist().inv_cdf(level)
            sizes = np.arange(first, last + 1)
            number = np.floor(np.log(np.sqrt(sizes * N * (sizes + N + 1) / 12)) / math.log(_RATIO)).astype(int)
            for one in np.unique(number).tolist():
                low, high = np.flatnonzero(number == one)[[0, -1]].tolist()  # the spread rises with P
                theta, step, table = self._nodes(one, deviates)
                places[low : high + 1] = mann_whitney.contour_row(
                    table, theta, step, N, first + low, first + high, level, deviates
                )
        for place in np.flatnonzero(places < 0).tolist():
            law = AucLaw(self.metric, first + place, N)
            places[place] = law.top - law.critical(level).place
        return places

    def _build(self, number: int, deviates: float) -> Nodes:
        """The node table of a class of standard deviations."""
        deviates = max(deviates, 1.0)
        smallest = _RATIO**number
        theta = deviates / (smallest * math.sqrt(_RATIO))
        step = 2 * math.pi * theta / (40 + 0.5 * deviates**2)
        nodes = int(9.5 / (smallest * step)) + 1
        return theta, step, mann_whitney.node_table(self.cases, theta, step, nodes)
