"""Is the best of several sets of predicted labels better than chance? Exact, from how many cases each calls positive.

A guesser that calls m of the cases positive without looking has a hypergeometric number of true positives, and every metric of
labels (accuracy, F1, MCC, ...) is a function of it. The guessers are independent of each other, so that the best of
them reaches a score with the probability 1 - prod (1 - P_j), P_j that of the guesser with as many positives as algorithm j.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.chance.distributions import WinnerResult
from podium.chance.hypergeometric import log_pmf
from podium.core.arrays import Bools, Floats, Ints
from podium.core.numbers import format_pvalue, number

LabelMetric = Callable[[Ints, int], Floats]
"""The metric of so many true positives (an array) among so many cases that are called positive."""
_SAME = 1e-12  # scores closer than this are equal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelChanceResult(WinnerResult):
    """The winner's labels against the best of as many guessers that call equally many cases positive."""

    called: Ints
    """How many cases each algorithm calls positive."""

    def rivals(self, nouns: str) -> str:
        """What the winner is compared with, for a sentence; `nouns` is what cases are called."""
        return f"the best of {self.competitors:,} guessers that call equally many {nouns} positive"

    def summary(self) -> str:
        """Whether the winner exceeds chance, and what you cannot conclude."""
        verdict = "exceeds" if self.pvalue <= self.alpha else "does not exceed"
        return (
            f"{self.winner}, the best of {self.competitors:,} with {self.metric} {number(self.statistic, 5)}, {verdict} the critical "
            f"value {number(self.critical_value, 5)} of guessers that call equally many cases positive, at alpha = "
            f"{number(self.alpha)} ({format_pvalue(self.pvalue)}, {self.sizes}). This compares with chance, not with the other "
            "algorithms."
        )

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, best first."""
        return self.best_first(called_positive=self.called, pvalue=self.pvalues)


def label_luck(
    truth: Bools, labels: Mapping[str, Bools], metric: LabelMetric, *, name: str, alpha: float
) -> LabelChanceResult:
    """The best of these labels against the best of as many guessers; `metric` must grow with the true positives.

    >>> truth = np.array([True] * 3 + [False] * 3)
    >>> found = label_luck(truth, {"a": truth}, lambda tp, m: tp / 3, name="recall", alpha=0.05)
    >>> round(found.pvalue, 12)  # one of the 20 ways to call three of six
    0.05
    """
    positives, n = int(truth.sum()), len(truth)
    called = np.array([int(column.sum()) for column in labels.values()])
    hits = np.array([int((column & truth).sum()) for column in labels.values()])
    laws = {m: _law(positives, n - positives, m, metric) for m in set(called.tolist())}
    of_each = [laws[m] for m in called.tolist()]
    scores = np.array([float(metric(np.array([hit]), m)[0]) for hit, m in zip(hits, called.tolist(), strict=True)])
    pvalues = np.array([_best(of_each, score) for score in scores.tolist()])
    first = int(np.argmax(scores))
    return LabelChanceResult(
        metric=name,
        positives=positives,
        negatives=n - positives,
        competitors=len(called),
        algorithms=tuple(labels),
        scores=scores,
        called=called,
        pvalues=pvalues,
        winner=tuple(labels)[first],
        statistic=float(scores[first]),
        pvalue=float(pvalues[first]),
        critical_value=_critical(of_each, alpha),
        alpha=alpha,
    )


def _law(positives: int, negatives: int, called: int, metric: LabelMetric) -> tuple[Floats, Floats]:
    """The scores that calling so many cases positive can have, rising, and the probability of each or a higher one."""
    hits = np.arange(max(0, called - negatives), min(positives, called) + 1)
    mass = np.exp([log_pmf(hit, positives, negatives, called) for hit in hits.tolist()])
    return metric(hits, called), np.minimum(np.cumsum(mass[::-1])[::-1], 1.0)


def _best(laws: list[tuple[Floats, Floats]], score: float) -> float:
    """The probability that the best guesser scores at least so high."""
    places = [int(np.searchsorted(scores, score - _SAME)) for scores, _ in laws]
    tails = [float(tail[place]) if place < len(tail) else 0.0 for place, (_, tail) in zip(places, laws, strict=True)]
    with np.errstate(divide="ignore"):
        return float(-np.expm1(np.log1p(-np.array(tails)).sum()))


def _critical(laws: list[tuple[Floats, Floats]], alpha: float) -> float:
    """The largest attainable score that the best guesser reaches with a probability above alpha."""
    attainable = np.unique(np.concatenate([scores for scores, _ in laws]))
    higher = attainable[1:].tolist()  # the lowest is always reached
    return float(attainable[bisect_left(higher, True, key=lambda score: _best(laws, score) <= alpha)])
