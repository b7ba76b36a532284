"""Critical values and p-values for the best of C competitors (Forman and Cohen 2005).

The null: all C rank the test cases at random, independently. The best of them scores above s with probability
1 - F(s)^C; the critical value is the smallest attainable s for which that is at most alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from podium.chance.distributions import Attainable, NullDistribution, RankingResult, null_distribution
from podium.chance.registry import LEVEL, beats, label_of
from podium.core import check
from podium.core.arrays import Floats
from podium.core.numbers import number

_MOST_COMPETITORS = 10**12  # 1 / (alpha / C) is still far from what floats hold
# Where float and level agree to this, whole numbers decide.
_CLOSE = 1e-10


def rival_of(competitors: int) -> str:
    """What a winner of so many is compared with, for a sentence."""
    return "one random ranking" if competitors == 1 else f"the best of {competitors:,} random rankings"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreResult(RankingResult):
    """One score against the best of C random rankings."""

    competitors: int
    fraction: Fraction | None
    """The score as a fraction; None where it is an irrational root (see `exact`)."""
    exact: str
    p_above: float
    """P(S > score) for one competitor."""
    p_at_least: float
    """P(S >= score) for one competitor."""

    @property
    def rival(self) -> str:
        """What the score is compared with, for a sentence."""
        return rival_of(self.competitors)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalValueResult(ScoreResult):
    """The score that the best of C random rankings exceeds with probability at most alpha."""

    alpha: float
    critical_value: float
    p_best_above: float
    """P(the best of C > critical value): at most alpha, and less because scores are discrete."""

    def summary(self) -> str:
        """What must be exceeded, and what that would not show."""
        value, level = number(self.critical_value, 5), f"alpha = {number(self.alpha)}"
        if self.p_above == 0:
            return (
                f"With {self.sizes}, no value of {label_of(self.metric)} can be significant against {self.rival} at {level}: even "
                f"the best, {value}, comes by chance with probability "
                f"{number(best_of(self.p_at_least, self.competitors))}. Take more test cases."
            )
        exact = "" if self.exact == value else f", {self.exact}"
        return (
            f"With {self.sizes}, {self.rival} {beats(self.metric)} {value} ({label_of(self.metric)}{exact}) with probability "
            f"{number(self.p_best_above)}, at most {level}. A better score shows that it is not due to chance alone, not "
            f"that the algorithm is useful or better than its rivals."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChancePvalueResult(ScoreResult):
    """How often the best of C random rankings scores at least this much."""

    score: float
    pvalue: float
    alternative: str = "greater"

    @property
    def statistic(self) -> float:
        """The score."""
        return self.score

    def summary(self) -> str:
        """How surprising the score is under chance, and what that does not show."""
        end = "more" if beats(self.metric) == "exceeds" else "less"
        return (
            f"{self.rival.capitalize()} on {self.sizes} reaches {number(self.score, 5)} or {end} ({label_of(self.metric)}) with "
            f"probability {number(self.pvalue)}. This compares with chance only, not with the other competitors."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompetitorsResult(RankingResult):
    """Critical values for several numbers of competitors."""

    competitors: tuple[int, ...]
    critical_values: Floats
    alpha: float

    def columns(self) -> dict[str, Any]:
        """One row per number of competitors."""
        return {"competitors": self.competitors, "critical_value": self.critical_values}


def single_level(alpha: float, competitors: int) -> float:
    """The level for one competitor, 1 - (1 - alpha)^(1/C).

    >>> single_level(0.01, 10)  # doctest: +ELLIPSIS
    0.0010045...
    """
    return -math.expm1(math.log1p(-alpha) / competitors) if competitors > 1 else alpha


def best_of(probability: float, competitors: int) -> float:
    """P(at least one of C independent competitors), from that of one: 1 - (1 - p)^C."""
    return 1.0 if probability >= 1 else -math.expm1(competitors * math.log1p(-probability))


def quick_critical(law: NullDistribution, alpha: float, competitors: int) -> Attainable:
    """As `critical_point` for tables and plans: a tail that equals the level but for rounding is not above it."""
    return law.critical(single_level(alpha, competitors) * (1.0 + 1e-12))


def critical_value(
    metric: str, *, positives: int, negatives: int, competitors: int = 1, alpha: float = LEVEL
) -> CriticalValueResult:
    """The score that a winner must exceed to beat the best of C random classifiers, whose rankings are random.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives, negatives : int
        Number of positive and of negative test cases.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.

    Returns
    -------
    CriticalValueResult
        The critical value, and how often the best of C random rankings exceeds it.

    Examples
    --------
    >>> kdd_cup = critical_value("best_accuracy", positives=150, negatives=484, competitors=114, alpha=0.01)
    >>> print(kdd_cup.fraction)
    491/634
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    alpha = check.fraction("alpha", alpha)
    competitors = check.count("competitors", competitors, at_most=_MOST_COMPETITORS)
    point, p_above, p_at_least = critical_point(law, alpha, competitors)
    return CriticalValueResult(
        **_facts(law, point, competitors, p_above, p_at_least),
        alpha=alpha,
        critical_value=point.value,
        p_best_above=best_of(p_above, competitors),
    )


def _facts(
    law: NullDistribution, point: Attainable, competitors: int, p_above: float, p_at_least: float
) -> dict[str, Any]:
    return {
        **law.facts(),
        "competitors": competitors,
        "fraction": point.fraction,
        "exact": point.text,
        "p_above": p_above,
        "p_at_least": p_at_least,
    }


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
    unattainable: Literal["error", "nearest", "below"] = "error",
) -> ChancePvalueResult:
    """The p-value of a winner, the maximum of C scores: how often the best of C random rankings scores at least `score`.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    score : float
        The winner's score.
    positives, negatives : int
        Number of positive and of negative test cases.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    unattainable : {"error", "nearest", "below"}, default "error"
        What to do with a score that no ranking can have: raise an error, or take the nearest or the next lower
        one.

    Returns
    -------
    ChancePvalueResult
        The p-value of the best of C, and that of a single ranking.

    Examples
    --------
    >>> pvalue("tp10", 8, positives=150, negatives=484, competitors=114).pvalue  # doctest: +ELLIPSIS
    0.0273...
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    competitors = check.count("competitors", competitors, at_most=_MOST_COMPETITORS)
    point = law.locate(score, unattainable=unattainable)
    p_at_least = law.tail(point)
    return ChancePvalueResult(
        **_facts(law, point, competitors, law.above(point), p_at_least),
        score=point.value,
        pvalue=best_of(p_at_least, competitors),
    )
