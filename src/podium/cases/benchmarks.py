"""Two systems benchmark by benchmark: the difference on each, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases._all_pairs import all_pairs
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.numbers import counted, percent
from podium.core.result import Result
from podium.core.rng import Rng
from podium.evidence.cases import Cases

FEWEST = 2  # cases of a benchmark that both have, for an interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchmarkDifferences(Result):
    """The difference a - b on each benchmark, with an interval of each alone; nan where a benchmark has too few cases."""

    a: str
    b: str
    metric: Metric
    benchmarks: tuple[str, ...]
    n: Ints
    effect: Floats
    low: Floats
    high: Floats
    confidence: float

    def summary(self) -> str:
        """On how many benchmarks each is ahead, and on how many its interval excludes 0."""
        gain = self.metric.sign * self.effect
        ahead, behind = int((gain > 0).sum()), int((gain < 0).sum())
        clear = (self.low > 0) | (self.high < 0)
        return (
            f"{self.a} is ahead of {self.b} on {ahead} of {counted(len(self.benchmarks), 'benchmark')} and behind on {behind}; "
            f"{counted(int(clear.sum()), 'interval')} of {percent(self.confidence)} "
            f"{'excludes' if clear.sum() == 1 else 'exclude'} 0. The intervals are individual: among many, some "
            "exclude 0 by chance."
        )

    def columns(self) -> dict[str, Any]:
        """One row per benchmark."""
        numbers = {name: getattr(self, name) for name in ("n", "effect", "low", "high")}
        return {"benchmark": np.array(self.benchmarks, dtype=object), **numbers}


def by_benchmark(cases: Cases, a: str, b: str, *, confidence: float = 0.95, rng: Rng = 0) -> BenchmarkDifferences:
    """The difference of two systems on each benchmark, by the rule that fits its cases.

    Parameters
    ----------
    cases : Cases
        The outcomes.
    a, b : str
        Names of the two systems.
    confidence : float, default 0.95
        Confidence of the interval.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    BenchmarkDifferences
        The difference a - b on each benchmark with its interval; nan where a benchmark has too few cases.

    Examples
    --------
    >>> outcomes = np.array([[1, 0], [1, 0], [1, 1], [0, 1], [1, 0], [0, 0]])
    >>> cases = Cases(values=outcomes, cases=tuple("123456"), algorithms=("a", "b"), benchmarks=tuple("xxxyyy"),
    ...               metric=Metric(name="accuracy", direction="higher"))
    >>> by_benchmark(cases, "a", "b").effect.round(3).tolist()
    [0.667, 0.0]
    """
    if len(set(cases.benchmarks)) < 2:
        raise DataError("There are no benchmarks: name the benchmark of each case.")
    check.fraction("confidence", confidence)
    names = tuple(dict.fromkeys(cases.benchmarks))
    rows = np.full((len(names), 4), np.nan)
    where = np.array(cases.benchmarks, dtype=object)
    for place, name in enumerate(names):
        own = cases.take(where == name).select((a, b))
        both = ~np.isnan(own.values).any(axis=1)
        rows[place, 0] = both.sum()
        if both.sum() < FEWEST:
            continue
        pair = all_pairs(own.take(both), confidence=confidence, intervals="each", rng=rng)
        rows[place, 1:] = pair.effect[0], pair.low[0], pair.high[0]
    n, effect, low, high = rows.T
    named: dict[str, Any] = {"a": a, "b": b, "metric": cases.metric, "benchmarks": names, "confidence": confidence}
    return BenchmarkDifferences(n=n.astype(np.int64), effect=effect, low=low, high=high, **named)
