"""Is the winner of a competition better than chance? From labels and predicted scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from podium.chance.best_of import best_of, critical_point
from podium.chance.distributions import NullCurve, WinnerResult, null_curve, null_distribution
from podium.chance.rankings import as_binary, as_columns, ranked_score
from podium.chance.registry import LEVEL, label_of, metric_name
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.numbers import format_pvalue, interval, number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChanceTestResult(WinnerResult):
    """The winner against the best of C random rankings of the same test cases."""

    tested: Floats
    """The attainable score whose pvalue is taken, by the tie rule."""
    worst: Floats
    best: Floats
    """What breaking all ties against or for the algorithm would give."""
    tied: Ints
    """How many cases share their score with a case of the other class."""
    score: float
    """The winner's score, as usual."""
    critical_fraction: Fraction | None
    ties: str
    """"worst" (broken against the algorithm: a valid test) or "expected" (the usual score, rounded down)."""

    @property
    def _sign(self) -> int:
        return metric_name(self.metric).metric.sign

    @property
    def law(self) -> NullCurve:
        """What the best of as many random rankings scores."""
        one = null_curve(self.metric, positives=self.positives, negatives=self.negatives)
        share = one.cdf**self.competitors if self._sign > 0 else 1 - (1 - one.cdf) ** self.competitors
        return replace(one, cdf=share)

    def rivals(self, nouns: str) -> str:
        """What the winner is compared with, for a sentence; `nouns` is what cases are called."""
        return f"the best of {self.competitors:,} random rankings of the {nouns}"

    def summary(self) -> str:
        """Whether the winner exceeds chance, and what does not follow."""
        place = self.algorithms.index(self.winner)
        won = self._sign * (self.statistic - self.critical_value) > 0
        word = "exceed" if self._sign > 0 else "fall"
        verdict = (f"{word}s" if won else f"does not {word}") + (" below" if word == "fall" else "")
        tied = (
            f" {self.tied[place]} of its cases tie with the other class: {label_of(self.metric)} would be "
            f"{interval(self.worst[place], self.best[place], 5)} with the ties broken, and "
            f"{number(self.statistic, 5)} was tested."
            if self.tied[place]
            else ""
        )
        return (
            f"{self.winner}, the best of {self.competitors:,} with {number(self.score, 5)} ({label_of(self.metric)}), {verdict} the "
            f"critical value {number(self.critical_value, 5)} at alpha = {number(self.alpha)} "
            f"({format_pvalue(self.pvalue)}, {self.sizes}).{tied} This compares with chance, not with the other "
            f"algorithms."
        )

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, best first."""
        ends = {"worst": self.worst, "best": self.best, "tied": self.tied}
        return self.best_first(self._sign, tested=self.tested, pvalue=self.pvalues, **ends)


def chance_test(
    y_true: Any,
    scores: Any,
    *,
    metric: str = "auc",
    competitors: int | None = None,
    alpha: float = LEVEL,
    ties: Literal["worst", "expected"] = "worst",
    positive: Any = None,
) -> ChanceTestResult:
    """Compute a metric of one or many algorithms and test the winner against the best of C random rankings.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The labels, of two classes.
    scores : array-like or mapping
        Scores of the cases, of cases x algorithms, or a mapping of names to scores; higher means more positive.
    metric : str, default "auc"
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    competitors : int, optional
        Number of algorithms tried, discarded ones included; by default those given, and never less.
    alpha : float, default 0.01
        Significance level.
    ties : {"worst", "expected"}, default "worst"
        How equal scores count. "worst" breaks every tie against the algorithm, so that the p-value is never too
        small. "expected" tests the usual score (half a pair for a tie in AUC), rounded down to an attainable
        one; with many ties that p-value can be too small.
    positive : any, optional
        The positive label, unless the labels are 0 and 1.

    Returns
    -------
    ChanceTestResult
        The winner, its score and its p-value against the best of C random rankings.

    Examples
    --------
    >>> found = chance_test([1, 1, 1, 0, 0, 0], {"a": [6, 5, 3, 4, 2, 1], "b": [1, 2, 3, 4, 5, 6]})
    >>> found.winner, round(found.statistic, 4), round(found.pvalue, 4)
    ('a', 0.8889, 0.19)
    """
    labels = as_binary(y_true, positive=positive)
    columns = as_columns(scores, cases=len(labels))
    check.choice("ties", ties, ("worst", "expected"))
    alpha = check.fraction("alpha", alpha)
    count = check.count("competitors", len(columns) if competitors is None else competitors)
    if count < len(columns):
        raise ArgumentError(f"`competitors` must be at least the {len(columns)} algorithms given; got {count}.")
    law = null_distribution(metric, positives=int(labels.sum()), negatives=int((~labels).sum()))
    ranked = [ranked_score(law, labels, column) for column in columns.values()]
    values = np.array([one.expected for one in ranked])
    points = [law.floor(one.worst if ties == "worst" else one.expected) for one in ranked]
    pvalues = np.array([best_of(law.tail(point), count) for point in points])
    first = int(np.argmax(law.sign * values))
    point, _, _ = critical_point(law, alpha, count)
    return ChanceTestResult(
        **law.facts(),
        competitors=count,
        algorithms=tuple(columns),
        scores=values,
        tested=np.array([point.value for point in points]),
        worst=np.array([one.worst for one in ranked]),
        best=np.array([one.best for one in ranked]),
        tied=np.array([one.tied for one in ranked]),
        pvalues=pvalues,
        winner=tuple(columns)[first],
        score=float(values[first]),
        statistic=points[first].value,
        pvalue=float(pvalues[first]),
        critical_value=point.value,
        critical_fraction=point.fraction,
        alpha=alpha,
        ties=ties,
    )
