"""Which aggregates of runs there are: how each is called, which way it points, and how its influence values are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.core import check
from podium.core.arrays import Floats

GAMMA = 1.0  # the score that counts as solved: human level for human-normalised scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """One aggregate of tasks x runs, and values whose stratified mean varies as it does.

    `influence` is tasks x runs too, nan where no run is; None where there are no such values (the median of task means).
    """

    name: str
    label: str
    better: str  # "same" as the metric, or "lower"
    value: Callable[[Floats, float], float]
    influence: Callable[[Floats, float], Floats] | None
    references: tuple[str, ...] = ("agarwal2021",)
    least: float = -np.inf  # no interval reaches below


def task_means(values: Floats) -> Floats:
    """The mean of each task (row) over its runs."""
    return np.asarray(np.nansum(values, axis=1) / (~np.isnan(values)).sum(axis=1))


def _mean(values: Floats, gamma: float) -> float:
    return float(task_means(values).mean())


def _median(values: Floats, gamma: float) -> float:
    return float(np.median(task_means(values)))


def _gaps(values: Floats, gamma: float) -> Floats:
    return gamma - np.minimum(values, gamma)


def _gap(values: Floats, gamma: float) -> float:
    return _mean(_gaps(values, gamma), gamma)


def quartile_weights(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Scores of all runs in ascending order, the share of each that lies between the quartiles, and its cumulated weight.

    Every task has the same weight, whatever its number of runs. A score that a quartile cuts counts with the part
    inside: fractional trimming, so that exactly half of the weight is left.
    """
    counts = (~np.isnan(values)).sum(axis=1, keepdims=True)
    weights = np.broadcast_to(1 / (counts * len(values)), values.shape)[~np.isnan(values)]
    scores = values[~np.isnan(values)]
    order = np.argsort(scores, kind="stable")
    scores, upto = scores[order], np.cumsum(weights[order])
    upto = upto / upto[-1]
    before = np.concatenate([[0.0], upto[:-1]])
    inside = np.clip(np.minimum(upto, 0.75) - np.maximum(before, 0.25), 0.0, None)
    return scores, inside, upto


def iqm(values: Floats, gamma: float = GAMMA) -> float:
    """The mean of the middle half of all scores, each task with the same weight.

    >>> round(iqm(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]])), 12)
    3.5
    """
    scores, inside, _ = quartile_weights(values)
    return float((scores * inside).sum() / inside.sum())


def _winsorised(values: Floats, gamma: float) -> Floats:
    """Twice the winsorised scores (Tukey and McLaughlin 1963)."""
    scores, _, upto = quartile_weights(values)
    low = scores[np.searchsorted(upto, 0.25 + 1e-12, side="right")]
    high = scores[np.searchsorted(upto, 0.75 - 1e-12, side="left")]
    return np.asarray(2 * np.clip(values, low, high))


AGGREGATES: dict[str, Aggregate] = {
    entry.name: entry
    for entry in (
        Aggregate(
            name="iqm",
            label="interquartile mean",
            better="same",
            value=iqm,
            influence=_winsorised,
            references=("agarwal2021", "tukey1963", "satterthwaite1946"),
        ),
        Aggregate(
            name="mean",
            label="mean",
            better="same",
            value=_mean,
            influence=lambda values, gamma: values,
            references=("satterthwaite1946", "hall1992"),
        ),
        Aggregate(name="median", label="median of the tasks", better="same", value=_median, influence=None),
        Aggregate(
            name="optimality_gap",
            label="optimality gap",
            better="lower",
            value=_gap,
            influence=_gaps,
            references=("agarwal2021", "satterthwaite1946"),
            least=0.0,
        ),
    )
}


def aggregate_named(name: str) -> Aggregate:
    """The aggregate of that name."""
    return AGGREGATES[check.choice("aggregate", name, tuple(AGGREGATES))]
