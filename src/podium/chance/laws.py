"""The laws themselves: top n, best accuracy and AUC on evenly spaced scores, the others as paths (see paths.py)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from podium.chance import exact, hypergeometric, mann_whitney, path_search, paths, reflection
from podium.chance.distributions import SNAP, Attainable, NullDistribution
from podium.chance.names import MetricName
from podium.core.errors import ArgumentError

__all__ = ["AccuracyLaw", "AucLaw", "PathLaw", "TopLaw", "law_of", "score_of_key", "shape_of"]

# Exact whole-number work up to about a tenth of a second.
_EXACT_STEPS = 300_000
_MOST_LISTED = 20_000_000


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

    def attainable(self) -> npt.NDArray[np.float64]:
        """All attainable scores, rising."""
        _refuse_long_list(self.top - self.bottom + 1)
        places = np.arange(self.bottom, self.top + 1)
        return np.asarray(float(self.first) + places * float(self.step), np.float64)


class TopLaw(EvenLaw):
    """True positives among the top n, and what is proportional to them."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        total = positives + negatives
        self.n = metric.n or positives
        if self.n > total:
            raise ArgumentError(f"`n` of {metric.name} must not exceed the {total} test cases; got {self.n}.")
        units: dict[str, Fraction | int] = {"tp": 1, "recall": positives, "lift": Fraction(self.n * positives, total)}
        self.first, self.step = Fraction(0), 1 / Fraction(units.get(metric.base, self.n))
        self.bottom, self.top = max(0, self.n - negatives), min(positives, self.n)

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        return hypergeometric.tail(point.place, self.positives, self.negatives, self.n)

    def mass(self, point: Attainable) -> float:
        """P(S = point)."""
        return math.exp(hypergeometric.log_pmf(point.place, self.positives, self.negatives, self.n))

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        return exact.top_tail(point.place, self.positives, self.negatives, self.n) if self.n <= 5000 else None

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        return self.at(hypergeometric.top_critical(self.positives, self.negatives, self.n, level))


class AccuracyLaw(EvenLaw):
    """Best accuracy over all thresholds."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        total = positives + negatives
        self.first, self.step = Fraction(negatives, total), Fraction(1, total)
        self.bottom, self.top = max(0, positives - negatives), positives

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        return reflection.lead_tail(point.place, self.positives, self.negatives)

    def mass(self, point: Attainable) -> float:
        """P(S = point): the tail times 1 - (P - k) / (N + k + 1)."""
        P, N, k = self.positives, self.negatives, point.place
        return self.tail(point) * float((N - P + 2 * k + 1) / (N + k + 1))

    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction."""
        if self.positives + self.negatives > 100_000:
            return None
        return exact.lead_tail(point.place, self.positives, self.negatives)

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        return self.at(reflection.accuracy_critical(self.positives, self.negatives, level))


