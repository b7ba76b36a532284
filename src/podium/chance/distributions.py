"""The null distribution of a metric: what score a random ranking of P positives and N negatives gets, exactly."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from podium.chance.registry import MetricName, label_of, metric_name
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.numbers import counted, number
from podium.core.result import Result

# A score given as a float is taken to be the attainable score this near to it.
SNAP = 1e-11
_MOST_LISTED = 20_000_000  # scores: 160 MB


@dataclass(frozen=True, slots=True)
class Attainable:
    """One score that a ranking can get."""

    exact: Fraction
    """The score, or its square where `is_root`."""
    is_root: bool
    place: Any = field(compare=False)
    """Where it stands in its distribution: a whole number, or (true positives, predicted positives)."""

    @property
    def value(self) -> float:
        """The score as a float."""
        return math.sqrt(self.exact) if self.is_root else float(self.exact)

    @property
    def fraction(self) -> Fraction | None:
        """The score as a fraction; None where it is an irrational root."""
        if not self.is_root:
            return self.exact
        top, bottom = math.isqrt(self.exact.numerator), math.isqrt(self.exact.denominator)
        return Fraction(top, bottom) if Fraction(top, bottom) ** 2 == self.exact else None

    @property
    def text(self) -> str:
        """The exact score in writing: "491/634", "sqrt(3/7)"."""
        fraction = self.fraction
        return f"sqrt({self.exact})" if fraction is None else str(fraction)


class NullDistribution(ABC):
    """The distribution of a metric over all equally likely orders of the labels.

    `at_least`, `sf`, `cdf` and `pmf` take a score; `quantile` and `isf` give one. Relative errors are below 1e-10
    down to tails of 1e-12.

    Parameters
    ----------
    metric : MetricName
        The metric.
    positives, negatives : int
        Number of positive and of negative test cases.

    Examples
    --------
    >>> from podium.chance import null_distribution
    >>> null_distribution("auc", positives=3, negatives=3)
    <null distribution of auc: 3 positives, 3 negatives>
    """

    MOST_CASES: ClassVar[int] = 100_000
    """The most positives and negatives for which it is fast and exact enough."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        self.metric = metric
        self.positives = positives
        self.negatives = negatives

    def __repr__(self) -> str:
        return f"<null distribution of {self.metric.name}: {self.positives} positives, {self.negatives} negatives>"

    @property
    def sign(self) -> int:
        """1 where higher is better, -1 where lower is; then read "higher" as "better" below, and "lower" as "worse"."""
        return self.metric.metric.sign

    # What each law must say.

    lowest: Attainable  # the lowest score any ranking can get
    highest: Attainable  # the score of the perfect ranking

    @abstractmethod
    def floor(self, score: float) -> Attainable:
        """The largest attainable score not above this one (but for float noise); the lowest if there is none."""

    @abstractmethod
    def after(self, point: Attainable) -> Attainable | None:
        """The next larger attainable score."""

    @abstractmethod
    def before(self, point: Attainable) -> Attainable | None:
        """The next smaller attainable score."""

    @abstractmethod
    def tail(self, point: Attainable) -> float:
        """P(S >= point)."""

    @abstractmethod
    def mass(self, point: Attainable) -> float:
        """P(S = point)."""

    @abstractmethod
    def exact_tail(self, point: Attainable) -> Fraction | None:
        """P(S >= point) as a fraction; None where that would take too long."""

    @abstractmethod
    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level."""

    @abstractmethod
    def attainable(self) -> Floats:
        """All attainable scores, rising."""

    @abstractmethod
    def of_groups(self, positives: Ints, negatives: Ints) -> tuple[float, float, float]:
        """The metric of a ranking with ties: every tie broken against it, the usual way, and in its favour.

        A ranking is given as groups of equal scores, best first, with the positives and negatives in each.
        """

    # What follows from it.

    def facts(self) -> dict[str, Any]:
        """What every result on this distribution says first."""
        return {
            "metric": self.metric.name,
            "positives": self.positives,
            "negatives": self.negatives,
            "references": self.metric.metric.references,
        }

    def above(self, point: Attainable) -> float:
        """P(S > point)."""
        larger = self.after(point)
        return 0.0 if larger is None else self.tail(larger)

    def sf(self, score: float) -> float:
        """P(S > score): the survival function."""
        score = check.number("score", score)
        if self.sign * (score - self.lowest.value) < -SNAP:
            return 1.0
        return self.above(self.floor(score))

    def cdf(self, score: float) -> float:
        """P(S <= score)."""
        return 1.0 - self.sf(score)

    def at_least(self, score: float) -> float:
        """P(S >= score): the pvalue of one competitor."""
        point = self.floor(check.number("score", score))
        if self.sign * (score - self.lowest.value) <= SNAP:
            return 1.0
        return self.tail(point) if self.is_at(score, point) else self.above(point)

    def pmf(self, score: float) -> float:
        """P(S = score); 0 for a score that no ranking can get."""
        point = self.floor(check.number("score", score))
        return self.mass(point) if self.is_at(score, point) else 0.0

    def isf(self, level: float) -> float:
        """The smallest attainable score s with P(S > s) <= level."""
        return self.critical(check.fraction("level", level)).value

    def quantile(self, probability: float) -> float:
        """The smallest attainable score s with P(S <= s) >= probability."""
        return self.critical(1.0 - check.fraction("probability", probability)).value

    @staticmethod
    def is_at(score: float, point: Attainable) -> bool:
        """Whether a float is this attainable score, but for rounding."""
        return abs(score - point.value) <= SNAP * max(1.0, abs(point.value))

    def locate(self, score: float, *, unattainable: str = "error") -> Attainable:
        """The attainable score that a float means.

        A score that no ranking can get is refused, with its neighbours, unless `unattainable` says to take the
        "nearest" or the one "below" (which never makes the pvalue too small).
        """
        score = check.number("score", score)
        check.choice("unattainable", unattainable, ("error", "nearest", "below"))
        low, high = sorted((self.lowest.value, self.highest.value))
        if not low - SNAP <= score <= high + SNAP:
            raise ArgumentError(
                f"`score` of {self.metric.name} must lie from {number(low, 12)} to {number(high, 12)} with "
                f"{self.positives} positives and {self.negatives} negatives; got {score!r}."
            )
        point = self.floor(score)
        larger = self.after(point)
        if self.is_at(score, point) or unattainable == "below" or larger is None:
            return point
        nearest = point if abs(score - point.value) <= abs(larger.value - score) else larger
        if unattainable == "nearest":
            return nearest
        raise ArgumentError(
            f"No ranking of {self.positives} positives and {self.negatives} negatives has {self.metric.name} "
            f"{score!r}; the nearest attainable is {nearest.value!r} ({nearest.text}). Give that one, or set {{unattainable}} to 'nearest'.",
            options=("unattainable",),
        )


def null_distribution(metric: str, *, positives: int, negatives: int) -> NullDistribution:
    """The exact null distribution of a metric for a random ranking of the test cases.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives, negatives : int
        Number of positive and of negative test cases.

    Returns
    -------
    NullDistribution
        The distribution: `at_least`, `sf`, `cdf` and `pmf` take a score, `quantile` and `isf` give one.

    Examples
    --------
    >>> null = null_distribution("auc", positives=3, negatives=3)
    >>> round(null.at_least(1.0), 12)  # one of the 20 rankings
    0.05
    >>> null.attainable()[:3] * 9
    array([0., 1., 2.])
    """
    name = metric_name(metric)
    law: type[NullDistribution] = name.metric.load()
    P = check.count("positives", positives, at_most=law.MOST_CASES)
    N = check.count("negatives", negatives, at_most=law.MOST_CASES)
    return law(name, P, N)


def refuse_long_list(count: int) -> None:
    """An error if there are too many attainable scores to list."""
    if count > _MOST_LISTED:
        raise ArgumentError(
            f"There are about {count} attainable scores, more than the {_MOST_LISTED} that can be listed: "
            "ask for single probabilities."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingResult(Result):
    """What results on the scores of random rankings have in common."""

    metric: str
    positives: int
    negatives: int
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    @property
    def sizes(self) -> str:
        """The numbers of cases for a sentence: "150 positives and 484 negatives"."""
        return f"{counted(self.positives, 'positive')} and {counted(self.negatives, 'negative')}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WinnerResult(RankingResult):
    """The best of several algorithms against the best of as many that know nothing of the cases."""

    competitors: int
    algorithms: tuple[str, ...]
    scores: Floats
    """The metric of each algorithm; of rankings as usual: half a pair for a tie in AUC, thresholds between distinct scores."""
    pvalues: Floats
    """P(the best that knows nothing scores at least as high), for each algorithm."""
    winner: str
    statistic: float
    """The winner's score; of a ranking with ties the one that was tested."""
    pvalue: float
    critical_value: float
    """The score that the best that knows nothing exceeds with a probability of at most alpha."""
    alpha: float
    alternative: str = "greater"

    def best_first(self, sign: int = 1, **more: Any) -> dict[str, Any]:
        """Columns with one row per algorithm, best first; `sign` is -1 where lower scores are better."""
        order = np.argsort(-sign * self.scores, kind="stable")
        columns = {"algorithm": np.array(self.algorithms, dtype=object), self.metric: self.scores, **more}
        return {name: values[order] for name, values in columns.items()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullCurve(RankingResult):
    """A cumulative distribution: P(S <= scores[i]) = cdf[i]."""

    scores: Floats
    cdf: Floats

    def summary(self) -> str:
        """Where the distribution begins, has its middle, and ends."""
        median = self.scores[np.searchsorted(self.cdf, 0.5)]
        return (
            f"With {self.sizes}, random rankings have {label_of(self.metric)} from {number(self.scores[0], 5)} to "
            f"{number(self.scores[-1], 5)}, half of them at most about {number(median, 5)}."
        )

    def columns(self) -> dict[str, Any]:
        """One row per score."""
        return {"score": self.scores, "cdf": self.cdf}


def null_curve(metric: str, *, positives: int, negatives: int, points: int = 300) -> NullCurve:
    """The distribution of a metric at attainable scores that are evenly spread, both ends included, as for a chart.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives, negatives : int
        Number of positive and of negative test cases.
    points : int, default 300
        The most scores to compute.

    Returns
    -------
    NullCurve
        The scores, and the probability of at most each of them.

    Examples
    --------
    >>> null_curve("tp10", positives=10, negatives=1000).cdf.round(4)[:3]
    array([0.9049, 0.9962, 0.9999])
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    wanted = np.linspace(law.lowest.value, law.highest.value, check.count("points", points, at_least=2))
    reached = dict.fromkeys(law.floor(score) for score in wanted.tolist())
    return NullCurve(
        **law.facts(),
        scores=np.array([point.value for point in reached]),
        cdf=np.array([1.0 - law.above(point) for point in reached]),
    )


class EvenLaw(NullDistribution):
    """Scores are first + k * step, for k from `bottom` to `top`: what `_places` gives, in this order."""

    def __init__(self, metric: MetricName, positives: int, negatives: int) -> None:
        super().__init__(metric, positives, negatives)
        self.first, self.step, self.bottom, self.top = self._places(positives, negatives)
        self.lowest, self.highest = self.at(self.bottom), self.at(self.top)

    @abstractmethod
    def _places(self, P: int, N: int) -> tuple[Fraction, Fraction, int, int]: ...

    def at(self, k: int) -> Attainable:
        """The score at place k."""
        return Attainable(self.first + k * self.step, False, k)

    def floor(self, score: float) -> Attainable:
        """The largest attainable score not above this one."""
        steps = float((Fraction(score) - self.first) / self.step)
        k = math.floor(steps + SNAP * max(1.0, abs(score)) / abs(float(self.step)))
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
        places = np.arange(self.bottom, self.top + 1)[:: self.sign]
        return np.asarray(float(self.first) + places * float(self.step), np.float64)

    def masses(self) -> Floats:
        """P(S = score) for all places, rising."""
        return np.array([self.mass(self.at(k)) for k in range(self.bottom, self.top + 1)])

    def critical(self, level: float) -> Attainable:
        """The smallest attainable score s with P(S > s) <= level, by halving."""
        places = range(self.bottom, self.top)
        return self.at(self.bottom + bisect_left(places, True, key=lambda k: self.above(self.at(k)) <= level))
