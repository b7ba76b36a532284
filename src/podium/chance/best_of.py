"""Critical values and pvalues for the best of C competitors (Forman and Cohen 2005).

The null: all C rank the test cases at random, independently. The best of them scores above s with probability
1 - F(s)^C; the critical value is the smallest attainable s for which that is at most alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from podium.chance.distributions import Attainable, NullDistribution, null_distribution
from podium.core import check
from podium.core.result import Result

__all__ = ["ChancePvalueResult", "CriticalValueResult", "best_of", "critical_value", "pvalue", "single_level"]

_MOST_COMPETITORS = 10**12
# Where float and level agree to this, whole numbers decide.
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalValueResult(Result):
    """The score that the best of C random rankings exceeds with probability at most alpha."""

    metric: str
    positives: int
    negatives: int
    competitors: int
    alpha: float
    critical_value: float
    fraction: Fraction | None
    """The critical value as a fraction; None where it is an irrational root (see `exact`)."""
    exact: str
    p_above: float
    """P(S > critical value) for one competitor."""
    p_at_least: float
    """P(S >= critical value) for one competitor."""
    p_best_above: float
    """P(the best of C > critical value): at most alpha, and less because scores are discrete."""
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """What must be exceeded, and what that would not show."""
        if self.p_above == 0:
            return (
                f"With {self.positives} positives and {self.negatives} negatives, no {self.metric} can be significant "
                f"against {_best_of_words(self.competitors)} at alpha = {self.alpha:g}: even the highest, "
                f"{self.critical_value:.5g}, comes by chance with probability "
                f"{best_of(self.p_at_least, self.competitors):.3g}. Take more test cases."
            )
        return (
            f"With {self.positives} positives and {self.negatives} negatives, {_best_of_words(self.competitors)} "
            f"exceeds {self.metric} {self.critical_value:.5g} ({self.exact}) with probability "
            f"{self.p_best_above:.3g}, at most alpha = {self.alpha:g}. A higher score shows that chance alone is not "
            f"enough, not that the algorithm is useful or better than its rivals."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChancePvalueResult(Result):
    """How often the best of C random rankings scores at least this."""

    metric: str
    score: float
    fraction: Fraction | None
    exact: str
    positives: int
    negatives: int
    competitors: int
    pvalue: float
    p_at_least: float
    """P(S >= score) for one competitor."""
    p_above: float
    """P(S > score) for one competitor."""
    method: str = "exact"
    alternative: str = "greater"
    references: tuple[str, ...] = ("forman2005",)

    @property
    def statistic(self) -> float:
        """The score."""
        return self.score

    def summary(self) -> str:
        """How surprising the score is under chance, and what that would not show."""
        return (
            f"{_best_of_words(self.competitors).capitalize()} on {self.positives} positives and {self.negatives} "
            f"negatives has {self.metric} of at least {self.score:.5g} with probability {self.pvalue:.3g}. "
            f"This compares with chance only, not with the other competitors."
        )


def _best_of_words(competitors: int) -> str:
    return "one random ranking" if competitors == 1 else f"the best of {competitors} random rankings"


def single_level(alpha: float, competitors: int) -> float:
    """The level for one competitor, 1 - (1 - alpha)^(1/C).

    >>> single_level(0.01, 10)  # doctest: +ELLIPSIS
    0.0010045...
    """
    return -math.expm1(math.log1p(-alpha) / competitors) if competitors > 1 else alpha


def best_of(probability: float, competitors: int) -> float:
    """P(at least one of C independent competitors), from that of one: 1 - (1 - p)^C."""
    return 1.0 if probability >= 1 else -math.expm1(competitors * math.log1p(-probability))


def critical_value(
    metric: str, *, positives: int, negatives: int, competitors: int = 1, alpha: float = 0.05
) -> CriticalValueResult:
    """The score that a winner must exceed to beat the best of C random rankings.

    >>> kdd_cup = critical_value("best_accuracy", positives=150, negatives=484, competitors=114, alpha=0.01)
    >>> print(kdd_cup.fraction)
    491/634
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    competitors = check.count("competitors", competitors, at_most=_MOST_COMPETITORS)
    alpha = check.fraction("alpha", alpha)
    point, p_above, p_at_least = critical_point(law, alpha, competitors)
    return CriticalValueResult(
        metric=law.metric.name,
        positives=law.positives,
        negatives=law.negatives,
        competitors=competitors,
        alpha=alpha,
        critical_value=point.value,
        fraction=point.fraction,
        exact=point.text,
        p_above=p_above,
        p_at_least=p_at_least,
        p_best_above=best_of(p_above, competitors),
    )


def critical_point(law: NullDistribution, alpha: float, competitors: int) -> tuple[Attainable, float, float]:
    """The smallest attainable s with P(S > s) <= level, P(S > s) and P(S >= s); a tie is settled in whole numbers."""
    level = single_level(alpha, competitors)
    point = law.critical(level)
    p_above, p_at_least = law.above(point), law.tail(point)
    larger, smaller = law.after(point), law.before(point)
    if larger is not None and _exceeds(law, larger, p_above, level, alpha, competitors):
        return larger, law.above(larger), p_above
    if smaller is not None and not _exceeds(law, point, p_at_least, level, alpha, competitors):
        return smaller, p_at_least, law.tail(smaller)
    return point, p_above, p_at_least


def _exceeds(
    law: NullDistribution, point: Attainable, tail: float, level: float, alpha: float, competitors: int
) -> bool:
    """Whether P(S >= point) > level; in whole numbers where the floats are too close to tell and time allows.

    alpha counts as the decimal that was written (0.05 is 1/20).
    """
    if abs(tail - level) > _CLOSE * level:
        return tail > level
    exact = law.exact_tail(point) if competitors <= 1000 else None
    if exact is None:
        return tail > level * (1 + 1e-12)
    return (1 - exact) ** competitors < 1 - Fraction(repr(alpha))


def pvalue(
    metric: str,
    score: float,
    *,
    positives: int,
    negatives: int,
    competitors: int = 1,
    unattainable: str = "error",
) -> ChancePvalueResult:
    """The probability that the best of C random rankings scores at least `score`.

    >>> pvalue("tp10", 8, positives=150, negatives=484, competitors=114).pvalue  # doctest: +ELLIPSIS
    0.0273...
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    competitors = check.count("competitors", competitors, at_most=_MOST_COMPETITORS)
    point = law.locate(score, unattainable=unattainable)
    p_at_least = law.tail(point)
    return ChancePvalueResult(
        metric=law.metric.name,
        score=point.value,
        fraction=point.fraction,
        exact=point.text,
        positives=law.positives,
        negatives=law.negatives,
        competitors=competitors,
        pvalue=best_of(p_at_least, competitors),
        p_at_least=p_at_least,
        p_above=law.above(point),
    )