class AucLaw(EvenLaw):
    """Area under the ROC curve, and Gini = 2 AUC - 1: the law of Mann and Whitney."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        pairs = positives * negatives
        gini = metric.name == "gini"
        self.first, self.step = Fraction(-1 if gini else 0), Fraction(2 if gini else 1, pairs)
        self.bottom, self.top = 0, pairs

    @cached_property
    def _cumulative(self) -> npt.NDArray[np.float64]:
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
        scale = math.exp(hypergeometric.log_pmf(P, P, N, P))  # 1 / C(T, P)
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
        steps = 2 * min(self.positives, self.negatives) * (self.top - point.place + 1)
        return exact.rank_sum_tail(point.place, self.positives, self.negatives) if steps <= _EXACT_STEPS else None

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        P, N = self.positives, self.negatives
        if level >= 0.5:  # the lower half, from the upper one: rare, so halving is good enough
            return self._by_halving(level)
        if mann_whitney.uses_counts(P, N):
            reached = int(np.searchsorted(self._cumulative, level, side="right"))  # smallest v with P(U <= v) > level
            return self.at(self.top - reached)
        if level < 1e-13:
            return self._by_halving(level)
        deviates = -NormalDist().inv_cdf(level)
        return self.at(self.top - mann_whitney.contour_critical(P, N, level, deviates))

    def _by_halving(self, level: float) -> Attainable:
        low, high = self.bottom, self.top
        while low < high:
            middle = (low + high) // 2
            if self.above(self.at(middle)) <= level:
                high = middle
            else:
                low = middle + 1
        return self.at(low)


class PathLaw(NullDistribution):
    """The best of a metric over all thresholds, as a path that touches a boundary."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        self._shape = shape_of(metric, positives, negatives)
        # The band of the linear boundaries is estimated well; the others get a checked one from the start.
        self._search_accuracy = 0.0 if metric.family == "linear" else 1e-9

    def at(self, place: tuple[int, int]) -> Attainable:
        """The score at (true positives, predicted positives)."""
        value, is_root = _exact_score(self.metric, self.positives, self.negatives, *place)
        return Attainable(value, is_root, place)

    def _key(self, point: Attainable) -> float:
        return paths.key(self._shape, self.positives, self.negatives, *point.place)

    def best_at(self, true_positives: npt.NDArray[np.int64], predicted: npt.NDArray[np.int64]) -> Attainable:
        """The best score among some places of a ranking; never below predicting none or all."""
        best = paths.best_place(self._shape, self.positives, self.negatives, true_positives, predicted)
        point = self.at((int(true_positives[best]), int(predicted[best])))
        return point if self._key(point) > self._key(self.lowest) else self.lowest

    def _boundary(self, level: float) -> paths.Ints:
        return paths.boundary(self._shape, self.positives, self.negatives, level)

    @property
    def lowest(self) -> Attainable:
        """The better of predicting none and predicting all."""
        return self.at(paths.lowest(self._shape, self.positives, self.negatives))

    @property
    def highest(self) -> Attainable:
        """The score of the perfect ranking."""
        return self.at((self.positives, self.positives))

    def _level(self, score: float) -> float:
        """The key of a score, see `paths.key`."""
        if self.metric.base == "balanced_accuracy":
            return 2 * score - 1
        if self.metric.family == "linear":
            return score
        scale = self.positives if self.metric.family == "fowlkes_mallows" else self.positives * self.negatives
        return max(score, 0.0) ** 2 * scale

    def floor(self, score: float) -> Attainable:
        """The largest attainable score not above this one."""
        just_above = self._level(score + SNAP * max(1.0, abs(score)))
        if just_above <= self._key(self.lowest):
            return self.lowest
        return self.at(paths.below(self._shape, self.positives, self.negatives, self._boundary(just_above)))

    def after(self, point: Attainable) -> Attainable | None:
        """The next larger attainable score."""
        above = self._boundary(float(np.nextafter(self._key(point), np.inf)))
        place = paths.above(self._shape, self.positives, self.negatives, above)
        return self.at(place) if place[0] >= 0 else None

    def before(self, point: Attainable) -> Attainable | None:
        """The next smaller attainable score."""
        if self._key(point) <= self._key(self.lowest):
            return None
        return self.at(paths.below(self._shape, self.positives, self.negatives, self._boundary(self._key(point))))

    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""
        return paths.at_least(self._shape, self.positives, self.negatives, self._key(point), 1e-13)

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
        return exact.path_tail(self.positives, self.negatives, self._boundary(self._key(point)))

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""
        P, N = self.positives, self.negatives
        tp, n, _ = path_search.path_critical(self._shape, P, N, level, math.nan, 0.0, self._search_accuracy)
        return self.at((tp, n))

    def attainable(self) -> npt.NDArray[np.float64]:
        """All attainable scores, rising."""
        P, N = self.positives, self.negatives
        _refuse_long_list((P + 1) * (N + 1))
        keys = np.unique(paths.all_keys(self._shape, P, N))
        keys = keys[keys >= self._key(self.lowest)]
        return np.array([score_of_key(self.metric, P, N, key) for key in keys.tolist()])


def _refuse_long_list(count: int) -> None:
    if count > _MOST_LISTED:
        raise ArgumentError(
            f"There are about {count} attainable scores, more than the {_MOST_LISTED} that can be listed: "
            "ask for single probabilities."
        )


def shape_of(metric: MetricName, P: int, N: int) -> paths.Parameters:
    """The parameters of `paths.key`; linear means (a tp + b n + c) / (d n + e)."""
    T = P + N
    p, q = (metric.beta**2 if metric.base == "best_f" else metric.beta).as_integer_ratio()
    kinds = {"mcc": paths.MCC, "gmean": paths.GMEAN, "fowlkes_mallows": paths.FOWLKES_MALLOWS}
    if metric.family in kinds:
        return (kinds[metric.family], 0, 0, 0, 0, 1)
    shapes: dict[str, paths.Parameters] = {
        "best_f": (paths.LINEAR, p + q, 0, 0, q, p * P),
        "weighted_accuracy": (paths.LINEAR, p + q, -q, q * N, 0, p * P + q * N),
        "kappa": (paths.LINEAR, 2 * T, -2 * P, 0, N - P, P * T),
    }
    return shapes.get(metric.base, (paths.LINEAR, T, -P, 0, 0, P * N))  # youden, ks, balanced accuracy


def score_of_key(metric: MetricName, P: int, N: int, key: float) -> float:
    """The score that a key of `paths.key` stands for."""
    if metric.base == "balanced_accuracy":
        return (key + 1) / 2
    if metric.family == "linear":
        return key
    return math.sqrt(key / (P if metric.family == "fowlkes_mallows" else P * N))


def _exact_score(metric: MetricName, P: int, N: int, tp: int, n: int) -> tuple[Fraction, bool]:
    """The score at (tp, n) as a fraction, or its square and True."""
    T = P + N
    if metric.family == "mcc":
        lead = max(0, T * tp - P * n)
        return (Fraction(lead * lead, P * N * n * (T - n)) if lead else Fraction(0)), True
    if metric.family == "gmean":
        return Fraction(tp * (N - n + tp), P * N), True
    if metric.family == "fowlkes_mallows":
        return (Fraction(tp * tp, n * P) if n else Fraction(0)), True
    _, a, b, c, d, e = shape_of(metric, P, N)
    value = Fraction(a * tp + b * n + c, d * n + e)
    return ((value + 1) / 2 if metric.base == "balanced_accuracy" else value), False


def law_of(metric: MetricName, positives: int, negatives: int) -> NullDistribution:
    """The law of a metric whose arguments have been checked."""
    laws: dict[str, type[NullDistribution]] = {"auc": AucLaw, "accuracy": AccuracyLaw, "top": TopLaw}
    return laws.get(metric.family, PathLaw)(metric, positives, negatives)
