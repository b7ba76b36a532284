"""The spread of an aggregate over runs: variance within the tasks, degrees of freedom, intervals. No resampling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Floats
from podium.runs.registry import GAMMA, Aggregate, task_means


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The variance of an estimate, and the sum by which variances are weighed for the degrees of freedom.

    Spreads of independent estimates add: the degrees of freedom of the sum are variance² / weight (Satterthwaite 1946).
    """

    variance: float
    weight: float

    @property
    def df(self) -> float:
        """The degrees of freedom; infinite where nothing varies."""
        return self.variance**2 / self.weight if self.weight > 0 else float("inf")

    @property
    def error(self) -> float:
        """The standard error."""
        return float(np.sqrt(self.variance))

    def __add__(self, other: Spread) -> Spread:
        return Spread(variance=self.variance + other.variance, weight=self.weight + other.weight)


def stratified_spread(values: Floats) -> Spread:
    """The spread of the mean over tasks of the means over runs; nan where a task has a single run."""
    counts = (~np.isnan(values)).sum(axis=1)
    if (counts < 2).any():
        return Spread(variance=float("nan"), weight=float("nan"))
    centred = values - task_means(values)[:, None]
    within = np.nansum(centred**2, axis=1) / (counts - 1)
    share = within / counts / len(values) ** 2
    return Spread(variance=float(share.sum()), weight=float((share**2 / (counts - 1)).sum()))


def estimate(values: Floats, kind: Aggregate, gamma: float = GAMMA) -> tuple[float, Spread]:
    """An aggregate of tasks x runs that has influence values, and its spread.

    >>> from podium.runs.registry import AGGREGATES
    >>> value, spread = estimate(np.array([[0.5, 0.7, 0.6], [1.0, 1.4, 1.3], [0.2, 0.9, 0.4]]), AGGREGATES["iqm"])
    >>> round(value, 6), round(spread.error, 6), round(spread.df, 4)
    (0.738889, 0.096864, 2.7245)
    """
    assert kind.parts is not None
    parts = kind.parts(values, gamma)
    return parts.value, stratified_spread(parts.influence)


def t_interval(value: float, spread: Spread, confidence: float) -> tuple[float, float]:
    """The interval of Student's t with Satterthwaite's degrees of freedom."""
    from scipy.special import stdtrit

    if not np.isfinite(spread.variance):
        return float("nan"), float("nan")
    quantile = float(stdtrit(min(spread.df, 1e12), 0.5 + confidence / 2))
    return value - quantile * spread.error, value + quantile * spread.error


def median_interval(
    values: Floats, confidence: float, rng: np.random.Generator, draws: int = 10_000
) -> tuple[float, float]:
    """The interval of the median of the task means, from draws of what each true task mean may be.

    The mean of R runs is off by its standard error times a t with R - 1 degrees of freedom; the medians of such draws over
    the tasks have the wanted quantiles. A bootstrap of 3 runs would draw too little spread.
    """
    counts = (~np.isnan(values)).sum(axis=1)
    if (counts < 2).any():
        return float("nan"), float("nan")
    means = task_means(values)
    errors = np.sqrt(np.nansum((values - means[:, None]) ** 2, axis=1) / (counts - 1) / counts)
    drawn = means + errors * rng.standard_t(counts - 1, size=(draws, len(means)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)
