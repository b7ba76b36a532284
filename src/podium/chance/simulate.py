"""Any other metric: the simulation of Forman and Cohen (2005, tables 2 and 3), which keeps only the top scores.

Exact laws need a metric of their own kind; this needs only a function that scores orderings. It is the way for
average precision and NDCG, whose attainable scores are not a simple lattice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.chance.best_of import CompetitorsResult, single_level
from podium.chance.hypergeometric import kernel
from podium.chance.registry import LEVEL, METRICS, names
from podium.chance.tables import whole_numbers
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.numbers import counted, interval, number, percent
from podium.core.progress import Progress, tracked
from podium.core.rng import Rng, streams

Orderings = npt.NDArray[np.uint8]
OrderingMetric = Callable[[Orderings], npt.ArrayLike]

# Orderings of one call of the metric hold about this many labels: they stay in the processor's cache.
_LABELS_AT_ONCE = 2_000_000
_PIECES = 64  # of the draws, whatever the number of cores: enough for all of a large machine


@kernel
def average_precision(orderings: Orderings) -> Floats:
    """Average precision of each row of 0 and 1, best rank first.

    >>> average_precision(np.array([[1, 0, 1]], dtype=np.uint8))
    array([0.83333333])
    """
    precisions = np.empty(len(orderings))
    shares = 1.0 / np.arange(1, orderings.shape[1] + 1)
    for row in range(len(orderings)):
        hits, total = 0, 0.0
        for place in range(orderings.shape[1]):  # no branch: half of the guesses about random labels would be wrong
            hits += orderings[row, place]
            total += orderings[row, place] * hits * shares[place]
        precisions[row] = total / hits
    return precisions


def ndcg(orderings: Orderings) -> Floats:
    """Normalised discounted cumulative gain of each row of 0 and 1, best rank first.

    >>> ndcg(np.array([[1, 1, 0], [0, 1, 1]], dtype=np.uint8)).round(4)
    array([1.    , 0.6934])
    """
    discounts = 1.0 / np.log2(np.arange(2, orderings.shape[1] + 2))
    ideal = np.cumsum(discounts)[orderings.sum(axis=1) - 1]  # of as many ones at the top
    return np.asarray(orderings @ discounts / ideal)


@kernel
def _draw(orderings: Orderings, places: Ints, few: int, label: int, stream: np.random.Generator) -> None:
    """Random rankings: `few` cases with this label at random places of each row (the first steps of a shuffle)."""
    many = len(places)
    orderings[:] = 1 - label
    for row in range(len(orderings)):
        for i in range(few):
            j = i + int(stream.random() * (many - i))
            places[i], places[j] = places[j], places[i]
            orderings[row, places[i]] = label


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulatedCriticalValueResult(CompetitorsResult):
    """Critical values from simulated rankings, one per number of competitors, with their Monte Carlo intervals."""

    low: Floats
    high: Floats
    """The interval that holds the true critical value with probability `confidence`, from the order statistics."""
    confidence: float
    draws: int
    kept: int
    """How many of the top scores were kept."""
    method: str = "simulated"

    def summary(self) -> str:
        """The critical values and how sure the simulation is."""
        parts = [
            f"{number(value, 5)} ({interval(low, high, 4)}) for {counted(count, 'competitor')}"
            for count, value, low, high in zip(self.competitors, self.critical_values, self.low, self.high, strict=True)
        ]
        return (
            f"With {self.sizes}, the critical value of {self.metric} at "
            f"alpha = {number(self.alpha)} is {', '.join(parts)}, from {counted(self.draws, 'simulated ranking')} "
            f"({percent(self.confidence)} Monte Carlo intervals). More rankings would narrow the intervals."
        )

    def columns(self) -> dict[str, Any]:
        """One row per number of competitors."""
        return {**CompetitorsResult.columns(self), "low": self.low, "high": self.high}


def simulated_critical_value(
    metric: OrderingMetric | str, *, positives: int, negatives: int, **options: Any
) -> SimulatedCriticalValueResult:
    """The critical value of any metric by simulation, for one or several numbers of competitors at once.

    Parameters
    ----------
    metric : str or callable
        "average_precision", "ndcg", or a function of an array of orderings (rows of 0 and 1, best rank first)
        that returns one score per row; higher is better.
    positives, negatives : int
        Number of positive and of negative test cases.
    **options : Any
        Those of `simulated_critical_values`, which takes several metrics at once.

    Returns
    -------
    SimulatedCriticalValueResult
        One critical value per number of competitors, with its Monte Carlo interval.

    Examples
    --------
    >>> found = simulated_critical_value("ndcg", positives=5, negatives=5, draws=1000, workers=1, rng=0)
    >>> found.critical_values.round(1).tolist()
    [1.0]
    """
    return simulated_critical_values([metric], positives=positives, negatives=negatives, **options)[0]


def simulated_critical_values(
    metrics: Sequence[OrderingMetric | str],
    *,
    positives: int,
    negatives: int,
    competitors: int | Sequence[int] = 1,
    alpha: float = LEVEL,
    draws: int | None = None,
    test_sets: int = 1,
    confidence: float = 0.95,
    workers: int | None = None,
    rng: Rng = None,
    progress: Progress = None,
) -> tuple[SimulatedCriticalValueResult, ...]:
    """Several metrics of the same simulated rankings, for all numbers of competitors in one run (Forman and Cohen, Table 3).

    Equal seeds give equal results on any number of cores.

    Parameters
    ----------
    metrics : sequence of str or callable
        The metrics, as `simulated_critical_value` takes one.
    positives, negatives : int
        Number of positive and of negative test cases.
    competitors : int or sequence of int, default 1
        Numbers of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.
    draws : int, optional
        Number of simulated rankings; by default so many that 1000 scores are expected above the highest
        critical value, as in the paper.
    test_sets : int, default 1
        The score is the mean over so many test sets of these sizes.
    confidence : float, default 0.95
        Confidence of the Monte Carlo intervals.
    workers : int, optional
        Number of processes; by default one per core.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    tuple of SimulatedCriticalValueResult
        One result per metric.

    Examples
    --------
    >>> found = simulated_critical_values(["ndcg"], positives=5, negatives=5, draws=1000, workers=1, rng=0)
    >>> found[0].competitors
    (1,)
    """
    P, N = check.count("positives", positives), check.count("negatives", negatives)
    counts = whole_numbers("competitors", [competitors] if isinstance(competitors, int | np.integer) else competitors)
    levels = np.array([single_level(check.fraction("alpha", alpha), count) for count in counts])
    total = int(np.ceil(1000 / levels.min())) if draws is None else check.count("draws", draws)
    check.fraction("confidence", confidence)
    if total * levels.min() < 10:
        raise ArgumentError(
            f"`draws` must be at least {int(np.ceil(10 / levels.min()))} for {max(counts)} competitors at alpha "
            f"{number(alpha)}: fewer than ten scores would lie above the critical value; got {total}."
        )
    ranks = [_ranks(total, level, confidence) for level in levels]
    keep = min(total, max(high for _, _, high in ranks))
    scorers = [_scorer(metric) for metric in metrics]
    sets = check.count("test_sets", test_sets)
    tops = _top_scores([score for score, _ in scorers], (P, N, sets), total, keep, workers, rng, progress)
    return tuple(
        SimulatedCriticalValueResult(
            metric=name if sets == 1 else f"mean {name} of {sets} test sets",
            positives=P,
            negatives=N,
            competitors=counts,
            alpha=float(alpha),
            critical_values=np.array([top[middle - 1] for _, middle, _ in ranks]),
            low=np.array([top[high - 1] for _, _, high in ranks]),
            high=np.array([top[low - 1] for low, _, _ in ranks]),
            confidence=float(confidence),
            draws=total,
            kept=keep,
        )
        for (_, name), top in zip(scorers, tops, strict=True)
    )


def _ranks(draws: int, level: float, confidence: float) -> tuple[int, int, int]:
    """Ranks from the top (1 is the best) of the upper end, the critical value and the lower end.

    The paper's critical value is the (R level)-th best score. The number of scores above the true one is binomial.
    """
    from scipy.stats import binom

    tail = (1 - confidence) / 2
    low, high = (float(binom.ppf(part, draws, level)) for part in (tail, 1 - tail))
    middle = max(1, round(draws * level))
    return max(1, int(low)), middle, min(draws, int(high) + 1)


def _scorer(metric: OrderingMetric | str) -> tuple[OrderingMetric, str]:
    if isinstance(metric, str):
        return METRICS[check.member("metric for simulation", metric, names(exact=False))].load(), metric
    if not callable(metric):
        raise ArgumentError(f"`metric` must be a function of orderings or a name; got {metric!r}.")
    return metric, getattr(metric, "__name__", type(metric).__name__)


def _top_scores(
    scorers: list[OrderingMetric],
    sizes: tuple[int, int, int],
    total: int,
    keep: int,
    workers: int | None,
    rng: Rng,
    progress: Progress,
) -> list[Floats]:
    """The best scores of all draws, falling, of every metric. The pieces own the streams, so that cores do not change the result.

    Processes, as a metric in Python holds the interpreter's lock.
    """
    import joblib

    count = check.count("workers", os.cpu_count() or 1 if workers is None else workers)
    pieces = min(_PIECES, max(1, total // 1000))
    shares = np.full(pieces, total // pieces)
    shares[: total % pieces] += 1
    run = joblib.Parallel(n_jobs=1 if pieces == 1 else count, return_as="generator_unordered")
    jobs = zip(shares.tolist(), streams(rng, pieces), strict=True)
    batches = run(joblib.delayed(_piece)(scorers, sizes, *job, keep) for job in jobs)
    of_pieces = list(tracked(batches, progress, total=pieces))
    return [np.sort(_largest(np.concatenate(tops), keep))[::-1] for tops in zip(*of_pieces, strict=True)]


def _piece(
    scorers: list[OrderingMetric], sizes: tuple[int, int, int], draws: int, stream: np.random.Generator, keep: int
) -> list[Floats]:
    """The best scores of some simulated rankings, of every metric; with several test sets, of their means."""
    P, N, sets = sizes
    rows = max(1, min(draws, _LABELS_AT_ONCE // ((P + N) * sets)))
    labels, places = np.empty((rows * sets, P + N), np.uint8), np.arange(P + N)
    scores = []
    for start in range(0, draws, rows):
        orderings = labels[: min(rows, draws - start) * sets]
        _draw(orderings, places, min(P, N), int(P <= N), stream)
        by_ranking = [_checked(score(orderings), len(orderings)) for score in scorers]
        scores.append([values.reshape(-1, sets).mean(axis=1) for values in by_ranking])
    return [_largest(column, keep) for column in np.concatenate(scores, axis=1)]


def _checked(values: npt.ArrayLike, rows: int) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.shape != (rows,) or np.isnan(scores).any():
        raise ArgumentError(
            f"`metric` must give one number per ordering: {rows} orderings gave an array of shape "
            f"{scores.shape}{' with nan' if scores.size and np.isnan(scores).any() else ''}."
        )
    return scores


def _largest(scores: Floats, keep: int) -> Floats:
    return scores if len(scores) <= keep else np.partition(scores, len(scores) - keep)[-keep:]
