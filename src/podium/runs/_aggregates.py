"""Every agent's aggregates over tasks and runs, with intervals that hold with 3 to 5 runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check, numbers
from podium.core.arrays import Floats
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.evidence.runs import as_runs
from podium.runs.kernels import estimate, median_interval, t_interval
from podium.runs.registry import AGGREGATES, GAMMA, aggregate_named


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunsResult(Result):
    """What was found on the runs of agents; `normalised` says how the scores of different tasks were made comparable."""

    algorithms: tuple[str, ...]
    n_tasks: int
    confidence: float
    normalised: str
    draws: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AggregatesResult(RunsResult):
    """Aggregates (columns) of agents (rows), with intervals for each alone; nan where an agent has a single run somewhere.

    The tasks are taken as they are: the intervals say how much new runs on the same tasks would vary.
    """

    aggregates: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    error: Floats
    df: Floats
    runs: tuple[tuple[int, int], ...]
    gamma: float

    def columns(self) -> list[dict[str, Any]]:
        """One row per aggregate and agent."""
        return [
            {
                "aggregate": AGGREGATES[name].label,
                "algorithm": who,
                "value": float(self.values[i, j]),
                "low": float(self.low[i, j]),
                "high": float(self.high[i, j]),
                "error": float(self.error[i, j]),
                "df": float(self.df[i, j]),
            }
            for j, name in enumerate(self.aggregates)
            for i, who in enumerate(self.algorithms)
        ]

    def summary(self) -> str:
        """The first aggregate of each agent, and what does not follow."""
        first = AGGREGATES[self.aggregates[0]]
        order = np.argsort(self.values[:, 0] * (-1 if first.better == "same" else 1), kind="stable")
        agents = [
            f"{self.algorithms[i]} {numbers.number(float(self.values[i, 0]))}"
            + (
                f" ({numbers.interval(float(self.low[i, 0]), float(self.high[i, 0]))})"
                if np.isfinite(self.low[i, 0])
                else " (a single run: no interval)"
            )
            for i in order
        ]
        how = f"; {self.normalised}" if self.normalised else "; the scores are as they were given"
        return (
            f"{first.label.capitalize()} over {numbers.counted(self.n_tasks, 'task')}, with {numbers.percent(self.confidence)} "
            f"intervals: {numbers.listed(agents, most=6)}{how}. The intervals are about new runs on the same tasks, not about "
            "other tasks."
        )


def aggregates(
    runs: Any,
    *,
    aggregates: Sequence[str] = tuple(AGGREGATES),
    gamma: float = GAMMA,
    confidence: float = 0.95,
    draws: int = 10_000,
    rng: Rng = 0,
) -> AggregatesResult:
    """The interquartile mean, mean, median and optimality gap of each agent, with intervals stratified by task.

    Mean, interquartile mean and optimality gap have a t interval with Satterthwaite's degrees of freedom (the interquartile mean
    by winsorised scores; the mean also Hall's, which allows for skewed runs), the median from five runs on one from draws of each
    task's mean and from the order statistics of tasks. Of 26 tasks or more with few skewed runs that interval is too short where all
    tasks have nearly one level (86% instead of 95%, of 57 tasks 68%): take the interquartile mean.

    Parameters
    ----------
    runs : Runs or dict
        Runs, or agent -> array (runs x tasks) as in rliable, or agent -> {task: scores}.
    aggregates : sequence of str, default all
        Which aggregates: "iqm", "mean", "median", "optimality_gap".
    gamma : float, default 1.0
        The score that leaves no optimality gap.
    confidence : float, default 0.95
        Confidence of the interval.
    draws : int, default 10000
        Number of draws, for the interval of the median.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    AggregatesResult
        For each agent and aggregate: the value, its interval and standard error.

    Examples
    --------
    >>> found = aggregates({"dqn": [[0.5, 1.0, 0.2], [0.7, 1.4, 0.9], [0.6, 1.3, 0.4]]}, aggregates=["iqm"])
    >>> found.values.round(4).tolist(), found.error.round(4).tolist()
    ([[0.7389]], [[0.0969]])
    """
    data = as_runs(runs)
    check.fraction("confidence", confidence)
    kinds = [aggregate_named(name) for name in aggregates]
    shape = (data.n_algorithms, len(kinds))
    value, low, high, error, df = (np.full(shape, np.nan) for _ in range(5))
    drawn = generator(rng)
    for i, own in enumerate(data.by_algorithm):
        for j, kind in enumerate(kinds):
            if kind.influence is None:
                value[i, j] = kind.value(own, gamma)
                low[i, j], high[i, j] = median_interval(own, confidence, drawn, draws)
                continue
            value[i, j], spread = estimate(own, kind, gamma)
            ends = t_interval(value[i, j], spread, confidence, skewed=kind.name == "mean")
            low[i, j], high[i, j] = np.maximum(ends, kind.least)
            error[i, j], df[i, j] = spread.error, spread.df
    references = tuple(dict.fromkeys(key for kind in kinds for key in kind.references))
    return AggregatesResult(
        algorithms=data.algorithms,
        aggregates=tuple(kind.name for kind in kinds),
        values=value,
        low=low,
        high=high,
        error=error,
        df=df,
        n_tasks=data.n_tasks,
        runs=tuple((int(own.min()), int(own.max())) for own in data.counts.T),
        confidence=confidence,
        gamma=gamma,
        normalised=data.scale,
        draws=draws,
        references=references,
    )
